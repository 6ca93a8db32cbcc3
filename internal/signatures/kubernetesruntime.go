package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// kubernetesRuntime is what the kubelet and containerd say of the runtime class nvidia.
func kubernetesRuntime() []*Signature {
	return []*Signature{
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
					Title: "The node's container runtime has no runtime {runtime}: the NVIDIA container toolkit is not installed or not registered there (containerd: /etc/containerd/config.toml)",
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
			Source: "https://github.com/containerd/containerd/blob/main/internal/cri/config/config.go",
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
	}
}
