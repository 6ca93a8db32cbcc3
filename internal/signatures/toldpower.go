package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toldPower is what people tell of sleep and power.
func toldPower() []*Signature {
	return []*Signature{
		{
			ID: "told-after-suspend", Product: "nvidia-uvm",
			Literals: []string{"after suspend", "from suspend", "suspend and", "suspend/resume", "suspended", "suspends", "to suspend", "in standby", "from standby", "after standby", "hibernat", "wakes up", "waking up", "after wake", "wake-up and", "and wake-up", "after sleep", "from sleep", "goes to sleep", "resume from", "sleep mode"},
			Pattern:  `(?i)\b(?:suspend\w*|standby|stand-by|hibernat\w+|wak\w+[- ]up|(?:after|from|to|in) sleep|sleep mode|resum\w+ from)\b`,
			Layer:    rule.KernelModule, Role: Context, Strength: Strong,
			Meaning: "The machine slept before.",
			Causes: causes(Cause{
				When:  on(Not(Says("NVRM: Xid", "GSP task", "kgsp")), Says("CUDA_ERROR_UNKNOWN", "CUDA unknown error", "unknown error", "UNKNOWN_ERROR", "error 999", "unspecified launch failure", "CUDA fails", "CUDA does not", "no longer detect", "initialization error", "GPU is not", "not available", "falls back", "uses the CPU", "switches to the CPU", "stops using the GPU", "no longer use", "no longer utilizes", "does not use the GPU", "not using the GPU")),
				Title: "CUDA does not survive suspend: after the resume nvidia_uvm has to be loaded anew",
				Text:  "The driver keeps nvidia-smi working, while nvidia_uvm stays in a state that CUDA cannot use, mostly where a program kept the GPU open during the sleep. PyTorch, CUDA and CUDA_VISIBLE_DEVICES are not the reason.",
				Remedies: []Remedy{
					fix("stop programs that use CUDA and load the module anew (a restart of the machine does it, too)", "shell", "sudo rmmod nvidia_uvm && sudo modprobe nvidia_uvm"),
					fix("to keep it from coming back, let the driver save its memory at suspend and enable its services", "shell", "echo 'options nvidia NVreg_PreserveVideoMemoryAllocations=1 NVreg_TemporaryFilePath=/var/tmp' | sudo tee /etc/modprobe.d/nvidia-power.conf; sudo systemctl enable nvidia-suspend nvidia-resume nvidia-hibernate"),
				},
			}),
			Samples: []string{"after suspend and resume CUDA fails", "when the laptop wakes up from sleep"},
			Misses:  []string{"time.sleep(1)"},
			Source:  "https://github.com/ollama/ollama/issues/2934",
		},
		{
			ID: "told-machine-turns-off", Product: "hardware",
			Literals: []string{"turns off", "shuts down", "shuts off", "switches off", "powers off", "power off", "machine reboots", "computer reboots", "system reboots", "PC reboots", "server reboots", "it reboots", "just reboots", "restarts by itself", "restarts itself", "turned off", "hard reset", "black screen", "resets itself", "shut down", "restart without", "restarts without", "will restart", "will reboot", "crash and reboot", "restarts within", "reboots random", "restarts random"},
			Pattern:  `(?i)(?:machine|computer|PC|server|system|node|workstation|whole box|it)\b[^\n.]{0,60}(?:turns? off|shuts? (?:down|off)|switches off|powers? off|reboots|restarts (?:by )?itself|resets itself|turned off|hard reset|(?:will|crash and|would) (?:restart|reboot)\b|restarts? (?:without|within|random))`,
			Layer:    rule.Hardware, Role: Context,
			Meaning: "The machine goes off under load.",
			Causes: causes(Cause{
				When:  on(Says("full load", "under load", "when training", "during training", "training", "stress", "gpu-burn", "gpu_burn", "PSU", "power supply", "W supply", "nvidia-smi -pl", "both GPUs", "inference", "benchmark", "load")),
				Title: "The machine goes off or restarts under load: its power supply (or its cables) cannot carry the GPUs' peaks, or something overheats",
				Text:  "[{gpu}: ]short peaks of power are far above the card's limit, and a supply that protects itself turns the machine off without anything in the logs. No driver or CUDA version changes this.",
				Remedies: []Remedy{
					fix("limit power or clocks as a test; where that helps, use a stronger power supply (PSU) and a cable of its own for every connector", "shell", "sudo nvidia-smi -pl 250; sudo nvidia-smi -lgc 300,1500"),
					fix("watch temperature and power up to the moment", "shell", "nvidia-smi --query-gpu=power.draw,temperature.gpu,clocks.sm --format=csv -l 1"),
				},
			}),
			Samples: []string{"the PC shuts down as soon as training starts", "the machine reboots under load", "when both train, my pc will restart within minutes"},
			Misses:  []string{"shut down the server with systemctl poweroff"},
			Source:  "https://docs.nvidia.com/deploy/gpu-debug-guidelines/index.html",
		},
	}
}
