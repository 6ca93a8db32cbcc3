package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvmlAccess is what NVML says where a process may not reach the driver or the system.
func nvmlAccess() []*Signature {
	return []*Signature{
		{
			ID: "nvml-insufficient-permissions", Product: "NVML",
			Literals: []string{"Insufficient P", "NVMLError_NoPermission", "NVML_ERROR_NO_PERMISSION"},
			Pattern:  `(?i)(?:NVML|nvidia-smi|MIG|GPU|nvml error|error (?:visiting|getting) device).{0,80}Insufficient P\w+ions|NVMLError_NoPermission|NVML_ERROR_NO_PERMISSION`,
			Layer:    rule.DeviceExposure, ExplainedBy: []string{"DEV002", "DEV007"},
			Meaning: "The user may not do that: open the device nodes, or change or watch a setting of the GPU.",
			Causes: causes(
				Cause{
					When:     on(Says("MIG device", "mig mode", "mig.strategy", "MIG enabled", "with MIG ", "MIG is ", "MIG-", "mig_monitor", "NVIDIA_MIG_MONITOR_DEVICES", "mig strategy", "nvidia.com/mig")),
					Title:    "MIG management needs a right that this process does not have (Insufficient Permissions)",
					Text:     "To list or change all MIG instances the container needs the monitor or config capability: NVIDIA_MIG_MONITOR_DEVICES=all together with CAP_SYS_ADMIN or privileged. The device plugin and DCGM need it.",
					Remedies: []Remedy{fix("set NVIDIA_MIG_MONITOR_DEVICES=all and give the container SYS_ADMIN (securityContext.capabilities.add, or privileged: true)")},
				},
				Cause{
					When:     on(Says("podman", "selinux", "rootless")),
					Title:    "SELinux or the user namespace keeps the container from the GPU's device nodes (NVML: Insufficient Permissions)",
					Text:     "The nodes are there, and opening them is refused: SELinux gives containers no access to them without a policy, and in a rootless container the groups of the user (video) are dropped.",
					Remedies: []Remedy{fix("start it with --security-opt=label=disable, keep the groups, and pass the GPU in by CDI", "podman", "podman run --rm --security-opt=label=disable --group-add keep-groups --device nvidia.com/gpu=all ubuntu nvidia-smi", "check", "ls -lZ /dev/nvidia*; sudo ausearch -m avc -ts recent")},
				},
				Cause{
					When:     on(Any(InContainer, InKubernetes)),
					Title:    "The container may not do this with the GPU (NVML: Insufficient Permissions)",
					Text:     "NVML could not open a device node or lacks a capability (SYS_ADMIN) in the container.",
					Remedies: []Remedy{fix("start the container through the NVIDIA runtime; for settings of the GPU run it privileged or with SYS_ADMIN", "check", "ls -l /dev/nvidia*; id")},
				},
				Cause{
					Title:    "This user may not open or change the GPU (NVML: Insufficient Permissions)",
					Text:     "Either /dev/nvidia* are readable for another group alone (NVreg_DeviceFileMode, video or vglusers), or the command (power limit, clocks, MIG, reset) is for root.",
					Remedies: []Remedy{fix("add the user to the group of the nodes and log in anew, or run the command with sudo", "shell", "ls -l /dev/nvidia*; id; sudo usermod -aG video $USER")},
				},
			),
			Samples: []string{
				"Failed to initialize NVML: Insufficient Permissions",
				"Unable to enable MIG Mode for GPU 00000000:81:00.0: Insufficient Permissions",
				"error getting MIG devices: NVML_ERROR_NO_PERMISSION",
			},
			Misses: []string{"upload failed: Insufficient Permissions for this bucket"},
			Source: "https://github.com/NVIDIA/k8s-device-plugin/issues/399",
		},
		{
			ID: "nvml-access-blocked", Product: "NVML",
			Literals: []string{"access blocked by the operating system"},
			Layer:    rule.DeviceExposure, Strength: Strong, ExplainedBy: []string{"DEV006", "DRV004"},
			Meaning: "NVML in WSL or in a VM with a GPU partition gets no access to the GPU of Windows.",
			Causes: causes(
				Cause{
					When:     on(Says(" TCC ", "TCC mode", "MCDM", "in TCC", "data center mode", "datacenter mode", "data centre mode")),
					Title:    "WSL gets no access to the GPU[ {gpu}]: its Windows driver[ {driver}] runs it in the driver model TCC, and WSL needs WDDM (or MCDM)",
					Text:     "Tesla and data-centre cards start in TCC, which gives the GPU to programs of Windows alone. Only a GPU under WDDM (or MCDM with new drivers) is shared with WSL by /dev/dxg. WSL and the distribution are not at fault.",
					Remedies: []Remedy{fix("change the driver model as administrator, restart Windows and WSL; where the card refuses WDDM, install the driver that allows it (a vGPU or RTX driver)", "powershell", "nvidia-smi -g 0 -dm 0; wsl --shutdown")},
				},
				Cause{
					When:  on(Any(InContainer, Says("docker-desktop", "docker desktop"))),
					Title: "The container in WSL gets no access to the GPU of Windows (GPU access blocked by the operating system)",
					Text:  "NVML reached no GPU through /dev/dxg: the WSL kernel, the Windows driver and the driver store that is mounted do not fit together, or the container was not given /dev/dxg.",
					Remedies: []Remedy{
						fix("update WSL, the NVIDIA driver of Windows and Docker Desktop, then restart WSL", "powershell", "wsl --update; wsl --shutdown"),
						fix("see whether nvidia-smi works in WSL itself, outside of the container", "bash", "/usr/lib/wsl/lib/nvidia-smi"),
					},
					Ask: "does nvidia-smi work in WSL itself; wsl --version",
				},
				Cause{
					When:     on(Says("hyper-v", "gpu-p", "gpu-pv", "dxgkrnl", "partition adapter", "Add-VMGpuPartitionAdapter")),
					Title:    "The VM with a GPU partition gets no access to the GPU of its Windows host",
					Text:     "In a Hyper-V guest with GPU-PV, the driver files of the host (System32/lxss/lib and the DriverStore folder of the driver) have to be copied into the guest whole, and again after every driver update of the host. Linux drivers in the guest do not work with a partition.",
					Remedies: []Remedy{fix("copy the host's driver files of the release that is installed now into the guest, at /usr/lib/wsl")},
				},
				Cause{
					Title: "WSL gets no access to the GPU of Windows (GPU access blocked by the operating system)",
					Text:  "NVML is there and /dev/dxg does not let it through: an old Windows build or WSL kernel, a Windows driver without support for WSL, WSL 1, or a remote session on a server that blocks it. A Linux driver inside WSL does not help.",
					Remedies: []Remedy{
						fix("update WSL and restart it", "powershell", "wsl --update; wsl --shutdown; wsl -l -v"),
						fix("update the NVIDIA driver on Windows, and Windows itself"),
					},
					Ask: "wsl --version; the driver that nvidia-smi of Windows shows; ls -l /dev/dxg",
				},
			),
			Samples: []string{"Failed to initialize NVML: GPU access blocked by the operating system", "nvidia-container-cli: initialization error: nvml error: gpu access blocked by the operating system"},
			Misses:  []string{"file access blocked by the operator"},
			Source:  "https://github.com/NVIDIA/nvidia-docker/issues/1496",
		},
	}
}
