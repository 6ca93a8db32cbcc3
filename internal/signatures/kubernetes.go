package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const pluginSource = "https://github.com/NVIDIA/k8s-device-plugin"

// kubernetes is what the scheduler, the kubelet, containerd and NVIDIA's device plugin say.
var kubernetes = []*Signature{
	{
		ID: "k8s-insufficient-gpu", Product: "kubernetes",
		Literals: []string{"Insufficient nvidia.com/"},
		Pattern:  `(?:(?P<free>\d+)/(?P<nodes>\d+) nodes are available: )?.{0,200}?(?:(?P<count>\d+) )?Insufficient (?P<resource>nvidia\.com/[\w-]+(?:\.[\w-]+)*)`,
		Layer:    rule.DeviceExposure,
		Meaning:  "No node has a free GPU of the kind that the pod asks for.",
		Causes: causes(
			Cause{
				When:     on(Is("resource", "mig-")),
				Title:    "No node offers {resource}: the MIG layout or the plugin's strategy does not give it",
				Text:     "The strategy mixed offers nvidia.com/mig-1g.10gb and the like, single offers nvidia.com/gpu; and the instances have to exist.",
				Remedies: []Remedy{fix("see what the nodes offer, and set the MIG strategy and layout (nvidia.com/mig.config) accordingly", "kubectl", "kubectl describe nodes | grep -A12 Allocatable", "node", "sudo nvidia-smi mig -lgi")},
			},
			Cause{
				When: on(Says("nvidia.com/gpu: 0", "nvidia.com/gpu:     0", "no nvidia.com/gpu", "nvidia.com/gpu\":\"0", "no allocatable", "not detected", "doesn't show", "does not show", "not listed", "capacity")), Layer: rule.ContainerRuntime, Confidence: rule.Possible,
				Title: "The nodes offer no {resource}: the device plugin does not run, or finds no GPU because its pods run without the NVIDIA runtime",
				Text:  "The plugin must see NVML. On the node the driver has to work, the NVIDIA container toolkit to be the (default) runtime or the plugin's runtimeClassName to be nvidia, and the plugin's pod to tolerate the node's taints.",
				Remedies: []Remedy{
					fix("read the plugin's log", "kubectl", "kubectl get pods -A | grep -i nvidia; kubectl -n kube-system logs -l name=nvidia-device-plugin-ds --tail=50"),
					fix("make nvidia the node's runtime, and restart the plugin", "node", "sudo nvidia-ctk runtime configure --runtime=containerd --set-as-default && sudo systemctl restart containerd"),
				},
				Ask: "kubectl describe node: is nvidia.com/gpu among Allocatable; the log of the device plugin",
			},
			Cause{
				Title: "No node has a free {resource}[ ({nodes} nodes)]",
				Text:  "Either all GPUs are taken by other pods, the nodes are tainted or not matched by the selector, or the device plugin does not offer them (it does not run, or runs without the NVIDIA runtime).",
				Remedies: []Remedy{
					fix("see what the nodes offer and who has it", "kubectl", "kubectl describe nodes | grep -e nvidia.com -e Taints; kubectl get pods -A -o wide | grep -v Completed"),
					fix("where Allocatable has no GPU, mend the device plugin: driver on the node, the NVIDIA runtime as default or runtimeClassName nvidia"),
				},
				Ask: "kubectl describe nodes | grep -e nvidia.com -e Taints, and the log of the device plugin",
			},
		),
		Samples: []string{
			"0/4 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 3 Insufficient nvidia.com/gpu.",
			"Warning  FailedScheduling  default-scheduler  0/2 nodes are available: 2 Insufficient nvidia.com/mig-1g.10gb.",
		},
		Misses: []string{"0/3 nodes are available: 3 Insufficient memory."},
		Source: "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",
	},
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
				Title:    "The device plugin finds no GPU on this node",
				Text:     "The node has none (then nothing is broken), its driver shows none, the pod does not run with the NVIDIA runtime, or all GPUs are bound to vfio-pci.",
				Remedies: []Remedy{fix("look at the node", "node", "nvidia-smi -L; lspci -nnk -d 10de:"), fix("set runtimeClassName: nvidia for the plugin or make nvidia the default runtime")},
				Ask:      "nvidia-smi -L on the node",
			},
		),
		Samples: []string{"I0911 08:10:12.2 1 main.go:287] No devices found. Waiting indefinitely.", "No MIG devices found for strategy=single"},
		Misses:  []string{"No devices are configured for MPS sharing; Waiting indefinitely."},
		Source:  pluginSource,
	},
	{
		ID: "k8s-no-runtime", Product: "kubernetes",
		Literals: []string{"no runtime for", "RuntimeHandler \"nvidia", "runtime handler nvidia", "RuntimeHandler 'nvidia", "RuntimeClass \"nvidia", "handler \"nvidia", "runtimeclass.node.k8s.io"},
		Pattern:  `(?i)no runtime for \\?"(?P<runtime>nvidia[\w-]*)\\?" is configured|(?:runtime ?handler|handler) \\?["']?(?P<runtime>nvidia[\w-]*)\\?["']? (?:not supported|not found|is not)|RuntimeClass(?:es)?(?:\.node\.k8s\.io)? \\?"(?P<runtime>nvidia[\w-]*)\\?" not found`,
		Layer:    rule.ContainerRuntime, Strength: Strong, ExplainedBy: []string{"CTR003"},
		Meaning: "The pod asks for a runtime class whose handler the node does not have.",
		Causes: causes(
			Cause{
				When:     on(Says("RuntimeClass \"nvidia\" not found", "runtimeclass.node.k8s.io \"nvidia\" not found", "RuntimeClass.node.k8s.io \"nvidia\" not found")),
				Title:    "The cluster has no RuntimeClass {runtime}",
				Text:     "The pod names it, and nobody created it (the GPU operator and k3s do).",
				Remedies: []Remedy{fix("create it: kind RuntimeClass, name nvidia, handler nvidia", "kubectl", "kubectl get runtimeclass")},
			},
			Cause{
				Title: "The node's container runtime has no runtime {runtime}: the NVIDIA container toolkit is not installed or not registered there",
				Text:  "A RuntimeClass only names a handler; containerd or CRI-O of this node must have it. Often one node of the cluster was not set up, containerd reads another configuration file, or was not restarted.",
				Remedies: []Remedy{
					fix("install the toolkit on the node, register it, and restart the runtime", "containerd", "sudo nvidia-ctk runtime configure --runtime=containerd && sudo systemctl restart containerd", "cri-o", "sudo nvidia-ctk runtime configure --runtime=crio && sudo systemctl restart crio", "k3s", "sudo systemctl restart k3s"),
					fix("with the GPU operator, see its toolkit pods and CONTAINERD_CONFIG and CONTAINERD_SOCKET (k3s, RKE2 and MicroK8s have paths of their own)", "kubectl", "kubectl -n gpu-operator get pods; kubectl -n gpu-operator logs -l app=nvidia-container-toolkit-daemonset --tail=50"),
				},
				Ask: "sudo containerd config dump | grep -A8 nvidia, on the node",
			},
		),
		Samples: []string{
			`Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "nvidia" is configured`,
			`pods "cuda-test" is forbidden: pod rejected: RuntimeClass "nvidia" not found`,
			`RuntimeHandler "nvidia" not supported`,
		},
		Misses: []string{`no runtime for "kata" is configured`},
		Source: "https://github.com/NVIDIA/gpu-operator",
	},
	{
		ID: "k8s-runtimeclass-unset", Product: "kubernetes",
		Literals: []string{"runtimeClassName", "runtime class"},
		Pattern:  `(?i)(?:(?:do|does|did)(?: not|n't)|without|missing|lacks?|no)\s(?:set |have |specify |use |contain |name |define |a |an |the |any )*(?:spec\.)?(?:runtimeClassName|runtime class)\b|(?:runtimeClassName|runtime class)[^\n]{0,20}(?:is |was )?(?:not set|unset|missing|not specified|empty|null)`,
		Layer:    rule.ContainerRuntime, Role: Context,
		Meaning: "The pod names no runtime class.",
		Causes: causes(Cause{
			When:     on(Says("not see any GPU", "no gpu", "not see the gpu", "not detect", "no devices", "not found", "cpu only", "NVML", "libcuda", "no cuda", "not available", "cannot see", "can't see", "unable to", "failed to")),
			Title:    "The pod runs without the NVIDIA runtime: it sets no runtimeClassName, and nvidia is not the default runtime of the node",
			Text:     "Where the node's default is runc (k3s, RKE2 and others), a pod gets the driver's libraries and devices only with runtimeClassName: nvidia. The driver and the device plugin are not the reason.",
			Remedies: []Remedy{fix("set runtimeClassName: nvidia in the pod's specification, or make nvidia the default runtime of the node", "check", "kubectl get runtimeclass", "node", "sudo nvidia-ctk runtime configure --runtime=containerd --set-as-default && sudo systemctl restart containerd")},
		}),
		Samples: []string{"the deployment does not set a runtimeClassName", "runtimeClassName is not set"},
		Misses:  []string{"runtimeClassName: nvidia"},
		Source:  "https://github.com/k3s-io/k3s/issues/4391",
	},
	{
		ID: "k8s-plugin-minor-number", Product: "k8s-device-plugin",
		Literals: []string{"GPU device minor number"},
		Layer:    rule.DeviceExposure, Strength: Strong,
		Meaning: "The device plugin asks for the number of /dev/nvidiaN, which GPUs in WSL do not have.",
		Causes: causes(Cause{
			Title:    "The device plugin does not know GPUs of WSL: they have no minor number (Not Supported)",
			Text:     "In WSL the GPU is /dev/dxg, and there is no /dev/nvidia0. Releases of the plugin before 0.14 fail at it.",
			Remedies: []Remedy{fix("update the device plugin to 0.14 or newer", "helm", "helm upgrade -i nvdp nvdp/nvidia-device-plugin -n nvidia-device-plugin --create-namespace")},
		}),
		Samples: []string{"error getting plugins: unable to create device map: error building device map: error getting device paths: error getting GPU device minor number: Not Supported"},
		Misses:  []string{"device minor number 0"},
		Source:  "https://github.com/NVIDIA/k8s-device-plugin/issues/332",
	},
	{
		ID: "k8s-containerd-config", Product: "containerd",
		Literals: []string{"invalid plugin config", "default_runtime_name", "no corresponding runtime configured", "containerd: failed to load", "runtime_type is not"},
		Pattern:  `(?i)invalid plugin config: [^\n]{0,200}|\bdefault_runtime_name\b[^\n]{0,60}(?:no corresponding|not found|invalid)|no corresponding runtime configured in \S+ for [^\n]{0,40}`,
		Layer:    rule.ContainerRuntime, Strength: Strong,
		Meaning: "containerd does not accept its own configuration.",
		Causes: causes(
			Cause{
				When:     on(Says("runc", "no corresponding runtime")),
				Title:    "containerd's configuration has lost a runtime that it names as default (runc or nvidia): its CRI plugin does not start",
				Text:     "A config.toml that was written for the NVIDIA runtime alone, without the table of runc, replaces the built-in defaults.",
				Remedies: []Remedy{fix("begin with containerd's full default configuration, then let nvidia-ctk add its runtime", "node", "sudo sh -c 'containerd config default > /etc/containerd/config.toml' && sudo nvidia-ctk runtime configure --runtime=containerd --set-as-default && sudo systemctl restart containerd")},
			},
			Cause{
				Title:    "containerd does not accept its configuration, so the node runs no pods",
				Text:     "Edits for the NVIDIA runtime mix the formats of versions 1, 2 and 3 of config.toml, or name a runtime that is not defined.",
				Remedies: []Remedy{fix("write it anew", "node", "sudo sh -c 'containerd config default > /etc/containerd/config.toml' && sudo nvidia-ctk runtime configure --runtime=containerd && sudo systemctl restart containerd", "check", "sudo containerd config dump | head -50; journalctl -u containerd -n 30")},
			},
		),
		Samples: []string{
			"containerd: invalid plugin config: `default_runtime_name` is not defined",
			"level=warning msg=\"failed to load plugin io.containerd.grpc.v1.cri\" error=\"invalid plugin config: no corresponding runtime configured in `containerd.runtimes` for `containerd` `default_runtime_name = \\\"runc\\\"\"",
		},
		Misses: []string{"default_runtime_name = \"nvidia\""},
		Source: "https://github.com/NVIDIA/k8s-device-plugin/issues/1145",
	},
	{
		ID: "k8s-admission", Product: "kubernetes",
		Literals: []string{"Allocate failed due to", "no healthy devices present", "UnexpectedAdmissionError"},
		Pattern:  `Allocate failed due to (?P<why>[^\n]{0,200}?)(?:, which is unexpected|$)|no healthy devices present|UnexpectedAdmissionError`,
		Layer:    rule.DeviceExposure,
		Meaning:  "The kubelet could not give the pod the device that the scheduler promised.",
		Causes: causes(
			Cause{
				When:     on(Says("time-slicing", "timeslicing", "time slicing", "replicas", "failRequestsGreaterThanOne", "shared access")),
				Title:    "The device plugin refused the request: with time-slicing a pod gets one replica at a time",
				Text:     "failRequestsGreaterThanOne makes requests above 1 fail; more replicas would not give more of the GPU.",
				Remedies: []Remedy{fix("ask for one nvidia.com/gpu (or nvidia.com/gpu.shared), or set failRequestsGreaterThanOne to false")},
			},
			Cause{
				When: on(Says("no healthy devices", "unhealthy", "XidCriticalError", "marking device as unhealthy")), Layer: rule.Hardware,
				Title:    "The node's GPUs are marked unhealthy by the device plugin",
				Text:     "An Xid that counts as critical made the plugin take the device away. It stays so until the plugin is restarted.",
				Remedies: []Remedy{fix("read the Xid, reset the GPU or restart the node, then restart the plugin", "node", "sudo dmesg | grep -e Xid -e NVRM | tail")},
			},
			Cause{
				Title:    "The kubelet has no device to give[: {why}]",
				Text:     "The kubelet or the device plugin restarted and their lists did not agree, or the GPU went away.",
				Remedies: []Remedy{fix("restart the plugin's pod on the node, and delete the pod so that it is created anew", "kubectl", "kubectl delete pod POD; kubectl describe node NODE | grep -A8 Allocatable")},
			},
		),
		Samples: []string{"Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0, which is unexpected", "Allocate failed due to no healthy devices present; cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected", "Warning  UnexpectedAdmissionError  kubelet"},
		Misses:  []string{"Allocated 1 device for nvidia.com/gpu"},
		Source:  pluginSource,
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
		Source:  pluginSource,
	},
	{
		ID: "k8s-limits-requests", Product: "kubernetes",
		Literals: []string{"Limit must be set for non overcommitable resources", "must be equal to nvidia.com/gpu limit", "must be an integer"},
		Pattern:  `(?i)Limit must be set for non overcommitable resources|must be equal to nvidia\.com/gpu limit|nvidia\.com/gpu[^\n]{0,60}must be an integer`,
		Layer:    rule.Application, Strength: Strong,
		Meaning: "The manifest asks for GPUs in a way that Kubernetes does not take.",
		Causes: causes(Cause{
			Title:    "The pod's manifest asks for the GPU in a wrong way: it belongs into limits, as a whole number",
			Text:     "Not the stack. Extended resources are not overcommitted: requests must equal limits, and fractions do not exist; time-slicing, MPS or MIG share a GPU.",
			Remedies: []Remedy{fix("set resources.limits nvidia.com/gpu: 1, and no other request")},
		}),
		Samples: []string{"spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources", "spec.containers[0].resources.requests: Invalid value: \"1\": must be equal to nvidia.com/gpu limit of 2"},
		Misses:  []string{"replicas must be an integer"},
		Source:  "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",
	},
}
