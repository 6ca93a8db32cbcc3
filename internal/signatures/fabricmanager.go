package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// fabricManager is what Fabric Manager, NVLink, IMEX and the driver's other
// services print.
func fabricManager() []*Signature {
	return []*Signature{
		{
			ID: "fabricmanager-version", Product: "Fabric Manager",
			Literals: []string{"fabric manager NVIDIA GPU driver interface version", "fabric manager nvidia gpu driver interface"},
			Pattern:  `(?i)fabric manager NVIDIA GPU driver interface version (?P<fm>\d{3}\.\d+(?:\.\d+)?) don'?t match with driver version (?P<module>\d{3}\.\d+(?:\.\d+)?)`,
			Layer:    rule.KernelModule, Strength: Strong, ExplainedBy: []string{"KRN007"},
			Meaning: "Fabric Manager is of another release than the driver and does not start.",
			Causes: causes(Cause{
				Title: "Fabric Manager {fm} does not fit driver {module}: it must be exactly the same release",
				Text:  "On machines with NVSwitch, CUDA fails with error 802 (system not yet initialized) until Fabric Manager of the driver's own release runs. One of the two packages was updated alone.",
				Remedies: []Remedy{
					fix("install Fabric Manager {module} and start it; hold both packages at one release", "ubuntu", "sudo apt-get install nvidia-fabricmanager-{module|branch}={module}-1 && sudo systemctl restart nvidia-fabricmanager", "rhel", "sudo dnf install nvidia-fabric-manager-{module}"),
				},
			}),
			Samples: []string{"fabric manager NVIDIA GPU driver interface version 550.90.07 don't match with driver version 550.127.05. Please update with matching NVIDIA driver package."},
			Misses:  []string{"fabric manager NVIDIA GPU driver interface version 550.90.07 loaded"},
			Source:  "https://github.com/NVIDIA/gpu-operator/issues/544",
		},
		{
			ID: "fabricmanager-not-running", Product: "Fabric Manager",
			Literals: []string{"nvidia-fabricmanager.service: Failed", "nvidia-fabricmanager.service: Main process exited", "nvidia-fabricmanager.service could not be found", "Failed to start NVIDIA fabric manager", "Unit nvidia-fabricmanager.service not found", "fabric manager is not running", "fabricmanager is not running", "Failed to start nvidia-fabricmanager"},
			Layer:    rule.KernelModule, ExplainedBy: []string{"KRN007"},
			Meaning: "Fabric Manager, which sets up the NVSwitch fabric, does not run.",
			Causes: causes(Cause{
				Title: "Fabric Manager does not run: on a machine with NVSwitch CUDA does not start without it",
				Text:  "nvidia-fabricmanager is not installed, not of the driver's release[ ({driver})], or fails on a switch or a link. On machines without NVSwitch it is not needed, and that it fails there means nothing.",
				Remedies: []Remedy{
					fix("install it in exactly the driver's release and start it", "ubuntu", "sudo apt-get install nvidia-fabricmanager-{driver|branch} && sudo systemctl enable --now nvidia-fabricmanager"),
					fix("where it stops again, read why", "check", "journalctl -u nvidia-fabricmanager -n 50; cat /proc/driver/nvidia/version; sudo tail -50 /var/log/fabricmanager.log"),
				},
				Ask: "lspci -d 10de: | grep -i bridge (NVSwitch); nvidia-smi -q | grep -A3 Fabric",
			}),
			Samples: []string{"nvidia-fabricmanager.service: Failed with result 'exit-code'.", "systemd[1]: Failed to start NVIDIA fabric manager service.", "Unit nvidia-fabricmanager.service could not be found."},
			Misses:  []string{"Started NVIDIA fabric manager service.", "systemd[1]: Starting NVIDIA fabric manager service..."},
			Source:  "https://github.com/NVIDIA/NVSentinel/issues/883",
		},
		{
			ID: "fabricmanager-no-nvswitch", Product: "Fabric Manager",
			Literals: []string{"NVSwitch device information from NVSwitch driver", "NV_WARN_NOTHING_TO_DO", "Detected Pre-NVL5 system", "failed to initialize all the available NVSwitches", "nvswitch device information"},
			Pattern:  `(?i)request to query NVSwitch device information from NVSwitch driver failed(?: with error:? ?(?P<error>.{0,80}))?|NV_WARN_NOTHING_TO_DO|Fabric Manager.{0,40}NV_WARN|failed to initialize all the available NVSwitches`,
			Layer:    rule.KernelModule, ExplainedBy: []string{"KRN007"},
			Meaning: "Fabric Manager asked the driver for NVSwitches and got none.",
			Causes: causes(
				Cause{
					When: on(Any(Is("gpu", `(?i)GeForce|RTX|GTX|Quadro|\bT4\b|\bL4\b|L40|A10\b|A40\b|TITAN`), Says("GeForce", "RTX 30", "RTX 40", "RTX 50", "NVIDIA RTX")), Says("NOTHING_TO_DO", "WARN_NOTHING")), Layer: rule.Application,
					Title:    "Fabric Manager is not needed here: this machine[, with {gpu},] has no NVSwitch, so the service stops with NV_WARN_NOTHING_TO_DO",
					Text:     "Fabric Manager is for HGX and DGX boards, whose GPUs hang on NVSwitches. Nothing of the driver is broken.",
					Remedies: []Remedy{fix("disable the service and remove the package", "shell", "sudo systemctl disable --now nvidia-fabricmanager")},
				},
				Cause{
					When: on(Says("NOTHING_TO_DO", "no NVSwitch", "WARN_NOTHING")), Confidence: rule.Possible,
					Title:    "Fabric Manager finds no NVSwitch: this machine has none, or its VM or driver does not show them",
					Text:     "On a machine without NVSwitch (one GPU, PCIe cards, NVLink bridges) Fabric Manager is not needed and stops with NV_WARN_NOTHING_TO_DO. Where the machine does have NVSwitches they are not passed in, or the driver lacks support for them.",
					Remedies: []Remedy{fix("without NVSwitch, switch the service off", "shell", "sudo systemctl disable --now nvidia-fabricmanager"), fix("with NVSwitch, see that the switches and nvidia's module are there", "check", "lspci -d 10de:; ls /dev/nvidia-nvswitch*")},
					Ask:      "lspci -d 10de: — are there NVSwitches (bridges)",
				},
				Cause{
					Title:    "Fabric Manager gets no answer about NVSwitches from the driver",
					Text:     "The kernel module does not know the switches of this machine, is of another release, or the switches failed to start (see SXid and nvidia-nvswitch in dmesg). HGX with NVLink 5 (B200 and newer) also needs nvlsm and the InfiniBand packages.",
					Remedies: []Remedy{fix("install driver and Fabric Manager of one release that knows this board, restart, and read the kernel log", "check", "sudo dmesg | grep -i -e nvswitch -e sxid; sudo tail -50 /var/log/fabricmanager.log")},
				},
			),
			Samples: []string{"request to query NVSwitch device information from NVSwitch driver failed with error:WARNING Nothing to do [NV_WARN_NOTHING_TO_DO]"},
			Misses:  []string{"NVSwitch device information from NVSwitch driver: 6 switches"},
			Source:  "https://github.com/NVIDIA/gpu-operator/issues/610",
		},
		{
			ID: "nvlink-down", Product: "NVLink",
			Literals: []string{"unable to retrieve NVLink information", "all links are inActive", "NVLink: fatal error", "nvidia-nvlink: Failed", "nvlink training failed", "nvlink is inactive"},
			Pattern:  `(?i)unable to retrieve NVLink information as all links are inactive|NVLink: fatal error|all links are inactive|nvlink.{0,20}training fail`,
			Layer:    rule.Hardware, Strength: Weak,
			Meaning: "NVLink between GPUs is down.",
			Causes: causes(Cause{
				Title: "The NVLinks of the GPUs are down (all links are inactive)",
				Text:  "The bridge is not seated or missing, the links failed in training, or on NVSwitch machines Fabric Manager does not run. GPUs that have no NVLink connection show it without any fault.",
				Remedies: []Remedy{
					fix("on NVSwitch machines start Fabric Manager of the driver's release", "shell", "sudo systemctl restart nvidia-fabricmanager; nvidia-smi nvlink -s"),
					fix("with a bridge, reseat it with the machine switched off, and reset the GPUs", "shell", "nvidia-smi topo -m"),
				},
				Ask: "nvidia-smi topo -m; nvidia-smi nvlink -s",
			}),
			Samples: []string{"NVML: Unable to retrieve NVLink information as all links are inActive", "NVLink: fatal error detected on link 3(0x10000, 0x0, 0x0)"},
			Misses:  []string{"NVLink: link 3 is up"},
			Source:  "https://docs.nvidia.com/deploy/xid-errors/index.html",
		},
		{
			ID: "imex-not-ready", Product: "IMEX",
			Literals: []string{"nvidia-imex.service: Failed", "IMEX channel", "nvidia-caps-imex-channels", "CU_MEM_HANDLE_TYPE_FABRIC"},
			Pattern:  `(?i)nvidia-imex\.service: Failed|(?:no|missing|failed to (?:create|open|initialize)).{0,40}IMEX channel|nvidia-caps-imex-channels.{0,60}(?:No such file|denied|not found)`,
			Layer:    rule.DeviceExposure,
			Meaning:  "Memory shared between machines over NVLink needs the IMEX service and a channel.",
			Causes: causes(Cause{
				Title:    "IMEX is not ready: the service does not run, or the process has no IMEX channel",
				Text:     "Multi-node NVLink (GB200 NVL72) needs nvidia-imex on every node, of the driver's release, and a device node /dev/nvidia-caps-imex-channels/channel0 that the process may open.",
				Remedies: []Remedy{fix("start nvidia-imex on all nodes of the domain and create the channel", "shell", "sudo systemctl enable --now nvidia-imex; ls -l /dev/nvidia-caps-imex-channels; nvidia-imex-ctl -N")},
			}),
			Samples: []string{"nvidia-imex.service: Failed with result 'exit-code'.", "NVRM: failed to initialize IMEX channels."},
			Misses:  []string{"IMEX channel 0 is ready"},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/nvidia/nv.c",
		},
		{
			ID: "persistenced-failed", Product: "nvidia-persistenced",
			Literals: []string{"nvidia-persistenced", "Failed to query NVIDIA devices"},
			Pattern:  `nvidia-persistenced(?:\.service)?(?:\[\d+\])?: (?:Failed|Main process exited|Start request repeated|.{0,40}Failed to (?:query NVIDIA devices|open))|nvidia-persistenced failed to initialize|Failed to query NVIDIA devices\. Please ensure`,
			Layer:    rule.KernelModule, Strength: Weak, Role: Consequence,
			Meaning: "The persistence daemon found no working driver.",
			Causes: causes(Cause{
				When: on(Says("bumblebee", "bbswitch", "optirun")), Layer: rule.DeviceExposure,
				Title:    "nvidia-persistenced starts before the device nodes are there: Bumblebee (bbswitch) loads the nvidia module later, or never",
				Text:     "Bumblebee keeps the module out until a program asks for the GPU; the daemon has nothing to hold open then.",
				Remedies: []Remedy{fix("switch the daemon off where Bumblebee is used, or let its unit start after bumblebeed", "shell", "sudo systemctl disable --now nvidia-persistenced")},
			}, Cause{
				Title:    "nvidia-persistenced finds no working NVIDIA device",
				Text:     "It fails where the kernel module is not loaded, the device nodes are not readable for its user, or no GPU is there.",
				Remedies: []Remedy{fix("make nvidia-smi work first", "shell", "sudo modprobe nvidia; ls -l /dev/nvidia*; sudo dmesg | grep -i nvrm | tail")},
			}),
			Samples: []string{"nvidia-persistenced[812]: Failed to query NVIDIA devices. Please ensure that the NVIDIA device files (/dev/nvidia*) exist", "nvidia-persistenced.service: Failed with result 'exit-code'.", "nvidia-persistenced failed to initialize. Check syslog for more details."},
			Misses:  []string{"nvidia-persistenced: Started (812)"},
			Source:  "https://github.com/NVIDIA/nvidia-persistenced/blob/main/nvidia-persistenced.c",
		},
		{
			ID: "nvidia-uvm-missing", Product: "nvidia-uvm",
			Literals: []string{"nvidia-uvm", "nvidia_uvm"},
			Beside:   []string{"no such", " not ", "n't", "missing", "absent", "never", "without", "fail", "denied", "unknown symbol", "disagrees", "invalid", "no "},
			Pattern:  `(?i)(?:modprobe: (?:FATAL|ERROR).{0,40}|Module )nvidia[-_]uvm(?:['"]? not found|.{0,60}(?:No such|Invalid|failed))|/dev/nvidia-uvm(?:-tools)?['"]?:? (?:No such file|.{0,20}(?:not exist|missing|not found))|(?:stat|open|access|mknod|find|device node)\s['"]?/dev/nvidia-uvm\S*:? .{0,30}(?:no such|denied|not permitted)|failed to (?:load|create).{0,30}nvidia[-_]uvm|nvidia_uvm: (?:disagrees|Unknown symbol)`,
			Layer:    rule.KernelModule, ExplainedBy: []string{"KRN008", "DEV004"},
			Meaning: "The module nvidia_uvm is not loaded or /dev/nvidia-uvm is not there; CUDA does not start without it, although nvidia-smi works.",
			Causes: causes(
				Cause{
					When: on(Any(inLXC, InContainer, InKubernetes, byEngine)), Layer: rule.DeviceExposure,
					Title:    "/dev/nvidia-uvm is not in the container, so CUDA cannot start there",
					Text:     "nvidia-smi works without it, CUDA does not. The node is made when nvidia_uvm is loaded on the host, by nvidia-modprobe or the first CUDA program; it must exist before the container starts.",
					Remedies: []Remedy{fix("load the module and make the nodes on the host at every start, then start the container anew", "host", "sudo modprobe nvidia_uvm; sudo nvidia-modprobe -u -c=0; ls -l /dev/nvidia-uvm*")},
				},
				Cause{
					Title:    "nvidia_uvm is not loaded or /dev/nvidia-uvm is missing: CUDA cannot start, although nvidia-smi works",
					Text:     "The module is loaded and its node made by nvidia-modprobe (set-uid root) at the first use. Where that program is missing, or the module was not built, neither comes.",
					Remedies: []Remedy{fix("load it and make the nodes; install nvidia-modprobe", "shell", "sudo modprobe nvidia_uvm; sudo nvidia-modprobe -u -c=0; ls -l /dev/nvidia-uvm*", "ubuntu", "sudo apt-get install nvidia-modprobe")},
				},
			),
			Samples: []string{
				"modprobe: FATAL: Module nvidia-uvm not found in directory /lib/modules/6.1.0-18-amd64",
				"ls: cannot access '/dev/nvidia-uvm': No such file or directory",
				"stat /dev/nvidia-uvm: no such file or directory",
			},
			Misses: []string{"nvidia-uvm: Loaded the UVM driver, major device number 234.", "modprobe nvidia-uvm succeeded"},
			Source: "https://github.com/NVIDIA/nvidia-modprobe/blob/main/modprobe-utils/nvidia-modprobe-utils.c",
		},
	}
}
