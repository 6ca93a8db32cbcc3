package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cmakeTarget is what CMake says of a part of the toolkit that it does not find, and of an architecture without a number.
func cmakeTarget() []*Signature {
	return []*Signature{
		{
			ID: "cmake-cuda-target", Product: "cmake",
			Literals: []string{"CUDA::cu", "CUDAToolkit", "but the target was not found"},
			Pattern:  `(?P<target>CUDA::\w+)\s+but the target was not found|(?:Could NOT find CUDAToolkit|Could not find (?:nvcc|a package configuration file provided by "CUDAToolkit")|CUDAToolkit not found)|but the target was not found`,
			Where:    on(Says("CUDA::cu", "CUDA::nv", "CUDAToolkit")),
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "CMake finds nvcc, or not even that, but not a library of the toolkit.",
			Causes: causes(Cause{
				Title: "CMake finds no complete CUDA toolkit[: {target} is missing]",
				Text:  "The build links the toolkit's development files (libcublas-dev, cuda-cudart-dev and others). A Conda environment with cuda-nvcc alone, a runtime image, the driver or another toolkit first on PATH does not have them.",
				Remedies: []Remedy{
					fix("name the complete toolkit to the build", "shell", "export CUDACXX=/usr/local/cuda/bin/nvcc CUDAToolkit_ROOT=/usr/local/cuda; cmake -DCUDAToolkit_ROOT=/usr/local/cuda -B build"),
					fix("or install the development packages: cuda-toolkit, in Conda cuda-libraries-dev (libcublas-dev) beside cuda-nvcc, or the devel image", "conda", "conda install -c nvidia cuda-toolkit"),
				},
				Ask: "which -a nvcc; ls /usr/local/cuda/lib64/libcublas*",
			}),
			Samples: []string{"      CUDA::cublas\n\n    but the target was not found.", "Could NOT find CUDAToolkit (missing: CUDAToolkit_INCLUDE_DIR)"},
			Misses:  []string{"-- Found CUDAToolkit: /usr/local/cuda/include (found version \"12.4\")", "target_link_libraries(app CUDA::cudart)"},
			Source:  "https://cmake.org/cmake/help/latest/module/FindCUDAToolkit.html",
		},
		{
			ID: "cmake-empty-architecture", Product: "cmake",
			Literals: []string{"gpu architecture 'compute_'", "gpu architecture 'compute_native'", "arch=compute_,code=sm_"},
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "The build asks nvcc for an architecture without a number.",
			Causes: causes(Cause{
				Title: "The build names no GPU architecture (compute_ without a number): CMAKE_CUDA_ARCHITECTURES=native needs CMake 3.24 or newer and a GPU that is visible",
				Text:  "Older CMake passes the word native on as it is, and where nvidia-smi does not answer (an image build) nothing is left. nvcc itself is in order.",
				Remedies: []Remedy{
					fix("name the architecture[: {sm|cc} here]: 75 for Turing, 80 and 86 for Ampere, 89 for Ada, 90 for Hopper, 120 for RTX 50", "shell", "cmake -DCMAKE_CUDA_ARCHITECTURES=86 -B build"),
					fix("or install CMake 3.24 or newer", "pip", "python -m pip install -U cmake"),
				},
			}),
			Samples: []string{"nvcc fatal   : Unsupported gpu architecture 'compute_'", "nvcc fatal   : Unsupported gpu architecture 'compute_native'"},
			Misses:  []string{"nvcc fatal   : Unsupported gpu architecture 'compute_89'"},
			Source:  "https://github.com/colmap/colmap/issues/2464",
		},
	}
}
