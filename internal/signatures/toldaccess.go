package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toldAccess is what takes a GPU that works away from one process: units of
// systemd, SELinux, rights, and parts of a card.
func toldAccess() []*Signature {
	return []*Signature{
		{
			ID: "told-systemd-devices", Product: "systemd",
			Literals: []string{"PrivateDevices", "DeviceAllow", "DevicePolicy"},
			Pattern:  `(?:PrivateDevices|DeviceAllow|DevicePolicy)\b(?:\s*[=:]\s*(?P<value>[\w/-]+))?`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "A unit of systemd limits the devices of its process.",
			Causes: causes(Cause{
				When:     on(Any(noGPUTold, Says("zero GPUs", "no longer visible", "not visible", "invisible", "access blocked"))),
				Title:    "The systemd unit takes the GPU's device nodes from the service (PrivateDevices, DevicePolicy or a DeviceAllow that does not name /dev/nvidia*)",
				Text:     "With DeviceAllow or PrivateDevices=yes everything that is not named is refused. Drivers register their major number as nvidia, older ones as nvidia-frontend; the nodes nvidiactl, nvidia-uvm and nvidia-modeset count, too. From a shell the same program works.",
				Remedies: []Remedy{fix("allow the nodes in a drop-in of the unit: PrivateDevices=no, DeviceAllow=char-nvidia rw, DeviceAllow=char-nvidia-uvm rw, DeviceAllow=char-nvidiactl rw, DeviceAllow=char-nvidia-frontend rw", "check", "grep nvidia /proc/devices; systemctl show -p DeviceAllow -p DevicePolicy -p PrivateDevices UNIT")},
			}),
			Samples: []string{"PrivateDevices=true", "the unit has DeviceAllow=char-nvidia-frontend"},
			Misses:  []string{"private devices are fine"},
			Source:  "https://github.com/NixOS/nixpkgs/issues/331069",
		},
		{
			ID: "told-selinux", Product: "SELinux",
			Literals: []string{"SELinux", "label=disable", "setenforce 0", "getenforce"},
			Pattern:  `(?i)\bSELinux\b|label=disable|setenforce 0|getenforce`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "Somebody tells that SELinux decides over the GPU.",
			Causes: causes(Cause{
				When:  on(InContainer, Says("permissive", "disabled it works", "label=disable", "setenforce 0", "works only with", "only works with", "Enforcing", "avc:  denied", "avc: denied"), Says("denied", "Insufficient Permissions", "does not work", "doesn't work", "fails", "no gpu", "not detect", "works only", "only works", "it works")),
				Title: "SELinux refuses the container access to the GPU's device nodes (label container_t on /dev/nvidia*)",
				Text:  "The driver and the toolkit work; with SELinux enforcing the container's label may not open the nodes. Switching SELinux off for the whole machine is not needed.",
				Remedies: []Remedy{
					fix("allow containers to use devices, or load NVIDIA's policy for them", "host", "sudo setsebool -P container_use_devices 1; sudo ausearch -m avc -ts recent"),
					fix("or take the label from this container", "podman", "podman run --rm --security-opt label=disable --device nvidia.com/gpu=all IMAGE nvidia-smi"),
				},
			}),
			Samples: []string{"with SELinux permissive it works", "podman run --security-opt=label=disable"},
			Misses:  []string{"selinuxfs on /sys/fs"},
			Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/troubleshooting.html",
		},
		{
			ID: "told-only-root", Product: "operating system",
			Literals: []string{"only root", "works as root", "only as root", "fine as root", "as root it", "As root ", "with sudo", "NVreg_DeviceFile", "under sudo", "non-root", "ordinary user", "regular user", "normal user", "`sudo ./", "have to run the samples with sudo", "run it with sudo"},
			Pattern:  `(?i)only root can|\x60sudo [^\x60\n]{2,40}\x60 (?:does )?(?:actually )?works?\b|(?:works?|fine|runs|can|ok)\b[^\n.]{0,40}(?:as root|with sudo|under sudo)|(?:as root|with sudo|root)\b[^\n.]{0,30}(?:it )?(?:works|can\b|is fine)|only (?:works )?(?:as root|with sudo)|NVreg_DeviceFile(?:GID|UID|Mode)\S*|(?:non-root|ordinary|regular|normal) users?[^\n.]{0,40}(?:cannot|can't|can not|not|denied|no access)`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "Root can use the GPU, others cannot.",
			Causes: causes(Cause{
				When:     on(Says("nvidia", "cuda", "gpu"), Says("No devices", "Insufficient Permissions", "permission", "not detect", "cannot use", "can't use", "no cuda", "not see", "not available", "initialize NVML", "no GPU", "communicate with the device"), Not(Says("snap ", "pip install", "rootless", "nvcc", "RmInitAdapter"))),
				Title:    "Root can use the GPU and this user cannot: the device nodes /dev/nvidia* leave the user out (group video, NVreg_DeviceFileMode)",
				Text:     "The driver works. Rights or group of the nodes were changed, by options of the module in modprobe.d (NVreg_DeviceFileGID, NVreg_DeviceFileMode=0660) or udev rules. Running everything as root is not the way.",
				Remedies: []Remedy{fix("add the user to the group of the nodes (usually video, for /dev/dri also render) and log in anew, or take the options out and restart", "shell", "ls -l /dev/nvidia*; grep -rn NVreg_DeviceFile /etc/modprobe.d; sudo usermod -aG video,render $USER")},
			}),
			Samples: []string{"only root can run nvidia-smi", "it works with sudo", "options nvidia NVreg_DeviceFileGID=33 NVreg_DeviceFileMode=0660"},
			Misses:  []string{"install it as root"},
			Source:  "https://github.com/openSUSE/nvidia-driver-G06/issues/52",
		},
		{
			ID: "told-mig-strategy", Product: "kubernetes",
			Literals: []string{"mig.strategy", "migStrategy", "mig-strategy", "MIG strategy", "mixed strategy", "nvidia.com/mig-"},
			Pattern:  `(?i)mig[.-]?strategy["']?\s*[=:]?\s*["']?(?P<strategy>none|single|mixed)?|mixed strategy|nvidia\.com/mig-(?P<profile>[\w.]+)`,
			Layer:    rule.DeviceExposure, Role: Context,
			Meaning: "The text tells which MIG strategy the device plugin has.",
			Causes: causes(
				Cause{
					When:     on(Any(Is("strategy", "(?i)mixed"), Says("mixed")), Says("Pending", "Insufficient", "nvidia.com/gpu: 0", "not schedul", "FailedScheduling", "nvidia.com/gpu:  ")),
					Title:    "With the MIG strategy mixed the node offers nvidia.com/mig-… resources and no nvidia.com/gpu: the pods have to ask for the MIG profile",
					Text:     "mixed gives each profile a resource of its own (nvidia.com/mig-1g.5gb); nvidia.com/gpu then counts only GPUs without MIG. single offers equal instances as nvidia.com/gpu.",
					Remedies: []Remedy{fix("ask for the profile (nvidia.com/mig-1g.5gb: 1) in the pod's limits, or use equal instances on the whole node with the strategy single", "check", "kubectl describe node NODE | grep nvidia.com; nvidia-smi -L")},
				},
				Cause{
					When: on(Says("one device", "only one", "only the first", "device_count", "only 1", "single device"), Says("MIG")), Layer: rule.Application,
					Title:    "A CUDA process uses one MIG instance only, however many the container has",
					Text:     "CUDA enumerates a single MIG instance per process: the first that CUDA_VISIBLE_DEVICES names. Several instances serve several processes; they cannot be joined (no NCCL between them). Driver and plugin are not broken.",
					Remedies: []Remedy{fix("start one process for each instance, each with its own CUDA_VISIBLE_DEVICES=MIG-UUID, or ask for one larger profile", "check", "nvidia-smi -L")},
				},
			),
			Samples: []string{"gpu-operator with mig.strategy=mixed", "nvidia.com/mig-1g.10gb: 2"},
			Misses:  []string{"migration strategy: rolling"},
			Source:  "https://docs.nvidia.com/datacenter/cloud-native/kubernetes/latest/index.html",
		},
	}
}
