package kb

import (
	"fmt"

	"strata/internal/version"
)

// CUDNN is what a range of cuDNN releases supports when built for one CUDA major.
type CUDNN struct {
	Row
	releases[version.Lib]
	CUDAMajor int                       `kb:"cuda_major,key"`
	CCMin     version.ComputeCapability `kb:"cc_min,required"`
	CCMax     version.ComputeCapability `kb:"cc_max"` // newest one named; zero: not known
	Pip       string                    `kb:"pip"`    // distribution
	Last      version.Lib               `kb:"last"`   // newest release of the range; zero: not known
}

// CUDNNLibraries are the libraries that a range of cuDNN releases consists of.
type CUDNNLibraries struct {
	Row
	releases[version.Lib]
	Soname       string   `kb:"soname,required"` // what programs link
	Sublibraries []string `kb:"sublibraries"`    // what that one loads by name, from the same release only
}

var (
	cudnns         = csvFile("frameworks/cudnn.csv", reaches[CUDNN]("lib"), noOverlap(func(r CUDNN) string { return fmt.Sprint(r.CUDAMajor) }))
	cudnnLibraries = csvFile("frameworks/cudnn_libraries.csv", reaches[CUDNNLibraries]("lib"), noOverlap(func(CUDNNLibraries) string { return "" }))
)

// CUDNN returns what cuDNN v for a CUDA major supports.
func (b *Base) CUDNN(v version.Lib, cudaMajor int) Answer[CUDNN] {
	asked := fmt.Sprintf("cuDNN %s for CUDA %d", v, cudaMajor)
	return lookup(b, cudnns.in(b), asked, v, func(r CUDNN) bool { return r.CUDAMajor == cudaMajor })
}

// CUDNNMajors returns what cuDNN v supports for each CUDA major that it is built for.
func (b *Base) CUDNNMajors(v version.Lib) Answer[[]CUDNN] {
	return lookupAll(b, cudnns.in(b), "cuDNN "+v.String(), v, func(CUDNN) bool { return true })
}

// CUDNNReleases returns the ranges of cuDNN releases for a CUDA major, oldest first.
func (b *Base) CUDNNReleases(cudaMajor int) []CUDNN {
	var list []CUDNN
	for _, r := range cudnns.in(b).Rows {
		if r.CUDAMajor == cudaMajor {
			list = append(list, r)
		}
	}
	return list
}

// CUDNNLibraries returns the files that cuDNN v consists of.
func (b *Base) CUDNNLibraries(v version.Lib) Answer[CUDNNLibraries] {
	return lookup(b, cudnnLibraries.in(b), "cuDNN "+v.String(), v, func(CUDNNLibraries) bool { return true })
}

// Supports reports whether r has code for a GPU of capability cc, and whether that is known. A GPU newer than CCMax but of the same
// major runs what was built for CCMax.
func (r CUDNN) Supports(cc version.ComputeCapability) (supported, known bool) {
	switch {
	case cc.IsZero():
		return false, false
	case cc.Less(r.CCMin):
		return false, true
	case r.CCMax.IsZero():
		return false, false
	}
	return cc.Major <= r.CCMax.Major, true
}
