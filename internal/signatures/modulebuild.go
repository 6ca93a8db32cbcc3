package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// moduleBuild is what the build of a module says of its tools: compiler, make and the rest.
func moduleBuild() []*Signature {
	return []*Signature{
		{
			ID: "module-compiler-mismatch", Product: "nvidia kernel module",
			Literals: []string{"compiler differs from the one used to build the kernel", "CC version check failed", "Failed CC version check", "gcc-version-check", "cc_version_check", "The kernel was built by:", "the compiler used to build", "The kernel was built with gcc", "IGNORE_CC_MISMATCH"},
			Pattern:  `(?i)compiler differs from the one used to build the kernel|CC version check failed|Failed CC version check|cc_version_check.{0,40}(?:fail|error)|The kernel was built with gcc version (?P<kgcc>[\d.]+).{0,160}?gcc version (?P<gccnow>[\d.]+)|The kernel was built by: ?(?P<built>\S+)`,
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
			Samples: []string{"warning: the compiler differs from the one used to build the kernel", "ERROR: The CC version check failed:", "*** Failed CC version check. ***", "The kernel was built with gcc version 12.3.0 (Ubuntu), but the current compiler version is gcc version 11.4.0"},
			Misses:  []string{"checking the compiler used to build the package... gcc"},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/conftest.sh",
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
			Source:  "https://github.com/NVIDIA/nvidia-installer/blob/main/misc.c",
		},
	}
}
