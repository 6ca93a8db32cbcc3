package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// moduleRejected is what the kernel says of a module that it does not take: its signature, its version, its symbols.
func moduleRejected() []*Signature {
	return []*Signature{
		{
			ID: "modprobe-key-rejected", Product: "modprobe",
			Literals: []string{"Key was rejected by service", "Required key not available", "not signed by a key that is trusted", "module verification failed: signature", "Loading of unsigned module is rejected", "Loading of module with unavailable key", "Lockdown: systemd-udevd", "Lockdown: kmod", "Lockdown: modprobe", "Lockdown: insmod", "PKCS#7 signature not signed with a trusted key"},
			Pattern:  `(?i)Key was rejected by service|Required key not available|not signed by a key that is trusted|Lockdown: (?:modprobe|insmod|systemd-udevd|kmod): unsigned|Lockdown: (?:modprobe|insmod|systemd-udevd)|Loading of (?:unsigned )?module.{0,40}is rejected|PKCS#7 signature not signed with a trusted key`,
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
			Source: "https://github.com/torvalds/linux/blob/master/kernel/module/signing.c",
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
			Source:  "https://github.com/torvalds/linux/blob/master/kernel/module/version.c",
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
	}
}
