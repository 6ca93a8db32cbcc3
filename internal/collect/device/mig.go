package device

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

const (
	capabilities = "/proc/driver/nvidia/capabilities"
	maxAccess    = 4096 // an access file has three short lines
	maxInstances = 2000 // seven of each GPU, and sixteen GPUs, are 112
)

// mig lists the compute instances of GPUs in MIG mode, after the driver's
// capability files (MIG user guide, "Device Nodes and Capabilities").
func mig(m *machine.Machine) stack.Fact[[]stack.MIGInstance] {
	src := stack.From("directory", capabilities, 0, "")
	if _, err := m.ReadDir(capabilities); err != nil {
		switch {
		case !errors.Is(err, fs.ErrNotExist):
			return stack.Miss[[]stack.MIGInstance](err, capabilities)
		case m.Live():
			return stack.None[[]stack.MIGInstance](src)
		}
		return stack.Fact[[]stack.MIGInstance]{}
	}
	files, err := m.Glob(path.Join(capabilities, "gpu*/mig/gi*/ci*/access"))
	why := ""
	if err != nil {
		why = err.Error()
	}
	var list []stack.MIGInstance
	for _, f := range files {
		if len(list) == maxInstances {
			why = fmt.Sprintf("more than %d MIG instances, the others were not read", maxInstances)
			break
		}
		data, err := m.ReadFile(f, maxAccess)
		if err != nil {
			why = err.Error()
			continue
		}
		i, err := ParseAccess(f, data)
		if err != nil {
			why = err.Error()
			continue
		}
		list = append(list, i)
	}
	switch {
	case len(list) == 0 && why != "":
		return stack.Broken[[]stack.MIGInstance](why, src)
	case len(list) == 0:
		return stack.None[[]stack.MIGInstance](src)
	}
	f := stack.Know(list, src)
	f.Why = why
	return f
}

// ParseAccess reads one access file of a compute instance; its path tells
// which one: …/gpu0/mig/gi1/ci0/access.
func ParseAccess(name string, data []byte) (stack.MIGInstance, error) {
	parts := strings.Split(strings.TrimPrefix(name, capabilities+"/"), "/")
	if len(parts) != 5 {
		return stack.MIGInstance{}, fmt.Errorf("reading %q: not the access file of a compute instance", name)
	}
	gpu, err := strconv.Atoi(strings.TrimPrefix(parts[0], "gpu"))
	if err != nil {
		return stack.MIGInstance{}, fmt.Errorf("reading %q: the GPU's number: %w", name, err)
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		key, value, _ := strings.Cut(line, ":")
		if strings.TrimSpace(key) != "DeviceFileMinor" {
			continue
		}
		minor, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil {
			return stack.MIGInstance{}, fmt.Errorf("reading %q: DeviceFileMinor: %w", name, err)
		}
		return stack.MIGInstance{
			GPU: gpu, Instance: parts[2] + "/" + parts[3], Minor: minor, From: stack.Line(name, number, strings.TrimSpace(line)),
		}, nil
	}
	return stack.MIGInstance{}, fmt.Errorf("reading %q: no DeviceFileMinor in it", name)
}
