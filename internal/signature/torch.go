package signature

import (
	"strconv"
	"strings"

	"strata/internal/kb"
	v "strata/internal/version"
)

// torchFor is the newest official build of PyTorch that a driver of this CUDA
// runs and that has machine code for this compute capability, as version and
// variant: 2.7.1+cu126. Either may be zero: then it does not matter. Where the
// text tells of a Python, the build has a wheel for it.
func torchFor(c *Case, driver v.CUDA, cc v.ComputeCapability) string {
	python, _ := v.ParsePEP440(firstTwo(valueOf(c, "python")))
	releases := c.View.KB.TorchReleases()
	for i := len(releases) - 1; i >= 0; i-- {
		builds := c.View.KB.TorchBuilds(releases[i])
		best := kb.TorchBuild{}
		for _, b := range builds.Value {
			if b.CUDA.IsZero() || b.Channel != kb.TorchStable || !runsOn(b.CUDA, driver) || !hasCode(b, cc) || !forPython(b, python) {
				continue
			}
			if best.CUDA.Less(b.CUDA) {
				best = b
			}
		}
		if !best.CUDA.IsZero() {
			return best.Version.Public() + "+" + best.Variant
		}
	}
	return ""
}

// runsOn tells whether a driver runs a build: by minor-version compatibility, which came with CUDA 11, its major counts alone.
func runsOn(build, driver v.CUDA) bool {
	return driver.IsZero() || !driver.Less(build) || build.Major() >= 11 && build.Major() == driver.Major()
}

// hasCode tells whether a build has a cubin that runs on a compute capability: of its major, and of no higher minor.
func hasCode(b kb.TorchBuild, cc v.ComputeCapability) bool {
	if cc.IsZero() {
		return true
	}
	for _, t := range b.Archs.List {
		if t.Major == cc.Major && t.Compare(cc) <= 0 {
			return true
		}
	}
	return false
}

// forPython tells whether a build is known to have a wheel for a Python.
func forPython(b kb.TorchBuild, python v.PEP440) bool {
	return python.IsZero() || !b.PythonMin.IsZero() && !python.Less(b.PythonMin) && (b.PythonMax.IsZero() || !b.PythonMax.Less(python))
}

// torchForDriver is torchFor by the CUDA of a driver and the GPU of the text.
func torchForDriver(c *Case, cuda string) string {
	driver, err := v.ParseCUDA(firstTwo(cuda))
	if err != nil {
		return ""
	}
	cc, _ := v.ParseComputeCapability(c.capability())
	return torchFor(c, driver, cc)
}

// torchForArch is torchFor by a compute capability and the driver of the text.
func torchForArch(c *Case, arch string) string {
	cc, err := v.ParseComputeCapability(capabilityOf(c, arch))
	if err != nil {
		return ""
	}
	driver, err := v.ParseCUDA(valueOf(c, "driver_cuda"))
	if err != nil {
		driver, _ = v.ParseCUDA(cudaOfDriver(c, valueOf(c, "driver")))
	}
	return torchFor(c, driver, cc)
}

// variantOf is the local part of a version: cu126 of 2.7.1+cu126.
func variantOf(_ *Case, s string) string { _, local, _ := strings.Cut(s, "+"); return local }

// cudaOfVariant is the CUDA that a build's tag names: 12.6 of 2.7.1+cu126 or cu126.
func cudaOfVariant(_ *Case, s string) string {
	if _, local, ok := strings.Cut(s, "+"); ok {
		s = local
	}
	tag, _, _ := strings.Cut(s, ".")
	x, ok := v.ParseCUDATag(tag)
	if !ok {
		return ""
	}
	return x.String()
}

// companionOf is the release of a package that was made for a release of torch.
func companionOf(pkg string) func(*Case, string) string {
	return func(c *Case, torch string) string {
		x, err := v.ParsePEP440(torch)
		if err != nil {
			return ""
		}
		a := c.View.KB.TorchCompanion(x, pkg)
		if !a.Known {
			return ""
		}
		return a.Value.Versions[len(a.Value.Versions)-1].String()
	}
}

// gccOf is the newest major release of GCC that nvcc of a toolkit accepts.
func gccOf(c *Case, toolkit string) string {
	x, err := v.ParseCUDA(firstTwo(toolkit))
	if err != nil {
		return ""
	}
	if a := c.View.KB.HostCompiler(x); a.Known && a.Value.GCCMax > 0 {
		return strconv.Itoa(a.Value.GCCMax)
	}
	return ""
}
