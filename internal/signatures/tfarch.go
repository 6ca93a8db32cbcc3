package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// tfArch is what TensorFlow says where a build does not fit the GPU.
func tfArch() []*Signature {
	return []*Signature{
		{
			ID: "tf-kernel-not-for-gpu", Product: "tensorflow",
			Literals:    []string{"CUDA_ERROR_INVALID_PTX", "CUDA_ERROR_INVALID_HANDLE", "CUDA_ERROR_NO_BINARY_FOR_GPU", "cudaErrorNoKernelImageForDevice"},
			Pattern:     `CUDA_ERROR_(?P<error>INVALID_PTX|INVALID_HANDLE|NO_BINARY_FOR_GPU)|cudaErrorNoKernelImageForDevice`,
			Layer:       rule.GPUArch,
			ExplainedBy: []string{"ARC001", "ARC002", "CUD003"},
			Meaning:     "A kernel could not be loaded: the build has none for this GPU, or its PTX cannot be compiled.",
			Causes: causes(
				Cause{
					When:     on(AtLeast("cc", "10.0")),
					Title:    "this build has no working code for the GPU[ {gpu}] (compute capability {cc}, {sm})",
					Text:     "The GPU is newer than the architectures that the build was compiled for[ (TensorFlow {tensorflow})]; compiling its PTX fails. GPUs of {sm} need CUDA {sm|firstcuda} or newer in the build. A newer driver or CUDA installation does not add code to the package.",
					Remedies: []Remedy{fix("use a build with {sm}: NVIDIA's container for TensorFlow (nvcr.io/nvidia/tensorflow:25.02-tf2-py3), a nightly, or a newer release"), fix("or build from source with compute_{cc|sm} in TF_CUDA_COMPUTE_CAPABILITIES")},
				},
				Cause{
					When:     on(Is("error", "NO_BINARY_FOR_GPU")),
					Title:    "this build has no code for the GPU[ {gpu}][ ({sm})]: {error}",
					Text:     "The program holds kernels for a list of architectures, and neither code nor PTX for this GPU is among them: the GPU is newer than the release, or older than what it supports. The driver cannot add it.",
					Remedies: []Remedy{fix("use a newer release of the program (for an older GPU an older one) that lists the GPU's compute capability, or build it for it")},
					Ask:      "nvidia-smi --query-gpu=name,compute_cap,driver_version --format=csv",
				},
				Cause{
					Title:    "a kernel does not load on this GPU[ {gpu}][ ({sm})]: {error}",
					Text:     "Either the build has no code for the GPU's architecture, as with GPUs that are newer than it (RTX 50 is sm_120), or the driver[ {driver}] is older than the toolkit that made its PTX.",
					Remedies: []Remedy{fix("use a newer build that lists the GPU's architecture, for TensorFlow on new GPUs NVIDIA's container"), fix("update the driver where it is older than the CUDA of the build")},
					Ask:      "nvidia-smi --query-gpu=name,compute_cap,driver_version --format=csv",
				},
			),
			Samples: []string{"INTERNAL: 'cuModuleLoadData(&module, data)' failed with 'CUDA_ERROR_INVALID_PTX'", "'cuLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ, 0, s, params, nullptr)' failed with 'CUDA_ERROR_INVALID_HANDLE'", "CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image is available for execution on the device"},
			Misses:  []string{"CUDA_ERROR_INVALID_VALUE"},
			Source:  "https://github.com/tensorflow/tensorflow/issues/99592",
		},
		{
			ID: "tf-older-than-gpu", Product: "tensorflow",
			Literals: []string{"tensorflow-gpu", "tensorflow 1.", "tensorflow==1.", "tensorflow: 1.", "tensorflow version", "tensorflow1.", "tensorflow-1.", "tensorflow_gpu-1.", "tensorflow v1.", "with tf 1.", "with tf1.", "tensorflow 2.0", "tensorflow 2.1.", "tensorflow 2.2", "tensorflow 2.3", "tensorflow==2.0", "tensorflow==2.1.", "tensorflow==2.2", "tensorflow==2.3"},
			Pattern:  `(?i)\b(?:tensorflow|tf)(?:[-_]gpu)?(?: version)?[^\n]{0,40}?\b(?P<tf>1\.\d{1,2}|2\.[0-3])\b`,
			Role:     Context, Layer: rule.GPUArch,
			Where:   on(Any(fails, Says(" hang", "bad output", "wrong result", "wrong output", "fixed result", "same result", "same output", "constant output", " nan ", "takes forever", "very slow", "stuck", "freez", "launch failed", "_FAILED", "Internal error", "InternalError")), AtLeast("cc", "8.0"), Not(AtLeast("tensorflow", "2.4")), Not(Says("nvidia-tensorflow", "nvidia_tensorflow", "nvcr.io", "nvidia-pyindex"))),
			Meaning: "A TensorFlow of before CUDA 11 runs on a GPU that is newer than it.",
			Causes: causes(Cause{
				When:  on(Has("tf")),
				Title: "TensorFlow {tf} is older than the GPU[ {gpu}] ({sm}): its builds are made with CUDA 10 or older, and code for {sm} begins with CUDA {sm|firstcuda}",
				Text:  "On GPUs of compute capability {cc}[ ({sm|arch})] the official packages of TensorFlow 1.x and 2.0 to 2.3 start after minutes, hang, fail in cuBLAS or cuDNN, or give wrong results. A newer driver or toolkit beside it does not help.",
				Remedies: []Remedy{
					fix("use TensorFlow 2.5 or newer (CUDA 11.2)"),
					fix("or for programs of TensorFlow 1 NVIDIA's own build of 1.15 (nvidia-tensorflow for Linux, or the image nvcr.io/nvidia/tensorflow with tf1), which is made with CUDA 11 and newer"),
				},
			}),
			Samples: []string{"With tensorflow-gpu==1.14 on an RTX 3060 the first step never ends", "TensorFlow version: 2.1.0"},
			Misses:  []string{"TensorFlow version: 2.12.0", "tensorflow 2.4"},
			Source:  "https://github.com/tensorflow/tensorflow/issues/44832",
		},
		{
			ID: "tf-jit-compiles", Product: "tensorflow",
			Literals:    []string{"not built with CUDA kernel binaries compatible with compute capability"},
			Pattern:     `not built with CUDA kernel binaries compatible with compute capability (?P<gpucc>\d+\.\d+)`,
			Layer:       rule.GPUArch,
			Strength:    Weak,
			ExplainedBy: []string{"ARC001", "ARC002", "CUD003"},
			Meaning:     "TensorFlow has no machine code for this GPU and compiles PTX at the first start, which takes long.",
			Causes: causes(Cause{
				Title:    "TensorFlow[ {tensorflow}] has no machine code for GPUs of compute capability {gpucc} ({gpucc|sm}) and compiles PTX instead",
				Text:     "The first start takes up to half an hour, later ones use the cache in ~/.nv/ComputeCache. Where CUDA_ERROR_INVALID_PTX or INVALID_HANDLE follows, the PTX does not work on this GPU and another build is needed.",
				Remedies: []Remedy{fix("use a build that has {gpucc|sm}: NVIDIA's container for TensorFlow or a newer release"), fix("or wait for the first start and enlarge the cache", "bash", "export CUDA_CACHE_MAXSIZE=4294967296")},
			}),
			Samples: []string{"W0000 gpu_device.cc:2433] TensorFlow was not built with CUDA kernel binaries compatible with compute capability 12.0. CUDA kernels will be jit-compiled from PTX, which could take 30 minutes or longer."},
			Misses:  []string{"TensorFlow was built with CUDA"},
			Source:  "https://github.com/tensorflow/tensorflow/issues/97387",
		},
		{
			ID: "tf-gpu-ignored", Product: "tensorflow",
			Literals: []string{"Ignoring visible gpu device"},
			Pattern:  `(?i)Ignoring visible gpu device \(device: (?P<index>\d+), name: (?P<gpu>[^,]+),.{0,80}?compute capability: (?P<gpucc>\d+\.\d+)\) with (?:Cuda compute capability \S+ The minimum required Cuda capability is (?P<need>\d+\.\d+)|core count: (?P<cores>\d+)\. The minimum required count is (?P<mincores>\d+))`,
			Layer:    rule.GPUArch,
			Strength: Strong,
			Meaning:  "TensorFlow leaves a GPU out, because its compute capability or its number of multiprocessors is below its limit.",
			Causes: causes(
				Cause{
					When:     on(Has("cores")),
					Layer:    rule.Application,
					Title:    "TensorFlow leaves out the {gpu}: it has {cores} multiprocessors, the limit is {mincores}",
					Text:     "With several GPUs TensorFlow ignores those that are much smaller than the others.",
					Remedies: []Remedy{fix("set TF_MIN_GPU_MULTIPROCESSOR_COUNT to {cores} to use it anyway", "bash", "export TF_MIN_GPU_MULTIPROCESSOR_COUNT={cores}")},
				},
				Cause{
					Title:    "TensorFlow[ {tensorflow}] does not support the {gpu}: its compute capability is {gpucc}, the build needs {need}",
					Text:     "The build has no code for GPUs below {need}. A driver does not change this.",
					Remedies: []Remedy{fix("use an older TensorFlow that has {gpucc|sm}, or build from source for it"), fix("or use the CPU")},
				},
			),
			Samples: []string{
				"Ignoring visible gpu device (device: 0, name: GeForce GT 730, pci bus id: 0000:01:00.0, compute capability: 3.0) with Cuda compute capability 3.0. The minimum required Cuda capability is 3.5.",
				"Ignoring visible gpu device (device: 1, name: Quadro K620, pci bus id: 0000:02:00.0, compute capability: 5.0) with core count: 3. The minimum required count is 8.",
			},
			Misses: []string{"Adding visible gpu devices: 0"},
			Source: "https://github.com/tensorflow/tensorflow/issues/47606",
		},
	}
}
