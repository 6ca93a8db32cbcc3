package cudnn

import (
	"strata/internal/rule"
	"strata/internal/rules/missing"
)

var backendGuide = rule.Cite{Title: "cuDNN: installation", URL: "https://docs.nvidia.com/deeplearning/cudnn/installation/latest/", Date: "2026-11-30"}

var dnn001 = &rule.Rule{
	ID:       "DNN001",
	Slug:     "cudnn-missing",
	Layer:    rule.CUDNN,
	Severity: rule.Broken,
	Title:    "cuDNN is needed and not found",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"FRM001", "FRM002", "PYE004", "CUD005", "CUL002", "CUL003"},
	Since:    "0.1",
	Cites: []rule.Cite{
		backendGuide,
		{Title: "ONNX Runtime: CUDA execution provider, requirements", URL: "https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html", Date: "2026-11-30"},
	},
	Doc: `cuDNN is neither part of the driver nor of the CUDA toolkit: a machine with both can be without it. A framework
asks for libcudnn.so.9 (or .8) by name, and the dynamic linker must find it.

PyTorch and JAX install it with themselves; ONNX Runtime and TensorFlow do so only with an extra
(onnxruntime-gpu[cuda,cudnn], tensorflow[and-cuda]). Without it ONNX Runtime says "Require cuDNN 9.* and CUDA 12.*" and
answers from the CPU; TensorFlow skips the GPU.

Install the wheel for the CUDA major release of the framework.`,
	Check: func(in *rule.Input) rule.Verdict {
		return missing.Check(in, rule.CUDNN, missing.Nowhere, missing.Effect)
	},
}
