package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nativeStatus is how programs in C++ print a failed call of CUDA or of its libraries, and that they have no GPU part.
func nativeStatus() []*Signature {
	return []*Signature{
		{
			ID: "cuda-call-status", Product: "CUDA programs",
			Literals: []string{"CUDA_SUCCESS (", "cudaSuccess (", "CUDA API error", "CUDA call (", "cuCtxCreate", "cuDeviceGet", "cudaGetDeviceCount() failed", "cuModuleLoad", "cuLaunchKernel", "cuMemAlloc", "cuStreamCreate", "cudaSetDevice", "(error code "},
			Pattern: `== (?:CUDA_SUCCESS|cudaSuccess) \((?P<error>\d{1,3}) (?:==|vs\.?) \w+\)|CUDA API error = 0*(?P<error>[1-9]\d{0,2})\b|CUDA call \([^\n]{1,90}\) failed with error: '(?P<error>[^'\n]{5,90})'|[Ff]ailed to [\w ]{3,60}\(error code (?P<error>[a-z][^)\n]{5,80})\)|` +
				`\bcu(?:da)?[A-Z]\w+(?:\([^\n)]{0,40}\))? ?(?:->|failed\.?)? ?(?:[Rr]eturned|[Ss]tatus|error code):? (?P<error>[1-9]\d{0,2})\b`,
			Layer: rule.Driver, Strength: Weak,
			Meaning: "A call of CUDA failed; its number says how.",
			Where: on(Not(Seen("caffe-check-failed", "cuda-insufficient-driver", "cuda-no-device", "cuda-no-kernel-image", "cuda-invalid-device-function", "cuda-unsupported-ptx", "cuda-invalid-ptx",
				"cuda-unknown-error", "cuda-out-of-memory", "cuda-illegal-address", "cuda-launch-failure", "cuda-launch-resources", "cuda-error-code", "cuda-driver-mismatch", "cuda-forward-compatibility"))),
			Causes: errorCauses(),
			Samples: []string{
				"Check failed: cuDeviceGetCount(&device_count) == CUDA_SUCCESS (3 == 0)",
				"Failed to Launch Kernels (error code invalid argument)",
				"CUDA API error = 0098 from file main.cu, line 34",
				"[TornadoVM-PTX-JNI] ERROR : cuLaunchKernel -> Returned: 701",
				"CUDA call (cudaSetDevice(0)) failed with error: 'initialization error'",
			},
			Misses: []string{"cuDeviceGetCount returned 0", "Check failed: status == 0"},
			Source: "https://github.com/heavyai/rbc/issues/95",
		},
		{
			ID: "cuda-math-status", Product: "CUDA libraries",
			Literals: []string{"CUSPARSE_STATUS_", "CUSOLVER_STATUS_", "CUFFT_INTERNAL", "CUFFT_EXEC", "CUFFT_SETUP", "CUFFT_INVALID", "CUFFT_NOT", "CURAND_STATUS_", "NVRTC_ERROR_", "CUTENSOR_STATUS_", "NPP_CUDA_", "NPP_NO_MEMORY", "NPP_CUFFT"},
			Pattern:  `\b(?P<status>(?P<lib>CUSPARSE|CUSOLVER|CURAND|CUTENSOR)_STATUS_(?P<what>NOT_INITIALIZED|ALLOC_FAILED|ALLOCATION_FAILED|INITIALIZATION_FAILED|ARCH_MISMATCH|INTERNAL_ERROR|EXECUTION_FAILED|LAUNCH_FAILURE|PREEXISTING_FAILURE|INVALID_VALUE|MAPPING_ERROR|NOT_SUPPORTED|VERSION_MISMATCH|INSUFFICIENT_DRIVER|CUDA_ERROR|ZERO_PIVOT|MATRIX_TYPE_NOT_SUPPORTED|INVALID_LICENSE)|(?P<lib>CUFFT)_(?P<what>INTERNAL_ERROR|EXEC_FAILED|SETUP_FAILED|INVALID_PLAN|INVALID_SIZE|NOT_SUPPORTED|INVALID_DEVICE)|(?P<lib>NVRTC)_ERROR_(?P<what>INVALID_OPTION|COMPILATION|BUILTIN_OPERATION_FAILURE|OUT_OF_MEMORY|INTERNAL_ERROR)|(?P<lib>NPP)_(?P<what>CUDA_KERNEL_EXECUTION_ERROR|NO_MEMORY_ERROR|CUFFT_ERROR))\b`,
			Layer:    rule.Application, Strength: Weak,
			Meaning: "A call of a CUDA library failed; its name says how.",
			Causes: causes(
				Cause{
					When: on(Is("lib", "NVRTC"), Is("what", "INVALID_OPTION|BUILTIN")), Layer: rule.CUDALibraries,
					Title: "The run-time compiler NVRTC does not know an option that the program gives it (NVRTC_ERROR_{what}): mostly the GPU's architecture[, {sm} ({gpu})], or the libnvrtc that is found is of another CUDA than the program's",
					Text:  "A program that is built for one CUDA loads libnvrtc.so of whatever toolkit is found first[ (here CUDA {toolkit})]; an older one knows neither newer GPUs nor newer options, and CUDA 12 and 13 dropped old GPUs.",
					Remedies: []Remedy{
						fix("let the program find the libnvrtc of its own CUDA release", "check", "ldconfig -p | grep -e nvrtc; echo $LD_LIBRARY_PATH; nvidia-smi --query-gpu=name,compute_cap --format=csv"),
					},
					Ask: "the lines that NVRTC wrote to its log",
				},
				Cause{
					When: on(Is("lib", "NVRTC")), Layer: rule.Application,
					Title:    "A kernel did not compile at run time (NVRTC_ERROR_{what}): its log says which line",
					Text:     "Usual reasons: headers of the toolkit (cuda_fp16.h) are not found by NVRTC, the code wants a newer CUDA than the libnvrtc that is loaded, or the code itself.",
					Remedies: []Remedy{fix("read NVRTC's log, and give it the toolkit's headers", "shell", "export CUDA_PATH=/usr/local/cuda", "check", "ldconfig -p | grep nvrtc")},
					Ask:      "the log that NVRTC wrote",
				},
				Cause{
					When: on(Is("what", "ARCH_MISMATCH|MATRIX_TYPE")), Layer: rule.GPUArch,
					Title:    "{lib|lower} does not do this on this GPU's architecture[ ({gpu}, {sm})]: {status}",
					Text:     "The function or the data type needs a newer GPU.",
					Remedies: []Remedy{fix("use another data type or algorithm, or a newer GPU", "check", "nvidia-smi --query-gpu=name,compute_cap --format=csv")},
				},
				Cause{
					When: on(Is("what", "INSUFFICIENT_DRIVER")), Layer: rule.Driver,
					Title:    "The driver[ {driver}] is too old for this {lib|lower} ({status})",
					Text:     "The library is of a newer CUDA than the driver runs.",
					Remedies: []Remedy{fix("update the driver", "check", "nvidia-smi")},
				},
				Cause{
					When: on(Is("what", "VERSION_MISMATCH")), Layer: rule.CUDALibraries,
					Title:    "The {lib|lower} that is loaded is of another release than the program was compiled with ({status})",
					Text:     "A second toolkit is found first.",
					Remedies: []Remedy{fix("leave one toolkit on the library path", "check", "ldconfig -p | grep -i {lib|lower}; echo $LD_LIBRARY_PATH")},
				},
				Cause{
					When: on(Is("what", "NOT_INITIALIZED|ALLOC|INITIALIZATION_FAILED|SETUP_FAILED|OUT_OF_MEMORY|NO_MEMORY")), Confidence: rule.Possible,
					Title:    "{lib|lower} did not start ({status}): mostly the GPU's memory[ of the {gpu}] is full",
					Text:     "The library wants memory for its handle and workspace. With free memory it is a library of another CUDA than the driver[ {driver}] or the GPU takes.",
					Remedies: []Remedy{fix("look how much is free, use smaller data, and end other processes on the GPU", "check", "nvidia-smi"), fix("where memory is free, see which library is loaded, and whether it is of the program's CUDA", "check", "ldd ./program | grep -i {lib|lower}")},
					Ask:      "nvidia-smi while the program runs",
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "A call of {lib|lower} failed ({status})",
					Text:       "The program gave it data or sizes that it does not take, an earlier kernel of the program failed, or memory is short. With a GPU that is newer than the library (cuFFT of CUDA 11.6 and older on RTX 40, older ones on RTX 50) it fails on every call.",
					Remedies:   []Remedy{fix("run it with CUDA_LAUNCH_BLOCKING=1 and compute-sanitizer to see the first error", "shell", "CUDA_LAUNCH_BLOCKING=1 compute-sanitizer ./program"), fix("on a GPU that is newer than the program, use its build for a newer CUDA", "check", "nvidia-smi")},
					Ask:        "the GPU's model, and the CUDA release that the program was built with",
				},
			),
			Samples: []string{"cusolver error: CUSOLVER_STATUS_INTERNAL_ERROR", "NVRTC Error(5): NVRTC_ERROR_INVALID_OPTION", "CUFFT_INTERNAL_ERROR"},
			Misses:  []string{"CUSOLVER_STATUS_SUCCESS"},
			Source:  "https://github.com/arrayfire/arrayfire/issues/2856",
		},
		{
			ID: "program-without-gpu-support", Product: "CUDA programs",
			Literals: []string{"without GPU", "without the GPU", "without the CUDA", "GPU support", "CUDA support", "with CUDA", "CUDA backend", "GPU backend", "CUDA disabled", "GPU disabled", "'cuda' not enabled", "Cuda is not enabled", "CUDA module", "cuStateVec"},
			Pattern: `(?i)\b(?:enabled|requested|selected) without (?:\w+/)*(?:GPU|CUDA)(?:/\w+)* support|\b(?:(?:was|is|were|been) )?(?:not|n't) (?:compiled|built|configured|linked) with (?:the )?(?:CUDA|GPU|NVIDIA)\b|` +
				`\b(?:compiled|built|configured) without (?:the )?(?:CUDA|GPU)(?: (?:package|module|backend|support))?\b|\b(?:CUDA|GPU) (?:support |backend )?(?:is |was )?(?:not enabled|disabled|not compiled in|not included) (?:in|at) (?:this|the|compile)|` +
				`\bno (?:CUDA|GPU) (?:support|backend)(?: is| was)? (?:compiled|built) in|\bhas no CUDA (?:support|backend)\b|feature '?cuda'? (?:is )?not enabled|Kokkos::Cuda is not enabled|does not support(?:ed)? cuStateVec|cuStateVec GPU execution requested, but not supported`,
			Layer: rule.FrameworkBuild, Strength: Weak,
			Where: on(Not(Seen("extension-without-gpu", "colmap-no-cuda", "xgboost-without-cuda", "lightgbm-without-gpu", "gromacs-no-gpu", "opencv-no-cuda", "ffmpeg-no-nvenc", "candle-no-cuda",
				"mxnet-cpu-build", "bitsandbytes-cpu", "pytorch-cpu-build", "tensorflow-cpu-build"))),
			Meaning: "A program says that it was built without its part for the GPU.",
			Causes: causes(Cause{
				Title: "This program was built without its part for CUDA: it has to be built, or installed, with it",
				Text:  "Whether a program has GPU code is settled when it is built (configure --with-cuda, cmake -D…CUDA=ON, a package of another name). Driver and GPU do not change that.",
				Remedies: []Remedy{
					fix("build it anew with the option for CUDA in an empty build directory, with nvcc on PATH, and read what its configure step says of CUDA", "check", "which nvcc; nvcc --version"),
					fix("or install the package or binary that is made for CUDA, and see that it is the one that runs", "check", "which -a PROGRAM; ldd $(which PROGRAM) | grep -i cuda"),
				},
			}),
			Samples: []string{
				"ERROR: GPU_MODE enabled without GPU/CUDA/OpenCL Support. To enable GPU support, reconfigure with --with-gpu",
				"FATAL: program was not built with GPU support",
				"CUDA support is not enabled in this build",
				"ERROR: Simulation device \"GPU\" does not support cuStateVec on this system",
			},
			Misses: []string{"built with CUDA 12.4", "-- CUDA support: ON", "GPU support: enabled"},
			Source: "https://github.com/SPECFEM/specfem3d_globe/issues/602",
		},
	}
}
