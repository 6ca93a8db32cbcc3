package container

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

// specDirs are the default directories of the Container Device Interface
// (https://github.com/cncf-tags/container-device-interface).
var specDirs = []string{"/etc/cdi", "/var/run/cdi", "/run/cdi"}

const (
	// maxSpec bounds one specification; one of eight GPUs with MIG has 300 KB.
	maxSpec    = 4 << 20
	maxSpecs   = 200
	maxMissing = 100
	maxDrivers = 20
	maxDevices = 5000
)

// specs reads the CDI specifications of all vendors; a rule picks NVIDIA's.
func specs(ctx context.Context, m *machine.Machine) (stack.Fact[[]stack.CDISpec], []found) {
	var list []stack.CDISpec
	var hooks []found
	var sources []stack.Source
	why := ""
	var denied error
	seen := map[string]bool{}
	for _, dir := range specDirs {
		entries, err := m.ReadDir(dir)
		if err != nil {
			if !machine.IsMissing(err) {
				denied, why = cmp.Or(denied, err), cmp.Or(why, err.Error())
			}
			sources = append(sources, stack.From("directory", dir, 0, ""))
			continue
		}
		// /var/run is mostly a link to /run.
		if real, err := m.Real(dir); err == nil && !seen[real] {
			seen[real] = true
		} else {
			continue
		}
		sources = append(sources, stack.From("directory", dir, 0, ""))
		for _, e := range entries {
			ext := path.Ext(e.Name())
			if e.IsDir() || (ext != ".yaml" && ext != ".yml" && ext != ".json") {
				continue
			}
			if len(list) == maxSpecs || ctx.Err() != nil {
				why = cmp.Or(why, fmt.Sprintf("only the first %d specifications were read", len(list)))
				break
			}
			s, h := spec(m, path.Join(dir, e.Name()))
			list = append(list, s)
			hooks = append(hooks, h...)
		}
	}
	if len(list) == 0 {
		if denied != nil {
			return stack.Miss[[]stack.CDISpec](denied, pathOf(denied)), nil
		}
		// An empty /run of an image says nothing; of a host, that there is none.
		if !m.Live() && !m.Exists("/etc") {
			return stack.Fact[[]stack.CDISpec]{}, nil
		}
		return stack.None[[]stack.CDISpec](sources...), nil
	}
	f := stack.Know(list, sources...)
	f.Why = why
	return f, hooks
}

func pathOf(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Path
	}
	return specDirs[0]
}

func spec(m *machine.Machine, name string) (stack.CDISpec, []found) {
	s := stack.CDISpec{Path: name, From: stack.File(name)}
	data, err := m.ReadFile(name, maxSpec)
	if err != nil {
		s.Fault = fault(err)
		return s, nil
	}
	c, err := ParseCDI(data)
	if err != nil {
		s.Fault = err.Error()
		return s, nil
	}
	s.Kind = c.Kind
	edits := []Edits{c.Edits}
	for _, d := range c.Devices {
		if len(s.Devices) < maxDevices {
			s.Devices = append(s.Devices, d.Name)
		}
		edits = append(edits, d.Edits)
	}
	s.Drivers = drivers(edits)
	s.Missing = missing(m, edits)
	var hooks []found
	if strings.HasPrefix(s.Kind, "nvidia.com/") {
		for _, e := range edits {
			for _, h := range e.Hooks {
				if len(hooks) == 0 && slices.Contains(h.Args, "enable-cuda-compat") {
					hooks = append(hooks, found{"enable-cuda-compat", stack.From("file", name, 0, strings.Join(h.Args, " "))})
				}
			}
		}
	}
	return s, hooks
}

// CDI is the part of a CDI specification that Strata looks at.
type CDI struct {
	Version string `yaml:"cdiVersion" json:"cdiVersion"`
	Kind    string `yaml:"kind" json:"kind"`
	Devices []struct {
		Name  string `yaml:"name" json:"name"`
		Edits Edits  `yaml:"containerEdits" json:"containerEdits"`
	} `yaml:"devices" json:"devices"`
	Edits Edits `yaml:"containerEdits" json:"containerEdits"`
}

// Edits are what a device adds to a container.
type Edits struct {
	Nodes []struct {
		Path     string `yaml:"path" json:"path"`
		HostPath string `yaml:"hostPath" json:"hostPath"`
	} `yaml:"deviceNodes" json:"deviceNodes"`
	Mounts []struct {
		HostPath string `yaml:"hostPath" json:"hostPath"`
	} `yaml:"mounts" json:"mounts"`
	Hooks []struct {
		Path string   `yaml:"path" json:"path"`
		Args []string `yaml:"args" json:"args"`
	} `yaml:"hooks" json:"hooks"`
}

// ParseCDI reads a CDI specification, YAML or JSON.
func ParseCDI(data []byte) (c CDI, err error) {
	if depth(data) > maxDepth {
		return c, fmt.Errorf("decoding a CDI specification: brackets nest deeper than %d", maxDepth)
	}
	// JSON first: the standard decoder is faster and stricter on what claims to be JSON.
	if trimmed := strings.TrimSpace(string(data)); strings.HasPrefix(trimmed, "{") && json.Valid(data) {
		if err := json.Unmarshal(data, &c); err != nil {
			return c, fmt.Errorf("decoding a CDI specification: %w", err)
		}
	} else if err := decodeYAML(data, &c); err != nil {
		return c, fmt.Errorf("decoding a CDI specification: %w", err)
	}
	if c.Kind == "" {
		return c, errors.New("decoding a CDI specification: it has no kind, so no device can be named")
	}
	return c, nil
}

func decodeYAML(data []byte, c *CDI) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("YAML: %v", r)
		}
	}()
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return err
	}
	if n := largestMapping(&doc); n > maxKeys {
		return fmt.Errorf("a mapping of %d keys, more than %d", n, maxKeys)
	}
	return doc.Decode(c)
}

// maxKeys bounds one mapping: the decoder compares each key with each other.
// Those of a CDI specification have five.
const maxKeys = 1000

// largestMapping does not follow aliases, which lead to nodes it sees anyway.
// Nodes nest no deeper than the parser allows.
func largestMapping(n *yaml.Node) int {
	most := 0
	if n.Kind == yaml.MappingNode {
		most = len(n.Content) / 2
	}
	for _, child := range n.Content {
		most = max(most, largestMapping(child))
	}
	return most
}

// drivers are the driver versions that the mounted files are named after.
func drivers(edits []Edits) []version.Driver {
	var list []version.Driver
	for _, e := range edits {
		for _, mount := range e.Mounts {
			v, ok := DriverOf(mount.HostPath)
			if ok && len(list) < maxDrivers && !slices.ContainsFunc(list, func(o version.Driver) bool { return o.String() == v.String() }) {
				list = append(list, v)
			}
		}
	}
	slices.SortFunc(list, version.Driver.Compare)
	return list
}

// DriverOf reads the driver's version out of a path of one of its files:
// …/libcuda.so.535.129.03, /lib/firmware/nvidia/535.129.03/gsp_ga10x.bin.
func DriverOf(name string) (version.Driver, bool) {
	number := ""
	if _, v, ok := strings.Cut(path.Base(name), ".so."); ok {
		number = v
	} else if dir := path.Dir(name); path.Base(path.Dir(dir)) == "nvidia" {
		number = path.Base(dir)
	}
	// A lone number is a soname's; 1.1.1 of libnvidia-egl-gbm is refused as no driver's.
	if !strings.Contains(number, ".") || !strings.Contains(name, "nvidia") && !strings.HasPrefix(path.Base(name), "libcuda") {
		return version.Driver{}, false
	}
	v, err := version.ParseDriver(number)
	return v, err == nil
}

// missing are host paths that are not there. Device files count only where
// the machine runs, files only where there is a system to hold them.
func missing(m *machine.Machine, edits []Edits) []string {
	alive := m.Live()
	if !alive && !m.Exists("/usr/lib") {
		return nil
	}
	var list []string
	seen := map[string]bool{}
	check := func(p string) {
		if !path.IsAbs(p) || seen[p] || len(list) == maxMissing {
			return
		}
		seen[p] = true
		if _, err := m.Stat(p); errors.Is(err, fs.ErrNotExist) {
			list = append(list, p)
		}
	}
	for _, e := range edits {
		for _, n := range e.Nodes {
			if alive && m.Exists("/dev") {
				check(firstOf(n.HostPath, n.Path))
			}
		}
		for _, mount := range e.Mounts {
			if alive || !strings.HasPrefix(mount.HostPath, "/run/") && !strings.HasPrefix(mount.HostPath, "/dev/") {
				check(mount.HostPath)
			}
		}
		for _, h := range e.Hooks {
			check(h.Path)
		}
	}
	return list
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
