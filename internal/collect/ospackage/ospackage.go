// Package ospackage reads the distribution's package database (dpkg, rpm,
// pacman) for packages of the GPU stack, and which of them own the libraries
// that other collectors found.
package ospackage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

// Collector fills stack.Packages and the Owner of system libraries and
// toolkits. Its Put must run after those of the collectors that find them.
//
// The list is Known and empty where a database exists and holds no package of
// the GPU stack, and Absent where there is no database that is understood.
var Collector = collect.Collector{Name: "ospackage", Read: read}

func read(ctx context.Context, m *machine.Machine) (collect.Put, error) {
	packages, owners := readAll(ctx, m)
	return func(s *stack.Stack) {
		s.Packages = packages
		fillOwners(s, owners)
	}, ctx.Err()
}

// result is what one database says.
type result struct {
	packages []stack.OSPackage
	owners   owners
	source   stack.Source
	err      error // fs.ErrNotExist where there is no such database
}

func readAll(ctx context.Context, m *machine.Machine) (stack.Fact[[]stack.OSPackage], owners) {
	packages := []stack.OSPackage{}
	all := owners{}
	var sources []stack.Source
	var problem error
	for _, read := range []func(context.Context, *machine.Machine) result{readDpkg, readRPM, readPacman} {
		r := read(ctx, m)
		if errors.Is(r.err, fs.ErrNotExist) {
			continue
		}
		if r.err != nil && problem == nil {
			problem = r.err
		}
		if r.err == nil || len(r.packages) > 0 {
			sources = append(sources, r.source)
		}
		for _, p := range r.packages {
			p.Name, p.Version = version.Token(p.Name), version.Token(p.Version)
			packages = append(packages, p)
		}
		for p, owner := range r.owners {
			name, release, _ := strings.Cut(owner, " ")
			all[p] = strings.TrimSpace(version.Token(name) + " " + version.Token(release))
		}
	}
	switch {
	case len(sources) == 0 && problem == nil:
		return stack.None[[]stack.OSPackage](stack.File(dpkgStatus), stack.File(rpmPaths[0]), stack.File(pacmanLocal)), nil
	case len(sources) == 0:
		return stack.Miss[[]stack.OSPackage](problem, pathOf(problem)), nil
	}
	f := stack.Know(packages, sources...)
	if problem != nil {
		f.Why = fmt.Sprintf("not every package database could be read: %v", problem)
	}
	return f, all
}

func pathOf(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Path
	}
	return "the package database"
}
