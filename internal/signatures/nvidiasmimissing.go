package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvidiaSMIMissing is what a shell or a container engine says where there is no nvidia-smi.
func nvidiaSMIMissing() []*Signature {
	return []*Signature{
		{
			ID: "nvidia-smi-not-found", Product: "nvidia-smi",
			Literals: []string{"nvidia-smi: command not found", "nvidia-smi: not found", "'nvidia-smi' not found", "nvidia-smi not found", "'nvidia-smi' is not recognized", "directory: 'nvidia-smi'", "\"nvidia-smi\": executable file not found", "nvidia-smi\\\": executable file not found"},
			Layer:    rule.Driver, Strength: Weak, ExplainedBy: []string{"DRV001", "CTR001", "CTR007", "HWR001", "KRN002"},
			Meaning: "The program nvidia-smi is not there.",
			Causes: causes(
				Cause{
					When: on(OnJetson), Layer: rule.Application,
					Title:    "Jetson has no nvidia-smi before JetPack 6: that it is missing is no fault",
					Text:     "The GPU of a Jetson is part of the chip, and its driver comes with L4T. Use tegrastats or jtop to watch it.",
					Remedies: []Remedy{fix("look at the release and the GPU with tools of the Jetson", "shell", "cat /etc/nv_tegra_release; tegrastats")},
				},
				Cause{
					When: on(OnWSL), Layer: rule.DeviceExposure,
					Title:    "nvidia-smi is not on the PATH in WSL: it is /usr/lib/wsl/lib/nvidia-smi",
					Text:     "The driver of Windows brings it there. Where the directory is empty, the driver on Windows is missing or WSL is version 1. No Linux driver belongs into WSL: do not install one.",
					Remedies: []Remedy{fix("call it there, or put the directory on the PATH", "bash", "/usr/lib/wsl/lib/nvidia-smi"), fix("where it is not there: update WSL and install the current driver on Windows (WSL 2 needs kernel 5.10.16.3 or newer)", "powershell", "wsl --update; wsl --shutdown")},
				},
				Cause{
					When: on(InKubernetes), Layer: rule.ContainerRuntime,
					Title: "nvidia-smi is not in the pod's container: the pod does not run with the NVIDIA runtime (runtimeClassName: nvidia is not set, and nvidia is not the node's default)",
					Text:  "The NVIDIA runtime mounts nvidia-smi and the driver's libraries from the node. k3s, RKE2 and others add the runtime, but not as default, so that the pod and the device plugin have to name the RuntimeClass. A driver must not be installed in the image.",
					Remedies: []Remedy{
						fix("set runtimeClassName: nvidia in the pod (and for the device plugin), and ask for nvidia.com/gpu under limits", "kubectl", "kubectl get runtimeclass"),
						fix("or make nvidia the node's default runtime", "node", "sudo nvidia-ctk runtime configure --runtime=containerd --set-as-default && sudo systemctl restart containerd"),
					},
					Ask: "nvidia-smi on the node; kubectl get runtimeclass; the pod's specification",
				},
				Cause{
					When: on(Any(InContainer, InKubernetes)), Layer: rule.ContainerRuntime,
					Title: "nvidia-smi is not in the container: it was started without the NVIDIA runtime or without the capability utility",
					Text:  "The container toolkit mounts nvidia-smi from the host where the container asks for GPUs and NVIDIA_DRIVER_CAPABILITIES has utility. A driver must not be installed in the image.",
					Remedies: []Remedy{
						fix("start the container with GPUs", "docker", "docker run --rm --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility ubuntu nvidia-smi", "podman", "podman run --rm --device nvidia.com/gpu=all ubuntu nvidia-smi"),
						when(fix("podman-compose does not know deploy.resources…devices with driver nvidia: name the CDI device under devices: nvidia.com/gpu=all, and generate the specification", "host", "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml"), Says("podman")),
						fix("in Kubernetes, ask for nvidia.com/gpu and use the runtime class nvidia"),
					},
					Ask: "nvidia-smi on the host, and how the container is started",
				},
				Cause{
					Title:    "nvidia-smi is not installed: the NVIDIA driver is missing, or its utilities are",
					Text:     "It comes with the driver (nvidia-utils on Ubuntu, nvidia-driver-cuda on Fedora and RHEL). The CUDA toolkit and pip packages do not bring it.",
					Remedies: []Remedy{fix("install the driver, and restart", "ubuntu", "sudo ubuntu-drivers install"), fix("on a machine without an NVIDIA GPU nothing is broken: use the program on the CPU")},
					Ask:      "lspci -d 10de:, and whether a driver was ever installed",
				},
			),
			Samples: []string{"bash: nvidia-smi: command not found", "sh: 1: nvidia-smi: not found", "FileNotFoundError: [Errno 2] No such file or directory: 'nvidia-smi'", "exec: \"nvidia-smi\": executable file not found in $PATH: unknown"},
			Misses:  []string{"nvidia-smi found no process"},
			Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",
		},
	}
}
