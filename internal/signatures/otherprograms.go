package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// hostedNotebook are words of texts from notebooks that a service runs.
var hostedNotebook = Says("colab", "kaggle", "/usr/local/lib/python3.10/dist-packages", "/usr/local/lib/python3.11/dist-packages", "/usr/local/lib/python3.12/dist-packages")

// otherPrograms are Caffe, Whisper, DGL and others with words of their own.
func otherPrograms() []*Signature {
	return []*Signature{
		{
			ID: "caffe-check-failed", Product: "caffe",
			Literals:    []string{"Check failed: error == cudaSuccess", "Check failed: status == CUDNN_STATUS_SUCCESS", "Check failed: status == CUBLAS_STATUS_SUCCESS"},
			Pattern:     `Check failed: (?:error|status) == (?P<what>cudaSuccess|CUDNN_STATUS_SUCCESS|CUBLAS_STATUS_SUCCESS) \((?P<code>\d+) vs\. 0\) *(?P<text>[A-Za-z][^\n]{0,80})?`,
			Layer:       rule.Driver,
			ExplainedBy: []string{"DRV002", "ARC001"},
			Meaning:     "A call of CUDA, cuDNN or cuBLAS failed in Caffe, with the error's number.",
			Causes: causes(
				Cause{
					When:     on(Is("what", "cudaSuccess"), Any(Is("code", "^35$"), Is("text", "insufficient"))),
					Title:    "the driver[ {driver}] is too old for the CUDA that Caffe was built with (error 35)",
					Text:     "The driver supports an older CUDA major release[ ({driver|cuda})], or the container was started without the GPU.",
					Remedies: []Remedy{fix("update the driver, or build Caffe with the driver's CUDA; in a container start it with --gpus all")},
				},
				Cause{
					When:     on(Is("what", "cudaSuccess"), Any(Is("code", "^(2)$"), Is("text", "out of memory"))),
					Layer:    rule.Application,
					Title:    "not the stack: the GPU's memory is full (error 2)",
					Text:     "The net with its batch needs more than is free.",
					Remedies: []Remedy{fix("lower batch_size in the prototxt, and see which process holds memory", "bash", "nvidia-smi")},
				},
				Cause{
					When:     on(Is("what", "cudaSuccess"), Any(Is("code", "^(8|48|98|209)$"), Is("text", "no kernel image|invalid device function"))),
					Layer:    rule.GPUArch,
					Title:    "Caffe was built without code for the GPU[ {gpu}][ ({sm})]: error {code}",
					Text:     "CUDA_ARCH in Makefile.config (CUDA_ARCH_BIN for CMake) does not name its architecture.",
					Remedies: []Remedy{fix("add the architecture to CUDA_ARCH and build anew, with CUDA {sm|firstcuda} or newer"), fix("add the GPU's architecture to CUDA_ARCH and build anew")},
				},
				Cause{
					When:     on(Is("what", "cudaSuccess"), Any(Is("code", "^(38|100|10|101)$"), Is("text", "no CUDA-capable|invalid device ordinal"))),
					Layer:    rule.DeviceExposure,
					Title:    "Caffe sees no GPU, or none of this number (error {code})",
					Text:     "CUDA_VISIBLE_DEVICES hides it[ (here {visible})], --gpu names one that is not there, or the container has none.",
					Remedies: []Remedy{fix("check what is visible", "bash", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES")},
				},
				Cause{
					When:     on(Is("what", "cudaSuccess"), Any(Is("code", "^46$"), Is("text", "busy or unavailable"))),
					Layer:    rule.Application,
					Title:    "not the stack: the GPU is taken by another process in exclusive compute mode (E. Process; error {code}, busy or unavailable)",
					Text:     "In this mode one process alone may use a GPU; a server of the same program on that GPU is enough.",
					Remedies: []Remedy{fix("let Caffe use another GPU, stop the process that holds this one, or set the mode Default", "shell", "nvidia-smi -q -d COMPUTE,PIDS; sudo nvidia-smi -c DEFAULT")},
				},
				Cause{
					When:     on(Is("what", "CUDNN")),
					Layer:    rule.CUDNN,
					Title:    "cuDNN failed in Caffe (status {code})",
					Text:     "Another cuDNN than the one that Caffe was compiled with is loaded, the GPU's memory is full, or this cuDNN does not know the GPU[ {gpu}].",
					Remedies: []Remedy{fix("free GPU memory; let the cuDNN of the build be found first on LD_LIBRARY_PATH", "bash", "nvidia-smi")},
					Ask:      "ldd on caffe, the line with libcudnn, and nvidia-smi while it fails",
				},
				Cause{
					Title:    "CUDA failed in Caffe: error {code}[, {text}]",
					Text:     "The error comes from the CUDA runtime or the driver.",
					Remedies: []Remedy{fix("check the driver", "bash", "nvidia-smi")},
					Ask:      "nvidia-smi",
				},
			),
			Samples: []string{"F0101 10:00:00.000000  1234 common.cpp:152] Check failed: error == cudaSuccess (35 vs. 0)  CUDA driver version is insufficient for CUDA runtime version", "cudnn_conv_layer.cpp:52] Check failed: status == CUDNN_STATUS_SUCCESS (4 vs. 0)  CUDNN_STATUS_INTERNAL_ERROR"},
			Misses:  []string{"Check failed: error == 0 (1 vs. 0)"},
			Source:  "https://github.com/BVLC/caffe/issues/736",
		},
		{
			ID: "rapids-linker-module", Product: "rapids",
			Literals: []string{"No module named 'pynvjitlink", "No module named 'cubinlinker", "No module named 'ptxcompiler", "No module named pynvjitlink"},
			Pattern:  `No module named '?(?P<module>pynvjitlink|cubinlinker|ptxcompiler)`,
			Layer:    rule.PackageConflict, Strength: Strong,
			Meaning: "cuDF looks for the linker module that goes with the driver's CUDA, and it is not installed.",
			Causes: causes(
				Cause{
					When:  on(Is("module", "pynvjitlink"), Says("-cu11", "cuda11")),
					Title: "cuDF asks for pynvjitlink, which only its packages for CUDA 12 bring: the installed ones are for CUDA 11 (cu11), and the driver[ {driver}] supports CUDA 12",
					Text:  "cudf and cuml choose how Numba links by the driver's CUDA: pynvjitlink from 12 on, cubinlinker and ptxcompiler for 11. Packages of cu11 have the latter alone.",
					Remedies: []Remedy{
						fix("install the RAPIDS packages for CUDA 12 in place of those for 11, all of one release, in a new environment", "pip", "python -m pip install --extra-index-url https://pypi.nvidia.com cudf-cu12 cuml-cu12"),
					},
					Ask: "python -m pip list | grep -i -e cu11 -e cu12 -e cuda, and nvidia-smi",
				},
				Cause{
					Title: "{module} is not installed, through which cuDF links Numba's code: the RAPIDS packages are incomplete or of two CUDA releases",
					Text:  "The packages for CUDA 12 bring pynvjitlink, those for CUDA 11 cubinlinker and ptxcompiler; all of RAPIDS, CuPy and these must be of one CUDA.",
					Remedies: []Remedy{
						fix("install RAPIDS anew, all packages for one CUDA", "check", "python -m pip list | grep -i -e cu11 -e cu12 -e cuda"),
					},
				},
			),
			Samples: []string{"ModuleNotFoundError: No module named 'pynvjitlink'", "ImportError: No module named 'cubinlinker'"},
			Misses:  []string{"No module named 'numba'"},
			Source:  "https://github.com/rapidsai/cuml/issues/6018",
		},
		{
			ID: "onnx-cpu-notice", Product: "onnxruntime",
			Literals: []string{"need to install CUDA/onnxruntime-gpu", "install onnxruntime-gpu", "onnxruntime-gpu is not installed", "onnxruntime-gpu to run", "onnxruntime-gpu to use"},
			Pattern:  `(?i)(?:need to|please|must|should|to use the GPU,?) (?:\w+ )?install (?:CUDA/)?onnxruntime-gpu|onnxruntime-gpu is not installed|install (?:CUDA/)?onnxruntime-gpu (?:to|for)`,
			Layer:    rule.FrameworkBuild, Role: Consequence, Strength: Strong,
			Meaning: "A program asked ONNX Runtime for its providers and was told of none for CUDA.",
			Causes: causes(
				Cause{
					When: on(Says("get_device", "onnxruntime-gpu==", "installed onnxruntime-gpu", "pip install onnxruntime-gpu", "both")), Confidence: rule.Possible,
					Title: "ONNX Runtime gives the program no CUDA provider although onnxruntime-gpu[ {onnxruntime}] is there: onnxruntime beside it hides it, or its CUDA and cuDNN libraries are not found",
					Text:  "onnxruntime.get_device() says how the package was built, not that CUDA works; what counts is get_available_providers() and the session's first warning. Both packages write one folder, so that the plain one, which another package requires, takes the GPU away.",
					Remedies: []Remedy{
						fix("leave onnxruntime-gpu alone in the environment", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu", "pip", "python -m pip install onnxruntime-gpu"),
						fix("then see what it loads: CUDA 12 and cuDNN 9 from 1.20 on", "check", `python -c "import onnxruntime as o; print(o.__version__, o.get_available_providers()); o.preload_dlls()"`),
					},
					Ask: "python -m pip list | grep -i onnxruntime, and onnxruntime.get_available_providers()",
				},
				Cause{
					Title: "The installed onnxruntime[ {onnxruntime}] is for the CPU: onnxruntime-gpu is needed for the GPU",
					Text:  "The plain package has no CUDA provider, whatever driver and CUDA are installed; beside onnxruntime-gpu it hides that one.",
					Remedies: []Remedy{
						fix("replace it by onnxruntime-gpu alone", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu", "pip", "python -m pip install onnxruntime-gpu"),
					},
					Ask: "python -m pip list | grep -i onnxruntime",
				},
			),
			Samples: []string{"WARNING: running on the CPU, you need to install onnxruntime-gpu for the GPU"},
			Misses:  []string{"Requirement already satisfied: onnxruntime-gpu"},
			Source:  "https://github.com/google/unisim/issues/24",
		},
		{
			ID: "whisper-cpu", Product: "whisper",
			Literals: []string{"FP16 is not supported on CPU; using FP32 instead"},
			Pattern:  `FP16 is not supported on CPU; using FP32 instead`,
			Role:     Consequence,
			Layer:    rule.FrameworkBuild,
			Meaning:  "Whisper runs on the CPU, because PyTorch sees no GPU.",
			Causes: causes(
				Cause{
					When:     on(Is("torch", `\+cpu`)),
					Title:    "Whisper runs on the CPU: the installed PyTorch {torch} is a build for the CPU",
					Text:     "A driver or toolkit does not change that.",
					Remedies: []Remedy{fix("install PyTorch with CUDA", "pip", "python -m pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/cu128")},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "Whisper runs on the CPU: PyTorch sees no GPU",
					Text:       "Most often PyTorch[ {torch}] is a build for the CPU (pip's default on Windows); else the driver is missing or too old, or the container has no GPU.",
					Remedies:   []Remedy{fix("where torch.version.cuda is None, install PyTorch with CUDA", "pip", "python -m pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/cu128")},
					Ask:        "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())'",
				},
			),
			Samples: []string{`UserWarning: FP16 is not supported on CPU; using FP32 instead`},
			Misses:  []string{"FP16 is not supported"},
			Source:  "https://github.com/Uberi/speech_recognition/issues/629",
		},
		{
			ID: "dgl-cpu-build", Product: "dgl",
			Literals: []string{"Device API gpu is not enabled", "Device API cuda is not enabled"},
			Pattern:  `Device API (?:gpu|cuda) is not enabled`,
			Layer:    rule.FrameworkBuild,
			Strength: Strong,
			Meaning:  "DGL or TVM was built for the CPU.",
			Causes: causes(Cause{
				Title:    "the installed DGL is the build for the CPU",
				Text:     "DGL's default package has no CUDA; builds with it are on its own index, for one CUDA and PyTorch each[ (PyTorch here is {torch})].",
				Remedies: []Remedy{fix("remove all dgl packages and install the build for PyTorch's release and CUDA from DGL's own index (dgl+cu121, dgl+cu124), as its start page shows", "pip", "python -m pip uninstall -y dgl")},
			}),
			Samples: []string{"dgl._ffi.base.DGLError: [10:00:00] /opt/dgl/src/runtime/c_runtime_api.cc:82: Check failed: allow_missing: Device API cuda is not enabled. Please install the cuda version of dgl."},
			Misses:  []string{"Device API cpu is not enabled"},
			Source:  "https://github.com/dmlc/dgl/issues/5427",
		},
		{
			ID: "torchsharp-cuda", Product: "torchsharp",
			Literals: []string{"CUDA non available in the current machine", "did not initialise on the current machine"},
			Pattern:  `CUDA non available in the current machine|[Dd]evice type CUDA did not initialise on the current machine`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "TorchSharp finds no CUDA in the libtorch that it loads.",
			Causes: causes(Cause{
				Title: "TorchSharp has no libtorch with CUDA here: the CPU package (libtorch-cpu) is referenced, or the DLLs of libtorch-cuda are not loaded",
				Text:  "The package TorchSharp-cuda-windows (or -linux), or libtorch-cuda-* for the same release, brings libtorch with CUDA; a toolkit is not needed. Its driver requirement is that of the CUDA in its name[; the driver here is {driver}].",
				Remedies: []Remedy{
					fix("reference TorchSharp-cuda-windows or TorchSharp-cuda-linux in place of TorchSharp-cpu, of one release, and clear the NuGet cache"),
					fix("where it is referenced, load it before the first use (torch.InitializeDeviceType(DeviceType.CUDA)) and update the driver", "check", "nvidia-smi"),
				},
				Ask: "the package references of the project, and nvidia-smi",
			}),
			Samples: []string{"System.InvalidOperationException: CUDA non available in the current machine.", "Torch device type CUDA did not initialise on the current machine."},
			Misses:  []string{"the device did initialise"},
			Source:  "https://github.com/dotnet/TorchSharp/issues/159",
		},
		{
			ID: "told-build-memory", Product: "compiler",
			Literals: []string{"exhausts the", "exhaust the", "exaust the", "out of RAM", "all the RAM", "all my RAM", "runs out of memory", "eats all the", "PC crashes", "machine freezes"},
			Beside:   []string{"flash", "compil", "build", "xformers", "nvcc", "ninja"},
			Pattern:  `(?i)(?:(?:compil|build|install)\w*[^.\n]{0,80}(?:exhausts?|fills|eats|runs? out of|uses)[^.\n]{0,20}(?:RAM|memory))|(?:exhausts?|fills|eats|runs? out of|uses)[^.\n]{0,20}(?:RAM|memory)[^.\n]{0,80}(?:compil|build|install)`,
			Role:     Told, Layer: rule.Application,
			Where:   on(Says("flash-attn", "flash attention", "flash_attn", "flashattention", "xformers", "apex", "nvcc", "ninja", "vllm", "MAX_JOBS", "torch")),
			Meaning: "Somebody tells that building an extension takes all of the machine's memory.",
			Causes: causes(Cause{
				Title: "The build takes more memory (RAM) than the machine has: too many compiler jobs at once",
				Text:  "ninja starts a job for each CPU, and each nvcc takes several GB. It is not the GPU's memory, and driver and toolkit are not at fault.",
				Remedies: []Remedy{
					fix("build with fewer jobs", "shell", "MAX_JOBS=2 NVCC_THREADS=1 python -m pip install --no-build-isolation PACKAGE"),
					fix("or install a ready wheel for this torch, CUDA and Python"),
				},
			}),
			Samples: []string{"Compiling xformers eats all the RAM of the machine and it freezes", "when I build flash-attn it runs out of memory"},
			Misses:  []string{"the model runs out of memory in training"},
			Source:  "https://github.com/Dao-AILab/flash-attention",
		},
	}
}
