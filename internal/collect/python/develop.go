package python

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
	"strata/internal/version"
)

// readEggLink adds a package that setup.py develop left where its sources are,
// as PyTorch and many of its extensions are built. NAME.egg-link holds the
// directory, whose NAME.egg-info has the metadata
// (https://setuptools.pypa.io/en/latest/deprecated/python_eggs.html).
func (r *reading) readEggLink(site, stem string) {
	link := path.Join(site, stem+".egg-link")
	data, err := r.m.ReadFile(link, maxSmall)
	if err != nil {
		r.miss(fmt.Errorf("reading %q: %w", link, cause(err)))
		return
	}
	dir := eggLinkDir(site, string(data))
	p := stack.Package{Name: version.NormalName(strings.ToValidUTF8(stem, "\uFFFD")), Manager: "egg", SourceTree: dir, From: stack.File(link)}
	if dir == "" {
		r.miss(fmt.Errorf("reading %q: its first line names no directory", link))
	} else if Matters(p.Name) {
		r.readEggInfo(dir, &p)
	}
	r.packages = append(r.packages, p)
}

// eggLinkDir reads the first line of an egg-link; a relative one is seen from
// the site directory.
func eggLinkDir(site, text string) string {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(strings.ToValidUTF8(line, "\uFFFD"))
	switch {
	case line == "" || strings.ContainsRune(line, 0):
		return ""
	case path.IsAbs(line):
		return path.Clean(line)
	}
	return path.Join(site, line)
}

func (r *reading) readEggInfo(dir string, p *stack.Package) {
	for _, name := range []string{strings.ReplaceAll(p.Name, "-", "_"), p.Name} {
		info := path.Join(dir, name+".egg-info", "PKG-INFO")
		md, err := readMetadata(r.m, info)
		if machine.IsMissing(err) {
			continue
		}
		if err != nil {
			r.miss(fmt.Errorf("reading %q: %w", info, cause(err)))
			return
		}
		p.Version, p.Requires, p.Python = md.version, md.requires, md.python
		return
	}
	r.miss(fmt.Errorf("reading %q: no %s.egg-info, so its version is not known", dir, p.Name))
}

// layout tells where the modules of a source directory are: in it, or in the
// src below it that many projects have.
func layout(m *machine.Machine, dir, name string) string {
	if dir == "" {
		return ""
	}
	if src := path.Join(dir, "src"); m.Exists(path.Join(src, strings.ReplaceAll(name, "-", "_"))) {
		return src
	}
	return dir
}
