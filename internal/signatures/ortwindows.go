package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortWindows is ONNX Runtime's words on Windows, where the loader does not say which file is missing.
func ortWindows() []*Signature {
	return []*Signature{
		{
			ID: "ort-windows-dependency-named", Product: "onnxruntime",
			Literals: []string{"depends on"},
			Pattern:  `(?i)(?P<provider>onnxruntime_providers_\w+)\.dll\\?"? (?:which )?depends on \\?"?(?P<lib>[\w.]+\.dll)\\?"?(?: which is missing)?`,
			Layer:    rule.CUDALibraries,
			Strength: Strong,
			Meaning:  "ONNX Runtime could not load its provider, and names the DLL that Windows did not find.",
			Causes: causes(
				Cause{
					When:     on(Is("lib", `(?i)^cudnn`)),
					Layer:    rule.CUDNN,
					Title:    "ONNX Runtime's GPU provider needs {lib}, which is not found",
					Text:     ortFallsBack + "cuDNN is a product of its own, which the CUDA toolkit does not bring; the number in the name is its major release, and another one does not do[ (here cuDNN {cudnn})].",
					Remedies: []Remedy{fix("install cuDNN of that major for the CUDA of the build and put its bin folder on PATH, or use the wheel with onnxruntime.preload_dlls()", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'"), fix("or an onnxruntime-gpu for the cuDNN that is here: 1.18 or older for cuDNN 8, 1.19 or newer for cuDNN 9")},
					Ask:      "where {lib}",
				},
				Cause{
					When:     on(Is("lib", `(?i)^nvinfer|^nvonnx`)),
					Layer:    rule.TensorRT,
					Title:    "ONNX Runtime's TensorRT provider needs {lib}, which is not found",
					Text:     "TensorRT is not installed, or is of another major release than this onnxruntime-gpu is built for. The CUDA provider works without it.",
					Remedies: []Remedy{fix("leave TensorrtExecutionProvider out of the list where TensorRT is not needed"), fix("or put the lib (bin) folder of that TensorRT on PATH")},
				},
				Cause{
					When:     on(Is("lib", `(?i)^(msvcp|vcruntime|concrt)`)),
					Layer:    rule.PythonEnv,
					Title:    "{lib} of the Visual C++ runtime is not found or too old",
					Text:     "ONNX Runtime is built with a recent MSVC; an old or missing redistributable keeps its libraries from loading.",
					Remedies: []Remedy{fix("install the newest Visual C++ redistributable (x64) from Microsoft")},
				},
				Cause{
					Title:    "ONNX Runtime's GPU provider needs {lib}[ ({lib|component} of CUDA {lib|cudamajor})], which is not found",
					Text:     ortFallsBack + "Windows looks on PATH and beside the program. Another number in the name is another major release and does not do[ (the toolkit here is {toolkit})].",
					Remedies: []Remedy{fix("put the bin folder of CUDA {lib|cudamajor} on PATH, or install the wheels and call onnxruntime.preload_dlls()", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'"), fix("or install the onnxruntime-gpu for the CUDA that is here: 1.18 or older for CUDA 11, 1.19 to 1.26 for CUDA 12, 1.27 or newer for CUDA 13")},
					Ask:      "where {lib}",
				},
			),
			Samples: []string{
				`Error loading "C:\app\Lib\site-packages\onnxruntime\capi\onnxruntime_providers_cuda.dll" which depends on "cublasLt64_12.dll" which is missing. (Error 126: "The specified module could not be found.")`,
				`Error loading "onnxruntime_providers_tensorrt.dll" which depends on "nvinfer_10.dll" which is missing.`,
			},
			Misses: []string{`The module foo.dll which depends on "bar.dll"`},
			Source: "https://github.com/microsoft/onnxruntime/issues/23372",
		},
		{
			ID: "ort-windows-error-126", Product: "onnxruntime",
			Literals: []string{"LoadLibrary failed with error", "onnxruntime_providers_cuda.dll", "onnxruntime_providers_tensorrt.dll"},
			Pattern:  `(?i)LoadLibrary failed with error (?P<code>126|127|1114|193)\b.{0,300}?onnxruntime_providers_(?P<provider>cuda|tensorrt|shared)\.dll|onnxruntime_providers_(?P<provider>cuda|tensorrt|shared)\.dll"?.{0,20}\(?error(?: code)?:? (?P<code>126|127|1114)|(?:trying to load|error loading)[ \\"]+(?:[^"]*\\)?onnxruntime_providers_(?P<provider>cuda|tensorrt|shared)\.dll\\?"(?: which is missing)`,
			Layer:    rule.CUDALibraries,
			Meaning:  "Windows could not load ONNX Runtime's provider DLL: 126 says that a DLL which it needs is not found, 127 that one was found that lacks a function.",
			Causes: causes(
				Cause{
					When:     on(Is("provider", `(?i)^tensorrt$`)),
					Layer:    rule.TensorRT,
					Title:    "ONNX Runtime's TensorRT provider cannot be loaded: TensorRT's DLLs are not found[ (error {code})]",
					Text:     "nvinfer_10.dll (nvinfer.dll for TensorRT 8) and nvonnxparser_10.dll must be on PATH, of the major release that this onnxruntime-gpu is built for. The CUDA provider does not need them.",
					Remedies: []Remedy{fix("leave TensorrtExecutionProvider out of the list where TensorRT is not needed"), fix("or put the folder with TensorRT's DLLs on PATH")},
				},
				Cause{
					When:     on(Is("code", `^127$`)),
					Layer:    rule.CUDNN,
					Title:    "ONNX Runtime's provider found a DLL of another release (error 127): mixed cuDNN or CUDA DLLs on PATH",
					Text:     "Error 127 says that a DLL was found and lacks a function: an older or newer copy of cuDNN or CUDA, or of the Visual C++ runtime, comes first on PATH or lies beside the program.",
					Remedies: []Remedy{fix("keep one copy of cuDNN and CUDA of the majors that the build needs, and take other folders off PATH")},
					Ask:      "where cudnn64_9.dll cublasLt64_12.dll cudart64_12.dll",
				},
				Cause{
					When:     on(Is("cudnn", `^9`), Any(Is("onnxruntime", `^1\.(\d|1[0-8])(\.|$)`), Says("cuda12-1.17", "1.17.1", "1.18.0"))),
					Layer:    rule.CUDNN,
					Title:    "ONNX Runtime's GPU provider cannot be loaded[ (error {code})]: onnxruntime[ {onnxruntime}] needs cuDNN 8, and cuDNN {cudnn} is installed",
					Text:     ortFallsBack + "Releases before 1.19 look for cudnn64_8.dll; cuDNN 9 does not have it.",
					Remedies: []Remedy{fix("update onnxruntime-gpu to 1.19 or newer, which is built for cuDNN 9 and CUDA 12", "pip", "python -m pip install -U onnxruntime-gpu"), fix("or install cuDNN 8.9 and put its bin folder on PATH")},
				},
				Cause{
					When:     on(Is("onnxruntime", `^1\.(19|2\d)`), Any(Is("toolkit", `^11`), Is("torch_cuda", `^11`), Is("runtime", `^11`), Is("cudnn", `^8`))),
					Title:    "ONNX Runtime's GPU provider cannot be loaded[ (error {code})]: onnxruntime {onnxruntime} needs CUDA 12 and cuDNN 9[, and CUDA {toolkit} is here || , and PyTorch's CUDA {torch_cuda} is here || , and cuDNN {cudnn} is here]",
					Text:     ortFallsBack + "From 1.19 on the package is built for CUDA 12 and cuDNN 9: cublasLt64_12.dll, cudart64_12.dll, cufft64_11.dll, cudnn64_9.dll. CUDA 11 or cuDNN 8 do not do.",
					Remedies: []Remedy{fix("install CUDA 12 and cuDNN 9 and put both bin folders on PATH, or use the wheels with onnxruntime.preload_dlls()", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'"), fix("or stay on CUDA 11.8 with cuDNN 8 and onnxruntime-gpu 1.18.1 or older", "pip", "python -m pip install onnxruntime-gpu==1.18.1")},
				},
				Cause{
					Title: "onnxruntime_providers_{provider|lower}.dll, ONNX Runtime's GPU provider, cannot be loaded on Windows[ (error {code})]: a CUDA, cuDNN or Visual C++ DLL that it needs is not found",
					Text: ortFallsBack + "onnxruntime-gpu 1.19 to 1.26 needs cublasLt64_12.dll, cublas64_12.dll, cufft64_11.dll, cudart64_12.dll (CUDA 12) and cudnn64_9.dll (cuDNN 9); 1.18 and older need CUDA 11 (cublasLt64_11.dll, cudart64_110.dll) and cudnn64_8.dll with zlibwapi.dll; all need the newest Visual C++ runtime[. Here: onnxruntime {onnxruntime}][, CUDA {toolkit}][, cuDNN {cudnn}]. " +
						"The DLL itself is there: the message names the one that could not be loaded, not the one that is missing.",
					Remedies: []Remedy{
						fix("put the bin folders of the CUDA and the cuDNN of that major release on PATH (cuDNN 9 keeps its DLLs in bin\\12.x), or use the wheels with onnxruntime.preload_dlls()", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'"),
						fix("install the newest Visual C++ redistributable (x64)"),
					},
					Ask: "where cublasLt64_12.dll cudart64_12.dll cufft64_11.dll cudnn64_9.dll; the one that is not found is the cause",
				},
			),
			Samples: []string{
				`[ONNXRuntimeError] : 1 : FAIL : LoadLibrary failed with error 126 "" when trying to load "D:\bot\venv\Lib\site-packages\onnxruntime\capi\onnxruntime_providers_cuda.dll"`,
				`FAIL : LoadLibrary failed with error 126 "The specified module could not be found." when trying to load "C:\x\onnxruntime_providers_tensorrt.dll"`,
				`Error loading "C:\x\onnxruntime_providers_cuda.dll" which is missing. (Error 126: "The specified module could not be found.")`,
				"Loadlibrary failed with error 126 when trying to load onnxruntime_providers_cuda.dll",
			},
			Misses: []string{"LoadLibrary failed with error 5", `Loaded onnxruntime_providers_cuda.dll`},
			Source: "https://github.com/microsoft/onnxruntime/issues/20049",
		},
	}
}
