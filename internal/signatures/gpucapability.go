package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// gpuCapability is what any program says whose least compute capability a GPU does not have.
func gpuCapability() []*Signature {
	return []*Signature{
		{
			ID: "gpu-below-required-capability", Product: "CUDA programs",
			Literals: []string{"compute capability", "cuda capability", " capability!", "compute compatibility", "capability of"},
			Beside:   []string{"require", "need", "at least", "minimum", "or greater", "or higher", "or newer", "or above", "or later", "below", "less than", "lower than", "too low", "only support", "not support", ">="},
			Pattern: `(?i)\b(?:requires?|needs?|must (?:be|have)|minimum|at least|only supports?|does(?:n't| not) have|not support\w*|below|less than|lower than)\b[^\n.]{0,50}?\b(?:(?:cuda )?compute (?:capabilit|compatibilit)(?:y|ies)|cuda capability|capability)\b(?: version)?[^\n\d]{0,24}(?P<need>\d\.\d)` +
				`|\b(?:requires?|needs?|at least|minimum(?: of)?)\b[^\n]{0,30}?(?P<need>\d\.\d)\+? (?:compute )?capability` +
				`|\b(?:compute|cuda) capability[^\n\d]{0,20}(?:>=|at least|of at least|must be)[^\n\d]{0,8}(?P<need>\d\.\d)` +
				`|\b(?:compute|cuda) capability[^\n\d]{0,12}(?P<need>\d\.\d) (?:or|and) (?:greater|higher|newer|above|later|up)`,
			Layer:   rule.GPUArch,
			Meaning: "A program names the least compute capability that it needs of a GPU.",
			// A sentence of a manual says the same; that the GPU is below it, or that something failed, makes it a message.
			Where: on(Not(Seen("bfloat16-unsupported")), Any(Below("cc", "{need}"), Says("RuntimeError", "FATAL", "Error:", "error:", "ValueError", "AssertionError", "Exception", "disabling device", "failed to init"))),
			Causes: causes(
				Cause{
					When:  on(Below("cc", "{need}")),
					Title: "The GPU[ {gpu}] has compute capability {cc} ({sm}[, {sm|arch}]), and the program needs {need} or newer",
					Text:  "The program has no code for GPUs below {need}[ ({need|arch})]. Neither a driver nor another CUDA changes what the card is.",
					Remedies: []Remedy{
						fix("use a GPU of compute capability {need} or newer, or the CPU"),
						fix("or an older release of the program that still has {sm}; where the source is at hand, compile it for {sm} with CUDA {sm|lastcuda} or older, if it does not use what came later"),
					},
				},
				Cause{
					Title: "The GPU[ {gpu}][ (compute capability {cc})] is too old for the program, which needs compute capability {need} or newer",
					Text:  "The program has no code for GPUs below {need}[ ({need|arch})]. Neither a driver nor another CUDA changes what the card is.",
					Remedies: []Remedy{
						fix("use a GPU of compute capability {need} or newer, the CPU, or an older release of the program", "check", "nvidia-smi --query-gpu=name,compute_cap --format=csv"),
					},
					Ask: "nvidia-smi --query-gpu=name,compute_cap --format=csv",
				},
			),
			Samples: []string{
				"RuntimeError: Device 0 does not have CUDA compute capability 5.0 or greater",
				"GPU #1: FATAL: this kernel requires 6.0 capability!",
				"AssertionError: the sampler needs a GPU with compute capability at least 7.0",
			},
			Misses: []string{"compute capability 8.6 was found", "The GPU has compute capability: 7.5"},
			Source: "https://github.com/spacemeshos/gpu-post/issues/15",
		},
	}
}
