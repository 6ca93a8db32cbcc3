package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// gpuOperator is what the parts of NVIDIA's GPU operator print, and pods that wait for them.
func gpuOperator() []*Signature {
	return []*Signature{
		{
			ID: "gpuoperator-validation", Product: "gpu-operator",
			Literals: []string{"toolkit-validation", "driver-validation", "cuda-validation", "plugin-validation", "toolkit is not ready", "driver is not ready", "failed to validate the driver", "waiting for nvidia container stack", "waiting for nvidia driver to be", "toolkit-ready"},
			Pattern:  `(?i)waiting for nvidia container stack|waiting for nvidia driver|toolkit is not ready|driver is not ready|failed to validate the driver|Error from server[^\n]*(?P<init>(?:toolkit|driver|cuda|plugin)-validation)|(?P<init>(?:toolkit|driver|cuda|plugin)-validation)[^\n]{0,80}(?:error|fail|waiting|CrashLoop|PodInitializing)|Init:(?:Error|CrashLoopBackOff)[^\n]{0,60}nvidia-operator-validator`,
			Layer:    rule.ContainerRuntime, Strength: Weak,
			Meaning: "A part of the operator waits for driver or toolkit.",
			Causes: causes(
				Cause{
					When: on(Any(Is("init", "driver"), Says("driver is not ready", "waiting for nvidia driver", "validate the driver"))), Layer: rule.Driver,
					Title:    "The GPU operator waits for the driver on the node, which does not come up",
					Text:     "Its driver daemonset failed (headers, Secure Boot, nouveau, an own driver on the node), or with driver.enabled=false the node's own driver does not work.",
					Remedies: []Remedy{fix("read the driver pod's log, and try nvidia-smi on the node", "kubectl", "kubectl -n gpu-operator get pods -o wide; kubectl -n gpu-operator logs -l app=nvidia-driver-daemonset --tail=60", "node", "nvidia-smi; sudo dmesg | grep -i nvrm | tail")},
					Ask:      "the log of nvidia-driver-daemonset, and nvidia-smi on the node",
				},
				Cause{
					Title:    "The GPU operator waits for the NVIDIA runtime on the node: the toolkit's daemonset has not configured it",
					Text:     "The toolkit pod writes the runtime into the node's containerd or CRI-O and restarts it. On k3s, RKE2, MicroK8s and others it needs the path of their configuration and socket; where the driver is not ready, it waits itself.",
					Remedies: []Remedy{fix("read the logs of toolkit and driver pods, and set CONTAINERD_CONFIG and CONTAINERD_SOCKET of the distribution", "kubectl", "kubectl -n gpu-operator get pods; kubectl -n gpu-operator logs -l app=nvidia-container-toolkit-daemonset --all-containers --tail=60")},
					Ask:      "kubectl -n gpu-operator get pods, and the log of the toolkit's pod",
				},
			),
			Samples: []string{"waiting for nvidia container stack to be setup", "level=info msg=\"toolkit is not ready\"", "running command bash with args -c; failed to validate the driver, retrying after 5 seconds", "toolkit-validation: Waiting CrashLoopBackOff"},
			Misses:  []string{"toolkit-validation Completed"},
			Source:  "https://github.com/NVIDIA/gpu-operator/blob/main/cmd/nvidia-validator/main.go",
		},
		{
			ID: "gpuoperator-pod-fails", Product: "gpu-operator",
			Literals: []string{"nvidia-driver-daemonset-", "nvidia-container-toolkit-daemonset-", "nvidia-operator-validator-"},
			Pattern:  `(?P<pod>nvidia-(?:driver-daemonset|container-toolkit-daemonset|operator-validator))-\S+\s+\d/\d\s+(?P<state>(?:Init:)?(?:CrashLoopBackOff|Error|ImagePullBackOff|ErrImagePull))`,
			Layer:    rule.ContainerRuntime, Strength: Weak,
			Meaning: "A pod of the operator does not come up.",
			Causes: causes(
				Cause{
					When: on(Is("state", "Image")), Layer: rule.Application,
					Title:    "The image of {pod} cannot be pulled ({state})",
					Text:     "There is no driver image for this release of the driver and of the node's distribution (or kernel), or the registry is not reachable.",
					Remedies: []Remedy{fix("choose a driver.version that has an image for this distribution, or install the driver on the node and set driver.enabled=false", "kubectl", "kubectl -n gpu-operator describe pod -l app={pod}")},
				},
				Cause{
					When: on(Is("pod", "driver-daemonset")), Layer: rule.KernelModule,
					Title:    "The operator's driver container fails ({state}): it cannot build or load the module on the node",
					Text:     "Its log has the reason: no headers for the node's kernel, a driver of the node that is in use, Secure Boot, nouveau, or a compiler error with a newer kernel.",
					Remedies: []Remedy{fix("read its log; with a driver on the node set driver.enabled=false", "kubectl", "kubectl -n gpu-operator logs -l app=nvidia-driver-daemonset --all-containers --tail=80")},
					Ask:      "kubectl -n gpu-operator logs -l app=nvidia-driver-daemonset --all-containers --tail=80",
				},
				Cause{
					Title:    "{pod} of the GPU operator does not come up ({state}): the driver is not ready, or the node's container runtime was not configured",
					Text:     "The parts wait for each other: driver, toolkit, plugin, validator. The first one that fails counts.",
					Remedies: []Remedy{fix("read the logs in that order; on k3s, RKE2 and MicroK8s give the toolkit their CONTAINERD_CONFIG and CONTAINERD_SOCKET", "kubectl", "kubectl -n gpu-operator get pods; kubectl -n gpu-operator logs -l app={pod} --all-containers --tail=80")},
					Ask:      "kubectl -n gpu-operator get pods, and the log of the first one that is not ready",
				},
			),
			Samples: []string{"gpu-operator   nvidia-driver-daemonset-7kq2x   0/1     CrashLoopBackOff   12   41m", "nvidia-operator-validator-p9x4t   0/1   Init:CrashLoopBackOff   5 (30s ago)   9m"},
			Misses:  []string{"nvidia-driver-daemonset-7kq2x   1/1     Running   0   41m"},
			Source:  "https://github.com/NVIDIA/gpu-operator/issues/116",
		},
		{
			ID: "gpuoperator-driver-build", Product: "gpu-operator",
			Literals: []string{"Could not install Linux kernel header", "Could not resolve Linux kernel version", "Failed to install packages from kernel", "Could not unload NVIDIA driver kernel modules", "Installing Linux kernel headers", "driver is already installed on the host", "Unable to open the kernel .config", "RHEL entitlement may be improperly deployed", "Could not find package kernel", "driver is pre-installed on host"},
			Pattern:  `(?i)Could not (?:install Linux kernel header|resolve Linux kernel version|unload NVIDIA driver kernel modules|find package kernel)[^\n]{0,80}|Unable to open the kernel \.config|RHEL entitlement may be improperly deployed|NVIDIA driver is (?:already installed|pre-installed) on (?:the )?host|Installing Linux kernel headers\.\.\.[^\n]{0,80}(?:Unable|E:|Error)`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "The driver container of the operator could not build or load the module on the node.",
			Causes: causes(
				Cause{
					When: on(Says("nouveau is loaded", "lsmod | grep nouveau", "nouveau ")), Layer: rule.KernelModule,
					Title:    "The driver container cannot load its module: nouveau is loaded on the node and holds the GPU",
					Text:     "nouveau has to be kept out on the node itself; the container cannot do it while the GPU is in use.",
					Remedies: []Remedy{fix("blacklist nouveau on the nodes, rebuild the initramfs and restart them", "node", "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-nouveau.conf; sudo update-initramfs -u || sudo dracut --force; sudo reboot")},
				},
				Cause{
					When:     on(Says("unload NVIDIA driver", "already installed on the host", "pre-installed on host", "pre-installed on the host")),
					Title:    "The driver container cannot replace a driver of the node: one is installed or in use there",
					Text:     "The operator's driver and one on the node exclude each other, and pods that hold the GPU keep the modules from being unloaded.",
					Remedies: []Remedy{fix("keep the node's own driver and set driver.enabled=false, or remove it and restart the node", "helm", "helm upgrade gpu-operator nvidia/gpu-operator -n gpu-operator --reuse-values --set driver.enabled=false")},
				},
				Cause{
					Title:    "The driver container cannot build the module: it finds no headers for the node's kernel[ {kernel}]",
					Text:     "The node runs a kernel whose headers are in no repository that the container reaches (a kernel that was replaced since, a proxy, a RHEL entitlement that is missing, or a distribution that the image is not for).",
					Remedies: []Remedy{fix("update the node's kernel and restart it; or use precompiled driver images; or install the driver on the node and set driver.enabled=false", "node", "uname -r; cat /etc/os-release")},
				},
			),
			Samples: []string{"Could not resolve Linux kernel version", "Could not unload NVIDIA driver kernel modules, driver is in use", "FATAL: failed to install elfutils-libel-devel. RHEL entitlement may be improperly deployed."},
			Misses:  []string{"Installing Linux kernel headers... done"},
			Source:  "https://github.com/NVIDIA/gpu-driver-container/blob/main/rhel10/nvidia-driver",
		},
		{
			ID: "gpuoperator-mig-manager", Product: "mig-parted",
			Literals: []string{"mig-parted", "error setting MIG", "Error applying MIG", "mig.config.state", "MIG is in use"},
			Pattern:  `(?i)(?:nvidia-)?mig-parted[^\n]{0,80}(?:error|fail)|[Ee]rror (?:setting|applying) MIG(?:Config| config| mode)?[^\n]{0,120}|mig\.config\.state[=:] ?failed`,
			Layer:    rule.DeviceExposure,
			Meaning:  "The MIG layout could not be set.",
			Causes: causes(Cause{
				Title:    "The MIG layout could not be set: programs use the GPU, the layout is none of this GPU, or the mode needs a reset",
				Text:     "Instances are made on an idle GPU alone; monitoring (DCGM), display servers and pods hold it. Some GPUs need a reset or a restart to change the mode.",
				Remedies: []Remedy{fix("drain the node, stop what uses the GPU, and set a layout that the GPU has", "node", "nvidia-smi; sudo nvidia-smi mig -lgip; sudo nvidia-smi -mig 1")},
			}),
			Samples: []string{"time=\"2025-01-07T10:00:00Z\" level=fatal msg=\"Error applying MIG configuration with hooks: error setting MIGConfig: error attempting multiple config orderings\"", "nvidia.com/mig.config.state=failed"},
			Misses:  []string{"MIG configuration applied successfully with mig-parted"},
			Source:  "https://github.com/NVIDIA/mig-parted/blob/main/cmd/nvidia-mig-parted/apply/apply.go",
		},
		{
			ID: "mig-in-use", Product: "nvidia-smi",
			Literals: []string{"In use by another client", "Pending Enable", "MIG mode is in pending", "pending state", "Insufficient Resources", "No MIG-enabled devices found", "No MIG-supported devices found", "Unable to enable MIG Mode", "no supported devices were found"},
			Pattern:  `(?i)In use by another client|MIG mode is in pending (?:enable|disable) state|(?:create|destroy) (?:a )?(?:GPU|compute) instance[^\n]{0,80}(?:Insufficient Resources|In use)|No MIG-(?:enabled|supported) devices found|Unable to (?:enable|disable) MIG Mode[^\n]{0,60}(?P<why>Not Supported|In use)`,
			Layer:    rule.DeviceExposure, Strength: Usual,
			Meaning: "The GPU's MIG mode or instances cannot be changed now.",
			Causes: causes(
				Cause{
					When: on(Says("MIG-supported", "Not Supported")), Layer: rule.Hardware,
					Title:    "This GPU[ ({gpu})] has no MIG",
					Text:     "MIG is for A100, A30, H100, H200, B200 and a few workstation GPUs of Blackwell.",
					Remedies: []Remedy{fix("share it by time-slicing or MPS in place of MIG")},
				},
				Cause{
					When:     on(Says("Insufficient Resources")),
					Title:    "The MIG instance does not fit beside those that exist (Insufficient Resources)",
					Text:     "Slices of memory and compute are placed at fixed positions; existing instances may block the place.",
					Remedies: []Remedy{fix("destroy instances and create the larger ones first", "shell", "sudo nvidia-smi mig -lgipp; sudo nvidia-smi mig -dci; sudo nvidia-smi mig -dgi")},
				},
				Cause{
					Title:    "MIG cannot be changed: a process holds the GPU (in use by another client), or the mode waits for a reset",
					Text:     "MIG mode changes on an idle GPU: display (nvidia_drm with modeset, X), nvidia-persistenced, DCGM, fabric manager and plugins hold it too. On Ampere it also needs a reset, which in a VM means a restart.",
					Remedies: []Remedy{fix("stop what uses the GPU, reset it, and look again", "shell", "sudo systemctl stop nvsm dcgm nvidia-persistenced; sudo lsof /dev/nvidia*; sudo modprobe -r nvidia_drm; sudo nvidia-smi --gpu-reset; nvidia-smi -q | grep -i -A2 'mig mode'")},
				},
			),
			Samples: []string{"Unable to destroy GPU instance ID  2 from GPU  0: In use by another client", "Warning: MIG mode is in pending enable state for GPU 00000000:00:05.0:In use by another client", "Failed to create GPU instance: Insufficient Resources", "Unable to enable MIG Mode for GPU 00000000:01:00.0: Not Supported", "No MIG-enabled devices found."},
			Misses:  []string{"the pod is in pending state"},
			Source:  "https://github.com/NVIDIA/cloud-native-docs/blob/main/openshift/mig-ocp.rst",
		},
		{
			ID: "dcgm-failed", Product: "DCGM",
			Literals: []string{"nv-hostengine", "DCGM initialization", "Error connecting to nv-hostengine", "Cannot perform the requested operation because NVML", "libdcgm", "Failed to watch metrics", "DCGM_FI_PROF"},
			Pattern:  `(?i)NVML doesn't exist on this system|error connecting to nv-hostengine|(?:DCGM|dcgm-exporter|nv-hostengine)[^\n]{0,120}(?:could not load NVML|libnvidia-ml|NVML[^\n]{0,30}not (?:found|loaded))|Failed to watch metrics: Error watching fields: (?P<why>[^\n]{0,100})|profiling module returned an unrec(?:overable|ognized) error`,
			Layer:    rule.ContainerRuntime, Strength: Weak,
			Meaning: "DCGM finds no driver, or may not read what it is asked for.",
			Causes: causes(
				Cause{
					When: on(Says("Failed to watch metrics", "profiling module", "DCGM_FI_PROF")), Layer: rule.Application,
					Title:    "DCGM cannot read profiling metrics here[: {why}]",
					Text:     "They exist on data-centre GPUs alone, need SYS_ADMIN in a container, and one reader at a time (Nsight or another DCGM excludes it). The stack of the programs is not touched by it.",
					Remedies: []Remedy{fix("leave DCGM_FI_PROF_* out of the list of metrics, or give the container SYS_ADMIN and stop the other profiler")},
				},
				Cause{
					Title:    "DCGM finds no NVML: its container runs without the NVIDIA runtime, or there is no driver",
					Text:     "Its libraries need those of the driver.",
					Remedies: []Remedy{fix("run it with the NVIDIA runtime (runtimeClassName: nvidia, --gpus all), and see that nvidia-smi works on the host", "host", "nvidia-smi")},
				},
			),
			Samples: []string{"Cannot perform the requested operation because NVML doesn't exist on this system.", "level=fatal msg=\"Failed to watch metrics: Error watching fields: The third-party Profiling module returned an unrecoverable error\""},
			Misses:  []string{"nv-hostengine started, NVML loaded"},
			Source:  "https://github.com/NVIDIA/DCGM/blob/master/dcgmlib/src/dcgm_errors.c",
		},
	}
}
