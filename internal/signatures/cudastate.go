package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cudaState are the errors of CUDA about the state of the machine: busy GPUs,
// Fabric Manager, forward compatibility, MPS.
func cudaState() []*Signature {
	return []*Signature{
		{
			ID: "cuda-devices-busy", Product: "cuda",
			Literals: []string{"busy or unavailable", "cudaErrorDevicesUnavailable", "CUDA_ERROR_DEVICE_UNAVAILABLE", "exclusive-thread device already in use"},
			Pattern:  `(?:(?i:CUDA[- ](?:capable )?devices?(?:\(s\))? (?:are |is |is/are )?(?:all )?busy or unavailable)|cudaErrorDevicesUnavailable|CUDA_ERROR_DEVICE_UNAVAILABLE|exclusive-thread device already in use)`,
			Layer:    rule.Application,
			Meaning:  "No GPU takes another process: exclusive compute mode with one already on it, or a device that cannot start (error 46).",
			Causes: causes(
				Cause{
					When: on(Any(Is("gpu", `(?i)\bgrid\b|vgpu|-\d+[QCAB]\b`), Says("nvidia-gridd", "vGPU ", "GRID V", "GRID T", "GRID A", "unlicensed"))), Layer: rule.Driver,
					Title: "The vGPU[ {gpu}] has no licence, so CUDA refuses it (busy or unavailable, 46)",
					Text:  "A vGPU guest without a licence is throttled and then refuses CUDA; nvidia-gridd fetches the licence. The compute mode and other processes are not the reason there.",
					Remedies: []Remedy{
						fix("give the guest its licence: a client token in /etc/nvidia/ClientConfigToken and nvidia-gridd running", "check", "nvidia-smi -q | grep -i license; systemctl status nvidia-gridd"),
					},
				},
				Cause{
					When: on(Says("MIG mode", "MIG 1g", "MIG 2g", "MIG 3g", "MIG-GPU", "MIG-")), Layer: rule.DeviceExposure, Confidence: rule.Possible,
					Title:    "CUDA gets no MIG instance to run on (busy or unavailable, 46)",
					Text:     "With MIG mode on, a process runs on one compute instance; it must exist and be visible to the process.",
					Remedies: []Remedy{fix("create instances and name one by its UUID in CUDA_VISIBLE_DEVICES", "check", "nvidia-smi -L; sudo nvidia-smi mig -lgi")},
				},
				Cause{
					When: on(OnWSL, Not(Says("exclusive", "Exclusive_Process", "E. Process", "other process", "another process"))), Layer: rule.DeviceExposure,
					Title: "CUDA in WSL cannot start on the GPU (busy or unavailable, 46): Windows, its NVIDIA driver[ {driver}] and WSL do not fit together",
					Text:  "In WSL the error comes where /dev/dxg and the libraries in /usr/lib/wsl/lib (System32\\lxss\\lib of Windows) are not of one driver, after an update of Windows or of the driver, or with a build of Windows (Insider) that has a fault. A process that holds the GPU is rare there.",
					Remedies: []Remedy{
						fix("update WSL and the NVIDIA driver of Windows, then restart Windows", "powershell", "wsl --update; wsl --shutdown; nvidia-smi; dir C:\\Windows\\System32\\lxss\\lib"),
						fix("where it began with an update of Windows, go back to the build of before"),
					},
					Ask: "wsl --version; nvidia-smi in Windows and in WSL",
				},
				Cause{
					Title: "The GPU is taken: another process holds it in exclusive compute mode (all CUDA-capable devices are busy or unavailable, 46)",
					Text:  "In compute mode Exclusive_Process one process alone may use a GPU; also a process that hangs in its exit keeps it. Not the stack, but who shares the GPU.",
					Remedies: []Remedy{
						fix("see which process holds the GPU and let it finish, or take another GPU with CUDA_VISIBLE_DEVICES", "check", "nvidia-smi; nvidia-smi -q -d COMPUTE"),
						fix("or let several processes share it: compute mode Default", "shell", "sudo nvidia-smi -c DEFAULT"),
					},
					Ask: "nvidia-smi -q -d COMPUTE and the list of processes in nvidia-smi",
				},
			),
			Samples: []string{"RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable", "CUDA error: CUDA-capable device(s) is/are busy or unavailable", "it says that all cuda devices are busy or unavailable"},
			Misses:  []string{"the server is busy or unavailable"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
		{
			ID: "cuda-fabric-manager", Product: "cuda",
			Literals: []string{"system not yet initialized", "cudaErrorSystemNotReady", "CUDA_ERROR_SYSTEM_NOT_READY"},
			Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN007"},
			Meaning: "On a machine with NVSwitch the fabric is not set up, so CUDA does not start (error 802).",
			Causes: causes(Cause{
				Title: "Fabric Manager is not running, or its version does not match the driver's (error 802, system not yet initialized)",
				Text: "On HGX and DGX machines with NVSwitch nvidia-fabricmanager sets the NVLink fabric up; until then CUDA fails although nvidia-smi lists the GPUs. " +
					"Its release must be exactly the driver's[: {driver}]. In a container or a VM it is the host that runs it.",
				Remedies: []Remedy{
					fix("install nvidia-fabricmanager of exactly the driver's release[, {driver},] on the host and start it", "host", "sudo systemctl enable --now nvidia-fabricmanager; systemctl status nvidia-fabricmanager"),
				},
				Ask: "systemctl status nvidia-fabricmanager; nvidia-smi -q | grep -A3 Fabric",
			}),
			Samples: []string{"RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized", "CUDA_ERROR_SYSTEM_NOT_READY"},
			Misses:  []string{"Error: system not initialized"},
			Source:  "https://github.com/pytorch/pytorch/issues/35710",
		},
		{
			ID: "cuda-driver-mismatch", Product: "cuda",
			Literals: []string{"unsupported display driver", "cudaErrorSystemDriverMismatch", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "returned 803", "failure: 803"},
			Pattern:  `(?i)(?:system\s+has\s+unsupported\s+display\s+driver|cudaErrorSystemDriverMismatch|CUDA_ERROR_SYSTEM_DRIVER_MISMATCH|\b(?:cuInit|cudaGetDeviceCount|cudaRuntimeGetVersion|cudaSetDevice)\S* returned 803\b|init(?:ialization)? failure: 803\b)`,
			Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN004", "DRV007", "CUD002", "CUD001", "PKG005"},
			Meaning: "libcuda and the kernel module do not belong together (error 803).",
			Causes: causes(
				Cause{
					When: on(Says("/compat", "cuda-compat", "cuda_compat", "forward compat")), Layer: rule.CUDARuntime,
					Title: "A forward-compatibility libcuda (cuda-compat) does not fit the driver of the machine[ ({driver})] (error 803)",
					Text:  "The compat directory is on the loader's path, and its libcuda is older than, or not made for, the kernel module that is loaded.",
					Remedies: []Remedy{
						fix("take the compat directory off LD_LIBRARY_PATH and out of the image's ld.so.conf, so that the driver's own libcuda is found", "check", "ldconfig -p | grep libcuda.so; echo $LD_LIBRARY_PATH"),
						fix("or update the driver of the machine"),
					},
				},
				Cause{
					When: on(InContainer), Layer: rule.Driver,
					Title: "The libcuda in the container does not fit the host's kernel module[ ({module})] (error 803)",
					Text:  "Either the image has a libcuda of its own (driver packages or cuda-compat inside) that is found first, or the host's driver was updated and not restarted since.",
					Remedies: []Remedy{
						fix("see which libcuda is found; remove driver packages and /usr/local/cuda/compat from the image", "in the container", "ldconfig -p | grep libcuda.so; cat /proc/driver/nvidia/version"),
						fix("on the host, restart it after a driver update", "host", "nvidia-smi; cat /proc/driver/nvidia/version"),
					},
					Ask: "does nvidia-smi work on the host itself",
				},
				Cause{
					Title: "The driver is half updated: libcuda and the loaded kernel module[ {module}] are of different releases (error 803)",
					Text:  "Packages replaced the driver's libraries while the old kernel module stayed loaded; automatic upgrades do that. (system has unsupported display driver / cuda driver combination)",
					Remedies: []Remedy{
						fix("restart the machine, so that the new kernel module is loaded", "check", "cat /proc/driver/nvidia/version; ls -l /usr/lib/x86_64-linux-gnu/libcuda.so.*"),
					},
				},
			),
			Samples: []string{"Error 803: system has unsupported display driver / cuda driver combination", "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
			Misses:  []string{"this system has supported display driver"},
			Source:  "https://github.com/NVIDIA/nvidia-docker/issues/1256",
		},
	}
}
