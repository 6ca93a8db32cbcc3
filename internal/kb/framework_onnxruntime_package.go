package kb

import (
	"fmt"

	"strata/internal/version"
)

// ONNXRuntimePackage is the GPU build of ONNX Runtime as other languages get it, for a range of releases. It is made from the archives,
// not from the wheel: releases of one number differ in CUDA and in GPU code.
type ONNXRuntimePackage struct {
	Row
	releases[version.PEP440]
	Host       PackageHost `kb:"host,required,key"`
	Package    string      `kb:"package,required,key"`
	CUDAMajor  int         `kb:"cuda_major,required"`
	CUDNNMajor int         `kb:"cudnn_major,required"`
	CUDNN      Need        `kb:"cudnn,required"`
	Sonames    []string    `kb:"sonames"` // what the CUDA provider for Linux x86_64 is linked with
	Code                   // Linux x86_64
	Note       string      `kb:"note"`
}

// PackageHost is where the packages of a language come from.
type PackageHost string

// The hosts in the table.
const (
	Maven PackageHost = "maven"
	NuGet PackageHost = "nuget"
	NPM   PackageHost = "npm"
)

// UnmarshalText accepts the three and nothing else.
func (h *PackageHost) UnmarshalText(text []byte) error {
	return unmarshalWord(h, text, Maven, NuGet, NPM)
}

var onnxRuntimePackages = csvFile("frameworks/onnxruntime_packages.csv", reaches[ONNXRuntimePackage]("pep440"),
	noOverlap(func(r ONNXRuntimePackage) string { return fmt.Sprint(r.Host, " ", r.Package) }))

// ONNXRuntimePackage returns what release v of a package needs: "onnxruntime_gpu" of Maven, "Microsoft.ML.OnnxRuntime.Gpu" of NuGet,
// "onnxruntime-node" of npm.
func (b *Base) ONNXRuntimePackage(host PackageHost, pkg string, v version.PEP440) Answer[ONNXRuntimePackage] {
	t := *onnxRuntimePackages.in(b)
	var rows []ONNXRuntimePackage
	for _, r := range t.Rows {
		if r.Host == host && r.Package == pkg {
			rows = append(rows, r)
		}
	}
	t.Rows = rows
	return lookup(b, &t, fmt.Sprintf("%s %s of %s", pkg, v, host), released(v), func(ONNXRuntimePackage) bool { return true })
}
