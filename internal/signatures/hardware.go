package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// hardware is about power, heat, memory errors and the machine around the GPU.
func hardware() []*Signature {
	return []*Signature{
		{
			ID: "gpu-slowdown", Product: "nvidia-smi",
			Literals: []string{"HW Slowdown", "HW Thermal Slowdown", "HW Power Brake", "Thermal Slowdown", "Power Brake", "hw_slowdown", "hw_thermal_slowdown"},
			Pattern:  `(?i)(?P<reason>HW Slowdown|HW Thermal Slowdown|HW Power Brake(?: Slowdown)?|SW Thermal Slowdown|hw_(?:thermal_)?slowdown)\s*[:=]\s*Active\b`,
			Layer:    rule.Hardware,
			Meaning:  "The GPU lowers its clocks to protect itself.",
			Causes: causes(Cause{
				Title:    "The GPU is slowed down by its hardware: {reason} is active (heat or power)",
				Text:     "Thermal slowdown is cooling: fans, dust, airflow, paste. Power brake is the power supply or the chassis. The software stack is not the reason.",
				Remedies: []Remedy{fix("look at temperature and power, and mend cooling or supply", "check", "nvidia-smi -q -d TEMPERATURE,POWER,PERFORMANCE")},
			}),
			Samples: []string{"        HW Slowdown                       : Active", "            HW Power Brake Slowdown       : Active"},
			Misses:  []string{"        HW Slowdown                       : Not Active"},
			Source:  "https://github.com/NVIDIA/go-nvml/blob/main/gen/nvml/nvml.h",
		},
		{
			ID: "gpu-ecc-remap", Product: "nvidia-smi",
			Literals: []string{"Remapping Failure Occurred", "Row Remapping Failure", "Remapped Rows", "Retired Pages", "Pending Page Blacklist", "row remap", "uncorrectable ECC", "Double Bit ECC", "row remapper"},
			Pattern:  `(?i)(?:Row )?Remapping Failure Occurred\s*[:=]\s*Yes|Pending Page Blacklist\s*[:=]\s*Yes|Remapped Rows[^\n]{0,120}Pending\s*[:=]\s*Yes|row remap(?:ping|per)?[^\n]{0,40}(?:fail|pending: ?yes)|(?:uncorrectable|double[- ]bit) ECC error[^\n]{0,30}(?:encountered|detected|occurred)`,
			Layer:    rule.Hardware, Strength: Strong,
			Meaning: "The GPU's memory has errors that could not be corrected.",
			Causes: causes(Cause{
				Title:    "The GPU's memory has uncorrectable ECC errors, or rows to be remapped: hardware",
				Text:     "A reset puts pending remaps into effect. Where remapping fails, or errors come back, the card is to be replaced. The software stack is not the reason.",
				Remedies: []Remedy{fix("stop the programs, reset the GPU, and read the counters", "shell", "sudo nvidia-smi --gpu-reset; nvidia-smi -q -d ECC,ROW_REMAPPER"), fix("run the vendor's test, and have the card replaced where errors come back", "shell", "dcgmi diag -r 3")},
				Ask:      "nvidia-smi -q -d ECC,ROW_REMAPPER",
			}),
			Samples: []string{"        Remapping Failure Occurred        : Yes", "        Pending Page Blacklist            : Yes", "RuntimeError: CUDA error: uncorrectable ECC error encountered"},
			Misses:  []string{"        Remapping Failure Occurred        : No", "    Volatile Uncorrectable ECC errors: 0"},
			Source:  "https://docs.nvidia.com/deploy/a100-gpu-mem-error-mgmt/error-recovery-and-response-flags.html",
		},
		{
			ID: "gpu-fan-temperature", Product: "nvidia-smi",
			Literals: []string{"| ERR!", " ERR!  ", "ERR! /"},
			Pattern:  `\|\s*ERR!|\bERR!\s+(?:\d+|ERR!|N/A)[^\n]{0,40}\|`,
			Layer:    rule.Hardware, Strength: Weak,
			Meaning: "nvidia-smi cannot read a sensor of the GPU.",
			Causes: causes(Cause{
				Title:    "nvidia-smi shows ERR! for a GPU: it no longer reads its sensors",
				Text:     "Usually after an Xid (79, 62, 119): the GPU hangs or is lost. For a fan alone it is the fan or its controller.",
				Remedies: []Remedy{fix("read the kernel log, and restart the machine", "shell", "sudo dmesg | grep -e Xid -e NVRM | tail"), fix("where it comes back, check power, cooling and seat, and have the card replaced")},
				Ask:      "sudo dmesg | grep -e Xid -e NVRM",
			}),
			Samples: []string{"| ERR!   47C    P2   ERR! /  250W |   1024MiB / 11019MiB |    ERR!      Default |"},
			Misses:  []string{"npm ERR! code ELIFECYCLE"},
			Source:  "https://docs.nvidia.com/deploy/xid-errors/index.html",
		},
		{
			ID: "hung-task-nvidia", Product: "linux kernel",
			Literals: []string{"blocked for more than", "soft lockup", "NMI watchdog", "rcu_sched self-detected stall", "hard LOCKUP"},
			Pattern:  `(?i)(?:task|INFO: task) (?P<task>(?:nv|nvidia|irq/\d+-nvidia|UVM|python|cuda)[\w/:.-]*?):\d+ blocked for more than \d+ seconds|soft lockup[^\n]{0,60}\[(?P<task>(?:nv|nvidia|irq/\d+-nvidia|UVM)[\w/ .-]*)`,
			Layer:    rule.KernelModule, Strength: Weak,
			Meaning: "A task that waits for the driver does not go on.",
			Causes: causes(Cause{
				Title:    "The task {task} hangs in the kernel, probably in the NVIDIA driver",
				Text:     "Usually a GPU stopped answering (look for an Xid), or storage or network hang under a program that uses it.",
				Remedies: []Remedy{fix("look for an Xid before it, and restart the machine", "shell", "sudo dmesg | grep -e Xid -e NVRM -e blocked | tail -30")},
				Ask:      "the call trace after the line: does it name nvidia functions",
			}),
			Samples: []string{"INFO: task nvidia-smi:3312 blocked for more than 120 seconds.", "watchdog: BUG: soft lockup - CPU#12 stuck for 22s! [nvidia-modeset/:1021]"},
			Misses:  []string{"INFO: task jbd2/sda1-8:311 blocked for more than 120 seconds."},
			Source:  "https://docs.kernel.org/admin-guide/sysctl/kernel.html",
		},
		{
			ID: "gpu-reset-refused", Product: "nvidia-smi",
			Literals: []string{"could not be reset", "GPU Reset couldn't run", "Resetting GPU", "Unable to reset"},
			Pattern:  `(?i)GPU Reset couldn'?t run because (?P<why>[^\n]{0,100})|GPU \S+ is currently in use by another process|(?:Unable to reset|could not be reset)[^\n]{0,80}GPU|Resetting GPU \S+ is not supported`,
			Layer:    rule.DeviceExposure, Role: Consequence,
			Meaning: "The GPU was not reset.",
			Causes: causes(Cause{
				Title:    "The GPU cannot be reset now[: {why}]",
				Text:     "A program, display server or another GPU of the same NVLink group holds it, or the card does not support it.",
				Remedies: []Remedy{fix("stop what uses it, reset all GPUs of the group together, or restart the machine", "shell", "sudo lsof /dev/nvidia*; sudo systemctl stop nvidia-persistenced dcgm; sudo nvidia-smi --gpu-reset")},
			}),
			Samples: []string{"GPU Reset couldn't run because GPU 00000000:3B:00.0 is the primary GPU.", "Unable to reset this GPU because it's being used by some other process"},
			Misses:  []string{"GPU 00000000:3B:00.0 was successfully reset."},
			Source:  "https://man.archlinux.org/man/extra/nvidia-utils/nvidia-smi.1.en",
		},
		{
			ID: "power-limit", Product: "nvidia-smi",
			Literals: []string{"SW Power Cap", "power limit", "Changing power management limit"},
			Pattern:  `(?i)Changing power management limit is not supported|Provided power limit \S+ \w+ is not a valid power limit`,
			Layer:    rule.Application,
			Meaning:  "The power limit was not changed.",
			Causes: causes(Cause{
				Title:    "This GPU does not take that power limit; not the stack",
				Text:     "Laptop GPUs and some cards do not let it be changed; others have a range.",
				Remedies: []Remedy{fix("stay within the range", "check", "nvidia-smi -q -d POWER")},
			}),
			Samples: []string{"Changing power management limit is not supported for GPU: 00000000:01:00.0.", "Provided power limit 700.00 W is not a valid power limit which should be between 100.00 W and 450.00 W"},
			Misses:  []string{"SW Power Cap : Active"},
			Source:  "https://man.archlinux.org/man/extra/nvidia-utils/nvidia-smi.1.en",
		},
	}
}
