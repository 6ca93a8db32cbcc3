package device

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

const (
	ownCgroup = "/proc/self/cgroup"
	cgroupV1  = "/sys/fs/cgroup/devices"
	// maxCgroup bounds both files; a container with every GPU has some 60 rules.
	maxCgroup = 256 << 10
	maxRules  = 4096
)

// cgroupRules reads the device rules of the process's own cgroup. Only cgroup
// v1 shows them in a file (kernel documentation, cgroup-v1/devices.rst); v2
// keeps them in a BPF program.
func cgroupRules(m *machine.Machine) stack.Fact[[]string] {
	data, err := m.ReadFile(ownCgroup, maxCgroup)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return stack.Fact[[]string]{}
		}
		return stack.Miss[[]string](err, ownCgroup)
	}
	own, ok := DevicesCgroup(string(data))
	if !ok {
		return stack.Fact[[]string]{Why: "cgroup v2 keeps device rules in a BPF program that no file shows", Sources: []stack.Source{stack.File(ownCgroup)}}
	}
	// In a container the group is mounted as the root of the hierarchy,
	// whatever path the process has in the host's.
	var rules []byte
	name := ""
	for _, dir := range []string{own, "/"} {
		name = path.Join(cgroupV1, dir, "devices.list")
		if rules, err = m.ReadFile(name, maxCgroup); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return stack.Fact[[]string]{Why: "the devices cgroup is not mounted here", Sources: []stack.Source{stack.File(ownCgroup)}}
		}
		return stack.Miss[[]string](err, name)
	}
	var list []string
	for line := range strings.Lines(string(rules)) {
		if line = strings.TrimSpace(line); line != "" && len(list) < maxRules {
			list = append(list, line)
		}
	}
	return stack.Know(list, stack.File(name))
}

// DevicesCgroup finds the path of the devices controller in the text of
// /proc/PID/cgroup (cgroups(7)); false where cgroup v1 does not control devices.
func DevicesCgroup(text string) (string, bool) {
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) != 3 {
			continue
		}
		for c := range strings.SplitSeq(f[1], ",") {
			if c == "devices" {
				return path.Clean("/" + f[2]), true
			}
		}
	}
	return "", false
}
