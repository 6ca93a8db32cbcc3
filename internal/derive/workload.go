package derive

import (
	"path"
	"strings"

	"strata/internal/stack"
)

// Workload is a path from the GPU up to one framework in one environment, or
// to one native program.
type Workload struct {
	Name string // pytorch, onnxruntime, ollama
	// Env is nil for a native program, Program nil for a Python environment.
	Env       *stack.Environment
	Program   *stack.Program
	Framework *stack.Framework
	// On is the framework that this one extends (torchvision on pytorch); nil for one that stands alone.
	On *Workload
}

// Place is the environment's prefix or the program's path.
func (w *Workload) Place() string {
	if w.Env != nil {
		return w.Env.Prefix
	}
	return w.Program.Path
}

// ID names a workload in one report.
func (w *Workload) ID() string { return w.Name + " in " + w.Place() }

// extensions are frameworks that live inside another one: without it they do
// nothing, and what breaks it breaks them.
var extensions = map[string]string{
	"torchvision": "pytorch", "torchaudio": "pytorch", "triton": "pytorch", "xformers": "pytorch",
	"flash-attn": "pytorch", "bitsandbytes": "pytorch", "vllm": "pytorch", "sglang": "pytorch",
	"deepspeed": "pytorch", "transformer-engine": "pytorch", "faster-whisper": "ctranslate2",
	"onnxruntime-genai": "onnxruntime",
}

// passive are packages that are read but are no workload of their own: they
// run nothing on a GPU unless something else calls them.
var passive = map[string]bool{"triton": true}

func workloads(s *stack.Stack) []*Workload {
	var all []*Workload
	for i := range s.Python.Value {
		env := &s.Python.Value[i]
		base := map[string]*Workload{}
		for j := range env.Frameworks {
			f := &env.Frameworks[j]
			if extensions[f.Name] != "" || passive[f.Name] {
				continue
			}
			w := &Workload{Name: f.Name, Env: env, Framework: f}
			base[f.Name] = w
			all = append(all, w)
		}
		for j := range env.Frameworks {
			f := &env.Frameworks[j]
			if on := extensions[f.Name]; on != "" && !passive[f.Name] {
				all = append(all, &Workload{Name: f.Name, Env: env, Framework: f, On: base[on]})
			}
		}
	}
	for i := range s.Programs.Value {
		p := &s.Programs.Value[i]
		all = append(all, &Workload{Name: p.Name, Program: p, Framework: &p.Framework})
	}
	return all
}

// Libraries are all CUDA-family libraries that belong to the workload's own place.
func (w *Workload) Libraries() []stack.Library {
	if w.Env != nil {
		return w.Env.Libraries.Value
	}
	return w.Program.Framework.Libraries
}

// Without says why a workload does not use the GPU although nothing is wrong
// with it: it is a build for something else. Empty for one that does.
func (w *Workload) Without() string {
	v := w.Framework.Variant
	switch {
	case w.Name == "jax": // its GPU part is a plugin
		if !w.Framework.Plugin.Known() {
			return "has no CUDA plugin"
		}
	case v.Known() && v.Value != "cuda":
		return "is built for " + strings.ToUpper(v.Value)
	}
	return ""
}

// origin is the directory that $ORIGIN stands for in a library.
func origin(lib *stack.Library) string {
	if lib.Real != "" {
		return path.Dir(lib.Real)
	}
	return path.Dir(lib.Path)
}
