package kb

import (
	"strings"

	"strata/internal/version"
)

// CUDARelease is one release of the CUDA toolkit.
//
// The third number is the update for most releases. Before 11.0 and since 13.4 it is a build number, and 11.0.1 was a release candidate.
type CUDARelease struct {
	Row
	Version version.CUDA `kb:"version,key"`
	Label   string       `kb:"label,required"` // "CUDA 12.4 Update 1"
	Kind    ReleaseKind  `kb:"kind,required"`
	Date    string       `kb:"date"` // YYYY-MM or YYYY-MM-DD
	// Bundled is the driver inside the installer; zero where there is none.
	BundledLinux   version.Driver `kb:"bundled_linux"`
	BundledWindows version.Driver `kb:"bundled_windows"`
	// Table is the driver that the release notes list for exactly this toolkit: a minimum up to CUDA 10.2, and only the
	// driver it was developed with after that.
	TableLinux   version.Driver `kb:"table_linux"`
	TableWindows version.Driver `kb:"table_windows"`
	Branch       int            `kb:"branch"` // driver branch of the same CUDA
	Note         string         `kb:"note"`
}

// ReleaseKind is what a CUDA release is.
type ReleaseKind string

// The kinds of release. There is no toolkit 12.7, but drivers that report it.
const (
	GeneralRelease   ReleaseKind = "ga"
	UpdateRelease    ReleaseKind = "update"
	ReleaseCandidate ReleaseKind = "rc"
	Preview          ReleaseKind = "preview"
	NeverReleased    ReleaseKind = "never-released"
)

// UnmarshalText accepts the kinds and nothing else.
func (k *ReleaseKind) UnmarshalText(text []byte) error {
	return unmarshalWord(k, text, GeneralRelease, UpdateRelease, ReleaseCandidate, Preview, NeverReleased)
}

var cudaReleases = csvFile("nvidia/cuda_releases.csv", reaches[CUDARelease]("cuda"))

// CUDARelease returns the release v. For a version without update ("12.4"), or one whose update is not known, it is the first
// final release of that minor, so look at the Version of the answer before using more than its minor.
func (b *Base) CUDARelease(v version.CUDA) Answer[CUDARelease] {
	t := cudaReleases.in(b)
	switch {
	case v.IsZero():
		return notFound[CUDARelease](t, "no CUDA version given")
	case cudaBeyond(t, v):
		return beyond[CUDARelease](t, "CUDA "+v.String())
	}
	var first *CUDARelease
	for i := range t.Rows {
		r := &t.Rows[i]
		final := r.Kind != ReleaseCandidate && r.Kind != Preview
		// "13.4" is equal to 13.4.0, the preview, but does not ask for it.
		if r.Version.Compare(v) == 0 && (final || strings.Count(v.String(), ".") == 2) {
			return found(b, t, r.Row, *r)
		}
		if first == nil && final && sameMinor(r.Version, v) {
			first = r
		}
	}
	if first == nil {
		return notFound[CUDARelease](t, "no release of CUDA %s is known", v)
	}
	return found(b, t, first.Row, *first)
}
