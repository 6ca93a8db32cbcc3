package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// tfRun is what TensorFlow and XLA say about cuDNN, cuBLAS, memory and the compiler of PTX.
func tfRun() []*Signature {
	return []*Signature{
		{
			ID: "tf-cublas-handle", Product: "tensorflow",
			Literals: []string{"failed to create cublas handle", "Blas GEMM launch failed", "without BLAS support", "Blas xGEMM launch failed"},
			Pattern:  `failed to create cublas handle:? (?P<status>CUBLAS_\w+|\w[\w ]+)|Blas x?GEMM launch failed|without BLAS support`,
			Layer:    rule.CUDALibraries,
			Meaning:  "cuBLAS could not start or run in TensorFlow.",
			Causes: causes(
				Cause{
					When:     on(AtLeast("cc", "8.0"), Is("tensorflow", `^(1\.|2\.[0-3])`)),
					Layer:    rule.GPUArch,
					Title:    "TensorFlow {tensorflow} is built for CUDA 10, which has no cuBLAS code for the GPU[ {gpu}] ({sm})",
					Text:     "GPUs of {sm} need CUDA {sm|firstcuda} or newer. TensorFlow before 2.4 is built for CUDA 10.",
					Remedies: []Remedy{fix("use TensorFlow 2.4 or newer; for TensorFlow 1.15 NVIDIA's build (nvidia-tensorflow)")},
				},
				Cause{
					Layer:      rule.Application,
					Confidence: rule.Possible,
					Title:      "cuBLAS could not start[ ({status})]: most often the GPU's memory is taken",
					Text:       "TensorFlow or another process has reserved the memory that cuBLAS needs for its handle. A build for an older CUDA on a newer GPU gives the same message.",
					Remedies:   []Remedy{fix("let memory grow and end other processes on the GPU", "bash", "export TF_FORCE_GPU_ALLOW_GROWTH=true; nvidia-smi")},
					Ask:        "nvidia-smi before the start, and the GPU's model with TensorFlow's version",
				},
			),
			Samples: []string{"E tensorflow/stream_executor/cuda/cuda_blas.cc:226] failed to create cublas handle: CUBLAS_STATUS_NOT_INITIALIZED", "InternalError: Blas GEMM launch failed : a.shape=(100, 784)"},
			Misses:  []string{"created cublas handle"},
			Source:  "https://github.com/tensorflow/tensorflow/issues/45200",
		},
		{
			ID: "tf-out-of-memory", Product: "tensorflow",
			Literals: []string{"OOM when allocating tensor", "ran out of memory trying to allocate", "RESOURCE_EXHAUSTED: Out of memory", "from device: CUDA_ERROR_OUT_OF_MEMORY", "RESOURCE_EXHAUSTED: Failed to allocate"},
			Pattern:  `OOM when allocating tensor|ran out of memory trying to allocate (?P<size>[\d.]+ ?[KMGT]i?B)|RESOURCE_EXHAUSTED: (?:Out of memory|Failed to allocate)|failed to allocate (?P<size>[\d.]+[KMG]).{0,60}CUDA_ERROR_OUT_OF_MEMORY`,
			Layer:    rule.Application,
			Meaning:  "The GPU's memory is full.",
			Causes: causes(Cause{
				Title: "not the stack: the GPU's memory is full[: {size} more was asked for]",
				Text:  "Either the model with its batch is too large for the GPU[ {gpu}], or another process holds memory. A line failed to allocate at the start is also printed where TensorFlow then goes on with less. Reinstalling does not help.",
				Remedies: []Remedy{
					fix("use a smaller batch, sequence or image, or mixed precision"),
					fix("see which process holds memory, and end it", "bash", "nvidia-smi"),
					fix("let memory grow instead of reserving all of it", "bash", "export TF_FORCE_GPU_ALLOW_GROWTH=true XLA_PYTHON_CLIENT_PREALLOCATE=false"),
				},
			}),
			Samples: []string{"ResourceExhaustedError: OOM when allocating tensor with shape[64,512,512,64]", "XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 12884901888 bytes.", "failed to allocate 2.00G (2147483648 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory"},
			Misses:  []string{"allocating tensor"},
			Source:  "https://github.com/tensorflow/tensorflow/issues/45200",
		},
		{
			ID: "tf-dll-required", Product: "tensorflow",
			Literals: []string{"TensorFlow requires that this DLL be installed"},
			Pattern:  `Could not find '(?P<lib>(?:cu\w+64_\d+|cudnn64_\d+)\.dll)'\. TensorFlow requires`,
			Layer:    rule.CUDARuntime,
			Strength: Strong,
			Meaning:  "TensorFlow 1 and 2.0 for Windows did not find a DLL of the exact CUDA that it is built for.",
			Causes: causes(Cause{
				Title:    "TensorFlow[ {tensorflow}] needs {lib}[, of CUDA {lib|cudamajor}], which is not on PATH",
				Text:     "TensorFlow 1.13 to 2.0 is built for CUDA 10.0 (cudart64_100.dll), 2.1 to 2.3 for 10.1 (cudart64_101.dll), 2.4 to 2.10 for 11 (cudart64_110.dll). Another CUDA, also a newer one, does not have the file.",
				Remedies: []Remedy{fix("install exactly that CUDA with its cuDNN and put the bin folder on PATH; releases can lie side by side"), fix("or move to the TensorFlow that is built for the CUDA that is here")},
			}),
			Samples: []string{"ImportError: Could not find 'cudart64_100.dll'. TensorFlow requires that this DLL be installed in a directory that is named in your %PATH% environment variable."},
			Misses:  []string{"Could not find 'msvcp140.dll'. TensorFlow requires that this DLL be installed"},
			Source:  "https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/platform/self_check.py",
		},
		{
			ID: "tf-native-runtime", Product: "tensorflow",
			Literals: []string{"Failed to load the native TensorFlow runtime", "_pywrap_tensorflow_internal"},
			Pattern:  `DLL load failed while importing _pywrap_tensorflow_internal|_pywrap_tensorflow_internal\W+.{0,80}DLL load failed|Failed to load the native TensorFlow runtime`,
			Role:     Consequence,
			Layer:    rule.PythonEnv,
			Meaning:  "TensorFlow's own library could not be loaded.",
			Causes: causes(Cause{
				Title:    "TensorFlow's library cannot be loaded: [{os}: ]a Visual C++ runtime, a processor without AVX, or a missing CUDA library",
				Text:     "The line above the traceback's end names the reason: a library that is not found belongs to CUDA; DLL load failed without a name means the Visual C++ runtime or the processor (AVX is needed).",
				Remedies: []Remedy{fix("on Windows install the newest Visual C++ redistributable (x64)"), fix("take a Python and a TensorFlow that go together, in a new environment")},
			}),
			Samples: []string{"ImportError: DLL load failed while importing _pywrap_tensorflow_internal: The specified module could not be found.", "Failed to load the native TensorFlow runtime."},
			Misses:  []string{"import _pywrap_tensorflow_internal"},
			Source:  "https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/pywrap_tensorflow.py",
		},
		{
			ID: "tf-factory-registered", Product: "tensorflow",
			Literals: []string{"factory: Attempting to register factory for plugin"},
			Pattern:  `Unable to register cu\w+ factory: Attempting to register factory`,
			Role:     Context,
			Meaning:  "A harmless line of TensorFlow 2.14 and later: a library registers twice.",
			Samples:  []string{"E external/local_xla/xla/stream_executor/cuda/cuda_dnn.cc:9261] Unable to register cuDNN factory: Attempting to register factory for plugin cuDNN when one has already been registered"},
			Misses:   []string{"register factory"},
			Source:   "https://github.com/tensorflow/tensorflow/issues/63362",
		},
	}
}
