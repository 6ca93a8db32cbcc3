package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// tensorRTBuild is what TensorRT's builder and parser and its Python package say.
func tensorRTBuild() []*Signature {
	return []*Signature{
		{
			ID: "tensorrt-no-implementation", Product: "tensorrt",
			Literals: []string{"Could not find any implementation for node"},
			Pattern:  `Could not find any implementation for node (?P<node>[^\s.)]+)`,
			Layer:    rule.TensorRT,
			Meaning:  "TensorRT's builder found no kernel for a part of the network.",
			Causes: causes(
				Cause{
					When:     on(Says("insufficient memory", "out of memory", "OutOfMemory", "requested size")),
					Layer:    rule.Application,
					Title:    "TensorRT's builder has too little memory for {node}",
					Text:     "All kernels that it tried needed more workspace or GPU memory than there is.",
					Remedies: []Remedy{fix("free GPU memory, raise the workspace (--memPoolSize=workspace:4096), or use a smaller batch and input")},
				},
				Cause{
					Title:    "TensorRT[ {tensorrt}] has no kernel for {node} on the GPU[ {gpu}][ ({sm})]",
					Text:     "The workspace is too small for all of its kernels, the operation or precision is not supported on this GPU, or this TensorRT does not know the GPU.",
					Remedies: []Remedy{fix("raise the workspace (--memPoolSize=workspace:4096) and free GPU memory"), fix("else update TensorRT, or try another precision for this layer", "pip", "python -m pip install -U tensorrt-cu12")},
				},
			),
			Samples: []string{"[optimizer.cpp::computeCosts::3728] Error Code 10: Internal Error (Could not find any implementation for node {ForeignNode[/model/Cast...]}.)"},
			Misses:  []string{"Could not find any implementation"},
			Source:  "https://github.com/open-mmlab/mmdeploy/issues/332",
		},
		{
			ID: "tensorrt-myelin", Product: "tensorrt",
			Literals: []string{"myelinGraphContext", "Error Code 1: Myelin"},
			Pattern:  `Error Code 1: Myelin \((?P<text>.{5,160})|myelin\w*.{0,40}(?P<text>failed|error).{0,80}`,
			Layer:    rule.TensorRT,
			Meaning:  "TensorRT's inner compiler failed.",
			Causes: causes(
				Cause{
					When:     on(Says("out of memory", "insufficient memory")),
					Layer:    rule.Application,
					Title:    "TensorRT's compiler ran out of GPU memory",
					Text:     "The network needs more memory than is free.",
					Remedies: []Remedy{fix("free GPU memory, use a smaller batch or a GPU with more memory", "bash", "nvidia-smi")},
				},
				Cause{
					Title:    "TensorRT[ {tensorrt}]'s inner compiler (Myelin) failed",
					Text:     "It is mostly a fault of this TensorRT release with this network or GPU[ {gpu}], or a CUDA library of another release that is loaded with it (cuBLAS on LD_LIBRARY_PATH)[; message: {text}].",
					Remedies: []Remedy{fix("update TensorRT and build anew", "pip", "python -m pip install -U tensorrt-cu12"), fix("take other CUDA libraries off LD_LIBRARY_PATH")},
				},
			),
			Samples: []string{"[myelinBuilderUtils.cpp::operator()::475] Error Code 1: Myelin ([cask.cpp:exec:972] Platform (Cuda) error)"},
			Misses:  []string{"Myelin backend enabled"},
			Source:  "https://github.com/NVIDIA/TensorRT/issues/1292",
		},
		{
			ID: "tensorrt-network-unsupported", Product: "tensorrt",
			Literals: []string{"Non-zero zero point is not supported", "No importer registered for op", "Your ONNX model has been generated with INT64 weights", "Unsupported ONNX data type"},
			Pattern:  `Assertion failed: .{0,60}Non-zero zero point is not supported|No importer registered for op: (?P<op>\w+)|Unsupported ONNX data type: (?P<op>\w+)`,
			Layer:    rule.Application,
			Strength: Strong,
			Meaning:  "TensorRT's parser does not support something in the model.",
			Causes: causes(
				Cause{
					When:     on(Says("Non-zero zero point")),
					Layer:    rule.TensorRT,
					Title:    "TensorRT does not read this model: it is quantised with zero points that are not zero",
					Text:     "TensorRT supports symmetric quantisation alone. The GPU, the driver and CUDA work; a server can say that the provider is enabled and still fail at the first request.",
					Remedies: []Remedy{fix("use the model's symmetrically quantised or unquantised variant, or an older model that was exported so"), fix("or run it with the CUDA provider or on the CPU (executionProvider.provider: cpu where the server has such a setting)")},
				},
				Cause{
					Title:    "not the stack: TensorRT[ {tensorrt}] does not support [{op} || an operation] of the model",
					Text:     "The parser has no importer for it.",
					Remedies: []Remedy{fix("update TensorRT, add a plugin, or export the model with other operators")},
				},
			),
			Samples: []string{"In node 12 with name: and operator: QuantizeLinear (QuantDequantLinearHelper): UNSUPPORTED_NODE: Assertion failed: shiftIsAllZeros(zeroPoint): Non-zero zero point is not supported.", "[E] No importer registered for op: NonZero. Attempting to import as plugin."},
			Misses:  []string{"Your ONNX model has been generated with INT64 weights, while TensorRT does not natively support INT64."},
			Source:  "https://github.com/onnx/onnx-tensorrt/blob/10.1-GA/ModelImporter.cpp",
		},
		{
			ID: "tensorrt-python-missing", Product: "tensorrt",
			Literals: []string{"No module named 'tensorrt'", "No module named 'tensorrt_bindings'", "No module named 'tensorrt_libs'", "module 'tensorrt' has no attribute"},
			Pattern:  `No module named '(?P<module2>tensorrt(?:_bindings|_libs)?(?:\.\w+)?)'|module 'tensorrt' has no attribute '(?P<attr>\w+)'`,
			Layer:    rule.TensorRT,
			Strength: Strong,
			Meaning:  "Python does not find TensorRT, or finds a release without the asked name.",
			Causes: causes(
				Cause{
					When:     on(OnJetson),
					Title:    "Python does not find TensorRT: on Jetson it belongs to the system's Python",
					Text:     "JetPack installs it for the system's Python (python3-libnvinfer in /usr/lib/python3/dist-packages); a virtual or Conda environment does not see it.",
					Remedies: []Remedy{fix("use the system's Python, or an environment made with --system-site-packages", "bash", "python3 -m venv --system-site-packages env")},
				},
				Cause{
					When:     on(Has("attr")),
					Title:    "this TensorRT[ {tensorrt}] has no {attr}: the program is written for another major release",
					Text:     "TensorRT 10 removed much of the interface of 8 (bindings, max_batch_size, implicit batch).",
					Remedies: []Remedy{fix("install the TensorRT that the program is written for, or update the program", "pip", "python -m pip install 'tensorrt==8.6.*'")},
				},
				Cause{
					Title:    "TensorRT's Python package is not installed in this environment",
					Text:     "TensorRT comes with neither CUDA nor PyTorch. The package must fit Python's version and the CUDA major release.",
					Remedies: []Remedy{fix("install it", "pip", "python -m pip install tensorrt-cu12")},
				},
			),
			Samples: []string{"ModuleNotFoundError: No module named 'tensorrt'", "AttributeError: module 'tensorrt' has no attribute 'Builder'"},
			Misses:  []string{"No module named 'tensorrt_llm'"},
			Source:  "https://docs.nvidia.com/deeplearning/tensorrt/latest/installing-tensorrt/installing.html",
		},
		{
			ID: "triton-model-load-failed", Product: "tritonserver",
			Literals: []string{"failed to load '", "unable to load plan file to auto complete config", "unable to create TensorRT engine", "unable to create TensorRT runtime"},
			Pattern:  `failed to load '(?P<model>[^']+)' version \d+: |unable to (?:load plan file|create TensorRT (?:engine|runtime))`,
			Role:     Consequence,
			Layer:    rule.TensorRT,
			Meaning:  "Triton could not load a model.",
			Causes: causes(Cause{
				Title:    "Triton could not load the model[ {model}]",
				Text:     "The reason stands behind the colon or in the lines before: for plan files most often another TensorRT release or GPU.",
				Remedies: []Remedy{fix("build plan files in the container of the same month as the server's, on the GPU that serves")},
			}),
			Samples: []string{"E0101 model_lifecycle.cc:621] failed to load 'detector' version 1: Internal: unable to load plan file to auto complete config: /models/detector/1/model.plan"},
			Misses:  []string{"successfully loaded 'detector' version 1"},
			Source:  "https://github.com/triton-inference-server/server/issues/317",
		},
	}
}
