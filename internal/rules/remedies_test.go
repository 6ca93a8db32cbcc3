package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/plan"
	"strata/internal/rule"
	"strata/internal/rules"
)

// TestRemedies tries the remedies of every finding on every rule's bad
// machines. A rule that states changes must have one that holds on one of them:
// else its remedies are guesses. -v prints what is kept and what is not.
func TestRemedies(t *testing.T) {
	for _, r := range rules.All() {
		if *only != "" && r.ID != *only {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			files, err := filepath.Glob(filepath.Join(testdata(t, r), "bad*.txtar"))
			if err != nil {
				t.Fatal(err)
			}
			proposed, kept := 0, 0
			for _, f := range files {
				p, k := tryRemedies(t, r, f)
				proposed, kept = proposed+p, kept+k
			}
			if proposed > 0 && kept == 0 {
				t.Errorf("%d remedies with changes are proposed on %d bad machines, and none of them holds", proposed, len(files))
			}
		})
	}
}

// tryRemedies counts the remedies with changes that a rule proposes for one
// machine, and those that hold.
func tryRemedies(t *testing.T, r *rule.Rule, file string) (proposed, kept int) {
	t.Helper()
	before := diagnose.Run(collected(t, file), kb.Default(), rules.All(), diagnose.Options{})
	planner := &plan.Planner{Base: kb.Default(), Rules: rules.All()}
	for i := range before.Answers {
		a := &before.Answers[i]
		if a.Rule != r || a.Outcome != rule.Fail || a.Because != "" {
			continue
		}
		t.Logf("%s: %s", file, a.Finding.Summary)
		holds := map[string]bool{}
		for _, c := range planner.Remedies(before, a) {
			holds[c.Summary] = c.Checked
			if c.Checked {
				kept++
			}
		}
		for _, c := range a.Finding.Remedies {
			checked, shown := holds[c.Summary]
			word := "advice "
			switch {
			case checked:
				word = "kept   "
			case !shown:
				word = "dropped"
			}
			t.Logf("  %s %s", word, c.Summary)
			if !shown {
				t.Logf("          since then %s", strings.Join(after(before, a, c), "; "))
			}
			for _, cmd := range c.Commands {
				t.Logf("            %s", cmd.Run)
			}
			if len(c.Changes) > 0 {
				proposed++
			}
		}
	}
	return proposed, kept
}

// after tells what the rules say once a remedy is carried out, of what was not
// said before.
func after(before *diagnose.Result, a *diagnose.Answer, r rule.Remedy) []string {
	had := map[string]bool{}
	for _, f := range before.Findings() {
		had[f.Rule.ID+f.Finding.Summary] = f != a
	}
	res := diagnose.Run(plan.Apply(before.View.Stack, r.Changes, kb.Default()), kb.Default(), rules.All(), diagnose.Options{})
	var out []string
	for i := range res.Answers {
		x := &res.Answers[i]
		switch {
		case x.Outcome == rule.Fail && x.Because == "" && x.Severity() >= rule.AtRisk && !had[x.Rule.ID+x.Finding.Summary]:
			out = append(out, x.Rule.ID+" finds: "+x.Finding.Summary)
		case x.Outcome == rule.Unknown && x.Rule == a.Rule:
			out = append(out, x.Rule.ID+" does not know: "+x.Why)
		}
	}
	return out
}
