package recipe

import (
	"path"
	"strings"
)

// paddleLibraries are opened when they are first used: the folder of the wheel, and the soname by CUDA's major version, which the strings
// of the library confirm.
var paddleLibraries = []struct {
	folder, stem string
	need         Need
}{
	{"cublas", "libcublas.so.", GPU}, {"cublas", "libcublasLt.so.", GPU}, {"cudnn", "libcudnn.so.", GPU}, {"curand", "libcurand.so.", GPU},
	{"cusolver", "libcusolver.so.", Part}, {"cusparse", "libcusparse.so.", Part}, {"cufft", "libcufft.so.", Part}, {"nccl", "libnccl.so.", Part}, {"cuda_cupti", "libcupti.so.", Part},
}

// paddle is `import paddle` and a tensor on the GPU: each library from its wheel, whose directories paddle/__init__.py passes on as flags,
// else by name, else from /usr/local/cuda/lib64 (paddle/phi/backends/dynload/dynamic_loader.cc).
func paddle(r *run) {
	dir := r.module("paddle")
	ext := ""
	for _, sub := range []string{"base", "fluid"} { // fluid up to 2.5
		if dir != "" && ext == "" {
			ext = r.extension(path.Join(dir, sub), "libpaddle")
		}
	}
	if ext == "" {
		r.stop("paddle is not installed")
		return
	}
	if r.imports(Must, ext, path.Join(dir, "base/core.py")+" imports it") != nil {
		return
	}
	lib := r.opened
	for _, stem := range []string{"libphi_core.so", "libphi.so"} {
		if o := r.named(stem); o != nil {
			lib = o
			break
		}
	}
	if r.driver(r.named("libcudart.so."), "libcudart opens the driver at its first call") != nil {
		return
	}
	r.later = true
	const why = "paddle/phi/backends/dynload/dynamic_loader.cc"
	var stems []string
	for _, l := range paddleLibraries {
		stems = append(stems, l.stem)
	}
	names := r.namesIn(lib, stems...)
	for _, l := range paddleLibraries {
		for _, name := range names {
			if !strings.HasPrefix(name, l.stem) {
				continue
			}
			wheel := r.module(path.Join("nvidia", l.folder, "lib", name))
			if wheel == "" || r.open(Optional, lib, wheel, why+", from its wheel") != nil {
				r.open(l.need, lib, name, why)
			}
		}
	}
	r.cudnnParts()
}
