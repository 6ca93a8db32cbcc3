package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// moduleLoad is what modprobe and insmod say where the nvidia module is not loaded.
func moduleLoad() []*Signature {
	return []*Signature{
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
					Title: "There is no nvidia module[ {driver}] for the running kernel[ {kernel}]",
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
			Source:  "https://github.com/NVIDIA/nvidia-installer/blob/main/kernel.c",
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
			Source: "https://github.com/kmod-project/kmod/blob/master/tools/modprobe.c",
		},
	}
}
