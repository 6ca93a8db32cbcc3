package conflict

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var pkg002 = &rule.Rule{
	ID:       "PKG002",
	Slug:     "several-cupys",
	Layer:    rule.PackageConflict,
	Severity: rule.Broken,
	Title:    "Several CuPy packages overwrite each other",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needCuPy, rule.NeedPackages},
	After:    []string{"PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "CuPy: installation, FAQ", URL: "https://docs.cupy.dev/en/stable/install.html", Date: "2026-11-30"},
	},
	Doc: `cupy, cupy-cuda11x, cupy-cuda12x and cupy-cuda13x are the same package built for different CUDA, and all
unpack into the directory cupy/. Installed side by side, the files of the last one replace some of the others', and
extension modules of two builds are mixed. CuPy warns at import "CuPy may not function correctly because multiple
CuPy packages are installed", and then often fails for a library of the other CUDA, such as libnvrtc.so.12.

Uninstall all of them, then install the one for the CUDA of this environment.`,
	Check: func(in *rule.Input) rule.Verdict {
		env := in.Workload.Env
		names := remedy.CuPys(env)
		if len(names) < 2 {
			return unlessPartial(env)
		}
		won := winners(env, "/cupy")
		finding := rule.Finding{
			Summary:  fmt.Sprintf("%s are %s installed in %s; %s", strings.Join(withVersions(env, names), " and "), allOf(names), env.Prefix, outcome(in.Framework(), won)),
			Cause:    `They share the directory cupy. CuPy warns at import "CuPy may not function correctly because multiple CuPy packages are installed in your environment".`,
			Evidence: packageSources(env, names),
			Remedies: remedy.OtherCuPy(in, rule.PackageConflict),
		}
		if len(won) < 2 {
			finding.Confidence = rule.Likely
		}
		return rule.Found(finding)
	},
}

var needCuPy = rule.Need{Name: "CuPy", Seen: func(in *rule.Input) stack.Seen {
	if in.Workload.Name != "cupy" || in.Workload.Env == nil {
		return stack.Seen{State: stack.Absent}
	}
	return stack.Seen{State: stack.Known}
}}
