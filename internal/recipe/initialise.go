package recipe

import (
	"strings"

	"strata/internal/loader"
)

// initialisers are libraries whose initialisation opens others. That they do was seen with LD_DEBUG between "calling init" of one and the
// next (internal/tools/loadtrace): cuBLASLt of CUDA 12.4 to 13.4, cuSPARSELt 0.6 to 0.8.
var initialisers = []struct{ prefix, opens, why string }{
	{"libcublasLt.so.", "libcuda.so.1", "cuBLASLt looks for the driver when it is initialised"},
	{"libcusparseLt.so.", "libcuda.so.1", "cuSPARSELt looks for the driver when it is initialised"},
}

// initialise does what the initialisation of new libraries does. Needs are initialised before what needs them, so it goes backwards.
func (r *run) initialise(loaded []*loader.Object) {
	for i := len(loaded) - 1; i >= 0; i-- {
		o := loaded[i]
		for _, in := range initialisers {
			if strings.HasPrefix(o.File.Soname, in.prefix) {
				r.open(Optional, o, in.opens, in.why)
			}
		}
		if strings.HasPrefix(o.File.Soname, "libtensorflow_framework.so.") {
			r.tensorflowFramework(o)
		}
	}
}

// driver is what the CUDA runtime does at its first call: it opens the driver, and there is no GPU without it.
func (r *run) driver(by *loader.Object, why string) *loader.Failure {
	if by == nil {
		return nil
	}
	return r.open(GPU, by, "libcuda.so.1", why)
}
