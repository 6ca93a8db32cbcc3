package program

import (
	"path"
	"slices"
	"strings"

	"strata/internal/collect/library"
	"strata/internal/stack"
)

// ollamaLibs are where Ollama looks for its runners' libraries, seen from the
// directory of its binary: ../lib/ollama, and beside it
// (https://docs.ollama.com/linux, the release archive's layout).
func ollamaLibs(bin string) []string {
	return []string{path.Join(path.Dir(bin), "lib/ollama"), path.Join(bin, "lib/ollama"), path.Join(bin, "build/lib/ollama")}
}

func ollama(f *finding) {
	var seen []string
	for _, k := range f.named(is("ollama")) {
		info, err := f.m.Stat(k.path())
		if err != nil || info.IsDir() {
			continue
		}
		real, err := f.m.Real(k.path())
		if err != nil || slices.Contains(seen, real) {
			continue // a link to one already read
		}
		seen = append(seen, real)
		bin := path.Dir(real)
		p := stack.Program{Name: "ollama", Path: k.path(), From: stack.File(k.path()), Wants: f.ollamaWants()}
		p.Framework = stack.Framework{Name: "ollama", Package: "ollama", From: p.From}
		for _, dir := range ollamaLibs(bin) {
			if !f.m.Exists(dir) {
				continue
			}
			p.Directories = append(p.Directories, dir)
			for _, lib := range f.within(dir, func(name string) bool { return name == "libggml-cuda.so" }) {
				if lib.dir != dir {
					p.Directories = append(p.Directories, lib.dir)
				}
				f.ggml(&p.Framework, lib)
			}
			f.take(dir)
		}
		f.settleGGML(&p.Framework, k)
		f.programs = append(f.programs, p)
	}
}

// ollamaWants reads the variables by which Ollama is kept off the GPU; unless
// one is set it decides itself.
func (f *finding) ollamaWants() stack.Fact[string] {
	if !f.m.EnvKnown() {
		return stack.Fact[string]{}
	}
	if v, ok := f.m.Getenv("OLLAMA_LLM_LIBRARY"); ok && strings.HasPrefix(v, "cpu") {
		return stack.Know("cpu", stack.From("env", "OLLAMA_LLM_LIBRARY", 0, v))
	} else if ok && strings.HasPrefix(v, "cuda") {
		return stack.Know("gpu", stack.From("env", "OLLAMA_LLM_LIBRARY", 0, v))
	}
	return stack.Know("auto", stack.From("derived", "OLLAMA_LLM_LIBRARY is not set", 0, ""))
}

// llamaCpp reads llama.cpp's programs, one for each directory: they share
// their libraries, which lie beside them or in ../lib.
func llamaCpp(f *finding) {
	var done []string
	for _, name := range []string{"llama-server", "llama-cli", "llama-bench"} {
		for _, k := range f.named(is(name)) {
			if slices.Contains(done, k.dir) {
				continue
			}
			done = append(done, k.dir)
			f.llamaCppAt(k)
		}
	}
}

func (f *finding) llamaCppAt(k mark) {
	p := stack.Program{Name: "llama.cpp", Path: k.path(), From: stack.File(k.path()), Directories: []string{k.dir}}
	p.Framework = stack.Framework{Name: "llama-cpp", Package: "llama.cpp", From: p.From}
	dirs := []string{k.dir, path.Join(path.Dir(k.dir), "lib"), path.Join(path.Dir(k.dir), "lib64")}
	if k.dir == "/usr/bin" {
		dirs = append(dirs, "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu")
	}
	for _, lib := range f.named(is("libggml-cuda.so")) {
		if slices.Contains(dirs, lib.dir) {
			f.ggml(&p.Framework, lib)
			if !slices.Contains(p.Directories, lib.dir) {
				p.Directories = append(p.Directories, lib.dir)
			}
		}
	}
	f.settleGGML(&p.Framework, k)
	f.programs = append(f.programs, p)
}

// ggml adds a CUDA backend of ggml to a framework. Ollama ships one for each
// CUDA major and loads one that the driver runs, so their code is kept apart:
// it is the framework's only where there is one backend.
func (f *finding) ggml(fw *stack.Framework, lib mark) {
	l := library.Read(f.m, lib.path(), "framework")
	l.Code = library.Code(f.m, lib.path())
	fw.Libraries = append(fw.Libraries, l)
	fw.Variant = stack.Know("cuda", stack.File(lib.path()))
	fw.Code = l.Code
	if len(fw.Libraries) > 1 {
		fw.Code = stack.Fact[[]stack.DeviceCode]{Why: "it has several CUDA backends; which one is loaded depends on the driver"}
	}
}

// settleGGML judges a program without a backend library: it may have CUDA
// linked in, as builds with static backends do.
func (f *finding) settleGGML(fw *stack.Framework, program mark) {
	if fw.Variant.Known() {
		return
	}
	l := library.Read(f.m, program.path(), "framework")
	if library.NeedsCUDA(l) {
		fw.Libraries = append(fw.Libraries, l)
		fw.Variant = stack.Know("cuda", l.From)
		fw.Code = library.Code(f.m, program.path())
		return
	}
	if l.Fault != "" {
		fw.Variant = stack.Broken[string](program.path()+": "+l.Fault, l.From)
		return
	}
	fw.Variant = stack.Know("cpu", stack.From("directory", program.dir, 0, "no libggml-cuda.so"))
}
