package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// devContainer is how editors and pods ask for GPUs in files of their own.
func devContainer() []*Signature {
	return []*Signature{
		{
			ID: "devcontainer-gpus-argument", Product: "devcontainers",
			Literals: []string{"Unable to find image 'all:latest'", "pull access denied for all,", "Unable to find image 'gpus:latest'"},
			Layer:    rule.Application, Strength: Strong,
			Meaning: "docker run took the word all for the name of an image.",
			Causes: causes(Cause{
				Title:    "docker run took \"all\" for the name of the image: --gpus and its value all were torn apart",
				Text:     "In runArgs of devcontainer.json each word is an argument of its own, and options come before the image: \"--gpus\", \"all\" belong side by side, or \"--gpus=all\" as one. Where --gpus was taken out for a machine without a GPU, all has to go with it. The GPU stack is not at fault.",
				Remedies: []Remedy{fix("write it as one argument, \"runArgs\": [\"--gpus=all\"], or use \"hostRequirements\": {\"gpu\": \"optional\"}, which leaves it out where there is no GPU")},
			}),
			Samples: []string{"Unable to find image 'all:latest' locally", "docker: Error response from daemon: pull access denied for all, repository does not exist"},
			Misses:  []string{"Unable to find image 'ubuntu:latest' locally"},
			Source:  "https://github.com/timothygrant80/cisTEM/issues/472",
		},
		{
			ID: "told-devcontainer-gpu", Product: "devcontainers",
			Literals: []string{"hostRequirements", "devcontainer.json", "devcontainers", "dev container"},
			Layer:    rule.ContainerRuntime, Role: Told, Strength: Strong,
			Where:   on(fails, Says("gpu", "nvidia", "cuda"), Says("hostRequirements", "runArgs", "--gpus")),
			Meaning: "Somebody tells of a GPU in a development container.",
			Causes: causes(Cause{
				Title:    "The development container is started without --gpus: hostRequirements.gpu asks for a GPU only where the editor finds the runtime nvidia in docker info, and not with Compose files",
				Text:     "\"gpu\": \"optional\" adds --gpus all where docker info names the runtime nvidia. Docker Desktop (WSL) does not name it although GPUs work, and Compose files are left as they are. \"runArgs\": [\"--gpus\", \"all\"] always asks, and fails on machines without a GPU.",
				Remedies: []Remedy{fix("see what the editor sees, and ask for the GPU by runArgs, or by deploy.resources.reservations.devices in the Compose file", "docker", "docker info -f '{{.Runtimes.nvidia}}'; "+dockerTest), fix("for machines without a GPU keep a second configuration (.devcontainer/gpu/devcontainer.json)")},
			}),
			Samples: []string{"hostRequirements gpu optional does not give the GPU"},
			Misses:  []string{"requirements of the host"},
			Source:  "https://github.com/microsoft/vscode-remote-release/issues/9385",
		},
		{
			ID: "told-visible-devices-in-pod", Product: "kubernetes",
			Literals: []string{"NVIDIA_VISIBLE_DEVICES"},
			Layer:    rule.DeviceExposure, Role: Told, Strength: Usual,
			Where:   on(InKubernetes, Says("specify", "select", "choose", "respect", "honor", "honour", "ignore", "only the gpu", "instead of", "overrid", "different gpu", "wrong gpu", "additional gpu", "all gpus", "all the gpus", "all of the gpus", "not see", "empty")),
			Meaning: "Somebody sets NVIDIA_VISIBLE_DEVICES in pods.",
			Causes: causes(Cause{
				Title:    "NVIDIA_VISIBLE_DEVICES in the pod goes past the device plugin: the plugin sets it for pods that ask for nvidia.com/gpu, and a value of one's own gives devices that the scheduler does not count",
				Text:     "Which GPU a pod gets is the device plugin's choice (GetPreferredAllocation). With CDI or volume-mounts as device-list strategy, or in unprivileged pods, the runtime ignores the variable; in others both apply, and pods share or see other GPUs.",
				Remedies: []Remedy{fix("take the variable out of the pod and ask for nvidia.com/gpu under limits; choose the kind of GPU by labels of the node, MIG resources or a resource claim (DRA)", "kubectl", "kubectl get pod POD -o yaml | grep -A2 -e NVIDIA_VISIBLE -e nvidia.com; kubectl describe node NODE | grep nvidia.com")},
			}),
			Samples: []string{"I set NVIDIA_VISIBLE_DEVICES=2 in the pod to specify the GPU"},
			Misses:  []string{"CUDA_VISIBLE_DEVICES=2"},
			Source:  "https://github.com/NVIDIA/gpu-operator/issues/951",
		},
	}
}
