package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortServer is what servers and GenAI say that are built on ONNX Runtime.
func ortServer() []*Signature {
	return []*Signature{
		{
			ID: "ort-genai-no-cuda", Product: "onnxruntime-genai",
			Literals: []string{"onnxruntime_genai", "onnxruntime-genai", "CUDA interface not available"},
			Pattern:  `(?i)CUDA (?:interface|provider) (?:is )?not (?:available|supported|enabled)|onnxruntime[_-]genai.{0,160}(?:not (?:been )?built with CUDA|CUDA execution provider is not enabled)`,
			Layer:    rule.FrameworkBuild,
			Strength: Strong,
			Meaning:  "The installed ONNX Runtime GenAI has no CUDA support.",
			Causes: causes(Cause{
				Title:    "ONNX Runtime GenAI is the CPU package",
				Text:     "onnxruntime-genai is for the CPU; CUDA needs onnxruntime-genai-cuda, which works with onnxruntime-gpu of a matching release. Both packages at once overwrite each other.",
				Remedies: []Remedy{fix("install the CUDA package alone", "pip", "python -m pip uninstall -y onnxruntime-genai onnxruntime", "pip", "python -m pip install onnxruntime-genai-cuda")},
			}),
			Samples: []string{"onnxruntime_genai.onnxruntime_genai.OrtException: CUDA execution provider is not enabled in this build.", "RuntimeError: Cuda interface not available: libcudart.so.12: cannot open shared object file"},
			Misses:  []string{"onnxruntime_genai loaded"},
			Source:  "https://github.com/microsoft/onnxruntime-genai/blob/main/src/generators.cpp",
		},
		{
			ID: "ort-server-provider-enabled", Product: "ONNX Runtime servers",
			Literals: []string{"execution provider enabled"},
			Pattern:  `(?i)(?:TensorRT|CUDA|CPU) execution provider enabled`,
			Role:     Context,
			Meaning:  "A server says which execution provider it asked for.",
			Samples:  []string{"TensorRT execution provider enabled", "CUDA execution provider enabled"},
			Misses:   []string{"execution provider enabled"},
			Source:   ortCUDAPage,
		},
		{
			ID: "ort-server-cpu-fallback", Product: "ONNX Runtime servers",
			Literals: []string{"falling back to cpu", "fall back to cpu", "fallback to cpu", "fell back to cpu", "ExecutionProvider is not available", "CPU will be used", "CPU device will be used", "using cpu instead", "running on cpu instead", "defaulting to cpu"},
			Pattern:  `(?i)(?:fall(?:ing|s)?|fell)[ -]?back(?:ing)? (?:on ?)?to (?:the )?(?:CPU|CPUExecutionProvider)\b|fallback to (?:the )?CPU\b|(?:CUDA|Tensorrt)ExecutionProvider is not available|CPU (?:device )?will be used|(?:using|running on) (?:the )?CPU instead|defaulting to (?:the )?CPU`,
			Role:     Consequence,
			Layer:    rule.FrameworkBuild,
			Meaning:  "A program goes on with the CPU because the GPU could not be used.",
			Causes: causes(Cause{
				Confidence: rule.Possible,
				Title:      "the program fell back to the CPU; the text does not say why the GPU could not be used",
				Text:       "Something before this line kept the GPU from being used: a library that is not found, a build for the CPU, a driver that is too old, or no GPU in the container.",
				Remedies:   []Remedy{fix("raise the log level, start the program anew and look for the first error before this line")},
				Ask:        "the lines before this one, and nvidia-smi where the program runs",
			}),
			Samples: []string{"GPU initialisation failed, falling back to CPU", "WARNING: CUDAExecutionProvider is not available, using CPUExecutionProvider", "CPU device will be used by default."},
			Misses:  []string{"falling back to cpuset v1"},
			Source:  ortCUDAPage,
		},
	}
}
