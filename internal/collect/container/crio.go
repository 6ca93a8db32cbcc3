package container

import (
	"context"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

func crio(ctx context.Context, m *machine.Machine) []stack.Engine {
	const main, drop = "/etc/crio/crio.conf", "/etc/crio/crio.conf.d"
	c := config{ctx: ctx, m: m, kind: readCRIO}
	// CRI-O reads crio.conf and then the files of crio.conf.d; either may be missing.
	e, ok := c.engine("cri-o", main)
	if !ok && m.Exists(drop) {
		e.Config, e.From, ok = drop, stack.From("directory", drop, 0, ""), true
	}
	if !ok {
		return installed("cri-o", program(m, "/usr/bin/crio", "/usr/local/bin/crio"))
	}
	c.directory(path.Join(drop, "*"), &e, 1)
	e.Fault = c.fault
	e.CDI = true // CRI-O has no switch for it, only cdi_spec_dirs
	return []stack.Engine{e}
}

// readCRIO takes what decides about GPUs from a CRI-O configuration (crio.conf(5)).
func readCRIO(t tree, e *stack.Engine) {
	runtime := t.at("crio", "runtime")
	if d := runtime.text("default_runtime"); d != "" {
		e.Default = d
	}
	if g := runtime.text("cgroup_manager"); g != "" {
		e.CgroupDriver = g
	}
	for name := range runtime.at("runtimes") {
		if name == "nvidia" || isNVIDIA(runtime.at("runtimes", name).text("runtime_path")) {
			e.NVIDIA = true
		}
	}
}

func podman(ctx context.Context, m *machine.Machine) []stack.Engine {
	// Later files override earlier ones (containers.conf(5)).
	const packaged, system = "/usr/share/containers/containers.conf", "/etc/containers/containers.conf"
	p := program(m, "/usr/bin/podman", "/usr/local/bin/podman")
	if p == "" && !m.Exists(system) {
		return nil
	}
	c := config{ctx: ctx, m: m, kind: readPodman}
	e := stack.Engine{Name: "podman", From: stack.File(p)}
	if p == "" {
		e.From = stack.File(system)
	}
	for _, name := range []string{packaged, system} {
		if read, ok := c.engine("podman", name); ok {
			e.Config, e.From = name, stack.File(name)
			merge(&e, read)
		}
	}
	c.directory(system+".d/*.conf", &e, 1)
	e.Fault = c.fault
	e.CDI = true // since podman 4.1, with no switch for it
	for _, hooks := range []string{"/usr/share/containers/oci/hooks.d", "/etc/containers/oci/hooks.d"} {
		name := path.Join(hooks, "oci-nvidia-hook.json")
		if m.Exists(name) {
			e.NVIDIA = true
			e.From = stack.File(name)
		}
	}
	list := []stack.Engine{e}
	for _, home := range homes(ctx, m) {
		c := config{ctx: ctx, m: m, kind: readPodman}
		if r, ok := c.engine("podman", path.Join(home, ".config/containers/containers.conf")); ok && home != "/root" {
			r.Rootless, r.CDI = true, true
			r.NVIDIA = r.NVIDIA || e.NVIDIA
			list = append(list, r)
		}
	}
	return list
}

// readPodman takes what decides about GPUs from a containers.conf.
func readPodman(t tree, e *stack.Engine) {
	engine := t.at("engine")
	if d := engine.text("runtime"); d != "" {
		e.Default = d
	}
	if g := engine.text("cgroup_manager"); g != "" {
		e.CgroupDriver = g
	}
	for name := range engine.at("runtimes") {
		for _, p := range engine.at("runtimes").texts(name) {
			if isNVIDIA(p) || strings.EqualFold(name, "nvidia") {
				e.NVIDIA = true
			}
		}
	}
}

func merge(e *stack.Engine, later stack.Engine) {
	if later.Default != "" {
		e.Default = later.Default
	}
	if later.CgroupDriver != "" {
		e.CgroupDriver = later.CgroupDriver
	}
	e.NVIDIA = e.NVIDIA || later.NVIDIA
}
