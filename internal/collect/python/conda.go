package python

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

// conda describes a conda environment, and, if it is an installation of conda,
// the named environments inside.
func conda(ctx context.Context, m *machine.Machine, c candidate, real string) ([]stack.Environment, error) {
	c.kind = "conda"
	e := skeleton(m, c, real, "conda")
	have := versions(m, path.Join(real, "lib"))
	if v, from, ok := condaPython(m, real); ok {
		e.Python = stack.Know(v, from)
		if slices.Contains(have, minorOf(v)) {
			have = []string{minorOf(v)}
		}
	} else if len(have) > 0 {
		e.Python = pythonVersion(m, real, have[len(have)-1])
	}
	e.Site = siteOf(real, have)
	all := []stack.Environment{e}
	named, err := collect.Subdirectories(m, path.Join(real, "envs"), maxChildren)
	for _, dir := range named {
		if ctx.Err() != nil {
			return all, errors.Join(err, ctx.Err())
		}
		if r, rerr := m.Real(dir); rerr != nil || r == real {
			continue
		}
		if _, lerr := m.Lstat(path.Join(dir, "conda-meta")); lerr != nil {
			continue
		}
		inner, ierr := look(ctx, m, candidate{prefix: dir, kind: "conda", from: stack.From("directory", dir, 0, "")})
		all = append(all, inner...)
		err = errors.Join(err, ierr)
	}
	return all, err
}

// condaPython reads Python's version from the name of its record.
func condaPython(m *machine.Machine, prefix string) (string, stack.Source, bool) {
	entries, _ := m.ReadDir(path.Join(prefix, "conda-meta")) // a listing cut short still holds most names
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), "python-3") {
			continue
		}
		if name, v, _, ok := parseCondaRecord(entry.Name()); ok && name == "python" && release(v) != "" {
			return release(v), stack.File(path.Join(prefix, "conda-meta", entry.Name())), true
		}
	}
	return "", stack.Source{}, false
}

// condaList reads ~/.conda/environments.txt, one prefix a line.
func condaList(m *machine.Machine, name string) ([]candidate, error) {
	data, err := m.ReadFile(name, 1<<20)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", name, cause(err))
	}
	var list []candidate
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line = strings.TrimSpace(line)
		if path.IsAbs(line) && len(list) < maxChildren {
			list = append(list, candidate{prefix: path.Clean(line), kind: "conda", from: stack.Line(name, n, line)})
		}
	}
	return list, nil
}

// readConda adds the records of conda-meta. What is both a conda package and a
// dist-info of the same name and version becomes one package, conda's.
func (r *reading) readConda(dir string) {
	entries, err := r.m.ReadDir(dir)
	if err != nil {
		r.miss(fmt.Errorf("listing %q: %w", dir, cause(err)))
	}
	byName := make(map[string]int, len(r.packages))
	for i, p := range r.packages {
		byName[p.Name] = i
	}
	for _, entry := range entries {
		raw, release, build, ok := parseCondaRecord(entry.Name())
		if !ok {
			continue
		}
		name := version.NormalName(version.Token(raw))
		release = version.Token(release)
		// PyTorch is "pytorch" to conda and "torch" to Python.
		for _, python := range []string{name, strings.TrimPrefix(name, "py")} {
			if i, ok := byName[python]; ok && sameRelease(r.packages[i].Version, release) && r.packages[i].Manager == "pip" {
				r.packages[i].Manager, r.packages[i].Build = "conda", build
			}
		}
		if i, ok := byName[name]; ok && r.packages[i].Manager == "conda" && r.packages[i].Build == build {
			continue
		}
		r.packages = append(r.packages, stack.Package{
			Name: name, Version: release, Build: build, Manager: "conda", From: stack.File(path.Join(dir, entry.Name())),
		})
	}
}

// sameRelease compares a dist-info's version with conda's, which has no local label.
func sameRelease(pip, conda string) bool {
	public, _, _ := strings.Cut(pip, "+")
	return public == conda
}

// parseCondaRecord splits NAME-VERSION-BUILD.json; names may hold hyphens,
// versions and builds cannot (CEP 26).
func parseCondaRecord(file string) (name, version, build string, ok bool) {
	stem, ok := strings.CutSuffix(file, ".json")
	if !ok {
		return "", "", "", false
	}
	stem = strings.ToValidUTF8(stem, "\uFFFD")
	i := strings.LastIndexByte(stem, '-')
	if i <= 0 {
		return "", "", "", false
	}
	build, stem = stem[i+1:], stem[:i]
	if i = strings.LastIndexByte(stem, '-'); i <= 0 {
		return "", "", "", false
	}
	return stem[:i], stem[i+1:], build, build != "" && i+1 < len(stem)
}
