// Package plan tries remedies: it carries out a remedy's changes on a copy of
// the stack, asks the rules again, and keeps the remedy only where the finding
// is gone and nothing new came.
package plan

import (
	"slices"

	"strata/internal/derive"
	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
)

// Checked is a remedy with what came of trying it.
type Checked struct {
	rule.Remedy
	// Checked is true where the rules confirmed it on a copy; false for advice
	// that changes nothing Strata can model.
	Checked bool
}

// Planner tries remedies against one diagnosis.
type Planner struct {
	Base  *kb.Base
	Rules []*rule.Rule
	Opts  diagnose.Options
}

// Remedies are the remedies of one answer that hold, in the rule's order,
// which is smallest change first. Advice that cannot be checked comes last.
func (p *Planner) Remedies(before *diagnose.Result, a *diagnose.Answer) []Checked {
	if a.Finding == nil {
		return nil
	}
	var out, advice []Checked
	for _, r := range a.Finding.Remedies {
		switch {
		case len(r.Changes) == 0:
			advice = append(advice, Checked{r, false})
		case p.holds(before, a, r):
			out = append(out, Checked{r, true})
		}
	}
	return append(out, advice...)
}

// holds carries a remedy out on a copy and compares the findings.
func (p *Planner) holds(before *diagnose.Result, a *diagnose.Answer, r rule.Remedy) bool {
	changed := Apply(before.View.Stack, r.Changes, p.Base)
	opts := p.Opts
	opts.Trial = true
	if a.Workload != nil && a.Workload.Env != nil && onlyTouches(r.Changes, a.Workload.Env.Prefix) {
		opts.Prefix = a.Workload.Env.Prefix // no other environment can have changed
	}
	after := diagnose.Run(changed, p.Base, p.Rules, opts)
	had := map[key]rule.Severity{}
	for i := range before.Answers {
		// A finding that was only explained by another one was there before, too.
		if b := &before.Answers[i]; b.Outcome == rule.Fail {
			had[keyOf(b)] = b.Severity()
		}
	}
	// Silence is not success: the rule itself must now be able to say that all is well.
	for i := range after.Answers {
		if x := &after.Answers[i]; keyOf(x) == keyOf(a) && x.Outcome == rule.Unknown {
			return false
		}
	}
	// A workload that is gone is not mended. What extends another may go.
	if w := a.Workload; w != nil && w.On == nil && !slices.ContainsFunc(after.View.Workloads, func(x *derive.Workload) bool { return x.ID() == w.ID() }) {
		return false
	}
	for _, f := range after.Findings() {
		k := keyOf(f)
		if k == keyOf(a) && f.Severity() >= a.Severity() {
			return false // still there
		}
		if f.Severity() >= rule.AtRisk && f.Severity() > had[k] {
			return false // new, or worse than it was
		}
	}
	return true
}

// onlyTouches tells whether changes stay inside one Python environment.
func onlyTouches(changes []stack.Change, prefix string) bool {
	for _, c := range changes {
		switch c := c.(type) {
		case stack.Install:
			if c.Prefix != prefix {
				return false
			}
		case stack.Uninstall:
			if c.Prefix != prefix {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// key tells findings apart over two diagnoses: pointers differ between copies.
type key struct{ id, workload string }

func keyOf(a *diagnose.Answer) key {
	k := key{id: a.Rule.ID}
	if a.Workload != nil {
		k.workload = a.Workload.ID()
	}
	return k
}

// Apply carries out changes on a copy of a stack.
func Apply(s *stack.Stack, changes []stack.Change, base *kb.Base) *stack.Stack {
	c := s.Clone()
	for _, ch := range changes {
		apply(c, ch, base)
	}
	return c
}
