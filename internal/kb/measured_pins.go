package kb

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/version"
)

// Release is one final release of a package and what it asks for.
type Release struct {
	Row
	Package  string         `kb:"package,key"`
	Version  version.PEP440 `kb:"version,key"`
	Uploaded string         `kb:"uploaded,required"` // YYYY-MM-DD
	Python   string         `kb:"python"`            // Requires-Python
	Requires Pins           `kb:"requires"`          // the part about the GPU stack
	SHA256   string         `kb:"sha256,required"`   // of the file that says so
}

// Pin is a requirement of a release, as its metadata writes it.
type Pin struct {
	Extra   string // of the requiring package: cuda12; "" where it always holds
	Package string // normal name
	Clauses string // ">=12.4,<13", "" for any version
}

// Specifier returns the versions that satisfy p. Clauses are checked when a base is opened, and parsed here, since a command asks
// for a few of some thousands.
func (p Pin) Specifier() version.Specifier {
	s, _ := version.ParseSpecifier(p.Clauses)
	return s
}

// Pins are the requirements of a release as the table writes them, "nvidia-cublas-cu12==12.4.5.8;[cuda12] jaxlib>=0.4.30", taken apart
// when they are asked for.
type Pins string

// List returns the requirements. The table was checked when it was built or opened; what cannot be read is left out.
func (p Pins) List() []Pin {
	list, _ := p.parse()
	return list
}

func (p Pins) parse() (list []Pin, err error) {
	if p == "" {
		return nil, nil
	}
	for item := range strings.SplitSeq(string(p), ";") {
		var pin Pin
		ok := true
		if rest, extra := strings.CutPrefix(item, "["); extra {
			pin.Extra, item, ok = strings.Cut(rest, "] ")
		}
		i := strings.IndexAny(item, "=<>!~")
		if i < 0 {
			i = len(item)
		}
		if pin.Package, pin.Clauses = item[:i], item[i:]; !ok || pin.Package == "" {
			err = fmt.Errorf("want a requirement, with an extra in brackets before it or without, not %q", item)
			continue
		}
		list = append(list, pin)
	}
	return list, err
}

var releasesOf = csvFile[Release]("measured/pins.csv", checkReleases)

// Release returns release v of pkg as the package index has it.
func (b *Base) Release(pkg string, v version.PEP440) Answer[Release] {
	t := releasesOf.beginning(b, version.NormalName(pkg))
	all := b.Releases(pkg)
	for _, want := range []version.PEP440{v, released(v)} { // a post-release has its own row, a build with a local version has none
		for _, r := range all {
			if r.Version.Compare(want) == 0 {
				return found(b, t, r.Row, r)
			}
		}
	}
	if n := len(all); n > 0 && all[n-1].Version.Less(released(v)) {
		return beyond[Release](t, pkg+" "+v.Public())
	}
	return notFound[Release](t, "%s %s is not in the table", pkg, v.Public())
}

// Releases returns the final releases of pkg since 2023, oldest first; nil for a package that was not read.
func (b *Base) Releases(pkg string) []Release {
	pkg = version.NormalName(pkg)
	rows := releasesOf.beginning(b, pkg).Rows // ordered by package
	is := func(r Release) bool { return r.Package == pkg }
	first := slices.IndexFunc(rows, is)
	if first < 0 {
		return nil
	}
	end := first
	for end < len(rows) && is(rows[end]) {
		end++
	}
	return rows[first:end:end]
}

func checkReleases(_ *Base, t *Table[Release]) (problems []Problem) {
	seen := map[string]bool{}
	for i, r := range t.Rows {
		same := i > 0 && t.Rows[i-1].Package == r.Package
		if !same && seen[r.Package] || same && !t.Rows[i-1].Version.Less(r.Version) {
			problems = append(problems, Problem{t.Name, r.Line, "rows are not in order of package and version, which is how they are searched"})
		}
		seen[r.Package] = true
		pins, err := r.Requires.parse()
		if err != nil {
			problems = append(problems, Problem{t.Name, r.Line, err.Error()})
		}
		for _, p := range pins {
			if p.Package != version.NormalName(p.Package) {
				problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("%q is not the normal name of a package", p.Package)})
			}
			if _, err := version.ParseSpecifier(p.Clauses); err != nil {
				problems = append(problems, Problem{t.Name, r.Line, err.Error()})
			}
		}
	}
	return problems
}
