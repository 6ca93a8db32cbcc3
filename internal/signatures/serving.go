package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// serving is what serving programs say about the GPUs they are given.
func serving() []*Signature {
	return []*Signature{
		{
			ID: "quantization-capability", Product: "vllm",
			Literals: []string{"quantization method", "Minimum capability", "is not supported for the current GPU", "Current capability", "requires compute capability", "only supported on GPUs with compute capability", "only supports devices with compute capability", "is only supported on devices with"},
			Pattern:  `(?:(?P<what>\S+) is not supported for the current GPU\. Minimum capability: (?P<need>\d+)\.? Current capability: (?P<cap>\d+)|(?P<what>(?i:fp8|nvfp4|mxfp4|int8|awq|gptq|marlin|flashinfer|flashmla|deepgemm|cutlass|sageattention|exllama\w*)[\w /-]{0,30}?) (?:is only supported|only supports?|requires)\s+(?:on )?(?:GPUs?|devices?)?\s*(?:with )?(?:CUDA )?compute capability\s*(?:of at least|>=|of)?\s*(?P<need>\d+(?:\.\d+)?))`,
			Layer:    rule.GPUArch, Strength: Strong,
			Meaning: "A kernel needs a newer GPU than this one.",
			Causes: causes(Cause{
				Title:    "This GPU[ ({gpu}, {sm}) ||  ({sm}) ||  ({cap})] is too old for {what}, which needs compute capability {need|cc}",
				Text:     "The kernel was written for newer GPUs; no driver and no CUDA changes that.",
				Remedies: []Remedy{fix("choose a quantisation or attention that this GPU has (GPTQ or AWQ in place of FP8, float16 in place of bfloat16)")},
			}),
			Samples: []string{"ValueError: The quantization method fp8 is not supported for the current GPU. Minimum capability: 80. Current capability: 75."},
			Misses:  []string{"Minimum capability is checked later"},
			Source:  "https://github.com/vllm-project/vllm/issues/8189",
		},
		{
			ID: "vllm-engine-failed", Product: "vllm",
			Literals: []string{"Engine core initialization failed", "Engine process failed to start", "EngineDeadError", "AsyncEngineDeadError", "Failed core proc", "Shard 0 failed to start", "ShardCannotStart"},
			Pattern:  `(?:Engine core initialization failed|Engine process failed to start|(?:Async)?EngineDeadError|Shard \d+ failed to start|ShardCannotStart)`,
			Layer:    rule.Application, Role: Consequence,
			Meaning: "The serving process saw its worker end; the reason is in the lines before.",
			Causes: causes(Cause{
				Confidence: rule.Possible,
				Title:      "The engine's worker ended, and this text does not have its reason",
				Text:       "\"See root cause above\": the first traceback of the worker says it.",
				Ask:        "the log from its start up to this line",
			}),
			Samples: []string{"RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}", "Error: ShardCannotStart"},
			Misses:  []string{"the engine core is initialised"},
			Source:  "https://github.com/vllm-project/vllm/issues/15992",
		},
		{
			ID: "tensor-parallel-gpus", Product: "vllm",
			Literals: []string{"required_gpus", "The number of required GPUs exceeds", "World size", "placement group", "cannot be larger than the number of available GPUs", "is larger than the number of available GPUs"},
			Pattern:  `(?:The number of required GPUs exceeds the total number of available GPUs|World size \((?P<want>\d+)\) is (?:larger|greater) than the number of available GPUs \((?P<have>\d+)\)|cannot be larger than the number of available GPUs|total number of attention heads \(\d+\) must be divisible by tensor parallel size)`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "More GPUs are asked for than there are.",
			Causes: causes(Cause{
				Title:    "The program asks for more GPUs[ ({want})] than there are[ ({have})], or a number that does not fit the model",
				Text:     "tensor_parallel_size times pipeline_parallel_size must not exceed the visible GPUs, and must divide the attention heads. The program's configuration.",
				Remedies: []Remedy{fix("set --tensor-parallel-size to a number that fits the GPUs", "check", "nvidia-smi -L; env | grep VISIBLE")},
			}),
			Samples: []string{"ValueError: The number of required GPUs exceeds the total number of available GPUs in the placement group.", "World size (4) is larger than the number of available GPUs (2) in this node."},
			Misses:  []string{"World size (4)"},
			Source:  "https://docs.vllm.ai/en/latest/serving/distributed_serving.html",
		},
	}
}
