package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// openModule is about the choice between NVIDIA's open and proprietary kernel modules.
func openModule() []*Signature {
	return []*Signature{
		{
			ID: "told-closed-module", Product: "NVIDIA driver",
			Literals: []string{"proprietary flavour", "proprietary flavor", "proprietary driver", "proprietary module", "proprietary kernel", "proprietary nvidia", "closed source driver", "closed driver", "closed-source driver", "nvidia proprietary", "(proprietary)", "non-open driver", "instead of the open", "MIT/GPL"},
			Layer:    rule.KernelModule, Role: Told, Strength: Strong,
			Where:   on(Is("gpu|openmodule", "required"), Not(Says("open driver does not", "open driver doesn't", "nvidia-open does not", "open modules too", "both open and", "both flavours", "both the open"))),
			Meaning: "Somebody uses the proprietary flavour of the module with a GPU that has none.",
			Causes: causes(Cause{
				When:     on(Says("black screen", "not detected", "no devices", "does not boot", "stuck", "blank", "not work", "doesn't work", "fails", "failed", "no signal", "not load", "won't", "crash", "not recogni", "error")),
				Title:    "{gpu} works with NVIDIA's open kernel modules alone (nvidia-open), and here the proprietary flavour[ of {driver}] is installed",
				Text:     "Blackwell and newer GPUs have no support in the proprietary flavour: it loads and finds no device, so the screen stays black or nvidia-smi lists nothing. The open flavour is of the same releases.",
				Remedies: []Remedy{fix("install the open flavour and restart", "ubuntu", "sudo ubuntu-drivers install", "debian", "sudo apt-get install nvidia-open", "fedora", "sudo sh -c 'echo \"%_with_kmod_nvidia_open 1\" > /etc/rpm/macros.nvidia-kmod' && sudo akmods --force", "arch", "sudo pacman -S nvidia-open-dkms")},
			}),
			Samples: []string{"I took the proprietary driver and the screen stays black"},
			Misses:  []string{"a proprietary format"},
			Source:  "https://github.com/devleonardoamaral/debian-nvidia-installer/issues/44",
		},
		{
			ID: "nvrm-open-unsupported-gpus", Product: "nvidia kernel module",
			Literals: []string{"only ready for use on Data Center GPUs", "To force use of Open nvidia.ko", "OpenRmEnableUnsupportedGpus"},
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "An early open kernel module drives GeForce and workstation GPUs only where that is switched on.",
			Causes: causes(
				Cause{
					When:     on(AtLeast("driver", "560")),
					Title:    "NVreg_OpenRmEnableUnsupportedGpus is not needed with driver {driver}: the open module supports GeForce and workstation GPUs since 560",
					Text:     "The reason of the trouble is another: read the other lines of NVRM.",
					Remedies: []Remedy{fix("take the option out of /etc/modprobe.d, and read the kernel log", "shell", "grep -rn OpenRmEnable /etc/modprobe.d; sudo dmesg | grep -i nvrm | tail")},
				},
				Cause{
					Title: "This open kernel module[ {driver}] drives data-centre GPUs alone unless NVreg_OpenRmEnableUnsupportedGpus=1 is set",
					Text:  "Releases of 515 to 555 of the open flavour call GeForce and workstation GPUs[ ({gpu})] not ready for use and stop (RmInitAdapter failed). The card is well.",
					Remedies: []Remedy{
						fix("set the option and load the module anew", "shell", "echo 'options nvidia NVreg_OpenRmEnableUnsupportedGpus=1' | sudo tee /etc/modprobe.d/nvidia-open.conf", "talos", "machine.kernel.modules: - name: nvidia, parameters: [NVreg_OpenRmEnableUnsupportedGpus=1]"),
						fix("or use driver 560 or newer, or the proprietary flavour of this one"),
					},
				},
			),
			Samples: []string{"NVRM: Open nvidia.ko is only ready for use on Data Center GPUs.", "NVRM: 'OpenRmEnableUnsupportedGpus' kernel module parameter described"},
			Misses:  []string{"NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64"},
			Source:  "https://github.com/siderolabs/extensions/issues/114",
		},
		{
			ID: "told-open-module-gpu", Product: "nvidia kernel module",
			Literals: []string{"nvidia-driver-5", "open kernel module", "open module", "open driver", "kernel-open", "open-dkms", "open = true", "nvidia-open"},
			Pattern:  `(?i)\bnvidia-(?:driver-\d{3}-(?:server-)?)?open\b(?:-dkms)?|\bopen(?: gpu)? (?:kernel )?modules?\b|\bopen driver\b|kernel-open|open-dkms|\bopen = true\b`,
			Layer:    rule.KernelModule, Role: Told, Strength: Strong,
			Where:   on(fails),
			Meaning: "Somebody tells of the open kernel modules.",
			Causes: causes(Cause{
				When:     on(Is("gpu|openmodule", "unsupported")),
				Title:    "{gpu} does not work with NVIDIA's open kernel modules: it needs the proprietary flavour[, of branch {gpu|gpulast} or older]",
				Text:     "The open modules drive Turing (GTX 16, RTX 20) and newer GPUs, which have a GSP. Maxwell, Pascal and Volta need the proprietary module.",
				Remedies: []Remedy{fix("install the proprietary flavour[ of branch {gpu|gpulast}], and restart", "ubuntu", "sudo apt-get install nvidia-driver-580 && sudo apt-get purge 'nvidia-*-open'", "arch", "yay -S nvidia-580xx-dkms", "opensuse", "sudo zypper rm 'nvidia-open-driver-G06*' && sudo zypper al 'nvidia-open-driver-G06*'", "nixos", "hardware.nvidia.open = false;")},
			}),
			Samples: []string{"I installed nvidia-open and the display no longer comes up"},
			Misses:  []string{"the file is opened"},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules",
		},
	}
}
