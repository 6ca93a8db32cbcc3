package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// dotNet is what programs on .NET and on Node say where the native libraries for CUDA do not load.
func dotNet() []*Signature {
	return []*Signature{
		{
			ID: "llamasharp-native-library", Product: "llamasharp",
			Literals: []string{"Please search LLamaSharp.Backend", "No LLamaSharp backend was installed", "Failed Loading 'runtimes/", "native library cannot be correctly loaded"},
			Pattern:  `No LLamaSharp backend was installed|Failed Loading '(?P<file>runtimes/[^']{0,60}/cuda(?P<cuda>\d+)/[^']{3,40})'`,
			Layer:    rule.CUDARuntime,
			Meaning:  "LLamaSharp could not load a native library of llama.cpp.",
			Causes: causes(
				Cause{
					When:  on(Says("Backend.Cuda", "cuda12", "cuda11", "WithCuda", "CUDA 1", "cuda backend")),
					Title: "LLamaSharp's CUDA library[ ({file})] does not load: the CUDA libraries that it is linked with are not found, or are of another release[ (here {toolkit}) ||  (here {runtime})]",
					Text:  "The packages LLamaSharp.Backend.Cuda11 and Cuda12 bring llama.cpp alone; cudart64_11/12.dll, cublas64_11/12.dll and cublasLt64_11/12.dll have to come from a CUDA toolkit of that major release on PATH. Two backend packages in one project, or one of another version than LLamaSharp, do the same.",
					Remedies: []Remedy{
						fix("install the CUDA toolkit of the major release in the package's name and start a new shell, so that its bin directory is on PATH", "check", "where cudart64_12.dll cublas64_12.dll"),
						fix("keep one backend package, of the same version as LLamaSharp; LLamaSharp.Backend.Cpu shows whether the rest works"),
					},
					Ask: "the log with NativeLibraryConfig.All.WithLogCallback, the lines that begin with Failed",
				},
				Cause{
					Layer:    rule.FrameworkBuild,
					Title:    "LLamaSharp finds no native library: no backend package that fits is installed",
					Text:     "LLamaSharp itself has no llama.cpp: one of the packages LLamaSharp.Backend.Cpu, Cuda11, Cuda12 or Vulkan of the same version brings it.",
					Remedies: []Remedy{fix("add the backend package for this machine", "dotnet", "dotnet add package LLamaSharp.Backend.Cuda12")},
				},
			),
			Samples: []string{"1. No LLamaSharp backend was installed. Please search LLamaSharp.Backend and install one of them.", "Failed Loading 'runtimes/win-x64/native/cuda12/llama.dll'"},
			Misses:  []string{"LLamaSharp.Backend.Cuda12 was installed"},
			Source:  "https://github.com/SciSharp/LLamaSharp/issues/599",
		},
		{
			ID: "dotnet-cuda-dll", Product: ".net",
			Literals: []string{"Unable to load DLL '", "Unable to load shared library '"},
			Pattern:  `Unable to load (?:DLL|shared library) '(?P<file>(?:lib)?(?:cudart|cublas|cublasLt|cudnn|cufft|cusolver|cusparse|curand|nvrtc|nvinfer|nvcuda|cuda|onnxruntime_providers_cuda|torch_cuda)[\w.-]*)'`,
			Layer:    rule.CUDARuntime, Strength: Strong,
			Meaning: ".NET does not find a library of CUDA.",
			Causes: causes(
				Cause{
					When: on(Is("file", `^(?:lib)?(?:nvcuda|cuda)(?:\.|$)`)), Layer: rule.Driver,
					Title:    "The program does not find {file}, the driver's CUDA library: there is no NVIDIA driver where it runs",
					Text:     "nvcuda.dll (libcuda.so.1 on Linux) comes with the NVIDIA driver alone, with no toolkit and no package.",
					Remedies: []Remedy{fix("install the NVIDIA driver; in a container start it with --gpus all", "check", "nvidia-smi")},
				},
				Cause{
					When: on(Is("file", `cudnn`)), Layer: rule.CUDNN,
					Title:    "The program does not find {file}: cuDNN of that release is not installed, or not on PATH",
					Text:     "cuDNN is no part of the CUDA toolkit or of the driver; the number in the name is its major release.",
					Remedies: []Remedy{fix("install the cuDNN of that major release, for the program's CUDA, and put its bin directory on PATH")},
				},
				Cause{
					When: on(Is("file", `cublas|cufft|cusolver|cusparse|curand`)), Layer: rule.CUDALibraries,
					Title:    "The program does not find {file}[, a library of CUDA {file|dllrelease}]: a CUDA toolkit of that release is not installed, or not on PATH",
					Text:     "The number in the name is the CUDA release for which the program was built; another release does not stand in. The driver brings none of these.",
					Remedies: []Remedy{fix("install the CUDA toolkit of that release with its bin directory on PATH, or use the program's build for the CUDA that is installed")},
				},
				Cause{
					Title:    "The program does not find {file}[, the runtime of CUDA {file|dllrelease}]: a CUDA toolkit of that release is not installed, or not on PATH",
					Text:     "The number in the name is the CUDA release for which the program was built; another release does not stand in. The driver brings none of these.",
					Remedies: []Remedy{fix("install the CUDA toolkit of that release with its bin directory on PATH (Linux: lib64 on LD_LIBRARY_PATH), or use the program's build for the CUDA that is installed")},
				},
			),
			Samples: []string{"System.DllNotFoundException: Unable to load DLL 'cudart64_110': The specified module could not be found.", "System.DllNotFoundException: Unable to load shared library 'cublas64_11' or one of its dependencies."},
			Misses:  []string{"Unable to load DLL 'sqlite3': The specified module could not be found."},
			Source:  "https://github.com/SciSharp/LLamaSharp/issues/338",
		},
		{
			ID: "torchsharp-no-cuda", Product: "torchsharp",
			Literals: []string{"uses TorchSharp but doesn't contain a reference to", "libtorch-cuda-", "TorchSharp-cuda"},
			Beside:   []string{"torchsharp but doesn't", "libtorchsharp"},
			Pattern:  `uses TorchSharp but doesn't contain a reference to (?P<package>libtorch-cuda-(?P<cuda>\d+\.\d+)[\w-]*|libtorch-cpu[\w-]*)(?:, Version=(?P<version>[\d.]+))?`,
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Meaning: "TorchSharp's native package is not part of the project.",
			Causes: causes(Cause{
				Title: "The project has no {package}[ {version}], the native part of TorchSharp",
				Text:  "TorchSharp binds to one release of libtorch, in a package of its own for the CPU or for one CUDA[ ({cuda})] and one system. Driver and toolkit are not at fault.",
				Remedies: []Remedy{
					fix("add the bundle for this system", "dotnet", "dotnet add package TorchSharp-cuda-windows", "dotnet, Linux", "dotnet add package TorchSharp-cuda-linux"),
				},
			}),
			Samples: []string{"System.NotSupportedException: This application or script uses TorchSharp but doesn't contain a reference to libtorch-cuda-11.7-win-x64, Version=2.0.1.1."},
			Misses:  []string{"dotnet add package TorchSharp"},
			Source:  "https://github.com/dotnet/TorchSharp/blob/main/src/TorchSharp/Torch.cs",
		},
		{
			ID: "tfjs-gpu-binding", Product: "tensorflow.js",
			Literals: []string{"tfjs_binding.node"},
			Pattern:  `tfjs-node(?P<gpu_package>-gpu)?[^\n]{0,60}?tfjs_binding\.node`,
			Layer:    rule.CUDARuntime, Where: on(Says("specified module could not be found", "cannot open shared object", "can not be found", "Cannot find module")),
			Meaning: "The native part of TensorFlow.js for Node does not load.",
			Causes: causes(
				Cause{
					When:  on(Has("gpu_package")),
					Title: "tfjs-node-gpu's tfjs_binding.node does not load: a library that it is linked with is not found, most likely CUDA's or cuDNN's[ (here CUDA {runtime})]",
					Text:  "The file is there; one of its DLLs is not: tensorflow.dll in the package's deps/lib, or the CUDA and cuDNN of the release for which its TensorFlow was built. @tensorflow/tfjs-node-gpu 3 and 4 want CUDA 11.2 and cuDNN 8.1, 1.2 to 2 want CUDA 10.0 (10.1 from 2.1) and cuDNN 7, 0.x and 1.0 CUDA 9.0.",
					Remedies: []Remedy{
						fix("install that CUDA and that cuDNN with their bin directories on PATH", "check", "where cudart64_110.dll cudnn64_8.dll"),
						fix("where deps/lib has no tensorflow.dll beside the binding, copy it there or rebuild", "npm", "npm rebuild @tensorflow/tfjs-node-gpu --build-addon-from-source"),
					},
					Ask: "the version of the package, nvcc --version, and where cudnn64_8.dll",
				},
				Cause{
					Layer:    rule.FrameworkBuild,
					Title:    "tfjs-node's native part, tfjs_binding.node, was not installed for this Node or system",
					Text:     "The download or the build at npm install failed; CUDA has no part in it.",
					Remedies: []Remedy{fix("build it anew", "npm", "npm rebuild @tensorflow/tfjs-node --build-addon-from-source")},
				},
			),
			Samples: []string{
				"\\\\?\\C:\\app\\node_modules\\@tensorflow\\tfjs-node-gpu\\lib\\napi-v8\\tfjs_binding.node",
				"Error: The Node.js native addon module (tfjs_binding.node) can not be found at path: /app/node_modules/@tensorflow/tfjs-node/lib/napi-v8/tfjs_binding.node.",
			},
			Misses: []string{"node-pre-gyp: wrote tfjs_binding.node"},
			Source: "https://github.com/tensorflow/tfjs/issues/8433",
		},
	}
}
