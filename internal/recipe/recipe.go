package recipe

import (
	"strata/internal/loader"
	"strata/internal/machine"
)

// Workload is one framework in one Python environment, or one native program.
type Workload struct {
	Framework string // in Strata's words: pytorch, onnxruntime, ollama
	Version   string // of the framework, as installed; "" where unknown

	Python string   // the interpreter as it is started; "" for a native program
	Site   []string // the directories of packages, in the order of sys.path
	// Packages are the versions of what is installed, by normalised name. May be nil.
	Packages map[string]string

	Program string // path of a native program
	// Directories hold the backends of a native program that opens them.
	Directories []string

	// Preload is true for a program that calls onnxruntime.preload_dlls().
	Preload bool
	// TensorRT is true for a program that asks ONNX Runtime for that provider too.
	TensorRT bool
}

// Need says what hangs on a step.
type Need string

// The needs, worst first.
const (
	Must     Need = "must"     // without it the framework does not start
	GPU      Need = "gpu"      // without it there is no GPU
	Part     Need = "part"     // without it some functions fail when they are first called
	Optional Need = "optional" // the framework goes on; something else is tried, or nothing is lost
)

// Step is one dlopen.
type Step struct {
	Open string         // path or name that dlopen is given
	By   *loader.Object // whose code calls it
	Need Need
	// Later is true for what happens only after a GPU was found.
	Later bool
	Why   string // what does this, and where it is written
}

// Result is a step with what came of it: Object or Failure.
type Result struct {
	Step
	Object  *loader.Object
	Failure *loader.Failure
	Loaded  []*loader.Object // what came in with it, in order; empty where all was there already
}

// Outcome is a framework as far as it comes.
type Outcome struct {
	Process *loader.Process
	Results []Result
	// First is the first library that is missing and matters: a need of the program or the failure of a step that is a Must or for
	// the GPU; nil where there is none.
	First *loader.Failure
	// Stopped says why the recipe ends before the GPU would be used; "" where it does not.
	Stopped string
}

// recipes are the frameworks with ways of their own, by Strata's name.
var recipes = map[string]func(*run){
	"pytorch": torch, "onnxruntime": onnxruntime, "tensorflow": tensorflow, "jax": jax, "cupy": cupy,
	"ctranslate2": ctranslate2, "faster-whisper": ctranslate2, "paddle": paddle,
	"bitsandbytes": bitsandbytes, "vllm": torchExtension, "flash-attn": torchExtension, "xformers": torchExtension,
	"torchvision": torchExtension, "torchaudio": torchExtension,
	"llama-cpp": llama, "llama.cpp": llama, "ollama": llama, // see ollama for what is before that
	"companions": companions,
}

// Known reports whether a framework has a recipe.
func Known(framework string) bool { return recipes[framework] != nil }

// Run starts the workload's program in the words of a linker of m and follows its recipe. A framework without one is a program alone.
func Run(m *machine.Machine, l *loader.Linker, env loader.Environment, w Workload) *Outcome {
	if w.Framework == "ollama" {
		return ollama(m, l, env, w)
	}
	return follow(m, l, env, w, recipes[w.Framework])
}

func follow(m *machine.Machine, l *loader.Linker, env loader.Environment, w Workload, do func(*run)) *Outcome {
	r := &run{m: m, w: w, out: &Outcome{}}
	r.start(l, env)
	switch {
	case r.out.First != nil:
	case do != nil:
		do(r)
	case w.Program == "" && w.Framework != "":
		r.stop("what it opens is not known to Strata")
	}
	return r.out
}
