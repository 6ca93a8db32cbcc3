package device

import (
	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

// Names of NVIDIA's device files.
const (
	control = "/dev/nvidiactl"
	uvm     = "/dev/nvidia-uvm"
)

func node(in *rule.Input, name string) (stack.DeviceNode, bool) {
	for _, n := range in.Stack.Devices.Nodes.Value {
		if n.Path == name {
			return n, true
		}
	}
	return stack.DeviceNode{}, false
}

// gpuNodes are /dev/nvidia0, /dev/nvidia1, …
func gpuNodes(in *rule.Input) []stack.DeviceNode {
	var out []stack.DeviceNode
	for _, n := range in.Stack.Devices.Nodes.Value {
		if derive.IsGPUNode(n.Path) {
			out = append(out, n)
		}
	}
	return out
}

// native tells whether NVIDIA's own device files belong on this machine: WSL
// has /dev/dxg and a Jetson those of its own kernel driver.
func native(in *rule.Input) bool {
	return !in.Stack.OS.WSL.Or(false) && !in.Stack.OS.Jetson.Known()
}

// onDemand tells whether the first CUDA program makes what is missing: on a
// host, as root or through the set-uid helper nvidia-modprobe. known is false
// where that could not be found out.
func onDemand(in *rule.Input) (yes, known bool) {
	inside, user, helper := in.Stack.Container.Inside, in.Stack.Devices.User, in.Stack.Devices.Modprobe
	switch {
	case inside.Known():
		return false, true
	case inside.State != stack.Absent:
		return false, false
	case helper.Or(false), user.Known() && user.Value.UID == 0:
		return true, true
	}
	return false, user.Known() && helper.Known()
}

// whoMakes is the answer where onDemand is not known.
func whoMakes(in *rule.Input, what string) rule.Verdict {
	return rule.Cannot(what+", and whether the first CUDA program could make it is not known", in.Stack.Devices.Modprobe.Allow)
}

// give starts the container with GPU access.
func give(summary string) rule.Remedy {
	return rule.Remedy{
		Summary: summary, Layer: rule.ContainerRuntime,
		Changes: []stack.Change{stack.GiveGPU{}}, Commands: remedy.Shell("docker run --gpus all IMAGE"),
	}
}

// The sources that most rules of this layer rest on.
var (
	citeModprobe = rule.Cite{Title: "nvidia-modprobe", URL: "https://github.com/NVIDIA/nvidia-modprobe", Date: "2026-11-30"}
	citeEnv      = rule.Cite{Title: "CUDA Programming Guide: environment variables", URL: "https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/environment-variables.html", Date: "2026-11-30"}
	citeMIG      = rule.Cite{Title: "NVIDIA Multi-Instance GPU User Guide", URL: "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/index.html", Date: "2026-11-30"}
	citeWSL      = rule.Cite{Title: "CUDA on WSL User Guide", URL: "https://docs.nvidia.com/cuda/wsl-user-guide/index.html", Date: "2026-11-30"}
	citeToolkit  = rule.Cite{Title: "NVIDIA Container Toolkit: troubleshooting", URL: "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/troubleshooting.html", Date: "2026-11-30"}
	citeCgroup   = rule.Cite{Title: "Linux kernel: device whitelist controller", URL: "https://docs.kernel.org/admin-guide/cgroup-v1/devices.html", Date: "2026-11-30"}
)
