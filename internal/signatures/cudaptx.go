package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cudaPTX are the errors of CUDA about PTX that the driver does not compile.
func cudaPTX() []*Signature {
	return []*Signature{
		{
			ID: "cuda-unsupported-ptx", Product: "cuda",
			Literals: []string{"PTX was compiled with an unsupported toolchain", "unsupported toolchain", "UNSUPPORTED_PTX_VERSION", "cudaErrorUnsupportedPtxVersion", "Unsupported PTX version"},
			Pattern:  `(?i)(?:PTX\s+was\s+comp\w+\s+(?:with|by)\s+an\s+unsupported\s+toolchain|CUDA_ERROR_UNSUPPORTED_PTX_VERSION|cudaErrorUnsupportedPtxVersion|Unsupported PTX version)(?:[\s\S]{0,250}?Unsupported \.version (?P<ptx>\d+\.\d+); current version is '(?P<known>\d+\.\d+)'|[\s\S]{0,250}?cudatoolkit[ =]+(?P<conda>\d+\.\d+))?`,
			Layer:    rule.Driver, Strength: Strong, ExplainedBy: []string{"CUD003"},
			Meaning: "The driver has to compile PTX, and the PTX is newer than its compiler (error 222).",
			Causes: causes(
				Cause{
					When:  on(Has("driver")),
					Title: "Driver {driver}[, which knows the PTX of CUDA {driver|cuda} at most,] cannot compile this program's PTX[ (version {ptx}; it knows {known})][, made with CUDA {toolkit} || , made with CUDA {conda}] (error 222)",
					Text:  "the provided PTX was compiled with an unsupported toolchain: it comes from a newer CUDA[ ({toolkit})] than the driver's[ ({driver|cuda})]. Minor-version compatibility does not cover PTX[, and the build has no machine code for {sm}].",
					Remedies: []Remedy{
						fix("update the driver to the release of that CUDA[ ({toolkit}) || , {cuda|mindriver} or newer]"),
						when(fix("or keep the environment's CUDA toolkit to the driver's CUDA {driver|cuda}", "conda", "conda install -c conda-forge cuda-version={driver|cuda}", "conda, before CUDA 12", "conda install -c conda-forge cudatoolkit={driver|cuda}"), Any(InConda, Says("openmm", "OpenMM", "cupy.", "numba", "cudatoolkit"))),
						fix("or use a build made with CUDA {driver|cuda} or older, or one that has machine code (a cubin)[ for {sm}]"),
					},
				},
				Cause{
					Title: "The driver is too old for this program's PTX[ (version {ptx}; it knows {known})][, which CUDA {toolkit} made || , which CUDA {conda} made] (error 222, unsupported toolchain)",
					Text:  "The PTX comes from a newer CUDA[ ({toolkit})] than the driver's. Minor-version compatibility does not cover PTX.",
					Remedies: []Remedy{
						fix("update the driver to the release of that CUDA[ ({toolkit}) || , {cuda|mindriver} or newer]", "check", "nvidia-smi"),
						fix("or use a build made with the driver's CUDA or older, or one that has machine code for this GPU"),
					},
					Ask: "nvidia-smi, and the CUDA that the program was built with (nvcc --version where it was compiled)",
				},
			),
			Samples: []string{
				"RuntimeError: CUDA error: the provided PTX was compiled with an unsupported toolchain.",
				"it says that the PTX was complied with an unsupported toolchain",
				"LinkerError: [222] Call to cuLinkAddData results in CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
			},
			Misses: []string{"warning: unsupported toolchain file"},
			Source: "https://github.com/openucx/ucx/issues/8569",
		},
		{
			ID: "ptxas-unsupported-ptx-version", Product: "ptxas",
			Literals: []string{"Unsupported .version"},
			Pattern:  `Unsupported \.version (?P<ptx>\d+\.\d+); current version is '(?P<known>\d+\.\d+)'`,
			Layer:    rule.Driver,
			Meaning:  "PTX is of a newer version than the compiler that reads it: the driver's, or ptxas of a toolkit.",
			Causes: causes(
				Cause{
					When: on(Says("ptxas fatal", "ptxas /tmp", "/bin/ptxas", "ptxas stderr", "PTXASError")), Layer: rule.Toolkit,
					Title:    "ptxas is too old for this PTX: it knows {known}, the PTX is {ptx}",
					Text:     "The compiler that wrote the PTX is of a newer CUDA than the ptxas that assembles it, which was found first.",
					Remedies: []Remedy{fix("put the ptxas of the newer toolkit first on PATH, or name it", "triton", "export TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas")},
				},
				Cause{
					Title:    "The driver[ {driver}] is too old for this PTX: it knows {known}, the PTX is {ptx}",
					Text:     "The driver's PTX compiler reads the PTX of its own CUDA[ ({driver|cuda})] and older ones; minor-version compatibility does not cover PTX.",
					Remedies: []Remedy{fix("update the driver, or compile with a toolkit no newer than the driver's CUDA[ {driver|cuda}]", "check", "nvidia-smi")},
				},
			),
			Samples: []string{"ptxas application ptx input, line 9; fatal   : Unsupported .version 8.3; current version is '8.1'"},
			Misses:  []string{"Unsupported .version in manifest"},
			Source:  "https://docs.nvidia.com/cuda/parallel-thread-execution/",
		},
		{
			ID: "cuda-invalid-ptx", Product: "cuda",
			Literals: []string{"a PTX JIT compilation failed", "cudaErrorInvalidPtx", "CUDA_ERROR_INVALID_PTX"},
			Layer:    rule.GPUArch, ExplainedBy: []string{"ARC001", "ARC002", "CUD003"},
			Meaning: "The driver could not compile the program's PTX for this GPU (error 218).",
			Causes: causes(Cause{
				Title:    "The program's PTX cannot be compiled for this GPU[: {sm}] (CUDA_ERROR_INVALID_PTX, 218)",
				Text:     "The build has no machine code for the GPU[ ({gpu})], and its PTX does not fit either: it is for another architecture, or its generator does not know this one yet.",
				Remedies: []Remedy{fix("use a build with machine code for this GPU[ ({sm}, CUDA {sm|firstcuda} or newer)]")},
				Ask:      "nvidia-smi --query-gpu=name,compute_cap,driver_version --format=csv",
			}),
			Samples: []string{"'cuModuleLoadData(&module, data)' failed with 'CUDA_ERROR_INVALID_PTX'", "CUDA error: a PTX JIT compilation failed"},
			Misses:  []string{"ptxas info: compiling entry function"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
		{
			ID: "cuda-jit-compiler-missing", Product: "cuda",
			Literals: []string{"PTX JIT compiler library not found", "cudaErrorJitCompilerNotFound", "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "libnvidia-ptxjitcompiler.so"},
			Pattern:  `(?:PTX JIT compiler library not found|cudaErrorJitCompilerNotFound|CUDA_ERROR_JIT_COMPILER_NOT_FOUND|libnvidia-ptxjitcompiler\.so\S*: cannot open)`,
			Layer:    rule.Driver, Strength: Strong, ExplainedBy: []string{"DRV009", "CTR006"},
			Meaning: "The driver's PTX compiler, libnvidia-ptxjitcompiler.so.1, is not found beside libcuda (error 221).",
			Causes: causes(
				Cause{
					When: on(InContainer), Layer: rule.ContainerRuntime,
					Title:    "libnvidia-ptxjitcompiler.so.1 is not passed into the container",
					Text:     "The driver has to compile PTX and its compiler is missing: the container toolkit passes it with the capability compute.",
					Remedies: []Remedy{fix("start the container with NVIDIA_DRIVER_CAPABILITIES=compute,utility", "docker", "docker run --rm --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility ubuntu ldconfig -p")},
				},
				Cause{
					Title:    "The driver's PTX compiler, libnvidia-ptxjitcompiler.so.1, is missing",
					Text:     "It is part of the driver and must be of the same release as libcuda[ ({driver})].",
					Remedies: []Remedy{fix("complete the driver's packages (libnvidia-compute, nvidia-driver-cuda-libs)", "check", "ldconfig -p | grep -e ptxjitcompiler -e libcuda.so")},
				},
			),
			Samples: []string{"RuntimeError: CUDA error: PTX JIT compiler library not found"},
			Misses:  []string{"/usr/lib/x86_64-linux-gnu/libnvidia-ptxjitcompiler.so.1 -> libnvidia-ptxjitcompiler.so.550.54.15"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
	}
}
