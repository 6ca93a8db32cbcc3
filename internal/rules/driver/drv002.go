package driver

import (
	"fmt"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var drv002 = &rule.Rule{
	ID:       "DRV002",
	Slug:     "driver-too-old-for-cuda",
	Layer:    rule.Driver,
	Severity: rule.Broken,
	Title:    "The driver is too old for the CUDA that the framework was built with",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedDriver, rule.NeedBuildCUDA},
	After:    []string{"DRV001"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "CUDA Compatibility: minor version compatibility", URL: "https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html", Date: "2026-11-30"},
	},
	Doc: `Every CUDA major release has a lowest driver: 450.80.02 for CUDA 11, 525.60.13 for CUDA 12,
580.65.06 for CUDA 13. At or above it every minor release of that major runs, whatever number nvidia-smi
prints; below it the first CUDA call fails with error 35, "CUDA driver version is insufficient for CUDA
runtime version", and PyTorch says "The NVIDIA driver on your system is too old". CUDA 10.2 and older have
no such rule: each toolkit needs its own driver.

There are two ways out: a newer driver, or a build of the framework for the CUDA major that this driver
has. On data-centre GPUs a forward-compatibility package is a third.`,
	Check: func(in *rule.Input) rule.Verdict {
		built, driver := in.Framework().CUDA, in.Driver
		floor := in.KB.MinDriverFor(built.Value)
		if !floor.Known {
			return rule.FromAnswer(floor)
		}
		if !driver.Value.Less(floor.Value.Linux) {
			return rule.Clean()
		}
		// A forward-compatibility libcuda lifts the driver to its own CUDA.
		if in.DriverCUDA.Known && in.DriverCUDA.Value.Major() >= built.Value.Major() && in.Libcuda != nil && in.Libcuda.Compat != nil {
			return rule.Clean()
		}
		f := in.Framework()
		what := fmt.Sprintf("%s %s is built with CUDA %s", f.Package, f.Version, built.Value)
		basis := fmt.Sprintf("CUDA %d.x starts on driver %s", built.Value.Major(), floor.Value.Linux)
		if floor.Value.Basis == kb.Toolkit {
			basis = fmt.Sprintf("CUDA %s starts on driver %s", built.Value, floor.Value.Linux)
		}
		has := fmt.Sprintf("driver %s", driver.Value)
		if in.DriverCUDA.Known {
			has += fmt.Sprintf(" runs CUDA up to %s", in.DriverCUDA.Value)
		}
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("driver %s is too old for %s %s: CUDA %s needs %s or newer", driver.Value, f.Package, f.Version, built.Value, floor.Value.Linux),
			Cause:    fmt.Sprintf("%s. %s; %s. The first CUDA call fails with error 35 (cudaErrorInsufficientDriver).", what, basis, has),
			Evidence: append(append([]stack.Source{}, driver.Sources...), built.Sources...),
			Refs:     []kb.Ref{floor.Ref, in.DriverCUDA.Ref},
			Remedies: append(remedy.OtherTorchBuild(in, rule.Driver), remedy.NewerDriver(in, floor.Value.Linux)),
		})
	},
}
