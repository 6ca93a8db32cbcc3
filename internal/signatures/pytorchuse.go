package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// pytorchUse is what programs on PyTorch say where it has no CUDA, or fewer GPUs than asked for.
func pytorchUse() []*Signature {
	return []*Signature{
		{
			ID: "pytorch-deserialize-without-cuda", Product: "pytorch",
			Literals: []string{"Attempting to deserialize object on"},
			Pattern:  `Attempting to deserialize object on (?:a CUDA device but|CUDA device (?P<index>\d+) but torch\.cuda\.device_count\(\) is (?P<count>\d+))`,
			Layer:    rule.Application, ExplainedBy: []string{"DEV003"},
			Meaning: "A checkpoint was saved from a GPU, and is loaded where that GPU is not.",
			Causes: causes(
				Cause{
					When:     on(Has("index")),
					Title:    "The checkpoint was saved on GPU {index}, and here there are {count} GPUs",
					Text:     "torch.load puts tensors back on the device they were saved from. Not the stack.",
					Remedies: []Remedy{fix("load it with map_location: torch.load(path, map_location=\"cuda:0\"), or \"cpu\"")},
				},
				Cause{
					When:  on(Not(Says("CPU-only machine (", "without a GPU", "no GPU on", "has no GPU", "don't have a GPU", "do not have a GPU", "laptop without")), Any(Has("gpu"), Has("driver"), Says("detecting gpu", "detect gpu", "detect the gpu", "detect my gpu", "gpu is fine", "gpu works", "my gpu", "have a gpu", "have gpu", "with gpu", "cuda drivers", "nvidia driver", "nvidia-smi", "nvcc", "cuda is installed", "installed cuda"))),
					Layer: rule.FrameworkBuild,
					Title: "PyTorch has no CUDA here[ (torch {torch})], though the text tells of a GPU[ ({gpu})]: most likely torch is the build for the CPU, so a checkpoint from a GPU cannot be put back",
					Text:  "torch.cuda.is_available() is False. pip and Conda put the CPU build where an index or an environment file asks for it; torch.version.cuda is None then. Where it is a number, the driver is too old for that CUDA, or the GPU is hidden.",
					Remedies: []Remedy{
						fix("ask PyTorch, and install its CUDA build where it has none (cu118, cu126 or cu128, as driver and GPU allow)", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda); torch.zeros(1).cuda()'"),
						fix("or load the checkpoint for the CPU: torch.load(path, map_location=\"cpu\")"),
					},
				},
				Cause{
					Title: "A checkpoint from a GPU is loaded without map_location where PyTorch has no CUDA",
					Text:  "torch.load puts tensors back on the device they were saved from. On a machine that is meant to run on the CPU this is the program's to say, not the stack.",
					Remedies: []Remedy{
						fix("load it with torch.load(path, map_location=\"cpu\")"),
						fix("where a GPU is expected here, see why PyTorch does not use it", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda); torch.zeros(1).cuda()'"),
					},
				},
			),
			Samples: []string{
				"RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU.",
				"RuntimeError: Attempting to deserialize object on CUDA device 3 but torch.cuda.device_count() is 1.",
			},
			Misses: []string{"Attempting to deserialize object on the stack"},
			Source: "https://github.com/pytorch/pytorch/blob/main/torch/serialization.py",
		},
		{
			ID: "pytorch-no-nccl", Product: "pytorch",
			Literals: []string{"have NCCL built in", "package doesn't have", "nccl is not built in"},
			Pattern:  `(?i)package doesn['’]?t have (?P<what>NCCL|MPI|Gloo) built[ -]?in`,
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Meaning: "This build of PyTorch has no NCCL (or the back end that is named).",
			Causes: causes(
				Cause{
					When:     on(Is("what", `(?i)nccl`), OnWindows, Not(OnWSL)),
					Title:    "PyTorch for Windows is built without NCCL: the program must take the backend gloo",
					Text:     "NCCL exists for Linux alone, so no build for Windows has it, whatever CUDA is installed. Drivers and CUDA are not at fault.",
					Remedies: []Remedy{fix("use backend=\"gloo\" in init_process_group (for torchrun-based programs there is often an option or PL_TORCH_DISTRIBUTED_BACKEND=gloo)"), fix("or run it in WSL2 or on Linux, where PyTorch has NCCL")},
				},
				Cause{
					When:     on(OnJetson),
					Title:    "This PyTorch for Jetson is built without {what}",
					Text:     "A Jetson has one GPU, and NVIDIA's wheels for it leave distributed training out or bring Gloo and MPI alone.",
					Remedies: []Remedy{fix("run the program with one process, or with backend=\"gloo\"")},
				},
				Cause{
					Title:    "This PyTorch[ ({torch})] is built without {what}: a CPU build has none",
					Text:     "Builds for CUDA on Linux have NCCL; those for the CPU, for Windows and for macOS do not.",
					Remedies: []Remedy{fix("install a CUDA build of PyTorch (cu126, cu128), on Linux or WSL2", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.distributed.is_nccl_available())'"), fix("or use backend=\"gloo\", which works everywhere")},
				},
			),
			Samples: []string{"RuntimeError: Distributed package doesn't have NCCL built in", "RuntimeError: Distributed package doesn't have MPI built in"},
			Misses:  []string{"the package doesn't have NCCL"},
			Source:  "https://github.com/pytorch/pytorch/blob/main/torch/distributed/distributed_c10d.py",
		},
		{
			ID: "lightning-no-accelerator", Product: "lightning",
			Literals: []string{"No supported gpu backend found", "can not run on your system since the accelerator is not available", "requested gpu:", "You requested GPUs", "accelerator='gpu'", "No GPUs found", "requested devices"},
			Pattern:  `(?:MisconfigurationException|RuntimeError|ValueError): (?:No supported gpu backend found|.{0,60}CUDAAccelerator.{0,20}can ?not run on your system|(?:You )?requested (?:gpu|GPU)s?:? ?\[?[^\n]{0,30}\]?\s*(?:But|but) (?:your )?machine only has: \[(?P<have>[^\]]*)\])`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "Lightning was told to use GPUs, and PyTorch shows none or fewer.",
			Causes: causes(
				Cause{
					When: on(Is("have", `\d`)), Layer: rule.Application,
					Title:    "The trainer asks for GPUs that are not there: the machine shows {have}",
					Text:     "Its devices setting names more or other GPUs than CUDA shows to this process. Not the stack.",
					Remedies: []Remedy{fix("set devices to what is there, or widen CUDA_VISIBLE_DEVICES", "check", "nvidia-smi -L; env | grep VISIBLE")},
				},
				Cause{
					Title:    "Lightning finds no GPU, for PyTorch[ {torch}] cannot use CUDA",
					Text:     "torch.cuda.is_available() is False: a CPU build of PyTorch, no driver or one too old, or hidden GPUs.",
					Remedies: []Remedy{fix("ask PyTorch for the reason", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda); torch.zeros(1).cuda()'")},
					Ask:      "the output of python -c 'import torch; print(torch.__version__, torch.version.cuda); torch.zeros(1).cuda()', and nvidia-smi",
				},
			),
			Samples: []string{
				"lightning_fabric.utilities.exceptions.MisconfigurationException: No supported gpu backend found!",
				"MisconfigurationException: `CUDAAccelerator` can not run on your system since the accelerator is not available.",
				"pytorch_lightning.utilities.exceptions.MisconfigurationException: You requested gpu: [0, 1]\n But your machine only has: [0]",
			},
			Misses: []string{"No GPUs found in the cluster, as asked"},
			Source: "https://github.com/Lightning-AI/pytorch-lightning/blob/master/src/lightning/pytorch/trainer/connectors/accelerator_connector.py",
		},
	}
}
