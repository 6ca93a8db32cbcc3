package framework

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var frm005 = &rule.Rule{
	ID:       "FRM005",
	Slug:     "build-for-other-gpus",
	Layer:    rule.FrameworkBuild,
	Severity: rule.Broken,
	Title:    "The framework is built for GPUs of another maker",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needStandalone, rule.NeedGPUs, rule.NeedVariant},
	After:    []string{"PKG001", "PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PyTorch: get started locally", URL: "https://pytorch.org/get-started/locally/", Date: "2026-11-30"},
	},
	Doc: `Builds for ROCm run on AMD's GPUs, builds for XPU on Intel's. Neither holds CUDA code, and neither
sees an NVIDIA GPU: torch.cuda.is_available() is False, although torch.version.hip is set.

It comes from a wheel index or an image for the other maker. Replace it by the CUDA variant of the same release.
Where the machine has GPUs of both makers, Strata sees NVIDIA's only, and this may be what was wanted.`,
	Check: func(in *rule.Input) rule.Verdict {
		f, w := in.Framework(), in.Workload
		if len(in.GPUs) == 0 || in.Unasked() || w.On != nil || f.Variant.Value == "cpu" {
			return rule.NA()
		}
		maker, other := map[string]string{"rocm": "AMD's ROCm", "xpu": "Intel's XPU", "metal": "Apple's Metal"}[f.Variant.Value]
		if !other {
			return rule.Clean()
		}
		return rule.Found(rule.Finding{
			Confidence: rule.Likely,
			Summary:    fmt.Sprintf("%s %s in %s is built for %s, and the GPU is %s", f.Package, f.Version, w.Place(), maker, in.GPUs[0].Name),
			Cause:      "The build holds no CUDA code and does not see the GPU.",
			Evidence:   append(append([]stack.Source{}, f.Variant.Sources...), in.GPUs[0].From),
			Remedies:   remedy.GPUBuild(in, rule.FrameworkBuild),
		})
	},
}
