package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// saidVersion are places where people and package managers name the driver's and the kernel's release beside the
// readers' forms. They are no findings: their groups become facts of the lowest rank.
func saidVersion() []*Signature {
	return []*Signature{
		{
			ID: "driver-package-said", Product: "nvidia driver",
			Literals: []string{"nvidia-driver", "nvidia-dkms", "nvidia-open", "nvidia-utils", "nvidia-current/", "akmod-nvidia", "kmod-nvidia", "nvidia-kernel-", "nvidia-x11-", "nvidia-headless", "nvidia-settings-", "nvidia 4", "nvidia 5", "nvidia drivers 4", "nvidia drivers 5", "nvidia drivers were"},
			Pattern:  `\b(?:nvidia-(?:drivers?|dkms|open|utils|current|kernel|x11|headless|settings)|akmod-nvidia|kmod-nvidia|(?i:nvidia)(?: drivers?)?)[\w-]*?[-/ :=(]{1,3}v?(?P<saiddriver>[345678]\d\d\.\d{1,3}(?:\.\d{1,2})?)\b`,
			Layer:    rule.Driver, Role: Context,
			Meaning: "A package of the driver is named with its release.",
			Samples: []string{"nvidia-open 590.44.01 came today", "nvidia-dkms-550 550.120: ERROR", "nvidia-drivers-550.90.07", "akmod-nvidia-565.77-1.fc41.x86_64", "nvidia-current/535.216.01 for the new kernel"},
			Misses:  []string{"nvidia-driver-550 is wanted"},
			Source:  "https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/index.html",
		},
		{
			ID: "kernel-release-said", Product: "linux kernel",
			Literals: []string{"kernel 6.", "kernel 5.", "kernel 4.", "kernel 7.", "kernel: 6.", "kernel: 5.", "kernel to 6.", "kernel to 5.", "kernel-6.", "kernel-5.", "kernel version 6", "kernel version 5", "linux-image-6", "linux-image-5", "linux6.", "linux-6.", "linux 6.", "linux 5.", "linux-headers-6", "linux-headers-5", "linux-headers-4"},
			Pattern:  `(?i)\b(?:kernel(?: version| release)?(?: to)?[: -]+(?:linux )?|linux-(?:image|headers)-|linux[ -]?)(?P<saidkernel>[4-7]\.\d{1,2}(?:\.\d+)?(?:[-+~_.]?\w[\w.+~-]*\w)?)`,
			Layer:    rule.KernelModule, Role: Context,
			Meaning: "The kernel's release is named.",
			Samples: []string{"since the upgrade to kernel 6.11", "the package linux6.14-6.14.0_1", "linux-headers-6.14.0-24-generic is not supported", "Kernel: 6.9.7-arch1-1"},
			Misses:  []string{"the kernel 3.10 of CentOS 7"},
			Source:  "https://www.kernel.org/",
		},
	}
}
