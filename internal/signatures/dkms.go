package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// dkms is what DKMS says where it does not build the nvidia kernel module.
func dkms() []*Signature {
	return []*Signature{
		{
			ID: "dkms-build-failed", Product: "dkms",
			Literals: []string{"Bad return status for module build", "Error! Build of nvidia", "module build failed", "Error!  Build of", "DKMS: build", "nvidia kernel module failed to build", "bad exit status: 2", "bad exit status: 10", "fails to build with kernel", "failed to build, please check", "Building DKMS module", "dkms build -m nvidia", "dkms install -m nvidia", "dkms install --no-depmod nvidia"},
			Pattern:  `(?i)Bad return status for module build on kernel:? (?P<kernel>[\w.+-]+)|Error!\s+Build of (?:nvidia\S*\.ko|nvidia\S*).{0,20}failed for: ?(?P<kernel>[\w.+-]+)|nvidia kernel module failed to build|Building DKMS module:? '?nvidia\S*?-(?P<driver>\d{3}[\d.]*\d)'?(?: for kernel-(?P<kernel>[\w.]+?))?\.* ?FAILED|DKMS module '?nvidia-(?P<driver>\d{3}[\d.]*\d)'? failed to build|(?:dkms|nvidia\S*/(?P<driver>\d{3}[\d.]+)).{0,80}bad exit status: 1?[0-9]|(?:DKMS|nvidia).{0,40}module build failed|(?:Failed to run|WARNING:|Error)[^\n]{0,40}dkms (?:build|install)[^\n]{0,40}?nvidia[\w-]*(?:/| -v )(?P<driver>\d{3}[\d.]*\d)\s+-k\s+(?P<kernel>\d[\w.+-]*\w)`,
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
				"ERROR: Failed to run `/usr/sbin/dkms build -m nvidia -v 440.64.00 -k 5.4.0-1010-azure`",
				"==> WARNING: `dkms install --no-depmod nvidia/390.157 -k 6.12.1-arch1-1' exited 10",
			},
			Misses: []string{"dkms: nvidia/535.104.05, 5.15.0-91-generic, x86_64: installed"},
			Source: "https://github.com/dell/dkms/blob/main/dkms.in",
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
			Source: "https://github.com/dell/dkms/blob/main/dkms.in",
		},
	}
}
