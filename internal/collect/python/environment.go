package python

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
)

// look tells whether a directory is an environment, and describes it: one for
// each Python version it holds. Conda's named environments and, where the
// candidate asks for it, directories below are looked at as well.
func look(ctx context.Context, m *machine.Machine, c candidate) ([]stack.Environment, error) {
	real, err := m.Real(c.prefix)
	if err == nil {
		var info fs.FileInfo
		if info, err = m.Stat(real); err == nil && !info.IsDir() {
			return nil, nil
		}
	}
	if err != nil {
		switch {
		case c.sure && !errors.Is(err, fs.ErrNotExist):
			return []stack.Environment{unreadable(c, err)}, nil
		case machine.IsMissing(err), errors.Is(err, fs.ErrPermission), errors.Is(err, machine.ErrLinkLoop):
			return nil, nil // guessed places need not exist, nor be ours, nor make sense
		}
		return nil, err
	}
	if c.kind == "user" {
		return userSite(m, c, real), nil
	}
	if c.kind == "system" {
		return system(m, c, real), nil
	}
	if real == "/usr" || real == "/usr/local" {
		return nil, nil // found as system
	}
	if cfg, err := readVenvConfig(m, path.Join(real, "pyvenv.cfg")); err == nil {
		return []stack.Environment{venv(m, c, real, cfg)}, nil
	} else if !machine.IsMissing(err) {
		e := skeleton(m, c, real, "venv")
		e.Packages = stack.Miss[[]stack.Package](err, path.Join(real, "pyvenv.cfg"))
		e.Python = stack.Miss[string](err, path.Join(real, "pyvenv.cfg"))
		e.Site = siteOf(real, versions(m, path.Join(real, "lib")))
		return []stack.Environment{e}, nil
	}
	if _, err := m.Lstat(path.Join(real, "conda-meta")); err == nil {
		return conda(ctx, m, c, real)
	}
	if envs := plain(m, c, real); len(envs) > 0 {
		return envs, nil
	}
	if c.depth == 0 {
		return nil, nil
	}
	return children(ctx, m, c, real)
}

// children looks one level below a directory that is no environment itself.
func children(ctx context.Context, m *machine.Machine, c candidate, real string) ([]stack.Environment, error) {
	dirs, err := collect.Subdirectories(m, real, maxChildren)
	if errors.Is(err, fs.ErrPermission) {
		err = nil
	}
	var all []stack.Environment
	for _, d := range dirs {
		if ctx.Err() != nil {
			return all, errors.Join(err, ctx.Err())
		}
		envs, lerr := look(ctx, m, candidate{prefix: d, kind: c.kind, depth: c.depth - 1, from: stack.From("directory", d, 0, "")})
		all = append(all, envs...)
		err = errors.Join(err, lerr)
	}
	return all, err
}

// skeleton is an environment without packages.
func skeleton(m *machine.Machine, c candidate, prefix, kind string) stack.Environment {
	e := stack.Environment{Prefix: prefix, Kind: kind, Interpreter: c.interpreter, From: c.from}
	if c.kind != "" && c.kind != "system" {
		e.Kind = c.kind
	}
	if e.Interpreter == "" {
		for _, name := range []string{"bin/python3", "bin/python"} {
			// Lstat: the interpreter of a venv is a link that may lead out of an image root.
			if _, err := m.Lstat(path.Join(prefix, name)); err == nil {
				e.Interpreter = path.Join(prefix, name)
				break
			}
		}
	}
	e.Executable = executable(m, e.Interpreter)
	return e
}

// executable follows the links of an interpreter.
func executable(m *machine.Machine, name string) stack.Fact[string] {
	if name == "" {
		return stack.Fact[string]{}
	}
	real, err := m.Real(name)
	if err != nil {
		return stack.Miss[string](err, name)
	}
	return stack.Know(real, stack.From("link", name, 0, real))
}

// plain is an interpreter's own prefix: pyenv, uv's Pythons, one built from source.
func plain(m *machine.Machine, c candidate, real string) []stack.Environment {
	var all []stack.Environment
	for _, v := range versions(m, path.Join(real, "lib")) {
		site := siteOf(real, []string{v})[0]
		if !m.Exists(site) {
			continue
		}
		kind := "system"
		if strings.Contains(real, "/.pyenv/") {
			kind = "pyenv"
		}
		e := skeleton(m, c, real, kind)
		e.Python = pythonVersion(m, real, v)
		e.Site = []string{site}
		all = append(all, e)
	}
	return all
}

// venv describes an environment made by venv, virtualenv or uv.
func venv(m *machine.Machine, c candidate, real string, cfg venvConfig) stack.Environment {
	e := skeleton(m, c, real, "venv")
	e.Base = cfg.base()
	have := versions(m, path.Join(real, "lib"))
	if v := minorOf(cfg.version); slices.Contains(have, v) {
		have = []string{v}
	}
	e.Site = siteOf(real, have)
	if len(have) > 0 {
		// Fedora's Python splits compiled packages off; lib64 is a link in a venv of any other.
		if lib64 := path.Join(real, "lib64/python"+have[0]+"/site-packages"); m.Exists(lib64) {
			if r, err := m.Real(lib64); err == nil && !slices.Contains(e.Site, r) {
				e.Site = append(e.Site, lib64)
			}
		}
	}
	switch {
	case cfg.version != "":
		e.Python = stack.Know(cfg.version, cfg.versionFrom)
	case len(have) > 0:
		e.Python = pythonVersion(m, real, have[0])
	}
	if cfg.systemSite && len(have) > 0 && e.Base != "" {
		e.Site = append(e.Site, baseSites(m, e.Base, have[0])...)
	}
	return e
}

// baseSites are the package directories of the interpreter a venv was made from.
func baseSites(m *machine.Machine, base, minor string) []string {
	if base == "/usr" || base == "/usr/local" {
		return systemSites(m, base, minor)
	}
	return existing(m, siteOf(base, []string{minor}))
}

// versions lists the X.Y of a lib directory's pythonX.Y, oldest first; a
// free-threaded build's ends in t (3.13t).
func versions(m *machine.Machine, lib string) []string {
	entries, _ := m.ReadDir(lib) // a directory that cannot be listed holds no Python we could read
	var list []string
	for _, e := range entries {
		v, ok := strings.CutPrefix(e.Name(), "python3.")
		if digits := strings.TrimSuffix(v, "t"); ok && digits != "" && strings.Trim(digits, "0123456789") == "" && len(digits) < 4 {
			list = append(list, "3."+v)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return minorNumber(a) - minorNumber(b) })
	return list
}

func minorNumber(v string) int {
	n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(v, "3."), "t")) // versions checked it
	return n
}

func siteOf(prefix string, minors []string) []string {
	var list []string
	for _, v := range minors {
		list = append(list, path.Join(prefix, "lib/python"+v+"/site-packages"))
	}
	return list
}

func existing(m *machine.Machine, dirs []string) []string {
	var list []string
	for _, d := range dirs {
		if m.Exists(d) {
			list = append(list, d)
		}
	}
	return list
}
