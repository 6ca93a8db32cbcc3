package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// pytorchArch is what PyTorch says about a GPU that its build has no code for.
func pytorchArch() []*Signature {
	return []*Signature{
		{
			ID: "pytorch-arch-not-compatible", Product: "pytorch",
			Literals: []string{"not compatible with the current PyTorch", "with CUDA capability sm_"},
			Pattern:  `(?:(?P<gpu>(?:NVIDIA |GeForce |Tesla |Quadro |GRID )[\w .()/-]{2,50}?) )?with CUDA capability sm_(?P<arch>\d{2,3})\s+is\s+not\s+compatible\s+with\s+the\s+current\s+PyTorch\s+installation(?:\.\s*The current PyTorch install supports CUDA capabilities (?P<have>(?:(?:sm|compute)_\d+a?f?[ ,]*)+))?`,
			Layer:    rule.GPUArch, Strength: Strong, ExplainedBy: []string{"ARC001", "ARC002"},
			Meaning: "PyTorch compared the GPU with the list of architectures it was compiled for, and it is not in it.",
			Causes: causes(
				Cause{
					When:     on(Below("arch|cc", "7.5"), Not(AtLeast("torch_cuda", "99"))),
					Title:    "This PyTorch[ ({torch})] no longer has code for sm_{arch} ({arch|cc}[, {gpu}])",
					Text:     "[It was compiled for {have}. ]The GPU's generation[, {arch|arch},] was dropped from this build: PyTorch's builds for CUDA 12.8 and newer leave out Maxwell and Pascal, those for CUDA 13 also Volta. Updating the driver does not help.",
					Remedies: archRemedies,
				},
				Cause{
					Title: "This PyTorch[ ({torch})] has no code for sm_{arch} ({arch|cc}[, {gpu}]): it was built before that GPU[, with CUDA {torch_cuda}]",
					Text: "[It was compiled for {have}. ][Code for sm_{arch} ({arch|arch}) begins with CUDA {arch|firstcuda}, so only a build for CUDA {arch|firstcuda} or newer has it. ]" +
						"The driver is not the reason, and a newer toolkit beside PyTorch does not help.",
					Remedies: archRemedies,
				},
			),
			Samples: []string{
				"NVIDIA GeForce RTX 5070 Ti with CUDA capability sm_120 is not compatible with the current PyTorch installation.\nThe current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90.",
				"GeForce RTX 3080 with CUDA capability sm_86 is not compatible with the current PyTorch installation.",
			},
			Misses: []string{"device with CUDA capability sm_90 found"},
			Source: "https://github.com/pytorch/pytorch/issues/167244",
		},
		{
			ID: "pytorch-gpu-too-old", Product: "pytorch",
			Literals: []string{"no longer supports this GPU", "which is of cuda capability", "because it is too old"},
			Pattern:  `Found GPU\s?(?P<index>\d+) (?P<gpu>.{2,60}?) which is of cuda capability (?P<cap>\d+\.\d+)\.\s*PyTorch\s+no\s+longer\s+supports\s+this\s+GPU\s+because\s+it\s+is\s+too\s+old`,
			Layer:    rule.GPUArch, Strength: Strong, ExplainedBy: []string{"ARC001"},
			Meaning: "PyTorch's build begins at a newer compute capability than the GPU's.",
			Causes: causes(Cause{
				Title: "{gpu} (compute capability {cap}, {cap|sm}) is too old for this PyTorch[ ({torch})]",
				Text:  "The build has no code for {cap|sm}[ ({cap|arch})], so the first kernel fails although torch.cuda.is_available() is True. Updating the driver does not help.[ Toolkits compile for {cap|sm} up to CUDA {cap|lastcuda}.]",
				Remedies: []Remedy{
					fix("install a PyTorch that still has {cap|sm}: [torch {cap|torchforarch} || an older release or variant; for compute capability 5.0 to 7.0 the cu126 builds have it]", "pip", "python -m pip install --force-reinstall torch=={cap|torchforarch} --index-url https://download.pytorch.org/whl/{cap|torchforarch|variant}"),
					fix("where no build has it any more, run on the CPU or on a newer GPU, or compile PyTorch with TORCH_CUDA_ARCH_LIST={cap}"),
				},
			}),
			Samples: []string{
				"Found GPU0 Quadro K2000 which is of cuda capability 3.0.\n    PyTorch no longer supports this GPU because it is too old.\n    The minimum cuda capability supported by this library is 3.7.",
			},
			Misses: []string{"Found GPU0 NVIDIA GB10 which is of cuda capability 12.1."},
			Source: "https://github.com/pytorch/pytorch/issues/31285",
		},
		{
			ID: "pytorch-capability-range", Product: "pytorch",
			Literals: []string{"cuda capability supported by this version of PyTorch", "Minimum and Maximum cuda capability", "which is of cuda capability"},
			Pattern:  `Found GPU\s?(?P<index>\d+) (?P<gpu>.{2,60}?) which is of (?:cuda|compute) capability (?:\(CC\) )?(?P<cap>\d+\.\d+)\.\s*Minimum\s+and\s+Maximum\s+cuda\s+capability\s+supported\s+by\s+this\s+version\s+of\s+PyTorch\s+is\s+\(?(?P<min>\d+\.\d+)\)?\s*-\s*\(?(?P<max>\d+\.\d+)`,
			Layer:    rule.GPUArch, ExplainedBy: []string{"ARC001", "ARC002"},
			Meaning: "PyTorch compares the GPU with the range of its build; it warns below the range and above it.",
			Causes: causes(
				Cause{
					When:  on(Below("cap", "{min}")),
					Title: "{gpu} ({cap}, {cap|sm}) is too old for this PyTorch[ ({torch})], which begins at {min}",
					Text:  "The build has code for compute capability {min} to {max} and none for {cap|sm}[ ({cap|arch})]: the first kernel fails. Updating the driver does not help.",
					Remedies: []Remedy{
						fix("install a PyTorch that still has {cap|sm}: [torch {cap|torchforarch} || the cu126 variant, which PyTorch keeps for older GPUs]", "pip", "python -m pip install --force-reinstall torch=={cap|torchforarch} --index-url https://download.pytorch.org/whl/{cap|torchforarch|variant}"),
					},
				},
				Cause{
					When: on(Is("cap|major", `^12$`), Is("max|major", `^12$`)), Confidence: rule.Possible,
					Title:    "PyTorch warns that {gpu} ({cap}) is above its range, which is harmless: code for {max} runs on it",
					Text:     "Machine code runs on every GPU of its major capability with the same or a higher minor: code for {max|sm} serves {cap|sm}. The warning alone breaks nothing.",
					Remedies: []Remedy{fix("look for another message; this one needs no change")},
				},
				Cause{
					Title: "{gpu} ({cap}, {cap|sm}) is newer than this PyTorch[ ({torch})], which ends at {max}",
					Text:  "The build has code up to {max|sm}. [Code for {cap|sm} begins with CUDA {cap|firstcuda}. ]The driver is not the reason.",
					Remedies: []Remedy{
						fix("install a newer PyTorch, with {cap|sm}: [torch {cap|torchforarch} || a build for CUDA {cap|firstcuda} or newer, {cap|firstcuda|cutag}]", "pip", "python -m pip install --force-reinstall torch=={cap|torchforarch} --index-url https://download.pytorch.org/whl/{cap|torchforarch|variant}"),
					},
				},
			),
			Samples: []string{
				"Found GPU1 Tesla P40 which is of cuda capability 6.1.\n    Minimum and Maximum cuda capability supported by this version of PyTorch is\n    (7.0) - (12.0)",
			},
			Misses: []string{"Found GPU0 which is of cuda capability"},
			Source: "https://github.com/pytorch/pytorch/issues/182250",
		},
		{
			ID: "pytorch-gpu-needs-newer-cuda", Product: "pytorch",
			Literals: []string{"which requires CUDA_VERSION >=", "requires CUDA_VERSION"},
			Pattern:  `Found GPU\s?\d+ (?P<gpu>.{2,60}?) which requires CUDA_VERSION >= (?P<need>\d+)\s+to\s+work\s+properly,\s+but\s+your\s+PyTorch\s+was\s+compiled\s+with\s+CUDA_VERSION\s+(?P<have>\d+)`,
			Layer:    rule.GPUArch, Strength: Strong, ExplainedBy: []string{"ARC001"},
			Meaning: "PyTorch was built with an older CUDA than the GPU needs.",
			Causes: causes(Cause{
				Title: "{gpu} needs CUDA {need|fromint}, and this PyTorch[ ({torch})] was built with CUDA {have|fromint}",
				Text:  "PyTorch brings its own CUDA; a newer toolkit beside it does not help, and the driver is not the reason.",
				Remedies: []Remedy{
					fix("install a PyTorch built with CUDA {need|fromint} or newer ({need|fromint|cutag})"),
				},
			}),
			Samples: []string{"Found GPU0 TITAN V which requires CUDA_VERSION >= 9000 to\n work properly, but your PyTorch was compiled\n with CUDA_VERSION 8000. Please install the correct PyTorch binary"},
			Misses:  []string{"this package requires CUDA_VERSION to be set"},
			Source:  "https://github.com/pytorch/pytorch/issues/31285",
		},
	}
}

// archRemedies are for a GPU whose architecture is in the group arch.
var archRemedies = []Remedy{
	fix("install a PyTorch that has sm_{arch}: [torch {arch|torchforarch} || a build for CUDA {arch|firstcuda} or newer, {arch|firstcuda|cutag} || one whose list has it; sm_37 is in builds for CUDA 11.8 and older]", "pip", "python -m pip install --force-reinstall torch=={arch|torchforarch} --index-url https://download.pytorch.org/whl/{arch|torchforarch|variant}"),
	fix("in an image, take one with that build of PyTorch"),
}
