package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// operatorLabels is about labels of nodes, by which the operator's parts find them, and images that do not exist.
func operatorLabels() []*Signature {
	return []*Signature{
		{
			ID: "told-nfd-labels", Product: "node-feature-discovery",
			Literals: []string{"pci-10de", "nvidia.com/gpu.present", "gpu-feature-discovery", "nfd.enabled", "node-feature-discovery", "nvidia.com/gpu.deploy"},
			Pattern:  `(?i)pci-10de|nvidia\.com/gpu\.(?:present|deploy[\w.-]*)|gpu-feature-discovery|nfd\.enabled|node[- ]feature[- ]discovery`,
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Usual,
			Meaning: "The labels by which GPU nodes are found are named.",
			Causes: causes(Cause{
				When:     on(Says("missing", "no label", "not label", "has no", "does not", "doesn't", "DESIRED 0", "desired 0", "no driver", "not created", "no pods", "nfd.enabled=false", "nothing happens"), Not(Says("NVML", "CrashLoop", "nvidia.com/gpu.present=true", "gpu.present: \"true\""))),
				Title:    "The node has not the labels of a GPU node (feature.node.kubernetes.io/pci-10de.present, nvidia.com/gpu.present): Node Feature Discovery (NFD) or gpu-feature-discovery does not run there",
				Text:     "The operator's daemonsets choose nodes by these labels; without them DESIRED stays 0. NFD has to run (nfd.enabled, or one of the cluster), tolerate the node's taints, and see the PCI device (vendor 10de, class 03 in its whitelist).",
				Remedies: []Remedy{fix("see the labels and NFD's pods, and switch it on", "kubectl", "kubectl get nodes --show-labels | tr , '\\n' | grep -e 10de -e nvidia.com; kubectl get pods -A | grep -i -e nfd -e feature-discovery", "helm", "helm upgrade gpu-operator nvidia/gpu-operator -n gpu-operator --reuse-values --set nfd.enabled=true")},
			}),
			Samples: []string{"the node has no label feature.node.kubernetes.io/pci-10de.present=true", "gpu-feature-discovery does not label my node"},
			Misses:  []string{"feature discovery"},
			Source:  "https://github.com/NVIDIA/gpu-operator",
		},
		{
			ID: "driver-image-missing", Product: "gpu-operator",
			Literals: []string{"nvcr.io/nvidia/driver:", "nvidia/driver:"},
			Pattern:  `(?P<image>(?:nvcr\.io/)?nvidia/driver:(?P<tag>[\w.-]+))"?[^\n]{0,120}(?:not found|manifest unknown|NotFound|ImagePull|ErrImage)|Failed to pull image "?(?P<image>nvcr\.io/nvidia/driver:(?P<tag>[\w.-]+))`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "The image of the driver container does not exist for this release and distribution.",
			Causes: causes(Cause{
				Title:    "There is no driver image {image}: the tag is made of driver.version and the node's distribution, and not every pair was published",
				Text:     "A new distribution release, Debian, or a driver release that is not in the operator's list has none. Precompiled images have the kernel in the tag, too.",
				Remedies: []Remedy{fix("choose a driver.version that exists for this distribution, or install the driver on the nodes and set driver.enabled=false", "helm", "helm upgrade gpu-operator nvidia/gpu-operator -n gpu-operator --reuse-values --set driver.version=VERSION")},
			}),
			Samples: []string{`Failed to pull image "nvcr.io/nvidia/driver:550.54.15-ubuntu24.04": not found`},
			Misses:  []string{`Pulled image "nvcr.io/nvidia/driver:570.124.06-ubuntu22.04"`},
			Source:  "https://catalog.ngc.nvidia.com/orgs/nvidia/containers/driver",
		},
	}
}
