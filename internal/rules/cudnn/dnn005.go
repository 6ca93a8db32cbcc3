package cudnn

import (
	"fmt"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var dnn005 = &rule.Rule{
	ID:       "DNN005",
	Slug:     "cudnn-known-bad",
	Layer:    rule.CUDNN,
	Severity: rule.Broken,
	Title:    "This cuDNN is known to fail with this framework",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedPackages, rule.NeedWants},
	After:    []string{"DNN001", "DNN002", "DNN003", "DNN006"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "JAX: checks of the CUDA plugin", URL: "https://github.com/jax-ml/jax/blob/main/jax_plugins/cuda/__init__.py", Date: "2026-11-30"},
		{Title: "CTranslate2 issue 1806: cuDNN 9", URL: "https://github.com/OpenNMT/CTranslate2/issues/1806", Date: "2026-11-30"},
	},
	Doc: `Some combinations fail although every version number is allowed: a release of cuDNN that was withdrawn in
practice, or two packages of one environment that want different majors. Strata carries a list of such advisories with
their sources; this rule reports those about cuDNN.

The advisory says what happens and which release is free of it.`,
	Check: func(in *rule.Input) rule.Verdict {
		env := in.Workload.Env
		if env == nil {
			return rule.NA()
		}
		c := in.Circumstances(in.Workload)
		asked, may := false, ""
		for _, s := range subjects(in) {
			asked = true
			for _, m := range in.KB.AdvisoriesFor(s.name, s.version, c) {
				if m.Layer != kb.Layer(rule.CUDNN) || m.Severity == kb.AdvisoryNote || skipped[m.ID] {
					continue
				}
				if m.Applies == kb.MayApply {
					may = m.Title
					continue
				}
				return rule.Found(advised(in, s, m))
			}
		}
		switch {
		case may != "":
			return rule.Cannot("whether this holds here: "+may, "")
		case !asked:
			return rule.NA()
		}
		return rule.Clean()
	},
}

// skipped are advisories that a rule of its own reports.
var skipped = map[string]bool{
	"cudnn-9.11-before-turing": true, // DNN006
	"cudnn-cu12-cu13":          true, // PKG004
}

type subject struct {
	name    string
	version version.PEP440
	from    stack.Source
}

// subjects are what an advisory may be about: the framework, its plugin and
// the cuDNN that is loaded.
func subjects(in *rule.Input) []subject {
	var out []subject
	f := in.Framework()
	w, has := loaded(in)
	if !has {
		if _, ok := in.Workload.Env.Find("nvidia-cudnn-cu12"); !ok {
			return nil
		}
	}
	for _, name := range []string{f.Package, f.Plugin.Value.Name} {
		if p, ok := in.Workload.Env.Find(name); ok {
			if v, err := version.ParsePEP440(p.Version); err == nil {
				out = append(out, subject{name, v, p.From})
			}
		}
	}
	if has {
		if v, err := version.ParsePEP440(w.Winner.Version); err == nil {
			out = append(out, subject{"cudnn", v, w.Winner.From})
		}
	}
	return out
}

func advised(in *rule.Input, s subject, m kb.Match) rule.Finding {
	finding := rule.Finding{
		Severity: rule.Broken,
		Summary:  fmt.Sprintf("%s (%s %s in %s)", m.Title, s.name, s.version, in.Workload.Place()),
		Cause:    m.Effect,
		Evidence: []stack.Source{s.from},
		Refs:     []kb.Ref{in.KB.Cite(m.Advisory)},
	}
	if m.Severity == kb.AdvisoryAtRisk {
		finding.Severity = rule.AtRisk
	}
	env := in.Workload.Env
	evidenceOf := func(name string) {
		if p, ok := env.Find(name); ok {
			finding.Evidence = append(finding.Evidence, p.From)
		}
	}
	name, floor := s.name, m.FixedIn
	switch {
	case s.name == "cudnn" || strings.HasPrefix(m.ID, "jax-"):
		name = fmt.Sprintf("nvidia-cudnn-cu%d", in.CUDAMajor(in.Workload))
		if floor.IsZero() {
			floor = firstFree(m.Advisory)
		}
		evidenceOf(name)
	case !floor.IsZero():
	default:
		finding.Remedies = []rule.Remedy{{Summary: strings.TrimSuffix(m.Fix, "."), Layer: rule.CUDNN}}
		return finding
	}
	if floor.IsZero() {
		return finding
	}
	finding.Remedies = []rule.Remedy{{
		Summary:  fmt.Sprintf("install %s %s or newer in %s", name, floor, env.Prefix),
		Layer:    rule.CUDNN,
		Changes:  []stack.Change{stack.Install{Prefix: env.Prefix, Package: name, Version: floor.String()}},
		Commands: remedy.Pip(env, fmt.Sprintf("install '%s>=%s'", name, floor)),
	}}
	return finding
}

// firstFree is the first cuDNN that an advisory about a framework no longer names.
func firstFree(a kb.Advisory) version.PEP440 {
	for _, w := range a.When.With {
		if strings.Contains(w.Package, "cudnn") {
			return w.Versions.Max
		}
	}
	return version.PEP440{}
}
