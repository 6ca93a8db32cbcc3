package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvrmDevice is what the kernel module writes about one GPU that it found: its
// start, its firmware, its memory windows, its power and its link.
var nvrmDevice = []*Signature{
	{
		ID: "nvrm-rminit-failed", Product: "nvidia kernel module",
		Literals: []string{"RmInitAdapter failed", "rm_init_adapter failed", "Cannot initialize GSP", "RmInitAdapter: Cannot initialize"},
		Pattern:  `RmInitAdapter failed!? ?(?:\((?P<code>0x[0-9a-fA-F]+:0x[0-9a-fA-F]+:\d+)\))?|rm_init_adapter failed|Cannot initialize GSP firmware RM`,
		Layer:    rule.KernelModule, Strength: Weak, ExplainedBy: []string{"KRN005", "KRN006", "KRN011", "HWR003"},
		Meaning: "The kernel module found the GPU and could not start it.",
		Causes: causes(
			Cause{
				When: on(Says("fallen off the bus", "insufficient power", "power cables connected", "power connector")), Layer: rule.Hardware,
				Title:    "The GPU cannot be started[ ({code})]: it has no power or no link",
				Text:     "RmInitAdapter failed follows from what the kernel log says beside it: the power cables, the power supply or the PCIe link of the card.",
				Remedies: []Remedy{fix("check the power cables and the seat of the card with the machine switched off")},
			},
			Cause{
				When:     on(Is("gpu|openmodule", "required"), Not(Says("open kernel module"))),
				Title:    "{gpu} cannot be started by the proprietary kernel module[ ({code})]: it needs the open one",
				Text:     "This GPU has no support in the proprietary flavour of the module.",
				Remedies: []Remedy{fix("install the open flavour of the driver and restart", "ubuntu", "sudo ubuntu-drivers install")},
			},
			Cause{
				When: on(Says("gsp_", "GSP firmware", "kgsp", "GSP_RM", "_kgsp")), Confidence: rule.Possible,
				Title: "The GPU's firmware processor (GSP) could not be started[ (RmInitAdapter failed {code})]",
				Text: "The module loads the GSP firmware of exactly its own release (/lib/firmware/nvidia/VERSION/gsp_*.bin). It is missing, of another release, or the GPU does not answer to it. " +
					"The open kernel modules always use GSP: NVreg_EnableGpuFirmware=0 does not work with them.",
				Remedies: []Remedy{
					fix("see that the firmware of the module's release is there, also in the initramfs", "shell", "ls /lib/firmware/nvidia/*; modinfo -F version nvidia"),
					fix("switch the machine fully off and on, then update driver, VBIOS and firmware of the system"),
				},
				Ask: "sudo dmesg | grep -i nvrm, from the start of the module on",
			},
			Cause{
				When:     on(inVM),
				Title:    "The GPU that is passed into this VM cannot be started[ (RmInitAdapter failed {code})]",
				Text:     "The guest sees the card, and its start fails: too little 64-bit MMIO space of the virtual firmware, legacy BIOS instead of UEFI, a card that was not reset since another system used it, or a vGPU with the wrong guest driver.",
				Remedies: []Remedy{fix("use OVMF and q35 with a large 64-bit MMIO window, hide nothing of the card's functions, and restart the host once", "guest", "sudo dmesg | grep -i -e nvrm -e BAR")},
			},
			Cause{
				Title: "The kernel module cannot start the GPU[ ({gpu})] (RmInitAdapter failed[ {code}])",
				Text:  "The numbers name a place in the driver, not a cause. Frequent ones: the wrong flavour of the module, a driver too old for the GPU, GSP firmware that is missing, a link or power fault, MMIO space that the BIOS did not give, a GPU that another system left in a bad state.",
				Remedies: []Remedy{
					fix("read the lines of NVRM before it", "shell", "sudo dmesg | grep -i -e nvrm -e 'BAR ' -e pcie | head -40"),
					fix("switch the machine fully off and on; then try the newest driver of the open flavour (from Turing on)"),
				},
				Ask: "sudo dmesg | grep -i nvrm; lspci -vv -d 10de:",
			},
		),
		Samples: []string{
			"NVRM: GPU 0000:3b:00.0: RmInitAdapter failed! (0x62:0xffff:2433)",
			"NVRM: GPU 0000:3b:00.0: rm_init_adapter failed, device minor number 0",
			"NVRM: RmInitAdapter: Cannot initialize GSP firmware RM",
		},
		Misses: []string{"NVRM: RmInitAdapter succeeded"},
		Source: nvSource,
	},
	{
		ID: "nvrm-gsp-firmware", Product: "nvidia kernel module",
		Literals: []string{"gsp_tu10x.bin", "gsp_ga10x.bin", "/gsp.bin failed", "GSP firmware image", "No firmware image found"},
		Pattern:  `(?i)(?:Direct firmware load for|failed to load|unable to load|request_firmware).{0,30}nvidia/(?P<module>\d{3}\.\d+(?:\.\d+)?)?/?\S*gsp\S*|No firmware image found|GSP firmware image.{0,40}(?:version mismatch|not found|fail)|\bgsp(?:_\w+)?\.bin\b.{0,40}(?:not found|failed|No such file)`,
		Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN011"},
		Meaning: "The kernel did not find the GSP firmware of the module's release.",
		Causes: causes(Cause{
			Title: "The GSP firmware of the loaded module[ {module}] is not found",
			Text:  "The module loads /lib/firmware/nvidia/VERSION/gsp_*.bin of exactly its own release. The package with it is missing or of another release (after a half update), or the initramfs has the module without it.",
			Remedies: []Remedy{
				fix("install the firmware package of the same release (nvidia-firmware on Ubuntu, firmware-nvidia-gsp on Debian, nvidia-kmod-common on Fedora and RHEL), rebuild the initramfs and restart", "check", "ls /lib/firmware/nvidia; modinfo -F version nvidia", "ubuntu", "apt-cache policy 'nvidia-firmware-*'"),
			},
		}),
		Samples: []string{"nvidia 0000:17:00.0: Direct firmware load for nvidia/560.35.03/gsp_ga10x.bin failed with error -2", "NVRM: RmFetchGspRmImages: No firmware image found"},
		Misses:  []string{"install -m 644 firmware/gsp_ga10x.bin /lib/firmware/nvidia"},
		Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/src/nvidia/arch/nvalloc/unix/src/osinit.c",
	},
	{
		ID: "nvrm-gsp-timeout", Product: "nvidia kernel module",
		Literals: []string{"Timeout waiting for RPC from GSP", "of waiting for RPC", "GSP RM heartbeat", "kgspHealthCheck", "GSP-RM proxy", "Unexpected WPR2"},
		Pattern:  `(?i)Timeout (?:waiting for|after \d+s? of waiting for) RPC (?:response )?from (?:GPU\d* ?)?GSP|Timeout after \d+s? of waiting for RPC|GSP RM heartbeat timed out|kgspHealthCheck\w*.{0,60}(?:fatal|crash|error)|GSP-RM proxy boot command failed|unexpected WPR2 already up`,
		Layer:    rule.KernelModule, ExplainedBy: []string{"HWR002"},
		Meaning: "The GPU's firmware processor (GSP) no longer answers the driver.",
		Causes: causes(
			Cause{
				When:     on(Says("WPR2 already up")),
				Title:    "The GPU was not reset since its last use: GSP firmware is still up (unexpected WPR2)",
				Text:     "The protected memory of GSP of an earlier start is still there, after a crash, a warm reset or kexec, or another VM.",
				Remedies: []Remedy{fix("switch the machine fully off, so that the GPU loses power, and start it again")},
			},
			Cause{
				Title: "The GPU's GSP firmware stopped answering the driver (GSP RPC timeout)",
				Text:  "GSP is the GPU's own processor; when it hangs the GPU is lost until a reset. Reasons: faults of GSP firmware in this release[ ({driver})] of the open kernel modules, or hardware: power, heat, link. Frameworks are not the reason.",
				Remedies: []Remedy{
					fix("reset the GPU or restart the machine", "shell", "sudo nvidia-smi --gpu-reset"),
					fix("update to the newest release of the driver's branch, and check power, temperature and PCIe (ASPM, link speed)"),
				},
				Ask: "sudo dmesg | grep -e Xid -e NVRM | head -30: what came first",
			},
		),
		Samples: []string{
			"NVRM: GPU0 _kgspRpcRecvPoll: Timeout after 45s of waiting for RPC response from GPU0 GSP! Expected function 76 (GSP_RM_CONTROL)",
			"NVRM: Xid (PCI:0000:c1:00): 119, pid=2211, name=python, Timeout waiting for RPC from GSP!",
			"NVRM: GPU0 kgspBootstrap_TU102: GSP-RM proxy boot command failed.",
			"NVRM: kgspExecuteFwsec_TU102: unexpected WPR2 already up, cannot proceed with booting GSP",
		},
		Misses: []string{"Timeout after 30s waiting for HTTP response"},
		Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/446",
	},
	{
		ID: "nvrm-gsp-off", Product: "nvidia kernel module",
		Literals: []string{"NVreg_EnableGpuFirmware"},
		Pattern:  `NVreg_EnableGpuFirmware ?= ?0`,
		Layer:    rule.Application, Role: Context, Strength: Weak,
		Meaning: "The module's option that switches GSP firmware off.",
		Causes: causes(Cause{
			When:     on(Any(Says("open kernel module", "open flavour", "-open", "kernel-open", "Open GPU"), Is("gpu|openmodule", "required"))),
			Title:    "GSP cannot be switched off here: the open kernel modules always use the GSP firmware",
			Text:     "NVreg_EnableGpuFirmware=0 is an option of the proprietary module alone; the open one ignores it. GPUs from Blackwell on[ ({gpu})] work with the open modules only, so there is no way without GSP. Not a fault of the stack.",
			Remedies: []Remedy{fix("leave the option out; for a fault of GSP take the newest release of the driver's branch", "check", "nvidia-smi -q | grep -i gsp; cat /proc/driver/nvidia/version")},
		}),
		Samples: []string{"options nvidia NVreg_EnableGpuFirmware=0"},
		Misses:  []string{"EnableGpuFirmware: 18, NVreg_EnableGpuFirmware=18"},
		Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/543",
	},
	{
		ID: "nvrm-bar-invalid", Product: "nvidia kernel module",
		Literals: []string{"assigned to your NVIDIA device is invalid", "no room for BAR", "can't assign; no space", "BAR 1: no space", "BAR 1: failed to assign", "No address space to allocate resized", "can't assign mem", "system BIOS may have misconfigured your"},
		Pattern:  `(?i)PCI I/O region assigned to your NVIDIA device is invalid|system BIOS may have misconfigured your (?:GPU|graphics)|No address space to allocate resized BAR1|(?:nvidia|10de|VGA)?.{0,60}BAR ?[0-9]+(?: \[mem[^\]]*\])?: (?:no space for|failed to assign|can't assign; no space)`,
		Layer:    rule.Hardware, Strength: Strong,
		Meaning: "The firmware of the machine or VM gave the GPU's memory windows (BARs) no valid addresses.",
		Causes: causes(
			Cause{
				When:     on(inVM),
				Title:    "The VM's firmware gives the GPU no room for its BARs",
				Text:     "The GPU's BAR1 can be as large as its memory. The virtual firmware (SeaBIOS, or OVMF with a small window) has no place for it, so the driver cannot start the card. No driver or CUDA package mends that.",
				Remedies: []Remedy{fix("use OVMF (UEFI) and q35, and enlarge the 64-bit MMIO window (QEMU: -fw_cfg opt/ovmf/X-PciMmio64Mb=262144; ESXi: pciPassthru.use64bitMMIO=TRUE and 64bitMMIOSizeGB; Hyper-V: HighMemoryMappedIoSpace)")},
			},
			Cause{
				Title:    "The BIOS gives the GPU no room for its BARs (PCI I/O region is invalid)",
				Text:     "The GPU's memory window needs addresses above 4 GB. The driver is not the reason, and a new one does not help.",
				Remedies: []Remedy{fix("switch on Above 4G Decoding (and off CSM) in the BIOS, update the BIOS; as a test start with pci=realloc", "check", "lspci -vv -d 10de: | grep -i region; sudo dmesg | grep 'BAR '")},
			},
		),
		Samples: []string{
			"NVRM: This PCI I/O region assigned to your NVIDIA device is invalid:\nNVRM: BAR1 is 0M @ 0x0 (PCI:0000:0b:00.0)",
			"NVRM: The system BIOS may have misconfigured your GPU.",
			"pci 0000:0b:00.0: BAR 1 [mem size 0x800000000 64bit pref]: can't assign; no space",
			"pci 0000:65:00.0: BAR 1: no space for [mem size 0x400000000 64bit pref]",
		},
		Misses: []string{"nvidia 0000:0b:00.0: BAR 1 [mem 0x6000000000-0x63ffffffff 64bit pref]: assigned"},
		Source: nvSource,
	},
	{
		ID: "nvrm-fallen-off-bus", Product: "nvidia kernel module",
		Literals: []string{"fallen off the bus"},
		Layer:    rule.Hardware, Strength: Strong, ExplainedBy: []string{"HWR003", "HWR002"},
		Meaning: "The GPU no longer answers on PCIe (Xid 79).",
		Causes: causes(
			Cause{
				When: on(Says("runtime pm", "RTD3", "D3cold", "laptop", "optimus", "suspend", "bbswitch", "NVreg_DynamicPowerManagement", "bumblebee")), Confidence: rule.Possible,
				Title: "The GPU has fallen off the bus: it did not come back from a power-saving state",
				Text:  "On laptops, and after suspend, the card is switched off by power management (runtime D3, ASPM, bbswitch) and does not come back on PCIe. Otherwise it is power, heat or the slot.",
				Remedies: []Remedy{
					fix("restart, and switch that power saving off for a test", "shell", "echo 'options nvidia NVreg_DynamicPowerManagement=0x00' | sudo tee /etc/modprobe.d/nvidia-pm.conf; cat /sys/bus/pci/devices/*/power/control | sort | uniq -c"),
					fix("start the kernel with pcie_aspm=off, and update the BIOS"),
				},
			},
			Cause{
				Title: "The GPU has fallen off the bus: hardware (power, heat, slot or the card)",
				Text:  "The GPU stopped answering on PCIe (Xid 79). That is power supply or cable, overheating, the seat, a riser or the slot, its firmware, or a dying card; under load a limit of the power supply is the most frequent. Reinstalling CUDA or a framework does not help.",
				Remedies: []Remedy{
					fix("switch the machine fully off and on; only that brings the card back"),
					fix("check power cables (one per connector), the power supply's rating, temperature, seat and riser; for a test limit power or clocks", "shell", "sudo nvidia-smi -pl 250; nvidia-smi -q -d TEMPERATURE,POWER"),
					fix("where it comes back, try the card in another slot or machine, update BIOS and VBIOS, and let the vendor replace it"),
				},
				Ask: "does it happen under load alone, and what do the temperature and the other lines of dmesg say before it",
			},
		),
		Samples: []string{"NVRM: Xid (PCI:0000:41:00): 79, pid=1200, name=python3, GPU has fallen off the bus.", "NVRM: GPU 0000:41:00.0: GPU has fallen off the bus."},
		Misses:  []string{"the passenger had fallen from the bus"},
		Source:  nvSource,
	},
	{
		ID: "nvrm-power-missing", Product: "nvidia kernel module",
		Literals: []string{"necessary power cables", "insufficient power", "power connector", "not powered", "external power"},
		Pattern:  `(?i)(?:GPU|NVRM|nvidia|card|board).{0,60}(?:does not have the necessary power cables|has insufficient power|insufficient (?:external )?power)|insufficient power on MXM|power connector.{0,40}(?:not (?:plugged|connected|seated)|missing|loose)|auxiliary power.{0,40}not (?:connected|powered)`,
		Layer:    rule.Hardware, Strength: Strong,
		Meaning: "The GPU has not the power that it needs.",
		Causes: causes(Cause{
			Title:    "The GPU has too little power: a power cable is missing or loose, or the supply is too weak",
			Text:     "The driver found the power connectors of the card not or not fully connected. Drivers and packages are not the reason.",
			Remedies: []Remedy{fix("switch off, plug every power connector of the card in with a cable of its own, and check the rating of the power supply")},
		}),
		Samples: []string{"NVRM: GPU 0000:05:00.0: GPU does not have the necessary power cables connected.", "NVRM: GPU at PCI:0000:05:00 has insufficient power"},
		Misses:  []string{"the antenna has insufficient power for this range"},
		Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/src/nvidia/arch/nvalloc/unix/src/osinit.c",
	},
	{
		ID: "nvrm-irq", Product: "nvidia kernel module",
		Literals: []string{"No interrupts of any type are available", "Can't find an IRQ for your NVIDIA", "Tried to get IRQ"},
		Layer:    rule.Hardware,
		Meaning:  "The system gives the GPU no interrupt.",
		Causes: causes(Cause{
			Title:    "The GPU gets no interrupt (IRQ) from the system",
			Text:     "MSI is switched off, the BIOS gives no IRQ, or the hypervisor does not pass it on.",
			Remedies: []Remedy{fix("allow MSI (no pci=nomsi on the kernel's command line), and update the BIOS", "check", "cat /proc/cmdline; lspci -vv -d 10de: | grep -i -e msi -e interrupt")},
		}),
		Samples: []string{"NVRM: GPU 0000:01:00.0: No interrupts of any type are available. Cannot use this GPU.", "NVRM: Can't find an IRQ for your NVIDIA card!"},
		Misses:  []string{"NVRM: IRQ 52 is used"},
		Source:  nvSource,
	},
	{
		ID: "nvrm-iommu-fault", Product: "linux kernel",
		Literals: []string{"DMAR: [DMA", "AMD-Vi: Event logged", "IO_PAGE_FAULT"},
		Pattern:  `(?i)DMAR: \[DMA (?:Read|Write)[^\]]*\].*?(?:fault|device)|(?:nvidia|AMD-Vi).{0,60}IO_PAGE_FAULT`,
		Layer:    rule.Hardware, Strength: Weak,
		Meaning: "The IOMMU refused an access of a device to memory.",
		Causes: causes(Cause{
			Title: "The IOMMU blocks accesses of a device (DMAR or IO_PAGE_FAULT)",
			Text:  "Where the address is that of a GPU, DMA between GPUs or with the host fails: hangs, wrong results of peer-to-peer, Xid 31 or 79.",
			Remedies: []Remedy{
				fix("for a test start the kernel with iommu=pt (or intel_iommu=off, amd_iommu=off), and switch ACS off in the BIOS where GPUs talk to each other"),
			},
			Ask: "whether the PCI address in the line is a GPU's: lspci -d 10de:",
		}),
		Samples: []string{"DMAR: [DMA Read NO_PASID] Request device [41:00.0] fault addr 0xf8000000 [fault reason 0x06] PTE Read access is not set", "nvidia 0000:21:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0021 address=0xd0000000 flags=0x0020]"},
		Misses:  []string{"DMAR: IOMMU enabled"},
		Source:  "https://docs.kernel.org/arch/x86/iommu.html",
	},
	{
		ID: "pcie-aer-error", Product: "linux kernel",
		Literals: []string{"PCIe Bus Error: severity=Uncorr", "AER: Uncorrected (Fatal)", "AER: Multiple Uncorrected", "PCIe Bus Error: severity=Fatal", "PCIe Bus Error: severity=Corrected"},
		Pattern:  `(?i)PCIe Bus Error: severity=(?:Uncorr\w*|Fatal)|AER: (?:Uncorrected \(Fatal\)|Multiple Uncorrected)|nvidia [\w:.]+: PCIe Bus Error: severity=(?P<corrected>Corrected)`,
		Layer:    rule.Hardware,
		Meaning:  "PCIe reports an error on a link that it could not correct.",
		Causes: causes(Cause{
			When:     on(Has("corrected")),
			Title:    "PCIe reports corrected errors on the GPU's link (AER): a bad riser, cable, slot or seat of the card",
			Text:     "Single ones are harmless; many in a minute slow transfers down and come before a GPU that falls off the bus. Driver and CUDA are not the reason.",
			Remedies: []Remedy{fix("reseat the card, leave the riser out or take a better one, and set the slot to a lower generation in the BIOS (Gen 4 to Gen 3)", "check", "sudo dmesg | grep -c 'PCIe Bus Error'; lspci -vv -d 10de: | grep -i lnksta"), fix("update the BIOS; pcie_aspm=off can help")},
		}, Cause{
			Title:    "PCIe reports uncorrected errors on a link (AER)",
			Text:     "Signal errors between the card and the board: seat, riser, slot, link speed, power, or a failing card.",
			Remedies: []Remedy{fix("reseat the card, leave risers out, set the slot's link speed lower in the BIOS, update the BIOS", "check", "sudo dmesg | grep -i aer; lspci -vv -d 10de: | grep -i lnksta")},
			Ask:      "whether the PCI address is a GPU's: lspci -d 10de:",
		}),
		Samples: []string{"nvidia 0000:65:00.0: PCIe Bus Error: severity=Uncorrectable (Non-Fatal), type=Transaction Layer", "pcieport 0000:64:01.0: AER: Uncorrected (Fatal) error message received from 0000:65:00.0"},
		Misses:  []string{"pcieport 0000:00:01.0: AER: enabled with IRQ 25"},
		Source:  "https://docs.kernel.org/PCI/pcieaer-howto.html",
	},
}
