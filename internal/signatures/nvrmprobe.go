package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvrmProbe is what the kernel module writes where it finds no GPU, or another driver has it.
func nvrmProbe() []*Signature {
	return []*Signature{
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
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv.c",
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
			Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv.c",
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
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv-pci.c",
		},
	}
}
