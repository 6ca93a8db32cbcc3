package gpuarch

import (
	"fmt"
	"strconv"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
)

var arc003 = &rule.Rule{
	ID:       "ARC003",
	Slug:     "code-for-some-gpus",
	Layer:    rule.GPUArch,
	Severity: rule.AtRisk,
	Title:    "The build has machine code for some of the GPUs only",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedGPUs, needCode},
	After:    []string{"FRM001", "FRM005", "PKG001", "PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "CUDA C++ Programming Guide: binary and PTX compatibility", URL: "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#binary-compatibility", Date: "2026-11-30"},
		{Title: "CUDA C++ Programming Guide: CUDA environment variables", URL: "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#cuda-environment-variables", Date: "2026-11-30"},
	},
	Doc: `Where a machine has GPUs of several generations, a build may hold code for one of them and not for
another. What runs on the first works; the same program on the other fails at its first kernel with "no kernel
image is available for execution on the device". Which GPU is number 0 decides, and by default CUDA orders them
by speed, so that the numbers need not be those of nvidia-smi.

One build can serve all: PyTorch's for CUDA 12.8 reach from Volta or Turing to Blackwell. Else keep the others out of
sight with CUDA_VISIBLE_DEVICES, together with CUDA_DEVICE_ORDER=PCI_BUS_ID so that its numbers mean what nvidia-smi
shows.`,
	Check: func(in *rule.Input) rule.Verdict {
		c := cover(in)
		switch {
		case len(c.code) == 0 || len(in.GPUs) < 2:
			return rule.NA()
		case len(c.without) > 0 && len(c.with) > 0:
		case c.unknown != "":
			return rule.Cannot(c.unknown, "say --assume gpu=sm_NN")
		default:
			return rule.Clean()
		}
		f := in.Framework()
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("%s %s has no code for %s, only for %s", f.Package, f.Version, names(c.without), names(c.with)),
			Cause:    fmt.Sprintf("The build holds %s. On the others the first kernel fails with error 209, \"no kernel image is available for execution on the device\".", targets(c.code)),
			Evidence: c.evidence,
			Refs:     refs(in, c.without),
			Remedies: append(remedy.GPUBuild(in, rule.GPUArch), onlyCovered(in, c)),
		})
	},
}

// onlyCovered hides the GPUs that the build cannot use. It changes nothing that
// this rule looks at, and is shown as advice.
func onlyCovered(in *rule.Input, c coverage) rule.Remedy {
	var indices []string
	for i, g := range in.GPUs {
		for _, w := range c.with {
			if w.Address == g.Address && w.From == g.From {
				indices = append(indices, strconv.Itoa(i))
				break
			}
		}
	}
	list := strings.Join(indices, ",")
	return rule.Remedy{
		Summary:  "let the program see only the GPUs that the build has code for",
		Layer:    rule.DeviceExposure,
		Commands: []rule.Command{{For: "shell", Run: "export CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=" + list}},
	}
}
