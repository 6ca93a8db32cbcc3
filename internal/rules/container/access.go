package container

import (
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
)

// needHost is known on a machine that is not the inside of a container, and
// absent inside one, where the host's configuration cannot be seen.
var needHost = rule.Need{Name: "whether this is the host", Seen: func(in *rule.Input) stack.Seen {
	seen := in.Stack.Container.Inside.Seen()
	switch seen.State {
	case stack.Known:
		seen.State = stack.Absent
	case stack.Absent:
		seen.State = stack.Known
	}
	return seen
}}

// hasWorkload tells whether something here is built for CUDA.
func hasWorkload(in *rule.Input) bool {
	for _, w := range in.Workloads {
		if w.Framework.Variant.Or("") == "cuda" {
			return true
		}
	}
	return false
}

// give starts the container again with access to the GPUs.
func give(in *rule.Input) rule.Remedy {
	r := rule.Remedy{
		Summary: "start the container again with access to the GPUs",
		Layer:   rule.ContainerRuntime,
		Changes: []stack.Change{stack.GiveGPU{}},
	}
	switch engine := in.Stack.Container.Inside.Or(""); engine {
	case "podman":
		r.Commands = []rule.Command{{For: "podman", Run: "podman run --device nvidia.com/gpu=all IMAGE"}}
	case "docker":
		r.Commands = []rule.Command{{For: "docker", Run: "docker run --gpus all IMAGE"}}
	case "singularity":
		r.Commands = []rule.Command{{For: "singularity", Run: "singularity exec --nv …"}}
	default:
		r.Commands = []rule.Command{{For: "docker", Run: "docker run --gpus all IMAGE"}, {For: "podman", Run: "podman run --device nvidia.com/gpu=all IMAGE"}}
	}
	return r
}

// listed are items of a comma list.
func listed(value string) []string {
	var out []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

var (
	docsInstall = rule.Cite{Title: "NVIDIA Container Toolkit: installation and configuration", URL: "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/install-guide.html", Date: "2026-11-30"}
	docsEnv     = rule.Cite{Title: "NVIDIA Container Toolkit: environment variables of a container", URL: "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html", Date: "2026-11-30"}
	docsCDI     = rule.Cite{Title: "NVIDIA Container Toolkit: support for the Container Device Interface", URL: "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/cdi-support.html", Date: "2026-11-30"}
	docsTrouble = rule.Cite{Title: "NVIDIA Container Toolkit: troubleshooting", URL: "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/troubleshooting.html", Date: "2026-11-30"}
)
