package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// tfDriver is what TensorFlow and XLA say when the driver refuses, and when a kernel does not fit the GPU.
func tfDriver() []*Signature {
	return []*Signature{
		{
			ID: "tf-cuinit-failed", Product: "tensorflow",
			Literals:    []string{"failed call to cuInit", "operation cuInit(0) failed"},
			Pattern:     `(?i)failed call to cuInit: (?:INTERNAL: CUDA error: Failed call to cuInit: )?(?P<error>CUDA_ERROR_\w+|UNKNOWN ERROR(?: \(-?\d+\))?|CUresult\(-?\d+\))|operation cuInit\(0\) failed: (?P<error>CUDA_ERROR_\w+|Unknown CUDA error -?\d+)`,
			Layer:       rule.Driver,
			ExplainedBy: []string{"KRN004", "DEV003", "DRV001", "CUD001", "CUD002"},
			Meaning:     "The driver refused to start CUDA; the error says why.",
			Causes: causes(
				Cause{
					When:     on(Is("error", `NOT_FOUND|\(?500`), Any(OnWSL, OnWindows, Says("docker desktop"))),
					Layer:    rule.ContainerRuntime,
					Title:    "CUDA cannot start in a container under WSL (error 500, named symbol not found): Docker Desktop or nvidia-container-toolkit is older than the driver of Windows",
					Text:     "Drivers of branch 555 and newer need libnvdxgdmal.so.1 in the container too, which older releases do not pass in. nvidia-smi works all the same.",
					Remedies: []Remedy{fix("update Docker Desktop to 4.31 or newer, or nvidia-container-toolkit in WSL to 1.15 or newer, and restart", "powershell", "wsl --update; wsl --shutdown")},
				},
				Cause{
					When:     on(Is("error", `COMPAT_NOT_SUPPORTED|\(?804`)),
					Layer:    rule.CUDARuntime,
					Title:    "a cuda-compat libcuda is in use that this GPU does not allow (error 804)",
					Text:     "The libcuda for forward compatibility of an image or package is found before the driver's; it works on data centre GPUs alone. A half-updated driver gives the same error.",
					Remedies: []Remedy{fix("take /usr/local/cuda/compat off LD_LIBRARY_PATH and out of ld.so.conf.d, or use an image for the driver's CUDA"), fix("where nvidia-smi says Driver/library version mismatch, restart the machine")},
				},
				Cause{
					When:     on(Is("error", `SYSTEM_DRIVER_MISMATCH|\(?803`)),
					Layer:    rule.KernelModule,
					Title:    "libcuda and the loaded kernel module are of different versions (error 803)",
					Text:     "The driver was updated and the old module is still loaded, or a container brings another libcuda (cuda-compat or a baked-in driver).",
					Remedies: []Remedy{fix("restart the machine after the driver's update", "bash", "sudo reboot"), fix("in a container, take the compat directory and driver packages out of the image")},
				},
				Cause{
					When:     on(Is("error", `SYSTEM_NOT_READY|\(?802`)),
					Layer:    rule.KernelModule,
					Title:    "the NVSwitch system is not ready: Fabric Manager is not running (error 802)",
					Text:     "On HGX and DGX systems CUDA starts only after nvidia-fabricmanager of exactly the driver's version has run.",
					Remedies: []Remedy{fix("install and start Fabric Manager of the driver's version", "systemd", "sudo systemctl enable --now nvidia-fabricmanager")},
				},
				Cause{
					When:     on(Is("error", `OUT_OF_MEMORY`)),
					Layer:    rule.Application,
					Title:    "not the stack: the GPU has no memory left even to start CUDA",
					Text:     "Another process holds the memory.",
					Remedies: []Remedy{fix("see which process holds it, and end it or use another GPU", "bash", "nvidia-smi")},
				},
				Cause{
					When:     on(Is("error", `STUB_LIBRARY|\(34\)| 34$`)),
					Title:    "the stub of libcuda is loaded in place of the driver's (error 34)",
					Text:     "The stubs directory of the toolkit is on LD_LIBRARY_PATH; its libcuda is for linking alone.",
					Remedies: []Remedy{fix("take …/lib64/stubs off LD_LIBRARY_PATH")},
				},
				Cause{
					When:     on(Is("error", `303|SHARED_OBJECT_INIT|\(-1\)`), InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "libcuda.so.1 is not in the container (cuInit: {error})",
					Text:     "TensorFlow says 303 where libcuda.so.1 cannot be loaded. The container was started without the GPU.",
					Remedies: []Remedy{fix("start the container with the GPU", "docker", "docker run --rm --gpus all {image} nvidia-smi")},
				},
				Cause{
					When:     on(Is("error", `303|SHARED_OBJECT_INIT|\(-1\)`), OnWSL),
					Layer:    rule.DeviceExposure,
					Title:    "libcuda.so.1 is not found in WSL (cuInit: {error})",
					Text:     "It lies in /usr/lib/wsl/lib and comes from the Windows driver.",
					Remedies: []Remedy{fix("put /usr/lib/wsl/lib on LD_LIBRARY_PATH; where it is empty, update the Windows driver and WSL", "bash", "export LD_LIBRARY_PATH=/usr/lib/wsl/lib:$LD_LIBRARY_PATH")},
				},
				Cause{
					When:     on(Is("error", `303|SHARED_OBJECT_INIT|\(-1\)|UNKNOWN ERROR$`)),
					Title:    "libcuda.so.1 cannot be loaded: no NVIDIA driver is installed where TensorFlow runs (cuInit: {error})",
					Text:     "303 is what TensorFlow says where it does not find libcuda.so.1. Without an NVIDIA GPU this is no fault and the CPU is used.",
					Remedies: []Remedy{fix("with an NVIDIA GPU, install its driver until nvidia-smi works; in a container start it with --gpus all")},
					Ask:      "nvidia-smi",
				},
				Cause{
					When:     on(Is("error", `NO_DEVICE|\(?100`), Is("visible", `^(-1|none|NoDevFiles|)$`)),
					Layer:    rule.DeviceExposure,
					Title:    "CUDA_VISIBLE_DEVICES hides every GPU[: it is {visible}]",
					Text:     "The driver works, but the variable leaves no GPU visible.",
					Remedies: []Remedy{fix("unset it, or name an existing GPU", "bash", "unset CUDA_VISIBLE_DEVICES")},
				},
				Cause{
					When:     on(Is("error", `NO_DEVICE|\(?100`), InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "the container has no GPU (cuInit: {error})",
					Text:     "libcuda is there, but no device: the container got no GPU, NVIDIA_VISIBLE_DEVICES or CUDA_VISIBLE_DEVICES leaves none, or the device nodes are missing.",
					Remedies: []Remedy{fix("start the container with --gpus all and check inside", "docker", "docker run --rm --gpus all {image} nvidia-smi -L")},
					Ask:      "nvidia-smi -L in the container and on the host; echo $CUDA_VISIBLE_DEVICES",
				},
				Cause{
					When:     on(Is("error", `NO_DEVICE|\(?100`)),
					Layer:    rule.DeviceExposure,
					Title:    "the driver sees no usable GPU (cuInit: {error})",
					Text:     "libcuda is there and finds no device: CUDA_VISIBLE_DEVICES hides the GPUs[ (here {visible})], the kernel module is not loaded or of another version, the device nodes are missing, the GPU is too old for this driver branch, or the job got no GPU.",
					Remedies: []Remedy{fix("let CUDA_VISIBLE_DEVICES name an existing GPU, counted from 0", "bash", "echo $CUDA_VISIBLE_DEVICES; nvidia-smi -L"), fix("where nvidia-smi fails too, mend the driver first")},
					Ask:      "nvidia-smi; echo $CUDA_VISIBLE_DEVICES",
				},
				Cause{
					When:       on(Is("error", `CUDA_ERROR_UNKNOWN|999|NOT_INITIALIZED|INVALID_VALUE`)),
					Layer:      rule.DeviceExposure,
					Confidence: rule.Possible,
					Title:      "CUDA does not start: {error}, often after sleep or with nvidia_uvm not loaded",
					Text:       "The driver answers without a reason. Usual causes: nvidia_uvm is not loaded or lost its state in suspend, /dev/nvidia-uvm is missing or may not be opened, or the driver was updated without a restart. TensorFlow itself is not at fault.",
					Remedies:   []Remedy{fix("load nvidia_uvm anew", "bash", "sudo rmmod nvidia_uvm; sudo modprobe nvidia_uvm"), fix("or restart the machine; run sudo nvidia-modprobe -u -c=0 where /dev/nvidia-uvm is missing")},
					Ask:        "ls -l /dev/nvidia*; nvidia-smi",
				},
				Cause{
					Title:    "the driver does not start CUDA: {error}",
					Text:     "cuInit failed in the driver[ {driver}]; TensorFlow and the CUDA libraries are not at fault.",
					Remedies: []Remedy{fix("look for the reason in the kernel's log and mend the driver", "bash", "nvidia-smi; sudo dmesg | grep -iE 'nvrm|xid' | tail")},
					Ask:      "nvidia-smi, and sudo dmesg | grep -i nvrm",
				},
			),
			Samples: []string{
				"E tensorflow/stream_executor/cuda/cuda_driver.cc:271] failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected",
				"E external/local_xla/xla/stream_executor/cuda/cuda_platform.cc:51] failed call to cuInit: INTERNAL: CUDA error: Failed call to cuInit: UNKNOWN ERROR (303)",
				"failed call to cuInit: CUDA_ERROR_UNKNOWN: unknown error",
				"RuntimeError: jaxlib/cuda/versions_helpers.cc:98: operation cuInit(0) failed: Unknown CUDA error 303; cuGetErrorName failed.",
			},
			Misses: []string{"cuInit ok"},
			Source: "https://github.com/tensorflow/tensorflow/issues/53229",
		},
	}
}
