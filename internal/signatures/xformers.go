package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// xFormers is what xFormers says when its compiled part does not fit.
func xFormers() []*Signature {
	return []*Signature{
		{
			ID: "xformers-built-for", Product: "xformers",
			Literals: []string{"xFormers was built for", "load C++/CUDA extensions"},
			Pattern:  `xFormers can.{1,3}t load C\+\+/CUDA extensions\.\s*xFormers\s+was\s+built\s+for:?\s*PyTorch (?P<built>[\w.+]+?)(?: with CUDA (?:None|(?P<cudanumber>\d+)))?\s*\(you have (?P<torch>[\w.+]+)\)`,
			Layer:    rule.FrameworkBuild, Strength: Strong, // it has both versions, which no rule says better
			Meaning: "xFormers was compiled for another torch than the one that is installed.",
			Causes: causes(
				Cause{
					When:  on(Is("torch", `\+cpu`)),
					Title: "torch {torch} is a CPU build, and xFormers was built for torch {built}",
					Text:  "xFormers is right: what is wrong is the PyTorch without CUDA. Changing xFormers, or the CUDA toolkit, does not help.",
					Remedies: []Remedy{
						fix("install the CUDA build of torch that xFormers was built for: torch {built}", "pip", "python -m pip install --force-reinstall torch=={built} --index-url https://download.pytorch.org/whl/{built|variant}"),
					},
				},
				Cause{
					Title: "xFormers was built for torch {built}, and torch {torch} is installed",
					Text:  "Its compiled operators load with the torch they were built for alone, in release and CUDA. One of the two was upgraded by another package's requirement. The driver and the toolkit are not the reason.",
					Remedies: []Remedy{
						fix("install the xFormers that matches torch {torch}[: {torch|xformers}], from the same index", "pip", "python -m pip install --force-reinstall --no-deps xformers=={torch|xformers} --index-url https://download.pytorch.org/whl/{torch|variant}"),
						fix("or go back to torch {built}", "pip", "python -m pip install torch=={built} --index-url https://download.pytorch.org/whl/{built|variant}"),
					},
				},
			),
			Samples: []string{
				"WARNING[XFORMERS]: xFormers can't load C++/CUDA extensions. xFormers was built for:\n    PyTorch 2.3.1+cu121 with CUDA 1201 (you have 2.4.0+cu124)\n    Python  3.11.9 (you have 3.11.5)",
				"WARNING:xformers:WARNING[XFORMERS]: xFormers can't load C++/CUDA extensions. xFormers was built for: PyTorch 2.0.1+cu118 with CUDA 1108 (you have 2.0.1+cpu)",
			},
			Misses: []string{"this xFormers was built for speed"},
			Source: "https://github.com/facebookresearch/xformers/issues/982",
		},
		{
			ID: "xformers-extensions", Product: "xformers",
			Literals: []string{"load C++/CUDA extensions", "its C++/CUDA extensions", "the C++/CUDA extensions"},
			Pattern:  `(?i)xFormers (?:[\w.]+ ){0,5}can.{1,4}t load (?:its |the )?C\+\+/CUDA extensions|C\+\+/CUDA extensions (?:of xformers )?(?:can.{1,4}t|do not|could not) (?:be )?load`,
			Layer:    rule.FrameworkBuild, Strength: Weak,
			Meaning: "xFormers' compiled part does not load with this torch.",
			Causes: causes(
				Cause{
					When:     on(Any(Is("torch", `\+cpu`), Says("+cpu)"))),
					Title:    "xFormers' operators do not load: the PyTorch that is installed is a CPU build",
					Text:     "xFormers is right: what is wrong is the PyTorch without CUDA. Changing xFormers, or the CUDA toolkit, does not help.",
					Remedies: []Remedy{fix("install the CUDA build of torch that xFormers was built for, from PyTorch's index for that CUDA", "check", "python -m xformers.info")},
				},
				Cause{
					Title:    "xFormers' operators do not load: it was built for another torch than the one installed[ ({torch})]",
					Text:     "They load with the torch they were built for alone, in release and CUDA.",
					Remedies: []Remedy{fix("install the xFormers that matches this torch[ {torch}: {torch|xformers}]", "check", "python -m xformers.info")},
				},
			),
			Samples: []string{"xFormers can't load C++/CUDA extensions."},
			Misses:  []string{"to load C++/CUDA extensions, import torch"},
			Source:  "https://github.com/facebookresearch/xformers/issues/982",
		},
		{
			ID: "xformers-no-operator", Product: "xformers",
			Literals: []string{"No operator found for `memory_efficient_attention", "xFormers wasn't build with CUDA support", "python -m xformers.info"},
			Pattern:  "(?:No operator found for `memory_efficient_attention|xFormers wasn't build with CUDA support|operator wasn't built - see `python -m xformers\\.info)",
			Layer:    rule.FrameworkBuild, ExplainedBy: []string{"FRM003", "ARC001"},
			Meaning: "None of the attention kernels that xFormers has fits these inputs, this GPU and this build.",
			Causes: causes(
				Cause{
					When: on(Says("device=cpu")), Layer: rule.Application,
					Title:    "xFormers was given tensors on the CPU, for which it has no attention kernel",
					Text:     "The model or its inputs were not moved to the GPU, or PyTorch has no CUDA.",
					Remedies: []Remedy{fix("move the model to cuda, or switch xFormers attention off")},
				},
				Cause{
					When: on(Says("requires device with capability", "your GPU has capability")), Layer: rule.GPUArch,
					Title:    "This GPU[ ({gpu}, {sm}) ||  ({sm})] is not one that this xFormers[ {xformers}] has attention kernels for",
					Text:     "Its list says which capability each kernel requires.",
					Remedies: []Remedy{fix("use PyTorch's own attention (sdpa) on this GPU, or an xFormers built for it")},
				},
				Cause{
					Title:    "xFormers[ {xformers}] has no attention kernel in this build: it was installed without its CUDA part, or for another torch[ than {torch}]",
					Text:     "The list below the message says why each kernel was refused; \"wasn't built\" means that the extension did not load.",
					Remedies: []Remedy{fix("install the xFormers that matches this torch[ {torch}: {torch|xformers}], or use PyTorch's own attention (sdpa)", "check", "python -m xformers.info", "pip", "python -m pip install --force-reinstall --no-deps xformers=={torch|xformers}")},
				},
			),
			Samples: []string{"NotImplementedError: No operator found for `memory_efficient_attention_forward` with inputs:"},
			Misses:  []string{"for details run python -m xformers.info"},
			Source:  "https://github.com/ashleykleynhans/runpod-worker-a1111/issues/21",
		},
	}
}
