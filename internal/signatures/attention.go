package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// attention is what flash-attn and the programs that want it say.
var attention = []*Signature{
	{
		ID: "flash-attn-needs-ampere", Product: "flash-attn",
		Literals: []string{"GPUs or newer"},
		Pattern:  `(?i:Flash\s?Attention)(?:-?\d)?\w*\s+only\s+supports\s+(?P<need>Ampere|Turing|Hopper)\s+GPUs\s+or\s+newer`,
		Layer:    rule.GPUArch, Strength: Strong,
		Meaning: "flash-attn has no kernels for a GPU of this generation.",
		Causes: causes(Cause{
			Title: "This GPU[ ({gpu}, {sm}) || ({sm})] is too old for FlashAttention, which needs {need} or newer",
			Text:  "[Compute capability {sm|cc} ({sm|arch}) is below what its kernels are written for. ]FlashAttention 2 begins at 8.0 (Ampere). No driver and no CUDA changes that.",
			Remedies: []Remedy{
				fix("use another attention: attn_implementation=\"sdpa\" or \"eager\" in Transformers, VLLM_ATTENTION_BACKEND=XFORMERS in vLLM, use_flash_attn=False in the model's configuration"),
				fix("where the model's code imports flash-attn by itself, uninstall it", "pip", "python -m pip uninstall flash-attn"),
			},
		}),
		Samples: []string{"RuntimeError: FlashAttention only supports Ampere GPUs or newer."},
		Misses:  []string{"it runs on Ampere GPUs or newer"},
		Source:  "https://github.com/Dao-AILab/flash-attention/issues/762",
	},
	{
		ID: "flash-attn-dtype", Product: "flash-attn",
		Literals: []string{"FlashAttention only support", "flash attention only support"},
		Pattern:  `(?i)Flash ?Attention only supports? (?:fp16|bf16)`,
		Layer:    rule.Application,
		Meaning:  "flash-attn was given float32.",
		Causes: causes(Cause{
			Title:    "FlashAttention was given float32; it takes fp16 and bf16 alone",
			Text:     "The model was loaded in another dtype, or runs outside of autocast. Not the stack.",
			Remedies: []Remedy{fix("load the model with torch_dtype=torch.bfloat16 or float16, or train under autocast")},
		}),
		Samples: []string{"RuntimeError: FlashAttention only support fp16 and bf16 data type"},
		Misses:  []string{"FlashAttention only supports Ampere GPUs or newer."},
		Source:  "https://github.com/Dao-AILab/flash-attention/issues/762",
	},
	{
		ID: "transformers-flash-attn", Product: "transformers",
		Literals: []string{"has been toggled on, but it cannot be used", "flash_attn seems to be not installed", "not found in your environment: flash_attn", "No module named 'flash_attn"},
		Pattern:  `(?:FlashAttention\d has been toggled on, but it cannot be used|flash_attn seems to be not installed|not found in your environment: flash_attn|No module named '?flash_attn\w*)`,
		Layer:    rule.PythonEnv,
		Meaning:  "A model wants flash-attn, which is not installed in this environment.",
		Causes: causes(Cause{
			Title: "flash-attn is wanted and not installed in this environment",
			Text:  "It is a package of its own, compiled for one torch, CUDA and Python. Its build needs nvcc; ready wheels are on the project's release page.",
			Remedies: []Remedy{
				fix("do without it: attn_implementation=\"sdpa\""),
				fix("or install the wheel that is made for this torch[ {torch}], CUDA[ {torch_cuda}] and Python[ {python}]", "pip", "python -m pip install flash-attn --no-build-isolation"),
			},
		}),
		Samples: []string{
			"ImportError: FlashAttention2 has been toggled on, but it cannot be used due to the following error: the package flash_attn seems to be not installed.",
			"ModuleNotFoundError: No module named 'flash_attn'",
		},
		Misses: []string{"No module named 'flask'"},
		Source: "https://huggingface.co/docs/transformers/perf_infer_gpu_one",
	},
	{
		ID: "python-no-torch", Product: "python",
		Literals: []string{"No module named 'torch'", "No module named torch"},
		Pattern:  `No module named '?torch(?:'|$|\s)`,
		Layer:    rule.PythonEnv,
		Meaning:  "A build or a program runs in a Python that does not have torch.",
		Causes: causes(
			Cause{
				When:     on(Says("subprocess-exited-with-error", "Getting requirements to build wheel", "build isolation", "egg_info did not run", "get_requires_for_build_wheel", "metadata-generation-failed")),
				Title:    "A package is built in isolation, where torch is not: No module named 'torch'",
				Text:     "pip builds in an empty environment; packages such as flash-attn, xformers, deepspeed and apex import torch in their setup.",
				Remedies: []Remedy{fix("install torch first, then the package without isolation", "pip", "python -m pip install --no-build-isolation PACKAGE")},
			},
			Cause{
				Title:    "The Python that runs has no torch: another environment than the one it was installed into, or none",
				Text:     "No module named 'torch'. pip and python belong to different environments, or the environment was not activated.",
				Remedies: []Remedy{fix("install torch with the Python that runs the program", "check", "which python; python -m pip show torch")},
			},
		),
		Samples: []string{"      ModuleNotFoundError: No module named 'torch'"},
		Misses:  []string{"No module named 'torch_geometric'", "No module named torchaudio"},
		Source:  "https://github.com/Dao-AILab/flash-attention/issues/219",
	},
	{
		ID: "bfloat16-unsupported", Product: "vllm",
		Literals: []string{"Bfloat16 is only supported on GPUs", "doesn't support bf16/gpu", "does not support bfloat16"},
		Pattern:  `(?i:bfloat16 is only supported on GPUs with compute capability of at least 8\.0)\.?(?: Your (?P<gpu>.{2,60}?) GPU has compute capability (?P<cap>\d\.\d))?|Your setup doesn't support bf16/gpu|(?:device|GPU)\S* does not support bfloat16`,
		Layer:    rule.Application,
		Meaning:  "The program wants bfloat16, which this GPU does not compute.",
		Causes: causes(Cause{
			Title: "The program asks for bfloat16, which this GPU[ ({gpu}, {cap}) || ({gpu}, {sm})] does not have",
			Text:  "bfloat16 begins at compute capability 8.0 (Ampere). It is the program's setting, not the stack: the GPU works with float16.",
			Remedies: []Remedy{
				fix("use float16: --dtype=half in vLLM, fp16=True in place of bf16=True in training arguments, torch_dtype=torch.float16"),
			},
		}),
		Samples: []string{
			"ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla V100-PCIE-16GB GPU has compute capability 7.0. You can use float16 instead",
			"ValueError: Your setup doesn't support bf16/gpu. You need torch>=1.10, using Ampere GPU with cuda>=11.0",
		},
		Misses: []string{"bfloat16 is supported on this GPU"},
		Source: "https://github.com/vllm-project/vllm/issues/1157",
	},
}
