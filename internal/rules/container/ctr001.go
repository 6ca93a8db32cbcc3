package container

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/stack"
)

var ctr001 = &rule.Rule{
	ID:       "CTR001",
	Slug:     "container-without-gpu",
	Layer:    rule.ContainerRuntime,
	Severity: rule.Broken,
	Title:    "The container was started without access to a GPU",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedInside, rule.NeedNodes.OrAbsent()},
	After:    []string{"CTR007", "CTR010"},
	Since:    "0.1",
	Cites: []rule.Cite{
		docsInstall,
		{Title: "nvidia-docker issue 399: CUDA driver version is insufficient in a container", URL: "https://github.com/NVIDIA/nvidia-docker/issues/399", Date: "2026-11-30"},
	},
	Doc: `A container sees no GPU unless its start asked for one. Then the device files are missing in /dev, and so are the
driver's libraries, which always come from the host. Programs report that in many words: "Found no NVIDIA driver", "CUDA
driver version is insufficient for CUDA runtime version" (35), "no CUDA-capable device is detected" (100), or nvidia-smi is
"not found". Nothing in the image is at fault, and installing a driver in the image makes it worse.

Start the container with --gpus all (Docker), --device nvidia.com/gpu=all (Podman, CDI) or a GPU resource (Kubernetes). A
container that runs cannot be given one.`,
	Check: func(in *rule.Input) rule.Verdict {
		if in.HasGPUNode() {
			return rule.Clean()
		}
		sign := in.ExpectsGPU()
		if sign.Locator == "" || in.GPUsSeen.State == stack.Known && len(in.GPUs) == 0 {
			return rule.NA() // nobody asks for a GPU, or the host has none, as the bus shows in a container too
		}
		inside := in.Stack.Container.Inside
		name := inside.Value + " container"
		if inside.Value == "unknown" {
			name = "container"
		}
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("this %s has no GPU device file in /dev, and something in it is built for a GPU", name),
			Cause:    "The start of the container did not ask for a GPU, so the runtime added neither device files nor the driver's libraries.",
			Evidence: append(append([]stack.Source{stack.From("directory", "/dev", 0, "no nvidia0, no nvidiactl")}, inside.Sources...), sign),
			Remedies: []rule.Remedy{give(in)},
		})
	},
}
