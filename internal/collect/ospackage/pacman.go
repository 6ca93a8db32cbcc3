package ospackage

import (
	"context"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

const (
	// pacmanLocal has a directory NAME-VERSION-RELEASE for each package.
	pacmanLocal = "/var/lib/pacman/local"
	maxFiles    = 16 << 20
)

func readPacman(ctx context.Context, m *machine.Machine) result {
	r := result{owners: owners{}, source: stack.Source{Kind: "directory", Locator: pacmanLocal}}
	entries, err := m.ReadDir(pacmanLocal)
	r.err = err
	for _, e := range entries {
		name, version, ok := splitPacman(e.Name())
		if !ok || !inStack(name) || ctx.Err() != nil {
			continue
		}
		dir := path.Join(pacmanLocal, e.Name())
		r.packages = append(r.packages, stack.OSPackage{
			Name: name, Version: version, Manager: "pacman", From: stack.Source{Kind: "directory", Locator: dir},
		})
		data, err := m.ReadFile(path.Join(dir, "files"), maxFiles)
		if err != nil {
			continue // the owner stays unknown
		}
		for file := range strings.Lines(string(data)) {
			r.owners.add("/"+strings.TrimSpace(file), name+" "+version)
		}
	}
	return r
}

// splitPacman splits "nvidia-utils-550.67-1" before the last two dashes:
// neither version nor release has one.
func splitPacman(dir string) (name, version string, ok bool) {
	release := strings.LastIndexByte(dir, '-')
	if release <= 0 {
		return "", "", false
	}
	at := strings.LastIndexByte(dir[:release], '-')
	if at <= 0 {
		return "", "", false
	}
	return dir[:at], dir[at+1:], true
}
