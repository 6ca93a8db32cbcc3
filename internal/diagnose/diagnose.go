// Package diagnose is the engine: it asks every rule, silences consequences
// and names the first broken layer. It knows no rule by name.
package diagnose

import (
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
)

// Answer is one rule's verdict on the machine or on one workload.
type Answer struct {
	Rule     *rule.Rule
	Workload *derive.Workload // nil for the machine
	rule.Verdict
	// Because names the rule whose finding explains this one; the finding is then not shown.
	Because string
	// Refused is true of an unknown whose reason is that a fact was denied or
	// could not be read, unlike one that nobody could look for, as in an image.
	Refused bool
}

// Result is everything the rules said about one stack.
type Result struct {
	View    *derive.View
	Answers []Answer
	// Narrowed is true where --only or --ignore left rules out: then nothing can
	// be called well as a whole.
	Narrowed bool
}

// Options narrow which rules are asked.
type Options struct {
	// Only and Ignore are rule IDs, or their beginnings: CUD, DRV0*.
	Only, Ignore []string
	// Workload keeps only the workloads with this name; empty keeps all.
	Workload string
	// Prefix keeps only the workloads of the Python environment there; empty keeps all.
	Prefix string
	// Trial asks only for findings, not for their remedies.
	Trial bool
}

func (o Options) keeps(w *derive.Workload) bool {
	return (o.Workload == "" || w.Name == o.Workload) && (o.Prefix == "" || w.Env != nil && w.Env.Prefix == o.Prefix)
}

// Selects tells whether a rule is asked.
func (o Options) Selects(id string) bool {
	match := func(patterns []string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			return strings.HasPrefix(id, strings.TrimSuffix(p, "*"))
		})
	}
	return (len(o.Only) == 0 || match(o.Only)) && !match(o.Ignore)
}

// Run asks every rule about a stack.
func Run(s *stack.Stack, base *kb.Base, rules []*rule.Rule, opts Options) *Result {
	v := derive.New(s, base)
	v.Trial = opts.Trial
	// What an extension stands on is judged with it: a broken torch breaks vllm.
	kept := map[*derive.Workload]bool{}
	for _, w := range v.Workloads {
		if opts.keeps(w) {
			kept[w], kept[w.On] = true, true
		}
	}
	v.Workloads = slices.DeleteFunc(v.Workloads, func(w *derive.Workload) bool { return !kept[w] })
	r := &Result{View: v, Narrowed: len(opts.Only)+len(opts.Ignore) > 0}
	for _, rl := range rules {
		if !opts.Selects(rl.ID) {
			continue
		}
		if rl.Scope == rule.PerMachine {
			r.Answers = append(r.Answers, ask(rl, &rule.Input{View: v}))
			continue
		}
		for _, w := range v.Workloads {
			r.Answers = append(r.Answers, ask(rl, &rule.Input{View: v, Workload: w}))
		}
	}
	r.suppress()
	return r
}

// ask answers Unknown before the rule is called where a fact it needs is not
// known, so that no rule can mistake silence for health.
func ask(rl *rule.Rule, in *rule.Input) Answer {
	a := Answer{Rule: rl, Workload: in.Workload}
	for _, n := range rl.Needs {
		seen := n.Seen(in)
		switch seen.State {
		case stack.Known:
		case stack.Absent:
			if !n.AbsentIsFine {
				a.Verdict = rule.NA()
				return a
			}
		default:
			why := "not known: " + n.Name
			if seen.Why != "" {
				why += " (" + seen.Why + ")"
			}
			a.Verdict = rule.Cannot(why, seen.Allow)
			a.Refused = seen.State == stack.Denied || seen.State == stack.Failed
			return a
		}
	}
	a.Verdict = rl.Check(in)
	return a
}

// suppress marks findings that another finding explains. What weighs less
// explains nothing: a note about one GPU, or a risk, must not hide a break.
func (r *Result) suppress() {
	explains := func(id string, of *Answer) bool {
		w := of.Workload
		for i := range r.Answers {
			a := &r.Answers[i]
			if a.Rule.ID != id || a.Outcome != rule.Fail || a.Severity() < of.Severity() {
				continue
			}
			if a.Workload == nil || w == nil || a.Workload == w || w.On == a.Workload {
				return true
			}
		}
		return false
	}
	for i := range r.Answers {
		a := &r.Answers[i]
		if a.Outcome != rule.Fail {
			continue
		}
		for _, id := range a.Rule.After {
			if explains(id, a) {
				a.Because = id
				break
			}
		}
	}
}

// Findings are the answers that found something and are not explained by
// another one: worst first, then from the ground up.
func (r *Result) Findings() []*Answer {
	var out []*Answer
	for i := range r.Answers {
		if a := &r.Answers[i]; a.Outcome == rule.Fail && a.Because == "" {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b *Answer) int {
		if s := int(b.Severity()) - int(a.Severity()); s != 0 {
			return s
		}
		return a.Rule.Layer.Height() - b.Rule.Layer.Height()
	})
	return out
}

// Severity is the finding's own weight, or the rule's.
func (a *Answer) Severity() rule.Severity {
	if a.Finding != nil && a.Finding.Severity != 0 {
		return a.Finding.Severity
	}
	return a.Rule.Severity
}

// Confidence is how sure the finding is; Certain where it does not say.
func (a *Answer) Confidence() rule.Confidence {
	if a.Finding != nil && a.Finding.Confidence != 0 {
		return a.Finding.Confidence
	}
	return rule.Certain
}

// Concerns tells whether a finding bears on a workload: its own, that of the
// framework it extends, or one of the machine.
func (a *Answer) Concerns(w *derive.Workload) bool {
	if w != nil && a.Workload == nil && a.Rule.Layer == rule.ContainerRuntime && a.Severity() < rule.Broken {
		return false // how a host is set up for containers does not touch what runs on the host
	}
	return a.Workload == nil || a.Workload == w || w != nil && w.On == a.Workload
}

// First is the finding in the lowest layer among the worst ones that concern a
// workload; nil asks for the machine as a whole. It returns nil where nothing
// is broken or at risk.
func (r *Result) First(w *derive.Workload) *Answer {
	var best *Answer
	for _, a := range r.Findings() {
		if w != nil && !a.Concerns(w) || a.Severity() < rule.AtRisk {
			continue
		}
		if best == nil || a.Severity() == best.Severity() && a.Rule.Layer.Height() < best.Rule.Layer.Height() {
			best = a
		}
	}
	return best
}

// Unknowns are the answers that could not be given.
func (r *Result) Unknowns() []*Answer {
	var out []*Answer
	for i := range r.Answers {
		if a := &r.Answers[i]; a.Outcome == rule.Unknown {
			out = append(out, a)
		}
	}
	return out
}
