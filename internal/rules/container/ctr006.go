package container

import (
	"fmt"
	"slices"

	"strata/internal/rule"
	"strata/internal/stack"
)

var ctr006 = &rule.Rule{
	ID:       "CTR006",
	Slug:     "driver-capabilities-without-compute",
	Layer:    rule.ContainerRuntime,
	Severity: rule.Broken,
	Title:    "NVIDIA_DRIVER_CAPABILITIES leaves CUDA out",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedInside, rule.NeedEnv, rule.NeedNodes.OrAbsent()},
	Since:    "0.1",
	Cites:    []rule.Cite{docsEnv},
	Doc: `NVIDIA_DRIVER_CAPABILITIES says which of the driver's libraries a container gets. "compute" stands for libcuda and
the PTX compiler, "utility" for nvidia-smi and NVML, "video" and "graphics" for theirs. A list without compute gives a container
in which nvidia-smi shows the GPU and every CUDA program says that there is no driver.

Add compute to the list, or set it to all.`,
	Check: func(in *rule.Input) rule.Verdict {
		v, ok := in.Stack.Getenv("NVIDIA_DRIVER_CAPABILITIES")
		if !ok || v.Value == "" || !in.HasGPUNode() {
			return rule.NA()
		}
		list := listed(v.Value)
		if slices.Contains(list, "compute") || slices.Contains(list, "all") {
			return rule.Clean()
		}
		if !in.Stack.Driver.Libraries.Known() {
			return rule.Cannot("whether libcuda is in the container all the same", in.Stack.Driver.Libraries.Allow)
		}
		if in.Libcuda != nil && in.Libcuda.Fault == "" && in.Libcuda.Place != "stubs" {
			return rule.Clean()
		}
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("NVIDIA_DRIVER_CAPABILITIES is %q: the container has the GPU's device files and no libcuda", v.Value),
			Cause:    `Without "compute" the runtime does not mount libcuda.so.1. nvidia-smi may work; CUDA programs find no driver.`,
			Evidence: []stack.Source{v.From},
			Remedies: []rule.Remedy{{
				Summary:  "start the container with compute among the capabilities",
				Layer:    rule.ContainerRuntime,
				Changes:  []stack.Change{stack.SetEnv{Name: "NVIDIA_DRIVER_CAPABILITIES", Value: "compute," + v.Value}, stack.GiveGPU{}},
				Commands: []rule.Command{{For: "docker", Run: fmt.Sprintf("docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,%s IMAGE", v.Value)}},
			}},
		})
	},
}
