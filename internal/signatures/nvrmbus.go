package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvrmBus is what kernel and module write about a GPU on its bus: memory windows, link, IOMMU.
func nvrmBus() []*Signature {
	return []*Signature{
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
			Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv-pci.c",
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
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/src/nvidia/arch/nvalloc/unix/src/osinit.c",
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
}
