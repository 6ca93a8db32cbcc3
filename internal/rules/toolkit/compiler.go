package toolkit

import (
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
)

// chosen is the toolkit that a build would take: the one that CUDA_HOME, PATH
// or /usr/local/cuda lead to, if it has a compiler.
func chosen(in *rule.Input) (stack.Toolkit, bool) {
	for _, t := range in.Stack.CUDA.Toolkits.Value {
		if t.Default && t.NVCC != "" {
			return t, true
		}
	}
	return stack.Toolkit{}, false
}

// needChosen is known where such a toolkit and its release are, and absent
// where nothing on the machine compiles CUDA.
var needChosen = rule.Need{Name: "the release of the CUDA toolkit", Seen: func(in *rule.Input) stack.Seen {
	seen := in.Stack.CUDA.Toolkits.Seen()
	if seen.State != stack.Known {
		return seen
	}
	t, ok := chosen(in)
	switch {
	case !ok:
		return stack.Seen{State: stack.Absent, Sources: seen.Sources}
	case t.Version.IsZero():
		return stack.Seen{State: stack.NotCollected, Why: "no file of " + t.Root + " tells its release"}
	}
	return seen
}}

// compiling are packages that compile CUDA code for PyTorch on the user's
// machine: at run time, or when they are installed from source.
var compiling = []string{"deepspeed", "flashinfer-python", "deep-gemm", "ninja", "apex", "sageattention", "torch-scatter", "detectron2", "pytorch3d", "mmcv", "gsplat"}

// builds is the sign that the environment compiles CUDA code; zero where there is none.
func builds(in *rule.Input) stack.Source {
	if env := in.Workload.Env; env != nil {
		for _, name := range compiling {
			if p, ok := env.Find(name); ok {
				return stack.From("file", p.From.Locator, 0, p.Name+" "+p.Version)
			}
		}
	}
	for _, v := range in.Stack.Environment.Value {
		if strings.HasPrefix(v.Name, "TORCH_CUDA_ARCH_LIST") || strings.HasPrefix(v.Name, "TORCH_EXTENSIONS_DIR") {
			return v.From
		}
	}
	return stack.Source{}
}
