package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortAPI is what the bindings for other languages, the extensions and the TensorRT provider of ONNX Runtime say.
func ortAPI() []*Signature {
	return []*Signature{
		{
			ID: "ort-provider-not-enabled", Product: "onnxruntime",
			Literals: []string{"execution provider is not enabled in this build", "provider is not supported in this build", "OrtSessionOptionsAppendExecutionProvider_CUDA"},
			Pattern:  `(?i)(?P<provider>CUDA|TensorRT)[ \w]*execution provider is not (?:enabled|supported) in this build|entry point named 'OrtSessionOptionsAppendExecutionProvider_(?P<provider>CUDA|Tensorrt)'|undefined (?:symbol|reference)[:\s]+.?OrtSessionOptionsAppendExecutionProvider_(?P<provider>CUDA|Tensorrt)`,
			Layer:    rule.FrameworkBuild,
			Strength: Strong,
			Meaning:  "The ONNX Runtime library in use is a build without this provider.",
			Causes: causes(Cause{
				Title: "this ONNX Runtime library is built without the {provider} provider: it is the CPU build",
				Text:  "The CPU package is installed where the GPU one is needed, or an onnxruntime library of another place was loaded. Drivers and CUDA installations do not change this.",
				Remedies: []Remedy{
					when(fix("C#: replace Microsoft.ML.OnnxRuntime by Microsoft.ML.OnnxRuntime.Gpu (both at once conflict)", "dotnet", "dotnet remove package Microsoft.ML.OnnxRuntime", "dotnet", "dotnet add package Microsoft.ML.OnnxRuntime.Gpu"), Any(OnWindows, Says("Microsoft.ML", ".cs:line", "nuget"))),
					when(fix("Java: depend on com.microsoft.onnxruntime:onnxruntime_gpu instead of onnxruntime"), Says("ai.onnxruntime", ".java:")),
					fix("C, C++, Go, Rust: use the release archive with gpu in its name, with its libonnxruntime_providers_*.so beside it"),
					fix("Python: install onnxruntime-gpu alone", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu", "pip", "python -m pip install onnxruntime-gpu"),
				},
			}),
			Samples: []string{"RuntimeError: CUDA execution provider is not enabled in this build.", "Unable to find an entry point named 'OrtSessionOptionsAppendExecutionProvider_CUDA' in DLL 'onnxruntime'.", "TensorRT execution provider is not enabled in this build. "},
			Misses:  []string{"DML execution provider is not enabled in this build."},
			Source:  "https://github.com/microsoft/onnxruntime/issues/8093",
		},
		{
			ID: "ort-csharp-shared-library", Product: "onnxruntime",
			Literals: []string{"Failed to load shared library"},
			Pattern:  `OrtSessionOptionsAppendExecutionProvider_(?P<provider>Cuda|CUDA|Tensorrt): Failed to load shared library|(?P<provider>CUDA|Tensorrt)ExecutionProvider.{0,80}Failed to load shared library`,
			Layer:    rule.CUDALibraries,
			Meaning:  "ONNX Runtime could not load its provider library or one that it needs.",
			Causes: causes(Cause{
				Title:    "ONNX Runtime cannot load its {provider} provider: a CUDA or cuDNN library of the build's major release is not found",
				Text:     "The message does not name the file. Releases up to 1.18 need CUDA 11 and cuDNN 8, 1.19 to 1.26 CUDA 12 and cuDNN 9, newer ones CUDA 13[ (here {onnxruntime})][, the toolkit is {toolkit}]. onnxruntime_providers_shared and onnxruntime_providers_cuda must lie beside onnxruntime itself.",
				Remedies: []Remedy{fix("install the CUDA and cuDNN of that major release and have their bin (lib) folders on PATH (LD_LIBRARY_PATH)"), fix("in .NET use Microsoft.ML.OnnxRuntime.Gpu alone, without Microsoft.ML.OnnxRuntime beside it")},
				Ask:      "which CUDA and cuDNN DLLs are on PATH: where cudart64_12.dll cudnn64_9.dll",
			}),
			Samples: []string{"[ErrorCode:Fail] OrtSessionOptionsAppendExecutionProvider_Cuda: Failed to load shared library"},
			Misses:  []string{"Failed to load shared library libfoo.so"},
			Source:  "https://github.com/microsoft/onnxruntime/issues/2184",
		},
		{
			ID: "ort-java-no-cuda", Product: "onnxruntime",
			Literals: []string{"This binary was not compiled with"},
			Pattern:  `This binary was not compiled with (?P<provider>CUDA|TensorRT)[a-zA-Z ]* support`,
			Layer:    rule.FrameworkBuild,
			Strength: Strong,
			Meaning:  "The Java binding's native library is a build without this provider.",
			Causes: causes(Cause{
				Title:    "the Java package of ONNX Runtime is built without {provider}: it is the CPU artefact",
				Text:     "Maven has two artefacts: onnxruntime for the CPU, onnxruntime_gpu with CUDA and TensorRT for Linux and Windows x64.",
				Remedies: []Remedy{fix("depend on com.microsoft.onnxruntime:onnxruntime_gpu, and not on onnxruntime beside it")},
			}),
			Samples: []string{"ai.onnxruntime.OrtException: Error code - ORT_EP_FAIL - message: This binary was not compiled with CUDA support."},
			Misses:  []string{"This binary was not compiled with SSL support"},
			Source:  "https://github.com/microsoft/onnxruntime/blob/main/java/src/main/native/ai_onnxruntime_OrtSession_SessionOptions.c",
		},
	}
}
