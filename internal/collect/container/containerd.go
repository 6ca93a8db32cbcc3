package container

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"

	"strata/internal/machine"
	"strata/internal/stack"
)

const (
	maxImports     = 200 // files read for one engine
	maxImportDepth = 8
)

func containerd(ctx context.Context, m *machine.Machine) []stack.Engine {
	var list []stack.Engine
	for _, name := range []string{
		"/etc/containerd/config.toml",
		// These write their own below their data, and pass over the one in /etc.
		"/var/lib/rancher/k3s/agent/etc/containerd/config.toml",
		"/var/lib/rancher/rke2/agent/etc/containerd/config.toml",
		"/var/snap/microk8s/current/args/containerd.toml",
		"/etc/k0s/containerd.toml",
		"/etc/cri/containerd.toml", // Talos
	} {
		c := config{ctx: ctx, m: m, kind: readContainerd()}
		if e, ok := c.engine("containerd", name); ok {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		list = installed("containerd", program(m, "/usr/bin/containerd", "/usr/local/bin/containerd"))
	}
	return list
}

// readContainerd returns what takes the settings that decide about GPUs from
// one containerd configuration after the other. Later files win, setting by
// setting, as with imports.
//
// The CRI plug-in is called cri in version 1, io.containerd.grpc.v1.cri in
// version 2 and io.containerd.cri.v1.runtime in version 3
// (containerd's docs/cri/config.md).
func readContainerd() func(tree, *stack.Engine) {
	first, counts := true, 0
	return func(t tree, e *stack.Engine) {
		if version, _ := t["version"].(int64); first && version >= 3 {
			e.CDI = true // version 3 is containerd 2's, where CDI is on by default
		}
		first = false
		for _, name := range []string{"cri", "io.containerd.grpc.v1.cri", "io.containerd.cri.v1.runtime"} {
			plugin := t.at("plugins", name)
			if v, ok := plugin["enable_cdi"].(bool); ok {
				e.CDI = v
			}
			readRuntimes(plugin.at("containerd"), e, &counts)
		}
	}
}

// readRuntimes reads the runtimes in name order, so that the answer does not
// change from run to run. The cgroup driver that counts for a GPU is that of
// the nvidia runtime, else of the default one, else of any; counts is how much
// the one found so far does.
func readRuntimes(c tree, e *stack.Engine, counts *int) {
	if d := c.text("default_runtime_name"); d != "" {
		e.Default = d
	}
	for _, name := range slices.Sorted(maps.Keys(c.at("runtimes"))) {
		options := c.at("runtimes", name, "options")
		nvidia := name == "nvidia" || isNVIDIA(options.text("BinaryName"))
		e.NVIDIA = e.NVIDIA || nvidia
		systemd, ok := options["SystemdCgroup"].(bool)
		rank := 1
		switch {
		case nvidia:
			rank = 3
		case name == e.Default, name == "runc" && e.Default == "":
			rank = 2
		}
		if !ok || rank < *counts {
			continue
		}
		*counts, e.CgroupDriver = rank, "cgroupfs"
		if systemd {
			e.CgroupDriver = "systemd"
		}
	}
}

// config reads an engine's TOML configuration with what it imports.
type config struct {
	ctx   context.Context
	m     *machine.Machine
	kind  func(tree, *stack.Engine)
	files int
	fault string
}

// engine reads a configuration that may not exist.
func (c *config) engine(name, file string) (stack.Engine, bool) {
	e := stack.Engine{Name: name, From: stack.File(file)}
	if _, err := c.m.Lstat(file); err != nil && fault(err) == "" {
		return e, false
	}
	c.read(file, &e, 0)
	e.Config, e.Fault = file, c.fault
	return e, true
}

func (c *config) read(name string, e *stack.Engine, depth int) {
	if c.files++; c.files > maxImports || depth > maxImportDepth || c.ctx.Err() != nil {
		c.note(fmt.Sprintf("reading %q: too many imported files", name))
		return
	}
	t, err := readTOML(c.m, name)
	if err != nil {
		c.note(fault(err))
		return
	}
	c.kind(t, e)
	for _, pattern := range t.texts("imports") {
		if !path.IsAbs(pattern) {
			pattern = path.Join(path.Dir(name), pattern)
		}
		c.directory(pattern, e, depth+1)
	}
}

// directory reads all files that match a pattern, in name order.
func (c *config) directory(pattern string, e *stack.Engine, depth int) {
	names, err := c.m.Glob(pattern)
	if err != nil {
		c.note(err.Error())
	}
	for _, n := range names {
		if c.files > maxImports {
			return
		}
		c.read(n, e, depth)
	}
}

// note keeps the first fault: the others mostly follow from it.
func (c *config) note(why string) {
	if c.fault == "" {
		c.fault = why
	}
}
