package container

import (
	"strata/internal/rule"
	"strata/internal/stack"
)

var ctr010 = &rule.Rule{
	ID:       "CTR010",
	Slug:     "pod-without-gpu",
	Layer:    rule.ContainerRuntime,
	Severity: rule.Broken,
	Title:    "The Kubernetes pod was given no GPU",
	Scope:    rule.PerMachine,
	Needs: []rule.Need{{Name: "whether this is a pod", Seen: func(in *rule.Input) stack.Seen {
		return in.Stack.Container.Kubernetes.Seen()
	}}, rule.NeedNodes.OrAbsent()},
	After: []string{"CTR007"},
	Since: "0.1",
	Cites: []rule.Cite{
		{Title: "Kubernetes: schedule GPUs", URL: "https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/", Date: "2026-11-30"},
		{Title: "NVIDIA device plugin for Kubernetes", URL: "https://github.com/NVIDIA/k8s-device-plugin", Date: "2026-11-30"},
	},
	Doc: `A pod gets a GPU if a container in it has a limit for nvidia.com/gpu, the node's device plugin hands one out, and the
node's container engine starts the container with the NVIDIA runtime. Without the limit it can land on any node. With it and
still no device file in /dev, the runtime of the node is not the NVIDIA one: it must be the default, or the pod must name it
with runtimeClassName.

Look at the node next: "kubectl describe node" lists nvidia.com/gpu under Allocatable if driver and plugin are well.`,
	Check: func(in *rule.Input) rule.Verdict {
		if !in.Stack.Container.Kubernetes.Value {
			return rule.NA()
		}
		if in.HasGPUNode() {
			return rule.Clean()
		}
		sign := in.ExpectsGPU()
		if sign.Locator == "" {
			return rule.NA()
		}
		return rule.Found(rule.Finding{
			Summary:  "this pod has no GPU device file in /dev, and something in it is built for a GPU",
			Cause:    "Either the container has no limit for nvidia.com/gpu, or the node starts it without the NVIDIA runtime.",
			Evidence: append(append([]stack.Source{stack.From("directory", "/dev", 0, "no nvidia0, no nvidiactl")}, in.Stack.Container.Kubernetes.Sources...), sign),
			Remedies: []rule.Remedy{{
				Summary: "give the container a limit of one GPU, and name the runtime class where NVIDIA's is not the default",
				Layer:   rule.ContainerRuntime,
				Changes: []stack.Change{stack.GiveGPU{}},
				Commands: []rule.Command{
					{For: "kubernetes", Run: "resources: {limits: {nvidia.com/gpu: 1}}"},
					{For: "kubernetes", Run: "runtimeClassName: nvidia"},
				},
			}},
		})
	},
}
