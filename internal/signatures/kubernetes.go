package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const pluginSource = "https://github.com/NVIDIA/k8s-device-plugin"

// kubernetes is what the scheduler and the API server say of pods that ask for GPUs.
func kubernetes() []*Signature {
	return []*Signature{
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
			Source:  "https://github.com/kubernetes/kubernetes/issues/130145",
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
}
