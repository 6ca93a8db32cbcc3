package kb

import (
	"fmt"

	"strata/internal/version"
)

// TensorRT is what a range of TensorRT releases supports when built for one CUDA major.
type TensorRT struct {
	Row
	releases[version.Lib]
	CUDAMajor int                       `kb:"cuda_major,key"`
	CCMin     version.ComputeCapability `kb:"cc_min"`
	CCMax     version.ComputeCapability `kb:"cc_max"` // newest one named; zero: not known
	Soname    string                    `kb:"soname"`
	CUDNN     Need                      `kb:"cudnn"`
	Pip       string                    `kb:"pip"` // distribution
}

var tensorRTs = csvFile("frameworks/tensorrt.csv", reaches[TensorRT]("lib"), noOverlap(func(r TensorRT) string { return fmt.Sprint(r.CUDAMajor) }))

// TensorRT returns what TensorRT v for a CUDA major supports.
func (b *Base) TensorRT(v version.Lib, cudaMajor int) Answer[TensorRT] {
	asked := fmt.Sprintf("TensorRT %s for CUDA %d", v, cudaMajor)
	return lookup(b, tensorRTs.in(b), asked, v, func(r TensorRT) bool { return r.CUDAMajor == cudaMajor })
}

// TensorRTReleases returns the ranges of TensorRT releases for a CUDA major, oldest first.
func (b *Base) TensorRTReleases(cudaMajor int) []TensorRT {
	var list []TensorRT
	for _, r := range tensorRTs.in(b).Rows {
		if r.CUDAMajor == cudaMajor {
			list = append(list, r)
		}
	}
	return list
}

// TensorRTMajors returns what TensorRT v supports for each CUDA major that it is built for.
func (b *Base) TensorRTMajors(v version.Lib) Answer[[]TensorRT] {
	return lookupAll(b, tensorRTs.in(b), "TensorRT "+v.String(), v, func(TensorRT) bool { return true })
}
