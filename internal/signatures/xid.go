package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// Numbers of Xids by what they mean for the layer. The table of the knowledge base
// tells hardware from software; where either is possible, these are what practice shows.
const (
	xidForm        = `(?i)NVRM: Xid ?\([^)]*\): (?P<xid>\d{1,3})\b|\bXid \(PCI:[^)]*\): (?P<xid>\d{1,3})\b|XidCriticalError: Xid=(?P<xid>\d{1,3})|\bXid(?: error| code| message)?s?(?: number)?[ :=#]+(?P<xid>\d{1,3})\b`
	xidApplication = `^(13|31|43|37|60|68|69|141|174)$`
	xidFollows     = `^(45|106|107|121|154|162|163)$`
	xidGSP         = `^(119|120)$`
	xidVGPU        = `^78$`
)

var xidLiterals = []string{"NVRM: Xid", "Xid (PCI", "XidCriticalError", "Xid error", "Xid code", "Xid message", "Xid: 1", " Xid 1", " Xid 3", " Xid 4", " Xid 5", " Xid 6", " Xid 7", " Xid 8", " Xid 9", "(Xid 1", "(Xid 3", "(Xid 4", "(Xid 6", "(Xid 7", "(Xid 9", "Xids:", "Xid: 4", "Xid: 6", "Xid: 7", "Xid: 9", "Xid: 3"}

// xid are the driver's numbered messages about faults of a GPU. Each number is of the kind that one of these takes.
func xid() []*Signature {
	return []*Signature{
		{
			ID: "nvrm-xid-hardware", Product: "nvidia kernel module",
			Literals: xidLiterals, Pattern: xidForm,
			Layer: rule.Hardware, Strength: Strong, Role: Context, ExplainedBy: []string{"HWR002", "HWR003"},
			Meaning: "The driver reports a fault of a GPU by its number, one that stands for hardware.",
			Causes: causes(
				Cause{
					When:  on(Is("xid", `^79$`)),
					Title: "Xid 79: the GPU has fallen off the bus; hardware (power, heat, slot or the card)",
					Text:  "The GPU stopped answering on PCIe. CUDA and frameworks are not the reason, and reinstalling them does not help.",
					Remedies: []Remedy{
						fix("switch the machine fully off and on; check power cables, power supply, temperature, seat and riser"),
						fix("for a test limit the power", "shell", "sudo nvidia-smi -pl 250"),
					},
					Ask: "does it come under load alone, and what stands in dmesg before it",
				},
				Cause{
					When:  on(Is("xid|xidclass", "^hardware$"), Not(Is("xid", xidFollows))),
					Title: "Xid {xid}: {xid|xid}; a fault of the GPU's hardware",
					Text:  "NVIDIA's name is {xid|xidname}. It lies in {xid|xidcause}; the software stack is not the reason.",
					Remedies: []Remedy{
						fix("{xid|xidaction}", "check", "nvidia-smi -q -d ECC,ROW_REMAPPER,PAGE_RETIREMENT; sudo dmesg | grep -e Xid -e NVRM | tail -30"),
						when(fix("restart the device plugin's pod on the node afterwards: it keeps a GPU that it marked unhealthy out of Allocatable until then", "kubectl", "kubectl delete pod -n gpu-operator -l app=nvidia-device-plugin-daemonset --field-selector spec.nodeName=NODE"), Says("XidCriticalError", "unhealthy", "Allocatable", "device-plugin", "device plugin")),
					},
					Ask: "nvidia-smi -q, and whether the same GPU reports it again after a reset",
				},
			),
			Samples: []string{
				"NVRM: Xid (PCI:0000:65:00): 48, pid=991, name=python, DBE (double bit error) at 0x10",
				"[ 8123.4] NVRM: Xid (PCI:0000:1a:00): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 3",
				"I0304 10:00:01.1 1 nvidia.go:120] XidCriticalError: Xid=94 on Device=GPU-1111; marking device as unhealthy.",
			},
			Misses: []string{"no Xid messages were found in the kernel log", "Xid errors since boot: none"},
			Source: "https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html",
		},
		{
			ID: "nvrm-xid", Product: "nvidia kernel module",
			Literals: xidLiterals, Pattern: xidForm,
			Layer: rule.KernelModule, Role: Context, ExplainedBy: []string{"HWR002"},
			Meaning: "The driver reports a fault of a GPU by its number, one that a program, the driver or the hardware can cause.",
			Causes: causes(
				Cause{
					When: on(Is("xid", xidApplication)), Layer: rule.Application,
					Title: "Xid {xid}: {xid|xid}",
					Text: "NVIDIA's name is {xid|xidname}; {xid|xidcause}. As a rule a kernel of the program touched memory that is not its own or did something invalid. " +
						"The GPU stays well. Where many unrelated programs show it on one GPU alone, test the card.",
					Remedies: []Remedy{
						fix("find the kernel at fault", "shell", "CUDA_LAUNCH_BLOCKING=1 compute-sanitizer python SCRIPT.py"),
						fix("see whether it moves with the GPU: run on another one, and update the driver once", "check", "sudo dmesg | grep -e Xid -e NVRM | tail"),
					},
					Ask: "which program runs, and does another GPU show the same",
				},
				Cause{
					When:  on(Is("xid", xidGSP)),
					Title: "Xid {xid}: {xid|xid} (GSP)",
					Text:  "The GPU's firmware processor GSP failed: a fault of this release[ ({driver})] of driver and firmware, or hardware. Frameworks are not the reason. With the open kernel modules GSP cannot be switched off.",
					Remedies: []Remedy{
						fix("reset the GPU or restart, then update to the newest release of the branch", "shell", "sudo nvidia-smi --gpu-reset"),
						fix("where it stays with the newest driver, check power and heat and have the card replaced"),
					},
					Ask: "sudo dmesg | grep -e Xid -e NVRM | head -30: what came first",
				},
				Cause{
					When: on(Is("xid", xidVGPU)), Layer: rule.Driver,
					Title:    "Xid 78: the vGPU could not start: the guest's driver does not fit the host's vGPU manager",
					Text:     "Guest and host have to be of vGPU releases that support each other.",
					Remedies: []Remedy{fix("install the guest driver of the host's vGPU release")},
				},
				Cause{
					When:     on(Is("xid|xidclass", "^software$"), Not(Is("xid", xidFollows))),
					Title:    "Xid {xid}: {xid|xid}",
					Text:     "NVIDIA's name is {xid|xidname}. It lies in {xid|xidcause}.",
					Remedies: []Remedy{fix("{xid|xidaction}", "check", "sudo dmesg | grep -e Xid -e NVRM | tail -30")},
				},
				Cause{
					When:     on(Is("xid|xidclass", "^either$"), Not(Is("xid", xidFollows))),
					Title:    "Xid {xid}: {xid|xid}",
					Text:     "NVIDIA's name is {xid|xidname}. It lies in {xid|xidcause}: the number alone does not decide it.",
					Remedies: []Remedy{fix("{xid|xidaction}", "check", "sudo dmesg | grep -e Xid -e NVRM | tail -30")},
					Ask:      "does it stay with one GPU when programs move, and what stands in dmesg before it",
				},
			),
			Samples: []string{
				"NVRM: Xid (PCI:0000:65:00): 31, pid=4711, name=train, Ch 00000010, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted",
				"kernel: NVRM: Xid (PCI:0000:0a:00): 13, Graphics SM Warp Exception on (GPC 2, TPC 0): Out Of Range Address",
				"NVRM: Xid (PCI:0000:c1:00): 109, pid=3, name=python, CTX SWITCH TIMEOUT",
			},
			Misses: []string{"xid = get_global_id(0)"},
			Source: "https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html",
		},
		{
			ID: "nvrm-xid-follows", Product: "nvidia kernel module",
			Literals: []string{"NVRM: Xid", "Xid (PCI"},
			Pattern:  `Xid \([^)]*\): (?P<xid>45|154)\b`,
			Layer:    rule.Application, Role: Consequence,
			Meaning: "The driver removed the channels of a program, or names the recovery that another Xid needs.",
			Causes: causes(
				Cause{
					When:     on(Is("xid", "^45$")),
					Title:    "Xid 45: the driver removed a program's channels, after another fault or because the program was ended",
					Text:     "By itself it is no fault. The Xid before it, or the end of the program (also by the OOM killer or a signal), is the reason.",
					Remedies: []Remedy{fix("look for what came before it", "shell", "sudo dmesg | grep -e Xid -e NVRM -e 'Killed process' | tail -30")},
				},
				Cause{
					Title:    "Xid 154: the driver names the recovery that the GPU needs now (reset, drain or reboot)",
					Text:     "It follows from another Xid.",
					Remedies: []Remedy{fix("do what the message names", "check", "nvidia-smi -q | grep -i -A3 recovery")},
				},
			),
			Samples: []string{"NVRM: Xid (PCI:0000:65:00): 45, pid=991, name=python, Ch 00000008", "NVRM: Xid (PCI:0000:65:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)"},
			Misses:  []string{"NVRM: Xid (PCI:0000:65:00): 456"},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/src/nvidia/src/kernel/gpu/gpu.c",
		},
		{
			ID: "nvswitch-sxid", Product: "nvidia-nvswitch",
			Literals: []string{": SXid ("},
			Pattern:  `SXid \([^)]*\): (?P<sxid>\d{5}), (?P<kind>Fatal|Non-fatal)?`,
			Layer:    rule.Hardware, Strength: Strong, Role: Context,
			Meaning: "An NVSwitch reports a fault by its number.",
			Causes: causes(
				Cause{
					When:     on(Is("kind", "(?i)^fatal$")),
					Title:    "SXid {sxid}: a fatal fault of an NVSwitch or of a link to it",
					Text:     "NVLink traffic over this switch stops. It is hardware or its firmware: baseboard, switch, link or the GPU at its end.",
					Remedies: []Remedy{fix("drain the machine, reset all GPUs and switches (or restart it), and read Fabric Manager's log", "shell", "nvidia-smi nvlink -s; tail -50 /var/log/fabricmanager.log")},
				},
				Cause{
					When: on(Is("sxid", ".")), Confidence: rule.Possible,
					Title:    "SXid {sxid}: an NVSwitch reports a fault that is not fatal to it",
					Text:     "Most of these follow from a fault of a GPU or from a program that ended amid its traffic. The Xids of the GPUs beside it name the reason.",
					Remedies: []Remedy{fix("look for the Xid of a GPU at the same time", "shell", "sudo dmesg | grep -e SXid -e Xid | tail -30")},
				},
			),
			Samples: []string{"nvidia-nvswitch2: SXid (PCI:0000:c5:00.0): 20034, Fatal, Link 30 LTSSM Fault Up", "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error"},
			Misses:  []string{"no SXid (none) was reported"},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/src/common/nvswitch/kernel/inc/common_nvswitch.h",
		},
	}
}
