package kb

import "strata/internal/version"

// HostCompiler says which host compilers nvcc of one CUDA minor release accepts on Linux. Numbers are major versions, the only
// thing nvcc checks (crt/host_config.h); 0 means not known.
type HostCompiler struct {
	Row
	CUDA     version.CUDA `kb:"cuda,key"`
	GCCMin   int          `kb:"gcc_min"`
	GCCMax   int          `kb:"gcc_max,required"`
	ClangMax int          `kb:"clang_max"`
	Note     string       `kb:"note"`
}

var hostCompilers = csvFile("nvidia/host_compilers.csv", reaches[HostCompiler]("cuda"))

// HostCompiler returns the host compilers that nvcc of toolkit v accepts.
func (b *Base) HostCompiler(v version.CUDA) Answer[HostCompiler] {
	t := hostCompilers.in(b)
	switch {
	case v.IsZero():
		return notFound[HostCompiler](t, "no CUDA version given")
	case cudaBeyond(t, v):
		return beyond[HostCompiler](t, "CUDA "+v.String())
	}
	for _, r := range t.Rows {
		if sameMinor(r.CUDA, v) {
			return found(b, t, r.Row, r)
		}
	}
	return notFound[HostCompiler](t, "the host compilers of CUDA %s are not known", v)
}
