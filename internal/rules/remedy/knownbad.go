package remedy

import (
	"fmt"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// KnownBad judges the libraries of one layer that a workload loads by the advisories about their components.
func KnownBad(in *rule.Input, layer rule.Layer) rule.Verdict {
	wants, _ := in.Wants(in.Workload)
	c := in.Circumstances(in.Workload)
	asked, unsure := map[string]bool{}, ""
	for _, w := range wants {
		if w.Layer != string(layer) || w.Winner == nil || w.Winner.Fault != "" || asked[w.Component] || derive.Optional(in.Workload, w) {
			continue
		}
		if len(in.KB.Advisories(w.Component)) == 0 {
			continue
		}
		asked[w.Component] = true
		v, _ := version.ParsePEP440(w.Winner.Version) // zero where nothing tells it: then an advisory may apply
		for _, m := range in.KB.AdvisoriesFor(w.Component, v, c) {
			switch {
			case m.Layer != kb.Layer(layer) || m.Severity == kb.AdvisoryNote:
			case m.Applies == kb.MayApply:
				unsure = m.Title
			default:
				return rule.Found(knownBad(in, layer, w.Winner, m.Advisory))
			}
		}
	}
	switch {
	case unsure != "":
		return rule.Cannot("whether this holds here could not be decided: "+unsure, "say --assume gpu=NAME")
	case len(asked) == 0:
		return rule.NA()
	}
	return rule.Clean()
}

func knownBad(in *rule.Input, layer rule.Layer, l *stack.Library, a kb.Advisory) rule.Finding {
	f := rule.Finding{
		Severity:   rule.AtRisk,
		Confidence: rule.Likely, // that the program does what the advisory describes
		Summary:    fmt.Sprintf("%s (%s, for %s in %s)", a.Title, l.Version, in.Framework().Package, in.Workload.Place()),
		Cause:      a.Effect + " " + a.Fix,
		Evidence:   []stack.Source{l.From, in.Framework().From},
		Refs:       []kb.Ref{in.KB.Cite(a)},
	}
	if a.Severity == kb.AdvisoryBroken {
		f.Severity = rule.Broken
	}
	for _, g := range in.GPUs {
		if !a.When.CCFrom.IsZero() && !g.Capability.Less(a.When.CCFrom) {
			f.Evidence = append(f.Evidence, g.From)
		}
	}
	if env := in.Workload.Env; env != nil && !a.FixedIn.IsZero() {
		for _, p := range env.Packages.Value {
			// Within the wheel's CUDA major: another one is another build of the framework.
			if have, err := version.ParsePEP440(p.Version); err == nil && strings.HasPrefix(p.Name, "nvidia-"+a.Package) && sameMajor(have, a.FixedIn) {
				r := Install(env, layer, p.Name+"=="+a.FixedIn.String(), "")
				spec := fmt.Sprintf("%s>=%s", p.Name, a.FixedIn)
				r.Summary, r.Commands = fmt.Sprintf("install %s in %s", spec, env.Prefix), Pip(env, "install '"+spec+"'")
				f.Remedies = append(f.Remedies, r)
			}
		}
	}
	f.Remedies = append(f.Remedies, rule.Remedy{Summary: strings.TrimSuffix(a.Fix, "."), Layer: layer})
	return f
}

func sameMajor(a, b version.PEP440) bool {
	x, y := a.Release(), b.Release()
	return len(x) > 0 && len(y) > 0 && x[0] == y[0]
}
