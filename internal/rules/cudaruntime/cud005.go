package cudaruntime

import (
	"strata/internal/rule"
	"strata/internal/rules/missing"
)

var cud005 = &rule.Rule{
	ID:       "CUD005",
	Slug:     "cuda-runtime-library-missing",
	Layer:    rule.CUDARuntime,
	Severity: rule.Broken,
	Title:    "A CUDA runtime library that the framework needs is not found",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"FRM001", "FRM002", "PYE004"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "ld.so(8): how shared libraries are found", URL: "https://man7.org/linux/man-pages/man8/ld.so.8.html", Date: "2026-11-30"},
		{Title: "PyTorch: libraries that torch/__init__.py loads", URL: "https://github.com/pytorch/pytorch/blob/main/torch/__init__.py", Date: "2026-11-30"},
	},
	Doc: `libcudart, NVRTC and their helpers carry the CUDA major release in their soname: libcudart.so.12,
libnvrtc.so.13. A program asks for exactly that name, so a machine with another major release does not have it. The
driver does not bring these libraries; a toolkit, NVIDIA's wheels or conda packages do.

Install the package that brings the library for the CUDA of the framework, or the variant of the framework for the CUDA
that is there. No toolkit and no CUDA_HOME is needed.`,
	Check: func(in *rule.Input) rule.Verdict {
		return missing.Check(in, rule.CUDARuntime, missing.Either, missing.Effect)
	},
}
