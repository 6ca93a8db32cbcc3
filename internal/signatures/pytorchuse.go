package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// pytorchUse is what programs on PyTorch say where it has no CUDA, or fewer GPUs than asked for.
var pytorchUse = []*Signature{
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
		Source: "https://pytorch.org/docs/stable/generated/torch.load.html",
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
			"pytorch_lightning.utilities.exceptions.MisconfigurationException: You requested GPUs: [0, 1]\n But your machine only has: [0]",
		},
		Misses: []string{"No GPUs found in the cluster, as asked"},
		Source: "https://lightning.ai/docs/pytorch/stable/accelerators/gpu_basic.html",
	},
}
