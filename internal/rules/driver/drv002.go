package driver

import (
	"cmp"
	"fmt"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var drv002 = &rule.Rule{
	ID:       "DRV002",
	Slug:     "driver-too-old-for-cuda",
	Layer:    rule.Driver,
	Severity: rule.Broken,
	Title:    "The driver is too old for the CUDA that the framework was built with",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedDriver, rule.NeedBuildCUDA},
	After:    []string{"DRV001", "DRV003"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "CUDA Compatibility: minor version compatibility", URL: "https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html", Date: "2026-11-30"},
		citeCompat,
	},
	Doc: `Every CUDA major release has a lowest driver: 450.80.02 for CUDA 11, 525.60.13 for CUDA 12, 580.65.06 for CUDA 13. At
or above it every minor release of that major runs, whatever number nvidia-smi prints; below it the first CUDA call
fails with error 35, "CUDA driver version is insufficient for CUDA runtime version", and PyTorch says "The NVIDIA
driver on your system is too old (found version 12080)". That number is the newest CUDA that the driver runs, here
12.8, and not the driver's own. CUDA 10.2 and older have no such rule: each toolkit needs its own driver.

There are two ways out: a build of the framework for the CUDA major that this driver has, or a newer driver, which
inside a container means the host's. A third, on data-centre GPUs only, is a cuda-compat package: a newer libcuda
over the older kernel module. Check first that a newer driver still supports the GPU: branches above 580 do not
support Maxwell, Pascal and Volta.`,
	Check: func(in *rule.Input) rule.Verdict {
		built, driver := in.BuiltWith(), in.Driver
		if in.Stack.OS.Jetson.Known() {
			return onJetson(in, built)
		}
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
		name := strings.TrimSpace(f.Package + " " + f.Version)
		what := fmt.Sprintf("%s is built with CUDA %s", name, built.Value)
		if wheel, _, ok := derive.CompilerWheel(in.Workload); ok {
			what = fmt.Sprintf("%s compiles with CUDA %s (%s %s)", name, built.Value, wheel.Name, wheel.Version)
		}
		basis := fmt.Sprintf("CUDA %d.x starts on driver %s", built.Value.Major(), floor.Value.Linux)
		if floor.Value.Basis == kb.Toolkit {
			basis = fmt.Sprintf("CUDA %s starts on driver %s", built.Value, floor.Value.Linux)
		}
		has := fmt.Sprintf("driver %s is older", driver.Value)
		if in.DriverCUDA.Known {
			has = fmt.Sprintf("driver %s runs CUDA up to %s", driver.Value, in.DriverCUDA.Value)
		}
		cause := fmt.Sprintf("%s; %s; %s. The first CUDA call fails with error 35, \"CUDA driver version is insufficient for CUDA runtime version\".", what, basis, has)
		if f.Name == "pytorch" && in.DriverCUDA.Known {
			cause += fmt.Sprintf(" PyTorch says \"The NVIDIA driver on your system is too old (found version %d)\".", apiNumber(in.DriverCUDA.Value))
		}
		finding := rule.Finding{
			Summary:  fmt.Sprintf("driver %s is too old for %s: CUDA %s needs %s or newer", driver.Value, name, built.Value, floor.Value.Linux),
			Cause:    cause,
			Evidence: append(append([]stack.Source{}, driver.Sources...), built.Sources...),
			Refs:     []kb.Ref{floor.Ref},
			Remedies: append(remedy.OtherTorchBuild(in, rule.Driver), newerDriver(in, floor.Value.Linux)...),
		}
		if in.DriverCUDA.Known {
			finding.Refs = append(finding.Refs, in.DriverCUDA.Ref)
		}
		finding.Remedies = append(finding.Remedies, remedy.ForwardCompat(in, built.Value, rule.CUDARuntime)...)
		if last, gpu, ends := lastBranch(in); ends && floor.Value.Linux.Branch() > last {
			finding.Cause += fmt.Sprintf(" No newer driver helps: branch %d is the last for %s.", last, gpu)
			finding.Remedies = append(finding.Remedies, olderBuild(in, last, gpu))
		}
		return rule.Found(finding)
	},
}

// apiNumber is a CUDA version as cuDriverGetVersion returns it: 12.8 is 12080.
func apiNumber(v version.CUDA) int {
	var major, minor int
	if _, err := fmt.Sscanf(v.String(), "%d.%d", &major, &minor); err != nil {
		return v.Major() * 1000
	}
	return major*1000 + minor*10
}

// lastBranch is the last branch for the GPU here whose support ends first, as the table of architectures has it.
func lastBranch(in *rule.Input) (branch int, gpu string, ends bool) {
	for _, g := range in.GPUs {
		a := in.KB.Arch(g.Capability)
		if !a.Known || a.Value.LastBranch == 0 || ends && a.Value.LastBranch >= branch {
			continue
		}
		branch, gpu, ends = a.Value.LastBranch, cmp.Or(g.Name, a.Value.Name), true
	}
	return branch, gpu, ends
}

// olderBuild is the way out on a GPU whose last driver does not run the framework's CUDA: a build for the CUDA that it runs.
func olderBuild(in *rule.Input, last int, gpu string) rule.Remedy {
	cuda := ""
	if b := in.KB.Branch(last); b.Known {
		if c := in.KB.DriverCUDA(b.Value.Latest); c.Known {
			cuda = fmt.Sprintf(" (CUDA %s or older)", c.Value)
		}
	}
	return rule.Remedy{
		Summary: fmt.Sprintf("use a release of %s that was built for the CUDA of driver branch %d%s and has code for %s, or a newer GPU", in.Framework().Package, last, cuda, gpu),
		Layer:   rule.FrameworkBuild,
	}
}

// newerDriver offers a branch of at least this driver that still supports the
// GPUs here; none where there is no such branch.
func newerDriver(in *rule.Input, floor version.Driver) []rule.Remedy {
	b, ok := remedy.Branch(in, floor.Branch(), 0)
	if !ok || b.Latest.Less(floor) {
		return nil
	}
	return []rule.Remedy{remedy.Driver(in, b, remedy.Flavor(in, b), floor)}
}
