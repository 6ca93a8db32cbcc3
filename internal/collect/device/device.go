// Package device reads what a process could open to reach a GPU: device
// files, their permissions, cgroup device rules and MIG capabilities.
package device

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Collector reads /dev, and what decides about access to it.
var Collector = collect.Collector{Name: "device", Read: read}

func read(ctx context.Context, m *machine.Machine) (collect.Put, error) {
	d := stack.Devices{Nodes: nodes(m), MIG: mig(m), CgroupRules: cgroupRules(m), Modprobe: modprobe(m)}
	d.CharLinks = charLinks(m, d.Nodes.Value)
	d.User = user(m, d.Nodes.Value)
	return func(s *stack.Stack) { s.Devices = d }, ctx.Err()
}

// nodePatterns are the device files of the driver: nvidia-modprobe and udev
// make the first group, the WSL kernel the second, Jetson's kernel the third.
var nodePatterns = []string{
	"nvidia[0-9]*", "nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "nvidia-nvlink", "nvidia-nvswitch*",
	"nvidia-caps/*", "nvidia-caps-imex-channels/*",
	"dxg",
	"nvmap", "nvhost-*", "nvgpu/*/*",
}

// maxNodes is far above a machine of 16 GPUs cut into seven instances each.
const maxNodes = 5000

// nodes lists the driver's device files. None of them is Absent only on a
// machine that runs: an image's /dev is empty until a container starts.
func nodes(m *machine.Machine) stack.Fact[[]stack.DeviceNode] {
	const dev = "/dev"
	if _, err := m.ReadDir(dev); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return stack.Fact[[]stack.DeviceNode]{}
		}
		return stack.Miss[[]stack.DeviceNode](err, dev)
	}
	var list []stack.DeviceNode
	why := ""
	for _, pattern := range nodePatterns {
		found, err := m.Glob(path.Join(dev, pattern))
		if err != nil {
			why = err.Error()
		}
		for _, p := range found {
			if n, ok := node(m, p); ok && len(list) < maxNodes {
				list = append(list, n)
			}
		}
	}
	if len(list) == 0 && why == "" {
		if !m.Live() {
			return stack.Fact[[]stack.DeviceNode]{}
		}
		return stack.None[[]stack.DeviceNode](stack.From("directory", dev, 0, ""))
	}
	f := stack.Know(list, stack.From("directory", dev, 0, ""))
	f.Why = why
	return f
}

func node(m *machine.Machine, p string) (stack.DeviceNode, bool) {
	info, err := m.Stat(p)
	if err != nil || info.IsDir() {
		return stack.DeviceNode{}, false
	}
	n := stack.DeviceNode{Path: p, Mode: uint32(info.Mode().Perm()), From: stack.From("file", p, 0, info.Mode().String())}
	switch {
	case info.Mode()&fs.ModeCharDevice != 0:
		n.Kind = "char"
	case info.Mode().IsRegular():
		n.Kind = "file"
	default:
		n.Kind = "other"
	}
	if o, ok := machine.Owner(info); ok {
		n.Major, n.Minor, n.UID, n.GID = o.Major, o.Minor, o.UID, o.GID
	}
	return n, true
}

// charLinks tells whether each device file has its link under /dev/char.
func charLinks(m *machine.Machine, nodes []stack.DeviceNode) stack.Fact[bool] {
	const dir = "/dev/char"
	any := false
	for _, n := range nodes {
		if n.Kind != "char" || !strings.HasPrefix(path.Base(n.Path), "nvidia") {
			continue
		}
		any = true
		link := path.Join(dir, deviceNumber(n))
		if _, err := m.Lstat(link); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return stack.Know(false, stack.From("link", link, 0, "does not exist"))
			}
			return stack.Miss[bool](err, link)
		}
	}
	if !any {
		return stack.Fact[bool]{}
	}
	return stack.Know(true, stack.From("directory", dir, 0, ""))
}
