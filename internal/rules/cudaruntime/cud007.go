package cudaruntime

import (
	"fmt"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
)

var cud007 = &rule.Rule{
	ID:       "CUD007",
	Slug:     "minor-version-compatibility",
	Layer:    rule.CUDARuntime,
	Severity: rule.Note,
	Title:    "The framework is built with a newer CUDA than the driver's; it runs by minor-version compatibility",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedDriver, rule.NeedBuildCUDA},
	// Whatever keeps the driver from working: "it runs" would then be wrong.
	After: []string{"KRN001", "KRN002", "KRN003", "KRN004", "KRN005", "KRN006", "KRN007", "KRN008", "KRN011",
		"DRV001", "DRV002", "DRV003", "DRV004", "DRV005", "DRV006", "DRV008", "CUD003", "CUD004", "ARC001"},
	Since: "0.1",
	Cites: []rule.Cite{
		{Title: "CUDA Compatibility: minor version compatibility", URL: "https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html", Date: "2026-11-30"},
	},
	Doc: `nvidia-smi prints the newest CUDA that the driver has all functions of. That number is no limit: since
CUDA 11 a program built with any minor release of a major runs on every driver at or above that major's floor
(525.60.13 for CUDA 12, 580.65.06 for CUDA 13). A framework built with CUDA 12.9 on a driver of CUDA 12.4 is fine, and
nothing has to be done.

What is excluded: PTX that the driver would have to compile (CUD003), GPU code compressed with zstd on drivers before
R550 (CUD004), GPUs that the driver does not know (DRV006), and functions that came with a newer driver, which fail one
by one with error 36 or 801.`,
	Check: func(in *rule.Input) rule.Verdict {
		built := in.BuiltWith()
		if in.Stack.OS.Jetson.Known() {
			return rule.NA() // JetPack's drivers have numbers of their own
		}
		if !in.DriverCUDA.Known {
			return rule.FromAnswer(in.DriverCUDA)
		}
		if !strings.Contains(built.Value.String(), ".") || built.Value.Major() != in.DriverCUDA.Value.Major() {
			return rule.NA() // another major release is DRV002's question
		}
		if built.Value.Minor() <= in.DriverCUDA.Value.Minor() {
			return rule.Clean()
		}
		floor := in.KB.MinDriverFor(built.Value)
		if !floor.Known {
			return rule.FromAnswer(floor)
		}
		if floor.Value.Basis != kb.MinorVersion {
			return rule.NA()
		}
		f := in.Framework()
		how, why := "is built", "code for the GPU in the build does not need that"
		if _, _, ok := derive.CompilerWheel(in.Workload); ok {
			how, why = "compiles", "nvJitLink makes a cubin of it before"
		}
		return rule.Found(rule.Finding{
			Summary: fmt.Sprintf("%s %s "+how+" with CUDA %s and driver %s reports %s: it runs by minor-version compatibility", f.Package, f.Version, built.Value, in.Driver.Value, in.DriverCUDA.Value),
			Cause: fmt.Sprintf("CUDA %d.x runs on driver %s and newer, whatever number nvidia-smi prints. PTX of CUDA %s cannot be compiled by this driver; %s.",
				built.Value.Major(), floor.Value.Linux, built.Value, why),
			Evidence: append(append([]stack.Source{}, in.Driver.Sources...), built.Sources...),
			Refs:     []kb.Ref{floor.Ref, in.DriverCUDA.Ref},
		})
	},
}
