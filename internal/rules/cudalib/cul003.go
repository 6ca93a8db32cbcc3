package cudalib

import (
	"strata/internal/rule"
	"strata/internal/rules/missing"
)

var cul003 = &rule.Rule{
	ID:       "CUL003",
	Slug:     "cuda-library-of-other-major",
	Layer:    rule.CUDALibraries,
	Severity: rule.Broken,
	Title:    "Only another major release of a CUDA library is there",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"FRM001", "FRM002", "PYE004", "CUD005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		linker,
		{Title: "ONNX Runtime: CUDA execution provider, requirements", URL: "https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html", Date: "2026-11-30"},
	},
	Doc: `The number in a soname is the library's binary interface: libcublas.so.12 cannot stand in for
libcublas.so.13, nor the other way round, and a link from one name to the other only moves the failure. A framework
built for CUDA 13 needs the libraries of CUDA 13 although those of CUDA 12 are installed; several majors can lie side by
side without harm.

Install the libraries of the framework's CUDA beside the others, or the variant of the framework that is built for the
CUDA that is there.`,
	Check: func(in *rule.Input) rule.Verdict {
		return missing.Check(in, rule.CUDALibraries, missing.OtherMajor, missing.Effect)
	},
}
