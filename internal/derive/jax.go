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
	ver, err := version.ParsePEP440(f.Plugin.Value.Version)
	if err != nil || !f.Plugin.Known() {
		return nil
	}
	major := jaxMajor(f)
	row := v.KB.JAX(ver, major)
	if !row.Known {
		return nil
	}
	var out []opened
	for _, component := range []string{"cudart", "cublas", "cufft", "cupti", "cusolver", "cusparse"} {
		for _, s := range v.KB.SonamesOf(component, major).Value {
			if stem(s.Soname) == "lib"+component {
				out = append(out, opened{s.Soname, row.Ref})
			}
		}
	}
	if m := row.Value.CUDNNMin.Major(); m > 0 {
		out = append(out, opened{fmt.Sprintf("libcudnn.so.%d", m), row.Ref})
	}
	return out
}
