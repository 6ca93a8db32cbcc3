package cudalib

import (
	"strata/internal/rule"
	"strata/internal/rules/remedy"
)

var cul007 = &rule.Rule{
	ID:       "CUL007",
	Slug:     "cuda-library-known-bad",
	Layer:    rule.CUDALibraries,
	Severity: rule.AtRisk,
	Title:    "This release of a CUDA library is known to fail here",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"CUL001", "CUL002", "CUL003", "CUL005", "ARC001"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "JAX: checks of the CUDA plugin", URL: "https://github.com/jax-ml/jax/blob/main/jax_plugins/cuda/__init__.py", Date: "2026-11-30"},
	},
	Doc: `A few releases of NVIDIA's libraries are wrong in a way that no version requirement tells. cuBLAS 12.8 to 13.1 is the
gravest: on data-center Blackwell GPUs (compute capability 10.x and 11.x) many of its kernels free the GPU's tensor memory more than
once. While another kernel runs, on another stream for example, the results can be wrong, and no error is reported. JAX warns of it.

Strata knows such releases from public sources, with the GPUs and companions they concern, and reports one only where all of that is
here. Whether a program does what brings the defect out cannot be seen from files, which is why this is a risk and no break.

The remedy is the release that mends it. For cuBLAS that is 13.2, and so a build of the framework for CUDA 13.2 or newer.`,
	Check: func(in *rule.Input) rule.Verdict { return remedy.KnownBad(in, rule.CUDALibraries) },
}
