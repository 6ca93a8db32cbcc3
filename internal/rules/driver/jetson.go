package driver

import (
	"fmt"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

// onJetson judges a build on a Jetson: by what NVIDIA says of its CUDA on this
// JetPack, since JetPack numbers its drivers in a series of its own.
func onJetson(in *rule.Input, built stack.Fact[version.CUDA]) rule.Verdict {
	l4t := in.Stack.OS.L4T
	release := in.KB.JetPackOfL4T(l4t.Or(""))
	if !release.Known {
		return rule.Cannot("a Jetson's driver comes with JetPack, and which one this is is not known: "+release.Why, "")
	}
	jp := release.Value.JetPack
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
		Refs:     []kb.Ref{release.Ref, a.Ref},
		Remedies: []rule.Remedy{{Summary: fmt.Sprintf("install the build of %s that NVIDIA publishes for JetPack %s", f.Package, jp), Layer: rule.FrameworkBuild}},
	})
}
