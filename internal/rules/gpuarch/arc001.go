package gpuarch

import (
	"fmt"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
)

var arc001 = &rule.Rule{
	ID:       "ARC001",
	Slug:     "no-code-for-gpu",
	Layer:    rule.GPUArch,
	Severity: rule.Broken,
	Title:    "The build has no machine code for this GPU",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedGPUs, needCode},
	After:    []string{"ARC002", "FRM001", "FRM005", "PKG001", "PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "CUDA C++ Programming Guide: binary and PTX compatibility", URL: "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#binary-compatibility", Date: "2026-11-30"},
	},
	Doc: `A build runs on a GPU if it holds a cubin of the GPU's major compute capability and the same or a
lower minor (sm_86 code runs on 8.9, sm_120 code on 12.1), or PTX of the same or an older architecture, which the
driver then compiles. Where nothing fits, imports work and the first kernel fails with "no kernel image is
available for execution on the device" (error 209). PyTorch warns before that: "… with CUDA capability sm_120 is not
compatible with the current PyTorch installation".

There are two reasons. A GPU is newer than the build: Blackwell GPUs (10.0, 12.0) need CUDA 12.8 or newer, so for
PyTorch 2.7 or newer. Or it is older than what the build still supports: CUDA 13 starts at Turing (7.5), and
PyTorch's builds for CUDA 12.8 have no code for Maxwell and Pascal.

A newer driver does not help, nor does a toolkit: the code is missing in the build. Take one that has it.`,
	Check: func(in *rule.Input) rule.Verdict {
		c := cover(in)
		switch {
		case len(c.code) == 0 || len(in.GPUs) == 0:
			return rule.NA()
		case len(c.with) > 0 && c.unknown == "":
			return rule.Clean() // all have code, or ARC003 says which do not
		case c.unknown != "":
			return rule.Cannot(c.unknown, "say --assume gpu=sm_NN")
		}
		f := in.Framework()
		finding := rule.Finding{
			Summary:  fmt.Sprintf("%s %s has no code for %s", f.Package, f.Version, names(c.without)),
			Cause:    fmt.Sprintf("The build holds %s. %s The first kernel fails with error 209, \"no kernel image is available for execution on the device\".", targets(c.code), why(c)),
			Evidence: c.evidence,
			Refs:     refs(in, c.without),
			Remedies: remedy.GPUBuild(in, rule.GPUArch),
		}
		if c.sparse {
			finding.Confidence = rule.Likely
			finding.Summary = fmt.Sprintf("most of %s %s has no code for %s", f.Package, f.Version, names(c.without))
			finding.Cause = fmt.Sprintf("The build holds %s, and what fits is in less than a third of its fat binaries. Kernels of the others fail with error 209, \"no kernel image is available for execution on the device\".", targets(c.code))
		}
		return rule.Found(finding)
	},
}

// why says for each GPU whether the build is too old for it or too new.
func why(c coverage) string {
	var list []string
	for _, g := range c.without {
		newest, oldest := extremes(c.code)
		switch {
		case newest.Less(g.Capability) && !hasPTX(c.code):
			list = append(list, fmt.Sprintf("%s is newer than all of it, and there is no PTX to compile.", g))
		case newest.Less(g.Capability):
			list = append(list, fmt.Sprintf("%s is newer than all of it, and the PTX is for exactly another architecture.", g))
		case g.Capability.Less(oldest):
			list = append(list, fmt.Sprintf("%s is older than all of it.", g))
		default:
			list = append(list, fmt.Sprintf("No cubin is of major %d and at most minor %d, and no PTX is as old as %s.", g.Capability.Major, g.Capability.Minor, g.Capability))
		}
	}
	return strings.Join(list, " ")
}

// refs are the rows that say what the GPUs are and what the build holds.
func refs(in *rule.Input, gpus []derive.GPU) []kb.Ref {
	var list []kb.Ref
	for _, g := range gpus {
		list = append(list, g.Ref)
	}
	if f := in.Framework(); !f.Code.Known() {
		list = append(list, in.Published(f).Ref)
	}
	return list
}
