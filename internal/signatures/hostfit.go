package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// hostFit is about a machine that does not fit what is put on it: memory windows of its firmware, page size, architecture, firmware files.
func hostFit() []*Signature {
	return []*Signature{
		{
			ID: "pci-bar-no-space", Product: "Linux kernel",
			Literals: []string{": no space for [mem", ": failed to assign [mem"},
			Pattern:  `(?:pci|pcieport|nvidia|thunderbolt) [0-9a-f:.]+: (?P<bar>(?:BAR|bridge window|VF BAR) ?\d*): (?:no space for|failed to assign) \[mem`,
			Layer:    rule.Hardware, Strength: Weak,
			Where:   on(Says("nvidia", "cuda"), fails),
			Meaning: "The kernel found no addresses for memory windows of PCI devices.",
			Causes: causes(
				Cause{
					When:     on(Says("egpu", "thunderbolt", "usb4", "oculink")),
					Title:    "The external GPU gets no memory windows: the kernel has no room for its BARs ({bar}: no space)",
					Text:     "The firmware reserved too little address space behind the Thunderbolt port, or gives none above 4 GB. Driver and CUDA are not the reason.",
					Remedies: []Remedy{fix("start the kernel with pci=realloc (or pci=assign-busses,hpbussize=0x33,realloc,hpmmiosize=256M,hpmmioprefsize=16G), switch on Above 4G Decoding or Thunderbolt support before boot in the BIOS, and start with the box connected", "check", "sudo dmesg | grep -e 'BAR ' -e NVRM; lspci -vv -d 10de: | grep -i region")},
				},
				Cause{
					Title:    "A PCI device gets no memory windows: the firmware leaves no room for its BARs ({bar}: no space)",
					Text:     "Where the device is the GPU, the driver cannot start it. The window has to lie above 4 GB for large GPUs. Driver and CUDA are not the reason.",
					Remedies: []Remedy{fix("switch on Above 4G Decoding in the BIOS and update it; as a test start with pci=realloc", "check", "sudo dmesg | grep -e 'BAR ' -e NVRM; lspci -vv -d 10de: | grep -i region")},
				},
			),
			Samples: []string{"pci 0000:06:00.1: BAR 0: no space for [mem size 0x00004000]", "pcieport 0000:02:01.0: BAR 15: failed to assign [mem size 0x18000000 64bit pref]"},
			Misses:  []string{"pci 0000:00:1c.0: BAR 13: failed to assign [io  size 0x1000]"},
			Source:  "https://github.com/system76/firmware-open/issues/66",
		},
		{
			ID: "told-resizable-bar", Product: "PCI firmware",
			Literals: []string{"pci=realloc", "EnableResizableBar", "Resizable BAR", "resizable_bar", "ReBAR", "4G decoding"},
			Pattern:  `(?i)\bpci=realloc\b|NVreg_EnableResizableBar|\bResizable[ _]?BAR\b|\bReBAR\b|\b4G decoding\b`,
			Layer:    rule.Hardware, Role: Told, Strength: Weak,
			Where:   on(Says("nvidia", "geforce", "tesla", "rtx", "gtx", "cuda"), Any(fails, Says("no device", "not on Linux", "stays at", "disabled"))),
			Meaning: "Somebody tells of the memory window (BAR) of his GPU.",
			Causes: causes(
				Cause{
					When:     on(Says("p2p", "peer-to-peer", "peer to peer"), Says("256MB", "256 MB", "256 MiB", "256MiB", "256M", "small bar", "without resizable", "doesn't support resizable", "does not support resizable")),
					Title:    "P2P needs a BAR1 as large as the GPU's memory: this machine's BIOS gives a small window (no Resizable BAR), so peers cannot reach the memory",
					Text:     "With a BAR1 of 256 MiB only that much can be mapped for another GPU. Driver and NCCL are not the reason; GeForce cards have no P2P in NVIDIA's own driver at all.",
					Remedies: []Remedy{fix("switch on Above 4G Decoding and Resizable BAR, update BIOS and VBIOS; without it run NCCL with NCCL_P2P_DISABLE=1", "check", "nvidia-smi -q -d MEMORY | grep -A3 BAR1; nvidia-smi topo -p2p r")},
				},
				Cause{
					Title:    "The GPU's memory window (BAR1) is the firmware's affair: Resizable BAR or Above 4G Decoding is not granted, or the kernel has to assign it anew (pci=realloc)",
					Text:     "A BAR that the BIOS does not place above 4 GB stays small (256 MiB), or the GPU is not found. A small BAR1 does not keep CUDA from working; none at all does. Another driver does not change it[ (here {driver})].",
					Remedies: []Remedy{fix("switch on Above 4G Decoding and Resizable BAR and switch off CSM, update BIOS and VBIOS; keep pci=realloc where the GPU is not found without it", "check", "nvidia-smi -q -d MEMORY | grep -A3 BAR1; lspci -vv -d 10de: | grep -i -e region -e resizable; sudo dmesg | grep 'BAR '")},
				},
			),
			Samples: []string{"the GeForce is not found without pci=realloc", "ReBAR does not work with this RTX 3080"},
			Misses:  []string{"the rebars fail"},
			Source:  "https://github.com/xCuri0/ReBarUEFI/issues/119",
		},
		{
			ID: "jemalloc-page-size", Product: "jemalloc",
			Literals: []string{"Unsupported system page size"},
			Pattern:  `<?jemalloc>?: Unsupported system page size`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "A program has jemalloc in it that was built for smaller memory pages than the kernel's.",
			Causes: causes(Cause{
				Title:    "Not the GPU stack: the program's jemalloc was built for 4K pages, and this ARM kernel has larger ones (64K page size)",
				Text:     "Grace Hopper and other ARM servers run kernels with 64K pages; jemalloc fixes the page size when it is built. Driver, CUDA and container are not at fault.",
				Remedies: []Remedy{fix("use a build of the program made with --with-lg-page=16, or a kernel with 4K pages (Ubuntu: linux-nvidia in place of linux-nvidia-64k)", "check", "getconf PAGESIZE")},
			}),
			Samples: []string{"<jemalloc>: Unsupported system page size"},
			Misses:  []string{"jemalloc: huge pages"},
			Source:  "https://github.com/nanoporetech/dorado/issues/1594",
		},
		{
			ID: "gdrcopy-page-size", Product: "GDRCopy",
			Literals: []string{"detected unexpected system page size"},
			Layer:    rule.Application, Strength: Strong,
			Meaning: "GDRCopy was built for another page size than the running kernel's.",
			Causes: causes(Cause{
				Title:    "Not the GPU stack: GDRCopy was built for another page size (64K or 4K) than this kernel has",
				Text:     "Older releases take the page size when they are compiled. The module gdrdrv and the driver are not the reason.",
				Remedies: []Remedy{fix("build GDRCopy on this machine, or update it to 2.2 or newer", "check", "getconf PAGESIZE; lsmod | grep gdrdrv")},
			}),
			Samples: []string{"ERR:  detected unexpected system page size"},
			Misses:  []string{"page size 4096"},
			Source:  "https://github.com/NVIDIA/gdrcopy/issues/176",
		},
		{
			ID: "nvrm-page-size", Product: "nvidia kernel module",
			Literals: []string{"memmgrDeterminePageSize failed"},
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "The module cannot map GPU memory with the kernel's page size.",
			Causes: causes(Cause{
				Title:    "The kernel's page size does not fit the nvidia module: it knows 4K and 64K pages on ARM, not 16K",
				Text:     "The default kernel of a Raspberry Pi 5 and of Asahi has pages of 16K. The card is not the reason.",
				Remedies: []Remedy{fix("start a kernel with 4K pages and build the module for it", "check", "getconf PAGESIZE", "raspberry pi", "echo kernel=kernel8.img | sudo tee -a /boot/firmware/config.txt")},
			}),
			Samples: []string{"NVRM: memmgrAllocResources_IMPL: memmgrDeterminePageSize failed, status: 0x40"},
			Misses:  []string{"NVRM: GPU 0000:01:00.0: RmInitAdapter failed!"},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/pull/972",
		},
		{
			ID: "kernel-without-sva", Product: "Linux kernel",
			Literals: []string{"ARM_SMMU_V3_SVA is not set", "without `CONFIG_ARM_SMMU_V3_SVA`", "without CONFIG_ARM_SMMU_V3_SVA", "CONFIG_IOMMU_SVA is not set"},
			Layer:    rule.KernelModule, Role: Context, Strength: Strong,
			Meaning: "The kernel was built without shared virtual addressing.",
			Causes: causes(Cause{
				When:     on(Says("GB10", "DGX Spark", "GB200", "GH200", "Grace")),
				Title:    "The kernel was built without CONFIG_ARM_SMMU_V3_SVA (shared virtual addressing): CUDA cannot start on this GPU, although nvidia-smi works",
				Text:     "GPUs that share the CPU's page tables (GB10, Grace) need the kernel's SVA; without it nvidia_uvm refuses to register them and cuInit returns 3. CUDA and the container are not the reason.",
				Remedies: []Remedy{fix("take a kernel with ARM_SMMU_V3_SVA (NVIDIA's own for DGX Spark has it), and build the module for it", "check", "zgrep -e SMMU_V3_SVA -e IOMMU_SVA /proc/config.gz /boot/config-$(uname -r)")},
			}),
			Samples: []string{"# CONFIG_ARM_SMMU_V3_SVA is not set"},
			Misses:  []string{"CONFIG_ARM_SMMU_V3_SVA=y"},
			Source:  "https://github.com/siderolabs/talos/issues/14087",
		},
		{
			ID: "driver-of-another-machine", Product: "NVIDIA installer",
			Literals: []string{"NVIDIA-Linux-x86_64", "NVIDIA-Linux-aarch64", "NVIDIA-Linux-ppc64le"},
			Pattern:  `NVIDIA-Linux-(?P<have>x86_64|aarch64|ppc64le)-\S*?\.run['"]?: (?:cannot execute|[^\n]{0,60}Exec format error)`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "The shell cannot start the driver's .run file: it is for another architecture.",
			Causes: causes(
				Cause{
					When:     on(Is("have", "x86_64")),
					Title:    "The driver[ {driver}] that was fetched is for x86_64, and this machine is ARM64 (aarch64): Exec format error",
					Text:     "The .run file of the machine's own architecture is needed (NVIDIA-Linux-aarch64). Where a script or service of the system fetched it, the script names the wrong one.",
					Remedies: []Remedy{fix("install the driver for aarch64 (sbsa), or a release of the system whose service knows ARM64", "check", "uname -m; ls NVIDIA-Linux-*.run")},
				},
				Cause{
					Title:    "The driver[ {driver}] that was fetched is for {have}, and this machine is of another architecture: Exec format error",
					Text:     "The .run file of the machine's own architecture is needed.",
					Remedies: []Remedy{fix("fetch the file for the machine's architecture", "check", "uname -m; ls NVIDIA-Linux-*.run")},
				},
			),
			Samples: []string{"/opt/nvidia/workdir/NVIDIA-Linux-x86_64-535.104.05.run: cannot execute binary file: Exec format error"},
			Misses:  []string{"sh NVIDIA-Linux-x86_64-535.104.05.run: Permission denied"},
			Source:  "https://github.com/flatcar/Flatcar/issues/1649",
		},
		{
			ID: "driver-package-gsp", Product: "NVIDIA driver packages",
			Literals: []string{"firmware/gsp", "gsp_tu10x.bin", "gsp_ad10x.bin", "gsp_ga10x.bin"},
			Pattern:  `(?i)(?:cannot stat|cp:|install:)[^\n]{0,60}(?P<file>gsp(?:_\w+)?\.bin)`,
			Layer:    rule.Driver, Strength: Usual,
			Meaning: "A packaging script of the driver looks for a firmware file that this release does not have.",
			Causes: causes(Cause{
				Title:    "The packaging script is older than the driver[ {driver}]: it looks for the firmware {file}, which this release names otherwise",
				Text:     "Up to 520 the driver came with firmware/gsp.bin; 525 has gsp_tu10x.bin and gsp_ad10x.bin, later gsp_ga10x.bin in place of the latter. The GPU itself need not use GSP; the file is only copied.",
				Remedies: []Remedy{fix("update the packaging script (PKGBUILD, spec), or let it copy firmware/gsp*.bin", "check", "ls NVIDIA-Linux-*/firmware")},
			}),
			Samples: []string{"install: cannot stat 'firmware/gsp.bin': No such file or directory"},
			Misses:  []string{"nvidia 0000:01:00.0: Direct firmware load for nvidia/535/gsp_ga10x.bin failed"},
			Source:  "https://github.com/Frogging-Family/nvidia-all/issues/131",
		},
	}
}
