package plan

import (
	"testing"

	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
)

// wants makes a rule that is content where a variable has a value, and cannot
// say where it is "?".
func wants(id string, layer rule.Layer, severity rule.Severity, name, value string, remedies ...rule.Remedy) *rule.Rule {
	return &rule.Rule{ID: id, Layer: layer, Severity: severity, Check: func(in *rule.Input) rule.Verdict {
		switch v, _ := in.Stack.Getenv(name); v.Value {
		case value:
			return rule.Clean()
		case "?":
			return rule.Cannot("not known", "")
		}
		return rule.Found(rule.Finding{Summary: id, Remedies: remedies})
	}}
}

func set(summary string, pairs ...string) rule.Remedy {
	r := rule.Remedy{Summary: summary}
	for i := 0; i < len(pairs); i += 2 {
		r.Changes = append(r.Changes, stack.SetEnv{Name: pairs[i], Value: pairs[i+1]})
	}
	return r
}

// TestPlanner keeps what mends and brings nothing new, in the rule's order, and
// advice last.
func TestPlanner(t *testing.T) {
	rules := []*rule.Rule{
		wants("DRV101", rule.Driver, rule.Broken, "A", "ok",
			rule.Remedy{Summary: "advice"},
			set("does nothing", "Z", "1"),
			set("breaks another", "A", "ok", "B", "no"),
			set("leaves it unknown", "A", "?"),
			set("puts another at risk", "A", "ok", "C", "no"),
			set("makes a risk a break", "A", "ok", "D", "worse"),
			set("mends", "A", "ok"),
			set("mends, and what was broken stays so", "A", "ok", "E", "no"),
			set("mends, with a note", "A", "ok", "F", "no"),
		),
		wants("DEV101", rule.DeviceExposure, rule.Broken, "B", "ok"),
		wants("CTR101", rule.ContainerRuntime, rule.AtRisk, "C", "ok"),
		{ID: "CTR102", Layer: rule.ContainerRuntime, Severity: rule.AtRisk, Check: func(in *rule.Input) rule.Verdict {
			f := rule.Finding{Summary: "always"}
			if v, _ := in.Stack.Getenv("D"); v.Value == "worse" {
				f.Severity = rule.Broken
			}
			return rule.Found(f)
		}},
		wants("CTR103", rule.ContainerRuntime, rule.Broken, "E", "ok"),
		wants("TKT101", rule.Toolkit, rule.Note, "F", "ok"),
	}
	s := &stack.Stack{}
	for _, name := range []string{"B", "C", "F"} {
		s = Apply(s, []stack.Change{stack.SetEnv{Name: name, Value: "ok"}}, kb.Default())
	}
	before := diagnose.Run(s, kb.Default(), rules, diagnose.Options{})
	p := &Planner{Base: kb.Default(), Rules: rules}
	var got []string
	for _, a := range before.Findings() {
		if a.Rule.ID != "DRV101" {
			continue
		}
		for _, r := range p.Remedies(before, a) {
			if r.Checked != (len(r.Changes) > 0) {
				t.Errorf("%q: checked is %t", r.Summary, r.Checked)
			}
			got = append(got, r.Summary)
		}
	}
	want := []string{"mends", "mends, and what was broken stays so", "mends, with a note", "advice"}
	if len(got) != len(want) {
		t.Fatalf("kept are %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("kept are %q, want %q", got, want)
			break
		}
	}
}

// TestPlannerUncovers: a finding that another one explained was there before,
// so mending the other does not bring it.
func TestPlannerUncovers(t *testing.T) {
	under := wants("DEV101", rule.DeviceExposure, rule.Broken, "B", "ok")
	under.After = []string{"DRV101"}
	rules := []*rule.Rule{wants("DRV101", rule.Driver, rule.Broken, "A", "ok", set("mends", "A", "ok")), under}
	before := diagnose.Run(&stack.Stack{}, kb.Default(), rules, diagnose.Options{})
	shown := before.Findings()
	if len(shown) != 1 || shown[0].Rule.ID != "DRV101" {
		t.Fatalf("%d findings are shown, want DRV101 alone", len(shown))
	}
	if got := (&Planner{Base: kb.Default(), Rules: rules}).Remedies(before, shown[0]); len(got) != 1 {
		t.Errorf("%d remedies are kept, want one", len(got))
	}
}
