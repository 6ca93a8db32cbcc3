package cudaruntime

import (
	"path"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var forwardCompatibility = rule.Cite{
	Title: "CUDA Compatibility: forward compatibility",
	URL:   "https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html",
	Date:  "2026-11-30",
}

// needCompat is a libcuda of a cuda-compat package that comes first on the
// search path. A driver that is only assumed has no libcuda that could.
var needCompat = rule.Need{Name: "the first libcuda on the search path", Seen: func(in *rule.Input) stack.Seen {
	seen := in.Stack.Driver.Libraries.Seen()
	if seen.State != stack.Known {
		return seen
	}
	if in.Libcuda == nil || in.Libcuda.Compat == nil || in.Stack.OS.WSL.Or(false) || in.Stack.OS.Jetson.Known() {
		return stack.Seen{State: stack.Absent}
	}
	return seen
}}

// offPath takes the directory of the libcuda that wins off the search path.
func offPath(in *rule.Input) []rule.Remedy {
	why := in.FindSystem("libcuda.so.1").Why
	if r, ok := remedy.Unshadow(in, rule.CUDARuntime, in.Libcuda, why); ok {
		return []rule.Remedy{r}
	}
	dir := path.Dir(in.Libcuda.Path)
	return []rule.Remedy{{
		Summary:  "move " + dir + " out of the directories that the dynamic linker searches",
		Layer:    rule.CUDARuntime,
		Changes:  []stack.Change{stack.RemoveLibrary{Path: in.Libcuda.Path}},
		Commands: []rule.Command{{For: "shell", Run: "sudo rm " + remedy.Quote(in.Libcuda.Path) + " && sudo ldconfig"}},
	}}
}
