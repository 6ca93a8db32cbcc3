package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cudaCompat are the errors of CUDA about forward compatibility, MPS and what a platform does not do.
func cudaCompat() []*Signature {
	return []*Signature{
		{
			ID: "cuda-forward-compatibility", Product: "cuda",
			Literals: []string{"forward compatibility was attempted", "cudaErrorCompatNotSupportedOnDevice", "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "cuInit() returned 804", "cudaGetDeviceCount returned 804", "init failure: 804"},
			Layer:    rule.CUDARuntime, Strength: Strong, ExplainedBy: []string{"CUD001", "CUD002", "KRN004", "DRV007"},
			Meaning: "libcuda is newer than the kernel module, and this GPU is none that forward compatibility is made for (error 804).",
			Causes: causes(
				Cause{
					When: on(Not(InContainer), Not(Says("/compat", "cuda-compat", " image ", "Dockerfile")), Not(InKubernetes), Not(Below("driver|cuda", "{cuda}"))), Layer: rule.KernelModule, Confidence: rule.Possible,
					Title: "libcuda is newer than the loaded kernel module[ ({module})] on a GPU without forward compatibility (error 804): the driver was updated without a restart, or a cuda-compat library is on the path",
					Text:  "Forward compatibility is for data-centre GPUs alone[, and this is a {gpu}]. CUDA tries it whenever libcuda is newer than the kernel module.",
					Remedies: []Remedy{
						fix("restart the machine after the driver's update", "check", "cat /proc/driver/nvidia/version; ldconfig -p | grep libcuda.so"),
						fix("where a cuda-compat directory is on LD_LIBRARY_PATH[ ({library_path})], take it off", "shell", "echo $LD_LIBRARY_PATH"),
					},
					Ask: "cat /proc/driver/nvidia/version; ls -l $(ldconfig -p | awk '/libcuda.so.1/{print $NF}')",
				},
				Cause{
					Title: "The image's cuda-compat library is used on a GPU that it does not support (error 804)[; driver {driver}, CUDA {driver|cuda}]",
					Text: "The image brings a forward-compatibility libcuda (/usr/local/cuda/compat) for a CUDA newer than the host's driver[ ({driver}, CUDA {driver|cuda})]. " +
						"It works on data-centre GPUs alone, not on GeForce[; this is a {gpu}].",
					Remedies: []Remedy{
						fix("take the compat directory off the path: unset LD_LIBRARY_PATH, or remove the file in /etc/ld.so.conf.d that names /usr/local/cuda/compat; within one major release of CUDA the host's driver then runs the image", "in the container", "ldconfig -p | grep libcuda.so"),
						fix("or update the host's driver, or take an image of an older CUDA"),
					},
					Ask: "nvidia-smi on the host, and ldconfig -p | grep libcuda.so in the container",
				},
			),
			Samples: []string{"Error 804: forward compatibility was attempted on non supported HW", "CUDA failure 804: forward compatibility was attempted on non supported HW"},
			Misses:  []string{"forward compatibility is enabled"},
			Source:  "https://github.com/mistralai/mistral-inference/issues/144",
		},
		{
			ID: "cuda-mps", Product: "cuda",
			Literals: []string{"MPS client failed to connect", "cudaErrorMps", "CUDA_ERROR_MPS_", "MPS server is not ready", "MPS client has been terminated"},
			Pattern:  `(?:MPS client failed to connect|cudaErrorMps\w+|CUDA_ERROR_MPS_\w+|MPS server is not ready|MPS client has been terminated)`,
			Layer:    rule.DeviceExposure,
			Meaning:  "The process runs under MPS and does not reach its daemon or server (errors 805 to 810).",
			Causes: causes(Cause{
				Title: "CUDA does not reach the MPS daemon (MPS client failed to connect, 805, or a related error)",
				Text:  "MPS is in use, and the client does not find the control daemon's pipe directory, is another user than the server's, is in a container without the host's IPC, or the server stopped after a fault of another client.",
				Remedies: []Remedy{
					fix("start the daemon as the same user, share /tmp/nvidia-mps and host IPC with containers, and give CUDA_MPS_PIPE_DIRECTORY the same value on both sides", "shell", "nvidia-cuda-mps-control -d; ls -l /tmp/nvidia-mps"),
					fix("or run without MPS", "shell", "echo quit | nvidia-cuda-mps-control; unset CUDA_MPS_PIPE_DIRECTORY"),
				},
			}),
			Samples: []string{"Error 805: MPS client failed to connect to the MPS control daemon or the MPS server", "CUDA_ERROR_MPS_SERVER_NOT_READY"},
			Misses:  []string{"nvidia-cuda-mps-server"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
		{
			ID: "cuda-operation-not-supported", Product: "cuda",
			Literals: []string{"CUDA error: operation not supported", "cudaErrorNotSupported", "CUDA_ERROR_NOT_SUPPORTED", "OS call failed or operation not supported", "cudaErrorOperatingSystem", "CUDA_ERROR_OPERATING_SYSTEM"},
			Layer:    rule.DeviceExposure, Strength: Weak,
			Meaning: "The GPU, the driver or the operating system does not do what was asked (801), or an operating system call of the driver failed (304).",
			Causes: causes(
				Cause{
					When:  on(Says("OS call failed", "cudaErrorOperatingSystem", "CUDA_ERROR_OPERATING_SYSTEM")),
					Title: "A system call of the CUDA driver failed (OS call failed or operation not supported on this OS, 304)",
					Text:  "Device nodes that may not be opened, too few file descriptors or locked memory, a sandbox or container without a device, or a hypervisor that does not pass a function on.",
					Remedies: []Remedy{
						fix("look at the limits and the device nodes", "check", "ulimit -n -l; ls -l /dev/nvidia*; sudo dmesg | grep -e NVRM | tail"),
					},
					Ask: "ulimit -n -l; ls -l /dev/nvidia*; is it a container or a VM",
				},
				Cause{
					When:     on(OnWSL),
					Title:    "CUDA in WSL does not support this operation (801)",
					Text:     "WSL lacks parts of CUDA: IPC between processes, managed memory beyond the GPU's, pinned system memory without bound, peer access.",
					Remedies: []Remedy{fix("switch off what needs it (CUDA IPC, peer access, shared CUDA tensors between processes: NCCL_P2P_DISABLE=1), or run on Linux itself")},
				},
				Cause{
					Title:    "This GPU or its virtualisation does not support a CUDA operation (801)",
					Text:     "Operations such as unified memory, IPC, peer access or graphs are missing on vGPU profiles, MIG instances and in WSL.",
					Remedies: []Remedy{fix("switch the feature off in the program, or use a GPU that is passed through whole")},
					Ask:      "which CUDA call fails, and is the GPU a vGPU or a MIG instance (nvidia-smi -q)",
				},
			),
			Samples: []string{"RuntimeError: CUDA error: operation not supported", "CUDA error: OS call failed or operation not supported on this OS"},
			Misses:  []string{"operation not supported by the file system"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
	}
}
