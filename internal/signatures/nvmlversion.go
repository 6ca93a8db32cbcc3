package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvmlVersion is what NVML says where it and the kernel module are of different releases.
func nvmlVersion() []*Signature {
	return []*Signature{
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
					When:  on(Has("module"), Not(twoReleases)),
					Title: "The driver is half updated: its libraries on disk are of another release than the kernel module that is loaded ({module})",
					Text:  "Packages, often unattended upgrades, replaced the driver's libraries on disk, and the old kernel module stayed loaded until the next restart. Where it stays after a restart, two drivers are installed (packages and .run), or DKMS did not build the new module.",
					Remedies: []Remedy{
						fix("restart the machine, or with no program on the GPU reload the module", "shell", "sudo rmmod nvidia_drm nvidia_modeset nvidia_uvm nvidia && sudo modprobe nvidia"),
						fix("where it stays, see which versions there are, and remove one of them", "check", "cat /proc/driver/nvidia/version; modinfo -F version nvidia; dkms status; ls /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.*"),
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
	}
}
