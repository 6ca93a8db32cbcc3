package rules_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/internal/collect/all"
	"strata/internal/collect/assume"
	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/machine"
	"strata/internal/rule"
	"strata/internal/rules"
	"strata/internal/stack"
)

var only = flag.String("rule", "", "test only the rule with this ID")

// TestRules holds every rule to its three machines: bad must yield the
// finding, good must not, unknown must yield Unknown. Machines lie in
// LAYER/testdata/ID.
func TestRules(t *testing.T) {
	for _, r := range rules.All() {
		if *only != "" && r.ID != *only {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			if err := r.Validate(); err != nil {
				t.Error(err)
			}
			dir := testdata(t, r)
			for name, want := range map[string]rule.Outcome{"bad": rule.Fail, "good": rule.Pass, "unknown": rule.Unknown} {
				// bad.txtar, and bad-mixed-gpus.txtar beside it where one bad machine is not enough.
				files, err := filepath.Glob(filepath.Join(dir, name+"*.txtar"))
				if err != nil || len(files) == 0 {
					t.Errorf("no %s/%s.txtar: every rule has a bad, a good and an unknown machine (%v)", dir, name, err)
					continue
				}
				for _, f := range files {
					check(t, r, f, want)
				}
			}
		})
	}
}

func testdata(t *testing.T, r *rule.Rule) string {
	t.Helper()
	found, err := filepath.Glob("*/testdata/" + r.ID)
	if err != nil || len(found) != 1 {
		t.Fatalf("want one folder */testdata/%s with the rule's machines, found %v (%v)", r.ID, found, err)
	}
	return found[0]
}

func check(t *testing.T, r *rule.Rule, file string, want rule.Outcome) {
	t.Helper()
	s := collected(t, file)
	res := diagnose.Run(s, kb.Default(), rules.All(), diagnose.Options{})
	var got []string
	hit := false
	for _, a := range res.Answers {
		if a.Rule != r {
			continue
		}
		text := a.Outcome.String()
		if a.Workload != nil {
			text += " for " + a.Workload.ID()
		}
		switch {
		case a.Outcome == rule.Fail && a.Because != "":
			text += " but explained by " + a.Because
		case a.Outcome == want:
			hit = true
		}
		if a.Outcome == rule.Unknown {
			text += ": " + a.Why
		}
		if a.Finding != nil {
			text += ": " + a.Finding.Summary
		}
		got = append(got, text)
		if want == rule.Pass && a.Outcome == rule.Fail {
			t.Errorf("%s: a good machine yields a finding: %s", file, a.Finding.Summary)
		}
	}
	// "Not applicable" makes a machine neither bad nor good: it does not test the rule.
	if !hit {
		t.Errorf("%s: %s did not answer %s, but:\n\t%s", file, r.ID, want, strings.Join(got, "\n\t"))
	}
}

func collected(t *testing.T, file string) *stack.Stack {
	t.Helper()
	m, err := machine.OpenArchive(os.DirFS(filepath.Dir(file)), filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	put, err := assume.Parse(m.Assumptions())
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return all.Run(context.Background(), m.Machine, all.Options{Assume: put})
}

// TestDocumented refuses a rule without the texts that its page is made of,
// and one whose after names nothing.
func TestDocumented(t *testing.T) {
	for _, r := range rules.All() {
		for _, id := range r.After {
			if _, ok := rules.Find(id); !ok {
				t.Errorf("%s: after names %s, which does not exist", r.ID, id)
			}
		}
	}
}

// TestNothingKnown asks every rule about a stack of which nothing is known:
// none may find anything or call it fine.
func TestNothingKnown(t *testing.T) {
	res := diagnose.Run(&stack.Stack{}, kb.Default(), rules.All(), diagnose.Options{})
	for _, a := range res.Answers {
		if a.Outcome == rule.Fail || a.Outcome == rule.Pass {
			t.Errorf("%s says %s of a stack of which nothing is known", a.Rule.ID, a.Outcome)
		}
	}
}
