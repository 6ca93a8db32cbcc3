package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// vLLM is what vLLM, SGLang and their like say.
func vLLM() []*Signature {
	return []*Signature{
		{
			ID: "vllm-no-platform", Product: "vllm",
			Literals: []string{"Failed to infer device type", "No platform detected, vLLM", "UnspecifiedPlatform", "Device string must not be empty"},
			Pattern:  `(?:Failed to infer device type|No platform detected, vLLM is running on UnspecifiedPlatform|RuntimeError: Device string must not be empty)`,
			Layer:    rule.DeviceExposure, Strength: Weak, ExplainedBy: []string{"CTR001", "CTR010", "DRV001", "KRN004", "DEV001", "DEV003", "FRM001"},
			Meaning: "vLLM asks NVML for GPUs and got none, or is not itself a CUDA build.",
			Causes: causes(
				Cause{
					When: on(Says("vLLM is built with CPU", "vllm-cpu", "+cpu")), Layer: rule.FrameworkBuild,
					Title:    "This vLLM or its PyTorch[ {torch}] is a CPU build, so it finds no device",
					Text:     "A build for the CPU does not look for GPUs.",
					Remedies: []Remedy{fix("install the CUDA wheel of vLLM in a fresh environment", "pip", "python -m pip install vllm")},
				},
				Cause{
					When: on(Says("vLLM package was not found")), Layer: rule.PythonEnv,
					Title:    "vLLM's own package data is not found, so it cannot tell which platform it was built for",
					Text:     "It was started from a directory that shadows the package, or its installation is incomplete.",
					Remedies: []Remedy{fix("start it outside of the source directory, or install it again", "check", "python -m pip show vllm")},
				},
				Cause{
					When: on(Any(InContainer, InKubernetes)), Layer: rule.ContainerRuntime,
					Title:    "vLLM sees no GPU in this container (Failed to infer device type)",
					Text:     "NVML, through which it looks for GPUs, is not there or lists none: the container or pod was started without a GPU, or its NVIDIA runtime is not used.",
					Remedies: []Remedy{fix("start it with --gpus all (or runtime: nvidia), in Kubernetes with a limit of nvidia.com/gpu and runtimeClassName: nvidia", "check", "nvidia-smi")},
					Ask:      "nvidia-smi in the container; VLLM_LOGGING_LEVEL=DEBUG says why the CUDA platform was refused",
				},
				Cause{
					Title:    "vLLM finds no GPU platform (Failed to infer device type)",
					Text:     "It looks for GPUs through NVML: no driver, a driver whose parts do not match, hidden GPUs, or a build for the CPU give this.",
					Remedies: []Remedy{fix("see that nvidia-smi works in the same place, and let vLLM tell its reason", "shell", "VLLM_LOGGING_LEVEL=DEBUG vllm serve MODEL")},
					Ask:      "nvidia-smi, and the lines about \"CUDA platform\" under VLLM_LOGGING_LEVEL=DEBUG",
				},
			),
			Samples: []string{"RuntimeError: Failed to infer device type", "INFO 05-02 10:01:07 [__init__.py:243] No platform detected, vLLM is running on UnspecifiedPlatform"},
			Misses:  []string{"class UnspecifiedPlatform(Platform):"},
			Source:  "https://github.com/vllm-project/vllm/issues/12847",
		},
		{
			ID: "vllm-extension-import", Product: "vllm",
			Literals: []string{"Failed to import from vllm._C", "No module named 'vllm._C'", "'_OpNamespace' '_C'", "'_C' object has no attribute", "_OpNamespace"},
			Pattern:  `(?:Failed to import from vllm\._\w+ with \w+\((?P<why>.{3,160}?)\)$|Failed to import from vllm\._\w+|No module named 'vllm\._\w+'|'_OpNamespace' '_\w+' object has no attribute)`,
			Layer:    rule.FrameworkBuild, Strength: Weak, ExplainedBy: []string{"FRM003", "FRM002", "CUD005", "CUL002"},
			Meaning: "vLLM's compiled part does not load.",
			Causes: causes(
				Cause{
					When:     on(Says("No module named 'vllm._C'")),
					Layer:    rule.PythonEnv,
					Title:    "vLLM's compiled module vllm._C is not found",
					Text:     "vLLM was started in its source directory, which shadows the installed package, or was installed without being compiled.",
					Remedies: []Remedy{fix("change to another directory and start it again, or install the wheel", "pip", "python -m pip install --force-reinstall --no-deps vllm")},
				},
				Cause{
					Title:    "vLLM's compiled operators do not load[: {why}]",
					Text:     "They were built for one torch and one CUDA; another torch was installed beside vLLM[ (torch {torch})], or a CUDA library of that major is missing.",
					Remedies: []Remedy{fix("install vLLM in a fresh environment and let it bring its own torch", "pip", "python -m pip install --force-reinstall vllm")},
					Ask:      "python -m pip list | grep -e vllm -e torch; python -c 'import torch; print(torch.version.cuda)'",
				},
			),
			Samples: []string{"WARNING 01-01 00:00:00 [_custom_ops.py:19] Failed to import from vllm._C with ImportError('libcudart.so.12: cannot open shared object file: No such file or directory')", "AttributeError: '_OpNamespace' '_C' object has no attribute 'rms_norm'"},
			Misses:  []string{"from vllm._C import ops"},
			Source:  "https://github.com/vllm-project/vllm/issues/1718",
		},
		{
			ID: "vllm-memory", Product: "vllm",
			Literals: []string{"No available memory for the cache blocks", "is less than desired GPU memory utilization", "is larger than the maximum number of tokens that can be stored in KV cache", "KV cache is needed, which is larger than the available", "KV cache", "Not enough memory. Please try to increase --mem-fraction-static", "mem-fraction-static", "Error in memory profiling", "cudaMallocAsync"},
			Pattern:  `(?:No available memory for the cache blocks|Free memory on device \S* ?\((?P<free>[\d.]+)/(?P<total>[\d.]+) GiB\) on startup is less than desired GPU memory utilization|is less than desired GPU memory utilization|is larger than the maximum number of tokens that can be stored in KV cache|KV cache is needed, which is larger than the available|Not enough memory\. Please try to increase --mem-fraction-static|Error in memory profiling)`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "The model and its KV cache do not fit into what the setting leaves of the GPU's memory.",
			Causes: causes(Cause{
				Title: "The GPU has too little free memory for the model and its KV cache[: {free} of {total} GiB are free]",
				Text:  "Not the stack. Either another process holds memory (nvidia-smi shows it), or the model, max_model_len and gpu_memory_utilization ask for more than there is.",
				Remedies: []Remedy{
					fix("end other processes on the GPU", "check", "nvidia-smi"),
					fix("lower --max-model-len or --max-num-seqs; raise --gpu-memory-utilization where the GPU is yours alone, lower it where it is shared; quantise, or use more GPUs (--tensor-parallel-size)"),
				},
			}),
			Samples: []string{
				"ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.",
				"ValueError: Free memory on device (5.11/23.64 GiB) on startup is less than desired GPU memory utilization (0.9, 21.28 GiB).",
				"ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (52000).",
			},
			Misses: []string{"INFO GPU KV cache size: 52,000 tokens"},
			Source: "https://github.com/vllm-project/vllm/blob/main/vllm/v1/core/kv_cache_utils.py",
		},
	}
}
