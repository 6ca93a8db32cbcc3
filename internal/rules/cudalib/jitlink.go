package cudalib

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

// jitLinked compares the environment's own nvJitLink with the release whose
// functions the other libraries call, where no metadata pins the two to each
// other, as between RAPIDS or CuPy and NVIDIA's wheels. ok is false where nothing calls it.
func jitLinked(in *rule.Input) (verdict rule.Verdict, ok bool) {
	wants, _ := in.Wants(in.Workload)
	link := loadedJitLink(in, wants)
	if link == nil {
		return rule.NA(), false
	}
	caller, asked := newestCaller(wants, link)
	if caller == nil {
		return rule.NA(), false
	}
	have, err := version.ParseCUDA(link.Version)
	switch {
	case err != nil:
		return rule.Cannot(fmt.Sprintf("neither the name nor the package of %s tells its release", link.Path), ""), true
	case have.Major() > asked.Major() || have.Major() == asked.Major() && have.Minor() >= asked.Minor():
		return rule.Clean(), true
	}
	f, env := in.Framework(), in.Workload.Env
	function := fmt.Sprintf("__nvJitLink…_%d_%d", asked.Major(), asked.Minor())
	finding := rule.Finding{
		Severity: rule.Broken,
		Summary: fmt.Sprintf("%s %s loads %s, which calls nvJitLink %d.%d, with nvJitLink %s of %s", f.Package, f.Version, path.Base(caller.Path),
			asked.Major(), asked.Minor(), link.Version, env.Prefix),
		Cause: fmt.Sprintf("nvJitLink exports one set of functions per minor release up to its own: %s lacks those of %d.%d, and loading %s fails with \"undefined symbol: %s, version %s\".",
			link.Path, asked.Major(), asked.Minor(), path.Base(caller.Path), function, link.Soname),
		Evidence: []stack.Source{
			stack.From("elf", caller.Path, 0, "undefined "+function),
			stack.From("elf", link.Path, 0, strings.TrimSpace(link.Soname+" "+link.Version)),
		},
	}
	if owner, _, _ := strings.Cut(link.Owner, " "); owner != "" && has(env, owner) {
		finding.Remedies = []rule.Remedy{remedy.Install(env, rule.CUDALibraries, fmt.Sprintf("%s==%d.%d.*", owner, asked.Major(), asked.Minor()), "")}
	}
	return rule.Found(finding), true
}

// loadedJitLink is the nvJitLink that a workload loads out of its own
// environment; nil where it loads none, or one from elsewhere, which is CUL001's.
func loadedJitLink(in *rule.Input, wants []derive.Want) *stack.Library {
	for _, w := range wants {
		if w.Component == "nvjitlink" && w.Winner != nil && w.Winner.Fault == "" && belongs(in, w.Winner) {
			return w.Winner
		}
	}
	return nil
}

// newestCaller is the library among those loaded that calls the newest
// functions of an nvJitLink.
func newestCaller(wants []derive.Want, link *stack.Library) (caller *stack.Library, asked version.CUDA) {
	for _, w := range wants {
		if w.Winner == nil || w.Winner.JitLink == "" {
			continue
		}
		v, err := version.ParseCUDA(w.Winner.JitLink)
		if err == nil && asked.Less(v) && strings.HasSuffix(link.Soname, fmt.Sprintf(".so.%d", v.Major())) {
			caller, asked = w.Winner, v
		}
	}
	return caller, asked
}
