package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// pciPastLast holds where the driver is of a newer branch than the last that knows the GPU, or is not known.
var pciPastLast = Condition{Name: "the driver is newer than the GPU's last branch", Holds: func(c *Case) bool {
	have, known := c.Variable("driver|branch")
	last, ok := c.Variable("pci|pcilast")
	return ok && (!known || len(have) > len(last) || len(have) == len(last) && have > last)
}}

// nvrmSupport is what the kernel module writes where this release or flavour of it does not drive a GPU.
func nvrmSupport() []*Signature {
	return []*Signature{
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
			Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/src/nvidia/arch/nvalloc/unix/src/osapi.c",
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
					When:     on(Has("pci|pcilast"), pciPastLast),
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
					When: on(Has("pci|pciname"), Has("driver")), Confidence: rule.Possible,
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
			Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/src/nvidia/arch/nvalloc/unix/src/osapi.c",
		},
	}
}
