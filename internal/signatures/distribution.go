package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// distribution are causes that one distribution has.
func distribution() []*Signature {
	return []*Signature{
		{
			ID: "nixos-unfree", Product: "nixos",
			Literals: []string{"has an unfree license", "refusing to evaluate"},
			Pattern:  `(?i)Package ['‘"]?(?P<package>[\w.-]*(?:nvidia|cuda|cudnn|nccl|tensorrt)[\w.-]*)['’"]? in? ?.{0,200}?has an unfree license|Package ['‘"](?P<package>[\w.-]*(?:nvidia|cuda|cudnn|nccl)[\w.-]*)['’"] has an unfree license`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "Nix does not build packages that are not free unless that is allowed.",
			Causes: causes(Cause{
				Title:    "Nix refuses {package}: it has an unfree license, and allowUnfree is not set",
				Text:     "The driver and CUDA are not free software. Not a fault of the stack.",
				Remedies: []Remedy{fix("allow it, whole or by package", "nixos", "nixpkgs.config.allowUnfree = true;", "nix-shell", "NIXPKGS_ALLOW_UNFREE=1 nix-shell --impure")},
			}),
			Samples: []string{"error: Package 'nvidia-x11-570.86.16-6.12.10' in /nix/store/a/nvidia has an unfree license ('unfreeRedistributable'), refusing to evaluate."},
			Misses:  []string{"Package 'vscode' has an unfree license"},
			Source:  "https://wiki.nixos.org/wiki/Unfree_software",
		},
		{
			ID: "kernel-updated-not-restarted", Product: "pacman",
			Literals: []string{"pacman -Syu", "pacman -Q", "/usr/lib/modules", "usr/lib/modules", "yay -Syu"},
			Layer:    rule.KernelModule, Role: Context, Strength: Strong,
			Meaning: "The text tells of packages of Arch.",
			Causes: causes(Cause{
				When:     on(Says("couldn't communicate", "Module nvidia not found", "not found in directory", "no nvidia", "version mismatch", "FATAL: Module"), Says("pacman ", "yay -", "arch linux", "archlinux", "on arch ", "manjaro", "endeavouros", "-arch1"), Not(Says("Failed CC version check")), Not(Says("-lts", "linux-zen", "linux-hardened", "rebooted", "after reboot"))),
				Title:    "The kernel was updated and the machine not restarted: the directory of the running kernel's modules[ ({kernel})] is gone, so nvidia cannot be loaded until a restart (reboot)",
				Text:     "pacman replaces /usr/lib/modules at once. The running kernel then finds no module; nothing is broken.",
				Remedies: []Remedy{fix("restart", "check", "uname -r; ls /usr/lib/modules"), fix("where the two agree after the restart: install the module for that kernel (nvidia-lts, or nvidia-open-dkms with the kernel's headers)", "arch", "sudo pacman -S nvidia-open-dkms linux-headers")},
			}),
			Samples: []string{"after pacman -Syu nvidia-smi fails"},
			Misses:  []string{"pacman is a game"},
			Source:  "https://wiki.archlinux.org/title/NVIDIA",
		},
		{
			ID: "arch-kernel-flavour", Product: "pacman",
			Literals: []string{"linux-lts", "-1-lts", "linux-zen", "linux-hardened", "linux-cachyos", "-1-zen", "-hardened"},
			Pattern:  `(?i)(?P<flavour>linux-(?:lts|zen|hardened|cachyos)|\d-(?:lts|zen\d*|hardened\d*)\b|-zen\d+-\d)`,
			Layer:    rule.KernelModule, Role: Context, Strength: Strong,
			Meaning: "A kernel beside the standard one runs on Arch.",
			Causes: causes(Cause{
				When:     on(Says("Module nvidia not found", "couldn't communicate", "FATAL: Module", "no nvidia module", "not find the module"), Says("arch", "pacman", "manjaro", "endeavour", "usr/lib/modules", "lib/modules")),
				Title:    "The package nvidia holds the module of the standard kernel alone: the running kernel[ {kernel}] needs nvidia-lts or a DKMS package (nvidia-dkms, nvidia-open-dkms) with its headers",
				Text:     "On Arch nvidia fits linux, nvidia-lts fits linux-lts; linux-zen, linux-hardened and others build it with DKMS.",
				Remedies: []Remedy{fix("install the package for this kernel", "arch", "sudo pacman -S nvidia-open-dkms linux-lts-headers", "check", "uname -r; dkms status")},
			}),
			Samples: []string{"I use linux-lts on Arch", "Module nvidia not found in directory /lib/modules/6.12.9-zen1-1-zen"},
			Misses:  []string{"ubuntu 22.04 LTS"},
			Source:  "https://wiki.archlinux.org/title/NVIDIA",
		},
		{
			ID: "clang-only-option", Product: "nvidia kernel module",
			Literals: []string{"-mretpoline-external-thunk", "-fsplit-lto-unit", "-flto=thin", "-fsanitize=kcfi", "-mllvm", "-fdebug-info-for-profiling", "-Qunused-arguments", "-enable-trivial-auto-var-init"},
			Pattern:  `(?i)(?:gcc|cc1?|error)[^\n]{0,60}(?:unrecognized|unknown)[^\n]{0,40}(?P<option>-(?:mretpoline-external-thunk|fsplit-lto-unit|flto=thin|fsanitize=kcfi|mllvm|Qunused-arguments|enable-trivial-auto-var-init\S*))`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "gcc was given an option of clang: the kernel was built with clang.",
			Causes: causes(Cause{
				Title:    "The kernel[ {kernel}] was built with clang (LLVM), and the nvidia module is being built with gcc, which does not know {option}",
				Text:     "A module has to be built with the compiler of its kernel.",
				Remedies: []Remedy{fix("install clang, llvm and lld and build with LLVM=1", "shell", "sudo env LLVM=1 CC=clang LD=ld.lld dkms autoinstall"), fix("or use a kernel that was built with gcc, or the prebuilt module for this kernel")},
			}),
			Samples: []string{"gcc: error: unrecognized command-line option '-mretpoline-external-thunk'"},
			Misses:  []string{"clang: using -mretpoline-external-thunk"},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/550",
		},
		{
			ID: "suse-driver-conflict", Product: "zypper",
			Literals: []string{"nvidia-driver-G0", "nvidia-open-driver-G0", "nvidia-gfxG0"},
			Pattern:  `(?i)Problem:? ?(?:\d+: )?.{0,80}?(?P<one>nvidia[\w-]*G0\d[\w-]*)[^\n]{0,40} conflicts with ['"]?(?P<other>nvidia[\w-]*G0\d[\w-]*)`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "zypper would install two flavours of the module package.",
			Causes: causes(Cause{
				Title:    "zypper: {one} conflicts with {other}: the open, signed flavour and the proprietary one (G06 kmp) exclude each other",
				Text:     "SUSE has the open module, signed, in the distribution (nvidia-open-driver-G06-signed-kmp) and the proprietary one in NVIDIA's repository (nvidia-driver-G06-kmp). User-space parts must be of the same release as the module.",
				Remedies: []Remedy{fix("keep one: the open, signed one from Turing on (it needs no key for Secure Boot), the proprietary one for older GPUs; then bring all parts to one release", "suse", "sudo zypper install nvidia-open-driver-G06-signed-kmp-default; zypper se -si nvidia", "hold", "sudo zypper addlock nvidia-driver-G06-kmp-default")},
			}),
			Samples: []string{"Problem: 1: the to be installed nvidia-open-driver-G06-signed-kmp-default-570.86.16 conflicts with 'nvidia-driver-G06-kmp' provided by the installed"},
			Misses:  []string{"nvidia-driver-G06-kmp-default is installed"},
			Source:  "https://en.opensuse.org/SDB:NVIDIA_drivers",
		},
	}
}
