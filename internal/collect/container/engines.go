package container

import (
	"context"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

// engines lists the container engines of a host that are installed or
// configured. One engine with two configurations (a system's Docker and a
// rootless one) appears twice.
func engines(ctx context.Context, m *machine.Machine) stack.Fact[[]stack.Engine] {
	var list []stack.Engine
	for _, read := range []func(context.Context, *machine.Machine) []stack.Engine{docker, containerd, crio, podman} {
		list = append(list, read(ctx, m)...)
	}
	if len(list) == 0 {
		return stack.None[[]stack.Engine](stack.File("/usr/bin/dockerd"), stack.File("/usr/bin/containerd"), stack.File("/usr/bin/crio"), stack.File("/usr/bin/podman"))
	}
	f := stack.Know(list)
	for _, e := range list {
		f.Sources = append(f.Sources, e.From)
	}
	return f
}

// program returns the first of the paths that exists.
func program(m *machine.Machine, paths ...string) string {
	for _, p := range paths {
		if m.Exists(p) {
			return p
		}
	}
	return ""
}

// isNVIDIA tells whether a runtime's program is the toolkit's, whatever the
// runtime is called.
func isNVIDIA(program string) bool {
	return strings.HasPrefix(path.Base(program), "nvidia-container-runtime")
}

// installed is an engine of which only the program was found.
func installed(name, program string) []stack.Engine {
	if program == "" {
		return nil
	}
	return []stack.Engine{{Name: name, From: stack.File(program)}}
}
