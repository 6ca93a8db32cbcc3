package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const nvSource = "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv.c"

// nvrmLoad is what the nvidia kernel module writes to the kernel log while it
// loads and looks for GPUs. One message goes over several lines, each with NVRM: before it.
var nvrmLoad = []*Signature{
	{
		ID: "nvrm-api-mismatch", Product: "nvidia kernel module",
		Literals: []string{"API mismatch: the client", "API mismatch: this is", "NVRM: API mismatch", "NVIDIA: API mismatch"},
		Pattern:  `(?i)API mismatch: (?:the client.*?(?:has|is) (?:the )?version (?P<driver>\d{3}\.\d+(?:\.\d+)?).*?kernel module.*?version (?P<module>\d{3}\.\d+(?:\.\d+)?)|the client|this is|the NVIDIA kernel module)|NVRM: API mismatch`,
		Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN004", "DRV007", "PKG005"},
		Meaning: "A library of the driver spoke to a kernel module of another release.",
		Causes: causes(
			Cause{
				When: on(inLXC), Layer: rule.Driver,
				Title:    "The driver's libraries in the container[ ({driver})] are of another release than the host driver, the host kernel module[ ({module})]",
				Text:     "NVRM: API mismatch. The container has driver libraries of its own; they must be exactly of the host's release. The container itself does not load a module.",
				Remedies: []Remedy{fix("install in the container exactly the release of the host's module[, {module}], without a kernel module, and hold it there")},
			},
			Cause{
				When: on(inImage), Confidence: rule.Possible,
				Title: "A program's driver libraries[ ({driver})] are of another release than the loaded kernel module[ ({module})]: half updated host, or an image with driver libraries of its own",
				Text:  "NVRM: API mismatch. Either packages on the host replaced the libraries without a restart, or an image holds driver packages, which do not belong into images.",
				Remedies: []Remedy{
					fix("where nvidia-smi fails on the host too, restart it, so that the new module is loaded", "host", "nvidia-smi; cat /proc/driver/nvidia/version"),
					fix("where the host is well, remove driver packages from the image (libnvidia-*, nvidia-utils)"),
				},
				Ask: "nvidia-smi on the host",
			},
			Cause{
				Title: "The driver's libraries[ ({driver})] and the loaded kernel module[ ({module})] are of different releases",
				Text:  "NVRM: API mismatch. The driver was updated and the old module is still loaded, or the new module was not built and an older one was loaded at start (also from an old initramfs).",
				Remedies: []Remedy{
					fix("restart, or reload the module with no program on the GPU", "shell", "sudo rmmod nvidia_drm nvidia_modeset nvidia_uvm nvidia && sudo modprobe nvidia"),
					fix("where it stays: rebuild the initramfs, and remove the second installation of the driver (packages beside a .run file)", "ubuntu", "sudo update-initramfs -u; dkms status; modinfo -F version nvidia"),
				},
			},
		),
		Samples: []string{
			"NVRM: API mismatch: the client has the version 550.54.15, but\nNVRM: this kernel module has the version 535.171.04.  Please\nNVRM: make sure that this kernel module and all NVIDIA driver",
			"NVRM: API mismatch: the client 'python3' (pid 4321)\nNVRM: has the version 570.124.06, but this kernel module has\nNVRM: the version 570.86.15. Please make sure that this",
			"Error: API mismatch: the NVIDIA kernel module has version 470.63.01, but this NVIDIA driver component has version 470.82.00: NVRM: API mismatch",
		},
		Misses: []string{"REST API mismatch: the schema differs"},
		Source: nvSource,
	},
	{
		ID: "nvrm-open-required", Product: "nvidia kernel module",
		Literals: []string{"requires use of the NVIDIA open", "(PCI ID: 10de:"},
		Pattern:  `(?:\(PCI ID: 10de:(?P<pci>[0-9a-f]{4})\).{0,80})?requires use of the NVIDIA open`,
		Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN005"},
		Meaning: "This GPU is driven by NVIDIA's open kernel modules alone, and the proprietary ones are installed.",
		Causes: causes(Cause{
			Title: "This GPU[, {pci|pciname}, || , {gpu},] needs NVIDIA's open kernel modules, and the proprietary flavour is loaded",
			Text:  "Blackwell, Grace Hopper and what follows have no support in the proprietary flavour of the module, in no release of it. The user-space part of the driver is the same for both.",
			Remedies: []Remedy{
				fix("install the open flavour of the same driver[, branch {driver|branch},] and restart", "ubuntu", "sudo ubuntu-drivers install", "ubuntu, by name", "sudo apt-get install nvidia-driver-{driver|branch}-open", "runfile", "sudo sh NVIDIA-Linux-x86_64-VERSION.run -M open"),
			},
		}),
		Samples: []string{"NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:2b85)\nNVRM: installed in this system requires use of the NVIDIA open kernel modules.", "NVRM: installed in this system requires use of the NVIDIA open kernel modules."},
		Misses:  []string{"we recommend the NVIDIA open kernel modules"},
		Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/862",
	},
	{
		ID: "nvrm-open-unsupported", Product: "nvidia kernel module",
		Literals: []string{"is not supported by open", "does not include the required GPU", "(PCI ID: 10de:", "in this vGPU host system is not"},
		Pattern:  `(?:\(PCI ID: 10de:(?P<pci>[0-9a-f]{4})\).{0,40})?installed in this (?:vGPU host )?system is not supported by(?:.{0,8}NVRM:)? open|does not include the required GPU`,
		Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN006"},
		Meaning: "The open kernel module does not drive this GPU.",
		Causes: causes(
			Cause{
				When: on(onVGPU), Layer: rule.Driver,
				Title:    "NVIDIA's open kernel module of the ordinary driver does not drive this vGPU",
				Text:     "A vGPU guest needs the GRID (vGPU guest) driver of a release that fits the host's, not the data-centre driver.",
				Remedies: []Remedy{fix("install the vGPU guest driver of the host's vGPU release")},
			},
			Cause{
				Title: "NVIDIA's open kernel module does not drive this GPU[: {pci|pciname} || : {gpu}]; it needs the proprietary flavour",
				Text: "The open flavour works from Turing on (GPUs with a GSP): Maxwell, Pascal and Volta need the proprietary one[, and {pci|pcilast} is the last branch for this GPU]. " +
					"The same text comes where the chip cannot be read at all, by a fault of PCIe or power.",
				Remedies: []Remedy{
					fix("install the proprietary flavour[ of branch {pci|pcilast} or older || , of branch 580 or older for Maxwell, Pascal and Volta], and restart", "ubuntu", "sudo apt-get remove 'nvidia-*-open' && sudo ubuntu-drivers install"),
				},
				Ask: "lspci -nn -d 10de:",
			},
		),
		Samples: []string{
			"NVRM: The NVIDIA GPU 0000:02:00.0 (PCI ID: 10de:1b06)\nNVRM: installed in this system is not supported by open\nNVRM: nvidia.ko because it does not include the required GPU",
			"NVRM: installed in this vGPU host system is not supported by\nNVRM: open nvidia.ko.",
			"NVRM: nvidia.ko because it does not include the required GPU",
		},
		Misses: []string{"this format is not supported by open source tools"},
		Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv-pci.c",
	},
	{
		ID: "nvrm-legacy-gpu", Product: "nvidia kernel module",
		Literals: []string{"supported through the NVIDIA", "driver will ignore this GPU", "ignoring the legacy GPU", "GPU installed in this system is"},
		Pattern:  `(?i)(?:The NVIDIA (?P<gpu>[^()]{3,60}?) GPU installed in this system is.{0,12})?supported through the NVIDIA (?P<branch>\d+)(?:\.[\dx]+)* Legacy|driver will ignore this GPU|ignoring the legacy GPU`,
		Layer:    rule.Driver, Strength: Strong, ExplainedBy: []string{"DRV005"},
		Meaning: "This release of the driver no longer supports the GPU; the message names the last branch that does.",
		Causes: causes(
			Cause{
				When:     on(Has("branch")),
				Title:    "The installed driver[ {driver}] no longer supports this GPU[ ({gpu})]: the last branch for it is {branch}",
				Text:     "The kernel module ignores the GPU. A newer driver does not help; the branch {branch} does, with the CUDA that it runs.",
				Remedies: []Remedy{fix("install the driver branch {branch} and hold it there", "ubuntu", "sudo apt-get install nvidia-driver-{branch}", "arch", "yay -S nvidia-{branch}xx-dkms")},
			},
			Cause{
				Title:    "The installed driver[ {driver}] no longer supports this GPU[ ({gpu})]",
				Text:     "The kernel module ignores it as a legacy GPU. The line before in the kernel log names the branch.",
				Remedies: []Remedy{fix("install the legacy branch of this GPU[, {gpu|gpulast}]: 580 for Maxwell, Pascal and Volta, 470 for Kepler, 390 for Fermi")},
				Ask:      "lspci -nn -d 10de:",
			},
		),
		Samples: []string{
			"NVRM: The NVIDIA GeForce GTX 970 GPU installed in this system is\nNVRM:  supported through the NVIDIA 580.xx Legacy drivers. Please\nNVRM:  visit http://www.nvidia.com/object/unix.html",
			"NVRM:  driver will ignore this GPU.  Continuing probe...",
			"NVRM: ignoring the legacy GPU 0000:01:00.0",
		},
		Misses: []string{"research supported through the NVIDIA academic program"},
		Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv-pci.c",
	},
	{
		ID: "nvrm-gpu-unsupported", Product: "nvidia kernel module",
		Literals: []string{"in this system is not supported by the", "(PCI ID: 10de:"},
		Pattern:  `(?:\(PCI ID: 10de:(?P<pci>[0-9a-f]{4})\).{0,40})?in this system is not supported by the(?:.{0,40}?NVIDIA (?P<driver>\d{3}\.\d+(?:\.\d+)?) driver)?`,
		Layer:    rule.Driver, Strength: Strong, ExplainedBy: []string{"DRV005", "DRV006"},
		Meaning: "This release of the driver does not support the GPU: it is too old or too new for it, or it is a vGPU.",
		Causes: causes(
			Cause{
				When:     on(onVGPU),
				Title:    "The data-centre driver[ {driver}] does not support this vGPU: the guest needs the GRID driver",
				Text:     "A vGPU guest needs the vGPU guest driver (GRID) of a release that fits the vGPU manager of the host.",
				Remedies: []Remedy{fix("install the GRID driver that the provider or the host's vGPU release names")},
			},
			Cause{
				When:     on(Has("pci|pcilast")),
				Title:    "Driver[ {driver}] no longer supports this GPU ({pci|pciname}): the last branch for it is {pci|pcilast}",
				Text:     "The module finds the GPU and does not take it. A newer release does not help.",
				Remedies: []Remedy{fix("install the branch {pci|pcilast}")},
			},
			Cause{
				When:     on(Has("pci|pcifirst"), Below("driver", "{pci|pcifirst}")),
				Title:    "Driver {driver} is too old for this GPU ({pci|pciname}): it needs branch {pci|pcifirst} or newer",
				Text:     "The module finds the GPU and does not take it: the release is older than the GPU.",
				Remedies: []Remedy{fix("install a driver of branch {pci|pcifirst} or newer, with the open kernel modules from Turing on")},
			},
			Cause{
				When: on(Has("pci|pcifirst"), Has("driver")), Confidence: rule.Possible,
				Title:    "Driver {driver} does not take this GPU ({pci|pciname}), although the branch knows the model: probably a vGPU in a VM, which needs the GRID driver",
				Text:     "A vGPU has the PCI id of the GPU behind it and is driven by the vGPU guest driver alone, of a release that fits the host's. Otherwise the card is a variant that this release does not list yet.",
				Remedies: []Remedy{fix("in a VM with a vGPU, install the vGPU guest (GRID) driver of the host's release"), fix("on a whole GPU, install the newest release of the branch, of the open flavour")},
				Ask:      "is it a VM, and is the GPU passed in whole or as a vGPU (lspci -nn -vv, the subsystem)",
			},
			Cause{
				Title:    "Driver[ {driver}] does not support this GPU[ ({gpu})]: it is too new or too old for this release",
				Text:     "The module finds the GPU and does not take it: the release is older than the GPU, has dropped it, or the GPU is a vGPU, which needs the GRID driver.",
				Remedies: []Remedy{fix("install the branch that supports the GPU: the newest for a new one, 580 for Maxwell, Pascal and Volta, 470 for Kepler")},
				Ask:      "lspci -nn -d 10de:",
			},
		),
		Samples: []string{
			"NVRM: The NVIDIA GPU 0000:81:00.0 (PCI ID: 10de:1b06)\nNVRM: installed in this system is not supported by the\nNVRM: NVIDIA 595.45.04 driver release.",
			"NVRM: installed in this system is not supported by the 470.82 NVIDIA Linux driver",
		},
		Misses: []string{"the package is not supported by the vendor"},
		Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv-pci.c",
	},
	{
		ID: "nvrm-no-gpu", Product: "nvidia kernel module",
		Literals: []string{"NVRM: No NVIDIA GPU found", "No NVIDIA PCI devices found", "No NVIDIA graphics adapter found", "No NVIDIA devices probed"},
		Layer:    rule.KernelModule, ExplainedBy: []string{"HWR001", "KRN001", "DRV005", "DRV006"},
		Meaning: "The module was loaded and found no GPU that it could drive.",
		Causes: causes(
			Cause{
				When:     on(nouveauThere),
				Title:    "The nvidia module finds no GPU: nouveau has it",
				Text:     "Another driver owns the GPU.",
				Remedies: []Remedy{fix("blacklist nouveau, rebuild the initramfs and restart", "shell", "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-nouveau.conf; sudo update-initramfs -u")},
			},
			Cause{
				Title:    "The nvidia module finds no GPU of NVIDIA that it could drive",
				Text:     "Either there is none (a machine without a GPU, one that is not passed into the VM, switched off or not seen on PCIe), or another driver (nouveau, vfio-pci) holds it.",
				Remedies: []Remedy{fix("see whether the GPU is there and which driver holds it", "check", "lspci -nnk -d 10de:")},
				Ask:      "lspci -nnk -d 10de:",
			},
		),
		Samples: []string{"NVRM: No NVIDIA GPU found.", "NVRM: No NVIDIA PCI devices found.", "NVRM: No NVIDIA graphics adapter found!"},
		Misses:  []string{"NVRM: loading NVIDIA UNIX Open Kernel Module"},
		Source:  nvSource,
	},
	{
		ID: "nvrm-probe", Product: "nvidia kernel module",
		Literals: []string{"NVIDIA probe routine", "None of the NVIDIA devices were", "another driver was loaded and", "obtained ownership of the NVIDIA", "None of the NVIDIA graphics adapters"},
		Pattern:  `NVIDIA probe routine (?:was not called|failed) for|None of the NVIDIA (?:devices|graphics adapters) were initialized|another driver was loaded and|obtained ownership of the NVIDIA`,
		Layer:    rule.KernelModule, Strength: Weak, ExplainedBy: []string{"KRN001", "KRN005", "KRN006", "DRV005", "DRV006"},
		Meaning: "Another driver holds the GPU, or the module gave up on it.",
		Causes: causes(
			Cause{
				When:     on(nouveauThere),
				Title:    "nouveau holds the GPU, so the nvidia module does not get it",
				Text:     "The probe routine was not called: nouveau was loaded first, usually from the initramfs.",
				Remedies: []Remedy{fix("blacklist nouveau, rebuild the initramfs and restart", "ubuntu", "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-nouveau.conf; sudo update-initramfs -u", "fedora", "sudo dracut --force")},
			},
			Cause{
				When:     on(Says("already bound to nova", "novacore", "nova_core", "nova-core")),
				Title:    "nova-core, the kernel's new driver, holds the GPU, so the nvidia module does not get it",
				Text:     "A GPU is bound to one driver at a time.",
				Remedies: []Remedy{fix("blacklist nova_core (and nova_drm), rebuild the initramfs and restart", "shell", "printf 'blacklist nova_core\\nblacklist nova_drm\\n' | sudo tee /etc/modprobe.d/blacklist-nova.conf")},
			},
			Cause{
				When:     on(Says("vfio-pci", "vfio_pci")),
				Title:    "vfio-pci holds the GPU for virtual machines, so the nvidia module does not get it",
				Text:     "The GPU is set aside for passthrough on this host (vfio-pci.ids on the kernel's command line, or driverctl).",
				Remedies: []Remedy{fix("to use it on the host, take its id out of vfio-pci's options, rebuild the initramfs and restart", "check", "lspci -nnk -d 10de:; cat /proc/cmdline; grep -r vfio /etc/modprobe.d")},
			},
			Cause{
				Title: "The nvidia module initialised no GPU: another driver holds it, or this release does not support it",
				Text:  "The lines around it in the kernel log name the reason: nouveau or vfio-pci was first, the GPU needs the open or the proprietary flavour, or the branch has no support for it.",
				Remedies: []Remedy{
					fix("see which driver holds the GPU", "check", "lspci -nnk -d 10de:"),
					fix("where it is nouveau, blacklist it and rebuild the initramfs", "ubuntu", "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-nouveau.conf; sudo update-initramfs -u"),
				},
				Ask: "lspci -nnk -d 10de:; sudo dmesg | grep -i nvrm",
			},
		),
		Samples: []string{
			"NVRM: The NVIDIA probe routine was not called for 1 device(s).",
			"NVRM: The NVIDIA probe routine failed for 2 device(s).",
			"NVRM: None of the NVIDIA devices were initialized.",
			"NVRM: This can occur when another driver was loaded and \nNVRM: obtained ownership of the NVIDIA device(s).",
		},
		Misses: []string{"nvidia: probe routine registered"},
		Source: nvSource,
	},
	{
		ID: "nvrm-other-driver", Product: "nvidia kernel module",
		Literals: []string{"already bound to N", "already bound to V", "already bound to n", "such as nouveau, rivafb", "a driver such as"},
		Pattern:  `(?i)(?:NVRM|nvidia).{0,80}already bound to (?P<other>NovaCore|nova[-_]core|nouveau|vfio-pci)|a driver such as(?:.{0,10}NVRM:)? ?nouveau, rivafb|occur when a driver such as`,
		Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN001"},
		Meaning: "Another kernel driver holds the GPU.",
		Causes: causes(Cause{
			Title: "Another kernel driver[, {other},] holds the GPU, so the nvidia module does not get it",
			Text:  "A GPU is bound to one driver at a time; nouveau (or nova-core, vfio-pci) was loaded first, usually from the initramfs.",
			Remedies: []Remedy{
				fix("blacklist it, rebuild the initramfs and restart", "shell", "printf 'blacklist nouveau\\nblacklist nova_core\\noptions nouveau modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-nouveau.conf; sudo update-initramfs -u", "check", "lspci -nnk -d 10de:"),
			},
		}),
		Samples: []string{"NVRM: GPU 0000:01:00.0 is already bound to nouveau.", "NVRM: GPU 0000:65:00.0 is already bound to NovaCore", "NVRM: occur when a driver such as:\nNVRM: nouveau, rivafb, nvidiafb or rivatv"},
		Misses:  []string{"port 8080 is already bound to nginx"},
		Source:  nvSource,
	},
}
