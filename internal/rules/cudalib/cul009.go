package cudalib

import (
	"fmt"
	"path"
	"slices"

	"strata/internal/rule"
	"strata/internal/stack"
)

var cul009 = &rule.Rule{
	ID:       "CUL009",
	Slug:     "one-library-from-two-directories",
	Layer:    rule.CUDALibraries,
	Severity: rule.AtRisk,
	Title:    "One process loads two copies of the same CUDA library",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needLoads},
	After:    []string{"DNN003", "DNN004", "CUL006", "NCC002"},
	Since:    "0.1",
	Cites:    []rule.Cite{linker},
	Doc: `The dynamic linker knows a library that is there by its soname, and does not load another one of that name when a library asks for it.
A program that opens a file by its path gets that file all the same: then two copies of one library are in the process, each with its own
handles and memory. Which of the two a function comes from depends on who asks, and what one copy has made the other does not know. It works
where the two are of one release and nobody passes anything from one to the other; where they differ, errors such as
CUBLAS_STATUS_NOT_INITIALIZED or a crash at the end of the process follow.

It comes from LD_PRELOAD or LD_LIBRARY_PATH beside a framework that opens NVIDIA's wheels by their paths, as JAX and ONNX Runtime's
preload_dlls() do. Take the other copy out of the way.`,
	Check: func(in *rule.Input) rule.Verdict {
		loads := in.Framework().Loads.Value
		first := map[string]stack.Loaded{}
		for _, l := range loads.Loaded {
			if !in.KB.Component(l.Soname).Known {
				continue
			}
			other, there := first[l.Soname]
			if !there {
				first[l.Soname] = l
				continue
			}
			if other.Real != l.Real {
				return rule.Found(twice(in, other, l))
			}
		}
		switch {
		case loads.Fails != "":
			return rule.NA() // it does not come that far
		case loads.Stopped != "":
			return rule.Cannot("what the workload loads is not known to its end: "+loads.Stopped, "")
		case len(first) == 0:
			return rule.NA()
		}
		return rule.Clean()
	},
}

// needLoads is what the dynamic linker does for the workload.
var needLoads = rule.Need{Name: "what the workload loads", Seen: func(in *rule.Input) stack.Seen { return in.Framework().Loads.Seen() }}

func twice(in *rule.Input, a, b stack.Loaded) rule.Finding {
	f := in.Framework()
	finding := rule.Finding{
		Confidence: rule.Likely,
		Summary:    fmt.Sprintf("%s %s loads %s twice: from %s by %s, and from %s by %s", f.Package, f.Version, b.Soname, path.Dir(a.Path), a.Via, path.Dir(b.Path), b.Via),
		Cause:      "Both files have the same soname, and the second is opened by its path, so that the linker loads it beside the first. Each copy has state of its own.",
		Evidence:   []stack.Source{stack.From("elf", a.Path, 0, a.Soname), stack.From("elf", b.Path, 0, b.Soname)},
	}
	for _, name := range []string{"LD_PRELOAD", "LD_LIBRARY_PATH"} {
		if v, ok := in.Stack.Getenv(name); ok && slices.Contains([]string{a.Via, b.Via}, name) {
			finding.Evidence = append(finding.Evidence, v.From)
			finding.Remedies = append(finding.Remedies, rule.Remedy{
				Summary: "unset " + name + " for this program", Layer: rule.CUDALibraries,
				// The model does not know what a program opens by path, so that this is advice and is not tried.
				Commands: []rule.Command{{For: "shell", Run: "unset " + name}},
			})
		}
	}
	return finding
}
