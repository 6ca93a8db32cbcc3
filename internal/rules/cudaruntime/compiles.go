package cudaruntime

import (
	"fmt"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

// compiles judges a framework that writes PTX when it runs, with the compiler
// of a wheel: the driver must know its ISA, or nvJitLink must make a cubin of it.
func compiles(in *rule.Input, wheel stack.Package, cuda version.CUDA) rule.Verdict {
	isa := in.KB.PTXForCUDA(cuda)
	switch {
	case len(in.GPUs) == 0:
		return rule.NA()
	case !in.Driver.Known():
		return rule.Cannot("whether the driver compiles the PTX of "+wheel.Name+": "+in.Driver.Why, in.Driver.Allow)
	case !in.DriverPTX.Known:
		return rule.FromAnswer(in.DriverPTX)
	case !isa.Known:
		return rule.FromAnswer(isa)
	case !in.DriverPTX.Value.Less(isa.Value) || hasJitLink(in, cuda.Major()):
		return rule.Clean()
	}
	f, env := in.Framework(), in.Workload.Env
	finding := rule.Finding{
		Confidence: rule.Likely,
		Summary: fmt.Sprintf("%s %s compiles to PTX ISA %s with %s %s, and driver %s compiles up to %s", f.Package, f.Version, isa.Value,
			wheel.Name, wheel.Version, in.Driver.Value, in.DriverPTX.Value),
		Cause: fmt.Sprintf("There is no nvJitLink of CUDA %d to make a cubin of it, so the driver has to compile the PTX. "+
			`The first kernel fails with error 222, "the provided PTX was compiled with an unsupported toolchain".`, cuda.Major()),
		Evidence: append([]stack.Source{wheel.From}, in.Driver.Sources...),
		Refs:     []kb.Ref{isa.Ref, in.DriverPTX.Ref},
	}
	for _, s := range in.KB.SonamesOf("nvjitlink", cuda.Major()).Value {
		if s.Pip != "" {
			finding.Remedies = append(finding.Remedies, remedy.Install(env, rule.CUDARuntime, fmt.Sprintf("%s==%d.%d.*", s.Pip, cuda.Major(), cuda.Minor()), ""))
			break
		}
	}
	driverFor(in, &finding, isa.Value.String())
	return rule.Found(finding)
}

// hasJitLink tells whether an nvJitLink of a CUDA major is in the environment
// or where the dynamic linker finds it, or the package that wrapped it before.
func hasJitLink(in *rule.Input, major int) bool {
	for _, p := range in.Workload.Env.Packages.Value {
		if strings.HasPrefix(p.Name, "pynvjitlink") {
			return true
		}
	}
	return len(in.Copies(in.Workload, fmt.Sprintf("libnvJitLink.so.%d", major))) > 0
}
