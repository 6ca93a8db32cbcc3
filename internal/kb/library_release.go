package kb

import (
	"fmt"

	"strata/internal/version"
)

// LibraryRelease is one release of a library that NVIDIA publishes apart from the toolkit, built for one CUDA major release.
type LibraryRelease struct {
	Row
	Component string      `kb:"component,required,key"` // as in [Soname]: "nccl"
	Version   version.Lib `kb:"version,required,key"`
	CUDAMajor int         `kb:"cuda_major,key"` // 0: not known
	Date      string      `kb:"date"`           // first upload, or of the release notes; YYYY-MM or YYYY-MM-DD
	// Tested are the toolkits that the release notes name, which do not exclude others of the same major release.
	Tested []version.CUDA `kb:"tested_cuda"`
	// CCMin and CCMax are the oldest and the newest architecture that the build has code for; zero where that is not known. For
	// cuDNN and TensorRT see [Base.CUDNN] and [Base.TensorRT].
	CCMin     version.ComputeCapability `kb:"cc_min"`
	CCMax     version.ComputeCapability `kb:"cc_max"`
	Platforms []string                  `kb:"platforms"` // of the wheels: "linux-x86_64"
	Glibc     version.Glibc             `kb:"glibc"`     // floor by the tag of the wheel for Linux x86_64
	Pip       string                    `kb:"pip"`       // distribution
	Note      string                    `kb:"note"`
}

var libraryReleases = csvFile("nvidia/library_releases.csv", reaches[LibraryRelease]("nccl", "nvshmem", "cusparselt", "cudnn", "tensorrt"), checkLibraryReleases)

// LibraryReleases returns the releases of a component for a CUDA major release, oldest first.
func (b *Base) LibraryReleases(component string, cudaMajor int) Answer[[]LibraryRelease] {
	t := libraryReleases.in(b)
	var list []LibraryRelease
	for _, r := range t.Rows {
		if r.Component == component && r.CUDAMajor == cudaMajor {
			list = append(list, r)
		}
	}
	if list == nil {
		return notFound[[]LibraryRelease](t, "no release of %q is known for CUDA %d", component, cudaMajor)
	}
	return found(b, t, list[0].Row, list)
}

// LibraryRelease returns release v of a component for a CUDA major release. Of a version with fewer numbers ("9.27") it is the newest
// release that starts with them.
func (b *Base) LibraryRelease(component string, v version.Lib, cudaMajor int) Answer[LibraryRelease] {
	t := libraryReleases.in(b)
	if v.IsZero() {
		return notFound[LibraryRelease](t, "no version of %s given", component)
	}
	var best *LibraryRelease
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.Component != component || r.CUDAMajor != cudaMajor {
			continue
		}
		if r.Version.Compare(v) == 0 {
			return found(b, t, r.Row, *r)
		}
		if r.Version.HasPrefix(v) {
			best = r
		}
	}
	if best != nil {
		return found(b, t, best.Row, *best)
	}
	if limit, err := version.ParseLib(t.limit(component)); err == nil && limit.Less(v) {
		return beyond[LibraryRelease](t, component+" "+v.String())
	}
	return notFound[LibraryRelease](t, "no %s %s for CUDA %d is known", component, v, cudaMajor)
}

// checkLibraryReleases reports rows that are out of order, that the horizon or sonames.csv does not reach, and releases that the
// tables of their own component say nothing about.
func checkLibraryReleases(b *Base, t *Table[LibraryRelease]) (problems []Problem) {
	report := func(r LibraryRelease, format string, args ...any) {
		problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf(format, args...)})
	}
	ended := map[string]bool{}
	for i, r := range t.Rows {
		if i > 0 {
			switch before := t.Rows[i-1]; {
			case before.Component != r.Component:
				ended[before.Component] = true
			case r.Version.Less(before.Version):
				report(r, "is older than the row before")
			}
		}
		if ended[r.Component] {
			report(r, "%s has rows above another component's", r.Component)
		}
		if limit, err := version.ParseLib(t.limit(r.Component)); err != nil || limit.Less(r.Version) {
			report(r, "%s %s is behind the horizon", r.Component, r.Version)
		}
		if !r.CCMax.IsZero() && r.CCMax.Less(r.CCMin) {
			report(r, "cc_max is older than cc_min")
		}
		for _, cc := range []version.ComputeCapability{r.CCMin, r.CCMax} {
			if !cc.IsZero() && !b.Arch(cc).Known {
				report(r, "architectures.csv has no compute capability %s", cc)
			}
		}
		if r.CUDAMajor == 0 {
			continue
		}
		if !b.SonamesOf(r.Component, r.CUDAMajor).Known {
			report(r, "sonames.csv has no library of %s for CUDA %d", r.Component, r.CUDAMajor)
		}
		if r.Component == "cudnn" && !b.CUDNN(r.Version, r.CUDAMajor).Known {
			report(r, "cudnn.csv has no row for it")
		}
		if r.Component == "tensorrt" && !b.TensorRT(r.Version, r.CUDAMajor).Known {
			report(r, "tensorrt.csv has no row for it")
		}
	}
	return problems
}
