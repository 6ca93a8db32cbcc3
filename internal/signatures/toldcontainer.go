package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toldContainer is what people tell of containers and pods in sentences, and what
// images of NVIDIA print at their start.
func toldContainer() []*Signature {
	return []*Signature{
		{
			ID: "ngc-driver-not-detected", Product: "NVIDIA images",
			Literals: []string{"NVIDIA Driver was not detected", "No NVIDIA GPU(s) detected", "NVIDIA driver was not detected"},
			Layer:    rule.ContainerRuntime, ExplainedBy: []string{"CTR001"},
			Meaning: "The entry point of an NVIDIA image found no driver in the container.",
			Causes: causes(
				Cause{
					When:     on(Says("apptainer", "singularity")),
					Title:    "The container was started without the GPU: apptainer and singularity need --nv",
					Text:     "The image's entry point finds no driver. The driver is not part of an image; --nv brings the host's in.",
					Remedies: []Remedy{fix("start it with --nv before the image's name, on a node with a GPU", "shell", "apptainer exec --nv image.sif nvidia-smi")},
				},
				Cause{
					When:     on(InKubernetes, Says("kind cluster", "kind create", "kindest/node", "k3d ")),
					Title:    "The node of this local cluster (kind, k3d) has no GPU, so no pod has one: the node's container has to be started with GPUs and needs the NVIDIA runtime in its own containerd",
					Text:     "The node is itself a container. For k3d it is --gpus all and a node image with the toolkit; for kind nvkind, or nvidia as Docker's default runtime with accept-nvidia-visible-devices-as-volume-mounts.",
					Remedies: []Remedy{fix("make nvidia Docker's default runtime, create the cluster anew with the GPU passed in, and give pods runtimeClassName: nvidia", "host", "sudo nvidia-ctk runtime configure --runtime=docker --set-as-default && sudo nvidia-ctk config --set accept-nvidia-visible-devices-as-volume-mounts=true --in-place && sudo systemctl restart docker")},
				},
				Cause{
					When:     on(InKubernetes),
					Title:    "The pod has no GPU: it asks for none (nvidia.com/gpu), or does not run with the NVIDIA runtime (runtimeClassName)",
					Text:     "The image's entry point finds no driver in the container. The driver comes from the node, brought in by the NVIDIA runtime.",
					Remedies: []Remedy{fix("ask for nvidia.com/gpu: 1 under limits and set runtimeClassName: nvidia where nvidia is not the node's default runtime", "check", "kubectl get runtimeclass; kubectl describe node | grep nvidia.com/gpu")},
				},
				Cause{
					Title: "The container was started without the GPU: --gpus all is missing, or the NVIDIA container toolkit on the host",
					Text: "The image's entry point finds no driver in the container. The driver is not part of an image and is not to be installed into it: the toolkit brings the host's in, where the container asks for a GPU " +
						"(docker run --gpus all, in a compose file deploy.resources.reservations.devices or runtime: nvidia, for podman --device nvidia.com/gpu=all).",
					Remedies: []Remedy{
						fix("start it with the GPU", "docker", "docker run --rm --gpus all IMAGE nvidia-smi", "podman", "podman run --rm --device nvidia.com/gpu=all IMAGE nvidia-smi"),
						fix("where that fails, install nvidia-container-toolkit on the host and configure the engine", "host", "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker"),
					},
					Ask: "the command that starts the container, and nvidia-smi on the host",
				},
			),
			Samples: []string{"WARNING: The NVIDIA Driver was not detected.  GPU functionality will not be available."},
			Misses:  []string{"the AMD driver was not detected"},
			Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",
		},
		{
			ID: "cdi-name-as-file", Product: "podman",
			Literals: []string{"stat nvidia.com/gpu", "nvidia.com/gpu=all: no such", "nvidia.com/gpu=0: no such", "/dev/nvidia.com", "custom device \"nvidia.com"},
			Pattern:  `(?i)stat (?:/dev/)?nvidia\.com/gpu=?\S*: no such file|(?:custom device|device) "?nvidia\.com/gpu=\w+"?:? [^\n]{0,60}no such file`,
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "The engine takes the name of a CDI device for a file.",
			Causes: causes(Cause{
				Title: "The container engine does not know CDI and takes nvidia.com/gpu for a file: podman needs 4.1 or newer, docker 25 or newer",
				Text:  "The specification in /etc/cdi may be right; this release of the engine does not read it.",
				Remedies: []Remedy{
					fix("update podman to 4.1 or newer (docker: 25 with the feature cdi, 28.2 by default)", "check", "podman --version; docker --version; nvidia-ctk cdi list"),
					fix("or use the NVIDIA runtime or hook of the toolkit in place of the CDI name", "podman", "podman run --rm --runtime /usr/bin/nvidia-container-runtime -e NVIDIA_VISIBLE_DEVICES=all IMAGE nvidia-smi"),
				},
			}),
			Samples: []string{"Error: stat nvidia.com/gpu=all: no such file or directory", "error gathering device information while adding custom device \"nvidia.com/gpu=all\": no such file or directory"},
			Misses:  []string{"nvidia.com/gpu=all: found"},
			Source:  "https://github.com/NVIDIA/nvidia-container-toolkit/issues/63",
		},
		{
			ID: "cdi-library-gone", Product: "CDI",
			Literals: []string{"crun: cannot stat", "crun: mount", "error mounting \"/usr/lib", "error mounting \"/lib", "cannot stat `/usr/lib", "cannot stat `/lib"},
			Pattern:  "(?i)(?:cannot stat|error mounting|mount)[ '\"`]{1,3}(?P<file>/(?:usr/)?lib[\\w./-]*/lib(?:nvidia|cuda|EGL_nvidia|GLX_nvidia|nvcuvid|vdpau_nvidia)[\\w.-]*\\.so[\\w.]*)['\"`]?[^\\n]{0,160}no such file",
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "A library that the container's device description names is not on the host.",
			Causes: causes(Cause{
				Title:    "The CDI specification is stale: it names {file|base}, which the host no longer has",
				Text:     "The driver was updated on the host, and /etc/cdi/nvidia.yaml still lists the files of the old release. It has to be made anew after every change of the driver; newer toolkits have a service for it (nvidia-cdi-refresh).",
				Remedies: []Remedy{fix("make the CDI specification anew, and create the container again", "host", "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml; nvidia-ctk cdi list", "host", "sudo systemctl enable --now nvidia-cdi-refresh.path")},
			}),
			Samples: []string{"Error: crun: cannot stat `/usr/lib64/libnvidia-ml.so.550.120`: No such file or directory: OCI runtime attempted to invoke a command that was not found", "error mounting \"/usr/lib/x86_64-linux-gnu/libcuda.so.535.161.07\" to rootfs: no such file or directory"},
			Misses:  []string{"crun: mount `/proc` to `proc`: Operation not permitted"},
			Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/cdi-support.html",
		},
		{
			ID: "told-compose-without-gpu", Product: "docker compose",
			Literals: []string{"compose.y", "docker compose", "docker-compose"},
			Pattern:  `(?i)compose(?:\.ya?ml)?\b[^\n]{0,80}(?:nothing|no(?:t| )[^\n.]{0,30}|without[^\n.]{0,20}|lacks[^\n.]{0,20})\b(?:GPUs?|deploy|device_?requests|reservations|runtime: ?nvidia)`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "Somebody tells that a compose file asks for no GPU.",
			Causes: causes(Cause{
				When:     on(Any(noGPUTold, Says("on the CPU", "on CPU", "CPU only"))),
				Title:    "The compose file asks for no GPU: deploy.resources.reservations.devices (or gpus: all, runtime: nvidia) is missing",
				Text:     "Compose gives a service no GPU unless its section says so, also where docker run --gpus all works.",
				Remedies: []Remedy{fix("add to the service: deploy, resources, reservations, devices with driver: nvidia, count: all, capabilities: [gpu]; with Compose 2.30 or newer gpus: all", "check", "docker compose exec SERVICE nvidia-smi")},
			}),
			Samples: []string{"the service in docker-compose.yml has ports and volumes, nothing about GPUs", "our docker-compose.yml has no deploy section"},
			Misses:  []string{"docker-compose.yml with runtime: nvidia"},
			Source:  "https://docs.docker.com/compose/how-tos/gpu-support/",
		},
		{
			ID: "told-privileged-all-gpus", Product: "kubernetes",
			Literals: []string{"privileged"},
			Pattern:  `(?i)privileged`,
			Layer:    rule.DeviceExposure, Role: Context,
			Meaning: "A container is privileged.",
			Causes: causes(Cause{
				When:     on(Says("all GPUs", "all the GPUs", "all 8", "all 4", "all four", "all eight", "all two", "every GPU", "both GPUs", "all gpu devices", "not isolated", "isolation", "uses all", "sees all", "see all", "sees 8", "sees 4", "more GPUs than")),
				Title:    "The container is privileged, so it sees all GPUs of the node and not only those that it was given",
				Text:     "privileged: true gives the container every device of the node (/dev/nvidia*), whatever nvidia.com/gpu or --gpus says. The device plugin and the driver are not broken.",
				Remedies: []Remedy{fix("take privileged: true out of the securityContext (add the single capabilities that are needed), or name the GPUs that were given in CUDA_VISIBLE_DEVICES", "check", "kubectl exec POD -- env | grep NVIDIA_VISIBLE_DEVICES")},
			}),
			Samples: []string{"securityContext: privileged: true", "the pod is privileged and sees all GPUs"},
			Misses:  []string{"an unprivate pod"},
			Source:  "https://github.com/NVIDIA/k8s-device-plugin/issues/336",
		},
		{
			ID: "told-pod-without-request-sees-gpus", Product: "kubernetes",
			Literals: []string{"all the GPUs", "all GPUs", "all GPU", "GPU resource", "request any GPU", "request GPU", "GPU limit", "any GPU limit", "requested GPU", "ask for a GPU", "ask for GPU", "all the gpus", "GPUs of the node", "GPU request"},
			Pattern:  `(?i)(?:(?:not|without|no|n't) [^\n.]{0,40}(?:request|limit|ask|allocat|specif)\w*[^\n.]{0,40}GPU|(?:not|without|no|n't) [^\n.]{0,30}GPU[^\n.]{0,30}(?:request|limit|resource))[^\n]{0,160}(?:see|sees|access|visible|all|use|show|list)`,
			Layer:    rule.DeviceExposure, Role: Context,
			Meaning: "Pods that asked for no GPU see the GPUs of their node.",
			Causes: causes(Cause{
				When:  on(InKubernetes, Says("all the GPUs", "all GPUs", "all GPU", "see all", "sees all", "GPUs of the node", "all four", "all eight", "visible in", "still see", "access all", "all the gpu")),
				Title: "Pods without a GPU request see all GPUs: the image sets NVIDIA_VISIBLE_DEVICES=all, and nvidia is the default runtime",
				Text:  "Images of NVIDIA set NVIDIA_VISIBLE_DEVICES=all; the device plugin replaces it only in pods that ask for nvidia.com/gpu. Where the runtime obeys the variable in unprivileged containers, the others get every GPU.",
				Remedies: []Remedy{
					fix("let the runtime take devices from the device plugin's mounts alone: accept-nvidia-visible-devices-envvar-when-unprivileged = false and accept-nvidia-visible-devices-as-volume-mounts = true in /etc/nvidia-container-runtime/config.toml, with deviceListStrategy volume-mounts (or CDI) in the plugin"),
					fix("or set NVIDIA_VISIBLE_DEVICES=void (or none) in pods without a GPU, or make runc the default and use runtimeClassName: nvidia"),
				},
			}),
			Samples: []string{"A pod without any GPU limit sees all GPUs of the node", "pods that do not request a GPU can see all the GPUs"},
			Misses:  []string{"the pod requests one GPU"},
			Source:  "https://github.com/NVIDIA/k8s-device-plugin/issues/87",
		},
		{
			ID: "told-runtime-not-nvidia", Product: "containerd",
			Literals: []string{"default_runtime_name", "default runtime", "default-runtime", "(default)", "runtime is runc"},
			Pattern:  `(?i)(?:no|without|missing|not|lacks)\b[^\n.]{0,40}(?:default_runtime_name|default[- ]runtime)|default[- _]runtime(?:_name)?[^\n.]{0,20}(?:=|:|is|was|stays|still)\s*["']?(?:runc|crun)\b|runtime ["']?\(default\)`,
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Strong,
			Meaning: "nvidia is not the default runtime of the node.",
			Causes: causes(Cause{
				When:  on(InKubernetes, Any(noGPUTold, Says("libnvidia-ml", "nvidia-smi", "insufficient for CUDA", "NVML", "libcuda"))),
				Title: "The node's containerd does not use the NVIDIA runtime by default (default_runtime_name is not nvidia), and the pods name no runtimeClassName",
				Text: "The toolkit has to change the configuration that containerd really reads: with k3s and RKE2 that is /var/lib/rancher/k3s (or rke2)/agent/etc/containerd/config.toml, made from config.toml.tmpl, and not /etc/containerd/config.toml. " +
					"The pods then run with runc and have no driver, which CUDA reports as an insufficient driver. The driver is not too old.",
				Remedies: []Remedy{
					fix("set runtimeClassName: nvidia in the pods, or make nvidia the default", "node", "sudo nvidia-ctk runtime configure --runtime=containerd --set-as-default && sudo systemctl restart containerd"),
					fix("with k3s and RKE2 name their file to the GPU operator's toolkit (CONTAINERD_CONFIG, CONTAINERD_SOCKET), or start k3s with --default-runtime nvidia", "check", "grep -n -A2 nvidia /var/lib/rancher/k3s/agent/etc/containerd/config.toml"),
				},
			}),
			Samples: []string{"there is no default_runtime_name = \"nvidia\" in config.toml", "containerd's default runtime is runc"},
			Misses:  []string{"default_runtime_name = \"nvidia\""},
			Source:  "https://github.com/NVIDIA/gpu-operator/issues/415",
		},
	}
}
