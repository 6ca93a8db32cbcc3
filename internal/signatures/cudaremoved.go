package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cudaRemoved is what compilers say of sources that use what a newer CUDA has dropped, or what an older GPU does not have.
func cudaRemoved() []*Signature {
	return []*Signature{
		{
			ID: "cuda12-texture-references", Product: "nvcc",
			Literals: []string{"texture is not a template", "identifier \"cudaBindTexture", "identifier \"cudaUnbindTexture", "identifier \"textureReference\"", "undefined reference to `cudaBindTexture", "undefined reference to `cudaUnbindTexture", "__cudaRegisterTexture"},
			Pattern:  "error: texture is not a template|identifier \"(?:cuda(?:Un)?[Bb]indTexture\\w*|textureReference)\" is undefined|undefined reference to [`'](?:cuda(?:Un)?[Bb]indTexture\\w*|__cudaRegisterTexture)",
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "The source uses texture references, which CUDA 12 removed.",
			Causes: causes(Cause{
				Title: "This source uses texture references, which CUDA 12 no longer has: nvcc[ (CUDA {toolkit}) ||  (CUDA {runtime})] is too new for it",
				Text:  "CUDA 12.0 removed texture<…>, cudaBindTexture and cudaUnbindTexture; texture objects (cudaTextureObject_t) took their place. Driver and GPU are not at fault, and a program that is built with CUDA 11.8 runs on newer drivers.",
				Remedies: []Remedy{
					fix("build it with CUDA 11.8 or older, first on PATH and named to the build", "shell", "export CUDA_HOME=/usr/local/cuda-11.8 PATH=/usr/local/cuda-11.8/bin:$PATH"),
					fix("or use a release of the program that knows CUDA 12 (OpenCV 4.7 and newer with its contrib modules)"),
				},
			}),
			Samples: []string{"kernels/filter.cu(21): error: texture is not a template", "filter.cu(90): error: identifier \"cudaBindTexture2D\" is undefined"},
			Misses:  []string{"warning: function \"cudaBindTexture\" was declared deprecated"},
			Source:  "https://github.com/nakatamaho/mplapack/issues/73",
		},
		{
			ID: "cuda13-device-properties", Product: "nvcc",
			Literals: []string{"\"cudaDeviceProp\" has no member", "cudaDeviceProp’ has no member named", "cudaDeviceProp' has no member named", "is not a member of 'cudaDeviceProp'"},
			Pattern:  `cudaDeviceProp["’'] has no member (?:named )?["‘'](?P<member>\w+)|'(?P<member>\w+)': is not a member of 'cudaDeviceProp'`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "The source uses fields of cudaDeviceProp that CUDA 13 removed.",
			Causes: causes(Cause{
				Title: "This source uses cudaDeviceProp.{member}, which CUDA 13 no longer has: nvcc[ (CUDA {toolkit}) ||  (CUDA {runtime})] is too new for it",
				Text:  "CUDA 13.0 removed clockRate, memoryClockRate, deviceOverlap, computeMode, kernelExecTimeoutEnabled and others from cudaDeviceProp; cudaDeviceGetAttribute gives them. Driver and GPU are not at fault.",
				Remedies: []Remedy{
					fix("use a release of the program that knows CUDA 13"),
					fix("or build it with CUDA 12, first on PATH and named to the build", "shell", "export CUDA_HOME=/usr/local/cuda-12.9 PATH=/usr/local/cuda-12.9/bin:$PATH"),
				},
			}),
			Samples: []string{"main.cu(31): error: class \"cudaDeviceProp\" has no member \"clockRate\"", "error: ‘struct cudaDeviceProp’ has no member named ‘memoryClockRate’"},
			Misses:  []string{"cudaDeviceProp prop;"},
			Source:  "https://github.com/icl-utk-edu/magma/issues/61",
		},
		{
			ID: "cuda-removed-function", Product: "nvcc",
			Literals: []string{"identifier \"cusparse", "identifier \"cublas", "identifier \"__shfl", "identifier \"__ballot", "identifier \"__any", "identifier \"cudaThread", "identifier \"CUSPARSE_", "identifier \"cuCtxCreate", "identifier \"cudaMemPrefetchAsync", "’ was not declared in this scope", "' was not declared in this scope"},
			Pattern: `identifier "(?P<name>cusparse[SDCZX]\w+|CUSPARSE_\w+|__(?:shfl(?:_up|_down|_xor)?|ballot|any|all)|cudaThread\w+)" is undefined|` +
				`error: ['‘](?P<name>cusparse[SDCZX](?:csr|sc|gth|gtsv)\w+|CUSPARSE_(?:MV|CSRMM|CSRMV|COOMV|SPMM)_ALG\w*|cudaThread\w+)['’] was not declared in this scope`,
			Layer:   rule.Toolkit,
			Meaning: "The source calls a function that this CUDA no longer has.",
			Causes: causes(Cause{
				Title: "This source calls {name}, which this CUDA[ ({toolkit}) ||  ({runtime})] no longer has: the toolkit is too new for it",
				Text:  "cuSPARSE dropped its old functions with CUDA 11 and 12, the warp functions without _sync went with Volta (7.0), and cudaThread… with CUDA 12. Driver and GPU are not at fault.",
				Remedies: []Remedy{
					fix("use a release of the program that knows this CUDA, or build it with the CUDA that it names", "check", "nvcc --version; ls -d /usr/local/cuda*"),
				},
			}),
			Samples: []string{"solver.cu(44): error: identifier \"cusparseScsrmm2\" is undefined", "error: 'cusparseDcsrmv' was not declared in this scope", "reduce.cu(12): error: identifier \"__shfl_down\" is undefined"},
			Misses:  []string{"error: identifier \"my_function\" is undefined"},
			Source:  "https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/index.html",
		},
		{
			ID: "nvcc-atomic-add-double", Product: "nvcc",
			Literals: []string{"no instance of overloaded function \"atomicAdd\""},
			Pattern:  `no instance of overloaded function "atomicAdd" matches the argument list\s*(?:argument types are: \((?P<type>[\w:]+) \*)?`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "Code for an architecture without this atomicAdd is compiled.",
			Causes: causes(
				Cause{
					When: on(Below("cc", "6.0")), Layer: rule.GPUArch,
					Title:    "This source adds doubles atomically, which the GPU[ {gpu}] (compute capability {cc}) cannot: 6.0 or newer is needed",
					Text:     "atomicAdd for double began with Pascal (6.0), for half with Volta (7.0), for bfloat16 with Ampere (8.0).",
					Remedies: []Remedy{fix("use a newer GPU, or a release of the program with code for compute capability {cc}")},
				},
				Cause{
					When:  on(Is("type", "(?i)half|bfloat")),
					Title: "This source adds {type} atomically, and the build compiles for an architecture that cannot: sm_70 or newer is needed (sm_80 for bfloat16)[; the GPU has {sm}]",
					Text:  "nvcc compiles for each architecture of a list (CMAKE_CUDA_ARCHITECTURES, TORCH_CUDA_ARCH_LIST, -gencode), or for its default; atomicAdd for half needs compute capability 7.0, for bfloat16 8.0.",
					Remedies: []Remedy{
						fix("take the older architectures out of the list, and name the GPU's", "cmake", "cmake -DCMAKE_CUDA_ARCHITECTURES=75 -B build"),
					},
				},
				Cause{
					Title: "This source adds doubles atomically, and the build compiles for an architecture that cannot: compute capability 6.0 (sm_60) or newer is needed[; the GPU has {sm}]",
					Text:  "atomicAdd for double needs compute capability 6.0. nvcc compiles for each architecture of a list (CMAKE_CUDA_ARCHITECTURES, CUDA_ARCH, -arch), and without one for its default: sm_52 up to CUDA 12. On a GPU below 6.0 the program cannot be built.",
					Remedies: []Remedy{
						fix("name the architecture of the GPU, 60 or higher[ (here {sm})]", "nvcc", "nvcc -arch=sm_60 main.cu", "cmake", "cmake -DCMAKE_CUDA_ARCHITECTURES=60 -B build"),
						fix("for a GPU below 6.0 use a release of the program with its own atomicAdd"),
					},
					Ask: "nvidia-smi --query-gpu=name,compute_cap --format=csv",
				},
			),
			Samples: []string{"reduce.cu(37): error: no instance of overloaded function \"atomicAdd\" matches the argument list\n            argument types are: (double *, double)"},
			Misses:  []string{"atomicAdd(&sum, x);"},
			Source:  "https://github.com/gadgetron/gadgetron/pull/888",
		},
		{
			ID: "ptxas-unresolved-extern", Product: "ptxas",
			Literals: []string{"Unresolved extern function"},
			Pattern:  `Unresolved extern function '(?P<symbol>[^'\n]+)'`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "Device code calls a function that is in no module it is linked with.",
			Causes: causes(Cause{
				Title:    "Device code calls {symbol}, which exists for the host alone or in another file: ptxas cannot resolve it",
				Text:     "Functions of the C library (llabs, calloc, printf of another kind) have no code for the GPU unless the compiler maps them to libdevice; __device__ functions of other files need relocatable device code (-rdc=true) and a device link. Driver and toolkit are in order.",
				Remedies: []Remedy{fix("use a function that exists on the GPU, or compile with -rdc=true and link with nvcc", "shell", "nvcc -rdc=true a.cu b.cu -o app"), fix("for compilers that make the PTX themselves update them, so that they know the function")},
			}),
			Samples: []string{"ptxas fatal : Unresolved extern function 'llabs'"},
			Misses:  []string{"ptxas info : Function properties for main"},
			Source:  "https://github.com/AccelerateHS/accelerate/issues/350",
		},
		{
			ID: "nvlink-undefined", Product: "nvlink",
			Literals: []string{"nvlink error", "nvlink fatal"},
			Pattern:  `nvlink (?:error|fatal)\s*: (?P<what>[^\n]{5,140})`,
			Layer:    rule.Toolkit,
			Meaning:  "The device linker stopped.",
			Causes: causes(
				Cause{
					When:     on(Is("what", `(?i)Undefined reference`)),
					Title:    "The device linker finds no device code for a function: {what}",
					Text:     "Device code in several files needs separable compilation (-rdc=true, CUDA_SEPARABLE_COMPILATION) in all of them, cudadevrt for dynamic parallelism, and the same architecture in every object and library.",
					Remedies: []Remedy{fix("compile all parts with -rdc=true and the same -arch, and link with -lcudadevrt", "cmake", "cmake -DCMAKE_CUDA_SEPARABLE_COMPILATION=ON -B build")},
				},
				Cause{
					Title:    "The device linker stopped: {what}",
					Text:     "Objects or libraries are of another CUDA release or architecture than this nvcc's.",
					Remedies: []Remedy{fix("build all parts anew with one toolkit and one list of architectures", "check", "nvcc --version; which -a nvcc")},
				},
			),
			Samples: []string{"nvlink error   : Undefined reference to '_Z3addff' in 'build/main.cu.o'", "nvlink fatal   : Input file 'libcudadevrt.a:cuda_device_runtime.o' newer than toolkit (126 vs 125)"},
			Misses:  []string{"nvlink info"},
			Source:  "https://docs.nvidia.com/cuda/cuda-compiler-driver-nvcc/index.html",
		},
	}
}
