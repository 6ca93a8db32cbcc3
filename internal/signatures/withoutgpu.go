package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// compiledWithoutGPU are packages with compiled operators that were built without CUDA or do not fit.
func compiledWithoutGPU() []*Signature {
	return []*Signature{
		{
			ID: "extension-without-gpu", Product: "mmcv",
			Literals: []string{"not compiled with GPU support", "Not compiled with GPU support", "implementation for device cuda", "compiled without CUDA", "not compiled with CUDA support", "Not compiled with CUDA support", "not compiled with CUDA", "without CUDA support", "not compiled with GPU"},
			Pattern:  `(?i:(?:(?P<what>[\w.:]+) is )?\bnot compiled with (?:GPU|CUDA) support|\bnot compiled with gpu\b|(?P<what>\w+): implementation for device cuda\S* not found|(?:was|is|been) (?:compiled|built|installed) without (?:CUDA|GPU)(?: support)?)`,
			Layer:    rule.FrameworkBuild, ExplainedBy: []string{"FRM001"},
			Meaning: "A package's operators were compiled without their CUDA part.",
			Causes: causes(
				Cause{
					When:  on(Says("mmcv", "mmdet", "mmcv-full", "openmim")),
					Title: "mmcv was compiled without CUDA: its operators[ ({what})] have no GPU part",
					Text:  "It was built where PyTorch saw no GPU or nvcc, or is the CPU wheel. Its wheels are made for one torch[ ({torch})] and one CUDA[ ({torch_cuda})].",
					Remedies: []Remedy{
						fix("uninstall it and install the wheel for this torch and CUDA with openmim", "pip", "python -m pip uninstall -y mmcv mmcv-full; python -m pip install openmim; mim install mmcv"),
						fix("or build it with the GPU's part switched on", "shell", "FORCE_CUDA=1 MMCV_WITH_OPS=1 python -m pip install --no-build-isolation --no-cache-dir mmcv"),
					},
					Ask: "python -c 'import torch, mmcv; print(torch.__version__, torch.version.cuda, mmcv.__version__)'",
				},
				Cause{
					When:  on(Says("FORCE_CUDA=1 &&", "FORCE_CUDA=1;", "FORCE_CUDA=0")),
					Title: "The package was compiled without its CUDA part: FORCE_CUDA did not reach the build",
					Text:  "A variable that stands before && or a semicolon is set for the shell alone and not for pip. In an image build no GPU is visible, so without FORCE_CUDA=1 the package's setup leaves CUDA out.",
					Remedies: []Remedy{
						fix("write it before the command itself, or export it (ENV in a Dockerfile), and name the GPU's architecture", "Dockerfile", "RUN FORCE_CUDA=1 TORCH_CUDA_ARCH_LIST=\"7.5;8.6\" pip install --no-build-isolation --no-cache-dir PACKAGE"),
					},
					Ask: "the lines of the build: does it run nvcc",
				},
				Cause{
					Title: "A package was compiled without CUDA[: {what}]",
					Text:  "It was built where torch.cuda.is_available() was False or no nvcc was found (an image build has no GPU), or is a CPU build.",
					Remedies: []Remedy{
						fix("build it again with CUDA forced and the GPU's architecture named", "shell", "FORCE_CUDA=1 TORCH_CUDA_ARCH_LIST=\"8.0;8.6;8.9;9.0\" python -m pip install --no-build-isolation --no-cache-dir --force-reinstall --no-deps PACKAGE"),
						fix("or install its wheel for this torch[ {torch}] and CUDA[ {torch_cuda}]"),
					},
					Ask: "python -c 'import torch; print(torch.__version__, torch.version.cuda)', and how the package was installed",
				},
			),
			Samples: []string{"RuntimeError: nms is not compiled with GPU support", "RuntimeError: roi_align_forward_impl: implementation for device cuda:0 not found.", "RuntimeError: Not compiled with CUDA support", "ValueError: this package was built without CUDA support"},
			Misses:  []string{"compiled with GPU support: yes"},
			Source:  "https://github.com/open-mmlab/mmcv/issues/2099",
		},
		{
			ID: "mmcv-version", Product: "mmcv",
			Literals: []string{"is used but incompatible. Please install mmcv", "No module named 'mmcv._ext'", "mmcv._ext"},
			Pattern:  `(?:MMCV==(?P<have>[\w.]+) is used but incompatible\. Please install mmcv(?P<need>[\w<>=., ]+)|No module named 'mmcv\._ext')`,
			Layer:    rule.PackageConflict, Strength: Strong,
			Meaning: "mmcv is of another release than the program wants, or lacks its operators.",
			Causes: causes(
				Cause{
					When:     on(Has("have")),
					Title:    "mmcv {have} is installed, and the program wants mmcv{need}",
					Text:     "Each release of MMDetection and its like works with a range of mmcv.",
					Remedies: []Remedy{fix("install an mmcv of that range with openmim", "pip", "python -m pip install openmim; mim install mmcv")},
				},
				Cause{
					Layer:    rule.FrameworkBuild,
					Title:    "mmcv is installed without its compiled operators: mmcv._ext is missing",
					Text:     "mmcv-lite, or mmcv before 2 without \"-full\", has none; else no wheel was made for this torch[ {torch}] and CUDA[ {torch_cuda}].",
					Remedies: []Remedy{fix("install the full package for this torch and CUDA", "pip", "python -m pip uninstall -y mmcv mmcv-lite; python -m pip install openmim; mim install mmcv")},
				},
			),
			Samples: []string{"AssertionError: MMCV==2.2.0 is used but incompatible. Please install mmcv>=2.0.0rc4, <2.2.0.", "ModuleNotFoundError: No module named 'mmcv._ext'"},
			Misses:  []string{"import mmcv._ext"},
			Source:  "https://github.com/open-mmlab/mmcv/issues/2099",
		},
		{
			ID: "apex-extensions", Product: "apex",
			Literals: []string{"Cuda extensions are being compiled with a version of Cuda"},
			Pattern:  `(?:Cuda extensions are being compiled with a version of Cuda that does not match the version used to compile Pytorch binaries\.(?:\s*Pytorch binaries were compiled with Cuda (?P<torch_cuda>[\d.]+\d))?)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "apex compares nvcc with the CUDA of PyTorch.",
			Causes: causes(Cause{
				Title:    "nvcc[ (CUDA {toolkit})] is of another CUDA than PyTorch[ ({torch_cuda})], and apex does not compile with it",
				Text:     "The CUDA version in nvidia-smi is the driver's and does not matter here.",
				Remedies: []Remedy{fix("install a toolkit of CUDA[ {torch_cuda}, || of PyTorch's release,] name it in CUDA_HOME and build again", "shell", "export CUDA_HOME=/usr/local/cuda-{torch_cuda}; export PATH=$CUDA_HOME/bin:$PATH"), fix("or do without apex: PyTorch has amp and fused optimizers of its own")},
			}),
			Samples: []string{"RuntimeError: Cuda extensions are being compiled with a version of Cuda that does not match the version used to compile Pytorch binaries.  Pytorch binaries were compiled with Cuda 11.3."},
			Misses:  []string{"Cuda extensions are being compiled with a version of Cuda that matches"},
			Source:  "https://github.com/NVIDIA/apex/pull/323",
		},
		{
			ID: "transformer-engine", Product: "transformer-engine",
			Literals: []string{"libtransformer_engine.so", "transformer_engine_torch", "transformer_engine_extensions", "Device compute capability 8.9 or higher required for FP8"},
			Pattern:  `(?:libtransformer_engine\.so\S*: (?:undefined symbol|cannot open)|Could not find shared object file for Transformer Engine|No module named 'transformer_engine_(?:torch|extensions)'|Device compute capability (?P<need>\d\.\d) or higher required for FP8)`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "Transformer Engine does not load, or the GPU has no FP8.",
			Causes: causes(
				Cause{
					When: on(Has("need")), Layer: rule.GPUArch,
					Title:    "This GPU[ ({gpu}, {sm}) ||  ({sm})] has no FP8, which begins at compute capability {need}",
					Text:     "FP8 is part of Ada (8.9) and Hopper (9.0) and newer.",
					Remedies: []Remedy{fix("train in bf16 in place of fp8 on this GPU")},
				},
				Cause{
					Title:    "Transformer Engine was built for another PyTorch, CUDA or cuDNN than those here[ (torch {torch})], or only in part",
					Text:     "Its core wheel (transformer_engine_cu12 or _cu13) must have the CUDA major of PyTorch, and its PyTorch part is compiled here.",
					Remedies: []Remedy{fix("install it for PyTorch's CUDA", "pip", "python -m pip install --no-build-isolation --force-reinstall 'transformer_engine[pytorch]'")},
				},
			),
			Samples: []string{"ModuleNotFoundError: No module named 'transformer_engine_torch'", "AssertionError: Device compute capability 8.9 or higher required for FP8 execution."},
			Misses:  []string{"import transformer_engine_torch as tex"},
			Source:  "https://github.com/NVIDIA/TransformerEngine/blob/main/transformer_engine/jax/quantize/helper.py",
		},
		{
			ID: "unsloth-gpu", Product: "unsloth",
			Literals: []string{"Unsloth cannot find any torch accelerator", "Unsloth: No NVIDIA GPU found", "Unsloth currently only works on NVIDIA GPUs", "Unsloth: CUDA is not linked properly"},
			Pattern:  `Unsloth(?: cannot find any torch accelerator|: No NVIDIA GPU found| currently only works on NVIDIA GPUs|: CUDA is not linked properly)`,
			Layer:    rule.FrameworkBuild, Role: Consequence, ExplainedBy: []string{"FRM001", "DRV001", "CTR001"},
			Meaning: "Unsloth asks PyTorch for a GPU and gets none.",
			Causes: causes(Cause{
				Confidence: rule.Possible,
				Title:      "PyTorch[ {torch}] shows Unsloth no GPU",
				Text:       "A CPU build of PyTorch, no driver, or hidden GPUs.",
				Remedies:   []Remedy{fix("ask PyTorch for the reason", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda); torch.zeros(1).cuda()'")},
				Ask:        "the output of that command, and nvidia-smi",
			}),
			Samples: []string{"NotImplementedError: Unsloth cannot find any torch accelerator? You need a GPU."},
			Misses:  []string{"Unsloth: will patch your computer"},
			Source:  "https://github.com/unslothai/unsloth/issues/5876",
		},
	}
}
