package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortTensorRT is what ONNX Runtime says about its TensorRT provider.
func ortTensorRT() []*Signature {
	return []*Signature{
		{
			ID: "ort-tensorrt-provider-not-created", Product: "onnxruntime",
			Literals: []string{"Failed to create TensorrtExecutionProvider", "Please install TensorRT libraries as mentioned"},
			Pattern:  `Failed to create TensorrtExecutionProvider|Please install TensorRT libraries as mentioned in the GPU requirements page`,
			Role:     Consequence,
			Layer:    rule.TensorRT,
			Meaning:  "ONNX Runtime could not make its TensorRT provider and goes on with the next one.",
			Causes: causes(Cause{
				Title: "ONNX Runtime's TensorRT provider cannot be made: TensorRT of the major release that this build needs is not found",
				Text:  "onnxruntime-gpu 1.18 and newer need TensorRT 10, older ones TensorRT 8[ (here onnxruntime {onnxruntime}][, TensorRT {tensorrt})]. The package does not bring it. The CUDA provider does not need it.",
				Remedies: []Remedy{
					fix("leave TensorrtExecutionProvider out of providers=[…] where TensorRT is not needed"),
					fix("or install TensorRT and put its directory on LD_LIBRARY_PATH (PATH on Windows)", "pip", "python -m pip install tensorrt-cu12"),
				},
			}),
			Samples: []string{"Failed to create TensorrtExecutionProvider. Please reference https://onnxruntime.ai/docs/execution-providers/TensorRT-ExecutionProvider.html#requirements to ensure all dependencies are met."},
			Misses:  []string{"TensorrtExecutionProvider created"},
			Source:  "https://github.com/microsoft/onnxruntime/issues/12639",
		},
		{
			ID: "ort-tensorrt-build-failed", Product: "onnxruntime",
			Literals: []string{"TensorRT EP "},
			Pattern:  `TensorRT EP (?:failed to (?:create|build) engine|could not (?:build|deserialize|create)[a-z ]*engine|failed to deserialize|execution context enqueue failed)[^.]*`,
			Layer:    rule.TensorRT,
			Meaning:  "ONNX Runtime's TensorRT provider could not make or read an engine.",
			Causes: causes(
				Cause{
					When:     on(Says("could not deserialize engine", "failed to deserialize")),
					Title:    "ONNX Runtime's TensorRT provider cannot read an engine from its cache: it was built by another TensorRT or for another GPU",
					Text:     "A cached engine works only with the TensorRT release and the GPU model that made it.",
					Remedies: []Remedy{fix("delete the engine cache (trt_engine_cache_path, *.engine and *.profile) and let it be built anew")},
				},
				Cause{
					Title:    "ONNX Runtime's TensorRT provider could not build an engine for a part of the model",
					Text:     "The reason stands in TensorRT's own lines before: an operator or shape that this TensorRT does not support, too little workspace memory, or a GPU that it does not know[ ({gpu}, {sm})].",
					Remedies: []Remedy{fix("use CUDAExecutionProvider for this model, or infer the shapes first (symbolic_shape_infer) and raise trt_max_workspace_size")},
				},
			),
			Samples: []string{"TensorRT EP failed to create engine from network for fused node: TensorrtExecutionProvider_TRTKernel_graph_main_1_0", "TensorRT EP could not deserialize engine from cache: /models/cache/TensorrtExecutionProvider.engine"},
			Misses:  []string{"TensorRT EP is loaded"},
			Source:  "https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/tensorrt/tensorrt_execution_provider.cc",
		},
	}
}
