package derive

import (
	"fmt"

	"strata/internal/stack"
	"strata/internal/version"
)

// jaxOpens are the libraries that JAX's CUDA plugin asks for their versions
// when it loads, each by name: without one of them it says "Unable to load
// cuSPARSE. Is it installed?" and JAX goes on with the CPU
// (jax_plugins/cuda/__init__.py, _check_cuda_versions). XLA makes the names at
// run time, so that no header and no string in the library has them. NCCL is
// not among them: it is opened when several GPUs are used.
func (v *View) jaxOpens(f *stack.Framework) []opened {
	release := f.Plugin.Value.Version
	if !f.Plugin.Known() {
		// Before the plugins jaxlib itself was built for CUDA and opened the same.
		release = f.Version
	}
	ver, err := version.ParsePEP440(release)
	major := jaxMajor(f)
	if err != nil || !f.Plugin.Known() && !f.CUDA.Known() {
		return nil
	}
	row := v.KB.JAX(ver, major)
	if !row.Known {
		return nil
	}
	components := []string{"cudart", "cublas", "cufft", "cusolver", "cusparse"}
	if f.Plugin.Known() {
		components = append(components, "cupti") // which jaxlib left to its profiler before
	}
	var out []opened
	for _, component := range components {
		// The last row of a major is that of its later releases: libcusolver.so.10 was CUDA 11.0's alone.
		last := ""
		for _, s := range v.KB.SonamesOf(component, major).Value {
			if stem(s.Soname) == "lib"+component {
				last = s.Soname
			}
		}
		if last != "" {
			out = append(out, opened{last, row.Ref})
		}
	}
	m := row.Value.CUDNNMin.Major()
	if f.CUDNN.Known() {
		m = f.CUDNN.Value.Major()
	}
	if m > 0 {
		out = append(out, opened{fmt.Sprintf("libcudnn.so.%d", m), row.Ref})
	}
	return out
}
