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
