package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvml is what the driver's management library says, through nvidia-smi and
// every program that asks it: the container toolkit, the device plugin, pynvml.
var nvml = []*Signature{
	{
		ID: "nvml-version-mismatch", Product: "NVML",
		Literals: []string{"library version mismatch", "NVML_ERROR_LIB_RM_VERSION_MISMATCH", "NVMLError_LibRmVersionMismatch", "ERROR_LIB_RM_VERSION_MISMATCH"},
		Pattern:  `(?i)driver\s*/\s*library version mismatch(?:.{0,80}?NVML library version: ?(?P<driver>\d{3}\.\d+(?:\.\d+)?))?|LIB_?RM_?VERSION_?MISMATCH`,
		Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN004", "DRV007", "PKG005"},
		Meaning: "The driver's libraries and the kernel module that is loaded are of different releases.",
		Causes: causes(
			Cause{
				When: on(OnWSL), Layer: rule.Driver,
				Title:    "Linux driver packages (libnvidia-compute, nvidia-utils) are installed in WSL and hide the libraries of the Windows driver[ ({driver})]",
				Text:     "In WSL driver libraries come from Windows, in /usr/lib/wsl/lib. Packages of a Linux driver bring an nvidia-smi and libraries of another release, found first. Do not install a Linux driver in WSL.",
				Remedies: []Remedy{fix("remove the Linux driver's packages and restart WSL", "bash", "sudo apt-get purge '^nvidia-.*' '^libnvidia-.*'; sudo apt-get autoremove; /usr/lib/wsl/lib/nvidia-smi", "powershell", "wsl --shutdown")},
				Ask:      "which nvidia-smi; ldconfig -p | grep -e libnvidia-ml -e libcuda",
			},
			Cause{
				When: on(inLXC), Layer: rule.Driver,
				Title: "The driver's libraries in the container[ ({driver})] are of another release than the host driver, the host kernel module[ ({module})]",
				Text: "A system container has driver libraries of its own, and they must be exactly of the release of the kernel module of the host. " +
					"An update in the container or on the host alone breaks that. The container cannot load a kernel module.",
				Remedies: []Remedy{fix("install in the container exactly the driver release of the host, without its kernel module, and hold it there", "host", "cat /proc/driver/nvidia/version", "container", "sh NVIDIA-Linux-x86_64-VERSION.run --no-kernel-module")},
				Ask:      "cat /proc/driver/nvidia/version; ls /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.* in the container",
			},
			Cause{
				When: on(inImage, Not(Says("nvidia-container-cli", "initialization error", "daemonset", "device plugin", "device-plugin"))), Layer: rule.PackageConflict, Confidence: rule.Possible,
				Title: "The image brings NVIDIA driver libraries of its own[ ({driver})], which are not those of the host's kernel module[ ({module})]",
				Text: "In a container the driver's libraries come from the host. Where the image holds driver packages (libnvidia-compute, libnvidia-ml, nvidia-utils, or an installer script that pulled them in), its copies are found first. " +
					"Where nvidia-smi fails on the host in the same way, the host was updated without a restart instead.",
				Remedies: []Remedy{
					fix("build the image without driver packages: remove libnvidia-*, nvidia-utils and libcuda of its own, and let the container toolkit bring those of the host", "container", "ls -l /usr/lib/x86_64-linux-gnu/libnvidia-ml.so*; dpkg -l | grep -e libnvidia -e nvidia-utils"),
				},
				Ask: "does nvidia-smi work on the host itself",
			},
			Cause{
				When:  on(InKubernetes),
				Title: "The node's driver is half updated: its libraries[ ({driver})] are of another release than the loaded kernel module[ ({module})]",
				Text:  "Packages (often unattended upgrades) replaced the driver's libraries while the old module stayed loaded. Pods and the device plugin fail with it; their versions are not the reason.",
				Remedies: []Remedy{
					fix("drain the node and restart it, so that the new kernel module is loaded", "node", "cat /proc/driver/nvidia/version; modinfo -F version nvidia"),
					fix("keep the driver's packages from unattended upgrades", "ubuntu", "sudo apt-mark hold $(dpkg-query -W -f '${Package} ' 'nvidia-*' 'libnvidia-*')"),
				},
			},
			Cause{
				Title: "The driver is half updated: its libraries[ ({driver})] are of another release than the kernel module that is loaded[ ({module})]",
				Text:  "Packages, often unattended upgrades, replaced the driver's libraries on disk, and the old kernel module stayed loaded until the next restart. Where it stays after a restart, two drivers are installed (packages and .run), or DKMS did not build the new module.",
				Remedies: []Remedy{
					fix("restart the machine, or with no program on the GPU reload the module", "shell", "sudo rmmod nvidia_drm nvidia_modeset nvidia_uvm nvidia && sudo modprobe nvidia"),
					fix("where it stays, see which versions there are, and remove one of them", "check", "cat /proc/driver/nvidia/version; modinfo -F version nvidia; dkms status; ls /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.*"),
					fix("keep the driver's packages from unattended upgrades", "ubuntu", "sudo apt-mark hold $(dpkg-query -W -f '${Package} ' 'nvidia-*' 'libnvidia-*')"),
				},
			},
		),
		Samples: []string{
			"Failed to initialize NVML: Driver/library version mismatch",
			"Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 570.195",
			"nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: unknown",
			"pynvml.NVMLError_LibRmVersionMismatch: RM has detected an NVML/RM version mismatch.",
			"could not start: ERROR_LIB_RM_VERSION_MISMATCH",
		},
		Misses: []string{"a library version mismatch between protobuf and grpc"},
		Source: "https://github.com/Syllo/nvtop/issues/125",
	},
	{
		ID: "nvml-unknown-error", Product: "NVML",
		Literals: []string{"initialize NVML: Unknown", "NVML: Unknown Error", "nvml error: unknown error", "NVMLError_Unknown"},
		Pattern:  `(?i)(?:Failed to initialize NVML|could not initialize NVML|nvml error|NVMLError_Unknown|NVML): ?Unknown(?: Error)?`,
		Layer:    rule.DeviceExposure, ExplainedBy: []string{"DEV007", "CTR008", "DEV001", "DEV002"},
		Meaning: "The driver's library may not open the device nodes, although they are there.",
		Causes: causes(
			Cause{
				When: on(onVGPU), Layer: rule.Driver,
				Title:    "The vGPU of this guest has no licence or the wrong GRID driver (Failed to initialize NVML: Unknown Error)",
				Text:     "A vGPU without a licence (nvidia-gridd is missing, stopped or reaches no licence server), or a guest driver that does not fit the host's vGPU manager, lets NVML and CUDA fail.",
				Remedies: []Remedy{fix("install the GRID driver of the provider's release with nvidia-gridd, and see that it gets its licence", "check", "systemctl status nvidia-gridd; nvidia-smi -q | grep -i license")},
				Ask:      "nvidia-smi -q | grep -i license; systemctl status nvidia-gridd",
			},
			Cause{
				When:     on(inLXC),
				Title:    "The LXC container may not open the GPU's device nodes: its device cgroup does not allow them",
				Text:     "The nodes are mounted, and the container's lxc.cgroup2.devices.allow lacks their major numbers; that of nvidia-uvm differs from start to start.",
				Remedies: []Remedy{fix("allow the majors of /dev/nvidia* in the container's configuration and restart it", "host", "ls -l /dev/nvidia*; grep -n lxc.cgroup2.devices.allow /etc/pve/lxc/*.conf")},
			},
			Cause{
				When: on(Says("no-cgroups = true", "no-cgroups=true", "no-cgroups: true")), Layer: rule.ContainerRuntime,
				Title:    "The container may not open the GPU's device nodes: no-cgroups = true is set in the toolkit's configuration",
				Text:     "With no-cgroups the toolkit leaves the device cgroup alone, which is right for rootless engines and unprivileged LXC. A rootful Docker then forbids the devices.",
				Remedies: []Remedy{fix("set no-cgroups = false for rootful Docker and restart it", "host", "sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups=false --in-place && sudo systemctl restart docker"), fix("or name the devices in the command (--device /dev/nvidia0 --device /dev/nvidiactl --device /dev/nvidia-uvm), or use CDI")},
			},
			Cause{
				When:  on(Any(InContainer, InKubernetes)),
				Title: "The container lost the right to open the GPU's device nodes: systemctl daemon-reload reset its device cgroup",
				Text: "With the systemd cgroup driver, systemd sets the container's devices anew at every daemon-reload (package updates do one) and drops those that the toolkit added behind its back, because there is no /dev/char link for them. " +
					"The container worked until then; a restart of it helps until the next reload.",
				Remedies: []Remedy{
					fix("restart the container now", "docker", "docker restart CONTAINER"),
					fix("for good: create the links in /dev/char at every start, or use CDI (--device nvidia.com/gpu=all), or name the devices (--device /dev/nvidia0 …), or cgroupfs as Docker's cgroup driver", "host", "sudo nvidia-ctk system create-dev-char-symlinks --create-all"),
				},
				Ask: "does a new container work, and is the nvidia-smi of the host well",
			},
			Cause{
				Title: "NVML cannot open the GPU's device nodes (Failed to initialize NVML: Unknown Error)",
				Text:  "In a container: systemctl daemon-reload took the devices out of its cgroup. On a host: the rights of /dev/nvidia*, a cgroup of a batch system, or a driver whose start failed (see dmesg).",
				Remedies: []Remedy{
					fix("in a container, start it anew; for good use CDI or create the links in /dev/char", "host", "sudo nvidia-ctk system create-dev-char-symlinks --create-all"),
					fix("on a host, look at the nodes and the kernel log", "shell", "ls -l /dev/nvidia*; sudo dmesg | grep -i nvrm | tail"),
				},
				Ask: "is it a container, and does nvidia-smi work on its host",
			},
		),
		Samples: []string{"Failed to initialize NVML: Unknown Error", "nvidia-container-cli: initialization error: nvml error: unknown error"},
		Misses:  []string{"NVML: Unknown option --foo"},
		Source:  "https://github.com/NVIDIA/nvidia-docker/issues/1730",
	},
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
	{
		ID: "nvml-driver-not-loaded", Product: "NVML",
		Literals: []string{"driver not loaded", "ERROR_DRIVER_NOT_LOADED", "NVMLError_DriverNotLoaded"},
		Pattern:  `(?i)(?:NVML|nvml error|initialization error|nvidia)[^\n]{0,60}driver not loaded|NVML_ERROR_DRIVER_NOT_LOADED|ERROR_DRIVER_NOT_LOADED|NVMLError_DriverNotLoaded`,
		Layer:    rule.KernelModule, ExplainedBy: []string{"KRN001", "KRN002", "KRN003", "KRN005", "HWR001"},
		Meaning: "NVML is installed, and the nvidia kernel module is not loaded.",
		Causes: causes(
			Cause{
				When:     on(inLXC),
				Title:    "The host's nvidia module is not loaded, or the LXC container does not see its device nodes (driver not loaded)",
				Text:     "The container uses the kernel of the host: the module must be loaded there and /dev/nvidia* passed in.",
				Remedies: []Remedy{fix("load it on the host and make the nodes", "host", "sudo modprobe nvidia nvidia_uvm; sudo nvidia-modprobe -c0 -u; nvidia-smi")},
			},
			Cause{
				When: on(Says("nvidia-smi' not found", "nvidia-smi: command not found", "nvidia-smi: not found", "nothing else from NVIDIA", "no driver installed", "not installed the driver", "without a driver")), Layer: rule.Driver,
				Title:    "No NVIDIA driver is installed on the host: the container toolkit brings the host's driver into containers and has none of its own (driver not loaded)",
				Text:     "nvidia-smi is not there either. The driver has to be installed on the host, not in the image.",
				Remedies: []Remedy{fix("install the driver on the host, restart, and see nvidia-smi there", "ubuntu", "sudo ubuntu-drivers install --gpgpu; nvidia-smi")},
			},
			Cause{
				Title: "The nvidia kernel module is not loaded[ on the host] (NVML: driver not loaded)",
				Text:  "The libraries of the driver are there, the module is not: after a kernel update it was not built, Secure Boot refuses it, nouveau has the GPU, or the driver does not know the GPU. Images and the container toolkit are not the reason.",
				Remedies: []Remedy{
					fix("make nvidia-smi work on the host first", "host", "sudo modprobe nvidia; sudo dmesg | grep -i -e nvrm -e nvidia | tail; dkms status"),
				},
				Ask: "nvidia-smi and sudo modprobe nvidia, on the host",
			},
		),
		Samples: []string{
			"nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown",
			"Failed to initialize NVML: Driver Not Loaded",
			"pynvml.NVMLError_DriverNotLoaded: Driver Not Loaded",
			"Failed to initialize NVML: ERROR_DRIVER_NOT_LOADED",
		},
		Misses: []string{"usb: device driver not loaded for printer"},
		Source: "https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceEnumvs.html",
	},
	{
		ID: "nvidia-smi-not-found", Product: "nvidia-smi",
		Literals: []string{"nvidia-smi: command not found", "nvidia-smi: not found", "'nvidia-smi' not found", "nvidia-smi not found", "'nvidia-smi' is not recognized", "directory: 'nvidia-smi'", "\"nvidia-smi\": executable file not found", "nvidia-smi\\\": executable file not found"},
		Layer:    rule.Driver, Strength: Weak, ExplainedBy: []string{"DRV001", "CTR001", "CTR007", "HWR001", "KRN002"},
		Meaning: "The program nvidia-smi is not there.",
		Causes: causes(
			Cause{
				When: on(OnJetson), Layer: rule.Application,
				Title:    "Jetson has no nvidia-smi before JetPack 6: that it is missing is no fault",
				Text:     "The GPU of a Jetson is part of the chip, and its driver comes with L4T. Use tegrastats or jtop to watch it.",
				Remedies: []Remedy{fix("look at the release and the GPU with tools of the Jetson", "shell", "cat /etc/nv_tegra_release; tegrastats")},
			},
			Cause{
				When: on(OnWSL), Layer: rule.DeviceExposure,
				Title:    "nvidia-smi is not on the PATH in WSL: it is /usr/lib/wsl/lib/nvidia-smi",
				Text:     "The driver of Windows brings it there. Where the directory is empty, the driver on Windows is missing or WSL is version 1. No Linux driver belongs into WSL: do not install one.",
				Remedies: []Remedy{fix("call it there, or put the directory on the PATH", "bash", "/usr/lib/wsl/lib/nvidia-smi")},
			},
			Cause{
				When: on(Any(InContainer, InKubernetes)), Layer: rule.ContainerRuntime,
				Title: "nvidia-smi is not in the container: it was started without the NVIDIA runtime or without the capability utility",
				Text:  "The container toolkit mounts nvidia-smi from the host where the container asks for GPUs and NVIDIA_DRIVER_CAPABILITIES has utility. A driver must not be installed in the image.",
				Remedies: []Remedy{
					fix("start the container with GPUs", "docker", "docker run --rm --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility ubuntu nvidia-smi"),
					fix("in Kubernetes, ask for nvidia.com/gpu and use the runtime class nvidia"),
				},
				Ask: "nvidia-smi on the host, and how the container is started",
			},
			Cause{
				Title:    "nvidia-smi is not installed: the NVIDIA driver is missing, or its utilities are",
				Text:     "It comes with the driver (nvidia-utils on Ubuntu, nvidia-driver-cuda on Fedora and RHEL). The CUDA toolkit and pip packages do not bring it.",
				Remedies: []Remedy{fix("install the driver, and restart", "ubuntu", "sudo ubuntu-drivers install"), fix("on a machine without an NVIDIA GPU nothing is broken: use the program on the CPU")},
				Ask:      "lspci -d 10de:, and whether a driver was ever installed",
			},
		),
		Samples: []string{"bash: nvidia-smi: command not found", "sh: 1: nvidia-smi: not found", "FileNotFoundError: [Errno 2] No such file or directory: 'nvidia-smi'", "exec: \"nvidia-smi\": executable file not found in $PATH: unknown"},
		Misses:  []string{"nvidia-smi found no process"},
		Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",
	},
}
