package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// pytorchUnknown is what PyTorch says where the driver does not start or gives no reason.
func pytorchUnknown() []*Signature {
	return []*Signature{
		{
			ID: "pytorch-driver-initialization", Product: "pytorch",
			Literals: []string{"CUDA driver initialization failed", "Can't initialize NVML", "can't initialize NVML"},
			Pattern:  `(?:CUDA driver initialization failed|[Cc]an't initialize NVML)`,
			Layer:    rule.Driver, Strength: Weak, ExplainedBy: []string{"KRN004", "KRN003", "DRV001", "DRV007", "CTR001", "DEV001", "DEV002"},
			Meaning: "PyTorch could not start the driver, or its management library.",
			Causes: causes(
				Cause{
					When: on(InContainer), Layer: rule.ContainerRuntime, Confidence: rule.Possible,
					Title:    "The driver does not start inside the container: no GPU was given to it, or the container lost it",
					Text:     "The host's driver and devices are passed in by the NVIDIA runtime; a systemd reload on the host can take the devices away from a running container.",
					Remedies: []Remedy{fix("start the container anew with --gpus all", "docker", "docker run --rm --gpus all ubuntu nvidia-smi")},
					Ask:      "nvidia-smi on the host and in the container",
				},
				Cause{
					When:  on(Below("driver_cuda", "11")),
					Title: "The driver[ {driver}], which runs CUDA {driver_cuda} at most, is too old for this PyTorch[ ({torch})], which is built with CUDA 11 or newer",
					Text:  "Builds with CUDA 11 (11.3 and others) need driver 450.80.02 or newer (452.39 on Windows), those with CUDA 12 525.60.13 (527.41). The cudatoolkit of Conda and pip's wheels bring the runtime, never the driver.",
					Remedies: []Remedy{
						fix("update the driver of the machine", "check", "nvidia-smi"),
						fix("or take a PyTorch that is built with CUDA {driver_cuda} or older[: torch {driver_cuda|torchfordriver}]"),
					},
				},
				Cause{
					Title:    "The NVIDIA driver does not start for PyTorch",
					Text:     "Either there is no GPU that the driver drives, or the driver's parts are of different releases after an update without a restart.",
					Remedies: []Remedy{fix("see what nvidia-smi says; after a driver update, restart the machine", "check", "nvidia-smi; cat /proc/driver/nvidia/version")},
					Ask:      "nvidia-smi",
				},
			),
			Samples: []string{"RuntimeError: CUDA driver initialization failed, you might not have a CUDA gpu.", "UserWarning: Can't initialize NVML"},
			Misses:  []string{"the driver initialization failed over"},
			Source:  "https://github.com/pytorch/pytorch/issues/49325",
		},
		{
			ID: "pytorch-cuda-unknown-error", Product: "pytorch",
			Literals: []string{"CUDA unknown error - this may be due", "CUDA unknown error"},
			Pattern:  `CUDA unknown error(?: - this may be due to an incorrectly set up environment)?`,
			Layer:    rule.DeviceExposure, Strength: Weak, ExplainedBy: []string{"DEV001", "DEV004", "KRN008", "KRN004", "DEV002", "DEV007"},
			Meaning: "The driver could not start CUDA and does not say why (error 999).",
			Causes:  unknownErrorCauses,
			Samples: []string{
				"UserWarning: CUDA initialization: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start. Setting the available devices to be zero.",
				"RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment",
			},
			Misses: []string{"CUDA: unknown device name"},
			Source: "https://github.com/pytorch/pytorch/issues/49081",
		},
	}
}

// unknownErrorCauses are those of error 999, whoever prints it.
var unknownErrorCauses = causes(
	Cause{
		When: on(Says("suspend", "hibernat", "after sleep", "woke up", "wake up", "waking", "resume from", "sleep mode", "from sleep")), Layer: rule.KernelModule,
		Title:    "CUDA fails with an unknown error (999) after suspend: the nvidia_uvm module lost its state",
		Text:     "Without the driver's suspend services the memory that nvidia_uvm manages does not survive sleep, and every cuInit fails until the module is loaded anew.",
		Remedies: []Remedy{fix("end the programs that use the GPU and reload nvidia_uvm, or restart", "shell", "sudo rmmod nvidia_uvm && sudo modprobe nvidia_uvm"), fix("to keep it from coming back: NVreg_PreserveVideoMemoryAllocations=1 and nvidia-suspend.service, nvidia-resume.service", "shell", "sudo systemctl enable nvidia-suspend nvidia-resume nvidia-hibernate")},
	},
	Cause{
		When:     on(InContainer),
		Title:    "CUDA cannot start in this container (unknown error, 999)",
		Text:     "The usual reason is a missing or unreadable /dev/nvidia-uvm inside the container, then a libcuda of another release than the host's kernel module.",
		Remedies: []Remedy{fix("see whether nvidia-uvm is loaded on the host and passed in, then start the container anew", "host", "sudo nvidia-modprobe -u -c=0; ls -l /dev/nvidia*")},
		Ask:      "inside the container: ls -l /dev/nvidia*; on the host: nvidia-smi and the newest lines of dmesg",
	},
	Cause{
		Title: "CUDA cannot start: unknown error (999)",
		Text: "The driver gives no reason. What it usually is: nvidia_uvm is not loaded or its node /dev/nvidia-uvm is missing; the machine slept; the driver was updated without a restart; " +
			"CUDA_VISIBLE_DEVICES was changed after CUDA had started.",
		Remedies: []Remedy{fix("load nvidia_uvm again; where that changes nothing, restart the machine", "shell", "sudo modprobe nvidia_uvm; ls -l /dev/nvidia-uvm")},
		Ask:      "ls -l /dev/nvidia*; nvidia-smi; sudo dmesg | grep -e NVRM -e Xid | tail",
	},
)
