package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nouveauDriver is about the kernel's own driver, and a start without any.
func nouveauDriver() []*Signature {
	return []*Signature{
		{
			ID: "nouveau-fault", Product: "nouveau",
			Literals: []string{"nouveau 0000:", "nouveau fifo", "nouveau: kernel rejected", "gsp: rpc fn"},
			Pattern:  `(?i)nouveau (?:[0-9a-f]{4}:[0-9a-f:.]+|fifo):? [^\n]{0,80}(?:fault|fail|error|timeout|ctor|PUSHER|unknown chipset|hung|lockup|rpc fn)|nouveau: kernel rejected|gsp: rpc fn:\d+ failed`,
			Layer:    rule.KernelModule, Strength: Usual,
			Meaning: "nouveau, the kernel's own driver, fails with this GPU.",
			Causes: causes(Cause{
				Title:    "nouveau, the kernel's own driver, fails with this GPU[ ({gpu})]: NVIDIA's driver is not in use",
				Text:     "nouveau knows new GPUs late or without their firmware, and hangs or freezes the screen then. CUDA does not work with it at all.",
				Remedies: []Remedy{fix("install NVIDIA's driver, which blacklists nouveau", "ubuntu", "sudo ubuntu-drivers install && sudo reboot", "fedora", "sudo dnf install akmod-nvidia"), fix("to get that far, start once with nomodeset or modprobe.blacklist=nouveau on the kernel's command line")},
			}),
			Samples: []string{"nouveau 0000:01:00.0: gsp: rpc fn:78 failed", "nouveau 0000:01:00.0: bus: MMIO read of 00000000 FAULT at 3e6684 [ IBUS ]"},
			Misses:  []string{"nouveau 0000:01:00.0: NVIDIA GP107 (137000a1)"},
			Source:  "https://nouveau.freedesktop.org/",
		},
		{
			ID: "told-nomodeset", Product: "linux kernel",
			Literals: []string{"nomodeset"},
			Pattern:  `\bnomodeset\b`,
			Layer:    rule.KernelModule, Role: Context, Strength: Usual,
			Where:   on(Says("nvidia", "geforce", "rtx ", "gtx ")),
			Meaning: "The kernel is started without setting modes.",
			Causes: causes(Cause{
				When:     on(Says("must", "have to", "only boot", "without it", "need to add", "low resolution", "800x600", "1024x768", "black screen", "not found", "does not boot", "freez")),
				Title:    "The machine starts with nomodeset alone: nouveau fails with this GPU[ ({gpu})], and with nomodeset no driver drives the display; NVIDIA's driver has to be installed and nomodeset taken out again",
				Text:     "nomodeset is a way to get to an installation, not to keep: nvidia-drm does not set modes with it either.",
				Remedies: []Remedy{fix("install the driver, remove nomodeset from /etc/default/grub, and restart", "ubuntu", "sudo ubuntu-drivers install; sudo sed -i 's/nomodeset//' /etc/default/grub && sudo update-grub && sudo reboot")},
			}),
			Samples: []string{"I have to add nomodeset to boot"},
			Misses:  []string{"no mode was set"},
			Source:  "https://docs.kernel.org/admin-guide/kernel-parameters.html",
		},
	}
}
