package derive

import (
	"path"
	"strings"

	"strata/internal/stack"
)

// HasGPUNode tells whether the device file of a GPU is in /dev: NVIDIA's own,
// /dev/dxg of WSL or /dev/nvmap of a Jetson.
func (v *View) HasGPUNode() bool {
	for _, n := range v.Stack.Devices.Nodes.Value {
		if IsGPUNode(n.Path) {
			return true
		}
		if name := path.Base(n.Path); name == "dxg" || name == "nvmap" {
			return true
		}
	}
	return false
}

// IsGPUNode knows /dev/nvidia0, /dev/nvidia1, …
func IsGPUNode(name string) bool {
	number, ok := strings.CutPrefix(name, "/dev/nvidia")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// ExpectsGPU is the sign that what was read is meant to use a GPU: a build for
// CUDA, or a variable of the container runtime. It is zero where there is none.
func (v *View) ExpectsGPU() stack.Source {
	for _, w := range v.Workloads {
		if w.Framework.Variant.Or("") == "cuda" {
			return stack.From(w.Framework.From.Kind, w.Framework.From.Locator, 0, w.Framework.Package+" "+w.Framework.Version+" is built for CUDA")
		}
	}
	if e, ok := v.Stack.Getenv("NVIDIA_VISIBLE_DEVICES"); ok && !NoDevices(e.Value) {
		return e.From
	}
	if e, ok := v.Stack.Getenv("NVIDIA_REQUIRE_CUDA"); ok {
		return e.From
	}
	return stack.Source{}
}

// NoDevices tells whether a value of NVIDIA_VISIBLE_DEVICES asks for no GPU.
func NoDevices(value string) bool { return value == "" || value == "void" || value == "none" }

// Unasked tells whether this is a container that was given no GPU and in which
// nothing asks for one. It sees the host's /sys and /proc with GPU and kernel
// module all the same, and what is missing for using them is no fault.
func (v *View) Unasked() bool {
	c := v.Stack.Container.Inside
	return c.Known() && v.Stack.Devices.Nodes.State != stack.NotCollected && !v.HasGPUNode() && v.Libcuda == nil && v.ExpectsGPU() == stack.Source{}
}

// containerDrivers are where Kubernetes nodes keep a driver that is meant for
// their containers and not for the host: the GPU operator's driver container
// and the installers of GKE.
var containerDrivers = []string{"/run/nvidia/driver/", "/home/kubernetes/bin/nvidia/", "/var/lib/nvidia/"}

// ContainerDriver is the libcuda of a driver that a Kubernetes node keeps for
// its containers; nil where there is none.
func (v *View) ContainerDriver() *stack.Library {
	for i := range v.Stack.Driver.Libraries.Value {
		l := &v.Stack.Driver.Libraries.Value[i]
		for _, root := range containerDrivers {
			if strings.HasPrefix(l.Path, root) && l.Soname == "libcuda.so.1" && l.Fault == "" {
				return l
			}
		}
	}
	return nil
}
