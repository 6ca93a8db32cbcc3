package driver

import (
	"fmt"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

var drv009 = &rule.Rule{
	ID:       "DRV009",
	Slug:     "ptx-compiler-missing",
	Layer:    rule.Driver,
	Severity: rule.AtRisk,
	Title:    "The driver's PTX compiler is missing or of another version than libcuda",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedDriverLib},
	After:    []string{"DRV001", "DRV003", "DRV004", "DRV007", "DRV008", "KRN004"},
	Since:    "0.1",
	Cites:    []rule.Cite{citeErrors},
	Doc: `Where a build has no machine code for a GPU but PTX, the driver compiles it when the program starts. The compiler is
a library of its own, libnvidia-ptxjitcompiler.so.1, of exactly libcuda's version. Without it code that was compiled
ahead still runs, and everything else fails with error 221, "PTX JIT compiler library not found": a build older than
the GPU, kernels that Triton, Numba or CuPy hand over as PTX.

It belongs to the same package as libcuda; in a container it is mounted with the capability "compute". Install or
mount both together.`,
	Check: func(in *rule.Input) rule.Verdict {
		lib := in.Libcuda
		// In WSL it lies beside the driver of Windows, where libcuda knows to find it.
		if lib == nil || lib.Fault != "" || lib.Place == "stubs" || lib.Version == "" || in.Stack.OS.WSL.Or(false) || in.Stack.OS.Jetson.Known() {
			return rule.NA()
		}
		have, err := version.ParseDriver(lib.Version)
		if err != nil {
			return rule.NA()
		}
		jit := in.FindSystem("libnvidia-ptxjitcompiler.so.1").Winner
		f := rule.Finding{Evidence: []stack.Source{lib.From}}
		switch {
		case jit == nil:
			f.Summary = fmt.Sprintf("libcuda %s is installed without libnvidia-ptxjitcompiler.so.1", have)
		case jit.Fault != "":
			f.Summary = fmt.Sprintf("%s is unusable: %s", jit.Path, jit.Fault)
			f.Evidence = append(f.Evidence, jit.From)
		default:
			v, err := version.ParseDriver(jit.Version)
			if err != nil || v.Compare(have) == 0 {
				return rule.Clean()
			}
			f.Summary = fmt.Sprintf("libcuda is %s, but its PTX compiler %s is %s", have, jit.Path, v)
			f.Evidence = append(f.Evidence, jit.From)
		}
		f.Cause = "Code that must be compiled from PTX fails with error 221, \"PTX JIT compiler library not found\"."
		if who := needsJIT(in); who != "" {
			f.Severity = rule.Broken
			f.Cause += fmt.Sprintf(" %s has only PTX for this GPU.", who)
		} else {
			f.Cause += " Machine code that was compiled ahead for the GPU still runs."
		}
		if in.Stack.Container.Inside.Known() {
			r := anew()
			r.Changes = []stack.Change{stack.SetDriver{Version: have}}
			f.Remedies = []rule.Remedy{r}
		} else {
			f.Remedies = []rule.Remedy{reinstall(in, have, ", all of one version")}
		}
		return rule.Found(f)
	},
}

// needsJIT names a workload that runs on some GPU here only by compiling PTX.
func needsJIT(in *rule.Input) string {
	for _, w := range in.Workloads {
		code := in.Code(w)
		for _, g := range in.GPUs {
			if code.Known() && !g.Capability.IsZero() && derive.Cover(code.Value, g.Capability, in.DriverPTX.Value) == derive.JIT {
				return fmt.Sprintf("%s %s", w.Framework.Package, w.Framework.Version)
			}
		}
	}
	return ""
}
