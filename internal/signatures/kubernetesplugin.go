package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// kubernetesPlugin is what NVIDIA's device plugin says.
func kubernetesPlugin() []*Signature {
	return []*Signature{
		{
			ID: "k8s-plugin-no-nvml", Product: "k8s-device-plugin",
			Literals: []string{"could not load NVML library", "did you configure the NVIDIA Container Toolkit", "did you set the docker default runtime", "Incompatible platform detected", "Incompatible strategy detected", "Incompatible device discovery strategy", "invalid device discovery strategy", "Failed to initialize NVML: ERROR_LIBRARY_NOT_FOUND", "Failed to initialize NVML: could not load"},
			Layer:    rule.ContainerRuntime, Strength: Strong, ExplainedBy: []string{"CTR002", "CTR003"},
			Meaning: "The device plugin (or GFD, DCGM) finds no NVML: its pod runs without the NVIDIA runtime, or the node has no driver.",
			Causes: causes(
				Cause{
					When:     on(OnWSL),
					Title:    "The device plugin finds no NVML in WSL: its pod runs without the NVIDIA runtime",
					Text:     "In WSL the libraries come from /usr/lib/wsl/lib; kind, k3s and others need the NVIDIA runtime in their own containerd.",
					Remedies: []Remedy{fix("configure the NVIDIA runtime in the cluster's containerd and set runtimeClassName: nvidia for the plugin; update the driver of Windows")},
				},
				Cause{
					When:  on(Says("k3s", "rke2", "microk8s", "k0s", "/var/lib/rancher")),
					Title: "The device plugin's pod runs without the NVIDIA runtime: on this distribution it needs runtimeClassName: nvidia",
					Text:  "k3s and RKE2 find the NVIDIA container toolkit at their start and add the runtime nvidia, but not as default; MicroK8s has an addon. The plugin (and every GPU pod) has to name the runtime class.",
					Remedies: []Remedy{
						fix("create the RuntimeClass nvidia, and set runtimeClassName: nvidia for the plugin and the pods", "helm", "helm upgrade -i nvdp nvdp/nvidia-device-plugin -n nvidia-device-plugin --create-namespace --set runtimeClassName=nvidia", "node", "sudo systemctl restart k3s; sudo grep nvidia /var/lib/rancher/k3s/agent/etc/containerd/config.toml"),
					},
				},
				Cause{
					Title: "The device plugin's pod does not run with the NVIDIA runtime on this node (it finds no NVML), or the node has no driver",
					Text:  "The plugin needs libnvidia-ml of the node in its container. The node's container runtime has to use the NVIDIA runtime, as default or through runtimeClassName: nvidia, and nvidia-smi to work on the node. The plugin's own version is not the reason.",
					Remedies: []Remedy{
						fix("see that the driver works, then make nvidia the node's runtime and restart it and the plugin", "node, containerd", "nvidia-smi && sudo nvidia-ctk runtime configure --runtime=containerd --set-as-default && sudo systemctl restart containerd", "node, cri-o", "sudo nvidia-ctk runtime configure --runtime=crio --set-as-default && sudo systemctl restart crio", "node, docker", "sudo nvidia-ctk runtime configure --runtime=docker --set-as-default && sudo systemctl restart docker"),
						fix("or set runtimeClassName: nvidia for the plugin and the GPU pods", "helm", "helm upgrade -i nvdp nvdp/nvidia-device-plugin -n nvidia-device-plugin --create-namespace --set runtimeClassName=nvidia"),
						fix("on nodes without a GPU nothing is broken: keep the plugin off them with a node selector"),
					},
					Ask: "nvidia-smi on the node; kubectl get runtimeclass",
				},
			),
			Samples: []string{
				"E0911 08:10:11.1 1 factory.go:113] If this is a GPU node, did you configure the NVIDIA Container Toolkit?",
				"E0911 08:10:11.1 1 factory.go:112] Incompatible strategy detected auto",
				"2023/01/05 11:00:00 Failed to initialize NVML: could not load NVML library.",
				"E0911 08:10:11.1 1 factory.go:115] Incompatible platform detected",
				"If this is a GPU node, did you set the docker default runtime to `nvidia`?",
			},
			Misses: []string{"Detected NVML platform: found NVML library"},
			Source: "https://github.com/NVIDIA/k8s-device-plugin/issues/478",
		},
		{
			ID: "k8s-plugin-no-devices", Product: "k8s-device-plugin",
			Literals: []string{"No devices found. Waiting indefinitely", "no devices configured for", "No MIG devices found", "no MIG devices", "with 0 devices", "all resources are empty"},
			Pattern:  `(?i)No devices found\. Waiting indefinitely|(?:at least one device|device with migEnabled=true).{0,60}(?:no MIG|configured)|No MIG devices (?:found|present)|MIG devices.{0,40}(?:not found|no MIG)`,
			Layer:    rule.DeviceExposure,
			Meaning:  "The device plugin runs and finds no GPU to offer.",
			Causes: causes(
				Cause{
					When:     on(Says("mig.strategy", "mig_strategy", "migStrategy", "MIG strategy", "mig-enabled", "migEnabled", "MIG mode")),
					Title:    "The device plugin finds nothing to offer: MIG mode is on, and there are no instances, or not those of the strategy",
					Text:     "A GPU in MIG mode without instances offers nothing. The strategy single wants the same instances on all GPUs.",
					Remedies: []Remedy{fix("create instances, or choose another strategy (none, single, mixed), and restart the plugin", "node", "nvidia-smi -L; sudo nvidia-smi mig -lgi")},
				},
				Cause{
					When:     on(Says("No MIG devices found"), Not(InKubernetes)),
					Title:    "MIG mode is on and there is no MIG instance: CUDA sees no device until instances are created (nvidia-smi mig -cgi … -C)",
					Text:     "Instances are gone after every restart, and a GPU in MIG mode is not usable whole.",
					Remedies: []Remedy{fix("create GPU and compute instances, or switch MIG off", "shell", "sudo nvidia-smi mig -lgip; sudo nvidia-smi mig -cgi 19 -C; nvidia-smi -L", "off", "sudo nvidia-smi -mig 0")},
				},
				Cause{
					Title:    "The device plugin finds no GPU on this node",
					Text:     "The node has none (then nothing is broken), its driver shows none, the pod does not run with the NVIDIA runtime, or all GPUs are bound to vfio-pci.",
					Remedies: []Remedy{fix("look at the node", "node", "nvidia-smi -L; lspci -nnk -d 10de:"), fix("set runtimeClassName: nvidia for the plugin or make nvidia the default runtime")},
					Ask:      "nvidia-smi -L on the node",
				},
			),
			Samples: []string{"I0911 08:10:12.2 1 main.go:287] No devices found. Waiting indefinitely.", "|  No MIG devices found                                                                 |"},
			Misses:  []string{"No devices are configured for MPS sharing; Waiting indefinitely."},
			Source:  "https://github.com/NVIDIA/k8s-device-plugin/blob/main/cmd/nvidia-device-plugin/main.go",
		},
		{
			ID: "k8s-plugin-minor-number", Product: "k8s-device-plugin",
			Literals: []string{"GPU device minor number", "unable to get device minor number"},
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "The device plugin asks for the number of /dev/nvidiaN, which GPUs in WSL do not have.",
			Causes: causes(Cause{
				Title:    "The device plugin does not know GPUs of WSL: they have no minor number (Not Supported)",
				Text:     "In WSL the GPU is /dev/dxg, and there is no /dev/nvidia0. Releases of the plugin before 0.14 fail at it.",
				Remedies: []Remedy{fix("update the device plugin to 0.14 or newer", "helm", "helm upgrade -i nvdp nvdp/nvidia-device-plugin -n nvidia-device-plugin --create-namespace")},
			}),
			Samples: []string{"error getting plugins: unable to create device map: error building device map: error getting device paths: error getting GPU device minor number: Not Supported", "nvml init gpu data, error unable to get device minor number: Not Supported"},
			Misses:  []string{"device minor number 0"},
			Source:  "https://github.com/NVIDIA/k8s-device-plugin/issues/332",
		},
		{
			ID: "k8s-plugin-register", Product: "k8s-device-plugin",
			Literals: []string{"Could not register device plugin", "kubelet.sock", "repeatedly crashed recently"},
			Pattern:  `(?i)Could not register device plugin: (?P<why>[^\n]{0,120})|GRPC server for '\S+' has repeatedly crashed`,
			Layer:    rule.DeviceExposure,
			Meaning:  "The plugin does not reach the kubelet.",
			Causes: causes(Cause{
				Title:    "The device plugin cannot register with the kubelet[: {why}]",
				Text:     "The kubelet's directory (/var/lib/kubelet/device-plugins) is elsewhere (MicroK8s, k0s), not mounted into the plugin's pod, or the versions do not speak the same API.",
				Remedies: []Remedy{fix("mount the kubelet's own directory into the plugin", "node", "ls -l /var/lib/kubelet/device-plugins; ps aux | grep -o 'kubelet .*root-dir[^ ]*'")},
			}),
			Samples: []string{"E0911 08:10:13.1 1 main.go:340] Could not register device plugin: rpc error: code = Unimplemented desc = unknown service deviceplugin.Registration"},
			Misses:  []string{"Registered device plugin for 'nvidia.com/gpu' with Kubelet"},
			Source:  "https://github.com/NVIDIA/k8s-device-plugin/blob/main/internal/plugin/server.go",
		},
	}
}
