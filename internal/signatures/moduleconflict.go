package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// moduleConflict is about modules in the way: one in use, and nouveau.
func moduleConflict() []*Signature {
	return []*Signature{
		{
			ID: "module-in-use", Product: "modprobe",
			Literals: []string{"Module nvidia is in use", "Module nvidia_uvm is in use", "Module nvidia_drm is in use", "Module nvidia_modeset is in use", "Module nvidia-drm is in use"},
			Pattern:  `(?i)Module (?P<kmod>nvidia[\w-]*) is in use(?: by:? (?P<by>[\w-]+))?`,
			Layer:    rule.KernelModule, Role: Consequence,
			Meaning: "The module cannot be removed because something uses it.",
			Causes: causes(Cause{
				Title:    "The module {kmod} cannot be unloaded: something uses it[: {by}]",
				Text:     "A display server, the persistence daemon, a monitoring agent or a container holds the GPU.",
				Remedies: []Remedy{fix("stop what uses it, then unload in this order, or restart the machine", "shell", "sudo lsof /dev/nvidia*; sudo systemctl stop nvidia-persistenced; sudo rmmod nvidia_drm nvidia_modeset nvidia_uvm nvidia")},
			}),
			Samples: []string{"rmmod: ERROR: Module nvidia is in use by: nvidia_uvm nvidia_modeset", "modprobe: FATAL: Module nvidia_drm is in use."},
			Misses:  []string{"Module kvm is in use"},
			Source:  "https://github.com/kmod-project/kmod/blob/master/tools/rmmod.c",
		},
		{
			ID: "module-nouveau", Product: "linux kernel",
			Literals: []string{"Kernel driver in use: nouveau", "Nouveau kernel driver", "nouveau kernel driver"},
			Pattern:  `(?i)Kernel driver in use: nouveau|Nouveau kernel driver is currently in use|(?:the )?nouveau kernel driver.{0,40}(?:in use|loaded|conflict)`,
			Layer:    rule.KernelModule, Strength: Usual, ExplainedBy: []string{"KRN001"},
			Meaning: "nouveau, the kernel's own driver, holds the GPU.",
			Causes: causes(Cause{
				Title: "nouveau drives the GPU, so NVIDIA's driver cannot",
				Text:  "CUDA needs NVIDIA's driver, and a GPU is bound to one driver at a time. nouveau is loaded early, also from the initramfs.",
				Remedies: []Remedy{
					fix("blacklist nouveau, rebuild the initramfs, restart, and then install the driver", "ubuntu and debian", "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-nouveau.conf; sudo update-initramfs -u; sudo reboot", "fedora and rhel", "sudo grubby --update-kernel=ALL --args='rd.driver.blacklist=nouveau modprobe.blacklist=nouveau'; sudo dracut --force"),
				},
			}),
			Samples: []string{"\tKernel driver in use: nouveau", "ERROR: The Nouveau kernel driver is currently in use by your system.  This driver is incompatible with the NVIDIA driver"},
			Misses:  []string{"\tKernel modules: nvidiafb, nouveau, nvidia"},
			Source:  "https://github.com/NVIDIA/nvidia-installer/blob/main/misc.c",
		},
	}
}
