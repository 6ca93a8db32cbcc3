package kb

import (
	"fmt"
	"regexp"
	"strings"

	"strata/internal/version"
)

// Package is a package that brings a shared library.
type Package struct {
	Name string
	Spec string // what the installer must be told besides the name to get the library: "==13.*"
	CUDA int    // CUDA major release of the library; 0 where it does not depend on it
}

// Ecosystem is where packages come from.
type Ecosystem string

// The ecosystems. NVIDIA's repositories serve Debian and Ubuntu, and RHEL and its relatives.
const (
	PipPackages       Ecosystem = "pip"
	CondaPackages     Ecosystem = "conda"
	DebianPackages    Ecosystem = "debian"
	NVIDIADebPackages Ecosystem = "nvidia-deb"
	NVIDIARPMPackages Ecosystem = "nvidia-rpm"
)

// PackagesOf returns the packages of an ecosystem that bring soname, one for each CUDA major release that has it, or only for the one
// of v where that is given. NVIDIA's repositories have a package for each minor release (libcublas-12-4); it is the one that soname
// names (libnvrtc-builtins.so.12.4), else the one of v, and where neither names a minor release that exists, the one of the table.
func (b *Base) PackagesOf(soname string, v version.CUDA, where Ecosystem) Answer[[]Package] {
	t := sonames.in(b)
	rows := b.Sonames(soname)
	if !rows.Known {
		return Answer[[]Package]{Beyond: rows.Beyond, Why: rows.Why, Ref: rows.Ref}
	}
	if !v.IsZero() && cudaBeyond(t, v) {
		return beyond[[]Package](t, fmt.Sprintf("%s of CUDA %s", soname, v))
	}
	var list []Package
	var row Row
	for _, r := range rows.Value {
		p := Package{Name: r.packageIn(where), CUDA: r.CUDA}
		if p.Name == "" || !v.IsZero() && !r.ofCUDA(v) {
			continue
		}
		switch where {
		case PipPackages:
			p.Spec = r.PipSpec
		case NVIDIADebPackages, NVIDIARPMPackages:
			p.Name = b.ofMinor(p.Name, r.namedBy(soname, v))
		}
		if list == nil {
			row = r.Row
		}
		list = append(list, p)
	}
	if list == nil {
		return notFound[[]Package](t, "no package of %s with %s is known", where, soname)
	}
	return found(b, t, row, list)
}

// ofCUDA reports whether CUDA v has s: all minors of a major release do, unless the toolkits that ship it are named.
func (s Soname) ofCUDA(v version.CUDA) bool {
	if s.CUDA == 0 {
		return true
	}
	if s.CUDA != v.Major() {
		return false
	}
	from, to, isRange := strings.Cut(s.Toolkit, "-")
	if !isRange {
		to = from
	}
	if open, ok := strings.CutSuffix(from, "+"); ok {
		from, to = open, ""
	}
	first, err := version.ParseCUDA(from)
	if err == nil && v.Less(first) && !sameMinor(v, first) {
		return false
	}
	last, err := version.ParseCUDA(to)
	return err != nil || !last.Less(v) || sameMinor(v, last)
}

// packageIn returns the name of the package of an ecosystem that brings s, "" where there is none.
func (s Soname) packageIn(where Ecosystem) string {
	switch where {
	case PipPackages:
		return s.Pip
	case CondaPackages:
		return s.Conda
	case DebianPackages:
		return s.Debian
	case NVIDIADebPackages:
		return s.APT
	case NVIDIARPMPackages:
		return s.RPM
	}
	return ""
}

// namedBy returns the minor release that soname carries in its number where it does, else v.
func (s Soname) namedBy(soname string, v version.CUDA) version.CUDA {
	if _, number, ok := strings.Cut(soname, ".so."); ok && strings.HasSuffix(s.Soname, ".x") {
		if carried, err := version.ParseCUDA(number); err == nil {
			return carried
		}
	}
	return v
}

// toolkitEnd is the end of the name of a package of the toolkit: its release.
var toolkitEnd = regexp.MustCompile(`-\d+-\d+$`)

// ofMinor returns the name of the same package of minor release v, name itself where v names none that exists.
func (b *Base) ofMinor(name string, v version.CUDA) string {
	release := b.CUDARelease(v)
	if !strings.Contains(v.String(), ".") || !release.Known || release.Value.Kind == NeverReleased || !sameMinor(release.Value.Version, v) {
		return name
	}
	return toolkitEnd.ReplaceAllString(name, fmt.Sprintf("-%d-%d", v.Major(), v.Minor()))
}
