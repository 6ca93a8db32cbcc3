package container

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
)

func docker(ctx context.Context, m *machine.Machine) []stack.Engine {
	var list []stack.Engine
	for _, c := range []struct {
		config   string
		snap     bool
		rootless bool
	}{
		{config: "/etc/docker/daemon.json"},
		{config: "/var/snap/docker/current/config/daemon.json", snap: true},
	} {
		if e, ok := dockerConfig(m, c.config); ok {
			e.Snap = c.snap
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		list = installed("docker", program(m, "/usr/bin/dockerd", "/usr/sbin/dockerd", "/usr/local/bin/dockerd"))
	}
	if p := program(m, "/snap/bin/docker", "/snap/docker/current/bin/dockerd"); p != "" && (len(list) == 0 || !list[len(list)-1].Snap) {
		list = append(list, stack.Engine{Name: "docker", Snap: true, From: stack.File(p)})
	}
	for _, home := range homes(ctx, m) {
		if ctx.Err() != nil {
			break
		}
		if e, ok := dockerConfig(m, path.Join(home, ".config/docker/daemon.json")); ok {
			e.Rootless = true
			list = append(list, e)
		}
	}
	return list
}

func dockerConfig(m *machine.Machine, name string) (stack.Engine, bool) {
	e := stack.Engine{Name: "docker", Config: name, From: stack.File(name)}
	data, err := m.ReadFile(name, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return e, false
	}
	if err == nil {
		err = ParseDaemon(data, &e)
	}
	e.Fault = fault(err)
	return e, true
}

// ParseDaemon reads Docker's daemon.json
// (https://docs.docker.com/reference/cli/dockerd/#daemon-configuration-file)
// into an engine. Docker does not start on a broken file, except that it takes
// an empty one for no settings.
func ParseDaemon(data []byte, e *stack.Engine) error {
	var c struct {
		Runtimes map[string]struct {
			Path        string `json:"path"`
			RuntimeType string `json:"runtimeType"`
		} `json:"runtimes"`
		Default  string          `json:"default-runtime"`
		Options  []string        `json:"exec-opts"`
		Features map[string]bool `json:"features"`
	}
	if strings.TrimSpace(string(data)) == "" {
		return nil
	}
	if err := json.Unmarshal(data, &c); err != nil {
		var se *json.SyntaxError
		if errors.As(err, &se) {
			return fmt.Errorf("line %d: %w", 1+strings.Count(string(data[:min(int(se.Offset), len(data))]), "\n"), err)
		}
		return err
	}
	for name, r := range c.Runtimes {
		if name == "nvidia" || isNVIDIA(r.Path) {
			e.NVIDIA = true
		}
	}
	e.Default, e.CDI = c.Default, c.Features["cdi"]
	for _, o := range c.Options {
		if v, ok := strings.CutPrefix(o, "native.cgroupdriver="); ok {
			e.CgroupDriver = v
		}
	}
	return nil
}

// homes are the home directories to look for rootless engines in. Those that
// may not be listed belong to somebody else, and so do their engines.
func homes(ctx context.Context, m *machine.Machine) []string {
	list, _ := collect.Homes(ctx, m, answerTime)
	return list
}

// answerTime is what a directory may take that can be on a network file
// system: one that is gone then costs itself, not the whole collector.
const answerTime = time.Second

// answers tells whether a directory can be read, or be found missing, at all.
func answers(ctx context.Context, m *machine.Machine, dir string) bool {
	return collect.Each(ctx, []string{dir}, answerTime,
		func(_ context.Context, dir string) bool { _, _ = m.ReadDir(dir); return true },
		func(string) bool { return false })[0]
}
