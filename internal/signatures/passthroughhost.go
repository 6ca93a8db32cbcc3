package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// passthroughHost is what hypervisors say of a GPU that they are to pass on.
func passthroughHost() []*Signature {
	return []*Signature{
		{
			ID: "iommu-not-present", Product: "vfio",
			Literals: []string{"IOMMU not present", "No IOMMU detected", "IOMMU is not enabled", "no IOMMU", "No iommu_group found", "IOMMU disabled", "host doesn't support passthrough of host PCI", "host doesn't support VFIO PCI", "iommu=off", "IOMMU not enabled", "DMAR: No ATSR", "interrupt remapping"},
			Pattern:  `(?i)IOMMU (?:not present|is not enabled|not enabled|disabled)|No IOMMU detected|No iommu_group found|host doesn't support (?:passthrough of host PCI|VFIO PCI)|no iommu[ _]groups?|(?:No interrupt remapping|interrupt remapping (?:support )?(?:is )?(?:not|missing|required))`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "The host has no working IOMMU, so no card can be passed to a VM.",
			Causes: causes(Cause{
				Title:    "The host's IOMMU is off (VT-d on Intel, AMD-Vi on AMD), so the GPU cannot be passed into a VM",
				Text:     "It has to be on in the BIOS and, on Intel with kernels before 6.8, on the kernel's command line. Without interrupt remapping vfio refuses, too. Drivers are not at fault.",
				Remedies: []Remedy{fix("switch VT-d or AMD-Vi (IOMMU, SVM) on in the BIOS, add intel_iommu=on iommu=pt (AMD: amd_iommu=on iommu=pt) to the kernel's command line, and restart", "check", "sudo dmesg | grep -e DMAR -e IOMMU; find /sys/kernel/iommu_groups -type l | head"), fix("where interrupt remapping is missing and the risk is acceptable: options vfio_iommu_type1 allow_unsafe_interrupts=1")},
			}),
			Samples: []string{"TASK ERROR: Cannot prepare PCI pass-through device - IOMMU not present", "No IOMMU detected, please activate it.See Documentation for further information.", "error: unsupported configuration: host doesn't support passthrough of host PCI devices"},
			Misses:  []string{"DMAR: IOMMU enabled"},
			Source:  "https://pve.proxmox.com/wiki/PCI_Passthrough",
		},
		{
			ID: "hypervisor-mmio", Product: "hypervisor",
			Literals: []string{"use64bitMMIO", "64bitMMIOSizeGB", "insufficient memory-mapped", "DevicePowerOn", "HighMemoryMappedIoSpace", "LowMemoryMappedIoSpace", "X-PciMmio64Mb", "insufficient MMIO"},
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "The text names the MMIO window of a VM.",
			Causes: causes(Cause{
				When:     on(Says("fail", "error", "invalid", "power on", "cannot", "not start", "No devices", "BAR1", "is 0M", "not set", "insufficient")),
				Title:    "The VM's 64-bit MMIO window is too small for the GPU's BARs: pciPassthru.use64bitMMIO and its size (ESXi), HighMemoryMappedIoSpace (Hyper-V), X-PciMmio64Mb (OVMF)",
				Text:     "A data-centre GPU needs a window of twice its memory or more, rounded up to a power of two, and a guest with UEFI. Driver and CUDA are not at fault.",
				Remedies: []Remedy{fix("ESXi: firmware EFI, pciPassthru.use64bitMMIO=TRUE, pciPassthru.64bitMMIOSizeGB=128 or more"), fix("Hyper-V (DDA)", "powershell", "Set-VM -VMName NAME -GuestControlledCacheTypes $true -LowMemoryMappedIoSpace 3Gb -HighMemoryMappedIoSpace 64Gb"), fix("QEMU with OVMF: -fw_cfg name=opt/ovmf/X-PciMmio64Mb,string=262144")},
			}),
			Samples: []string{"pciPassthru.use64bitMMIO is not in the VM's configuration", "Module 'DevicePowerOn' power on failed."},
			Misses:  []string{"power on self test"},
			Source:  "https://docs.nvidia.com/grid/latest/grid-vgpu-user-guide/index.html",
		},
		{
			ID: "vfio-reset-failed", Product: "vfio",
			Literals: []string{"not ready 65535ms", "ms after FLR", "not ready 1023ms", "stuck in D3", "Unable to change power state from D3", "Refused to change power state", "can't change power state from D3cold", "reset recovery", "Invalid PCI ROM header signature", "vfio_bar_restore"},
			Pattern:  `(?i)not ready \d+ms after (?:FLR|bus reset|PM reset|resume|D3)|(?:Unable|can't|Refused|unable) to? ?change power state(?: from D3\w*)?|stuck in D3|vfio_bar_restore: reset recovery|Invalid PCI ROM header signature`,
			Layer:    rule.DeviceExposure, Strength: Usual,
			Meaning: "The card does not come back from a reset or from a power state.",
			Causes: causes(
				Cause{
					When:     on(Says("Invalid PCI ROM header")),
					Title:    "The GPU's ROM cannot be read (Invalid PCI ROM header signature): give the VM a ROM file, or keep the host from using the card at boot",
					Text:     "A card that the host's firmware used for its own display has a shadowed ROM. Without a clean ROM the guest's firmware and driver do not start it.",
					Remedies: []Remedy{fix("pass a dumped or downloaded vBIOS of this card (romfile=), or boot the host on another GPU"), fix("start the host with video=efifb:off and bind the card to vfio-pci early", "host", "lspci -nnk -d 10de:")},
				},
				Cause{
					When:     on(Any(Says("vfio"), inVM)),
					Title:    "The GPU does not come back from a reset after the VM (not ready after FLR, D3): it stays unusable until the host restarts",
					Text:     "The card was left in a state that a function-level or bus reset does not clear, or was put to D3cold by power management.",
					Remedies: []Remedy{fix("keep it out of D3 and reset it whole: disable_idle_d3=1 for vfio-pci, pass all functions of the card, and shut the guest down with its driver unloaded", "host", "echo 'options vfio-pci disable_idle_d3=1' | sudo tee /etc/modprobe.d/vfio-d3.conf; sudo update-initramfs -u"), fix("update VBIOS and BIOS; a full power cycle brings the card back")},
				},
				Cause{
					Layer:    rule.Hardware,
					Title:    "The GPU does not come back from a power-saving state (Unable to change power state from D3cold): runtime power management or firmware, else power and slot of the card",
					Text:     "The PCIe device no longer answers, like a card that has fallen off the bus.",
					Remedies: []Remedy{fix("switch runtime power management off for a test, and update the BIOS", "shell", "echo 'options nvidia NVreg_DynamicPowerManagement=0x00' | sudo tee /etc/modprobe.d/nvidia-pm.conf; cat /proc/cmdline"), fix("start with pcie_port_pm=off or pcie_aspm=off; then look at power cables, riser and slot")},
				},
			),
			Samples: []string{"vfio-pci 0000:0a:00.0: not ready 65535ms after FLR; giving up", "nvidia 0000:01:00.0: Unable to change power state from D3cold to D0, device inaccessible", "vfio-pci 0000:2d:00.0: Invalid PCI ROM header signature: expecting 0xaa55, got 0xffff"},
			Misses:  []string{"nvidia 0000:01:00.0: enabling device (0000 -> 0003)"},
			Source:  "https://docs.kernel.org/driver-api/vfio.html",
		},
	}
}
