package cudaruntime

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var cud003 = &rule.Rule{
	ID:       "CUD003",
	Slug:     "ptx-newer-than-driver",
	Layer:    rule.CUDARuntime,
	Severity: rule.Broken,
	Title:    "Only PTX in the build fits this GPU, and it is newer than the driver compiles",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needCode, rule.NeedGPUs},
	After:    []string{"DRV001", "DRV002", "DRV006"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "CUDA Compatibility: minor version compatibility, application considerations", URL: "https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html", Date: "2026-11-30"},
		{Title: "Numba CUDA: minor version compatibility", URL: "https://nvidia.github.io/numba-cuda/user/minor_version_compatibility.html", Date: "2026-11-30"},
		{Title: "PTX ISA: release notes", URL: "https://docs.nvidia.com/cuda/parallel-thread-execution/index.html", Date: "2026-11-30"},
	},
	Doc: `Where a build has no machine code for a GPU but has PTX, the driver compiles the PTX. It knows the PTX
instruction set of its own CUDA and of older ones only: PTX written by CUDA 12.9 (PTX ISA 8.8) cannot be compiled by a
driver of CUDA 12.4. The first kernel then fails with error 222, "the provided PTX was compiled with an unsupported
toolchain". Minor-version compatibility does not cover this case, although it covers everything else in the build.

numba-cuda compiles each kernel to PTX with the wheels beside it. With nvJitLink there, that makes a cubin of it and any
driver of the same major runs it; without, the driver has to compile it. CuPy asks NVRTC for a cubin and is not concerned.

Take a build that has a cubin for the GPU, or a driver at least as new as the CUDA of the build.`,
	Check: func(in *rule.Input) rule.Verdict {
		if wheel, cuda, ok := derive.CompilerWheel(in.Workload); ok {
			return compiles(in, wheel, cuda)
		}
		code := in.Code(in.Workload)
		if len(code.Value) == 0 || len(in.GPUs) == 0 {
			return rule.NA()
		}
		jit, untold := false, false
		for _, g := range in.GPUs {
			if g.Capability.IsZero() {
				return rule.Cannot(g.Unknown, "say --assume gpu=sm_NN")
			}
			switch derive.Cover(code.Value, g.Capability, in.DriverPTX.Value) {
			case derive.JIT:
				jit = true
				untold = untold || !tellsISA(code.Value, g.Capability)
			case derive.JITImpossible:
				return rule.Found(tooNew(in, g, code))
			}
		}
		switch {
		case !jit || in.DriverPTX.Known:
		case !in.Driver.Known():
			return rule.Cannot("whether the driver compiles the PTX in the build: "+in.Driver.Why, in.Driver.Allow)
		default:
			return rule.FromAnswer(in.DriverPTX)
		}
		// A driver of a later major compiles whatever an older toolkit wrote.
		if built := in.BuildCUDA(in.Workload); untold && (built.IsZero() || built.Major() >= in.DriverCUDA.Value.Major()) {
			return rule.Cannot("which PTX ISA the PTX in the build has was not read", "run Strata where the framework is installed")
		}
		return rule.Clean()
	},
}

func tooNew(in *rule.Input, g derive.GPU, code stack.Fact[[]stack.DeviceCode]) rule.Finding {
	f := in.Framework()
	isa := ""
	for _, c := range code.Value {
		if c.Kind == "ptx" {
			isa = c.ISA
		}
	}
	finding := rule.Finding{
		Summary: fmt.Sprintf("%s has only PTX ISA %s for %s, and driver %s compiles up to %s", strings.TrimSpace(f.Package+" "+f.Version), isa, g, in.Driver.Value, in.DriverPTX.Value),
		Cause: fmt.Sprintf("No cubin in the build runs on %s, so the driver would have to compile the PTX; driver %s knows PTX ISA %s and older. "+
			`The first kernel fails with error 222, "the provided PTX was compiled with an unsupported toolchain".`, g.Capability.SM(), in.Driver.Value, in.DriverPTX.Value),
		Evidence: append(append([]stack.Source{g.From}, code.Sources...), in.Driver.Sources...),
		Refs:     []kb.Ref{in.DriverPTX.Ref},
		Remedies: remedy.OtherTorchBuild(in, rule.CUDARuntime),
	}
	driverFor(in, &finding, isa)
	return finding
}

// driverFor adds to a finding which drivers compile a PTX ISA.
func driverFor(in *rule.Input, finding *rule.Finding, isa string) {
	ptx, err := version.ParsePTX(isa)
	if err != nil {
		return
	}
	first := in.KB.PTXBranch(ptx)
	if !first.Known {
		return
	}
	finding.Cause += fmt.Sprintf(" Branch %d is the first that compiles PTX ISA %s.", first.Value, isa)
	finding.Refs = append(finding.Refs, first.Ref)
	if b, ok := remedy.Branch(in, first.Value, 0); ok {
		finding.Remedies = append(finding.Remedies, remedy.Driver(in, b, remedy.Flavor(in, b), version.Driver{}))
	}
}

// tellsISA tells whether the ISA is known of PTX that fits a GPU.
func tellsISA(code []stack.DeviceCode, gpu version.ComputeCapability) bool {
	return slices.ContainsFunc(code, func(c stack.DeviceCode) bool {
		_, err := version.ParsePTX(c.ISA)
		return err == nil && derive.Cover([]stack.DeviceCode{c}, gpu, version.PTX{}) == derive.JIT
	})
}

// needCode is the machine code of the build, measured or published. Where it is
// not known the rules about it in the layer of GPU code say so, once.
var needCode = rule.Need{Name: "the machine code in the build", Seen: func(in *rule.Input) stack.Seen {
	if _, _, ok := derive.CompilerWheel(in.Workload); ok {
		return stack.Seen{State: stack.Known}
	}
	seen := in.Code(in.Workload).Seen()
	if seen.State != stack.Known {
		seen.State = stack.Absent
	}
	return seen
}}
