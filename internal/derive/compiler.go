package derive

import (
	"strings"

	"strata/internal/stack"
	"strata/internal/version"
)

// CompilerWheel is the NVIDIA wheel that numba-cuda compiles its kernels with,
// and the CUDA release of it. numba-cuda is Python alone and has no CUDA that it
// was built with; what its compiler comes from has the same limits. It looks in
// the wheels first, for the major of cuda-bindings. ok is false for every other
// workload, and where no wheel or wheels of several majors leave it open.
func CompilerWheel(w *Workload) (wheel stack.Package, cuda version.CUDA, ok bool) {
	if w.Env == nil || w.Framework.Package != "numba-cuda" {
		return stack.Package{}, version.CUDA{}, false
	}
	major := ""
	if b, found := w.Env.Find("cuda-bindings"); found {
		major, _, _ = strings.Cut(b.Version, ".")
	}
	for _, name := range compilerWheels {
		p, found := w.Env.Find(name)
		if !found || major != "" && !strings.HasPrefix(p.Version, major+".") {
			continue
		}
		v, err := version.ParseCUDA(minorRelease(p.Version))
		switch {
		case err != nil:
			return stack.Package{}, version.CUDA{}, false
		case ok && v.Major() != cuda.Major():
			return stack.Package{}, version.CUDA{}, false
		case !ok:
			wheel, cuda, ok = p, v, true
		}
	}
	return wheel, cuda, ok
}

// compilerWheels have NVVM, which writes the PTX, or come with one that has:
// nvidia-cuda-nvcc-cu12 does until CUDA 12, nvidia-nvvm since 13.
var compilerWheels = []string{"nvidia-nvvm", "nvidia-cuda-nvcc-cu12", "nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu12"}

// minorRelease is 12.9 of 12.9.86, as far as there is one.
func minorRelease(v string) string {
	parts := strings.SplitN(v, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}
