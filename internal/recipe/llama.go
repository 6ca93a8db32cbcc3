package recipe

import (
	"path"
	"strings"

	"strata/internal/loader"
	"strata/internal/machine"
)

// ollama starts one runner for each of its directories for CUDA, with that one and the one above in front of LD_LIBRARY_PATH (Ollama:
// llm/server.go, StartRunner; discover/runner.go), and uses those that find a GPU. The outcome is that of the first that does, or of the
// last that does not.
func ollama(m *machine.Machine, l *loader.Linker, env loader.Environment, w Workload) (out *Outcome) {
	directories := w.Directories
	for _, dir := range directories {
		if found, _ := m.Glob(path.Join(dir, "libggml-cuda*.so")); len(found) == 0 {
			continue
		}
		own := env
		own.LibraryPath = path.Dir(dir) + ":" + dir
		if env.LibraryPath != "" {
			own.LibraryPath += ":" + env.LibraryPath
		}
		w.Directories = []string{dir}
		if out = follow(m, l, own, w, llama); out.First == nil {
			return out
		}
	}
	if out == nil {
		out = follow(m, l, env, w, llama)
	}
	return out
}

// llama is a program over ggml: it opens each backend that lies beside it or in its directories by path and takes those that load. Without
// the one for CUDA it answers from the CPU and says no more than a line of its log (ggml/src/ggml-backend-reg.cpp).
func llama(r *run) {
	if r.w.Program == "" { // llama_cpp, the Python binding, opens libllama through ctypes
		if dir := r.module("llama_cpp"); dir != "" {
			r.llamaPython(dir)
		}
		return
	}
	by := r.named("libggml.so")
	dirs := append([]string{path.Dir(r.p.Objects[0].Path)}, r.w.Directories...)
	for _, dir := range dirs {
		found, _ := r.m.Glob(path.Join(dir, "libggml-cuda*.so"))
		for _, file := range found {
			if r.open(GPU, by, file, "ggml opens its backends by path (ggml/src/ggml-backend-reg.cpp)") == nil {
				break
			}
		}
	}
	r.llamaGPU()
}

func (r *run) llamaPython(dir string) {
	for _, name := range []string{"lib/libllama.so", "libllama.so"} {
		if file := path.Join(dir, name); r.m.Exists(file) {
			if r.cdll(Must, file, "llama_cpp/_ctypes_extensions.py: load_shared_library") == nil {
				r.llamaGPU()
			}
			return
		}
	}
}

// llamaGPU opens the driver, which the CUDA backend needs or whose runtime opens it.
func (r *run) llamaGPU() {
	for _, o := range r.p.Objects {
		if strings.HasPrefix(path.Base(o.Path), "libggml-cuda") {
			r.driver(r.named("libcudart.so."), "libcudart opens the driver at its first call")
			return
		}
	}
	if r.out.First == nil {
		r.stop("no backend for CUDA was found")
	}
}
