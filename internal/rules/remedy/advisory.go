package remedy

import (
	"fmt"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
)

// title puts the release before an advisory's title that does not name it.
func title(release, text string) string {
	if strings.HasPrefix(text, release) {
		return text
	}
	return release + ": " + text
}

// Known makes the finding of an advisory that holds for a workload: a defect of
// this very release, with the release that mends it.
func Known(in *rule.Input, a kb.Advisory, layer rule.Layer) rule.Finding {
	f := in.Framework()
	out := rule.Finding{
		Severity:   rule.AtRisk,
		Confidence: rule.Likely,
		Summary:    title(f.Package+" "+f.Version, a.Title),
		Cause:      a.Effect + " " + a.Fix,
		Evidence:   []stack.Source{f.From},
		Refs:       []kb.Ref{in.KB.Cite(a)},
	}
	if a.Severity == kb.AdvisoryBroken {
		out.Severity = rule.Broken
	}
	if env := in.Workload.Env; env != nil {
		for _, other := range a.When.With {
			if _, there := env.Find(other.Package); there && !other.Versions.Min.IsZero() && other.Versions.Max.IsZero() {
				spec := fmt.Sprintf("%s<%s", other.Package, other.Versions.Min)
				// Which release before it the others need is not known, so that this is advice and is not tried.
				out.Remedies = append(out.Remedies, rule.Remedy{Summary: fmt.Sprintf("install %s in %s", spec, env.Prefix), Layer: layer, Commands: Pip(env, "install '"+spec+"'")})
			}
		}
	}
	if env := in.Workload.Env; env != nil && !a.FixedIn.IsZero() {
		spec := fmt.Sprintf("%s>=%s", f.Package, a.FixedIn)
		r := Install(env, layer, f.Package+"=="+a.FixedIn.String(), "")
		r.Summary = fmt.Sprintf("install %s in %s", spec, env.Prefix)
		r.Commands = Pip(env, "install '"+spec+"'")
		out.Remedies = append(out.Remedies, r)
	}
	out.Remedies = append(out.Remedies, GPUBuild(in, layer)...)
	return out
}
