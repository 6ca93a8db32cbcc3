package derive

import (
	"strata/internal/stack"
	"strata/internal/version"
)

// Coverage is what a GPU makes of the machine code in a build.
type Coverage int

const (
	NoCode        Coverage = iota // nothing in the build fits the GPU
	JITImpossible                 // only PTX fits, and it is newer than the driver compiles
	JIT                           // PTX fits and the driver compiles it
	Native                        // a cubin fits
)

func (c Coverage) String() string {
	return [...]string{"no code", "PTX too new for the driver", "by JIT from PTX", "native"}[c]
}

// Cover tells how a GPU of a compute capability runs a build. newest is the
// newest PTX ISA the driver compiles; zero where the driver is unknown, which
// then does not exclude JIT.
//
// The rules, from the CUDA C++ Programming Guide: a cubin runs on its own
// major and the same or a later minor; PTX can be compiled for its own
// architecture and later ones; "a" code runs on exactly its architecture; "f"
// code on its family, the same major from its minor on.
func Cover(code []stack.DeviceCode, gpu version.ComputeCapability, newest version.PTX) Coverage {
	best := NoCode
	for _, c := range code {
		target, err := version.ParseComputeCapability(c.Arch)
		if err != nil {
			continue
		}
		got := NoCode
		switch {
		case target.Suffix == "a" && target.Compare(gpu) != 0:
		case target.Suffix == "f" && (target.Major != gpu.Major || target.Minor > gpu.Minor):
		case c.Kind == "cubin" && target.Major == gpu.Major && target.Minor <= gpu.Minor:
			got = Native
		case c.Kind == "ptx" && target.Compare(gpu) <= 0:
			got = JIT
			isa, err := version.ParsePTX(c.ISA)
			if err == nil && !newest.IsZero() && newest.Less(isa) {
				got = JITImpossible
			}
		}
		best = max(best, got)
	}
	return best
}

// Code is the machine code of a workload's build: measured in its libraries,
// else what the knowledge base says of that release.
func (v *View) Code(w *Workload) stack.Fact[[]stack.DeviceCode] {
	if list, chosen := v.Backends(w); chosen {
		return codeOfBackends(list)
	}
	if w.Framework.Code.Known() || w.Framework.Code.State == stack.Absent {
		return w.Framework.Code
	}
	if f := w.Framework; f.Variant.Known() && f.Variant.Value != "cuda" {
		return stack.None[[]stack.DeviceCode](f.Variant.Sources...)
	}
	if code, ok := v.codeFromKB(w); ok {
		return code
	}
	return w.Framework.Code
}
