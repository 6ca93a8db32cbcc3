package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// paddle is what PaddlePaddle says.
func paddle() []*Signature {
	return []*Signature{
		{
			ID: "paddle-architecture", Product: "paddlepaddle",
			Literals:    []string{"Mismatched GPU Architecture"},
			Pattern:     `Mismatched GPU Architecture: The installed PaddlePaddle package was compiled for (?P<built>\d[\d ,]*\d) ?, ?but your current GPU is (?P<arch>\d+)`,
			Layer:       rule.GPUArch,
			Strength:    Strong,
			ExplainedBy: []string{"ARC001"},
			Meaning:     "Paddle's package has no code for the GPU.",
			Causes: causes(Cause{
				Title:    "this PaddlePaddle is compiled for {built}, the GPU[ {gpu}] is sm_{arch}",
				Text:     "The package for this CUDA has no code for the GPU[; sm_{arch} needs CUDA {arch|firstcuda} or newer]. A driver does not add it.",
				Remedies: []Remedy{fix("install the paddlepaddle-gpu of a CUDA that has sm_{arch}: for RTX 50 the one for CUDA 12.9 or 13.0, for old GPUs the one for 11.8", "pip", "python -m pip install paddlepaddle-gpu -i https://www.paddlepaddle.org.cn/packages/stable/cu129/")},
			}),
			Samples: []string{"E0628 11:38:05.609311 27896 gpu_resources.cc:98] Mismatched GPU Architecture: The installed PaddlePaddle package was compiled for 75 80 86 89 ,but your current GPU is 120 Solution: Install the correct wheel package built for your GPU"},
			Misses:  []string{"Mismatched GPU Architecture"},
			Source:  "https://github.com/PaddlePaddle/Paddle/issues/73687",
		},
		{
			ID: "paddle-architecture-name", Product: "paddlepaddle",
			Literals:    []string{"which is not compatible with Paddle installation with arch"},
			Pattern:     `GPU architecture in your current machine is (?P<arch>\w+), which is not compatible with Paddle installation with arch: (?P<built>[\d ]+\d)`,
			Layer:       rule.GPUArch,
			Strength:    Strong,
			ExplainedBy: []string{"ARC001"},
			Meaning:     "Paddle's package has no code for the GPU.",
			Causes: causes(Cause{
				Title:    "this PaddlePaddle is compiled for {built}, the GPU[ {gpu}] is of {arch}[ ({sm})]",
				Text:     "The package for this CUDA has no code for the GPU; cuDNN errors that follow come from that. A driver does not add code.",
				Remedies: []Remedy{fix("install the paddlepaddle-gpu of another CUDA: 11.8 or older for Pascal and older, 12.9 or newer for RTX 50", "pip", "python -m pip install paddlepaddle-gpu -i https://www.paddlepaddle.org.cn/packages/stable/cu118/")},
			}),
			Samples: []string{"W0824 gpu_resources.cc:96] The GPU architecture in your current machine is Pascal, which is not compatible with Paddle installation with arch: 70 75 80 86 , it is recommended to install the corresponding wheel package"},
			Misses:  []string{"The GPU architecture in your current machine is Ampere"},
			Source:  "https://github.com/PaddlePaddle/PaddleOCR/issues/10725",
		},
		{
			ID: "paddle-library", Product: "paddlepaddle",
			Literals: []string{"that Paddle depends on is not configured correctly"},
			Pattern:  `The third-party dynamic library \((?P<lib>[\w.;-]+?)(?:;[^)]*)?\) that Paddle depends on is not configured correctly`,
			Layer:    rule.CUDNN,
			Strength: Strong,
			Meaning:  "Paddle loads CUDA's libraries at run time and does not find one.",
			Causes: causes(
				Cause{
					When:  on(Is("lib", `(?i)^cudnn\w*64_\d`)),
					Title: "Paddle does not load cuDNN {lib|somajor} ({lib}) on Windows",
					Text: "This paddlepaddle-gpu is built for cuDNN {lib|somajor}[ and the text tells of cuDNN {cudnn}]. Its DLLs must be in a folder of PATH, and so must what they need: with error code 126 the file itself is often there and another one is not (cuBLAS of the same CUDA, or zlibwapi.dll for cuDNN 8). " +
						"Another major release does not stand in for it.",
					Remedies: []Remedy{
						fix("put the bin folder of cuDNN {lib|somajor} and that of the CUDA toolkit on PATH, before the program starts"),
						when(fix("or take the paddlepaddle-gpu that is built for the CUDA and cuDNN here, from Paddle's own index", "pip", "python -m pip install paddlepaddle-gpu -i https://www.paddlepaddle.org.cn/packages/stable/cu126/"), Not(Is("lib", `_[567]\.dll`))),
						when(fix("or take a newer paddlepaddle-gpu: builds for cuDNN 7 are for CUDA 10.2 and older, those for CUDA 11.2 want cuDNN 8"), Is("lib", `_7\.dll`)),
					},
					Ask: "where {lib}",
				},
				Cause{
					When:     on(Is("lib", `cudnn`)),
					Title:    "Paddle does not find cuDNN ({lib})",
					Text:     "Paddle asks for the name without a number; it must be on LD_LIBRARY_PATH (PATH on Windows), of the major release that the package is built for[ (here cuDNN {cudnn})].",
					Remedies: []Remedy{fix("install cuDNN and put its directory on LD_LIBRARY_PATH", "pip", "python -m pip install nvidia-cudnn-cu12", "bash", `export LD_LIBRARY_PATH=$(python -c "import nvidia.cudnn, os; print(os.path.join(nvidia.cudnn.__path__[0], 'lib'))"):$LD_LIBRARY_PATH`), fix("where only libcudnn.so.9 is there, add the link without a number beside it (libcudnn.so of the same major release)")},
				},
				Cause{
					When:     on(Is("lib", `nccl`)),
					Layer:    rule.NCCL,
					Title:    "Paddle does not find NCCL ({lib})",
					Text:     "NCCL is not on the loader's path.",
					Remedies: []Remedy{fix("install it", "pip", "python -m pip install nvidia-nccl-cu12")},
				},
				Cause{
					Layer:    rule.CUDALibraries,
					Title:    "Paddle does not find {lib}",
					Text:     "The CUDA toolkit of the release that paddlepaddle-gpu is built for must be on LD_LIBRARY_PATH (PATH on Windows).",
					Remedies: []Remedy{fix("put its directory there", "bash", "export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH")},
				},
			),
			Samples: []string{"PreconditionNotMetError: The third-party dynamic library (libcudnn.so) that Paddle depends on is not configured correctly. (error code is libcudnn.so: cannot open shared object file: No such file or directory)", "The third-party dynamic library (cublas64_112.dll;cublas64_11.dll) that Paddle depends on is not configured correctly."},
			Misses:  []string{"that Paddle depends on is configured"},
			Source:  "https://github.com/PaddlePaddle/Paddle/blob/develop/paddle/phi/backends/dynload/dynamic_loader.cc",
		},
		{
			ID: "paddle-device-not-set", Product: "paddlepaddle",
			Literals: []string{"You are using GPU version Paddle", "PaddlePaddle is not compiled with CUDA", "not compiled with CUDA, but", "Cannot use GPU because you have installed CPU version PaddlePaddle", "check that your paddle compiles with", "check if your Paddle is compiled with", "compiled with WITH_GPU", "recompile or reinstall Paddle with CUDA"},
			Pattern:  `(?i)You are using GPU version Paddle(?:Paddle)?,? but your CUDA device is not set properly|Cannot use GPU because you have installed CPU version PaddlePaddle|PaddlePaddle is not compiled with CUDA|Place\(gpu(?::\d)?\) is not supported|(?:recompile or reinstall|reinstall) Paddle with (?:CUDA|GPU) support`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "Paddle cannot use the GPU.",
			Causes: causes(
				Cause{
					When:     on(Says("installed CPU version PaddlePaddle", "is not compiled with CUDA", "is not supported. Please check that your paddle", "reinstall Paddle with")),
					Title:    "the installed PaddlePaddle is the CPU package",
					Text:     "paddlepaddle is for the CPU, paddlepaddle-gpu for NVIDIA GPUs; both at once overwrite each other.",
					Remedies: []Remedy{fix("replace it by the GPU package for the CUDA in use", "pip", "python -m pip uninstall -y paddlepaddle paddlepaddle-gpu", "pip", "python -m pip install paddlepaddle-gpu -i https://www.paddlepaddle.org.cn/packages/stable/cu126/")},
				},
				Cause{
					When:     on(InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "Paddle's GPU package sees no GPU in the container",
					Text:     "The container was started without the GPU.",
					Remedies: []Remedy{fix("start it with --gpus all", "docker", "docker run --rm --gpus all {image} nvidia-smi")},
				},
				Cause{
					Layer:    rule.DeviceExposure,
					Title:    "Paddle's GPU package sees no GPU",
					Text:     "No GPU is visible: no driver, CUDA_VISIBLE_DEVICES[ (here {visible})], or a driver too old for the package's CUDA[ (driver {driver})].",
					Remedies: []Remedy{fix("check what is visible", "bash", "nvidia-smi; echo $CUDA_VISIBLE_DEVICES")},
					Ask:      "nvidia-smi, and python -c 'import paddle; print(paddle.version.cuda())'",
				},
			),
			Samples: []string{"UserWarning: You are using GPU version Paddle, but your CUDA device is not set properly. CPU device will be used by default.", "ValueError: Cannot use GPU because you have installed CPU version PaddlePaddle."},
			Misses:  []string{"You are using GPU version Paddle"},
			Source:  "https://github.com/PaddlePaddle/Paddle/blob/develop/python/paddle/base/framework.py",
		},
		{
			ID: "paddle-version-warning", Product: "paddlepaddle",
			Literals: []string{"The installed Paddle is compiled with CU"},
			Pattern:  `The installed Paddle is compiled with CU(?P<what>DNN|DA) (?P<need>\d+\.\d+),? but CU\w+ version in your machine is (?P<have>\d+\.\d+)`,
			Layer:    rule.CUDNN,
			Strength: Strong,
			Meaning:  "Paddle compares the library it was built with to the one it finds.",
			Causes: causes(Cause{
				Title:    "Paddle is built with CU{what} {need}, and {have} is loaded",
				Text:     "The library must be of the same major release and not older. Another copy comes first on LD_LIBRARY_PATH or PATH.",
				Remedies: []Remedy{fix("install CU{what} {need} or newer of the same major release, or take the older copy off the path")},
			}),
			Samples: []string{"WARNING: device: 0. The installed Paddle is compiled with CUDNN 8.6, but CUDNN version in your machine is 8.4, which may cause serious incompatible bug."},
			Misses:  []string{"The installed Paddle is compiled with CUDA"},
			Source:  "https://github.com/PaddlePaddle/Paddle/blob/develop/paddle/phi/backends/gpu/gpu_resources.cc",
		},
	}
}
