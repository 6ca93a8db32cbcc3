package gpuarch

import (
	"fmt"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var arc001 = &rule.Rule{
	ID:       "ARC001",
	Slug:     "no-code-for-gpu",
	Layer:    rule.GPUArch,
	Severity: rule.Broken,
	Title:    "The build has no machine code for this GPU",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedGPUs, needCode},
	After:    []string{"FRM001"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "CUDA C++ Programming Guide: application compatibility", URL: "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html", Date: "2026-11-30"},
	},
	Doc: `A build runs on a GPU if it holds a cubin of the GPU's major compute capability and the same or a
lower minor (8.6 code runs on 8.9), or PTX of the same or an older architecture, which the driver then
compiles. Code for an "a" target, such as sm_90a, runs on exactly that architecture and nowhere else; an "f"
target on its family. Where nothing fits, imports work and the first kernel fails with "no kernel image is
available for execution on the device" (error 209).

A newer driver does not help: the code is missing in the build. Take a build that lists the architecture.`,
	Check: func(in *rule.Input) rule.Verdict {
		code := in.Code(in.Workload)
		if len(code.Value) == 0 || len(in.GPUs) == 0 {
			return rule.NA()
		}
		var without, with []string
		evidence := append([]stack.Source{}, code.Sources...)
		for _, g := range in.GPUs {
			if g.Capability.IsZero() {
				return rule.Cannot(g.Unknown, "say --assume gpu=sm_NN")
			}
			if derive.Cover(code.Value, g.Capability, in.DriverPTX.Value) == derive.NoCode {
				without = append(without, fmt.Sprintf("%s (%s)", g.Name, g.Capability.SM()))
				evidence = append(evidence, g.From)
			} else {
				with = append(with, g.Name)
			}
		}
		if len(without) == 0 {
			return rule.Clean()
		}
		f := in.Framework()
		finding := rule.Finding{
			Summary: fmt.Sprintf("%s %s has no code for %s", f.Package, f.Version, strings.Join(without, ", ")),
			Cause: fmt.Sprintf("The build holds %s, and none of it runs on %s. The first kernel fails with error 209, \"no kernel image is available for execution on the device\".",
				listCode(code.Value), strings.Join(without, ", ")),
			Evidence: evidence,
			Remedies: remedy.OtherTorchBuild(in, rule.GPUArch),
		}
		if len(with) > 0 {
			finding.Severity = rule.AtRisk
			finding.Summary += fmt.Sprintf("; %s can be used", strings.Join(with, ", "))
		}
		return rule.Found(finding)
	},
}

// needCode is the machine code of the build, measured or published.
var needCode = rule.Need{Name: "the machine code in the build", Seen: func(in *rule.Input) stack.Seen {
	return in.Code(in.Workload).Seen()
}}

// listCode names the targets in a build, each once.
func listCode(code []stack.DeviceCode) string {
	var names []string
	for _, c := range code {
		names = append(names, c.Arch)
	}
	return strings.Join(names, ", ")
}
