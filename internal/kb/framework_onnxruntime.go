package kb

import (
	"fmt"

	"strata/internal/version"
)

// ONNXRuntime is the onnxruntime-gpu wheel of a range of releases. Archives and NuGet packages of the same release hold other GPU code
// and have no row.
type ONNXRuntime struct {
	Row
	releases[version.PEP440]
	// Package is "pypi", or the feed that the wheel comes from: see [Base.ONNXRuntimeFeed].
	Package    string       `kb:"package,key"`
	CUDAMajor  int          `kb:"cuda_major,required"`
	CUDA       version.CUDA `kb:"cuda"` // toolkit of the build
	CUDNNMajor int          `kb:"cudnn_major,required"`
	CUDNN      Need         `kb:"cudnn,required"`
	TensorRT   version.Lib  `kb:"tensorrt"` // release that the TensorRT provider was built with
	// Sonames are what the CUDA provider cannot load without, ImportSonames what the Python module cannot be imported without.
	Sonames       []string `kb:"sonames"`
	ImportSonames []string `kb:"import_sonames"`
	Code                   // Linux x86_64
	ArchsWindows  Targets  `kb:"archs_windows"`
	PTXWindows    Targets  `kb:"ptx_windows"`
	ArchsARM      Targets  `kb:"archs_aarch64"` // the wheel for Linux on aarch64
	DLLs          []string `kb:"dlls"`
	// PythonMin and PythonMax are the oldest and the newest Python with a wheel for Linux x86_64.
	PythonMin version.PEP440 `kb:"python_min"`
	PythonMax version.PEP440 `kb:"python_max"`
	Glibc     version.Glibc  `kb:"glibc"` // floor by the tag of the wheel
}

// ONNXRuntimeFeed is a wheel index of ONNX Runtime besides PyPI.
type ONNXRuntimeFeed struct {
	Row
	Package string `kb:"package,key"` // as in ONNXRuntime.Package
	Index   string `kb:"index,required"`
}

// PyPI is the Package of wheels that a plain pip install gives.
const PyPI = "pypi"

var (
	onnxRuntimes     = csvFile("frameworks/onnxruntime.csv", reaches[ONNXRuntime]("pep440"), noOverlap(func(r ONNXRuntime) string { return r.Package }), checkONNXRuntime)
	onnxRuntimeFeeds = csvFile[ONNXRuntimeFeed]("frameworks/onnxruntime_feeds.csv")
)

// ONNXRuntime returns the wheel of onnxruntime-gpu v that PyPI has.
func (b *Base) ONNXRuntime(v version.PEP440) Answer[ONNXRuntime] {
	return lookup(b, onnxRuntimes.in(b), "onnxruntime-gpu "+v.String(), released(v), func(r ONNXRuntime) bool { return r.Package == PyPI })
}

// ONNXRuntimeBuilds returns the wheels of onnxruntime-gpu v for all CUDA majors, that of PyPI among them.
func (b *Base) ONNXRuntimeBuilds(v version.PEP440) Answer[[]ONNXRuntime] {
	return lookupAll(b, onnxRuntimes.in(b), "onnxruntime-gpu "+v.String(), released(v), func(ONNXRuntime) bool { return true })
}

// ONNXRuntimeReleases returns the PyPI wheels by range, oldest first, to choose a release from.
func (b *Base) ONNXRuntimeReleases() []ONNXRuntime {
	var list []ONNXRuntime
	for _, r := range onnxRuntimes.in(b).Rows {
		if r.Package == PyPI {
			list = append(list, r)
		}
	}
	return list
}

// ONNXRuntimeFeed returns where the wheels of pkg come from.
func (b *Base) ONNXRuntimeFeed(pkg string) Answer[ONNXRuntimeFeed] {
	t := onnxRuntimeFeeds.in(b)
	for _, r := range t.Rows {
		if r.Package == pkg {
			return found(b, t, r.Row, r)
		}
	}
	return notFound[ONNXRuntimeFeed](t, "no feed %q is known", pkg)
}

func checkONNXRuntime(_ *Base, t *Table[ONNXRuntime]) (problems []Problem) {
	for _, r := range t.Rows {
		if pythonBackwards(r.PythonMin, r.PythonMax) {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("python_max %s is below python_min", r.PythonMax)})
		}
		if !r.CUDA.IsZero() && r.CUDA.Major() != r.CUDAMajor {
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("cuda %s is not of major %d", r.CUDA, r.CUDAMajor)})
		}
	}
	return problems
}
