package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvrmLoad is what the nvidia kernel module writes to the kernel log where it is of
// another release than the libraries. One message goes over several lines, each with NVRM: before it.
func nvrmLoad() []*Signature {
	return []*Signature{
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
			Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/src/nvidia/arch/nvalloc/unix/src/osapi.c",
		},
	}
}
