package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// driverHangs is about a driver that is slow to answer or does not answer, and links between GPUs that are down.
func driverHangs() []*Signature {
	return []*Signature{
		{
			ID: "told-nvidia-smi-hangs", Product: "nvidia-smi",
			Literals: []string{"nvidia-smi hangs", "nvidia-smi is stuck", "nvidia-smi stuck", "nvidia-smi freezes", "nvidia-smi blocks", "nvidia-smi does not return", "nvidia-smi doesn't return", "nvidia-smi never returns", "nvidia-smi gets stuck", "nvidia-smi to hang", "D state", "uninterruptible sleep", "state D", "can't be killed", "cannot be killed"},
			Pattern:  `(?i)nvidia-smi[^\n]{0,40}(?:hang|stuck|freez|blocks\b|never returns|n[o']t return)|\bD state\b|uninterruptible sleep|\bstate D\b|can(?:'t|not) be killed`,
			Layer:    rule.Hardware, Role: Told, Strength: Usual,
			Where:   on(Says("nvidia"), Says("nvidia-smi", "gpu")),
			Meaning: "nvidia-smi or a program hangs in the driver.",
			Causes: causes(Cause{
				Title:    "A GPU or its driver does not answer (nvidia-smi hangs, processes in D state): mostly a GPU that is lost; dmesg has an Xid, and a restart is needed",
				Text:     "A process in the D state waits inside the driver and cannot be killed. One GPU of the machine has hung (Xid 79, 119, 62 and others), Fabric Manager or a hung storage holds it, or a fault of this driver release[ ({driver})].",
				Remedies: []Remedy{fix("read the kernel log, then restart the machine (a full power cycle where the GPU is lost)", "shell", "sudo dmesg -T | grep -i -e xid -e nvrm -e 'blocked for more' | tail -30"), fix("where it comes back: check power, heat and seat of that GPU, update driver and firmware")},
				Ask:      "sudo dmesg -T | grep -i -e xid -e nvrm | tail -30",
			}),
			Samples: []string{"nvidia-smi hangs forever", "the python process is in D state on the GPU box"},
			Misses:  []string{"nvidia-smi returns at once"},
			Source:  "https://docs.nvidia.com/deploy/xid-errors/index.html",
		},
		{
			ID: "told-persistence-mode", Product: "nvidia-persistenced",
			Literals: []string{"nvidia-smi takes", "seconds to start", "first CUDA call", "slow to start", "takes a long time", "nvidia-smi is slow", "nvidia-smi is very slow", "persistence mode", "Persistence-M", "takes several seconds", "slow startup", "initialization takes"},
			Pattern:  `(?i)nvidia-smi (?:takes|is (?:very )?slow)|first CUDA call[^\n]{0,40}(?:takes|slow|seconds|\ds\b)|(?:cuda|gpu|driver)[^\n]{0,40}(?:slow to start|takes (?:a long time|several seconds|\d+ ?s)|initialization takes)|persistence mode[^\n]{0,30}(?:off|disabled|not enabled|lost|resets?)`,
			Layer:    rule.Application, Role: Told, Strength: Usual,
			Where:   on(Says("slow", "seconds", " takes", "long time", "delay", "lost", "resets", "disabled", "off")),
			Meaning: "Each first use of the GPU is slow.",
			Causes: causes(Cause{
				Title:    "The driver starts the GPUs anew at every first use: persistence mode is off",
				Text:     "Without a client (no display server) the driver unloads its state when the last program ends, and settings such as power limits are lost with it. On machines with many GPUs the start takes long. Not a fault.",
				Remedies: []Remedy{fix("run the persistence daemon", "shell", "sudo systemctl enable --now nvidia-persistenced", "for now", "sudo nvidia-smi -pm 1")},
			}),
			Samples: []string{"nvidia-smi takes 20 seconds each time", "persistence mode is off"},
			Misses:  []string{"training takes 20 seconds"},
			Source:  "https://docs.nvidia.com/deploy/driver-persistence/index.html",
		},
		{
			ID: "nvlink-link-inactive", Product: "NVLink",
			Literals: []string{": <inactive>", "NVLink is not", "nvlink not", "NVLinks are", "nvidia-smi nvlink", "topo -m", "NVLink bridge"},
			Pattern:  `(?i)Link \d+: <inactive>|nv-?links?\b[^\n]{0,40}(?:inactive|not (?:active|detected|working|supported|recognized|used|showing)|down|do(?:es)? not)|topo -m[^\n]{0,60}(?:shows?|says|reports)[^\n]{0,20}(?:SYS|PHB|NODE|PIX|PXB)`,
			Layer:    rule.Hardware, Strength: Usual, Role: Told,
			Where:   on(Says("NVLink")),
			Meaning: "The links between GPUs are not up.",
			Causes: causes(
				Cause{
					When: on(inVM), Layer: rule.DeviceExposure,
					Title:    "NVLink is inactive in this VM: all GPUs of the link (and NVSwitches) have to be passed into one VM, by a hypervisor that allows it",
					Text:     "The links train only where the driver sees both ends.",
					Remedies: []Remedy{fix("pass both GPUs of a bridge into the same VM, and see the vendor's list of topologies", "guest", "nvidia-smi nvlink -s; nvidia-smi topo -m")},
				},
				Cause{
					Title:    "The NVLinks are inactive: the bridge is not seated or of the wrong kind, the GPUs have no NVLink, or (with NVSwitch) Fabric Manager does not run",
					Text:     "nvidia-smi topo -m shows NV# where a link is up. Bridges are made for one generation and slot distance; GeForce RTX 40 and 50, and most cards below the top, have none. MIG mode switches NVLink off.",
					Remedies: []Remedy{fix("switch the machine off, seat the bridge anew, and look", "check", "nvidia-smi nvlink -s; nvidia-smi nvlink -c; nvidia-smi topo -m; systemctl status nvidia-fabricmanager"), fix("on HGX boards start Fabric Manager of the driver's release")},
					Ask:      "nvidia-smi nvlink -s; the cards' and the bridge's exact model",
				},
			),
			Samples: []string{"\t Link 0: <inactive>", "nvidia-smi topo -m shows SYS between the cards"},
			Misses:  []string{"\t Link 0: 14.062 GB/s"},
			Source:  "https://docs.nvidia.com/deploy/nvidia-smi/index.html",
		},
		{
			ID: "monitor-finds-no-gpu", Product: "nvtop",
			Literals: []string{"No GPU to monitor", "nvitop", "nvtop", "gpustat"},
			Pattern:  `(?i)No GPU to monitor|\b(?P<tool>nvitop|nvtop|gpustat|btop)\b[^\n]{0,80}(?:not show|n't show|no gpu|not see|not detect|not find|error|fail|empty)`,
			Layer:    rule.Driver, Strength: Weak,
			Meaning: "A monitor of GPUs finds none.",
			Causes: causes(
				Cause{
					When:     on(Says("/snap/", "from snap", "snap install", "as a snap", "the snap", "flatpak")),
					Title:    "The monitor ([{tool} || nvtop]) from snap or Flatpak does not reach the driver's library libnvidia-ml.so.1: the sandbox keeps it out",
					Text:     "nvidia-smi outside works.",
					Remedies: []Remedy{fix("install it from the distribution's packages, or connect the snap's interfaces (hardware-observe, opengl, process-control)", "snap", "snap connections nvtop; sudo snap connect nvtop:hardware-observe")},
				},
				Cause{
					When:     on(Says("nvidia-smi works", "nvidia-smi is fine", "nvidia-smi shows", "nvidia-smi ok")),
					Title:    "The monitor ([{tool} || nvtop]) does not reach the driver although nvidia-smi works: it is built without NVIDIA support, or does not find libnvidia-ml.so.1",
					Text:     "It loads libnvidia-ml.so.1 by name; a static build, another libc, a container or a sandbox keep it from that.",
					Remedies: []Remedy{fix("see that the library is found, and build or install the monitor with NVIDIA support", "check", "ldconfig -p | grep libnvidia-ml; which -a nvtop; nvidia-smi -L")},
				},
				Cause{
					Title:    "The monitor ([{tool} || nvtop]) finds no GPU: the driver (libnvidia-ml.so.1) does not answer it",
					Text:     "First nvidia-smi has to work, where the monitor runs.",
					Remedies: []Remedy{fix("make nvidia-smi work", "check", "nvidia-smi; ldconfig -p | grep libnvidia-ml")},
					Ask:      "nvidia-smi, in the same place",
				},
			),
			Samples: []string{"No GPU to monitor.", "nvtop does not show the GPU"},
			Misses:  []string{"nvtop shows both GPUs"},
			Source:  "https://github.com/Syllo/nvtop",
		},
	}
}
