package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// torchCompanion is what torchvision and torchaudio say when they do not fit PyTorch.
func torchCompanion() []*Signature {
	return []*Signature{
		{
			ID: "torchvision-ops-missing", Product: "torchvision",
			Literals: []string{"torchvision::nms", "load custom C++ ops", "torchvision::roi_align", "No such operator torchvision", "has no attribute 'extension'", "torchvision::deform_conv2d"},
			Pattern:  `(?:operator torchvision::\w+ does not exist|Could not find the operator torchvision::\w+|No such operator torchvision::\w+|Unknown builtin op: torchvision::\w+|Could ?n[o']t load custom C\+\+ ops|Could not run 'torchvision::\w+' with arguments from the 'CUDA' backend|partially initialized module 'torchvision' has no attribute 'extension')`,
			Layer:    rule.PackageConflict, ExplainedBy: []string{"PKG007", "FRM002"},
			Meaning: "torchvision's compiled operators were not loaded, or have no CUDA part.",
			Causes: causes(
				Cause{
					When:  on(Says("from the 'CUDA' backend")),
					Title: "torchvision is a CPU build beside a CUDA build of torch[ ({torch})]",
					Text:  "Its operators have no CUDA part. torch and torchvision must come from one index and be a pair[: torch {torch} goes with torchvision {torch|torchvision}].",
					Remedies: []Remedy{
						fix("install torchvision from the index of torch's CUDA[: {torch|torchvision} of {torch_cuda|cutag}]", "pip", "python -m pip install --force-reinstall --no-deps torchvision=={torch|torchvision} --index-url https://download.pytorch.org/whl/{torch_cuda|cutag}"),
					},
				},
				Cause{
					When:  on(Has("torch")),
					Title: "torchvision[ {torchvision}] does not match torch {torch}[, which goes with torchvision {torch|torchvision}]",
					Text:  "Each torchvision is compiled for one release of torch; with another its operators (torchvision::nms) are not registered. One of the two was upgraded alone, or they come from different indexes (CPU and CUDA).",
					Remedies: []Remedy{
						fix("install the pair from one index[: torch {torch} with torchvision {torch|torchvision}]", "pip", "python -m pip install --force-reinstall --no-deps torchvision=={torch|torchvision} --index-url https://download.pytorch.org/whl/{torch_cuda|cutag}"),
					},
				},
				Cause{
					Title:    "torchvision and torch do not match: they must be a compatible pair of one index",
					Text:     "Each torchvision is compiled for one release of torch (0.15 for 2.0, 0.20 for 2.5, 0.22 for 2.7); with another its operators are not registered.",
					Remedies: []Remedy{fix("install both together, so that pip takes matching versions", "check", "python -m pip list | grep -i torch", "pip", "python -m pip install --force-reinstall torch torchvision --index-url https://download.pytorch.org/whl/cu126")},
					Ask:      "python -m pip list | grep -i torch",
				},
			),
			Samples: []string{
				"RuntimeError: operator torchvision::nms does not exist",
				"RuntimeError: Couldn't load custom C++ ops. This can happen if your PyTorch and torchvision versions are incompatible",
				"NotImplementedError: Could not run 'torchvision::nms' with arguments from the 'CUDA' backend.",
				"AttributeError: partially initialized module 'torchvision' has no attribute 'extension' (most likely due to a circular import)",
			},
			Misses: []string{"from torchvision.ops import nms  # torchvision::nms"},
			Source: "https://github.com/pytorch/vision/issues/4222",
		},
		{
			ID: "torchvision-cuda-mismatch", Product: "torchvision",
			Literals: []string{"compiled with different CUDA", "Detected that PyTorch and"},
			Pattern:  `Detected that PyTorch and (?P<other>\w+)\s+were\s+compiled\s+with\s+different\s+CUDA\s+(?:major\s+)?versions\.?(?:\s*PyTorch has CUDA [Vv]ersion\s*=?\s*(?P<torch_cuda>\d+\.\d+) (?:and|whereas) \w+ has CUDA [Vv]ersion\s*=?\s*(?P<othercuda>-?\d+\.\d+))?`,
			Layer:    rule.PackageConflict, Strength: Strong, ExplainedBy: []string{"FRM002", "PKG007"},
			Meaning: "torchvision or torchaudio was built with another CUDA than torch.",
			Causes: causes(Cause{
				When: on(Is("other", pygParts), Is("othercuda", `^-?0\.`)), Layer: rule.FrameworkBuild,
				Title: "{other|lower} was built without CUDA (it says CUDA {othercuda}), and torch[ {torch}][ (CUDA {torch_cuda})] has it",
				Text:  "It was compiled where no GPU or no nvcc was found, as on a login node or while an image is built; its CUDA part was left out. The driver is not the reason.",
				Remedies: []Remedy{
					fix("compile it again with its CUDA part forced, with the nvcc of torch's CUDA[ {torch_cuda}] first on PATH", "shell", "FORCE_CUDA=1 python -m pip install --force-reinstall --no-deps --no-cache-dir --no-build-isolation {other|lower}"),
					fix("or install its ready wheel for this torch and CUDA from PyG's index", "pip", "python -m pip install --force-reinstall --no-deps --no-cache-dir {other|lower} -f https://data.pyg.org/whl/torch-{torch}+{torch_cuda|cutag}.html"),
				},
			}, Cause{
				When: on(Is("other", pygParts)), Layer: rule.FrameworkBuild,
				Title: "{other|lower}[ (CUDA {othercuda})] was built for another CUDA than torch[ {torch}][ (CUDA {torch_cuda})]",
				Text:  "Its wheels are made for one release of torch and one CUDA each; where pip found none it compiled one with the nvcc on PATH[, of CUDA {othercuda}]. The driver is not the reason.",
				Remedies: []Remedy{
					when(fix("install its wheel for this torch and CUDA from PyG's index", "pip", "python -m pip install --force-reinstall --no-deps --no-cache-dir {other|lower} -f https://data.pyg.org/whl/torch-{torch}.html"), Is("torch", `\+cu`)),
					when(fix("install its wheel for this torch and CUDA from PyG's index[: torch's release and {torch_cuda|cutag}]", "pip", "python -m pip install --force-reinstall --no-deps --no-cache-dir {other|lower} -f https://data.pyg.org/whl/torch-{torch}+{torch_cuda|cutag}.html"), Not(Is("torch", `\+cu`))),
					fix("or compile it with a toolkit of torch's CUDA[ {torch_cuda}], named in CUDA_HOME and first on PATH"),
				},
				Ask: "python -c 'import torch; print(torch.__version__, torch.version.cuda)', and nvcc --version",
			}, Cause{
				Title: "torch[ {torch}][ (CUDA {torch_cuda})] and {other|lower}[ (CUDA {othercuda})] were built with different CUDA versions",
				Text:  "One of the two was installed alone or from another index. The driver and the system's toolkit are not the reason.",
				Remedies: []Remedy{
					fix("install both from the index of one CUDA[, {torch_cuda|cutag}]", "pip", "python -m pip install --force-reinstall --no-deps {other|lower} --index-url https://download.pytorch.org/whl/{torch_cuda|cutag}"),
				},
			}),
			Samples: []string{
				"RuntimeError: Detected that PyTorch and torchvision were compiled with different CUDA major versions. PyTorch has CUDA Version=12.6 and torchvision has CUDA Version=11.8. Please reinstall the torchvision that matches your PyTorch install.",
				"RuntimeError: Detected that PyTorch and TorchAudio were compiled with different CUDA versions. PyTorch has CUDA version 12.4 whereas TorchAudio has CUDA version 12.1.",
				"RuntimeError: Detected that PyTorch and torch_scatter were compiled with different CUDA versions. PyTorch has CUDA version 11.7 and torch_scatter has CUDA version -0.1. Please reinstall the torch_scatter that matches your PyTorch install.",
			},
			Misses: []string{"the objects were compiled with different CUDA flags"},
			Source: "https://github.com/pytorch/vision/issues/8985",
		},
		{
			ID: "torchvision-image-extension", Product: "torchvision",
			Literals: []string{"Failed to load image Python extension"},
			Layer:    rule.PackageConflict, Role: Consequence, ExplainedBy: []string{"PKG007"},
			Meaning: "torchvision could not load its image reader; only torchvision.io needs it.",
			Causes: causes(Cause{
				Confidence: rule.Possible,
				Title:      "torchvision[ {torchvision}] could not load its image extension, which is often because it does not match torch[ {torch}]",
				Text:       "Where the reason given is an undefined symbol or a missing libtorch, torchvision belongs to another torch. Where it is a library for JPEG or PNG, only torchvision.io lacks it, and the GPU does not.",
				Remedies:   []Remedy{fix("install the torchvision that goes with torch[: {torch|torchvision}]", "pip", "python -m pip install --force-reinstall --no-deps torchvision=={torch|torchvision}")},
			}),
			Samples: []string{"UserWarning: Failed to load image Python extension: /env/lib/python3.8/site-packages/torchvision/image.so: undefined symbol: _ZNK3c1010TensorImpl"},
			Misses:  []string{"Failed to load image cat.png"},
			Source:  "https://github.com/pytorch/vision/issues/4222",
		},
		{
			ID: "torchaudio-extension", Product: "torchaudio",
			Literals: []string{"libtorchaudio"},
			Pattern:  `(?:Could not load this library: \S*libtorchaudio\S*|OSError: \S*libtorchaudio\S*|Error loading \S*libtorchaudio)`,
			Layer:    rule.PackageConflict, ExplainedBy: []string{"PKG007", "FRM002"},
			Meaning: "torchaudio's compiled part does not load with this torch.",
			Causes: causes(Cause{
				Title:    "torchaudio does not match torch[ {torch}][, which goes with torchaudio {torch|torchaudio}]",
				Text:     "Each torchaudio is compiled for one release of torch and one CUDA; one of the two was upgraded alone or comes from another index.",
				Remedies: []Remedy{fix("install the torchaudio of this torch[, {torch|torchaudio},] from the same index", "pip", "python -m pip install --force-reinstall --no-deps torchaudio=={torch|torchaudio} --index-url https://download.pytorch.org/whl/{torch_cuda|cutag}")},
			}),
			Samples: []string{"OSError: Could not load this library: /env/lib/python3.11/site-packages/torchaudio/lib/libtorchaudio.so"},
			Misses:  []string{"loading libtorchaudio_sox"},
			Source:  "https://github.com/pytorch/audio/issues/3335",
		},
	}
}

// pygParts are the compiled packages of PyTorch Geometric, whose wheels are on an index of their own.
const pygParts = `(?i)^(?:torch_(?:scatter|sparse|cluster|spline_conv)|pyg_lib)$`
