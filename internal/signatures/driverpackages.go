package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// driverPackages are failures of the distributions' package managers with the driver's packages.
func driverPackages() []*Signature {
	return []*Signature{
		{
			ID: "apt-driver-unmet", Product: "apt",
			Literals: []string{"nvidia-driver-", "libnvidia-", "nvidia-dkms-", "nvidia-kernel-", "cuda-drivers", "nvidia-compute-utils-"},
			Pattern:  `(?i)(?P<package>(?:nvidia|libnvidia|cuda-drivers)[\w.-]*) ?(?::\s*|\s+)(?:Pre-?)?Depends: (?P<needs>[\w.+-]+)(?: \((?P<relation>[^)]*)\))? but (?:it is not (?:going to be installed|installable)|(?P<have>\S+) is to be installed)`,
			Layer:    rule.Driver, Strength: Usual,
			Meaning: "apt cannot bring the driver's packages to one release.",
			Causes: causes(Cause{
				When: on(Is("package", `^cuda`), Says("apt install cuda", "apt-get install cuda", "need nvcc", "install -y cuda", "install cuda")), Layer: rule.PackageConflict,
				Title: "apt cannot install {package}: the package cuda brings a driver of its own (cuda-drivers needs {needs}[ {relation}]), which does not fit the one that is installed[ ({driver})]",
				Text:  "The meta-package cuda is toolkit and driver. The toolkit alone needs no other driver, as long as the one that is there is new enough.",
				Remedies: []Remedy{
					fix("install the toolkit without a driver: cuda-toolkit in place of cuda", "ubuntu", "sudo apt-get install cuda-toolkit-12-4"),
					fix("or, where that driver is wanted, remove the distribution's first", "check", "apt-cache policy {package} {needs}; dpkg -l | grep -i nvidia-driver"),
				},
			}, Cause{
				Title: "apt cannot install {package}: it needs {needs}[ {relation}], which does not fit what is installed or offered",
				Text: "Packages of two sources or releases are mixed: the distribution's, NVIDIA's CUDA repository and PPAs each have their own, and a held or half removed package blocks the others. " +
					"The parts of one driver must be of exactly one release.",
				Remedies: []Remedy{
					fix("see where each comes from, and keep to one source", "check", "apt-cache policy {package} {needs}; apt-mark showhold; dpkg -l | grep -i nvidia"),
					fix("remove the driver's packages of the other source or branch, then install one branch", "ubuntu", "sudo apt-get purge '^nvidia-.*' '^libnvidia-.*' && sudo apt-get autoremove && sudo ubuntu-drivers install"),
				},
				Ask: "apt-cache policy {package} {needs}",
			}),
			Samples: []string{
				" nvidia-driver-550 : Depends: libnvidia-gl-550 (= 550.120-0ubuntu0.22.04.1) but it is not going to be installed",
				" cuda-drivers-560 : Depends: nvidia-kernel-source-560 (>= 560.35.03) but it is not installable",
			},
			Misses: []string{"nvidia-driver-535 Depends: libnvidia-gl-535"},
			Source: "https://github.com/atgenomix/deepvariant-on-spark/pull/1",
		},
		{
			ID: "dpkg-driver-overwrite", Product: "dpkg",
			Literals: []string{"trying to overwrite"},
			Pattern:  `(?i)trying to overwrite '?(?P<file>/\S*(?:nvidia|libcuda|libnv|libGLX|libEGL|cuda)[^'\s]*)'?, which is also in package (?P<other>\S+)`,
			Layer:    rule.PackageConflict, Strength: Strong,
			Meaning: "Two packages of the driver claim one file.",
			Causes: causes(Cause{
				Title:    "Two driver packages overwrite each other: {file} is also in {other}",
				Text:     "Packages of two branches or sources (the distribution's and NVIDIA's repository) are mixed.",
				Remedies: []Remedy{fix("remove {other} and the other packages of its branch, then install one branch from one source", "ubuntu", "sudo apt-get purge '^nvidia-.*' '^libnvidia-.*' && sudo apt-get --fix-broken install && sudo ubuntu-drivers install")},
			}),
			Samples: []string{" trying to overwrite '/lib/firmware/nvidia/550.90.07/gsp_ga10x.bin', which is also in package nvidia-firmware-550-550.90.07 550.90.07-0ubuntu1"},
			Misses:  []string{"trying to overwrite '/usr/share/doc/foo', which is also in package bar"},
			Source:  "https://github.com/canonical/nvidia-graphics-drivers/pull/59",
		},
		{
			ID: "dpkg-driver-configure", Product: "dpkg",
			Literals: []string{"error processing package nvidia", "error processing package libnvidia", "nvidia-dkms-", "error processing package cuda"},
			Pattern:  `(?i)dpkg: error processing package (?P<package>(?:nvidia|libnvidia|cuda-drivers)[\w.-]*)|Setting up (?P<package>nvidia-dkms-\d+)[^\n]*?ERROR|nvidia-dkms-\d+ package post-installation script.{0,40}(?:error|fail)`,
			Layer:    rule.KernelModule, Strength: Weak,
			Meaning: "The package of the driver could not be set up, usually because its module was not built.",
			Causes: causes(Cause{
				When: on(OnWSL, Not(Is("kernel", `-generic`))), Layer: rule.DeviceExposure,
				Title:    "A Linux driver is being installed in WSL ({package}), where none belongs: the driver is that of Windows",
				Text:     "The packages cuda, cuda-drivers and nvidia-dkms bring a driver for a kernel of its own. In WSL it cannot be built, and its libraries hide those of Windows in /usr/lib/wsl/lib. The toolkit alone is the package cuda-toolkit (or cuda-toolkit-12-4) of NVIDIA's repository for WSL-Ubuntu.",
				Remedies: []Remedy{fix("remove the driver's packages, and install the toolkit alone", "bash", "sudo apt-get purge 'cuda-drivers*' 'nvidia-driver-*' 'nvidia-dkms-*' 'nvidia-kernel-*' 'nvidia-utils-*' 'libnvidia-compute-*' && sudo apt-get autoremove", "bash", "sudo apt-get install cuda-toolkit; /usr/lib/wsl/lib/nvidia-smi")},
			}, Cause{
				Title: "{package} could not be set up: usually its kernel module was not built",
				Text:  "The package builds the module with DKMS when it is set up. The lines above, or /var/lib/dkms/nvidia/*/build/make.log, say why: headers, compiler, or a driver older than the kernel.",
				Remedies: []Remedy{
					fix("read the first error of the build, then set the packages up again", "shell", "grep -m5 -n -i error /var/lib/dkms/nvidia/*/build/make.log; sudo apt-get install linux-headers-$(uname -r); sudo dpkg --configure -a"),
				},
				Ask: "grep -n -i error /var/lib/dkms/nvidia/*/build/make.log | head",
			}),
			Samples: []string{"dpkg: error processing package nvidia-dkms-545 (--configure):"},
			Misses:  []string{"dpkg: error processing package man-db (--configure):"},
			Source:  "https://github.com/dell/dkms",
		},
		{
			ID: "apt-driver-held", Product: "apt",
			Literals: []string{"held broken packages", "unmet dependencies"},
			Pattern:  `(?i)you have held broken packages|The following packages have unmet dependencies`,
			Layer:    rule.Driver, Strength: Weak, Role: Context,
			Meaning: "apt finds no set of packages that fits.",
			Causes: causes(Cause{
				When:     on(Says("nvidia-driver", "libnvidia-", "cuda-drivers", "nvidia-dkms", "nvidia-kernel")),
				Title:    "apt finds no set of driver packages that fits: several branches or sources are mixed, or packages are held",
				Text:     "The packages of one driver must be of one release and one source (distribution, NVIDIA's repository, or a PPA).",
				Remedies: []Remedy{fix("see what is installed and held, and keep one branch from one source", "check", "dpkg -l | grep -i nvidia; apt-mark showhold; grep -rn nvidia /etc/apt/sources.list.d"), fix("remove all and install one branch", "ubuntu", "sudo apt-get purge '^nvidia-.*' '^libnvidia-.*' && sudo ubuntu-drivers install")},
			}),
			Samples: []string{"E: Unable to correct problems, you have held broken packages.", "The following packages have unmet dependencies:"},
			Misses:  []string{"no package is held or broken"},
			Source:  "https://github.com/atgenomix/deepvariant-on-spark/pull/1",
		},
		{
			ID: "rpm-driver-conflict", Product: "dnf",
			Literals: []string{"kmod-nvidia", "nvidia-driver", "akmod-nvidia", "nvidia-kmod", "cuda-drivers", "modular filtering"},
			Pattern:  `(?i)(?:Error|Problem)(?: \d+)?: .{0,160}(?:nothing provides|conflict|cannot install both|filtered out by modular filtering|requires).{0,60}(?P<needs>(?:kmod-nvidia|nvidia-driver|akmod-nvidia|nvidia-kmod|cuda-drivers|xorg-x11-drv-nvidia)[\w.:-]*)|nothing provides (?P<needs>\S*nvidia-kmod\S*|kmod-nvidia\S*) .{0,60}needed by (?P<package>\S+)|(?P<package>\S*nvidia-driver\S*) .{0,60}(?:conflicts with|is filtered out by modular filtering)`,
			Layer:    rule.Driver,
			Meaning:  "dnf or zypper cannot bring the driver's packages together.",
			Causes: causes(Cause{
				Title:    "The driver's packages do not go together[: {needs} is missing or in conflict][ for {package}]",
				Text:     "Repositories with different packagings of the driver are mixed (NVIDIA's CUDA repository, RPM Fusion, ELRepo, the distribution), or a module stream of dnf hides the packages.",
				Remedies: []Remedy{fix("keep to one repository for the driver and switch the nvidia packages of the others off", "check", "dnf list installed '*nvidia*'; dnf repolist; dnf module list nvidia-driver"), fix("reset the module stream and install one", "rhel", "sudo dnf module reset nvidia-driver && sudo dnf module install nvidia-driver:open-dkms")},
				Ask:      "dnf list installed '*nvidia*'; dnf repolist",
			}),
			Samples: []string{
				" - nothing provides nvidia-kmod >= 3:555.42.06 needed by nvidia-driver-3:555.42.06-1.el9.x86_64 from cuda-rhel9",
				"  - package nvidia-driver-3:560.35.03-1.fc40.x86_64 from cuda is filtered out by modular filtering",
			},
			Misses: []string{"Installed: kmod-nvidia-open-dkms-3:560.35.03-1.el9.noarch"},
			Source: "https://github.com/gridhead/nvidia-auto-installer-for-fedora-linux/issues/82",
		},
		{
			ID: "akmods-failed", Product: "akmods",
			Literals: []string{"installing nvidia-kmod", "akmodsbuild", "/var/cache/akmods"},
			Pattern:  `(?i)(?:Building and installing nvidia-kmod|akmods?(?:build)?[\w.:@ -]*|Ignoring nvidia-kmod).{0,80}\[?(?:FAILED|failed earlier|failed for)(?:.{0,120}?/nvidia/(?P<driver>\d{3}\.[\d.]*\d)-\d+-for-(?P<kernel>\d[\w.+-]+?)\.failed)?|Building rpms failed; see /var/cache/akmods/nvidia\S*?/(?P<driver>\d{3}\.[\d.]*\d)-\d+-for-(?P<kernel>\d[\w.+-]+?)\.failed|Building rpms failed; see /var/cache/akmods/nvidia`,
			Layer:    rule.KernelModule, Strength: Usual,
			Meaning: "akmods could not build the nvidia module for a kernel.",
			Causes: causes(Cause{
				Title:    "akmods could not build the nvidia module[ {driver}][ for kernel {kernel}]",
				Text:     "The log is in /var/cache/akmods/nvidia: kernel-devel of that kernel is missing, the driver[ {driver}] is older than the kernel[ {kernel}], or the package akmod-nvidia itself is at fault (a test build, another architecture).",
				Remedies: []Remedy{fix("install kernel-devel of the kernel, update the driver and build again", "fedora", "sudo dnf install kernel-devel-$(uname -r) && sudo dnf update 'akmod-nvidia*' && sudo akmods --force --rebuild", "check", "tail -40 /var/cache/akmods/nvidia/*.failed.log")},
			}),
			Samples: []string{"akmods[1203]: Building and installing nvidia-kmod [FAILED]", "akmods: Building rpms failed; see /var/cache/akmods/nvidia/560.35.03-1-for-6.11.4-301.fc41.x86_64.failed.log for details"},
			Misses:  []string{"akmods[1203]: Building and installing nvidia-kmod [ OK ]"},
			Source:  "https://github.com/negativo17/nvidia-driver/issues/188",
		},
		{
			ID: "ubuntu-drivers-none", Product: "ubuntu-drivers",
			Literals: []string{"udevadm hwdb is deprecated", "No drivers found for installation", "All the available drivers are already installed", "No drivers found for automatic installation"},
			Pattern:  `(?i)No drivers found for (?:automatic )?installation`,
			Layer:    rule.Driver, Strength: Weak,
			Meaning: "Ubuntu's tool knows no driver for this machine's GPU.",
			Causes: causes(Cause{
				Title:    "ubuntu-drivers finds no driver: no NVIDIA GPU is seen, or this release of Ubuntu has none for it",
				Text:     "The GPU is not on PCIe, is newer than the packages, or the restricted repository is off.",
				Remedies: []Remedy{fix("see whether the GPU is there, and update the lists", "ubuntu", "lspci -nn -d 10de:; sudo add-apt-repository restricted; sudo apt-get update; ubuntu-drivers devices")},
				Ask:      "lspci -nn -d 10de:",
			}),
			Samples: []string{"No drivers found for installation."},
			Misses:  []string{"All the available drivers are already installed."},
			Source:  "https://github.com/canonical/ubuntu-drivers-common/blob/master/ubuntu-drivers",
		},
		{
			ID: "unattended-driver-upgrade", Product: "unattended-upgrades",
			Literals: []string{"unattended-upgrade", "unattended_upgrade"},
			Pattern:  `(?i)unattended[-_]upgrades?.{0,200}?(?:libnvidia|nvidia-driver|nvidia-compute|nvidia-utils)[\w-]*-(?P<branch>\d{3})`,
			Layer:    rule.KernelModule, Strength: Weak, Role: Context,
			Meaning: "An automatic update replaced the driver's packages.",
			Causes: causes(Cause{
				When:     on(Says("version mismatch", "API mismatch", "DRIVER_MISMATCH")),
				Title:    "Unattended upgrades replaced the driver's libraries (branch {branch}) while the old kernel module stayed loaded",
				Text:     "The update came without a restart.",
				Remedies: []Remedy{fix("restart the machine, and keep the driver's packages from unattended upgrades", "ubuntu", "sudo apt-mark hold $(dpkg-query -W -f '${Package} ' 'nvidia-*' 'libnvidia-*')")},
			}),
			Samples: []string{"2025-03-04 06:11:02,100 INFO unattended-upgrades Packages that will be upgraded: libnvidia-compute-550 nvidia-utils-550"},
			Misses:  []string{"unattended-upgrades: Packages that will be upgraded: tzdata"},
			Source:  "https://github.com/mvo5/unattended-upgrades/blob/master/unattended-upgrade",
		},
		{
			ID: "nvidia-package-missing", Product: "apt",
			Literals: []string{"Unable to locate package nvidia", "has no installation candidate", "locate package cuda-drivers", "locate package libnvidia", "Unsupported distribution!"},
			Pattern:  `(?i)Unable to locate package (?P<package>(?:lib)?nvidia-(?:driver|dkms|utils|compute|fabricmanager|headless|container|docker|cuda-toolkit)[\w.-]*|libnvidia[\w.-]*|cuda-drivers[\w.-]*)|Package '?(?P<package>(?:lib)?nvidia[\w.-]*)'? has no installation candidate|(?P<package># Unsupported distribution!) ?# Check https://nvidia\.github\.io/libnvidia-container`,
			Layer:    rule.Driver,
			Meaning:  "No configured repository has the package.",
			Causes: causes(
				Cause{
					When: on(Is("package", "container|docker|Unsupported")), Layer: rule.ContainerRuntime,
					Title:    "The NVIDIA container toolkit is not installed: NVIDIA's container repository is not configured for this distribution",
					Text:     "nvidia-docker2 and nvidia-container-runtime are gone; the package is nvidia-container-toolkit, from NVIDIA's repository for all Debian and Ubuntu releases.",
					Remedies: []Remedy{fix("add the repository as the installation guide of the NVIDIA Container Toolkit says, then install nvidia-container-toolkit", "ubuntu", "sudo apt-get update && sudo apt-get install nvidia-container-toolkit")},
				},
				Cause{
					Title:    "No repository has {package}",
					Text:     "This release of the distribution has other branches of the driver, the lists are old, or the repository (restricted, non-free, NVIDIA's) is not configured.",
					Remedies: []Remedy{fix("see which branches there are", "ubuntu", "sudo apt-get update; ubuntu-drivers list; apt-cache search --names-only '^nvidia-driver-[0-9]+$'", "debian", "grep -rn non-free /etc/apt/sources.list /etc/apt/sources.list.d")},
				},
			),
			Samples: []string{"E: Unable to locate package nvidia-driver-565", "E: Package 'nvidia-driver-440' has no installation candidate", "E: Unable to locate package nvidia-container-toolkit", "E: Unable to locate package nvidia-docker2", "# Unsupported distribution!\n# Check https://nvidia.github.io/libnvidia-container"},
			Misses:  []string{"E: Unable to locate package foo-nvidia-bar"},
			Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/install-guide.html",
		},
	}
}
