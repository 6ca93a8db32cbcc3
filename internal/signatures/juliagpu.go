package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// juliaGPU is what CUDA.jl and Flux say of GPUs and of cuDNN.
func juliaGPU() []*Signature {
	return []*Signature{
		{
			ID: "julia-gpu-unsupported", Product: "CUDA.jl",
			Literals: []string{"is not fully supported by CUDA", "is not supported by CUDA", "is not supported on CUDA", "not supported by available toolchain", "is deprecated on CUDA"},
			Pattern:  `Your (?P<name>[A-Z][\w .-]{2,60}?) GPU (?:with |\()compute capability (?P<arch>\d+\.\d+)(?:\.\d+)?\)? is (?P<how>not fully supported|not supported|deprecated) (?:by|on) (?P<by>CUDA(?:\.jl)?)(?: (?P<cudarel>\d+(?:\.\d+)?))?|[Dd]evice capability v(?P<arch>\d+\.\d+)(?:\.\d+)? not supported by available toolchain`,
			Layer:    rule.GPUArch,
			Meaning:  "CUDA.jl has no code for the GPU with this CUDA.",
			Causes: causes(
				Cause{
					When:  on(Below("arch", "5.0")),
					Title: "The GPU[ {name}] (compute capability {arch}) is too old for this CUDA.jl[ and CUDA {cudarel}]",
					Text:  "[CUDA {arch|lastcuda} was the last for {arch|sm}. ]CUDA.jl 4 and newer want 3.5, 5.0 from version 5.5 on; CUDAnative and CuArrays dropped what LLVM and the toolkit dropped. A newer driver does not change it.",
					Remedies: []Remedy{
						fix("choose an older CUDA, where this CUDA.jl has one", "julia", `using CUDA; CUDA.set_runtime_version!(v"11.8")`),
						fix("or use an older CUDA.jl, or a newer GPU"),
					},
				},
				Cause{
					Title: "The GPU[ {name}] (compute capability {arch}) is not one that CUDA.jl makes code for with CUDA[ {cudarel}]: runtime and GPU do not fit",
					Text:  "[{arch|sm} begins with CUDA {arch|firstcuda}. ][CUDA {arch|lastcuda} is the last for {arch|sm}. ]CUDA.jl chooses the newest runtime that the driver runs; a GPU that is newer than CUDA.jl, or older than that CUDA, is left out.",
					Remedies: []Remedy{
						fix("update CUDA.jl and the driver for a new GPU; choose an older CUDA for an old one", "julia", `using Pkg; Pkg.update("CUDA"); using CUDA; CUDA.set_runtime_version!(v"12.6")`),
					},
					Ask: "CUDA.versioninfo()",
				},
			),
			Samples: []string{
				"┌ Warning: Your NVIDIA GeForce GTX 1080 GPU (compute capability 6.1) is not fully supported by CUDA 12.9.0.",
				"┌ Error: Your Tesla K80 GPU (compute capability 3.7) is not supported on CUDA 12+.",
				"ERROR: Device capability v2.1.0 not supported by available toolchain",
			},
			Misses: []string{"GPU compute capability 8.6 is supported"},
			Source: "https://github.com/JuliaGPU/CUDA.jl/blob/master/lib/cudadrv/state.jl",
		},
		{
			ID: "julia-no-cudnn", Product: "CUDA.jl",
			Literals: []string{"cuDNN is not available", "CUDNN is not available", "cuDNN not available for your platform", "unavailable as CUDNN is missing", "does not provide the CUDNN library", "Could not find library 'cudnn'", "did not find libcudnn", "without CUDNN support", "CUDNN is missing"},
			Beside:   []string{"julia", ".jl", "flux", "cuarrays", "artifact", "@ cuda"},
			Pattern:  `(?i)cuDNN (?:is )?not available(?: for your platform)?|unavailable as CUDNN is missing|does not provide the CUDNN library|Could not find library 'cudnn'|without CUDNN support|CUDNN is missing`,
			Layer:    rule.CUDNN,
			Meaning:  "Julia's GPU stack has no cuDNN for this CUDA.",
			Causes: causes(Cause{
				Title: "CUDA.jl has no cuDNN for this platform or its CUDA[ {runtime} || {toolkit}]",
				Text:  "cuDNN comes as an artefact of cuDNN.jl (CUDNN_jll) for the CUDA runtime that was chosen; with the system's toolkit, or where no runtime was chosen when the package was precompiled (a login node without a GPU), there is none. Driver and GPU are not at fault.",
				Remedies: []Remedy{
					fix("add cuDNN.jl and use CUDA.jl's own runtime", "julia", `using Pkg; Pkg.add("cuDNN"); using CUDA; CUDA.set_runtime_version!(v"12.6"); CUDA.versioninfo()`),
					fix("with the system's toolkit, install cuDNN for it where the loader finds libcudnn.so"),
				},
				Ask: "CUDA.versioninfo(), and cuDNN.CUDNN_jll.host_platform",
			}),
			Samples: []string{"┌ Warning: cuDNN is not available for your platform (x86_64-linux-gnu-cuda+none) @ cuDNN ~/.julia", "│ Could not find library 'cudnn'. @ CuArrays"},
			Misses:  []string{"cuDNN is available"},
			Source:  "https://github.com/JuliaGPU/CUDA.jl/issues/2252",
		},
	}
}
