package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// pushed holds where cards run beyond their own clocks, or near it: what miners and players tell.
var pushed = Says("overclock", "over-clock", "over clock", "oc settings", "memory offset", "mem offset", "core offset", "ram offset", "memory clock offset", "transferrateoffset", "clockoffset", "undervolt", "hashrate", "mh/s", "msi afterburner", "memclock", "mem clock")

// xidProse is about numbers of Xids in people's words, and about cards that are pushed.
func xidProse() []*Signature {
	return []*Signature{
		{
			ID: "xid-overclocked", Product: "nvidia kernel module",
			Literals: xidLiterals, Pattern: xidForm,
			Layer: rule.Hardware, Role: Context, Strength: Strong, ExplainedBy: []string{"HWR002"},
			Meaning: "The driver reports a fault of a GPU whose clocks somebody has raised.",
			Causes: causes(Cause{
				When:     on(pushed, Is("xid", `^(8|13|31|32|43|45|56|61|62|68|69|79)$`)),
				Title:    "Xid {xid} ({xid|xid}) on an overclocked GPU: its clocks, memory offset or power limit are beyond what the card holds",
				Text:     "Raised memory and core clocks make a card compute wrongly or halt long before it fails at its own clocks; a low power limit, risers and weak power cables make it worse. Drivers and programs are not the first thing to look at.",
				Remedies: []Remedy{fix("set clocks and power limit back to the card's own, and see whether the Xid comes again; then raise them in small steps", "shell", "sudo nvidia-smi -rgc; sudo nvidia-smi -rmc; nvidia-smi -q -d CLOCK,POWER,TEMPERATURE", "nvidia-settings", "nvidia-settings -a '[gpu:0]/GPUMemoryTransferRateOffsetAllPerformanceLevels=0' -a '[gpu:0]/GPUGraphicsClockOffsetAllPerformanceLevels=0'"), fix("where it stays at stock clocks, check power cables, riser, slot and temperature, and test the card in another machine")},
				Ask:      "does the Xid come at the card's own clocks",
			}),
			Samples: []string{"NVRM: Xid (PCI:0000:07:00): 62, 1d6e(35f8) 00000000 00000000"},
			Misses:  []string{"Xid errors since boot: none"},
			Source:  "https://github.com/ethereum-mining/ethminer/issues/596",
		},
		{
			ID: "told-xid-several", Product: "nvidia kernel module",
			Literals: xidLiterals,
			Pattern:  `(?i)\bXid(?:s| errors?| codes?)?[ :#=]+(?P<first>\d{1,3})(?:, ?\d{1,3})*(?:,? (?:and|or|&|then) | ?/ ?)(?:Xid )?(?P<second>\d{1,3})\b`,
			Layer:    rule.Hardware, Role: Told, Strength: Strong,
			Meaning: "Somebody tells of several Xids.",
			Causes: causes(
				Cause{
					When:     on(Any(pushed, Says("power supply", "power supplies", "psu", "riser", "watt", "breaker", "temps", "temperature", "overheat", "rig "))),
					Title:    "Xid {first} and {second}: the cards are not stable; power (supply, cables, risers), overclock or heat, not the software",
					Text:     "Xid {first} is: {first|xid}. Xid {second} is: {second|xid}. Where another card reports it each time, what they share is at fault: the power supply and its cables, risers, the clocks that all of them were given, or heat.",
					Remedies: []Remedy{fix("run at stock clocks with a lower power limit; then add cards one by one, each with power cables of its own", "shell", "sudo nvidia-smi -pl 220; sudo dmesg | grep -e Xid -e NVRM | tail -30"), fix("check power cables, risers and temperature (memory, too)")},
				},
				Cause{
					Title:    "Xid {first} and {second}: a fault of the GPU, its power or its driver",
					Text:     "Xid {first} is: {first|xid}. Xid {second} is: {second|xid}. The first one in the kernel log counts; what comes behind it follows.",
					Remedies: []Remedy{fix("read which came first, and with which GPU", "shell", "sudo dmesg | grep -e Xid -e NVRM | head -30"), fix("test with stock clocks, a lower power limit, and the newest driver of the branch")},
					Ask:      "which Xid is the first in the kernel log, and is it always the same GPU",
				},
			),
			Samples: []string{"the rig throws Xid 45 and 62", "dmesg shows Xid errors 13, 31 and 43"},
			Misses:  []string{"Xid 79 came once"},
			Source:  "https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html",
		},
		{
			ID: "nvml-return-number", Product: "NVML",
			Literals: []string{"error code ", "failed with code", "return code", "returned code", "nvmlReturn", "nvmlInit", "nvmlDeviceGet", "NVML error", "NVML returned"},
			Beside:   []string{"nvml"},
			Pattern:  `(?i)\bNVML\b[^\n]{0,60}?(?:error code|failed with code|return(?:ed)? code|returned|error)[ :=#(]{1,3}(?P<code>\d{1,3})\b|\bnvml(?:Init|Device|System|Shutdown)\w*[^\n]{0,30}?(?:failed|returned|error)[^\n\d]{0,30}(?P<code>\d{1,3})\b`,
			Layer:    rule.Driver, Role: Context, Strength: Strong,
			Meaning: "A program prints NVML's answer as a number.",
			Causes: causes(
				Cause{
					When: on(Is("code", `^1[56]$`)), Layer: rule.Hardware,
					Title:    "NVML says {code}: the GPU is lost (15, fallen off the bus) or needs a reset (16); hardware: power, heat, riser, clocks or the card",
					Text:     "The GPU stopped answering on PCIe while programs ran. It comes back after a restart until it happens again: an overclock or power limit that the card does not hold, power cables, riser and slot are the usual reasons. The kernel log has the Xid, usually 79.",
					Remedies: []Remedy{fix("set clocks and power limit back to the card's own, check its power cables and riser, and restart the machine", "linux", "sudo dmesg | grep -i -e xid -e nvrm | tail", "check", "nvidia-smi")},
				},
				Cause{
					When: on(Is("code", `^9$`)), Layer: rule.KernelModule,
					Title:    "NVML says 9: the NVIDIA driver's kernel module is not loaded",
					Text:     "NVML's library is there, and no kernel module answers it.",
					Remedies: []Remedy{fix("load it, or read why it does not", "linux", "sudo modprobe nvidia; sudo dmesg | grep -i -e nvrm -e nvidia | tail -20")},
				},
				Cause{
					When: on(Is("code", `^18$`)), Layer: rule.KernelModule,
					Title:    "NVML says 18: the driver is half updated, its library and its loaded kernel module are of different releases (version mismatch)",
					Text:     "An update replaced the libraries, and the old module stayed loaded.",
					Remedies: []Remedy{fix("restart (reboot) the machine", "linux", "cat /proc/driver/nvidia/version; nvidia-smi")},
				},
				Cause{
					When:     on(Is("code", `^1[23]$`)),
					Title:    "NVML says {code}: its library (libnvidia-ml.so.1, nvml.dll) is not found (12), or too old for what the program asks (13)",
					Text:     "The library is part of the driver. In a container it comes with --gpus all and the capability utility.",
					Remedies: []Remedy{fix("install or update the driver; see whether nvidia-smi works where the program runs", "check", "nvidia-smi")},
				},
				Cause{
					When: on(Is("code", `^4$`)), Layer: rule.DeviceExposure,
					Title:    "NVML says 4: the user may not do that with the GPU (no permission)",
					Text:     "Power limits, clocks and MIG need root; device files that are closed to the user, too.",
					Remedies: []Remedy{fix("see who may open the device files, and run what sets clocks as root", "linux", "ls -l /dev/nvidia*; id")},
				},
				Cause{
					When: on(Is("code", `^3$`)), Layer: rule.Application,
					Title:    "NVML says 3: this GPU does not have what the program asks for (not supported)",
					Text:     "GeForce cards lack some sensors and settings of data-centre cards. The driver works.",
					Remedies: []Remedy{fix("leave that query out", "check", "nvidia-smi -q | head -80")},
				},
			),
			Samples: []string{"WARN: NVML: can't get GPU #2, error code 15", "NVML failed with code 15", "nvmlInit() returned 18", "nvmlDeviceGetHandleByIndex failed: error 15"},
			Misses:  []string{"NVML library version 550.54", "NVML: 8 devices"},
			Source:  "https://github.com/trexminer/T-Rex/issues/230",
		},
	}
}
