package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortMath is what ONNX Runtime says where cuDNN or cuBLAS fails in it.
func ortMath() []*Signature {
	return []*Signature{
		{
			ID: "ort-cudnn-failure", Product: "onnxruntime",
			Literals: []string{"CUDNN failure ", "CUDNN_FE failure "},
			Pattern:  `CUDNN(?:_FE)? failure (?P<code>\d+):? (?P<status>CUDNN_\w+)`,
			Layer:    rule.CUDNN,
			Meaning:  "A call of cuDNN failed inside ONNX Runtime.",
			Causes: causes(
				Cause{
					When:     on(Is("status", `SUBLIBRARY|VERSION_MISMATCH`)),
					Title:    "parts of cuDNN from different releases are loaded together ({status})",
					Text:     "One of the libraries libcudnn_*.so comes from another copy: of the system, of another package, or of a directory on LD_LIBRARY_PATH.",
					Remedies: []Remedy{fix("keep one cuDNN: take the other copy off LD_LIBRARY_PATH or remove the system's package")},
					Ask:      "find / -name 'libcudnn*.so.*' 2>/dev/null",
				},
				Cause{
					When:     on(Is("status", `NOT_INITIALIZED|ALLOC_FAILED|INTERNAL_ERROR`)),
					Title:    "cuDNN could not start for ONNX Runtime ({status})",
					Text:     "Most often the GPU's memory is full when the handle is made, or two copies of cuDNN are mixed[ (here cuDNN {cudnn})], or the driver is too old for it.",
					Remedies: []Remedy{fix("free GPU memory: see nvidia-smi for other processes", "bash", "nvidia-smi"), fix("keep one cuDNN of the major that the build needs, and take other copies off LD_LIBRARY_PATH")},
					Ask:      "nvidia-smi while it fails, and find / -name 'libcudnn.so.*' 2>/dev/null",
				},
				Cause{
					Title:    "cuDNN failed in ONNX Runtime: {status}",
					Text:     "cuDNN[ {cudnn}] has no working way to run this operation on the GPU[ {gpu}]: the release does not know the GPU, or the copy that is loaded is not the one the build wants.",
					Remedies: []Remedy{fix("update cuDNN within the major that the build needs", "pip", "python -m pip install -U nvidia-cudnn-cu12"), fix("to go on, set cudnn_conv_algo_search to HEURISTIC in the CUDA provider's options")},
				},
			),
			Samples: []string{"CUDNN failure 1: CUDNN_STATUS_NOT_INITIALIZED ; GPU=0 ; hostname=a ; expr=cudnnCreate(&cudnn_handle_);", "CUDNN_FE failure 11: CUDNN_BACKEND_API_FAILED ; GPU=0", "CUDNN failure 5000: CUDNN_STATUS_EXECUTION_FAILED ; GPU=0"},
			Misses:  []string{"cuDNN failure rate"},
			Source:  "https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/cuda/cuda_call.cc",
		},
		{
			ID: "ort-cublas-failure", Product: "onnxruntime",
			Literals: []string{"CUBLAS failure "},
			Pattern:  `CUBLAS failure (?P<code>\d+): (?P<status>CUBLAS_\w+)`,
			Layer:    rule.CUDALibraries,
			Meaning:  "A call of cuBLAS failed inside ONNX Runtime.",
			Causes: causes(
				Cause{
					When:       on(Is("status", `ALLOC_FAILED|NOT_INITIALIZED`)),
					Layer:      rule.Application,
					Confidence: rule.Possible,
					Title:      "cuBLAS could not start for ONNX Runtime ({status}): most often the GPU's memory is full",
					Text:       "cuBLAS allocates its workspace when the handle is made. Where memory is free, another copy of cuBLAS than the build's was loaded.",
					Remedies:   []Remedy{fix("free GPU memory, or limit it with gpu_mem_limit", "bash", "nvidia-smi")},
				},
				Cause{
					Title:    "cuBLAS failed in ONNX Runtime: {status}",
					Text:     "The cuBLAS that was loaded does not support this operation on the GPU[ {gpu}]: too old for it, or of another release than the build's.",
					Remedies: []Remedy{fix("update the CUDA libraries within the major that the build needs", "pip", "python -m pip install -U nvidia-cublas-cu12")},
				},
			),
			Samples: []string{"CUBLAS failure 3: CUBLAS_STATUS_ALLOC_FAILED ; GPU=0 ; hostname=x ; expr=cublasCreate(&cublas_handle_);", "CUBLAS failure 13: CUBLAS_STATUS_EXECUTION_FAILED ; GPU=0"},
			Misses:  []string{"cublas failure"},
			Source:  "https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/providers/cuda/cuda_call.cc",
		},
	}
}
