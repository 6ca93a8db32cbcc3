package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// attention is what flash-attn and the programs that want it say.
func attention() []*Signature {
	return []*Signature{
		{
			ID: "flash-attn-needs-ampere", Product: "flash-attn",
			Literals: []string{"GPUs or newer"},
			Pattern:  `(?i:Flash\s?Attention)(?:-?\d)?\w*\s+only\s+supports\s+(?P<need>Ampere|Turing|Hopper)\s+GPUs\s+or\s+newer`,
			Layer:    rule.GPUArch, Strength: Strong,
			Meaning: "flash-attn has no kernels for a GPU of this generation.",
			Causes: causes(Cause{
				Title: "This GPU[ ({gpu}, {sm}) ||  ({sm})] is too old for FlashAttention, which needs {need} or newer",
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
			ID: "flash-attn-needs-hopper", Product: "flash-attn",
			Literals: []string{"not supported by FlashAttention-3", "FlashAttention-3 only supports", "FlashAttention-3 requires", "flash_attn_3_cuda", "FA3 is only supported", "FA3 is not supported", "Flash Attention 3 is only supported", "FlashAttention 3 is only"},
			Pattern:  `(?i)(?:GPU )?arch \(?(?P<major>\d+)[,.] ?(?P<minor>\d)\)? is not supported by FlashAttention-3|(?:Flash ?Attention[- ]?3|FA3) (?:is )?(?:only support\w*|requires?|is not supported)[^\n]{0,80}`,
			Layer:    rule.GPUArch, Strength: Strong,
			Meaning: "FlashAttention 3 is for Hopper.",
			Causes: causes(Cause{
				Title:    "FlashAttention 3 does not run on this GPU[ ({gpu}, {sm}) ||  (compute capability {major}.{minor}, sm_{major}{minor})]: it is written for Hopper (compute capability 9.0, sm_90)",
				Text:     "FlashAttention 3 needs an H100 or a relative of it; other GPUs from 8.0 (Ampere) on, RTX 50 among them, use FlashAttention 2. No driver and no CUDA changes that.",
				Remedies: []Remedy{fix("use FlashAttention 2 or another attention: VLLM_FLASH_ATTN_VERSION=2 in vLLM, --attention-backend flashinfer or triton in SGLang, attn_implementation=\"flash_attention_2\" or \"sdpa\" in Transformers")},
			}),
			Samples: []string{"RuntimeError: GPU arch (8, 6) is not supported by FlashAttention-3", "AssertionError: FA3 is only supported on devices with compute capability >= 9 excluding Blackwell"},
			Misses:  []string{"FlashAttention-3 is in beta"},
			Source:  "https://github.com/Dao-AILab/flash-attention",
		},
		{
			ID: "told-flashinfer-arch", Product: "flashinfer",
			Literals: []string{"flashinfer"},
			Beside:   []string{"sm_75", "sm75", "sm_70", "sm70", "v100", "tesla t4", "turing", "volta"},
			Pattern:  `(?i)flashinfer[^\n]{0,100}\b(?P<gen>sm_?7[05]|V100|T4|Turing|Volta)\b|\b(?P<gen>sm_?7[05]|V100|T4|Turing|Volta)\b[^\n]{0,60}flashinfer`,
			Where:    on(Says("not support", "n't support", "unsupported", "can't use", "cannot use", "does not work", "doesn't work", "crash", "KeyError", "not work")),
			Layer:    rule.GPUArch,
			Meaning:  "FlashInfer is used on a GPU before Ampere.",
			Causes: causes(Cause{
				Title:    "FlashInfer does not run on this GPU[ ({gpu}, {sm}) ||  ({gen})]: its kernels are written for compute capability 8.0 (Ampere) and newer, and only some releases for 7.5",
				Text:     "Turing (sm_75) came with FlashInfer 0.1.6 and not for every kernel; Volta (sm_70) is not supported. Driver and toolkit are not at fault.",
				Remedies: []Remedy{fix("use another backend: --attention-backend triton --sampling-backend pytorch in SGLang (--disable-flashinfer --disable-flashinfer-sampling in old releases), VLLM_ATTENTION_BACKEND=XFORMERS or TRITON_ATTN in vLLM"), fix("or for sm_75 a release of FlashInfer that has it")},
			}),
			Samples: []string{"flashinfer does not support sm_75"},
			Misses:  []string{"flashinfer 0.2 on H100 (sm_90)"},
			Source:  "https://github.com/sgl-project/sglang/issues/931",
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
			Pattern:  `(?:FlashAttention\d has been toggled on, but it cannot be used|flash_attn seems to be not installed|not found in your environment: flash_attn|No module named '?flash_attn(?:['.\s]|_interface|$))`,
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
			Literals: []string{"Bfloat16 is only supported on GPUs", "doesn't support bf16/gpu", "does not support bfloat16", "doesn't support bfloat16", "bfloat16 not supported", "bfloat16 is not supported", "bf16 is not supported", "bf16 not supported"},
			Pattern:  `(?i:bfloat16 is only supported on GPUs with compute capability of at least 8\.0)\.?(?: Your (?P<gpu>.{2,60}?) GPU has compute capability (?P<cap>\d\.\d))?|Your setup doesn't support bf16/gpu|(?i:(?:device|GPU)\S*(?: [\w()]+)? (?:does not|doesn't) support bfloat16)|(?i:\bb(?:float|f)16 (?:is )?not supported (?:on|by|for) [\w ]{0,24}?(?:GPU|device|T4|V100|P100|2080|colab|kaggle))`,
			Layer:    rule.Application,
			Meaning:  "The program wants bfloat16, which this GPU does not compute.",
			Causes: causes(Cause{
				Title: "The program asks for bfloat16, which this GPU[ ({gpu}, {cap}) ||  ({gpu}, {sm})] does not have",
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
}
