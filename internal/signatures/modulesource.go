package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// moduleSource is what the compiler and modpost say where the driver's sources do not fit the kernel.
func moduleSource() []*Signature {
	return []*Signature{
		{
			ID: "module-driver-older-than-kernel", Product: "nvidia kernel module",
			Literals: []string{"implicit declaration of function", "has no member named", "incompatible pointer type", "too many arguments to function", "too few arguments to function", "undeclared (first use", "fatal error: drm/", "fatal error: linux/", "fatal error: asm/", "error: initialization of", "error: conflicting types", "error: assignment to", "error: unknown type name", "error: static declaration", "error: redefinition of", "from incompatible pointer", "error: passing argument"},
			// Files of the module: nvidia/nv-acpi.c, nvidia-drm/nvidia-drm-drv.c, nvidia-uvm/uvm8_tools.c, common/inc/nv-mm.h.
			Pattern: `(?:^|[\s/])(?:nv|nvidia|nvlink|uvm\d?|os)[-_][\w-]*\.[ch]:\d+(?::\d+)?: (?:fatal )?error: (?P<error>(?:implicit declaration of function|too (?:few|many) arguments to function|conflicting types for|unknown type name|redefinition of|static declaration of|initialization of|assignment to|passing argument)\s?['‘\x60]?[\w() *]*|[^\n]{0,80}?(?:has no member named ['‘]?\w+|incompatible pointer type|undeclared|No such file or directory))`,
			Layer:   rule.KernelModule, Strength: Strong,
			Meaning: "The module's source does not compile against the headers of this kernel.",
			Causes: causes(Cause{
				Title: "The driver[ {driver}] is too old for this kernel[ {kernel}]: its module does not compile against it",
				Text:  "{error} comes from an interface that the newer kernel changed. The driver's release knows kernels up to its own time alone. gcc and the headers are not at fault.",
				Remedies: []Remedy{
					fix("install a newer release of the driver, one that supports this kernel[; of the branch {driver|branch} a later one may do]"),
					fix("or start and hold an older kernel (on Ubuntu the GA kernel in place of HWE)", "ubuntu", "sudo apt-get install linux-generic && sudo apt-mark hold linux-generic"),
				},
				Ask: "uname -r and the driver's release",
			}),
			Samples: []string{
				"/var/lib/dkms/nvidia/470.63.01/build/nvidia/nv-acpi.c:84:19: error: initialization of 'void (*)(struct acpi_device *)' from incompatible pointer type",
				"/var/lib/dkms/nvidia/390.157/build/nvidia-drm/nvidia-drm-drv.c:42:10: fatal error: drm/drmP.h: No such file or directory",
				"nvidia-drm-crtc.c:120:5: error: implicit declaration of function 'drm_helper_mode_fill_fb_struct'",
				"/tmp/selfgz/NVIDIA/kernel/common/inc/nv-mm.h:83:12: error: too many arguments to function 'get_user_pages'",
			},
			Misses: []string{"nvidia-drm: checking conftest"},
			Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/conftest.sh",
		},
		{
			ID: "module-gpl-symbol", Product: "nvidia kernel module",
			Literals: []string{"GPL-incompatible module nvidia", "uses GPL-only symbol"},
			Pattern:  `(?i)(?:modpost: )?GPL-incompatible module (?P<kmod>nvidia[\w-]*)(?:\.ko)? uses GPL-only symbol '?(?P<symbol>\w+)`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "The proprietary module calls a function that this kernel offers to GPL modules alone.",
			Causes: causes(Cause{
				Title: "The proprietary nvidia module[ {driver}] cannot be linked against the kernel[ {kernel}]: {symbol} is a GPL-only symbol",
				Text:  "A kernel's update or configuration made {symbol} GPL-only (stable updates did that to rcu_read_unlock_strict and others). The compiler and the headers are not at fault.",
				Remedies: []Remedy{
					fix("install a newer driver release[ than {driver}] that does not call it (for rcu_read_unlock_strict 535.183 or 550 and newer), or from Turing on the open flavour, whose module is not bound by it"),
					fix("or start the previous kernel, or a later one in which it was taken back"),
				},
			}),
			Samples: []string{"ERROR: modpost: GPL-incompatible module nvidia.ko uses GPL-only symbol 'rcu_read_unlock_strict'", "FATAL: modpost: GPL-incompatible module nvidia-drm.ko uses GPL-only symbol 'drm_foo'"},
			Misses:  []string{"GPL-incompatible module vmmon.ko uses GPL-only symbol 'foo'"},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/550",
		},
	}
}
