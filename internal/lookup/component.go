package lookup

import (
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/version"
)

var componentSubject = Subject{
	Name: "component", About: "CUDA component packages", Examples: []string{"nvidia-cublas-cu12 12.4.5.8"},
	aliases: []string{"components"}, find: findComponent, names: componentNames,
}

func componentNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.ComponentRelease](base) {
		if !slices.Contains(names, r.Package) {
			names = append(names, r.Package)
		}
	}
	return names
}

// findComponent takes "nvidia-cublas-cu12 12.4.5.8", with == between them too, or a package alone.
func findComponent(b *builder, name string) error {
	words := strings.Fields(strings.ReplaceAll(name, "==", " "))
	if len(words) == 0 || len(words) > 2 {
		return b.missing(componentNames)
	}
	pkg := version.NormalName(words[0])
	var rows []kb.ComponentRelease
	var versions []string
	for _, r := range kb.Rows[kb.ComponentRelease](b.Base) {
		if r.Package == pkg {
			rows = append(rows, r)
			versions = append(versions, r.Version.String())
		}
	}
	if rows == nil {
		b.Name = words[0]
		return b.missing(componentNames)
	}
	b.Title = pkg
	if len(words) == 1 {
		t := b.table("releases", "Versions by CUDA release", "cuda", "CUDA", "version", "Version")
		for _, r := range rows {
			t.row(r.CUDA, r.Version)
			b.cite(kb.RefTo(b.Base, r))
		}
		return nil
	}
	v, err := version.ParseLib(words[1])
	if err != nil {
		return &NotFoundError{b.Subject, name, "", nearest(words[1], sortVersions(versions), 3)}
	}
	b.Title += " " + v.String()
	list := sortVersions(slices.Clone(versions))
	a := b.CUDAOfComponent(pkg, v)
	switch {
	case a.Beyond:
		return b.beyond(b.Title, a.Why, a.Ref, func(*kb.Base) []string { return list })
	case !a.Known:
		return &NotFoundError{b.Subject, name, a.Why, nearest(v.String(), list, 3)}
	}
	var labels []string
	for _, r := range rows {
		if r.Version.Compare(v) != 0 {
			continue
		}
		b.cite(kb.RefTo(b.Base, r))
		if release := b.CUDARelease(r.CUDA); release.Known && release.Value.Version.Compare(r.CUDA) == 0 {
			labels = append(labels, release.Value.Label)
			b.cite(release.Ref)
		}
	}
	b.field("cuda", "CUDA release", a.Value)
	b.field("labels", "Which is", strings.Join(labels, ", "))
	b.field("min_driver", "Starts from driver", b.floor(a.Value[0]))
	if libs := b.SonamesOfPip(pkg); len(libs) > 0 {
		var names []string
		for _, l := range libs {
			names = append(names, l.Soname)
			b.cite(kb.RefTo(b.Base, l))
		}
		b.field("sonames", "Libraries", names)
	}
	return nil
}

// components adds the packages that CUDA releases consist of, a column for each release.
func (b *builder) components(releases []version.CUDA) {
	columns := []string{"package", "Package"}
	versions := map[string][]any{}
	var order []string
	for _, v := range releases {
		list := b.ComponentsOf(v)
		if len(list) == 0 {
			continue
		}
		columns = append(columns, v.String(), v.String())
		for _, r := range list {
			if versions[r.Package] == nil {
				order = append(order, r.Package)
			}
			for len(versions[r.Package]) < len(columns)/2-2 { // releases without it
				versions[r.Package] = append(versions[r.Package], nil)
			}
			versions[r.Package] = append(versions[r.Package], r.Version)
			b.cite(kb.RefTo(b.Base, r))
		}
	}
	t := b.table("components", "Component packages by release", columns...)
	slices.Sort(order)
	for _, pkg := range order {
		cells := append([]any{pkg}, versions[pkg]...)
		for len(cells) < len(t.Columns) {
			cells = append(cells, nil)
		}
		t.row(cells...)
	}
}
