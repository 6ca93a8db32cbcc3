package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// tfCuDNN is what TensorFlow and XLA say about cuDNN.
func tfCuDNN() []*Signature {
	return []*Signature{
		{
			ID: "tf-cudnn-older-than-built", Product: "tensorflow",
			Literals:    []string{"Loaded runtime CuDNN library"},
			Pattern:     `Loaded runtime CuDNN library: (?P<have>\d[\d.]*?)(?: \(compatibility version \d+\))?,? but source was compiled with:? (?P<need>\d[\d.]*\d)`,
			Layer:       rule.CUDNN,
			Strength:    Strong,
			ExplainedBy: []string{"DNN004"},
			Meaning:     "The cuDNN that was loaded is older than the one that XLA or TensorFlow was built with, or of another major release.",
			Causes: causes(
				Cause{
					When:  on(Is("need", `^\d{4}$`), AtLeast("have|cudnnint|minor", "{need|cudnnint|minor}")),
					Title: "cuDNN {have|cudnnint} is loaded, but this build of TensorFlow was made with {need|cudnnint} and takes no other than {need|cudnnint|minor}.x",
					Text:  "TensorFlow of that time refuses a cuDNN of another minor release, also a newer one. {have} and {need} are these releases written as one number. The driver is not at fault.",
					Remedies: []Remedy{
						fix("install cuDNN {need|cudnnint|minor} for the CUDA of this TensorFlow and let it be found first"),
						fix("or use a newer TensorFlow, which is built with cuDNN {have|cudnnint|minor} or runs with it"),
					},
					Ask: "python -m pip list | grep -i tensorflow; find / -name 'libcudnn.so.*' 2>/dev/null",
				},
				Cause{
					When:  on(Is("need", `^\d{4}$`)), // TensorFlow 1 wrote them as one number
					Title: "cuDNN {have|cudnnint} is loaded, but this build of TensorFlow was made with {need|cudnnint} and needs {need|cudnnint|minor} or newer of the same major release",
					Text:  "The loader finds an older cuDNN than the one of the build, in the CUDA toolkit's folder, on LD_LIBRARY_PATH or on PATH. {have} and {need} are these releases written as one number. The driver is not at fault.",
					Remedies: []Remedy{
						fix("install cuDNN {need|cudnnint|minor} or newer within {need|cudnnint|major}.x for the CUDA of this TensorFlow, in place of the older one"),
						fix("or take the directory of the older copy off LD_LIBRARY_PATH"),
					},
					Ask: "find / -name 'libcudnn.so.*' 2>/dev/null",
				},
				Cause{
					When:     on(Any(Has("library_path"), Says("LD_LIBRARY_PATH"))),
					Title:    "cuDNN {have} is loaded, the build needs {need|major}.x from {need|minor} on: an older copy comes first[ (LD_LIBRARY_PATH is {library_path})]",
					Text:     "cuDNN must be of the same major release as {need} and not older. An older copy of the system, of a module or of an image is found before the wheel's, because LD_LIBRARY_PATH goes before it. The driver and the CUDA toolkit are not at fault.",
					Remedies: []Remedy{fix("take the directory with cuDNN {have} off LD_LIBRARY_PATH, so that the wheel's copy is found", "bash", "unset LD_LIBRARY_PATH"), fix("or update that cuDNN to {need} or newer within {need|major}.x", "pip", "python -m pip install -U 'nvidia-cudnn-cu12>={need|minor},<{need|major}.99'")},
					Ask:      "find / -name 'libcudnn.so.*' 2>/dev/null",
				},
				Cause{
					Title: "cuDNN {have} is loaded, but the build needs {need} or newer of major release {need|major}",
					Text:  "Another package pinned an older cuDNN in the same environment (PyTorch often does), or an older copy of the system or of Conda is found first. The driver and the CUDA toolkit are not at fault.",
					Remedies: []Remedy{fix("update cuDNN in the environment to {need} or newer within {need|major}.x", "pip", "python -m pip install -U 'nvidia-cudnn-cu12>={need|minor},<{need|major}.99'", "conda", "conda install -c conda-forge 'cudnn>={need|minor},<{need|major}.99'"),
						fix("or take the older copy away: remove it from LD_LIBRARY_PATH, or give the frameworks an environment each")},
					Ask: "python -m pip list | grep -i cudnn; find / -name 'libcudnn.so.*' 2>/dev/null",
				},
			),
			Samples: []string{"E external/xla/xla/stream_executor/cuda/cuda_dnn.cc:427] Loaded runtime CuDNN library: 8.4.1 but source was compiled with: 8.9.4.  CuDNN library needs to have matching major version and equal or higher minor version.",
				"Loaded runtime CuDNN library: 7003 (compatibility version 7000) but source was compiled with 7102 (compatibility version 7100)."},
			Misses: []string{"Loaded runtime CuDNN library"},
			Source: "https://github.com/conda-forge/jaxlib-feedstock/issues/329",
		},
		{
			ID: "tf-driver-old-for-cudnn", Product: "tensorflow",
			Literals:    []string{"Possibly insufficient driver version"},
			Pattern:     `Possibly insufficient driver version: (?P<driver>\d+\.\d+(?:\.\d+)?)`,
			Layer:       rule.Driver,
			Strength:    Weak,
			ExplainedBy: []string{"DRV002", "CUD007"},
			Meaning:     "cuDNN could not start, and TensorFlow holds the driver's version for a possible reason.",
			Causes: causes(Cause{
				Confidence: rule.Possible,
				Title:      "cuDNN could not start; driver {driver} may be too old for the build's CUDA",
				Text:       "TensorFlow prints the driver's version as a guess. Driver {driver} supports CUDA {driver|cuda}[; TensorFlow here is {tensorflow}]. Full GPU memory and a mix of cuDNN copies give the same error: the line before shows how much memory was free.",
				Remedies:   []Remedy{fix("where CUDA of the build is newer than {driver|cuda}, update the driver"), fix("else free GPU memory, or set TF_FORCE_GPU_ALLOW_GROWTH=true (XLA_PYTHON_CLIENT_PREALLOCATE=false for JAX)")},
				Ask:        "nvidia-smi while it fails",
			}),
			Samples: []string{"E external/xla/xla/stream_executor/cuda/cuda_dnn.cc:453] Possibly insufficient driver version: 510.47.3"},
			Misses:  []string{"insufficient driver"},
			Source:  "https://github.com/jax-ml/jax/issues/17553",
		},
		{
			ID: "tf-cudnn-handle", Product: "tensorflow",
			Literals: []string{"Could not create cudnn handle", "Could not destroy cudnn handle", "Could not initialize cudnn handle"},
			Pattern:  `[Cc]ould not (?:create|initialize) cudnn handle:? (?P<status>CUDNN_\w+)`,
			Layer:    rule.CUDNN,
			Meaning:  "cuDNN's handle could not be made.",
			Causes: causes(
				Cause{
					When:     on(Seen("tf-cudnn-older-than-built")),
					Title:    "cuDNN could not start ({status}): its release does not fit the build",
					Text:     "The line about the runtime's and the build's cuDNN says which releases.",
					Remedies: []Remedy{fix("install the cuDNN that the build needs and take other copies off LD_LIBRARY_PATH")},
				},
				Cause{
					When:  on(Is("status", `INTERNAL_ERROR|ALLOC_FAILED|NOT_INITIALIZED`)),
					Layer: rule.Application,
					Title: "cuDNN could not start ({status}): most often TensorFlow, JAX or another process has taken nearly all GPU memory",
					Text:  "TensorFlow and JAX reserve most of the memory at the start, which leaves none for cuDNN, above all when another process or framework uses the GPU as well. The libraries load, so installing cuDNN anew does not help as a rule.",
					Remedies: []Remedy{
						fix("let memory grow instead of reserving it: tf.config.experimental.set_memory_growth(gpu, True), per_process or allow_growth=True in TensorFlow 1", "bash", "export TF_FORCE_GPU_ALLOW_GROWTH=true"),
						fix("in JAX", "bash", "export XLA_PYTHON_CLIENT_PREALLOCATE=false"),
						fix("see which other process holds memory", "bash", "nvidia-smi"),
					},
					Ask: "nvidia-smi before the start; where memory is free, which libcudnn is loaded",
				},
				Cause{
					Title:    "cuDNN could not start: {status}",
					Text:     "The cuDNN that was loaded[ ({cudnn})] does not work with this build or GPU[ {gpu}]: another release than the build's, or one that does not know the GPU.",
					Remedies: []Remedy{fix("install the cuDNN of the build's tested configuration", "pip", "python -m pip install 'tensorflow[and-cuda]'")},
				},
			),
			Samples: []string{"E tensorflow/stream_executor/cuda/cuda_dnn.cc:329] Could not create cudnn handle: CUDNN_STATUS_INTERNAL_ERROR", "cuda_dnn.cc:439] Could not create cudnn handle: CUDNN_STATUS_NOT_INITIALIZED"},
			Misses:  []string{"Could not create cudnn handle"},
			Source:  "https://github.com/jax-ml/jax/issues/17553",
		},
		{
			ID: "tf-convolution-algorithm", Product: "tensorflow",
			Literals: []string{"Failed to get convolution algorithm", "DNN library is not found", "DNN library initialization failed", "No DNN in stream executor", "No algorithm worked!"},
			Pattern:  `Failed to get convolution algorithm|DNN library is not found|DNN library initialization failed|No DNN in stream executor|No algorithm worked!`,
			Role:     Consequence,
			Layer:    rule.CUDNN,
			Meaning:  "A convolution has no cuDNN to run on, because cuDNN did not start before.",
			Causes: causes(Cause{
				Title: "cuDNN did not start; the reason is in the lines before",
				Text:  "cuDNN failed to initialise: because an older copy was loaded (a line Loaded runtime CuDNN library), or because the GPU's memory is full, often with memory that the framework itself has reserved.",
				Remedies: []Remedy{
					fix("let memory grow instead of reserving all of it", "bash", "export TF_FORCE_GPU_ALLOW_GROWTH=true XLA_PYTHON_CLIENT_PREALLOCATE=false"),
					fix("else install the cuDNN of the build and take other copies off LD_LIBRARY_PATH"),
				},
				Ask: "the lines with cuda_dnn.cc before this one, and nvidia-smi",
			}),
			Samples: []string{"UnknownError: Failed to get convolution algorithm. This is probably because cuDNN failed to initialize", "FAILED_PRECONDITION: DNN library initialization failed. Look at the errors above for more details."},
			Misses:  []string{"convolution algorithm chosen"},
			Source:  "https://github.com/jax-ml/jax/issues/15742",
		},
	}
}
