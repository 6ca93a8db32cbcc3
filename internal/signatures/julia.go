package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// julia is what CUDA.jl says of the libraries that it loads and of the driver that it meets.
func julia() []*Signature {
	return []*Signature{
		{
			ID: "julia-system-library", Product: "CUDA.jl",
			Literals: []string{"was loaded from a system path", "loaded from a system path"},
			Pattern:  "CUDA runtime library `?(?P<lib>lib[\\w.]+)`? was loaded from a system path(?:, `?(?P<path>/[^\\s`]+))?",
			Layer:    rule.CUDALibraries, Strength: Strong,
			Meaning: "A library that CUDA.jl brings as an artifact was taken from the system instead.",
			Causes: causes(Cause{
				Title: "CUDA.jl loads {lib} from the system[ ({path})] in place of its own artifact: LD_LIBRARY_PATH leads there",
				Text:  "CUDA.jl brings the CUDA runtime and its libraries. A directory of a toolkit on LD_LIBRARY_PATH (PATH on Windows) is searched first, and libraries of two releases are mixed.",
				Remedies: []Remedy{
					fix("unset LD_LIBRARY_PATH before Julia starts, or take the CUDA directories off it", "shell", "env -u LD_LIBRARY_PATH julia"),
					fix("or use the system's toolkit as a whole", "julia", "using CUDA; CUDA.set_runtime_version!(local_toolkit=true)"),
				},
			}),
			Samples: []string{"┌ Warning: CUDA runtime library `libcusolver.so.11` was loaded from a system path, `/opt/cuda/lib64/libcusolver.so.11`."},
			Misses:  []string{"the library was loaded from a system path by accident"},
			Source:  "https://github.com/JuliaGPU/CUDA.jl/issues/2530",
		},
		{
			ID: "julia-driver-supports", Product: "CUDA.jl",
			Literals: []string{"driver on this system only supports up to CUDA"},
			Pattern:  `driver on this system only supports up to CUDA (?P<have>\d+\.\d+)[\d.]*\.?(?:\D{0,120}?CUDA (?P<need>\d+\.\d+))?`,
			Layer:    rule.Driver,
			Meaning:  "CUDA.jl says which CUDA the driver supports, and which one it would like.",
			Causes: causes(Cause{
				Title: "the driver[ {driver}] supports CUDA {have} at most[, and CUDA.jl asks for CUDA {need}]: it is too old for this CUDA.jl",
				Text:  "CUDA.jl chooses a runtime that the driver supports; its newer releases have none for an old driver.",
				Remedies: []Remedy{
					fix("update the driver[ to {need|mindriver} or newer, for CUDA {need}]"),
					fix("or pin a CUDA.jl that still has a runtime for CUDA {have}"),
				},
			}),
			Samples: []string{"┌ Warning: The NVIDIA driver on this system only supports up to CUDA 10.1.0.\n│ For performance reasons, it is recommended to upgrade to a driver that supports CUDA 11.2 or higher."},
			Misses:  []string{"the driver only supports CUDA"},
			Source:  "https://github.com/JuliaGPU/CUDA.jl/pull/979",
		},
	}
}
