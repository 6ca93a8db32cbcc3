package kb

import (
	"fmt"

	"strata/internal/version"
)

// JAX is the GPU part of JAX for a range of releases and one CUDA major. Versions are those of jaxlib, which the plugin shares.
type JAX struct {
	Row
	releases[version.PEP440]
	CUDAMajor  int                       `kb:"cuda_major,key"`
	Package    string                    `kb:"package,required"` // distribution that holds the GPU code
	CUDA       version.CUDA              `kb:"cuda"`             // toolkit of the build
	CUDAMin    version.CUDA              `kb:"cuda_min"`         // oldest one it accepts at run time
	CUDNN      version.Lib               `kb:"cudnn"`            // cuDNN of the build
	CUDNNMin   version.Lib               `kb:"cudnn_min"`        // oldest one it accepts at run time
	CUDNNBelow version.Lib               `kb:"cudnn_below"`      // first one that it does not
	NCCLMin    version.Lib               `kb:"nccl_min"`
	CCMin      version.ComputeCapability `kb:"cc_min"`
	Code
	PythonMin version.PEP440 `kb:"python_min"`
	PythonMax version.PEP440 `kb:"python_max"` // newest Python with a wheel of the plugin
	Glibc     version.Glibc  `kb:"glibc"`      // floor by the tag of that wheel
}

var jaxes = csvFile("frameworks/jax.csv", reaches[JAX]("pep440"), noOverlap(func(r JAX) string { return fmt.Sprint(r.CUDAMajor) }), checkJAX)

// JAX returns what the GPU part of JAX v for a CUDA major asks for.
func (b *Base) JAX(v version.PEP440, cudaMajor int) Answer[JAX] {
	asked := fmt.Sprintf("JAX %s for CUDA %d", v, cudaMajor)
	return lookup(b, jaxes.in(b), asked, released(v), func(r JAX) bool { return r.CUDAMajor == cudaMajor })
}

// JAXVariants returns JAX v for all CUDA majors, the oldest first.
func (b *Base) JAXVariants(v version.PEP440) Answer[[]JAX] {
	return lookupAll(b, jaxes.in(b), "JAX "+v.String(), released(v), func(JAX) bool { return true })
}

func checkJAX(_ *Base, t *Table[JAX]) (problems []Problem) {
	for _, r := range t.Rows {
		switch {
		case pythonBackwards(r.PythonMin, r.PythonMax):
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("python_max %s is below python_min", r.PythonMax)})
		case !r.CUDA.IsZero() && r.CUDA.Major() != r.CUDAMajor, !r.CUDAMin.IsZero() && r.CUDAMin.Major() != r.CUDAMajor:
			problems = append(problems, Problem{t.Name, r.Line, fmt.Sprintf("cuda and cuda_min are not of major %d", r.CUDAMajor)})
		case !r.CUDA.IsZero() && r.CUDA.Less(r.CUDAMin), !r.CUDNNBelow.IsZero() && r.CUDNNBelow.Compare(r.CUDNNMin) <= 0:
			problems = append(problems, Problem{t.Name, r.Line, "the build is older than what it accepts"})
		}
	}
	return problems
}
