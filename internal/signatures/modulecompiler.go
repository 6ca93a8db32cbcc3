package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// moduleCompiler is where the build of the kernel module stops at its own check of the compiler.
func moduleCompiler() []*Signature {
	return []*Signature{
		{
			ID: "module-compiler-check", Product: "nvidia kernel module",
			Literals: []string{"Failed CC version check", "gcc-version-check failed", "CC version check failed: The kernel was built", "compile the kernel:", "compile the kernel (gcc", "The kernel was built by: gcc", "cc_version_check] Error", "gcc_version_check"},
			Pattern: `(?i)compile the kernel: *(?:gcc version|\S*gcc \([^)\n]*\)) (?P<kgcc>\d[\d.]*\d)|The kernel was built by: +\S*gcc\S* \([^)\n]*\) (?P<kgcc>\d[\d.]*\d) +You are using: +\S+ \([^)\n]*\) (?P<gccnow>\d[\d.]*\d)|compile the kernel \(gcc (?P<kgcc>\d[\d.]*)\) does not exactly match the current compiler \(gcc (?P<gccnow>\d[\d.]*)\)|` +
				`CC version check failed: The kernel was built with gcc version (?P<kgcc>\d[\d.]*\d)[^\n]{0,120}?current compiler version is (?:gcc version |\S+ \([^)\n]*\) )(?P<gccnow>\d[\d.]*\d)|Failed CC version check|gcc-version-check failed|cc_version_check\] Error`,
			Layer: rule.KernelModule, Strength: Strong,
			Where:   on(Says("failed cc version check", "version check failed", "gcc-version-check failed", "cc_version_check] error", "rejects kernel modules")),
			Meaning: "The module's build compares the compiler with that of the kernel, and they differ.",
			Causes: causes(
				Cause{
					When:     on(Any(InContainer), Says(".run", "installer")),
					Title:    "The driver's kernel module is built in a container, with another compiler[ (gcc {gccnow})] than the host's kernel[ (gcc {kgcc})], and cannot be loaded from there",
					Text:     "The kernel module belongs to the host: it is built and loaded there, with the host's headers and compiler. A container gets the driver's libraries alone, of exactly the host's release, or none at all with the NVIDIA container toolkit.",
					Remedies: []Remedy{fix("install the driver on the host and start the container with --gpus all; where an installer has to run in the container, leave the module out", "host", "cat /proc/driver/nvidia/version; nvidia-smi", "container", "sh NVIDIA-Linux-x86_64-VERSION.run --no-kernel-module")},
				},
				Cause{
					Title: "The nvidia module[ {driver}] is not built: the compiler here[ (gcc {gccnow})] is not the one of the kernel[ {kernel}][ (gcc {kgcc})], and the driver's own check stops (CC version check)",
					Text:  "An update brought a new gcc and not yet a kernel that was built with it, or the other way round. A difference in the last numbers is harmless, so the check may be passed over (IGNORE_CC_MISMATCH=1); another major release of gcc needs the compiler of the kernel.",
					Remedies: []Remedy{
						fix("where only minor numbers differ, pass over the check", "dkms", "sudo env IGNORE_CC_MISMATCH=1 dkms autoinstall", "runfile", "sudo sh NVIDIA-Linux-x86_64-VERSION.run --no-cc-version-check"),
						fix("otherwise build with the compiler that /proc/version names, or update the kernel and restart", "check", "cat /proc/version; gcc --version"),
					},
				},
			),
			Samples: []string{
				"The major and minor number of the compiler used to compile the kernel:\ngcc version 10.2.0 (Arch Linux)\n*** Failed CC version check. Bailing out! ***",
				"The kernel was built by: gcc (Debian 12.2.0-14) 12.2.0\nYou are using:           cc (Debian 13.2.0-5) 13.2.0\nFailed CC version check",
				"WARNING: The CC version check failed: The kernel was built with gcc version 9.3.0 (Ubuntu 9.3.0-17ubuntu1), but the current compiler version is cc (Ubuntu 7.5.0-3ubuntu1) 7.5.0.",
				"make[1]: *** [Kbuild:180: cc_version_check] Error 1",
			},
			Misses: []string{"warning: the compiler differs from the one used to build the kernel"},
			Source: "https://github.com/clearlinux/distribution/issues/1133",
		},
		{
			ID: "installer-proc-version", Product: "nvidia-installer",
			Literals: []string{"was not found in the /proc/version", "in the /proc/version string"},
			Pattern:  `The string ['"]\(gcc['"] was not found in the /proc/version string(?:: "Linux version (?P<kernel>\d[\w.-]*\w))?`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "An old installer cannot read from /proc/version which compiler built the kernel.",
			Causes: causes(Cause{
				When:  on(Has("kernel")),
				Title: "This NVIDIA driver[ {driver}] is too old for the kernel {kernel}: its installer cannot even read which gcc built it (/proc/version has a newer form)",
				Text:  "Drivers of ended branches (340, 390) do not build against new kernels without patches. Passing over the compiler check does not help: the module's source does not fit the kernel's interfaces.",
				Remedies: []Remedy{
					fix("take the newest driver that supports the GPU; where that is an ended branch, a package of it with patches for this kernel (the distribution's nvidia-340 or nvidia-390, or its DKMS package), or a kernel of its time", "check", "lspci -nn -d 10de:; uname -r"),
					fix("or use nouveau, the kernel's own driver, where no CUDA is needed"),
				},
			}, Cause{
				Title:    "This NVIDIA driver[ {driver}] is too old for the kernel that runs: its installer cannot even read which gcc built it (/proc/version has a newer form)",
				Text:     "Drivers of ended branches do not build against new kernels without patches.",
				Remedies: []Remedy{fix("take the newest driver that supports the GPU, or a package of the ended branch with patches for this kernel", "check", "lspci -nn -d 10de:; uname -r; cat /proc/version")},
			}),
			Samples: []string{`The string "(gcc" was not found in the /proc/version string: "Linux version 6.5.0-18-generic (buildd@host) (x86_64-linux-gnu-gcc-12 (Ubuntu 12.3.0) 12.3.0)`, `The string "(gcc" was not found in the /proc/version string`},
			Misses:  []string{"cat /proc/version"},
			Source:  "https://github.com/MeowIce/nvidia-legacy/issues/27",
		},
	}
}
