package framework

import (
	"fmt"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var frm001 = &rule.Rule{
	ID:       "FRM001",
	Slug:     "cpu-only-build",
	Layer:    rule.FrameworkBuild,
	Severity: rule.Broken,
	Title:    "The framework is built for the CPU only, although there is a GPU",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needStandalone, rule.NeedGPUs, rule.NeedVariant},
	After:    []string{"PKG001", "PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PyTorch: get started locally", URL: "https://pytorch.org/get-started/locally/", Date: "2026-11-30"},
		{Title: "ONNX Runtime: CUDA execution provider, requirements", URL: "https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html", Date: "2026-11-30"},
		{Title: "TensorFlow: install with pip", URL: "https://www.tensorflow.org/install/pip", Date: "2026-11-30"},
	},
	Doc: `Frameworks are published in several builds, and the one for the CPU has no CUDA code at all. It
installs and imports like any other and simply never sees the GPU: PyTorch says "Torch not compiled with CUDA
enabled" when asked for it, ONNX Runtime lists only CPUExecutionProvider, TensorFlow and llama.cpp say nothing.

It comes by several ways: the index for CPU wheels in a requirements file, an image that was built where no GPU
was visible (conda then takes the CPU build unless CONDA_OVERRIDE_CUDA is set), a Python for which no CUDA wheel
exists, plain onnxruntime pulled in by another package. Neither driver nor toolkit has to do with it.

Replace the build by the CUDA variant of the same release. Uninstall the old one first where both have the
same version: pip would call the requirement satisfied.`,
	Check: func(in *rule.Input) rule.Verdict {
		f, w := in.Framework(), in.Workload
		if len(in.GPUs) == 0 || in.Unasked() || w.On != nil || w.Name == "jax" {
			return rule.NA() // extensions are FRM002, JAX's GPU part is FRM006
		}
		switch {
		case f.Variant.Value == "cuda":
			return rule.Clean()
		case f.Variant.Value != "cpu":
			return rule.NA()
		case w.Program != nil && w.Program.Wants.Or("") == "cpu":
			return rule.NA() // it was asked for: APP001
		}
		found := rule.Finding{
			Summary:  fmt.Sprintf("%s %s in %s is a CPU-only build; %s is not used", f.Package, f.Version, w.Place(), in.GPUs[0].Name),
			Cause:    cpuSymptom(w) + " Nothing is wrong with driver or GPU: the build holds no CUDA code.",
			Evidence: append(append([]stack.Source{}, f.Variant.Sources...), in.GPUs[0].From),
			Remedies: remedy.GPUBuild(in, rule.FrameworkBuild),
		}
		if p := in.Published(f); p.Known {
			found.Refs = []kb.Ref{p.Ref}
		}
		if other := otherOnGPU(w); other != "" {
			found.Severity, found.Confidence = rule.Note, rule.Likely
			if w.Name == "pytorch" {
				found.Severity = rule.AtRisk // much builds on it, and says nothing of a CPU build
			}
			found.Cause += fmt.Sprintf(" %s in the same environment has its GPU build, so this one may be there for something small.", other)
		}
		return rule.Found(found)
	},
}

// cpuSymptom is what the user sees of a CPU build.
func cpuSymptom(w *derive.Workload) string {
	switch w.Name {
	case "pytorch":
		return `torch.cuda.is_available() is False, and moving a tensor fails with "Torch not compiled with CUDA enabled".`
	case "onnxruntime":
		return "get_available_providers() lists no CUDAExecutionProvider, and sessions run on the CPU."
	case "tensorflow":
		return `tf.config.list_physical_devices("GPU") is empty, without an error.`
	case "llama-cpp":
		return "n_gpu_layers has no effect: no layer is offloaded."
	}
	return "It runs on the CPU without an error."
}

// otherOnGPU names another framework of the environment that stands alone and
// is built for CUDA.
func otherOnGPU(w *derive.Workload) string {
	if w.Env == nil {
		return ""
	}
	for i := range w.Env.Frameworks {
		o := &w.Env.Frameworks[i]
		if o.Name != w.Name && standsAlone[o.Name] && o.Variant.Or("") == "cuda" {
			return o.Package
		}
	}
	return ""
}

// standsAlone are frameworks that are usually the reason for an environment and
// have builds for the CPU; every CTranslate2 is built for CUDA, which says nothing.
var standsAlone = map[string]bool{"pytorch": true, "tensorflow": true, "jax": true, "onnxruntime": true, "paddle": true}
