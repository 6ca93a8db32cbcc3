package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortModel is what ONNX Runtime says about memory and models, and lines that are no failure.
func ortModel() []*Signature {
	return []*Signature{
		{
			ID: "ort-arena-memory", Product: "onnxruntime",
			Literals: []string{"AllocateRawInternal", "is smaller than requested bytes of"},
			Pattern:  `AllocateRawInternal.{0,200}Failed to allocate memory for requested buffer of size (?P<bytes>\d+)|Available memory of \d+ is smaller than requested bytes of (?P<bytes>\d+)`,
			Layer:    rule.Application,
			Strength: Strong,
			Meaning:  "ONNX Runtime's arena got no more GPU memory.",
			Causes: causes(Cause{
				Title: "not the stack: the GPU's memory is full, ONNX Runtime asked for {bytes} bytes more",
				Text:  "The model with its batch and image size needs more memory than is free, or another process holds it. The arena grows in doubled steps by default and does not give memory back.",
				Remedies: []Remedy{
					fix("use a smaller batch or input size, and see which process holds memory", "bash", "nvidia-smi"),
					fix("set arena_extend_strategy to kSameAsRequested and gpu_mem_limit in the CUDA provider's options"),
				},
			}),
			Samples: []string{"bfc_arena.cc:376 void* onnxruntime::BFCArena::AllocateRawInternal(size_t, bool, Stream*) Failed to allocate memory for requested buffer of size 1073741824"},
			Misses:  []string{"BFCArena::AllocateRawInternal Extending BFCArena for Cuda"},
			Source:  "https://github.com/microsoft/onnxruntime/issues/11092",
		},
		{
			ID: "ort-op-not-implemented", Product: "onnxruntime",
			Literals: []string{"Could not find an implementation for"},
			Pattern:  `Could not find an implementation for (?:the node )?(?P<op>\S+)`,
			Layer:    rule.Application,
			Strength: Strong,
			Meaning:  "The model has an operator, of this opset and type, that no provider of the session implements.",
			Causes: causes(Cause{
				Title:    "not the stack: the model uses {op}, which this release of ONNX Runtime does not implement for its type",
				Text:     "The operator with its version and data type has no kernel in the session's providers[ (onnxruntime {onnxruntime})]. Quantised operators and float16 often exist for some providers alone.",
				Remedies: []Remedy{fix("use a newer onnxruntime, or export the model with a lower opset or another precision", "pip", "python -m pip install -U onnxruntime-gpu"), fix("let CPUExecutionProvider be last in providers=[…]")},
			}),
			Samples: []string{"[ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : Could not find an implementation for ConvInteger(10) node with name 'Conv_0_quant'"},
			Misses:  []string{"Could not find an implementation"},
			Source:  "https://github.com/microsoft/onnxruntime/issues/17801",
		},
		{
			ID: "ort-model-too-new", Product: "onnxruntime",
			Literals: []string{"Unsupported model IR version", "stamped with official released onnx opset"},
			Pattern:  `Unsupported model IR version: (?P<need>\d+), max supported IR version: (?P<have>\d+)|stamped with official released onnx opset versions\. (?:ONNX )?Opset (?P<need>\d+) is under development`,
			Layer:    rule.Application,
			Strength: Strong,
			Meaning:  "The model file is of a newer ONNX format than this ONNX Runtime reads.",
			Causes: causes(Cause{
				Title:    "not the stack: the model's format ({need}) is newer than this onnxruntime[ {onnxruntime}] reads[ ({have})]",
				Text:     "The model was exported by a newer onnx package. GPU, driver and CUDA are not concerned.",
				Remedies: []Remedy{fix("update onnxruntime, or export the model with a lower IR version and opset", "pip", "python -m pip install -U onnxruntime-gpu")},
			}),
			Samples: []string{"Load model from m.onnx failed:/onnxruntime_src/onnxruntime/core/graph/model.cc:146 Unsupported model IR version: 11, max supported IR version: 10"},
			Misses:  []string{"Unsupported model IR version"},
			Source:  "https://github.com/microsoft/onnxruntime/issues/23372",
		},
		{
			ID: "ort-nodes-not-assigned", Product: "onnxruntime",
			Literals: []string{"nodes were not assigned to the preferred execution providers", "Memcpy nodes are added to the graph"},
			Pattern:  `nodes were not assigned to the preferred execution providers|\d+ Memcpy nodes are added to the graph`,
			Role:     Context,
			Meaning:  "Some nodes run on the CPU beside the GPU; by itself this is no failure.",
			Samples:  []string{"Some nodes were not assigned to the preferred execution providers which may or may not have an negative impact on performance.", "8 Memcpy nodes are added to the graph main_graph for CUDAExecutionProvider."},
			Misses:   []string{"nodes were assigned"},
			Source:   "https://github.com/microsoft/onnxruntime/issues/22930",
		},
		{
			ID: "ort-preload-failed", Product: "onnxruntime",
			Literals: []string{"Failed to load lib", "Failed to load C:", "install/#cuda-and-cudnn"},
			Pattern:  `Failed to load \S*?(?P<lib>` + toolkitLibrary + `|(?:cu\w+64_|nvrtc64_|nvJitLink_)[0-9_]+\.dll): |Please follow https://onnxruntime\.ai/docs/install/#cuda-and-cudnn to install CUDA and CuDNN`,
			Role:     Consequence,
			Layer:    rule.CUDALibraries,
			Meaning:  "onnxruntime.preload_dlls() did not find a library.",
			Causes: causes(Cause{
				Title:    "onnxruntime.preload_dlls() does not find [{lib|base} || the CUDA and cuDNN libraries]",
				Text:     "preload_dlls() looks in the nvidia packages of site-packages, or in the directory that it is given. The wheels for the CUDA of this build are not installed.",
				Remedies: []Remedy{fix("install them with the package's extras", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'")},
			}),
			Samples: []string{"Failed to load libcublasLt.so.12: libcublasLt.so.12: cannot open shared object file", "Please follow https://onnxruntime.ai/docs/install/#cuda-and-cudnn to install CUDA and CuDNN."},
			Misses:  []string{"Failed to load libtorch.so: "},
			Source:  "https://onnxruntime.ai/docs/install/",
		},
	}
}
