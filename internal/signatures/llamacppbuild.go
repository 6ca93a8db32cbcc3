package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// llamaCppBuild is what llama.cpp and its bindings say about how they were built.
func llamaCppBuild() []*Signature {
	return []*Signature{
		{
			ID: "ggml-cpu-build", Product: "llama.cpp",
			Literals: []string{"no usable GPU found, --gpu-layers option will be ignored", "not compiled with GPU offload support", "one possible reason is that llama.cpp was compiled without GPU support", "compiled without GPU support", "compiled without CUDA"},
			Pattern:  `no usable GPU found, --gpu-layers option will be ignored|not compiled with GPU offload support|llama\.cpp was compiled without (?:GPU support|CUDA)`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "This build of llama.cpp has no GPU backend, or the backend's library was not found.",
			Causes: causes(
				Cause{
					When:     on(Any(Lists("llama-cpp-python"), Says("llama_cpp", "llama-cpp-python"))),
					Title:    "llama-cpp-python was built without CUDA: pip's default is the CPU",
					Text:     "Without CMAKE_ARGS pip builds llama.cpp for the CPU; wheels with CUDA are on the project's own index.",
					Remedies: []Remedy{fix("build it anew with CUDA", "pip", `CMAKE_ARGS="-DGGML_CUDA=on" python -m pip install --force-reinstall --no-cache-dir llama-cpp-python`), fix("or install a wheel of the project's index for the CUDA release (cu121, cu122, cu124)")},
				},
				Cause{
					Title:    "this llama.cpp has no CUDA backend",
					Text:     "It was built without GGML_CUDA, or libggml-cuda.so does not lie beside the program, or a library that it needs is not found. A driver or toolkit does not change a build.",
					Remedies: []Remedy{fix("build it with CUDA, or take a release archive with cuda in its name", "cmake", "cmake -B build -DGGML_CUDA=ON && cmake --build build --config Release")},
					Ask:      "llama-cli --list-devices; ldd libggml-cuda.so | grep 'not found'",
				},
			),
			Samples: []string{"warning: no usable GPU found, --gpu-layers option will be ignored", "warning: not compiled with GPU offload support, --gpu-layers option will be ignored", "warning: one possible reason is that llama.cpp was compiled without GPU support"},
			Misses:  []string{"offloading 32 repeating layers to GPU"},
			Source:  "https://github.com/ggml-org/llama.cpp/blob/master/common/arg.cpp",
		},
		{
			ID: "ggml-blas-off", Product: "llama.cpp",
			Literals: []string{"BLAS = 0", "BLAS=0", "BLAS is 0"},
			Pattern:  `\bBLAS(?: ?= ?| is )0\b`,
			Where:    []Condition{Says("llama", "gpu_layers", "cuBLAS", "CMAKE_ARGS")},
			Role:     Consequence,
			Layer:    rule.FrameworkBuild,
			Meaning:  "llama.cpp's build has neither cuBLAS nor another BLAS.",
			Causes: causes(Cause{
				Title:    "this llama.cpp (llama-cpp-python) is built for the CPU: BLAS = 0",
				Text:     "pip's default build has no CUDA, and n_gpu_layers is then ignored; CMAKE_ARGS given later do not change a wheel that pip has in its cache.",
				Remedies: []Remedy{fix("build it anew with CUDA, without the cache", "pip", `CMAKE_ARGS="-DGGML_CUDA=on" python -m pip install --force-reinstall --no-cache-dir llama-cpp-python`)},
			}),
			Samples: []string{"AVX = 1 | AVX2 = 1 | FMA = 1 | F16C = 1 | BLAS = 0 | SSE3 = 1 | llama_cpp", "llama_cpp prints BLAS=0 when it starts"},
			Misses:  []string{"AVX = 1 | AVX2 = 1 | BLAS = 1 | SSE3 = 1 |"},
			Source:  "https://github.com/abetlen/llama-cpp-python/issues/502",
		},
		{
			ID: "llama-no-layers-offloaded", Product: "llama.cpp",
			Literals: []string{"offloaded 0/", "offloading 0 repeating layers"},
			Pattern:  `offloaded 0/(?P<layers>\d+) layers to GPU|offloading 0 repeating layers to GPU`,
			Role:     Consequence, Layer: rule.Application,
			Where:   on(Not(Says("ollama", "compiled without", "BLAS = 0", "no usable GPU"))),
			Meaning: "llama.cpp keeps the whole model in the machine's memory.",
			Causes: causes(Cause{
				Title:    "No layer of the model is given to the GPU[ ({gpu})]: n_gpu_layers is 0[ of {layers}]",
				Text:     "llama.cpp has CUDA and finds the GPU, but computes on the CPU because the program asks for no layers on it. Driver, CUDA and build are not at fault.",
				Remedies: []Remedy{fix("ask for layers on the GPU: n_gpu_layers=-1 (all), or as many as its memory holds; -ngl 99 or --n-gpu-layers on the command line, MODEL_N_GPU_LAYERS or the like in the program's settings")},
			}),
			Samples: []string{"llm_load_tensors: offloaded 0/33 layers to GPU", "llama_model_load_internal: offloading 0 repeating layers to GPU"},
			Misses:  []string{"llm_load_tensors: offloaded 33/33 layers to GPU"},
			Source:  "https://github.com/maozdemir/privateGPT-colab/issues/3",
		},
		{
			ID: "llama-dll-not-loaded", Product: "llama.cpp",
			Literals: []string{"(or one of its dependencies)", "Failed to load shared library '"},
			Pattern:  `Could not find module '(?:[^']*[\\/])?(?P<dll>(?:llama|ggml|ggml-cuda|whisper|stable-diffusion)\.dll)' \(or one of its dependencies\)|Failed to load shared library '(?:[^']*[\\/])?(?P<dll>(?:lib)?(?:llama|ggml)\.(?:dll|so))'`,
			Layer:    rule.CUDARuntime,
			Meaning:  "Windows could not load the program's library, or one that it needs.",
			Causes: causes(Cause{
				Title:    "{dll} cannot be loaded: the CUDA runtime or cuBLAS that it was built with is not found",
				Text:     "The file itself is there; cudart64_12.dll, cublas64_12.dll or cublasLt64_12.dll (of the build's CUDA major release) is not where Python looks. On Windows Python does not search PATH for them: CUDA_PATH or os.add_dll_directory() counts[; the toolkit here is {toolkit}].",
				Remedies: []Remedy{fix("install the CUDA toolkit of the build's major release, so that CUDA_PATH is set, or put its DLLs beside the library"), fix("or install the wheel for the CUDA that is here, or the one for the CPU")},
				Ask:      "where cudart64_12.dll cublas64_12.dll; echo %CUDA_PATH%",
			}),
			Samples: []string{`FileNotFoundError: Could not find module 'D:\ui\Lib\site-packages\llama_cpp\lib\ggml.dll' (or one of its dependencies). Try using the full path with constructor syntax.`},
			Misses:  []string{`FileNotFoundError: Could not find module 'D:\ui\foo.dll' (or one of its dependencies).`},
			Source:  "https://github.com/abetlen/llama-cpp-python/issues/117",
		},
		{
			ID: "ggml-backend-not-loaded", Product: "llama.cpp",
			Literals: []string{"ggml_backend_load_best", "libggml-cuda.so", "ggml-cuda.dll"},
			Pattern:  `(?:failed to load|ggml_backend_load\w*:).{0,80}(?:lib)?ggml-cuda\.(?:so|dll)(?:: (?P<lib>` + toolkitLibrary + `)?.{0,120})?`,
			Layer:    rule.CUDARuntime,
			Meaning:  "ggml's CUDA backend is there and could not be loaded.",
			Causes: causes(Cause{
				Title:    "ggml's CUDA backend cannot be loaded[: {lib} is not found]",
				Text:     "The library of the backend needs the CUDA runtime and cuBLAS of the release it was built with; on Windows cudart64_12.dll, cublas64_12.dll and cublasLt64_12.dll (an archive of their own, cudart-llama-bin) beside the program.",
				Remedies: []Remedy{fix("install the CUDA runtime and cuBLAS of that major release, on Windows unpack the cudart archive of the same release beside the program"), fix("or use the build for the CUDA that is here")},
				Ask:      "ldd libggml-cuda.so | grep 'not found'",
			}),
			Samples: []string{"ggml_backend_load_best: failed to load /opt/llama/libggml-cuda.so: libcudart.so.12: cannot open shared object file", "failed to load ggml-cuda.dll"},
			Misses:  []string{"load_backend: loaded CUDA backend from /opt/llama/libggml-cuda.so"},
			Source:  "https://github.com/ggml-org/llama.cpp/blob/master/ggml/src/ggml-backend-reg.cpp",
		},
	}
}
