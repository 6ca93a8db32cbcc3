package cudalib

import (
	"strata/internal/rule"
	"strata/internal/rules/missing"
)

var linker = rule.Cite{Title: "ld.so(8): how shared libraries are found", URL: "https://man7.org/linux/man-pages/man8/ld.so.8.html", Date: "2026-11-30"}

var cul002 = &rule.Rule{
	ID:       "CUL002",
	Slug:     "cuda-library-missing",
	Layer:    rule.CUDALibraries,
	Severity: rule.Broken,
	Title:    "A CUDA library that the framework needs is not found",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"FRM001", "FRM002", "PYE004", "CUD005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		linker,
		{Title: "ONNX Runtime issue 21684: libcublasLt.so.12 cannot be opened", URL: "https://github.com/microsoft/onnxruntime/issues/21684", Date: "2026-11-30"},
		{Title: "TensorFlow: install with pip", URL: "https://www.tensorflow.org/install/pip", Date: "2026-11-30"},
	},
	Doc: `cuBLAS, cuFFT, cuRAND, cuSOLVER, cuSPARSE and their helpers are not part of the driver. They come with NVIDIA's
wheels, with conda packages or with a toolkit, and the dynamic linker must find them by exactly the soname that the
framework asks for.

Where one is missing PyTorch cannot be imported. ONNX Runtime and TensorFlow only warn and go on with the CPU, which is
easily overlooked; ONNX Runtime still lists CUDAExecutionProvider as available.

Install the package that brings the library. Its release should be the one that the framework's metadata names.`,
	Check: func(in *rule.Input) rule.Verdict {
		return missing.Check(in, rule.CUDALibraries, missing.Nowhere, missing.Effect)
	},
}
