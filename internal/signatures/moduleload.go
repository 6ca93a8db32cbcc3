package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// moduleLoad is what modprobe, insmod and the kernel say where a module that was built is not loaded.
var moduleLoad = []*Signature{
	{
		ID: "modprobe-nvidia-not-found", Product: "modprobe",
		Literals: []string{"Module nvidia", "module nvidia"},
		Pattern:  `(?i)modprobe: (?:FATAL|ERROR)[^\n]{0,60}Module (?P<kmod>nvidia(?:[-_](?:drm|modeset|current|peermem))?) not found(?: in directory /lib/modules/(?P<kernel>[\w.+-]+))?|Module (?P<kmod>nvidia(?:[-_](?:drm|modeset|current|peermem))?) not found|modinfo: ERROR: Module (?P<kmod>nvidia) not found`,
		Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN002", "KRN009"},
		Meaning: "There is no nvidia module for the running kernel.",
		Causes: causes(
			Cause{
				When: on(Is("kmod", "(?i)peermem")), Layer: rule.KernelModule,
				Title:    "nvidia-peermem, for GPUDirect RDMA, is not there for kernel[ {kernel}]",
				Text:     "The module is built only where the headers of the RDMA drivers (MLNX_OFED or the kernel's) are found while the driver is built. Kernels from 5.12 and drivers from 515 on can use dma-buf in its place.",
				Remedies: []Remedy{fix("install the RDMA drivers first and build the NVIDIA module anew", "shell", "sudo dkms autoinstall --force; sudo modprobe nvidia-peermem")},
			},
			Cause{
				When: on(OnWSL), Layer: rule.DeviceExposure,
				Title:    "There is no nvidia module in WSL, and none is needed: the driver is that of Windows",
				Text:     "A program looks for a Linux driver, because Linux driver packages were installed inside WSL. They do not belong there.",
				Remedies: []Remedy{fix("remove the Linux driver's packages and use /usr/lib/wsl/lib", "bash", "/usr/lib/wsl/lib/nvidia-smi")},
			},
			Cause{
				When: on(inLXC), Layer: rule.KernelModule,
				Title:    "There is no nvidia module for the host's kernel[ {kernel}]",
				Text:     "An LXC container runs on the kernel of the host: the module is built and loaded there, not in the container.",
				Remedies: []Remedy{fix("install driver and headers on the host, and in the container the same release without a kernel module", "host", "sudo apt-get install pve-headers-$(uname -r) && sudo dkms autoinstall && sudo modprobe nvidia")},
			},
			Cause{
				Title: "There is no nvidia module for the running kernel[ {kernel}]",
				Text: "The module was built for another kernel, or not at all: the kernel was updated without its headers, DKMS failed, the package of prebuilt modules (linux-modules-nvidia) for this kernel is missing, or (on Arch) the kernel was updated and the machine not restarted. " +
					"CUDA packages do not bring it.",
				Remedies: []Remedy{
					fix("build it for the running kernel", "ubuntu and debian", "sudo apt-get install linux-headers-$(uname -r) && sudo dkms autoinstall && sudo modprobe nvidia", "fedora", "sudo dnf install kernel-devel-$(uname -r) && sudo akmods --force", "arch", "sudo pacman -S nvidia-dkms linux-headers"),
					fix("or restart into the kernel that it was built for", "check", "dkms status; ls /lib/modules; uname -r"),
				},
				Ask: "dkms status; uname -r; ls /lib/modules",
			},
		),
		Samples: []string{
			"modprobe: FATAL: Module nvidia not found in directory /lib/modules/6.5.0-44-generic",
			"modprobe: ERROR: ../tools/modprobe.c:1 Module nvidia-drm not found in directory /lib/modules/6.9.3-arch1-1",
			"modinfo: ERROR: Module nvidia not found.",
		},
		Misses: []string{"Module nvidia is loaded"},
		Source: "https://github.com/CachyOS/linux-cachyos/issues/118",
	},
	{
		ID: "modprobe-key-rejected", Product: "modprobe",
		Literals: []string{"Key was rejected by service", "Required key not available", "not signed by a key that is trusted", "module verification failed: signature", "Loading of unsigned module is rejected", "Lockdown: modprobe", "Lockdown: insmod", "PKCS#7 signature not signed with a trusted key"},
		Pattern:  `(?i)Key was rejected by service|Required key not available|not signed by a key that is trusted|Lockdown: (?:modprobe|insmod)|Loading of (?:unsigned )?module.{0,40}is rejected|PKCS#7 signature not signed with a trusted key`,
		Layer:    rule.KernelModule, Strength: Strong,
		Meaning: "Secure Boot is on, and the module is not signed with an enrolled key.",
		Causes: causes(Cause{
			Title: "Secure Boot refuses the nvidia module: it is not signed with a key that is enrolled",
			Text:  "The kernel loads modules alone whose key is in the firmware's or the machine owner's (MOK) list. What DKMS or the .run file built is signed with a key of this machine, or not at all. The module itself is well, and a reinstallation alone does not help.",
			Remedies: []Remedy{
				fix("enrol the machine's key, restart, and confirm it in the blue MOK manager at the start", "ubuntu", "sudo mokutil --import /var/lib/shim-signed/mok/MOK.der; sudo reboot", "fedora", "sudo kmodgenca -a; sudo mokutil --import /etc/pki/akmods/certs/public_key.der; sudo reboot"),
				fix("or use the distribution's signed modules", "ubuntu", "sudo apt-get install linux-modules-nvidia-{driver|branch}-$(uname -r)"),
				fix("or switch Secure Boot off in the firmware (in a cloud: a machine without it, or trusted launch without Secure Boot)"),
			},
			Ask: "mokutil --sb-state; mokutil --list-enrolled | grep CN",
		}),
		Samples: []string{
			"modprobe: ERROR: could not insert 'nvidia': Key was rejected by service",
			"insmod: ERROR: could not insert module nvidia.ko: Required key not available",
			"The kernel module failed to load. Secure boot is enabled on this system, so this is likely because it was not signed by a key that is trusted by the kernel.",
			"Lockdown: modprobe: unsigned module loading is restricted; see man kernel_lockdown.7",
			"Loading of unsigned module is rejected",
		},
		Misses: []string{"nvidia: module verification failed: signature and/or required key missing - tainting kernel"},
		Source: "https://docs.kernel.org/admin-guide/module-signing.html",
	},
	{
		ID: "modprobe-no-such-device", Product: "modprobe",
		Literals: []string{"could not insert 'nvidia': No such device", "nvidia.ko: No such device", "nvidia\": No such device", "nvidia_current': No such device", "module load error: No such device", "insert module nvidia", "'nvidia_drm': No such device"},
		Pattern:  `(?i)(?:could not insert (?:module )?['"]?\S*nvidia\S*|nvidia\.ko:|module load error:) ?.{0,10}No such device`,
		Layer:    rule.KernelModule, ExplainedBy: []string{"KRN001", "KRN005", "KRN006", "HWR001", "DRV005", "DRV006"},
		Meaning: "The module was loaded, found no GPU that it could drive, and left again.",
		Causes: causes(
			Cause{
				When:     on(nouveauThere),
				Title:    "The nvidia module gets no GPU: nouveau holds it",
				Text:     "nouveau was loaded first, usually from the initramfs.",
				Remedies: []Remedy{fix("blacklist nouveau, rebuild the initramfs and restart", "ubuntu", "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-nouveau.conf; sudo update-initramfs -u")},
			},
			Cause{
				Title: "The nvidia module finds no GPU that it drives (could not insert nvidia: No such device)",
				Text:  "The kernel log names the reason: another driver (nouveau, vfio-pci, nova-core) holds the GPU, the release does not support it, it needs the open or the proprietary flavour, it has no power, or there is no NVIDIA GPU in this machine or VM.",
				Remedies: []Remedy{
					fix("read the reason", "shell", "sudo dmesg | grep -i -e nvrm -e nouveau | tail -20; lspci -nnk -d 10de:"),
				},
				Ask: "sudo dmesg | grep -i nvrm; lspci -nnk -d 10de:",
			},
		),
		Samples: []string{"modprobe: ERROR: could not insert 'nvidia': No such device", "insmod: ERROR: could not insert module nvidia.ko: No such device", "-> Kernel module load error: No such device"},
		Misses:  []string{"could not insert 'vboxdrv': No such device"},
		Source:  "https://github.com/NVIDIA/nvidia-installer",
	},
	{
		ID: "modprobe-nvidia-refused", Product: "modprobe",
		Literals: []string{"could not insert 'nvidia", "could not insert module nvidia", "could not insert \"nvidia", "insert '../nvidia"},
		Pattern:  `(?i)could not insert (?:module )?['"]?\S*(?P<kmod>nvidia\w*)\S*?['"]?: (?P<why>Operation not permitted|Invalid argument|Exec format error|Unknown symbol in module.*|Device or resource busy|Cannot allocate memory|Input/output error|Invalid module format|File exists)`,
		Layer:    rule.KernelModule,
		Meaning:  "The kernel refused the module.",
		Causes: causes(
			Cause{
				When:     on(Is("why", "(?i)Operation not permitted"), Any(InContainer, inLXC, InKubernetes)),
				Title:    "A container may not load the nvidia module: load it on the host",
				Text:     "Containers share the host's kernel; loading modules is for the host (Operation not permitted).",
				Remedies: []Remedy{fix("load it on the host", "host", "sudo modprobe nvidia nvidia_uvm")},
			},
			Cause{
				When:     on(Is("why", "(?i)Operation not permitted")),
				Title:    "The kernel may not load the nvidia module: Secure Boot or lockdown forbids it",
				Text:     "Operation not permitted comes from kernel lockdown (Secure Boot) for an unsigned module, from modules_disabled, or without root.",
				Remedies: []Remedy{fix("see whether Secure Boot is on, and enrol the module's key or switch it off", "check", "mokutil --sb-state; sysctl kernel.modules_disabled; sudo dmesg | tail -5")},
			},
			Cause{
				When:     on(Is("why", "(?i)Exec format|Invalid module format|Invalid argument|Unknown symbol")),
				Title:    "The nvidia module on disk does not belong to the running kernel[ {kernel}] ({why})",
				Text:     "It was built for another kernel, with another compiler or configuration, or mixes two releases of the driver; the kernel log says which (version magic, disagrees about version of symbol, Unknown symbol).",
				Remedies: []Remedy{fix("build the modules of one driver release anew for this kernel", "shell", "sudo dmesg | tail -5; dkms status; sudo dkms autoinstall --force")},
				Ask:      "sudo dmesg | tail -5",
			},
			Cause{
				Title:    "The kernel refused the nvidia module: {why}",
				Text:     "The newest lines of the kernel log have the reason.",
				Remedies: []Remedy{fix("read the reason", "shell", "sudo dmesg | grep -i -e nvidia -e nvrm | tail")},
				Ask:      "sudo dmesg | tail",
			},
		),
		Samples: []string{
			"modprobe: ERROR: could not insert 'nvidia': Operation not permitted",
			"modprobe: ERROR: could not insert 'nvidia': Invalid argument",
			"modprobe: ERROR: could not insert 'nvidia_drm': Unknown symbol in module, or unknown parameter (see dmesg)",
			"modprobe: ERROR: could not insert 'nvidia': Exec format error",
		},
		Misses: []string{"modprobe: ERROR: could not insert 'zfs': Operation not permitted"},
		Source: "https://github.com/kmod-project/kmod",
	},
	{
		ID: "module-version-magic", Product: "linux kernel",
		Literals: []string{"version magic", "disagrees about version of symbol"},
		Pattern:  `(?i)(?P<kmod>nvidia\w*)(?:\.ko)?: version magic '(?P<built>[\w.+-]+)[^']*' should be '(?P<kernel>[\w.+-]+)|(?P<kmod>nvidia[\w-]*): disagrees about version of symbol (?P<symbol>\w+)`,
		Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN002"},
		Meaning: "The module was built for another kernel.",
		Causes: causes(Cause{
			Title:    "The module {kmod} was built for another kernel[ ({built})] than the one that runs[ ({kernel})]",
			Text:     "[It disagrees about the symbol {symbol}. ]A module fits exactly the kernel whose headers it was built with, and the modules of NVIDIA fit each other in one release alone.",
			Remedies: []Remedy{fix("build it anew for the running kernel", "shell", "sudo dkms autoinstall --force; sudo depmod -a; sudo modprobe nvidia", "fedora", "sudo akmods --force --rebuild")},
		}),
		Samples: []string{"nvidia: version magic '6.1.0-17-amd64 SMP preempt mod_unload modversions ' should be '6.1.0-21-amd64 SMP preempt mod_unload modversions '", "nvidia: disagrees about version of symbol module_layout"},
		Misses:  []string{"vboxdrv: version magic '5.4.0' should be '5.4.1'"},
		Source:  "https://github.com/torvalds/linux/blob/master/kernel/module/main.c",
	},
	{
		ID: "module-unknown-symbol", Product: "linux kernel",
		Literals: []string{"Unknown symbol"},
		Pattern:  `(?i)(?P<kmod>nvidia\w*): Unknown symbol (?P<symbol>\w+)`,
		Layer:    rule.KernelModule,
		Meaning:  "A module needs a function that neither the kernel nor a loaded module has.",
		Causes: causes(
			Cause{
				When:     on(Is("symbol", "^(nvidia_|nvUvm|rm_|nv_|nvlink)")),
				Title:    "The module {kmod} is of another release than the loaded nvidia module: {symbol} is missing",
				Text:     "NVIDIA's modules fit each other in one release alone; one of them is left from an earlier driver (DKMS beside prebuilt modules, or an old initramfs).",
				Remedies: []Remedy{fix("remove the second set of modules, rebuild the initramfs and restart", "shell", "find /lib/modules/$(uname -r) -name 'nvidia*.ko*'; modinfo -F version nvidia nvidia_uvm; sudo depmod -a")},
			},
			Cause{
				Title:    "The running kernel lacks what the module {kmod} needs: {symbol}",
				Text:     "The module was built for another kernel or configuration (DRM, ACPI video or I2C switched off in a kernel of one's own), or a module that it depends on is not loaded.",
				Remedies: []Remedy{fix("build the module anew for this kernel; load what it depends on", "shell", "modinfo -F depends nvidia_drm; sudo dkms autoinstall --force")},
			},
		),
		Samples: []string{"nvidia_uvm: Unknown symbol nvUvmInterfaceDisableAccessCntr (err -2)", "nvidia_drm: Unknown symbol drm_gem_object_free (err -2)"},
		Misses:  []string{"zfs: Unknown symbol spl_kmem_alloc (err -2)"},
		Source:  "https://github.com/torvalds/linux/blob/master/kernel/module/main.c",
	},
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
		Source:  "https://github.com/kmod-project/kmod",
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
		Source:  "https://github.com/NVIDIA/nvidia-installer",
	},
}
