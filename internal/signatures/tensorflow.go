package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const tfPip = "https://www.tensorflow.org/install/pip"

// tfInstall is the remedy for most missing libraries of TensorFlow.
var tfInstall = fix("install TensorFlow with its own CUDA libraries into a clean environment (2.14 and newer)", "pip", "python -m pip install 'tensorflow[and-cuda]'")

// tensorFlow is what TensorFlow says while it looks for GPUs and libraries.
func tensorFlow() []*Signature {
	return []*Signature{
		{
			ID: "tf-tensorrt-library-missing", Product: "tensorflow",
			Literals: []string{"TF-TRT Warning", "Could not load dynamic library 'libnvinfer", "Cannot dlopen some TensorRT libraries"},
			Pattern:  `TF-TRT Warning|Could not load dynamic library 'libnvinfer|Cannot dlopen some TensorRT libraries`,
			Role:     Context,
			Meaning:  "TensorFlow did not find TensorRT, which it uses only where a program asks for it; the GPU works without.",
			Samples:  []string{"W tensorflow/compiler/tf2tensorrt/utils/py_utils.cc:38] TF-TRT Warning: Could not find TensorRT", "Could not load dynamic library 'libnvinfer.so.7'; dlerror: libnvinfer.so.7: cannot open shared object file"},
			Misses:   []string{"TF-TRT converted 12 nodes"},
			Source:   "https://github.com/tensorflow/tensorflow/issues/37689",
		},
		{
			ID: "tf-gpu-libraries-missing", Product: "tensorflow",
			Literals: []string{"Cannot dlopen some GPU libraries", "Skipping registering GPU devices"},
			Pattern:  `Cannot dlopen some GPU libraries|Skipping registering GPU devices`,
			Role:     Consequence,
			Layer:    rule.CUDALibraries,
			Meaning:  "TensorFlow uses the CPU, because a CUDA library or cuDNN could not be loaded.",
			Causes: causes(
				Cause{
					When:     on(OnWindows, AtLeast("tensorflow", "2.11"), Not(OnWSL)),
					Layer:    rule.FrameworkBuild,
					Title:    "TensorFlow {tensorflow} has no GPU support on Windows: 2.10 was the last release with it",
					Text:     "From 2.11 on the packages for native Windows are for the CPU; CUDA and cuDNN installations do not change this.",
					Remedies: []Remedy{fix("use WSL2 with tensorflow[and-cuda]"), fix("or TensorFlow 2.10 with CUDA 11.2 and cuDNN 8.1 on Windows", "pip", "python -m pip install 'tensorflow<2.11'")},
				},
				Cause{
					When:     on(Has("tensorflow")),
					Title:    "TensorFlow {tensorflow} does not find all CUDA libraries or cuDNN and uses the CPU",
					Text:     "TensorFlow {tensorflow} is built for one CUDA major release and one cuDNN[: CUDA {tf_cuda}], and looks for those files alone[; the toolkit here is {toolkit}][, cuDNN is {cudnn}]. From 2.12 on it does not name the file. The driver is found, else it would say so.",
					Remedies: []Remedy{tfInstall, fix("or install exactly the CUDA and cuDNN of the tested configurations for this release, and put their directories on LD_LIBRARY_PATH")},
					Ask:      "TF_CPP_MAX_VLOG_LEVEL=3 python -c \"import tensorflow as tf; tf.config.list_physical_devices('GPU')\" 2>&1 | grep -i dlerror",
				},
				Cause{
					Title:    "TensorFlow does not find all CUDA libraries or cuDNN and uses the CPU",
					Text:     "The file is named in a line Could not load dynamic library before, from 2.12 on it is not named. Each release is built for one CUDA major release and one cuDNN: 2.5 to 2.11 for CUDA 11.2 and cuDNN 8.1, 2.12 to 2.14 for CUDA 11.8 and cuDNN 8, 2.15 for CUDA 12.2 with cuDNN 8.9, 2.16 and 2.17 for CUDA 12.3 with cuDNN 8.9, from 2.18 on CUDA 12.5 with cuDNN 9.",
					Remedies: []Remedy{tfInstall, fix("or put the directories of the right CUDA and cuDNN on LD_LIBRARY_PATH")},
					Ask:      "python -c \"import tensorflow as tf; print(tf.__version__, tf.sysconfig.get_build_info())\"",
				},
			),
			Samples: []string{"W tensorflow/core/common_runtime/gpu/gpu_device.cc:2343] Cannot dlopen some GPU libraries. Please make sure the missing libraries mentioned above are installed properly", "Skipping registering GPU devices..."},
			Misses:  []string{"Cannot dlopen some TensorRT libraries"},
			Source:  "https://github.com/JdeRobot/BehaviorMetrics/issues/385",
		},
	}
}
