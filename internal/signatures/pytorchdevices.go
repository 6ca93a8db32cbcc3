package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// pytorchDevices is what PyTorch says where the driver answers, but shows no GPU or an error.
func pytorchDevices() []*Signature {
	return []*Signature{
		{
			ID: "pytorch-device-count-error", Product: "pytorch",
			Literals: []string{"Unexpected error from cudaGetDeviceCount", "error from cudaGetDeviceCount"},
			Pattern:  `(?:Unexpected )?error from cudaGetDeviceCount\(\).*?\bError (?P<number>\d+)`,
			Layer:    rule.Driver, Strength: Weak,
			Meaning: "PyTorch asked the driver how many GPUs there are and got an error instead of a number.",
			Causes: causes(
				Cause{
					When: on(Is("number|errlayer", "^(device_exposure|application)$")), Layer: rule.DeviceExposure,
					Title: "CUDA cannot count the GPUs: error {number}[, {number|errname}: {number|errmessage}]",
					Text:  "[This comes from {number|errcauses}.] PyTorch only passes the driver's answer on.",
					Ask:   "[{number|erraction}; and ]nvidia-smi of the same place, and CUDA_VISIBLE_DEVICES",
				},
				Cause{
					When: on(Is("number|errlayer", "^kernel_module$")), Layer: rule.KernelModule,
					Title: "CUDA cannot count the GPUs: error {number}[, {number|errname}: {number|errmessage}]",
					Text:  "[This comes from {number|errcauses}.] PyTorch only passes the driver's answer on.",
				},
				Cause{
					Title: "CUDA cannot count the GPUs: error {number}[, {number|errname}: {number|errmessage}]",
					Text:  "[This comes from {number|errcauses}.] Error 500 (named symbol not found) here means a libcuda that does not fit the rest of the driver. PyTorch only passes the driver's answer on.",
					Remedies: []Remedy{
						fix("make libcuda and the kernel module one release: finish the driver's update and restart", "check", "cat /proc/driver/nvidia/version; ldconfig -p | grep libcuda.so.1"),
					},
					Ask: "[{number|erraction}; and ]nvidia-smi",
				},
			),
			Samples: []string{
				"RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 500: named symbol not found",
				"UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Did you run some cuda\nfunctions before calling NumCudaDevices() that might have already set an error?\nError 805: MPS client failed to connect to the MPS control daemon or the MPS server",
			},
			Misses: []string{"Unexpected error from cudaGetDeviceCount was fixed in this release"},
			Source: "https://github.com/gpustack/gpustack/issues/1254",
		},
		{
			ID: "pytorch-no-gpus-available", Product: "pytorch",
			Literals: []string{"No CUDA GPUs are available"},
			Layer:    rule.DeviceExposure, ExplainedBy: []string{"DEV003", "DEV001", "DEV002", "DEV004", "CTR007", "CTR010", "HWR001", "HWR003"},
			Meaning: "The driver answers, but shows this process no GPU.",
			Causes: causes(
				Cause{
					When:     on(Is("visible", `^(-1|NoDevFiles|none|"")$`)),
					Title:    "CUDA_VISIBLE_DEVICES={visible} hides every GPU from PyTorch",
					Text:     "The variable is a list of indices or UUIDs, and its value here names none.",
					Remedies: []Remedy{fix("unset CUDA_VISIBLE_DEVICES, or set it to an index that nvidia-smi -L shows", "shell", "unset CUDA_VISIBLE_DEVICES")},
				},
				Cause{
					When:     on(Has("visible")),
					Title:    "PyTorch sees no GPU: CUDA_VISIBLE_DEVICES={visible} names none that this process may use",
					Text:     "CUDA stops at the first index or UUID that does not exist, so a list that begins with a wrong one hides all. The variable must be set before CUDA starts.",
					Remedies: []Remedy{fix("set CUDA_VISIBLE_DEVICES to what nvidia-smi -L lists in the same place, or unset it", "check", "nvidia-smi -L")},
				},
				Cause{
					When:  on(Says("ray::", "import ray", "raylet", "RayWorker")),
					Title: "Ray gave this task no GPU, so PyTorch sees none",
					Text:  "Ray sets CUDA_VISIBLE_DEVICES for each task and actor, to nothing where none was asked for.",
					Remedies: []Remedy{
						fix("ask for it: @ray.remote(num_gpus=1), or resources_per_worker={\"GPU\": 1}"),
					},
				},
				Cause{
					When:     on(Says("ZeroGPU", "spaces.GPU", "zero-gpu"), Not(InKubernetes)),
					Layer:    rule.Application,
					Title:    "CUDA was used outside of a function that ZeroGPU lends a GPU to",
					Text:     "On ZeroGPU there is a GPU only inside functions with @spaces.GPU.",
					Remedies: []Remedy{fix("move CUDA calls into a function with @spaces.GPU")},
				},
				Cause{
					When:  on(InContainer),
					Title: "PyTorch sees no GPU in this container",
					Text:  "libcuda is there, but no GPU behind it: the container was given none (--gpus, NVIDIA_VISIBLE_DEVICES), its device nodes are missing, or CUDA_VISIBLE_DEVICES hides them.",
					Remedies: []Remedy{
						fix("start the container with --gpus all, and look at what it sees", "docker", "docker run --rm --gpus all ubuntu nvidia-smi -L"),
					},
					Ask: "inside the container: nvidia-smi -L; ls -l /dev/nvidia*; env | grep VISIBLE",
				},
				Cause{
					Title: "The driver shows PyTorch no GPU",
					Text:  "Either CUDA_VISIBLE_DEVICES hides them (the program or a scheduler sets it), or the session has no GPU: a notebook without an accelerator, a job without --gres=gpu, MIG mode without instances.",
					Remedies: []Remedy{
						fix("unset CUDA_VISIBLE_DEVICES; in a notebook choose a GPU runtime; in Slurm ask for --gres=gpu:1", "check", "nvidia-smi -L; env | grep VISIBLE"),
					},
					Ask: "nvidia-smi -L and env | grep VISIBLE, in the same place as the program",
				},
			),
			Samples: []string{"RuntimeError: No CUDA GPUs are available"},
			Misses:  []string{"2 CUDA GPUs are available"},
			Source:  "https://github.com/pytorch/pytorch/issues/49325",
		},
	}
}
