package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules"
	"strata/internal/stack"
)

// says makes a rule that finds something of a severity where the environment
// variable of its name is set.
func says(id string, layer rule.Layer, severity rule.Severity, after ...string) *rule.Rule {
	return &rule.Rule{ID: id, Layer: layer, Severity: severity, After: after, Check: func(in *rule.Input) rule.Verdict {
		if _, ok := in.Stack.Getenv(id); !ok {
			return rule.Clean()
		}
		return rule.Found(rule.Finding{Summary: id})
	}}
}

// with is a stack in which the rules of these names find something.
func with(ids ...string) *stack.Stack {
	s := &stack.Stack{}
	s.Environment.State = stack.Known
	for _, id := range ids {
		s.Environment.Value = append(s.Environment.Value, stack.Variable{Name: id})
	}
	return s
}

func found(r *diagnose.Result) string {
	var ids []string
	for _, a := range r.Findings() {
		ids = append(ids, a.Rule.ID)
	}
	return strings.Join(ids, " ")
}

// TestSuppression: a finding hides what it explains, and only that.
func TestSuppression(t *testing.T) {
	list := []*rule.Rule{
		says("KRN101", rule.KernelModule, rule.Note),
		says("KRN102", rule.KernelModule, rule.AtRisk),
		says("KRN103", rule.KernelModule, rule.Broken),
		says("DRV101", rule.Driver, rule.Broken, "KRN101", "KRN102", "KRN103"),
		says("DRV102", rule.Driver, rule.AtRisk, "KRN102", "DRV101"),
		says("DRV103", rule.Driver, rule.Broken),
	}
	for _, tt := range []struct{ set, want string }{
		{"", ""},
		{"DRV101", "DRV101"},
		{"KRN103 DRV101", "KRN103"},
		{"KRN102 DRV101", "DRV101 KRN102"}, // a risk does not explain a break
		{"KRN101 DRV101", "DRV101 KRN101"},
		{"KRN102 DRV102", "KRN102"},
		{"KRN103 DRV101 DRV102", "KRN103"}, // by way of one that is hidden itself
		{"KRN103 DRV103", "KRN103 DRV103"}, // two faults that have nothing to do with one another
	} {
		r := diagnose.Run(with(strings.Fields(tt.set)...), kb.Default(), list, diagnose.Options{})
		if got := found(r); got != tt.want {
			t.Errorf("of %q %q are shown, want %q", tt.set, got, tt.want)
		}
	}
}

// TestSuppressionByWorkload: what is wrong with one environment explains
// nothing in another, except in what extends it.
func TestSuppressionByWorkload(t *testing.T) {
	s := with()
	env := func(prefix string, frameworks ...string) stack.Environment {
		e := stack.Environment{Prefix: prefix}
		for _, f := range frameworks {
			e.Frameworks = append(e.Frameworks, stack.Framework{Name: f})
		}
		return e
	}
	s.Python = stack.Know([]stack.Environment{env("/a", "pytorch", "torchvision"), env("/b", "pytorch")})
	every := func(*rule.Input) rule.Verdict { return rule.Found(rule.Finding{Summary: "always"}) }
	list := []*rule.Rule{
		{ID: "FRM101", Layer: rule.FrameworkBuild, Severity: rule.Broken, Scope: rule.PerWorkload, Check: func(in *rule.Input) rule.Verdict {
			if in.Workload.ID() != "pytorch in /a" {
				return rule.Clean()
			}
			return every(in)
		}},
		{ID: "ARC101", Layer: rule.GPUArch, Severity: rule.Broken, Scope: rule.PerWorkload, After: []string{"FRM101"}, Check: every},
	}
	r := diagnose.Run(s, kb.Default(), list, diagnose.Options{})
	var shown []string
	for _, a := range r.Findings() {
		shown = append(shown, a.Rule.ID+" "+a.Workload.ID())
	}
	if want := []string{"FRM101 pytorch in /a", "ARC101 pytorch in /b"}; !slices.Equal(shown, want) {
		t.Errorf("shown are %q, want %q", shown, want)
	}
}

// TestFirst: the worst findings come before the lowest layer.
func TestFirst(t *testing.T) {
	list := []*rule.Rule{
		says("KRN101", rule.KernelModule, rule.AtRisk), says("DRV101", rule.Driver, rule.Broken),
		says("DEV101", rule.DeviceExposure, rule.Broken), says("HWR101", rule.Hardware, rule.Note),
	}
	for _, tt := range []struct{ set, want string }{
		{"KRN101 DRV101 DEV101 HWR101", "DRV101"}, {"KRN101 HWR101", "KRN101"}, {"HWR101", ""}, {"", ""},
	} {
		got := ""
		if a := diagnose.Run(with(strings.Fields(tt.set)...), kb.Default(), list, diagnose.Options{}).First(nil); a != nil {
			got = a.Rule.ID
		}
		if got != tt.want {
			t.Errorf("the first of %q is %q, want %q", tt.set, got, tt.want)
		}
	}
}

// TestAfterHasNoCycle: two rules that explain one another would both stay
// silent. A rule about the machine cannot be explained by one environment.
func TestAfterHasNoCycle(t *testing.T) {
	byID := map[string]*rule.Rule{}
	for _, r := range rules.All() {
		byID[r.ID] = r
	}
	var walk func(id string, path []string)
	walk = func(id string, path []string) {
		if slices.Contains(path, id) {
			t.Fatalf("%s: explains itself by way of %s", id, strings.Join(path, ", "))
		}
		for _, up := range byID[id].After {
			walk(up, append(slices.Clone(path), id))
		}
	}
	for _, r := range rules.All() {
		walk(r.ID, nil)
		for _, up := range r.After {
			if r.Scope == rule.PerMachine && byID[up].Scope == rule.PerWorkload {
				t.Errorf("%s is about the machine and after %s, which is about one workload", r.ID, up)
			}
		}
	}
}

// TestOneWorkload: asking for an extension asks about what it stands on too.
func TestOneWorkload(t *testing.T) {
	s := with("PKG101")
	s.Python = stack.Know([]stack.Environment{{Prefix: "/opt/venv", Frameworks: []stack.Framework{
		{Name: "pytorch", Package: "torch"}, {Name: "vllm", Package: "vllm"}, {Name: "jax", Package: "jax"},
	}}})
	torchOnly := says("PKG101", rule.PackageConflict, rule.Broken)
	torchOnly.Scope = rule.PerWorkload
	check := torchOnly.Check
	torchOnly.Check = func(in *rule.Input) rule.Verdict {
		if in.Workload.Name != "pytorch" {
			return rule.NA()
		}
		return check(in)
	}
	r := diagnose.Run(s, kb.Default(), []*rule.Rule{torchOnly}, diagnose.Options{Workload: "vllm"})
	var names []string
	for _, w := range r.View.Workloads {
		names = append(names, w.Name)
		if a := r.First(w); a == nil || a.Rule.ID != "PKG101" {
			t.Errorf("%s: a broken torch does not show", w.Name)
		}
	}
	if got := strings.Join(names, " "); got != "pytorch vllm" {
		t.Errorf("asked for vllm, judged %q", got)
	}
}
