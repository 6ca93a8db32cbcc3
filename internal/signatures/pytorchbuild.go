package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// pytorchBuild is what PyTorch and programs on it say of a build without CUDA.
func pytorchBuild() []*Signature {
	return []*Signature{
		{
			ID: "pytorch-not-compiled-with-cuda", Product: "pytorch",
			Literals: []string{"Torch not compiled with CUDA enabled", "PyTorch is not compiled with NCCL", "not linked with support for cuda devices", "has no attribute '_cuda_", "Torch not compiled with CUDA", "Could not run 'aten::"},
			Pattern:  `(?:Torch\s+not\s+compiled\s+with\s+CUDA|torch\._C.? has no attribute '_cuda_(?:set|get|is|init|em|lock|r)\w+'|PyTorch is not compiled with NCCL|not linked with support for cuda devices|Could not run 'aten::[\w.]+' with arguments from the 'CUDA' backend)`,
			Layer:    rule.FrameworkBuild, Strength: Strong, ExplainedBy: []string{"FRM001", "FRM005"},
			Meaning: "The PyTorch that is installed was built without CUDA.",
			Causes: causes(
				Cause{
					When: on(Says("don't have a GPU", "do not have a GPU", "don't have GPU", "without a GPU", "only has a CPU", "only have a CPU", "only have CPU", "CPU-only machine", "cpu only machine", "no nvidia gpu", "没有GPU", "没有 GPU", "没有显卡", "只有CPU", "只有 CPU", "run on cpu only", "run without a gpu"), Not(Says("nvidia-smi", "my gpu", "RTX", "GTX"))), Layer: rule.Application,
					Title: "The program asks for CUDA on a machine without a GPU[ (torch {torch})]: PyTorch is a CPU build, which is right there",
					Text:  "Torch not compiled with CUDA enabled: no installation makes CUDA run without an NVIDIA GPU. The program has to be told to use the CPU, or its calls of .cuda() changed. Not the stack.",
					Remedies: []Remedy{
						fix("choose the CPU in the program's options (--device cpu, --gpu -1, --no-cuda, use_gpu = False)"),
						fix("where it has no option, replace .cuda() by .to(device) with device = torch.device(\"cpu\"), and load checkpoints with map_location=\"cpu\""),
					},
				},
				Cause{
					When: on(Says("macOS", "Darwin", "darwin", "Apple M", "arm64-apple", "MacBook", "Mac laptop", "my Mac ", "my Mac.", "Mac OS X", " OSX", "Mac M1", "M1 Mac", "on a Mac ", "on a Mac.")), Layer: rule.Application,
					Title:    "The program asks for CUDA on a Mac, which has none",
					Text:     "PyTorch for macOS has no CUDA, and no installation adds it. On Apple silicon the GPU's device is \"mps\". Not the stack.",
					Remedies: []Remedy{fix("use device \"mps\" or \"cpu\" in place of \"cuda\"")},
				},
				Cause{
					When:  on(OnJetson),
					Title: "The PyTorch in use[ ({torch})] is a CPU build and not the one for Jetson",
					Text:  "The wheels for aarch64 on the general index had no CUDA for Jetson. NVIDIA makes PyTorch for each JetPack; the general one often came in as another package's requirement.",
					Remedies: []Remedy{
						fix("uninstall it and install NVIDIA's PyTorch for this JetPack[ (L4T {l4t})], or use NVIDIA's container for it", "pip", "python -m pip uninstall torch torchvision"),
					},
				},
				Cause{
					When:  on(InConda),
					Title: "The PyTorch in use[ ({torch})] is a CPU build: Torch not compiled with CUDA enabled",
					Text: "Conda chose a CPU build: no driver was seen while it solved (a build without a GPU needs CONDA_OVERRIDE_CUDA), cpuonly is installed, or another channel's build came first. " +
						"A CUDA toolkit beside it does not change the build.",
					Remedies: []Remedy{
						fix("replace the CPU build: remove pytorch and cpuonly, and install a CUDA build", "conda-forge", "conda install -c conda-forge 'pytorch=*=*cuda*'"),
						fix("or by pip: [torch {driver_cuda|torchfordriver}, which driver CUDA {driver_cuda} runs || torch from the index of a CUDA that the driver runs]", "pip", "python -m pip install --force-reinstall torch=={driver_cuda|torchfordriver} --index-url https://download.pytorch.org/whl/{driver_cuda|torchfordriver|variant}"),
					},
					Ask: "conda list | grep -i -e torch -e cpuonly; python -c 'import torch; print(torch.__version__, torch.version.cuda)'",
				},
				Cause{
					Title: "The PyTorch in use[ ({torch})] is a CPU build: Torch not compiled with CUDA enabled",
					Text: "pip gave a wheel without CUDA: the one of the general index on Windows, of the index /whl/cpu (+cpu), or of a platform or Python without a CUDA wheel; another package's requirement may have replaced a CUDA build. " +
						"A CUDA toolkit beside it, or a driver update, does not change the build.",
					Remedies: []Remedy{
						fix("uninstall it and install a CUDA build: [torch {driver_cuda|torchfordriver}, which the driver (CUDA {driver_cuda}) runs || torch with the index of a CUDA that the driver runs, for example cu126 or cu128]", "pip", "python -m pip uninstall -y torch torchvision torchaudio",
							"pip, then", "python -m pip install torch=={driver_cuda|torchfordriver} torchvision torchaudio --index-url https://download.pytorch.org/whl/{driver_cuda|torchfordriver|variant}"),
					},
					Ask: "python -c 'import torch; print(torch.__version__, torch.version.cuda)'",
				},
			),
			Samples: []string{"AssertionError: Torch not compiled with CUDA enabled", "RuntimeError: PyTorch is not compiled with NCCL support", "AttributeError: module 'torch._C' has no attribute '_cuda_setDevice'"},
			Misses:  []string{"Torch compiled with CUDA 12.1"},
			Source:  "https://github.com/facebookresearch/detectron2/issues/460",
		},
		{
			ID: "pytorch-version-said", Product: "pytorch",
			Literals: []string{"torch version"},
			Pattern:  `(?i:torch version)\s*[:=]?\s*v?(?P<torch>\d+\.\d+\.\d+\+(?:cu\d{2,3}|cpu)\b)`,
			Role:     Context, Layer: rule.FrameworkBuild,
			Meaning: "A text says which build of PyTorch is in use.",
			Samples: []string{"PyTorch Version: 2.3.0+cu118"},
			Misses:  []string{"torch version: unknown"},
			Source:  "https://github.com/pytorch/pytorch/issues/73047",
		},
		{
			ID: "image-said", Product: "docker",
			Literals: []string{"nvidia/cuda:", "pytorch/pytorch:", "nvcr.io/nvidia/", "tensorflow/tensorflow:"},
			Pattern:  `(?:\bFROM|\b[Bb]uilt (?:from|on)|\b[Bb]ased on)\s+(?P<image>(?:[\w.-]+/)*(?:cuda|pytorch|tensorflow|tensorrt|tritonserver):[\w.-]+)`,
			Role:     Context, Layer: rule.ContainerRuntime,
			Meaning: "A text says which image a container was built from.",
			Samples: []string{"FROM nvidia/cuda:11.3.1-runtime-ubuntu20.04"},
			Misses:  []string{"docker pull nvidia/cuda:11.3.1-runtime-ubuntu20.04"},
			Source:  "https://docs.docker.com/reference/dockerfile/",
		},
		{
			ID: "pytorch-cuda-not-available", Product: "pytorch",
			Literals: []string{"cuda.is_available", "CUDA available", "CUDA is not available", "CUDA not available", "cuda is not available", "Torch is not able to use GPU", "CUDA was requested but", "GPU is not available", "CUDA is unavailable", "torch.cuda is not available"},
			Pattern: `(?i)(?:torch\.cuda\.is_available\(\)\)?\s*(?:#|->|=>|=+|:|is|returns?|returned|gives|still|and|it|shows|prints?|says|\s)*\s*False\b|cuda\.is_available\(\)\)?[^\n(]{0,12}[^\x00-\x7F][^\n(]{0,40}?False\b|cuda\.is_available\(\)[^\n]{0,60}? True\b[^\n]{0,140}? (?:gives|is|returns?|returned|becomes|became|was|turns|turned|prints?|to|shows?) (?:it )?False\b|CUDA available\s*[?:=]\s*(?:False|No)\b|Torch is not able to use GPU|` +
				`(?:\bCUDA|torch\.cuda) is (?:not available|unavailable)\b|CUDA not available\b|Invalid CUDA '?device=\S+ requested|CUDA was requested but)`,
			Layer: rule.FrameworkBuild, Role: Consequence, ExplainedBy: []string{"FRM001", "DRV002", "DRV001", "CTR001", "DEV001", "DEV003", "FRM005"},
			Meaning: "PyTorch tells a program that it cannot use CUDA; why is said elsewhere, if at all.",
			Causes: causes(
				Cause{
					When:     on(Is("torch", `\+cpu`)),
					Title:    "torch {torch} is a CPU build, so CUDA is not available",
					Text:     "The local version +cpu names a build without CUDA. A driver update or a CUDA toolkit does not change it.",
					Remedies: []Remedy{fix("install a CUDA build of the same release[: torch {driver_cuda|torchfordriver} || , for example with cu126 or cu128]", "pip", "python -m pip install --force-reinstall torch=={driver_cuda|torchfordriver} --index-url https://download.pytorch.org/whl/{driver_cuda|torchfordriver|variant}")},
				},
				Cause{
					When:     on(Says("cpuonly", "_cpu_0", "_cpu_1", "+cpu", "cpu_py3", "CUDA used to build PyTorch: None", "py3-none-cpu", "torch.version.cuda: None", "torch.version.cuda None", "Build: CPU")),
					Title:    "PyTorch is a CPU build[ ({torch})], so CUDA is not available",
					Text:     "The text names a build without CUDA (+cpu, cpuonly, a Conda build with cpu in its name, or CUDA used to build PyTorch: None). A driver update or a CUDA toolkit does not change it.",
					Remedies: []Remedy{fix("install a CUDA build[: torch {driver_cuda|torchfordriver} || , for example with cu126 or cu128]", "pip", "python -m pip install --force-reinstall torch=={driver_cuda|torchfordriver} --index-url https://download.pytorch.org/whl/{driver_cuda|torchfordriver|variant}")},
				},
				Cause{
					When: on(Says("pip install", "pip3 install", "requirements.txt", "uv add", "uv pip"), Any(OnWindows, Says("windows", "after installing", "after pip install", "after the install", "was replaced", "uninstalled torch", "Uninstalling torch", "force-reinstall", "uninstalls", "replaced"))), Confidence: rule.Possible,
					Title:    "PyTorch cannot use CUDA[ (torch {torch})]: most likely pip put a CPU build in the place of the CUDA build",
					Text:     "A package that requires torch lets pip install the general index's wheel, which on Windows is built for the CPU only; it also replaces a Conda build. The driver and the CUDA toolkit are not the reason.",
					Remedies: []Remedy{fix("install a CUDA build of torch again, from PyTorch's index, and the other package with --no-deps[: torch {driver_cuda|torchfordriver}]", "pip", "python -m pip install --force-reinstall torch=={driver_cuda|torchfordriver} --index-url https://download.pytorch.org/whl/{driver_cuda|torchfordriver|variant}", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda)'")},
				},
				Cause{
					When: on(Says("Radeon", " RX 5", " RX 6", " RX 7", " RX 9", "AMD GPU", "AMD gpu", "Intel Arc", "Intel(R) Arc", "Intel HD Graphics", "Intel UHD", "Iris Xe"), Not(Says("GeForce", "NVIDIA R", "NVIDIA G", "NVIDIA A", "NVIDIA H", "NVIDIA T", "NVIDIA L", " RTX ", " GTX ", "nvidia-smi", "Tesla ", "Quadro"))), Layer: rule.Application,
					Title: "CUDA needs an NVIDIA GPU, and the text tells of another maker's (AMD or Intel) alone",
					Text:  "Builds of PyTorch for CUDA do not use GPUs of AMD or Intel. It is not the NVIDIA stack that is at fault.",
					Remedies: []Remedy{
						fix("use PyTorch for ROCm on Linux, the program's variant for AMD (DirectML, ZLUDA) or Intel (XPU, IPEX)"),
						fix("or run on the CPU: for stable-diffusion-webui --skip-torch-cuda-test --use-cpu all"),
					},
				},
				Cause{
					When: on(Not(Has("driver")), InContainer), Layer: rule.ContainerRuntime, Confidence: rule.Possible,
					Title:    "PyTorch cannot use CUDA in this container, most likely because it was started without a GPU",
					Text:     "The driver and the devices come from the host, with --gpus all or the nvidia runtime. A CPU build of PyTorch in the image is the other reason.",
					Remedies: []Remedy{fix("start it with --gpus all, and see both", "docker", "docker run --rm --gpus all IMAGE python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())'")},
					Ask:      "nvidia-smi, and python -c 'import torch; print(torch.__version__, torch.version.cuda)', both in the container",
				},
				Cause{
					When: on(Says("directml", "torch_directml", "zluda"), Not(Says("Radeon", " RX 6", " RX 7", " RX 9"))), Confidence: rule.Possible,
					Title: "This copy of the program is its variant for AMD and Intel (DirectML or ZLUDA), so its torch[ {torch}] has no CUDA for the NVIDIA GPU[ {gpu}]",
					Text:  "The DirectML variant installs torch-directml with a torch for the CPU. NVIDIA cards need the plain variant; driver and CUDA toolkit do not change this one.",
					Remedies: []Remedy{
						fix("install the program's variant for NVIDIA (CUDA) in place of it, in a folder of its own"),
						fix("see which torch it has", "check", `venv\Scripts\python -c "import torch; print(torch.__version__, torch.version.cuda)"`),
					},
				},
				Cause{
					When: on(Says("INCOMPATIBLE PYTHON VERSION", "skip-torch-cuda-test", "skip-python-version-check", "stable-diffusion-webui", "webui-user"), OnWindows), Confidence: rule.Possible,
					Title: "The venv of stable-diffusion-webui has a torch[ ({torch})] that cannot use CUDA: most likely a CPU build, for want of a CUDA wheel for its Python[ ({python})], or a driver that is too old",
					Text:  "The program is made for Python 3.10 and installs torch for CUDA into the folder venv. With another Python, or after another program changed torch there, a CPU wheel is left. --skip-torch-cuda-test only hides it: everything then runs on the CPU.",
					Remedies: []Remedy{
						fix("use Python 3.10, delete the folder venv and start again, so that a CUDA build of torch (cu121, cu128) is installed", "check", `venv\Scripts\python -c "import torch; print(torch.__version__, torch.version.cuda)"`),
						fix("where that is a CUDA build, update the NVIDIA driver", "check", "nvidia-smi"),
					},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "PyTorch cannot use CUDA[ (torch {torch})]; the text does not say why",
					Text:       "The reasons, most frequent first: a CPU build (torch.version.cuda is None; pip or Conda replaced a CUDA build), no driver or one too old for the build, GPUs hidden by CUDA_VISIBLE_DEVICES or not passed into the container.",
					Remedies: []Remedy{
						fix("ask PyTorch itself: it raises the reason", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda); torch.zeros(1).cuda()'"),
					},
					Ask: "the output of python -c 'import torch; print(torch.__version__, torch.version.cuda); torch.zeros(1).cuda()', and nvidia-smi",
				},
			),
			Samples: []string{
				">>> torch.cuda.is_available()\nFalse",
				"RuntimeError: Torch is not able to use GPU; add --skip-torch-cuda-test to COMMANDLINE_ARGS variable to disable this check",
				"Is CUDA available: False",
				"torch.cuda.is_available() returns False",
				"torch.cuda.is_available() is True before, and after pip install it returns False",
				"安装之后 torch.cuda.is_available() 变成 False",
			},
			Misses: []string{"Is CUDA available: True", "torch.cuda.is_available() is True"},
			Source: "https://github.com/AUTOMATIC1111/stable-diffusion-webui/issues/14617",
		},
	}
}
