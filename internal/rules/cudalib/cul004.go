package cudalib

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var cul004 = &rule.Rule{
	ID:       "CUL004",
	Slug:     "wheel-libraries-not-preloaded",
	Layer:    rule.CUDALibraries,
	Severity: rule.AtRisk,
	Title:    "The CUDA libraries are installed, but the framework finds them only if the program asks",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"CUL002", "CUL003", "CUD005", "DNN001", "DNN002"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "ONNX Runtime: CUDA execution provider, preload DLLs", URL: "https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html#preload-dlls", Date: "2026-11-30"},
		{Title: "ONNX Runtime issue 21684: libcublasLt.so.12 cannot be opened", URL: "https://github.com/microsoft/onnxruntime/issues/21684", Date: "2026-11-30"},
	},
	Doc: `ONNX Runtime's CUDA provider carries no search path of its own. NVIDIA's wheels put their libraries into
site-packages/nvidia/…/lib, where the dynamic linker does not look. So onnxruntime-gpu with all its CUDA wheels installed
still warns "Failed to load library libonnxruntime_providers_cuda.so" and answers from the CPU, unless the program
loads the libraries first.

It works where the program calls onnxruntime.preload_dlls() before the first session (ONNX Runtime 1.21 and newer),
where it imports torch first, or where the directories are on LD_LIBRARY_PATH. Files cannot show what a program
calls, so this is a risk and not a failure.`,
	Check: func(in *rule.Input) rule.Verdict {
		w := in.Workload
		wants, _ := in.Wants(w)
		var names, dirs []string
		var evidence []stack.Source
		inWheels := false
		for _, want := range wants {
			lib := derive.InWheel(w, want.Soname)
			if lib == nil || derive.Optional(w, want) || !in.Preloadable(w, want.Soname) {
				continue
			}
			inWheels = true
			if want.Winner != nil {
				continue
			}
			names = append(names, want.Soname)
			evidence = append(evidence, stack.From("elf", lib.Path, 0, want.Soname))
			if d := path.Dir(lib.Path); !slices.Contains(dirs, d) {
				dirs = append(dirs, d)
			}
		}
		if !inWheels {
			return rule.NA()
		}
		if len(names) == 0 {
			return rule.Clean()
		}
		return rule.Found(left(in, names, dirs, evidence))
	},
}

func left(in *rule.Input, names, dirs []string, evidence []stack.Source) rule.Finding {
	f, env := in.Framework(), in.Workload.Env
	way, advice := "imports torch first", rule.Remedy{
		Summary: "import torch before the framework, in the program", Layer: rule.CUDALibraries,
		Commands: []rule.Command{{For: "python", Run: "import torch"}},
	}
	says := fmt.Sprintf("\"Library %s is not found or cannot be loaded\"", names[0])
	if derive.PreloadsOnlyWhenAsked(in.Workload) {
		way = "calls onnxruntime.preload_dlls() or imports torch first"
		advice = rule.Remedy{
			Summary: "call onnxruntime.preload_dlls() before the first session, in the program", Layer: rule.CUDALibraries,
			Commands: []rule.Command{{For: "python", Run: "import onnxruntime; onnxruntime.preload_dlls()"}},
		}
	}
	if f.Name == "onnxruntime" {
		says = fmt.Sprintf("\"Failed to load library libonnxruntime_providers_cuda.so with error: %s: cannot open shared object file\" and the CPU", names[0])
	}
	return rule.Finding{
		Summary:  fmt.Sprintf("%s %s finds its CUDA libraries only if the program %s: %s in %s", f.Package, f.Version, way, short(names), env.Prefix),
		Cause:    fmt.Sprintf("The framework has no search path of its own, and the dynamic linker does not look in %s. A program that does nothing for it gets %s.", dirs[0], says),
		Evidence: evidence,
		Remedies: []rule.Remedy{remedy.OnSearchPath(in, rule.CUDALibraries, dirs), advice},
	}
}

// short names the first of many.
func short(names []string) string {
	if len(names) <= 3 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:2], ", "), len(names)-2)
}
