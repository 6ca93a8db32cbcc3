package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortPackage is what is said where files of the packages are missing.
func ortPackage() []*Signature {
	return []*Signature{
		{
			ID: "ort-node-no-backend", Product: "onnxruntime-node",
			Literals: []string{"no available backend found", "in NuGet package"},
			Pattern:  `no available backend found\. ERR: \[?(?P<provider>cuda|tensorrt)\]?|Failed to find (?P<file>runtimes/\S+libonnxruntime_providers_\w+\.so) in NuGet package|backend not found: (?P<provider>cuda|tensorrt)`,
			Layer:    rule.FrameworkBuild,
			Strength: Strong,
			Meaning:  "The npm package of ONNX Runtime has no CUDA libraries.",
			Causes: causes(Cause{
				Title:    "onnxruntime-node has no CUDA provider here",
				Text:     "The npm package loads the CUDA libraries for Linux x64 after installation. The step was skipped or failed, in release 1.22.0 because it names the folder of Windows.",
				Remedies: []Remedy{fix("install onnxruntime-node 1.23.0 or newer anew with its install script allowed", "npm", "npm install onnxruntime-node@latest --foreground-scripts"), fix("where only the CPU is wanted, set ONNXRUNTIME_NODE_INSTALL_CUDA=skip")},
			}),
			Samples: []string{"Error: no available backend found. ERR: [cuda] Error: backend not found", "Error: Failed to find runtimes/win-x64/native/libonnxruntime_providers_cuda.so in NuGet package"},
			Misses:  []string{"no available backend found. ERR: [webgpu] Error"},
			Source:  "https://github.com/microsoft/onnxruntime/issues/24770",
		},
		{
			ID: "ort-module-broken", Product: "onnxruntime",
			Literals:    []string{"module 'onnxruntime' has no attribute", "from 'onnxruntime.capi._pybind_state'"},
			Pattern:     `module 'onnxruntime' has no attribute '(?P<name>InferenceSession|get_available_providers|SessionOptions|get_device|__version__|set_default_logger_severity)'|cannot import name '(?P<name>\w+)' from 'onnxruntime\.capi\._pybind_state'`,
			Layer:       rule.PackageConflict,
			Strength:    Strong,
			ExplainedBy: []string{"PKG001"},
			Meaning:     "The folder of the Python module onnxruntime lacks files.",
			Causes: causes(Cause{
				Title:    "the onnxruntime module is incomplete ({name} is missing): one of two packages in one folder was removed",
				Text:     "onnxruntime and onnxruntime-gpu share a folder. Removing one takes files of the other away. A script or folder called onnxruntime beside the program has the same effect.",
				Remedies: []Remedy{fix("take all of them out and install one", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu onnxruntime-directml", "pip", "python -m pip install onnxruntime-gpu")},
			}),
			Samples: []string{"AttributeError: module 'onnxruntime' has no attribute 'InferenceSession'", "ImportError: cannot import name 'get_all_providers' from 'onnxruntime.capi._pybind_state'"},
			Misses:  []string{"module 'onnxruntime' has no attribute 'foo'"},
			Source:  "https://github.com/microsoft/onnxruntime/issues/7748",
		},
		{
			ID: "ort-providers-required", Product: "onnxruntime",
			Literals: []string{"you are required to explicitly set the providers parameter"},
			Pattern:  `This ORT build has \[(?P<providers>[^\]]+)\] enabled`,
			Layer:    rule.Application,
			Strength: Strong,
			Meaning:  "A build with several providers wants to be told which to use.",
			Causes: causes(Cause{
				Title:    "not the stack: since ONNX Runtime 1.9 the program must name its providers",
				Text:     "InferenceSession was called without providers=. The build has {providers}.",
				Remedies: []Remedy{fix("pass providers=['CUDAExecutionProvider', 'CPUExecutionProvider'] to InferenceSession")},
			}),
			Samples: []string{"ValueError: This ORT build has ['TensorrtExecutionProvider', 'CUDAExecutionProvider', 'CPUExecutionProvider'] enabled. Since ORT 1.9, you are required to explicitly set the providers parameter when instantiating InferenceSession."},
			Misses:  []string{"you are required to explicitly set the providers parameter"},
			Source:  "https://github.com/microsoft/onnxruntime/issues/10685",
		},
	}
}
