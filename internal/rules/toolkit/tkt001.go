package toolkit

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/stack"
)

var tkt001 = &rule.Rule{
	ID:       "TKT001",
	Slug:     "nvcc-of-other-major-than-torch",
	Layer:    rule.Toolkit,
	Severity: rule.Note,
	Title:    "nvcc is of another CUDA major release than PyTorch: extensions cannot be built",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needChosen, rule.NeedBuildCUDA},
	After:    []string{"TKT004"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PyTorch: torch/utils/cpp_extension.py, check of the CUDA version", URL: "https://github.com/pytorch/pytorch/blob/main/torch/utils/cpp_extension.py", Date: "2026-11-30"},
		{Title: "flash-attention issue 155: the detected CUDA version mismatches", URL: "https://github.com/Dao-AILab/flash-attention/issues/155", Date: "2026-11-30"},
	},
	Doc: `A toolkit is needed to compile extensions, never to run PyTorch. When an extension is compiled, PyTorch compares
nvcc with its own build: another major release ends in "The detected CUDA version (11.8) mismatches the version that was
used to compile PyTorch (12.6)"; another minor release is only a warning and works.

This is reported only where something in the environment compiles CUDA code. Point CUDA_HOME to a toolkit of the same
major release, or install a prebuilt wheel of the extension.`,
	Check: func(in *rule.Input) rule.Verdict {
		if in.Workload.Name != "pytorch" {
			return rule.NA()
		}
		sign := builds(in)
		if sign.Locator == "" {
			return rule.NA()
		}
		kit, _ := chosen(in)
		torch := in.BuiltWith()
		if kit.Version.Major() == torch.Value.Major() {
			return rule.Clean()
		}
		finding := rule.Finding{
			Summary: fmt.Sprintf("nvcc in %s is of CUDA %s and torch %s of CUDA %s: extensions do not build", kit.Root, kit.Version, in.Framework().Version, torch.Value),
			Cause: fmt.Sprintf(`PyTorch refuses to compile with another major release: "The detected CUDA version (%s) mismatches the version that was used to compile PyTorch (%s)". Running it is not affected.`,
				kit.Version, torch.Value),
			Evidence: append([]stack.Source{kit.From, sign}, torch.Sources...),
		}
		for _, t := range in.Stack.CUDA.Toolkits.Value {
			if t.NVCC != "" && t.Version.Major() == torch.Value.Major() {
				finding.Remedies = append(finding.Remedies, rule.Remedy{
					Summary:  fmt.Sprintf("build with the toolkit in %s", t.Root),
					Layer:    rule.Toolkit,
					Commands: []rule.Command{{For: "shell", Run: fmt.Sprintf("export CUDA_HOME=%s PATH=%s/bin:$PATH", t.Root, t.Root)}},
				})
				break
			}
		}
		finding.Remedies = append(finding.Remedies, install(in, torch.Value))
		return rule.Found(finding)
	},
}
