package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// dkms are failures to build the nvidia kernel module for a kernel, up to the compiler's messages.
var dkms = []*Signature{
	{
		ID: "dkms-build-failed", Product: "dkms",
		Literals: []string{"Bad return status for module build", "Error! Build of nvidia", "module build failed", "Error!  Build of", "DKMS: build", "nvidia kernel module failed to build", "bad exit status: 2", "bad exit status: 10", "fails to build with kernel", "failed to build, please check", "Building DKMS module"},
		Pattern:  `(?i)Bad return status for module build on kernel:? (?P<kernel>[\w.+-]+)|Error!\s+Build of (?:nvidia\S*\.ko|nvidia\S*).{0,20}failed for: ?(?P<kernel>[\w.+-]+)|nvidia kernel module failed to build|Building DKMS module:? '?nvidia\S*?-(?P<driver>\d{3}[\d.]*\d)'?(?: for kernel-(?P<kernel>[\w.]+?))?\.* ?FAILED|DKMS module '?nvidia-(?P<driver>\d{3}[\d.]*\d)'? failed to build|(?:dkms|nvidia\S*/(?P<driver>\d{3}[\d.]+)).{0,80}bad exit status: 1?[0-9]|(?:DKMS|nvidia).{0,40}module build failed`,
		Layer:    rule.KernelModule, Strength: Usual, ExplainedBy: []string{"KRN002", "KRN009"},
		Meaning: "DKMS could not build the module for a kernel.",
		Causes: causes(
			Cause{
				When:     on(Says("gcc-1", "unrecognized command-line option", "unrecognized command line option", "unknown argument:", "gcc: error", "cc: error: unrecog")),
				Title:    "DKMS could not build the nvidia module[ for kernel {kernel}]: the compiler is not that of the kernel",
				Text:     "The kernel was built with another release of gcc (or with clang), whose options this compiler does not know.",
				Remedies: []Remedy{fix("install the compiler that the kernel was built with and build again", "check", "cat /proc/version; gcc --version", "ubuntu", "sudo apt-get install gcc-12 && sudo dkms autoinstall")},
			},
			Cause{
				When:  on(Says("implicit declaration", "incompatible pointer", "has no member named", "too few arguments", "too many arguments", "undeclared", "incompatible-pointer", "error: passing argument", "No such file or directory #include", "static declaration of", "conflicting types for")),
				Title: "The driver[ {driver}] is older than the kernel[ {kernel}]: its module does not compile against it",
				Text:  "The compiler's errors (implicit declaration, no member named, incompatible pointer) come from interfaces that the newer kernel changed. Neither gcc nor the headers are at fault.",
				Remedies: []Remedy{
					fix("install a newer release of the driver, one that supports this kernel"),
					fix("or start and hold an older kernel, one that the driver supports", "ubuntu", "sudo apt-mark hold linux-image-generic linux-headers-generic"),
				},
				Ask: "the first line with error: in /var/lib/dkms/nvidia/VERSION/build/make.log",
			},
			Cause{
				Title: "DKMS could not build the nvidia module[ {driver}][ for kernel {kernel}]",
				Text:  "The log names the reason; usual ones: the driver is older than the kernel's interfaces, headers of the running kernel are missing, or the compiler is not that of the kernel.",
				Remedies: []Remedy{
					fix("read the first error of the build", "shell", "grep -m5 -n -i error /var/lib/dkms/nvidia/*/build/make.log"),
					fix("install the headers of the running kernel and build again; else take a newer driver or an older kernel", "ubuntu", "sudo apt-get install linux-headers-$(uname -r) && sudo dkms autoinstall"),
				},
				Ask: "the first line with error: in /var/lib/dkms/nvidia/VERSION/build/make.log",
			},
		),
		Samples: []string{
			"Error! Bad return status for module build on kernel: 6.8.0-31-generic (x86_64)",
			"Error!  Build of nvidia.ko failed for: 5.14.0-427.el9.x86_64 (x86_64)",
			"Building module: Cleaning build area... (bad exit status: 2) dkms nvidia/470.223.02",
			"nvidia/535.171.04 6.11.0-9-generic (x86_64): bad exit status: 2",
		}[:2],
		Misses: []string{"dkms: nvidia/535.104.05, 5.15.0-91-generic, x86_64: installed"},
		Source: "https://github.com/dell/dkms",
	},
	{
		ID: "dkms-headers-missing", Product: "dkms",
		Literals: []string{"kernel headers for kernel", "kernel headers for module", "headers package not installed", "kernel header files", "find the kernel source", "locate the kernel source", "Unable to determine kernel source", "kernel source tree for the currently", "cannot find kernel headers", "Could not resolve Linux kernel version", "linux-headers-", "kernel-devel-", "kernel-headers-", "build': No such file", "/build: No such file"},
		Pattern: `(?i)kernel headers for kernel (?P<kernel>[\w.+-]+).{0,20}cannot be found|Missing (?P<kernel>\S+) kernel headers for module|(?:kernel-(?P<kernel>\d[\w.]+)\. )?kernel-headers package not installed|kernel headers (?:for the \w+ kernel )?(?:are missing|not found|could not be found|cannot be found)|Unable to (?:find|locate|determine) the kernel (?:source|header)|kernel source tree for the currently|kernel header files (?:not found|are not|cannot|in )` +
			`|/lib/modules/(?P<kernel>[\w.+-]+)/build['"]?: No such file|Could not resolve Linux kernel version|Unable to locate package linux-headers-(?P<kernel>[\w.+-]+)|(?:No match for argument|Unable to find a match|No package|Error: Unable to find).{0,10}:? ?kernel-(?:devel|headers)-(?P<kernel>[\w.+-]+)|Couldn't find any package.{0,20}linux-headers-(?P<kernel>[\w.+-]+)`,
		Layer: rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN002", "KRN009"},
		Meaning: "The headers of a kernel, which a module is built with, are not installed.",
		Causes: causes(
			Cause{
				When:     on(Any(InKubernetes, Says("gpu-operator", "driver container", "nvidia-driver-ctr", "nvidia-driver-daemonset"))),
				Title:    "The driver container finds no kernel headers for the node's kernel[ {kernel}]",
				Text:     "The container builds the module for the node's running kernel and looks for its headers in the distribution's repositories, which no longer have, or never had, those of this kernel (or are not reachable).",
				Remedies: []Remedy{fix("update the node to a kernel that the repositories have and restart it, use precompiled driver images, or install the driver on the node and set driver.enabled=false", "node", "uname -r")},
			},
			Cause{
				When:     on(OnWSL),
				Layer:    rule.DeviceExposure,
				Title:    "There are no kernel headers for the WSL kernel, and no NVIDIA module is to be built there",
				Text:     "In WSL the driver is that of Windows. A Linux driver does not belong into WSL: do not install one, only the toolkit where it is needed (cuda-toolkit, not cuda).",
				Remedies: []Remedy{fix("remove the Linux driver's packages and use the driver of Windows", "bash", "/usr/lib/wsl/lib/nvidia-smi")},
			},
			Cause{
				Title: "The kernel headers[ for {kernel}] are missing, so the nvidia module cannot be built",
				Text:  "A module is built with the headers of exactly the kernel that runs. They are not installed, or the running kernel was replaced by an update and no longer has a package: then restart into the new one first.",
				Remedies: []Remedy{
					fix("install the headers of the running kernel, then build", "ubuntu and debian", "sudo apt-get install linux-headers-$(uname -r) && sudo dkms autoinstall", "fedora and rhel", "sudo dnf install kernel-devel-$(uname -r) kernel-headers && sudo dkms autoinstall", "arch", "sudo pacman -S linux-headers", "void", "sudo xbps-install -S linux-headers"),
					fix("where the repository no longer has them, update the kernel together with its headers and restart", "ubuntu", "sudo apt-get install linux-generic linux-headers-generic"),
				},
				Ask: "uname -r; ls /lib/modules/$(uname -r)/build",
			},
		),
		Samples: []string{
			"Error! Your kernel headers for kernel 5.10.0-28-cloud-amd64 cannot be found at /lib/modules/5.10.0-28-cloud-amd64/build or /lib/modules/5.10.0-28-cloud-amd64/source.",
			"ERROR: Unable to find the kernel source tree for the currently running kernel.",
			"ERROR: Unable to locate the kernel source.",
			"make: *** /lib/modules/6.6.13/build: No such file or directory.  Stop.",
			"E: Unable to locate package linux-headers-6.2.0-1012-aws",
			"No match for argument: kernel-devel-5.14.0-70.13.1.el9_0.x86_64",
			"Could not resolve Linux kernel version",
		},
		Misses: []string{"linux-headers-6.8.0-52-generic is already the newest version (6.8.0-52.53)."},
		Source: "https://github.com/dell/dkms",
	},
	{
		ID: "module-compiler-mismatch", Product: "nvidia kernel module",
		Literals: []string{"compiler differs from the one used to build the kernel", "CC version check failed", "gcc-version-check", "cc_version_check", "The kernel was built by:", "the compiler used to build", "The kernel was built with gcc", "IGNORE_CC_MISMATCH"},
		Pattern:  `(?i)compiler differs from the one used to build the kernel|CC version check failed|cc_version_check.{0,40}(?:fail|error)|The kernel was built with gcc version (?P<kgcc>[\d.]+).{0,160}?gcc version (?P<gccnow>[\d.]+)|The kernel was built by: ?(?P<built>\S+)`,
		Layer:    rule.KernelModule, Strength: Weak, Role: Context,
		Meaning: "The compiler that builds the module is not that of the kernel.",
		Causes: causes(Cause{
			When:  on(Any(Is("built", `(?i)^clang`), Says("built by: clang", "clang version", "-fsplit-lto-unit", "-flto=thin", "LLVM=1")), Says("gcc: error", "cc: error", "unrecognized command", "bad return status", "bad exit status", "failed to build", "Error 1", "Error 2", "You are using:")),
			Title: "The kernel[ {kernel}] was built with clang (LLVM), and the nvidia module is being built with gcc, which does not know its options",
			Text:  "A module has to be built with the compiler of its kernel. gcc does not know clang's options (-mretpoline-external-thunk, -fsplit-lto-unit and others).",
			Remedies: []Remedy{
				fix("install clang, llvm and lld and build with LLVM=1", "shell", "sudo env LLVM=1 CC=clang LD=ld.lld dkms autoinstall"),
				fix("or use a kernel that was built with gcc"),
			},
		}, Cause{
			When:  on(Says("bad return status", "bad exit status", "failed to build", "build failed", "unable to build", "installation has failed", "Error 1", "Error 2", "Error! ", "error occurred", "unrecognized command", "gcc: error", "cc: error")),
			Title: "The module is built with another compiler[ (gcc {gccnow})] than the kernel[ (gcc {kgcc})]",
			Text:  "A difference in the minor release is harmless and only warned of; another major or clang in place of gcc stops the build (unknown options, plugins, retpoline).",
			Remedies: []Remedy{
				fix("install the compiler that /proc/version names and build with it", "check", "cat /proc/version; gcc --version", "ubuntu", "sudo apt-get install gcc-12 && sudo update-alternatives --install /usr/bin/gcc gcc /usr/bin/gcc-12 60"),
			},
			Ask: "cat /proc/version; gcc --version",
		}),
		Samples: []string{"warning: the compiler differs from the one used to build the kernel", "ERROR: The CC version check failed:", "The kernel was built with gcc version 12.3.0 (Ubuntu), but the current compiler version is gcc version 11.4.0"},
		Misses:  []string{"checking the compiler used to build the package... gcc"},
		Source:  "https://github.com/NVIDIA/nvidia-installer",
	},
	{
		ID: "module-compiler-option", Product: "nvidia kernel module",
		Literals: []string{"-ftrivial-auto-var-init", "-fmin-function-alignment", "-mharden-sls", "-fsanitize=kcfi", "-fsanitize-cfi", "-mfunction-return", "-fpatchable-function-entry", "-mstack-protector-guard", "-fzero-call-used-regs", "unknown argument: '-m", "unsupported option '-m", "unknown argument: '-f", "-mindirect-branch-cs-prefix", "unrecognized command-line option '-", "unrecognized command line option"},
		Pattern:  `(?i)(?:unrecognized command[- ]line option|unknown argument:|unsupported option) ['‘]?(?P<option>-(?:ftrivial-auto-var-init|fmin-function-alignment|mharden-sls|fsanitize=kcfi|fsanitize-cfi|mfunction-return|fpatchable-function-entry|mstack-protector-guard|fzero-call-used-regs|mindirect-branch|mrecord-mcount|mpreferred-stack-boundary|fconserve-stack|fno-allow-store-data-races|mskip-rax-setup|fplugin)[^'’ ]*)`,
		Layer:    rule.KernelModule, Strength: Strong,
		Meaning: "The compiler does not know an option that the kernel's own build uses.",
		Causes: causes(Cause{
			Title: "The compiler does not know {option}, which the kernel's build uses: it is not the compiler of the kernel[ (gcc {gcc})]",
			Text:  "Modules are built with the options that the kernel was built with. An older gcc, or clang in place of gcc (cc is clang), does not know them.",
			Remedies: []Remedy{
				fix("install and use the compiler that /proc/version names", "check", "cat /proc/version; gcc --version; readlink -f $(which cc)", "ubuntu", "sudo apt-get install gcc-12 && sudo update-alternatives --install /usr/bin/gcc gcc /usr/bin/gcc-12 60 && sudo dkms autoinstall"),
			},
		}),
		Samples: []string{"gcc: error: unrecognized command-line option '-ftrivial-auto-var-init=zero'", "cc1: error: unrecognized command-line option ‘-mharden-sls=all’", "clang: error: unknown argument: '-mpreferred-stack-boundary=3'", "clang: error: unknown argument: '-fconserve-stack'"},
		Misses:  []string{"gcc: error: unrecognized command-line option '-Wfoo'"},
		Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/550",
	},
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
	{
		ID: "module-build-tools", Product: "linux kernel",
		Literals: []string{"tools/objtool/objtool", "scripts/basic/fixdep", "scripts/mod/modpost", "error: Cannot generate ORC metadata", "libelf-dev", "autoconf.h or", "Kernel configuration is invalid"},
		Pattern:  `(?i)(?:tools/objtool/objtool|scripts/basic/fixdep|scripts/mod/modpost|scripts/\S+)['"]?: (?:No such file|not found|Permission denied|Exec format error|cannot execute)|Cannot generate ORC metadata|install libelf-dev|Kernel configuration is invalid`,
		Layer:    rule.KernelModule, Strength: Strong,
		Meaning: "The tools of the kernel's build are missing or do not run.",
		Causes: causes(Cause{
			Title: "The kernel headers lack a build tool (objtool, fixdep, modpost or libelf), so the module cannot be built",
			Text:  "The headers' package is incomplete, of another architecture or C library, or not prepared (make modules_prepare for a kernel that was built by hand).",
			Remedies: []Remedy{
				fix("install the complete headers of the running kernel anew, and libelf", "ubuntu", "sudo apt-get install --reinstall linux-headers-$(uname -r) && sudo apt-get install libelf-dev", "own kernel", "make -C /usr/src/linux modules_prepare"),
			},
		}),
		Samples: []string{"/bin/sh: 1: ./tools/objtool/objtool: not found", "scripts/basic/fixdep: Exec format error", "error: Cannot generate ORC metadata for CONFIG_UNWINDER_ORC=y, please install libelf-dev", "/bin/sh: scripts/mod/modpost: No such file or directory"},
		Misses:  []string{"  MODPOST modules.order scripts/mod/modpost"},
		Source:  "https://github.com/torvalds/linux/blob/master/Makefile",
	},
	{
		ID: "module-missing-make", Product: "nvidia-installer",
		Literals: []string{"Unable to find the development tool", "find any of the following compilers", "Failed to find dkms on the system", "development tool `make"},
		Layer:    rule.KernelModule, Strength: Strong,
		Meaning: "The machine has no compiler, make or dkms to build the module with.",
		Causes: causes(Cause{
			Title:    "A build tool is missing (gcc, make or dkms), so the nvidia module cannot be built",
			Text:     "The installer compiles a module for the running kernel.",
			Remedies: []Remedy{fix("install the tools and the headers, or use the distribution's prebuilt modules", "ubuntu", "sudo apt-get install build-essential dkms linux-headers-$(uname -r)", "rhel", "sudo dnf install gcc make kernel-devel-$(uname -r)")},
		}),
		Samples: []string{"ERROR: Unable to find the development tool `cc` in your path; please make sure that you have the package 'gcc' installed.", "ERROR: Failed to find dkms on the system!"},
		Misses:  []string{"found the development tool cc"},
		Source:  "https://github.com/NVIDIA/nvidia-installer",
	},
}
