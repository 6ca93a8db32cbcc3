package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// xla is what the compiler of TensorFlow and JAX says about ptxas and libdevice.
func xla() []*Signature {
	return []*Signature{
		{
			ID: "xla-libdevice-missing", Product: "xla",
			Literals: []string{"libdevice not found", "Can't find libdevice directory", "libdevice.10.bc"},
			Pattern:  `libdevice not found at|Can't find libdevice directory|(?:could not|cannot|can't|failed to) (?:find|open|load) \S*libdevice\.10\.bc`,
			Layer:    rule.Toolkit,
			Strength: Strong,
			Meaning:  "XLA needs libdevice of the CUDA toolkit and does not find it.",
			Causes: causes(
				Cause{
					When:     on(InConda),
					Title:    "XLA does not find libdevice.10.bc in the Conda environment",
					Text:     "libdevice is part of cuda-nvcc, in nvvm/libdevice. Conda's runtime packages do not bring it, and XLA looks below the directory in xla_gpu_cuda_data_dir.",
					Remedies: []Remedy{fix("install it and tell XLA where it is", "conda", "conda install -c nvidia cuda-nvcc", "bash", "export XLA_FLAGS=--xla_gpu_cuda_data_dir=$CONDA_PREFIX")},
				},
				Cause{
					Title:    "XLA does not find libdevice.10.bc of the CUDA toolkit",
					Text:     "It is in nvvm/libdevice of a toolkit, or in the wheel nvidia-cuda-nvcc-cu12. XLA looks below ./ , /usr/local/cuda and the directory in xla_gpu_cuda_data_dir.",
					Remedies: []Remedy{fix("install the wheel, or tell XLA where the toolkit is", "pip", "python -m pip install nvidia-cuda-nvcc-cu12", "bash", "export XLA_FLAGS=--xla_gpu_cuda_data_dir=/usr/local/cuda")},
					Ask:      "find / -name libdevice.10.bc 2>/dev/null",
				},
			),
			Samples: []string{"INTERNAL: libdevice not found at ./libdevice.10.bc [Op:__inference_train_function_2]", "Can't find libdevice directory ${CUDA_DIR}/nvvm/libdevice. This may result in compilation or runtime failures"},
			Misses:  []string{"linking libdevice.10.bc"},
			Source:  "https://github.com/tensorflow/tensorflow/issues/56927",
		},
		{
			ID: "xla-ptxas-missing", Product: "xla",
			Literals: []string{"No PTX compilation provider is available", "Couldn't invoke ptxas", "Couldn't get ptxas version", "Couldn't get ptxas/nvlink version", "couldn't find a suitable version of the following binary: ptxas", "Failed to launch ptxas", "ptxas not found"},
			Pattern:  `(?i)No PTX compilation provider is available|Couldn't (?:invoke|get) ptxas|Failed to launch ptxas|binary: ptxas|ptxas not found`,
			Layer:    rule.Toolkit,
			Meaning:  "XLA has no compiler for PTX: neither ptxas nor nvJitLink is found.",
			Causes: causes(Cause{
				Title: "XLA finds no ptxas, the compiler of PTX",
				Text:  "ptxas comes with the CUDA toolkit or the wheel nvidia-cuda-nvcc-cu12 (cu13). XLA looks on PATH, below /usr/local/cuda and the directory in xla_gpu_cuda_data_dir. An image tagged runtime or base does not have it.",
				Remedies: []Remedy{
					fix("install it in the environment", "pip", "python -m pip install nvidia-cuda-nvcc-cu12", "conda", "conda install -c nvidia cuda-nvcc"),
					fix("or put the toolkit's bin directory on PATH; in Docker use an image tagged devel"),
				},
				Ask: "which ptxas; ptxas --version",
			}),
			Samples: []string{"INTERNAL: No PTX compilation provider is available. Neither ptxas/nvlink nor nvjtlink is available.", "Couldn't invoke ptxas --version", "FAILED_PRECONDITION: Couldn't get ptxas/nvlink version string"},
			Misses:  []string{"ptxas info    : 0 bytes gmem"},
			Source:  "https://github.com/jax-ml/jax/issues/28929",
		},
		{
			ID: "xla-ptxas-old", Product: "xla",
			Literals: []string{"You are using ptxas", "ptxas too old", "is older than the minimum ptxas", "ptxas does not support CC"},
			Pattern:  `You are using ptxas (?P<have>\d+\.\d+\S*),? which is (?:older than|in range)|ptxas too old|ptxas does not support CC (?P<gpucc>\d+\.\d+)`,
			Layer:    rule.Toolkit,
			Meaning:  "The ptxas that was found is too old for XLA or for the GPU.",
			Causes: causes(Cause{
				Title:    "the ptxas that is found[ ({have})] is too old[ for GPUs of compute capability {gpucc}][ (the toolkit is {toolkit})]",
				Text:     "XLA takes the first ptxas on PATH or below CUDA_HOME; an older toolkit of the system hides the newer one of the environment.[ Code for {gpucc|sm} needs CUDA {gpucc|firstcuda}.] XLA then leaves the work to the driver or gives up.",
				Remedies: []Remedy{fix("install a newer one in the environment and let it come first on PATH", "pip", "python -m pip install -U nvidia-cuda-nvcc-cu12", "bash", "which -a ptxas")},
			}),
			Samples: []string{"You are using ptxas 10.1.243, which is older than 11.1. ptxas before 11.1 is known to miscompile XLA code", "UNIMPLEMENTED: ptxas ptxas too old. Falling back to the driver to compile."},
			Misses:  []string{"ptxas info : Used 32 registers"},
			Source:  "https://github.com/openxla/xla/issues/5932",
		},
		{
			ID: "xla-driver-older-than-ptxas", Product: "xla",
			Literals:    []string{"which is older than the ptxas CUDA version", "which is older than the PTX compiler version"},
			Pattern:     `driver's CUDA version is (?P<drivercuda>\d+\.\d+) which is older than the (?:ptxas CUDA|PTX compiler) version[^0-9]*\(?(?P<ptxas>\d+\.\d+[.\d]*)`,
			Layer:       rule.Driver,
			Strength:    Weak,
			ExplainedBy: []string{"DRV002"},
			Meaning:     "The driver is of an older CUDA release than the toolkit that XLA compiles with.",
			Causes: causes(Cause{
				Title:    "the driver[ {driver}] supports CUDA {drivercuda}, XLA compiles with {ptxas}",
				Text:     "Within a CUDA major release that works for machine code; what the driver must link or compile itself (PTX) it cannot, so XLA compiles one kernel after the other. Where no kernel image is available follows, this is the reason.",
				Remedies: []Remedy{fix("update the driver to one of CUDA {ptxas|minor} or newer (Linux {ptxas|minor|mindriver} or newer within the major release)"), fix("or compile one after the other", "bash", "export XLA_FLAGS=--xla_gpu_force_compilation_parallelism=1")},
			}),
			Samples: []string{"W external/org_tensorflow/tensorflow/compiler/xla/stream_executor/gpu/asm_compiler.cc:85] The NVIDIA driver's CUDA version is 12.2 which is older than the ptxas CUDA version (12.6.20). Because the driver is older than the ptxas version, XLA is disabling parallel compilation, which may slow down compilation."},
			Misses:  []string{"driver's CUDA version is 12.6"},
			Source:  "https://github.com/jax-ml/jax/issues/19821",
		},
		{
			ID: "xla-processor-unknown", Product: "xla",
			Literals: []string{"is not a recognized processor for this target"},
			Pattern:  `'(?P<arch>sm_\d+[af]?)' is not a recognized processor for this target`,
			Layer:    rule.GPUArch,
			Strength: Strong,
			Meaning:  "The LLVM in the framework does not know this GPU architecture.",
			Causes: causes(Cause{
				Title:    "the framework's compiler does not know {arch}: it is older than the GPU[ {gpu}]",
				Text:     "LLVM inside of XLA or Triton[ (jax {jax})][ (TensorFlow {tensorflow})] does not know {arch}[, an architecture of {arch|arch} that came with CUDA {arch|firstcuda}]. Results can be wrong or kernels fail.",
				Remedies: []Remedy{fix("update the framework to a release that is built for {arch}", "pip", "python -m pip install -U 'jax[cuda12]'")},
			}),
			Samples: []string{"'sm_120' is not a recognized processor for this target (ignoring processor)"},
			Misses:  []string{"'znver9' is not a recognized processor for this target (ignoring processor)"},
			Source:  "https://github.com/jax-ml/jax/issues/28929",
		},
	}
}
