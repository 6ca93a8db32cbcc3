package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortProvider is what ONNX Runtime says once a provider could not be made.
func ortProvider() []*Signature {
	return []*Signature{
		{
			ID: "ort-cuda-provider-not-created", Product: "onnxruntime",
			Literals: []string{"Failed to create CUDAExecutionProvider", "Failed to create CUDAE"},
			Pattern:  `Failed to create CUDAE\s?xecutionProvider(?:\. Require cuDNN (?P<needcudnn>\d+)\.\* and CUDA (?P<needcuda>\d+)\.\*)?`,
			Role:     Consequence,
			Layer:    rule.CUDALibraries,
			Meaning:  "ONNX Runtime could not make its CUDA provider and goes on without it; the reason stands in the error line before this one.",
			Causes: causes(
				Cause{
					When:     on(Has("needcudnn"), Any(Is("torch_cuda", `^11`), Is("runtime", `^11`), Is("toolkit", `^11`)), Is("needcuda", `^12`)),
					Title:    "ONNX Runtime's CUDA provider cannot be made: this build needs CUDA {needcuda} and cuDNN {needcudnn}, and CUDA [{toolkit} || {runtime} || 11] is here",
					Text:     ortFallsBack + "Libraries of CUDA 11 do not serve a build for CUDA 12.",
					Remedies: []Remedy{fix("install the CUDA {needcuda} libraries and cuDNN {needcudnn} into the environment", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'"), fix("or stay on CUDA 11.8 with cuDNN 8: the CUDA 11 build of onnxruntime-gpu, 1.18 or older from the package index")},
				},
				Cause{
					When:  on(Differ("needcudnn", "cudnn|major")),
					Layer: rule.CUDNN,
					Title: "ONNX Runtime's CUDA provider cannot be made: this build needs cuDNN {needcudnn}, and cuDNN {cudnn} is here",
					Text:  ortFallsBack + "cuDNN 8 and 9 have different library names; one does not stand in for the other.",
					Remedies: []Remedy{fix("install cuDNN {needcudnn} for CUDA {needcuda}", "pip", "python -m pip install 'nvidia-cudnn-cu{needcuda}=={needcudnn}.*'"),
						fix("or an onnxruntime-gpu that is built with the cuDNN that is here: 1.18 or older for cuDNN 8, 1.19 or newer for cuDNN 9; on Jetson a wheel for this JetPack, or one built from source")},
				},
				Cause{
					When:  on(Has("needcudnn")),
					Title: "ONNX Runtime's CUDA provider cannot be made: this build needs CUDA {needcuda} and cuDNN {needcudnn} where the loader finds them",
					Text:  ortFallsBack + "The reason is in the line that begins with E:onnxruntime before this one: mostly a library of CUDA {needcuda} or cuDNN {needcudnn} that is not found[ (here the toolkit is {toolkit})], on Windows the Visual C++ runtime too. Another CUDA major does not do.",
					Remedies: []Remedy{
						fix("install the libraries with the package, and load them before the first session with onnxruntime.preload_dlls() (1.21 and later), or import torch of the same CUDA first", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'", "python", "import onnxruntime; onnxruntime.preload_dlls()"),
						fix("or put the directories of CUDA {needcuda} and cuDNN {needcudnn} on LD_LIBRARY_PATH, on Windows on PATH, before the program starts"),
					},
					Ask: "the E:onnxruntime line just before; on Linux: ldd $(python -c 'import onnxruntime,os;print(os.path.dirname(onnxruntime.__file__))')/capi/libonnxruntime_providers_cuda.so | grep 'not found'",
				},
				Cause{
					Title: "ONNX Runtime's CUDA provider cannot be made: a library of the CUDA or cuDNN that this release is built for is not found",
					Text: ortFallsBack + "Releases up to 1.18 need CUDA 11 (11.8) and cuDNN 8, releases from 1.19 CUDA 12 and cuDNN 9; the CUDA and cuDNN must be of that major release[ (ONNX Runtime here is {onnxruntime})][, the toolkit is {toolkit}][, cuDNN is {cudnn}]. " +
						"The name of the missing library is in the line before, where the log has it.",
					Remedies: []Remedy{
						fix("choose the onnxruntime-gpu that fits the CUDA that is here: 1.19 or newer for CUDA 12 with cuDNN 9, 1.18 or older for CUDA 11 with cuDNN 8", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'"),
						fix("put the directories of that CUDA and cuDNN on LD_LIBRARY_PATH, on Windows on PATH, before the program starts"),
					},
					Ask: "the E:onnxruntime line just before this one, and python -m pip list | grep -iE 'onnxruntime|nvidia'",
				},
			),
			Samples: []string{
				"[W:onnxruntime:Default, onnxruntime_pybind_state.cc:965 CreateExecutionProviderInstance] Failed to create CUDAExecutionProvider. Require cuDNN 9.* and CUDA 12.*. Please install all dependencies as mentioned in the GPU requirements page",
				"[W:onnxruntime:Default, onnxruntime_pybind_state.cc:640 CreateExecutionProviderInstance] Failed to create CUDAExecutionProvider. Please reference https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html#requirements to ensure all dependencies are met.",
			},
			Misses: []string{"Failed to create CUDAEngine"},
			Source: "https://github.com/microsoft/onnxruntime/issues/21769",
		},
		{
			ID: "ort-cuda-path-set", Product: "onnxruntime",
			Literals: []string{"CUDA_PATH is set but CUDA was"},
			Pattern:  `CUDA_PATH is set but CUDA wasn'?t able to be loaded`,
			Role:     Consequence,
			Layer:    rule.CUDALibraries,
			Meaning:  "ONNX Runtime could not load its CUDA provider, and stops because CUDA_PATH says that CUDA is installed.",
			Causes: causes(Cause{
				Title: "ONNX Runtime's CUDA provider cannot be loaded, although CUDA_PATH is set",
				Text:  "With CUDA_PATH set ONNX Runtime raises an error instead of using the CPU. The CUDA or cuDNN that it is built for is not found; CUDA_PATH may point to another major release[ (toolkit {toolkit})]. Releases from 1.19 need CUDA 12 and cuDNN 9, releases up to 1.18 CUDA 11 and cuDNN 8.",
				Remedies: []Remedy{
					fix("install the CUDA and the cuDNN of that major release, and have both bin (lib) directories on PATH (LD_LIBRARY_PATH)"),
					fix("or install the libraries from wheels and call onnxruntime.preload_dlls()", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'"),
				},
				Ask: "echo $CUDA_PATH, and the E:onnxruntime line just before this one",
			}),
			Samples: []string{"RuntimeError: CUDA_PATH is set but CUDA wasn't able to be loaded. Please install the correct version of CUDA andcuDNN as mentioned in the GPU requirements page", "EP Error CUDA_PATH is set but CUDA wasnt able to be loaded. Please install the correct version of CUDA"},
			Misses:  []string{"CUDA_PATH is set but CUDA was loaded"},
			Source:  "https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/python/onnxruntime_pybind_state.cc",
		},
		{
			ID: "ort-ep-error", Product: "onnxruntime",
			Literals: []string{"EP Error", "and retrying."},
			Pattern:  `EP Error .{0,400}when using \[(?P<providers>[^\]]+)\]|[Ff]alling back to \[(?P<next>'[A-Za-z]+ExecutionProvider'[^\]]*)\] and retrying`,
			Role:     Consequence,
			Layer:    rule.FrameworkBuild,
			Meaning:  "A session with the asked providers failed; ONNX Runtime tries again with others, mostly the CPU.",
			Causes: causes(Cause{
				Title:    "ONNX Runtime fell back to other providers, because a session with the GPU could not be made",
				Text:     "The reason stands between EP Error and when using, or in the error before it. The program goes on, on the CPU.",
				Remedies: []Remedy{fix("mend the error that is named before this line; session.get_providers() shows afterwards what is used")},
				Ask:      "the lines before EP Error",
			}),
			Samples: []string{
				"*************** EP Error *************** EP Error Failed to load provider when using ['CUDAExecutionProvider', 'CPUExecutionProvider']",
				"Falling back to ['CPUExecutionProvider'] and retrying.",
			},
			Misses: []string{"Connection lost and retrying."},
			Source: "https://github.com/microsoft/onnxruntime/issues/12639",
		},
		{
			ID: "ort-provider-not-available", Product: "onnxruntime",
			Literals:    []string{"not in available provider names", "not in available providers"},
			Pattern:     `[Pp]rovider '?(?P<provider>(?:CUDA|Tensorrt|TensorRT)\w*)'? is not in available provider(?: name)?s`,
			Layer:       rule.FrameworkBuild,
			Strength:    Strong,
			ExplainedBy: []string{"PKG001", "FRM001"},
			Meaning:     "The onnxruntime that was imported is a build without this provider.",
			Causes: append(causes(Cause{
				When:     on(Says("build.sh", "build.bat", "--build_wheel", "--cuda_home", "built from source", "self-built", "build from source"), Not(Says("--use_cuda", "onnxruntime_USE_CUDA=ON"))),
				Title:    "This ONNX Runtime was built without CUDA: --use_cuda is not among the build's options",
				Text:     "The paths of CUDA and cuDNN alone do not switch the provider on. A build without --use_cuda has the CPU provider only, whatever is installed.",
				Remedies: []Remedy{fix("build again with --use_cuda beside the paths, and install that wheel", "shell", "./build.sh --config Release --build_wheel --parallel --use_cuda --cuda_home $CUDA_HOME --cudnn_home $CUDNN_HOME")},
			}), ortCPUCauses("the imported onnxruntime has no {provider}")...),
			Samples: []string{"UserWarning: Specified provider 'CUDAExecutionProvider' is not in available provider names.Available providers: 'AzureExecutionProvider, CPUExecutionProvider'"},
			Misses:  []string{"Specified provider 'DmlExecutionProvider' is not in available provider names."},
			Source:  "https://github.com/microsoft/onnxruntime/issues/23736",
		},
	}
}
