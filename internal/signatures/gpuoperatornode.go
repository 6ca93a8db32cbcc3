package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// gpuOperatorNode is what stands between the operator's pods and the node that they prepare.
func gpuOperatorNode() []*Signature {
	return []*Signature{
		{
			ID: "kubelet-not-shared-mount", Product: "kubernetes",
			Literals: []string{"but it is not a shared mount", "but it is not a shared or slave mount", "is not a shared mount"},
			Pattern:  `path "?(?P<path>/[^"\s]+)"? is mounted on "?(?P<mount>/[^"\s]*)"? but it is not a shared(?: or slave)? mount|is not a shared mount`,
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "A pod wants to pass mounts on, and the node's mount is private.",
			Causes: causes(Cause{
				Title:    "The node's mount {mount} is not shared, so pods that pass on mounts below {path} (the GPU operator's driver, toolkit and validator) do not start",
				Text:     "Bidirectional mount propagation needs a shared mount on the node. systemd makes / shared; LXC, WSL, kind, MicroK8s and snaps, and systems without systemd, do not.",
				Remedies: []Remedy{fix("make the mount shared before the runtime starts, and delete the pod", "node", "sudo mount --make-rshared / && sudo mount --make-rshared {mount}", "check", "findmnt -o TARGET,PROPAGATION {mount}")},
			}),
			Samples: []string{`failed to generate spec: path "/run/nvidia" is mounted on "/run" but it is not a shared mount`},
			Misses:  []string{"the folder is a shared mount"},
			Source:  "https://github.com/NVIDIA/gpu-operator/issues/315",
		},
		{
			ID: "gpuoperator-chroot-driver", Product: "gpu-operator",
			Literals: []string{"chroot: failed to run command 'nvidia-smi'", "/run/nvidia/driver", ".driver-ctr-ready", "Driver is not pre-installed on the host"},
			Pattern:  `chroot: failed to run command ['‘]nvidia-smi['’]|\.driver-ctr-ready['"’]?: No such file|Driver is not pre-installed on the host|/run/nvidia/driver[^\n]{0,40}(?:No such file|not found)`,
			Layer:    rule.Driver, Strength: Usual,
			Meaning: "The operator's validation waits for a driver, of its own container or of the node.",
			Causes: causes(
				Cause{
					When:     on(Says("driver.enabled=false", "driver.enabled: false", "enabled=false", "pre-installed", "preinstalled")),
					Title:    "The GPU operator finds no driver on the node: with driver.enabled=false the node itself must have a working NVIDIA driver",
					Text:     "The validator looks for nvidia-smi of the host (/run/nvidia/driver is the place of the driver container). Some systems (Talos, Flatcar, COS) have it in another path.",
					Remedies: []Remedy{fix("install the driver on the node, or let the operator do it (driver.enabled=true)", "node", "nvidia-smi", "helm", "helm upgrade gpu-operator nvidia/gpu-operator -n gpu-operator --reuse-values --set driver.enabled=true"), fix("where the driver is in another path, set hostPaths.driverInstallDir")},
				},
				Cause{
					Title:    "The GPU operator waits for its driver container, which has not come up on this node",
					Text:     "The log of nvidia-driver-daemonset has the reason: no image for the distribution or kernel, no headers, Secure Boot, nouveau, or a driver of the node in its way. Node labels (nvidia.com/gpu.deploy.driver) can keep the pod away, too.",
					Remedies: []Remedy{fix("read the driver pod's log", "kubectl", "kubectl -n gpu-operator get pods -o wide; kubectl -n gpu-operator logs -l app=nvidia-driver-daemonset --all-containers --tail=80"), fix("or install the driver on the node and set driver.enabled=false")},
					Ask:      "the log of nvidia-driver-daemonset, and nvidia-smi on the node",
				},
			),
			Samples: []string{"chroot: failed to run command 'nvidia-smi': No such file or directory", "stat: cannot statx '/run/nvidia/validations/.driver-ctr-ready': No such file or directory"},
			Misses:  []string{"chroot /run/nvidia/driver nvidia-smi"},
			Source:  "https://github.com/NVIDIA/gpu-operator/issues/531",
		},
	}
}
