package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// powerControl is about settings of a GPU, fans, power and clocks, and the daemons that make them.
func powerControl() []*Signature {
	return []*Signature{
		{
			ID: "gpu-setting-needs-root", Product: "nvidia-settings",
			Literals: []string{"does not have permission for operation", "Insufficient Permissions", "The current user does not have permission"},
			Pattern:  `(?i)user does not have permission for operation|Insufficient Permissions`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Weak,
			Where:   on(Says("nvidia", "geforce", "rtx "), Says("fan", "clock", "power limit", "power management limit", "overclock", "coolbits", "persistence")),
			Meaning: "A setting of the GPU is refused to this user.",
			Causes: causes(
				Cause{
					When: on(Any(InContainer, Says("root@"))), Layer: rule.ContainerRuntime,
					Title:    "The container may not change settings of the GPU (power limit, clocks, fans): it needs the capability SYS_ADMIN (--cap-add=SYS_ADMIN), or the command belongs on the host",
					Text:     "Root in a container has not the rights of root on the host. Reading works without them.",
					Remedies: []Remedy{fix("run it on the host as root, or start the container with the capability", "docker", "docker run --rm --gpus all --cap-add=SYS_ADMIN IMAGE nvidia-smi -pl 120")},
				},
				Cause{
					When: on(Says("nvidia-settings", "does not have permission for operation")), Layer: rule.Application,
					Title:    "Fan speeds and clocks are for root: since driver 570[ (here {driver})] nvidia-settings and NVML refuse them to other users (run it with sudo)",
					Text:     "nvidia-settings sets them through NVML now, in place of the X server's rights (Coolbits). The driver works.",
					Remedies: []Remedy{fix("start it as root, or use a service of root that sets the fans", "shell", "sudo nvidia-settings -a '[gpu:0]/GPUFanControlState=1' -a '[fan:0]/GPUTargetFanSpeed=60'")},
				},
				Cause{
					Title:    "This setting of the GPU (fans, power limit, clocks) is for root: run the command with sudo",
					Text:     "NVML lets everybody read and root alone write. The driver works.",
					Remedies: []Remedy{fix("run it as root", "shell", "sudo nvidia-smi -pl 250")},
				},
			),
			Samples: []string{"ERROR: The current user does not have permission for operation", "Logging error: Insufficient Permissions"},
			Misses:  []string{"permission was granted"},
			Source:  "https://github.com/NVIDIA/nvidia-settings/issues/113",
		},
		{
			ID: "nvidia-powerd", Product: "nvidia-powerd",
			Literals: []string{"nvidia-powerd"},
			Pattern:  `nvidia-powerd(?:\.service)?(?:\[\d+\])?: ?(?P<why>ERROR! [^\n]{0,80}|Error setting GPU limit|error setting power limit|Failed[^\n]{0,60}|Allocate client failed[^\n]{0,40}|Main process exited|SBIOS support not found[^\n]{0,40})`,
			Layer:    rule.Application,
			Meaning:  "The daemon for Dynamic Boost does not run here.",
			Causes: causes(Cause{
				Title:    "nvidia-powerd does not run here[ ({why})]: Dynamic Boost is for certain laptops alone, and nothing else depends on it",
				Text:     "On desktops and on laptops whose firmware does not support it (unsupported configuration, SBIOS support not found) the daemon ends at once. The driver is well.",
				Remedies: []Remedy{fix("switch the service off", "shell", "sudo systemctl disable --now nvidia-powerd")},
			}),
			Samples: []string{"nvidia-powerd[1022]: ERROR! Found unsupported configuration. Exiting...", "nvidia-powerd[813]: Error setting GPU limit: 140000."},
			Misses:  []string{"nvidia-powerd[1022]: DBus Connection is established"},
			Source:  "https://github.com/pop-os/pop/issues/3363",
		},
		{
			ID: "vfio-rom-unreadable", Product: "vfio",
			Literals: []string{"Cannot read device rom", "option ROM contents are probably invalid", "Skip option ROM probe"},
			Pattern:  `(?i)Cannot read device rom at (?P<bus>[\w:.]+)|Device option ROM contents are probably invalid`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "QEMU cannot read the card's ROM.",
			Causes: causes(Cause{
				Title:    "QEMU cannot read the GPU's ROM (vBIOS)[ at {bus}]: give the VM a ROM file (romfile=), else the guest's driver does not start the card (Code 43)",
				Text:     "Laptop GPUs have their vBIOS in the firmware of the machine (ACPI _ROM), and cards that the host used for its display have a shadowed one.",
				Remedies: []Remedy{fix("dump the vBIOS (GPU-Z, nvflash, or from the machine's BIOS update) and name it", "qemu", "-device vfio-pci,host=01:00.0,romfile=/path/vbios.rom"), fix("for laptops build the ROM into OVMF, as an ACPI table (SSDT); boot the host with video=efifb:off")},
			}),
			Samples: []string{"qemu-system-x86_64: vfio-pci: Cannot read device rom at 0000:01:00.0"},
			Misses:  []string{"romfile=/vm/gpu.rom"},
			Source:  "https://docs.kernel.org/driver-api/vfio.html",
		},
		{
			ID: "told-operator-containerd-path", Product: "gpu-operator",
			Literals: []string{"CONTAINERD_CONFIG", "CONTAINERD_SOCKET", "config.toml.tmpl", "/var/lib/rancher/rke2/agent/etc/containerd", "/var/lib/rancher/k3s/agent/etc/containerd", "/var/snap/microk8s/current/args/containerd"},
			Pattern:  `CONTAINERD_(?:CONFIG|SOCKET)|config(?:-v3)?\.toml\.tmpl|/var/lib/rancher/(?P<distribution>rke2|k3s)/agent/etc/containerd|/var/snap/(?P<distribution>microk8s)/current/args`,
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Strong,
			Meaning: "The text names the place of containerd's configuration in k3s, RKE2 or MicroK8s.",
			Causes: causes(Cause{
				When:  on(Says("gpu-operator", "GPU operator", "toolkit"), Says("no nvidia runtime", "not see", "lost", "overwritten", "any more", "not found", "no runtime for", "default runtime", "not set", "fails", "failed", "NotReady", "does not", "doesn't")),
				Title: "The toolkit writes to a containerd config.toml that [{distribution} || k3s or RKE2] makes anew at every start: CONTAINERD_CONFIG has to name the template (config.toml.tmpl), and CONTAINERD_SOCKET its socket",
				Text:  "What the operator adds to config.toml itself is lost at the next start of the service. The template needs the distribution's base ({{ template \"base\" . }}); newer k3s and RKE2 find the toolkit by themselves and take default-runtime: nvidia in their config.yaml.",
				Remedies: []Remedy{
					fix("give the operator's toolkit the template's path and the socket", "helm", "helm upgrade gpu-operator nvidia/gpu-operator -n gpu-operator --reuse-values --set toolkit.env[0].name=CONTAINERD_CONFIG --set toolkit.env[0].value=/var/lib/rancher/rke2/agent/etc/containerd/config.toml.tmpl --set toolkit.env[1].name=CONTAINERD_SOCKET --set toolkit.env[1].value=/run/k3s/containerd/containerd.sock"),
					fix("or set default-runtime: nvidia in /etc/rancher/rke2/config.yaml (k3s: /etc/rancher/k3s/config.yaml), or runtimeClassName: nvidia in the pods"),
				},
			}),
			Samples: []string{"CONTAINERD_CONFIG=/var/lib/rancher/rke2/agent/etc/containerd/config.toml"},
			Misses:  []string{"/etc/containerd/config.toml"},
			Source:  "https://github.com/NVIDIA/gpu-operator/issues/473",
		},
		{
			ID: "told-compose-only-dri", Product: "docker compose",
			Literals: []string{"/dev/dri:/dev/dri", "hwaccel.transcoding.yml", "hwaccel.ml.yml"},
			Pattern:  `/dev/dri:/dev/dri|#\s*extends:|hwaccel\.(?:transcoding|ml)\.yml`,
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Usual,
			Where:   on(Says("nvidia", "geforce", "gtx ", "rtx ", "nvenc", "cuda")),
			Meaning: "The compose file passes /dev/dri, which is for Intel and AMD.",
			Causes: causes(Cause{
				When:     on(Not(Says("runtime: nvidia", "--runtime=nvidia", "--runtime nvidia", "gpus: all", "--gpus", "capabilities: [gpu", "driver: nvidia", "- gpu")), Says("idle", "not used", "cpu", "no device", "not work", "doesn't work", "does not", "fails", "not detect")),
				Title:    "The container is given /dev/dri, which is for Intel and AMD: an NVIDIA GPU needs runtime: nvidia or deploy.resources.reservations.devices (driver nvidia, capabilities gpu) in the compose file",
				Text:     "Without it neither the driver's libraries nor /dev/nvidia* are in the container, and the program works on the CPU.",
				Remedies: []Remedy{fix("add deploy.resources.reservations.devices (driver: nvidia, count: 1, capabilities: [gpu, compute, video]) to the service (immich: extends hwaccel.transcoding.yml, service nvenc), with nvidia-container-toolkit on the host", "test", dockerTest)},
			}),
			Samples: []string{"      - /dev/dri:/dev/dri", "    #   file: hwaccel.transcoding.yml"},
			Misses:  []string{"ls /dev/dri"},
			Source:  "https://docs.docker.com/compose/how-tos/gpu-support/",
		},
	}
}
