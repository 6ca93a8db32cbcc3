package kb

import (
	"slices"

	"strata/internal/version"
)

// ComponentRelease says which CUDA release a version of a component package belongs to.
type ComponentRelease struct {
	Row
	Package string       `kb:"package,key"` // nvidia-cublas-cu12
	Version version.Lib  `kb:"version,key"`
	CUDA    version.CUDA `kb:"cuda,key"`
}

var componentReleases = csvFile("nvidia/cuda_components.csv", reaches[ComponentRelease]("cuda"))

// CUDAOfComponent returns the CUDA releases that version v of a component package belongs to, oldest first: several where the component
// did not change between them, one for most.
func (b *Base) CUDAOfComponent(pkg string, v version.Lib) Answer[[]version.CUDA] {
	name := version.NormalName(pkg)
	t := componentReleases.beginning(b, name)
	var list []version.CUDA
	var row Row
	later := false
	for _, r := range t.Rows { // of each package in order of the CUDA release
		if r.Package != name {
			continue
		}
		later = r.Version.Less(v)
		if r.Version.Compare(v) == 0 {
			list, row = append(list, r.CUDA), r.Row
		}
	}
	switch {
	case list != nil:
		slices.SortFunc(list, version.CUDA.Compare)
		return found(b, t, row, list)
	case later:
		return beyond[[]version.CUDA](t, pkg+" "+v.String())
	}
	return notFound[[]version.CUDA](t, "%s %s belongs to no CUDA release that is known", pkg, v)
}

// ComponentsOf returns the components that CUDA release v consists of.
func (b *Base) ComponentsOf(v version.CUDA) []ComponentRelease {
	var list []ComponentRelease
	for _, r := range componentReleases.in(b).Rows {
		if r.CUDA.Compare(v) == 0 {
			list = append(list, r)
		}
	}
	return list
}
