package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cloudImage is about images of nodes with NVIDIA's parts in them, old kernels of WSL, and drivers that admins have to update.
func cloudImage() []*Signature {
	return []*Signature{
		{
			ID: "eks-gpu-image", Product: "EKS",
			Literals: []string{"BOTTLEROCKET_x86_64_NVIDIA", "BOTTLEROCKET_ARM_64_NVIDIA", "AL2023_x86_64_NVIDIA", "AL2023_ARM_64_NVIDIA", "AL2_x86_64_GPU", "AL2023_GPU", "NVIDIA Bottlerocket variant", "Bottlerocket NVIDIA"},
			Pattern:  `(?i)(?P<image>BOTTLEROCKET_(?:x86_64|ARM_64)_NVIDIA|AL2023_(?:x86_64|ARM_64)_NVIDIA|AL2_x86_64_GPU|AL2023_GPU|NVIDIA Bottlerocket variant|Bottlerocket NVIDIA)`,
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Strong,
			Meaning: "The text names an image (AMI) of EKS with NVIDIA's parts.",
			Causes: causes(
				Cause{
					When: on(Says("gpus: 0", "gpus set to 0", "without a gpu", "without gpus", "non-gpu", "no gpu instance", "cpu instance", "cpu-only instance")), Layer: rule.Application,
					Title:    "The node group has an AMI for GPUs ({image}) on instances without a GPU: the NVIDIA modules cannot load there, and the node does not join",
					Text:     "The NVIDIA variant loads the driver at boot and stops where no GPU is. Driver and cluster are not at fault, but which AMI was chosen for the instance types.",
					Remedies: []Remedy{fix("name the plain AMI type for that node group (Bottlerocket, AL2023), or instance types with a GPU, and make the group anew", "check", "aws eks describe-nodegroup --cluster-name CLUSTER --nodegroup-name GROUP --query nodegroup.[amiType,instanceTypes]")},
				},
				Cause{
					When:     on(Is("image", `(?i)^AL2`), Says("Insufficient nvidia.com/gpu", "nvidia.com/gpu missing", "no nvidia.com/gpu", "not allocate"), Not(Says("device-plugin", "device plugin", "gpu-operator", "gpu operator"))),
					Title:    "The node offers no nvidia.com/gpu: this AMI ({image}) has driver and container toolkit, and not the device plugin, which has to be installed in the cluster",
					Text:     "Amazon Linux images for GPUs leave the device plugin to the cluster (Bottlerocket's NVIDIA variant brings its own). Without it the scheduler knows of no GPU. Taints and a selector that match no node give the same message.",
					Remedies: []Remedy{fix("install the plugin, and see what the node offers", "kubectl", "helm upgrade -i nvdp nvidia-device-plugin --repo https://nvidia.github.io/k8s-device-plugin -n nvidia-device-plugin --create-namespace; kubectl describe nodes | grep -e nvidia.com -e Taints")},
					Ask:      "kubectl get ds -A | grep nvidia; kubectl describe node NODE | grep nvidia.com",
				},
			),
			Samples: []string{"amiType: AL2023_x86_64_NVIDIA", "the group got BOTTLEROCKET_x86_64_NVIDIA"},
			Misses:  []string{"amiType: AL2023_x86_64_STANDARD"},
			Source:  "https://github.com/eksctl-io/eksctl/issues/7897",
		},
		{
			ID: "wsl1-kernel", Product: "WSL",
			Literals: []string{"-Microsoft"},
			Pattern:  `\b(?P<kernel>4\.4\.0-\d{5}-Microsoft)\b`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "The kernel's name is that of WSL 1, which has no kernel of its own.",
			Causes: causes(Cause{
				When:     on(Says("cuda", "nvidia", "gpu")),
				Title:    "This distribution runs under WSL 1 (kernel {kernel}), which has no GPUs: CUDA needs WSL 2",
				Text:     "WSL 1 translates calls to Windows and has no /dev/dxg. Toolkit and driver are not at fault.",
				Remedies: []Remedy{fix("convert the distribution to WSL 2, with the NVIDIA driver of Windows up to date", "powershell", "wsl -l -v; wsl --set-version DISTRIBUTION 2; wsl --update")},
			}),
			Samples: []string{"Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com)"},
			Misses:  []string{"Linux version 5.15.90.1-microsoft-standard-WSL2", "4.4.0-142-generic"},
			Source:  "https://github.com/microsoft/WSL/issues/6122",
		},
		{
			ID: "told-driver-wanted", Product: "NVIDIA driver",
			Literals: []string{"requires driver", "require driver", "needs driver", "need driver", "driver version", "the drivers from", "drivers from", "driver from"},
			Pattern: `(?i)\b(?:updat\w+|upgrad\w+|bump\w*) (?:the |our )?(?:nvidia |gpu )*drivers? from (?P<have>\d{3}(?:\.\d{2,3}){0,2})\b|` +
				`\b(?:requires?|needs?)[^\n.]{0,40}\bdriver (?:version |release )?[^\w\s]{0,2}>= ?(?P<need>\d{3}\.\d{2,3}(?:\.\d{2})?)`,
			Layer: rule.Driver, Role: Context, Strength: Strong,
			Meaning: "Somebody asks for a newer driver, and says from which.",
			Causes: causes(Cause{
				When:     on(Says("update the driver", "updating the driver", "upgrade the driver", "upgrading the driver", "driver could be updated", "more recent", "newer driver", "bump the driver", "driver is too old", "too old"), Any(Has("need"), Has("have"))),
				Title:    "The driver here[ ({have} || {driver})] is too old for the CUDA of the program[: it needs {need} or newer]",
				Text:     "A program's CUDA needs a driver of its time or newer; a newer toolkit or module file on the cluster does not change that. Only the machine's administrator can update it.",
				Remedies: []Remedy{fix("have the driver updated on the nodes (a newer one runs all older CUDA)", "node", "nvidia-smi --query-gpu=name,driver_version --format=csv"), fix("until then use a build of the program for a CUDA that this driver runs")},
			}),
			Samples: []string{"Could you upgrade the drivers from 418 to something newer?", "it requires CUDA 11.8, which requires driver version >= 450.80.02"},
			Misses:  []string{"the driver version is 535.104.05"},
			Source:  "https://github.com/jade-hpc-gpu/jade-hpc-gpu.github.io/issues/88",
		},
	}
}
