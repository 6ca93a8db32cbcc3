package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// tfBuild is what TensorFlow says where the package has no GPU support, or lists no GPU.
func tfBuild() []*Signature {
	return []*Signature{
		{
			ID: "tf-cuda-drivers-not-found", Product: "tensorflow",
			Literals: []string{"Could not find cuda drivers on your machine"},
			Pattern:  `Could not find cuda drivers on your machine`,
			Layer:    rule.Driver,
			Strength: Weak,
			Meaning:  "TensorFlow's CUDA stub did not find the library that it looks for, and the GPU is not used.",
			Causes: causes(
				Cause{
					When:     on(OnWindows, Not(OnWSL)),
					Layer:    rule.FrameworkBuild,
					Title:    "this TensorFlow[ {tensorflow}] is for the CPU: packages for native Windows have no GPU support from 2.11 on",
					Text:     "A driver or CUDA installation does not change this.",
					Remedies: []Remedy{fix("use WSL2 with tensorflow[and-cuda], or TensorFlow 2.10 on Windows", "pip", "python -m pip install 'tensorflow<2.11'")},
				},
				Cause{
					When:     on(Any(Has("driver"), Says("libcuda reported version"))),
					Layer:    rule.CUDARuntime,
					Title:    "TensorFlow does not find the CUDA runtime library: the driver[ {driver}] is there",
					Text:     "The line comes from TensorFlow's stub of the CUDA runtime (cudart_stub.cc): it is printed where libcudart of the CUDA that TensorFlow is built for is not found[ (TensorFlow {tensorflow})]. The driver works, so a driver reinstallation does not help. The plain tensorflow package does not bring CUDA's libraries.",
					Remedies: []Remedy{tfInstall, fix("or put the directory of that CUDA's libraries on LD_LIBRARY_PATH")},
				},
				Cause{
					When:     on(InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "TensorFlow finds no CUDA driver in the container",
					Text:     "The container was started without the GPU (--gpus all), or its image has no CUDA libraries (the image tensorflow/tensorflow:latest is for the CPU, latest-gpu has them).",
					Remedies: []Remedy{fix("start an image with GPU support and give it the GPU", "docker", "docker run --rm --gpus all tensorflow/tensorflow:latest-gpu nvidia-smi")},
					Ask:      "nvidia-smi in the container",
				},
				Cause{
					Title:    "TensorFlow finds neither a CUDA driver nor the CUDA runtime, and uses the CPU",
					Text:     "On a machine without an NVIDIA GPU this is no fault. With one, either the driver is not installed, or the CUDA runtime library that TensorFlow is built for is not found: the plain tensorflow package does not bring it.",
					Remedies: []Remedy{fix("where nvidia-smi fails, install the driver"), tfInstall},
					Ask:      "nvidia-smi",
				},
			),
			Samples: []string{"I external/local_tsl/tsl/cuda/cudart_stub.cc:31] Could not find cuda drivers on your machine, GPU will not be used."},
			Misses:  []string{"Could not find cuda"},
			Source:  "https://github.com/openxla/xla/blob/main/xla/tsl/cuda/cudart_stub.cc",
		},
		{
			ID: "tf-cpu-build", Product: "tensorflow",
			Literals:    []string{"is_built_with_cuda", "tensorflow-gpu\" package has been removed", "tensorflow-gpu has been removed"},
			Pattern:     `is_built_with_cuda\W{0,40}False|tensorflow-gpu"? (?:package )?has been removed`,
			Layer:       rule.FrameworkBuild,
			Strength:    Strong,
			ExplainedBy: []string{"FRM001"},
			Meaning:     "The installed TensorFlow is a build for the CPU, or the package tensorflow-gpu, which no longer exists, was asked for.",
			Causes: causes(
				Cause{
					When:     on(Says("has been removed")),
					Title:    "the package tensorflow-gpu no longer exists: GPU support is in tensorflow itself",
					Text:     "tensorflow-gpu ended with 2.11; its last entry only fails with this message.",
					Remedies: []Remedy{tfInstall},
				},
				Cause{
					When:     on(OnWindows, Not(OnWSL)),
					Title:    "TensorFlow[ {tensorflow}] for native Windows is built without CUDA from 2.11 on",
					Text:     "is_built_with_cuda() says False. No driver and no CUDA installation changes this.",
					Remedies: []Remedy{fix("use WSL2 with tensorflow[and-cuda], or TensorFlow 2.10 on Windows with CUDA 11.2 and cuDNN 8.1", "pip", "python -m pip install 'tensorflow<2.11'")},
				},
				Cause{
					Title:    "TensorFlow[ {tensorflow}] is built without CUDA: it is a build for the CPU",
					Text:     "is_built_with_cuda() says False: tensorflow-cpu, a Conda build for the CPU (mkl or eigen in its build string), a build for aarch64 or macOS.",
					Remedies: []Remedy{tfInstall, fix("with Conda choose a build with cuda in its build string", "conda", "conda install -c conda-forge 'tensorflow=*=cuda*'")},
				},
			),
			Samples: []string{"print(tf.test.is_built_with_cuda()) -> False", `The "tensorflow-gpu" package has been removed!`},
			Misses:  []string{"tf.test.is_built_with_cuda() True"},
			Source:  tfPip,
		},
		{
			ID: "tf-no-gpu-listed", Product: "tensorflow",
			Literals: []string{"Num GPUs Available", "list_physical_devices('GPU')", `list_physical_devices("GPU")`, "is_gpu_available", "list of GPUs is empty", "sees no GPU", "does not see any GPU", "doesn't see any GPU", "list_physical_devices"},
			Pattern:  `Num GPUs Available: *0\b|list_physical_devices\(['"]GPU['"]\)\)?"?\)? *(?:(?:>>>|->|=>|:|is|returns?|returned|gives|prints?|shows|still|an) *)*(?:\[\]|empty)|(?i:list of (?:physical )?GPUs is (?:empty|\[\])|TensorFlow[^.\n]{0,40} (?:sees no|does not see any|doesn't see any) GPU)|is_gpu_available\W{0,30}False`,
			Role:     Consequence,
			Layer:    rule.FrameworkBuild,
			Meaning:  "TensorFlow lists no GPU.",
			Causes: causes(Cause{
				When:     on(OnWindows, Not(OnWSL), Not(Below("tensorflow", "2.11"))),
				Title:    "TensorFlow[ {tensorflow}] lists no GPU: from 2.11 on its packages for native Windows have no GPU support",
				Text:     "2.10 was the last release with CUDA on Windows. A driver, CUDA or cuDNN installation does not change this.",
				Remedies: []Remedy{fix("use WSL2 with tensorflow[and-cuda]"), fix("or TensorFlow 2.10 with CUDA 11.2 and cuDNN 8.1", "pip", "python -m pip install 'tensorflow<2.11'")},
				Ask:      "python -c 'import tensorflow as tf; print(tf.__version__, tf.test.is_built_with_cuda())'",
			}, Cause{
				When: on(AtLeast("tensorflow", "2.14"), Not(Says("and-cuda", "conda", "docker"))), Layer: rule.CUDALibraries, Confidence: rule.Possible,
				Title:    "TensorFlow {tensorflow} lists no GPU: it was most likely installed without the CUDA libraries, which the extra and-cuda brings",
				Text:     "From 2.14 on plain pip install tensorflow has the GPU code, but neither CUDA's libraries nor cuDNN; without them it uses the CPU. The driver[ {driver}] is not the reason where nvidia-smi works.",
				Remedies: []Remedy{fix("install it with the libraries", "pip", "python -m pip install 'tensorflow[and-cuda]=={tensorflow}'")},
				Ask:      "the log lines of python -c \"import tensorflow as tf; print(tf.config.list_physical_devices())\"",
			}, Cause{
				Confidence: rule.Possible,
				Title:      "TensorFlow lists no GPU; the text does not say why",
				Text:       "Either the package is for the CPU (native Windows from 2.11 on, macOS, a Conda CPU build), or CUDA's libraries are not found, or no GPU is visible[ (TensorFlow {tensorflow})].",
				Remedies:   []Remedy{tfInstall},
				Ask:        "the log lines of python -c \"import tensorflow as tf; print(tf.__version__, tf.test.is_built_with_cuda(), tf.config.list_physical_devices())\"",
			}),
			Samples: []string{"Num GPUs Available:  0", "print(tf.config.list_physical_devices('GPU')) []", "list_physical_devices('GPU') returns []", "TensorFlow does not see any GPU"},
			Misses:  []string{"Num GPUs Available:  2"},
			Source:  tfPip,
		},
	}
}
