package driver

import (
	"fmt"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// jetPack is the JetPack release of a Linux for Tegra release. JetPack numbers
// its drivers in a series of its own, so a Jetson is judged by this instead
// (https://developer.nvidia.com/embedded/jetpack-archive).
var jetPack = map[string]string{"R35": "5", "R36": "6", "R38": "7.0"}

// onJetson judges a build on a Jetson: by what NVIDIA says of its CUDA on this JetPack.
func onJetson(in *rule.Input, built stack.Fact[version.CUDA]) rule.Verdict {
	l4t := in.Stack.OS.L4T
	release, _, _ := strings.Cut(l4t.Or(""), ".")
	jp := jetPack[release]
	if jp == "" {
		return rule.Cannot(fmt.Sprintf("a Jetson's driver comes with JetPack, and which JetPack Linux for Tegra %q belongs to is not known", l4t.Or("")), "")
	}
	a := in.KB.JetPackCompat(jp, built.Value)
	switch {
	case !a.Known:
		return rule.FromAnswer(a)
	case a.Value.Status != kb.Unsupported:
		return rule.Clean()
	}
	f := in.Framework()
	return rule.Found(rule.Finding{
		Summary:  fmt.Sprintf("JetPack %s does not run CUDA %s, which %s %s is built with", jp, built.Value, f.Package, f.Version),
		Cause:    fmt.Sprintf("On a Jetson the driver comes with JetPack, and NVIDIA lists which newer CUDA can be put on it: for JetPack %s this one cannot. The first CUDA call fails with error 35.", jp),
		Evidence: append(append([]stack.Source{}, l4t.Sources...), built.Sources...),
		Refs:     []kb.Ref{a.Ref},
		Remedies: []rule.Remedy{{Summary: fmt.Sprintf("install the build of %s that NVIDIA publishes for JetPack %s", f.Package, jp), Layer: rule.FrameworkBuild}},
	})
}
