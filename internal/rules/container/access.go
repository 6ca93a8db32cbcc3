package container

import (
	"path"
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

// expects is the sign that a container is meant to use a GPU; zero where there is none.
func expects(in *rule.Input) stack.Source {
	for _, w := range in.Workloads {
		if w.Framework.Variant.Or("") == "cuda" {
			return stack.From(w.Framework.From.Kind, w.Framework.From.Locator, 0, w.Framework.Package+" "+w.Framework.Version+" is built for CUDA")
		}
	}
	for _, name := range []string{"NVIDIA_VISIBLE_DEVICES", "NVIDIA_REQUIRE_CUDA"} {
		if v, ok := in.Stack.Getenv(name); ok {
			return v.From
		}
	}
	return stack.Source{}
}

// hasWorkload tells whether something here is built for CUDA.
func hasWorkload(in *rule.Input) bool {
	for _, w := range in.Workloads {
		if w.Framework.Variant.Or("") == "cuda" {
			return true
		}
	}
	return false
}

// hasGPU tells whether the container has the device file of a GPU.
func hasGPU(in *rule.Input) bool {
	for _, n := range in.Stack.Devices.Nodes.Value {
		name := path.Base(n.Path)
		if rest, ok := strings.CutPrefix(name, "nvidia"); ok && rest != "" && strings.Trim(rest, "0123456789") == "" {
			return true
		}
		if name == "dxg" || name == "nvmap" { // WSL, Jetson
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
