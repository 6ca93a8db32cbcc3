package recipe

import "path"

// ctranslate2 is `import ctranslate2` and a model on the GPU. The CUDA runtime is inside; cuBLAS is opened by name, cuDNN's front library
// is bundled in wheels from 4.5 on and opens its parts by name.
func ctranslate2(r *run) {
	dir := r.module("ctranslate2")
	ext := ""
	if dir != "" {
		ext = r.extension(dir, "_ext")
	}
	if ext == "" {
		r.stop("ctranslate2 is not installed")
		return
	}
	if r.imports(Must, ext, path.Join(dir, "__init__.py")+" imports it") != nil {
		return
	}
	lib := r.named("libctranslate2")
	if lib == nil {
		r.stop("libctranslate2 is not among what _ext loads")
		return
	}
	if r.open(GPU, lib, "libcuda.so.1", "the CUDA runtime inside opens the driver at the first call") != nil {
		return
	}
	r.later = true
	names := r.namesIn(lib, "libcublas.so.1", "libcudnn.so.")
	if len(names) == 0 {
		names = []string{"libcublas.so.12"}
	}
	for _, name := range names {
		r.open(GPU, lib, name, "opened by name when a model is first run (src/cuda/cublas_stub.cc)")
	}
	r.cudnnParts()
}
