package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// clusterNode is about nodes of clusters: images of clouds, local clusters, and configurations of their runtimes.
func clusterNode() []*Signature {
	return []*Signature{
		{
			ID: "crio-runtime-handler", Product: "cri-o",
			Literals: []string{"failed to find runtime handler", "runtime handler nvidia from runtime list", "failed to find runtime handler nvidia"},
			Pattern:  `(?i)failed to find runtime handler (?P<runtime>nvidia[\w-]*) from runtime list`,
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "CRI-O of this node has no such runtime.",
			Causes: causes(Cause{
				Title:    "CRI-O of this node has no runtime handler {runtime}: the NVIDIA container toolkit is not registered with CRI-O",
				Text:     "The pod names a RuntimeClass whose handler has to be a table of CRI-O's configuration, which nvidia-ctk writes to /etc/crio/crio.conf.d.",
				Remedies: []Remedy{fix("install the toolkit on the node, register it and restart CRI-O", "node", "sudo nvidia-ctk runtime configure --runtime=crio --set-as-default && sudo systemctl restart crio", "check", "crio config 2>/dev/null | grep -A3 nvidia")},
			}),
			Samples: []string{"Failed to create pod sandbox: failed to find runtime handler nvidia from runtime list map[runc:0xc0001]"},
			Misses:  []string{"failed to find runtime handler kata from runtime list"},
			Source:  "https://github.com/cri-o/cri-o",
		},
		{
			ID: "containerd-config-version", Product: "containerd",
			Literals: []string{"unsupported config version", "failed to load TOML", "config.toml.tmpl", "expected containerd config version", "containerd config version `1`"},
			Pattern:  `(?i)unsupported config version|failed to load TOML[^\n]{0,120}|expected containerd config version|containerd config version .?1.? has been deprecated`,
			Layer:    rule.ContainerRuntime, Strength: Usual,
			Where:   on(Says("nvidia", "gpu")),
			Meaning: "containerd does not read its configuration file in this form.",
			Causes: causes(Cause{
				Title:    "containerd does not read config.toml: the file is of another format version than this containerd, so the runtime nvidia in it is lost",
				Text:     "containerd 1.x reads version 2, containerd 2.x version 3 (io.containerd.cri.v1.runtime in place of io.containerd.grpc.v1.cri). A file or template (k3s: config.toml.tmpl, config-v3.toml.tmpl) of the other version, or an older nvidia-ctk that wrote it, does not work.",
				Remedies: []Remedy{fix("write the configuration anew for this containerd, with a current container toolkit (1.17 or newer for version 3)", "node", "containerd --version; sudo sh -c 'containerd config default > /etc/containerd/config.toml' && sudo nvidia-ctk runtime configure --runtime=containerd --set-as-default && sudo systemctl restart containerd", "check", "sudo containerd config dump | grep -A6 nvidia")},
			}),
			Samples: []string{`containerd: failed to load TOML: /etc/containerd/config.toml: unsupported config version 3`},
			Misses:  []string{"loaded TOML"},
			Source:  "https://github.com/containerd/containerd/blob/main/docs/cri/config.md",
		},
		{
			ID: "told-gke-driver", Product: "GKE",
			Literals: []string{" GKE ", "GKE 1", "GKE node", "on GKE", "google kubernetes engine", "cos-gpu-installer", "gpu-driver-version", "nvidia-driver-installer", "/usr/local/nvidia/lib64", "cloud.google.com/gke-accelerator"},
			Pattern:  `(?i)\bGKE\b|google kubernetes engine|cos-gpu-installer|gpu-driver-version|nvidia-driver-installer|/usr/local/nvidia/lib64|cloud\.google\.com/gke-accelerator`,
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Usual,
			Where:   on(Says("GKE", "google kubernetes", "gke-accelerator", "cos_containerd", "cos-gpu", "container-optimized")),
			Meaning: "The cluster is of GKE, whose nodes get the driver in a way of their own.",
			Causes: causes(
				Cause{
					When:     on(Says("libcuda.so", "libnvidia-ml.so", "nvidia-smi: command not found", "\"nvidia-smi\": executable file", "couldn't find libcuda", "not find libcuda"), Says("/usr/local/nvidia")),
					Title:    "On GKE the driver is in /usr/local/nvidia of the container, and the image's LD_LIBRARY_PATH does not name /usr/local/nvidia/lib64",
					Text:     "GKE's device plugin mounts the driver there. Images of nvidia/cuda have that directory on their paths, others have not. The driver is not to be installed in the image.",
					Remedies: []Remedy{fix("set it in the image or the pod", "pod", "LD_LIBRARY_PATH=/usr/local/nvidia/lib64 PATH=/usr/local/nvidia/bin:$PATH nvidia-smi")},
				},
				Cause{
					When: on(Says("nvidia.com/gpu: 0", "nvidia.com/gpu:     0", "Insufficient nvidia.com/gpu", "nvidia.com/gpu:  0", "no gpu", "pending", "Init:", "not apply the driver", "CrashLoopBackOff", "did not install", "not installed")), Layer: rule.KernelModule,
					Title:    "The GKE node has no driver yet: the node pool was made without gpu-driver-version, and the driver installer DaemonSet was not applied or fails",
					Text:     "Without a driver the device plugin offers no nvidia.com/gpu. The installer has to fit the node's image (COS or Ubuntu) and its GPU; Secure Boot (shielded nodes) and nodes without access to the network stop it.",
					Remedies: []Remedy{fix("let GKE install it: --accelerator type=TYPE,count=1,gpu-driver-version=latest at the node pool, or apply the installer for COS or Ubuntu", "kubectl", "kubectl -n kube-system get pods -l k8s-app=nvidia-driver-installer; kubectl -n kube-system logs -l k8s-app=nvidia-driver-installer -c nvidia-driver-installer --tail=50", "cos", "kubectl apply -f https://raw.githubusercontent.com/GoogleCloudPlatform/container-engine-accelerators/master/nvidia-driver-installer/cos/daemonset-preloaded.yaml")},
				},
			),
			Samples: []string{"GKE node pool with L4, the node shows nvidia.com/gpu: 0"},
			Misses:  []string{"gkeys"},
			Source:  "https://cloud.google.com/kubernetes-engine/docs/how-to/gpus",
		},
		{
			ID: "told-eks-ami", Product: "EKS",
			Literals: []string{"AL2_x86_64", "AL2023_x86_64_STANDARD", "amiType", "ami type", "AMI family", "amiFamily", "eks optimized", "eksctl", "bottlerocket", "karpenter"},
			Pattern:  `(?i)\bAL2_x86_64(?P<gpu_ami>_GPU)?\b|\bAL2023_x86_64_(?P<standard>STANDARD)\b|ami ?(?:type|family)\b|eks[- ]optimized|\beksctl\b|\bbottlerocket\b|\bkarpenter\b`,
			Layer:    rule.Driver, Role: Context, Strength: Strong,
			Where:   on(Not(Has("gpu_ami")), Says("nvidia", "gpu")),
			Meaning: "The text tells which image an EKS node has.",
			Causes: causes(
				Cause{
					When:     on(Says("AL2_x86_64", "AL2023_x86_64_STANDARD", "standard ami", "non-gpu ami", "aws-k8s-1", "without nvidia"), Not(Says("AL2_x86_64_GPU", "AL2023_x86_64_NVIDIA", "-nvidia")), Says("could not load NVML", "nvidia.com/gpu: 0", "Insufficient nvidia.com", "No devices", "nvidia-smi", "no gpu", "0 GPUs", "libnvidia-ml", "not found", "couldn't communicate")),
					Title:    "The EKS node's AMI has no NVIDIA driver: GPU nodes need a GPU AMI (AL2_x86_64_GPU, AL2023_x86_64_NVIDIA, or a Bottlerocket variant -nvidia)",
					Text:     "The ordinary optimized AMI brings neither driver nor container toolkit, so the device plugin finds no NVML on it.",
					Remedies: []Remedy{fix("make the node group anew with the GPU AMI type", "eks", "aws eks describe-nodegroup --query nodegroup.amiType", "node", "nvidia-smi"), fix("or let the GPU operator install driver and toolkit on the nodes")},
				},
			),
			Samples: []string{"node group with amiType: AL2_x86_64", "AL2023_x86_64_STANDARD"},
			Misses:  []string{"the AMI of the group"},
			Source:  "https://docs.aws.amazon.com/eks/latest/userguide/ml-eks-optimized-ami.html",
		},
		{
			ID: "told-local-cluster", Product: "minikube",
			Literals: []string{"minikube", "k3d cluster", "kind cluster", "kind create", "nvkind"},
			Pattern:  `(?i)\bminikube\b|\bk3d\b|\bkind (?:cluster|create)\b`,
			Layer:    rule.ContainerRuntime, Role: Told, Strength: Strong,
			Where:   on(Says("gpu", "nvidia")),
			Meaning: "The cluster runs in containers on one machine.",
			Causes: causes(
				Cause{
					When:     on(Says("minikube")),
					Title:    "minikube's node has no GPU: it has to be started with --gpus all (driver docker, container runtime docker), on a host with the NVIDIA container toolkit",
					Text:     "The node is itself a container. The addon nvidia-device-plugin finds a GPU only where minikube start passed it in; with --driver=none or kvm other rules hold.",
					Remedies: []Remedy{fix("make the cluster anew with GPUs", "shell", "minikube delete; minikube start --driver docker --container-runtime docker --gpus all", "host", "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker")},
				},
				Cause{
					Title:    "The node of this local cluster (kind, k3d) has no GPU: the node's container has to be started with GPUs and needs the NVIDIA runtime in its own containerd",
					Text:     "For k3d it is --gpus all and a node image with the toolkit; for kind nvkind, or nvidia as Docker's default runtime with accept-nvidia-visible-devices-as-volume-mounts.",
					Remedies: []Remedy{fix("make nvidia Docker's default runtime and create the cluster anew with the GPU passed in; give pods runtimeClassName: nvidia", "host", "sudo nvidia-ctk runtime configure --runtime=docker --set-as-default && sudo nvidia-ctk config --set accept-nvidia-visible-devices-as-volume-mounts=true --in-place && sudo systemctl restart docker")},
				},
			),
			Samples: []string{"minikube start and the pod sees no GPU", "a kind cluster with a GPU"},
			Misses:  []string{"a kind word"},
			Source:  "https://minikube.sigs.k8s.io/docs/tutorials/nvidia/",
		},
		{
			ID: "k8s-kubevirt-device", Product: "kubevirt",
			Literals: []string{"kubevirt", "permittedHostDevices", "pciHostDevices", "mediatedDevices", "kubevirt-gpu-device-plugin", "sandboxWorkloads", "vm-passthrough"},
			Pattern:  `(?i)\bkubevirt\b|permittedHostDevices|pciHostDevices|mediatedDevices|sandboxWorkloads|vm-passthrough`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "VMs of Kubernetes take GPUs as host devices.",
			Causes: causes(Cause{
				When: on(Says("no cuda-capable device", "nvidia-container-cli"), Says("kubevirt-gpu-device-plugin", "sandbox-device-plugin", "device plugin")), Layer: rule.ContainerRuntime,
				Title:    "The plugin's pod is started with the nvidia runtime, which finds no GPU: the card is bound to vfio-pci; such a node has to have runc as its default runtime",
				Text:     "A GPU that is given to VMs has no NVIDIA driver on the node, so nvidia-container-cli sees no CUDA-capable device. The KubeVirt plugin needs neither driver nor NVIDIA runtime.",
				Remedies: []Remedy{fix("make runc the default runtime of Docker or containerd on that node again, and start the plugin anew", "node", "grep -A3 default-runtime /etc/docker/daemon.json; grep default_runtime_name /etc/containerd/config.toml; lspci -nnk -d 10de:")},
			}, Cause{
				When:     on(Not(Says("not viable", "within the iommu_group")), Says("Insufficient", "pending", "not permitted", "fails", "failed", "not found", "nvidia.com/gpu: 0", ": 0", "not configured", "is not", "cannot", "does not")),
				Title:    "KubeVirt offers the VM no such GPU: it has to be bound to vfio-pci on the node and named under permittedHostDevices, with the resource's exact name",
				Text:     "A VM takes a whole card by vfio-pci, or a mediated device (vGPU), never nvidia.com/gpu of the ordinary plugin. The GPU operator does it on nodes with the label nvidia.com/gpu.workload.config=vm-passthrough and sandboxWorkloads.enabled=true.",
				Remedies: []Remedy{fix("bind the card to vfio-pci, name it under permittedHostDevices of the KubeVirt resource, and compare names", "kubectl", "kubectl -n kubevirt get kubevirt -o yaml | grep -A8 permittedHostDevices; kubectl describe node NODE | grep nvidia.com", "node", "lspci -nnk -d 10de:")},
			}),
			Samples: []string{"KubeVirt VMI stays pending", "permittedHostDevices has no entry"},
			Misses:  []string{"virtctl version"},
			Source:  "https://kubevirt.io/user-guide/compute/host-devices/",
		},
		{
			ID: "told-time-slicing", Product: "k8s-device-plugin",
			Literals: []string{"time-slicing", "timeSlicing", "time slicing", "replicas: ", "failRequestsGreaterThanOne", "nvidia.com/gpu.shared"},
			Pattern:  `(?i)time[- ]?slicing|\breplicas: \d+|failRequestsGreaterThanOne|nvidia\.com/gpu\.shared`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Where:   on(Says("nvidia", "device plugin", "device-plugin")),
			Meaning: "The text is about time-slicing by the device plugin.",
			Causes: causes(Cause{
				When:     on(Says("time-slicing", "timeSlicing", "time slicing", "device plugin", "device-plugin", "gpu.shared"), Says("nvidia.com/gpu: 1", "still", "not applied", "no effect", "does not show", "doesn't show", "not take effect", "only 1", "not work", "doesn't work", "remains", "unchanged"), Not(Says("XidCritical"))),
				Title:    "The device plugin does not use the time-slicing configuration (sharing.timeSlicing, replicas): it is not named to the plugin, or the plugin was not restarted",
				Text:     "The ConfigMap has to be in the plugin's namespace, named by config.name (helm) or devicePlugin.config.name (GPU operator), with a default key or the node label nvidia.com/device-plugin.config. Replicas share memory and have no isolation.",
				Remedies: []Remedy{fix("name the configuration and restart the plugin", "helm", "helm upgrade nvdp nvdp/nvidia-device-plugin -n nvidia-device-plugin --reuse-values --set config.name=time-slicing-config", "operator", "kubectl patch clusterpolicies.nvidia.com/cluster-policy --type merge -p '{\"spec\":{\"devicePlugin\":{\"config\":{\"name\":\"time-slicing-config\",\"default\":\"any\"}}}}'", "check", "kubectl describe node NODE | grep nvidia.com/gpu; kubectl -n nvidia-device-plugin logs -l app.kubernetes.io/name=nvidia-device-plugin --tail=40")},
			}),
			Samples: []string{"time-slicing with 4 replicas, the node still shows nvidia.com/gpu: 1"},
			Misses:  []string{"replicas is a field"},
			Source:  pluginSource,
		},
		{
			ID: "lxd-nvidia-runtime", Product: "lxd",
			Literals: []string{"lxc launch", "lxc config", "lxc exec", "nvidia.runtime", "incus launch", "incus config", "incus exec", "lxd container", "incus container"},
			Pattern:  `(?i)\b(?P<tool>lxc|incus) (?:launch|config|exec)\b|nvidia\.runtime\b|\b(?P<tool>lxd|incus) container`,
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Strong,
			Where:   on(Says("nvidia", "gpu")),
			Meaning: "The container is one of LXD or Incus.",
			Causes: causes(Cause{
				When:     on(Says("nvidia-smi: command not found", "nvidia-smi: not found", "libcuda", "libnvidia-ml", "not find", "no cuda", "no nvidia"), Not(Says("nvidia.runtime=true", "nvidia.runtime: \"true\"", "nvidia.runtime true", "nvidia.runtime: true"))),
				Title:    "The LXD or Incus container has the GPU's device nodes and not the driver's libraries: nvidia.runtime=true is not set",
				Text:     "A gpu device passes nodes alone. nvidia.runtime lets the NVIDIA container toolkit of the host (libnvidia-container) bring nvidia-smi and the libraries in; nvidia.driver.capabilities says which. Otherwise the container needs the host's driver release without a module.",
				Remedies: []Remedy{fix("set it and restart the container; the host needs nvidia-container-toolkit", "host", "lxc config set NAME nvidia.runtime=true nvidia.driver.capabilities=all && lxc restart NAME")},
			}),
			Samples: []string{"lxc launch ubuntu:24.04 gpu", "incus config device add c1 gpu gpu"},
			Misses:  []string{"lxc list"},
			Source:  "https://documentation.ubuntu.com/lxd/en/latest/reference/instance_options/",
		},
	}
}
