package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvrmDevice is what the kernel module writes about the start of one GPU that it found.
func nvrmDevice() []*Signature {
	return []*Signature{
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
					When: on(onVGPU), Layer: rule.Driver,
					Title:    "The vGPU of this guest cannot be started[ (RmInitAdapter failed {code})]: its guest driver[ {driver}] does not fit the host's vGPU manager",
					Text:     "Guest (GRID) driver and host's vGPU manager have to be of vGPU releases that support each other; the ordinary driver does not start a vGPU.",
					Remedies: []Remedy{fix("install the guest driver of the host's vGPU release", "host", "nvidia-smi; journalctl -u nvidia-vgpu-mgr -n 30")},
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
			Source: "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv.c",
		},
		{
			ID: "nvrm-power-missing", Product: "nvidia kernel module",
			Literals: []string{"necessary power cables", "insufficient power", "power connector", "not powered", "external power"},
			Pattern:  `(?i)(?:GPU|NVRM|nvidia|card|board).{0,60}(?:does not have the necessary power cables|insufficient (?:external )?power)|insufficient power on MXM|power connector.{0,40}(?:not (?:plugged|connected|seated)|missing|loose)|auxiliary power.{0,40}not (?:connected|powered)`,
			Layer:    rule.Hardware, Strength: Strong,
			Meaning: "The GPU has not the power that it needs.",
			Causes: causes(Cause{
				Title:    "The GPU has too little power: a power cable is missing or loose, or the supply is too weak",
				Text:     "The driver found the power connectors of the card not or not fully connected. Drivers and packages are not the reason.",
				Remedies: []Remedy{fix("switch off, plug every power connector of the card in with a cable of its own, and check the rating of the power supply")},
			}),
			Samples: []string{"NVRM: GPU 0000:05:00.0: GPU does not have the necessary power cables connected."},
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
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv.c",
		},
	}
}
