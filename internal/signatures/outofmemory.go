package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// outOfMemory is what frameworks say when the GPU's or the machine's memory is full: no fault of the stack.
func outOfMemory() []*Signature {
	return []*Signature{
		{
			ID: "cuda-out-of-memory", Product: "cuda",
			Literals: []string{"CUDA out of memory", "CUDA error: out of memory", "cudaErrorMemoryAllocation", "CUDA_ERROR_OUT_OF_MEMORY", "OutOfMemoryError", "cudaMalloc failed: out of memory", "failed to allocate", "cuda runtime error (2)", "unable to allocate CUDA", "cudaMalloc failed"},
			Pattern: `(?:CUDA out of memory|CUDA error: out of memory|cudaErrorMemoryAllocation(?:[: ]*out of memory|\)|$)|CUDA_ERROR_OUT_OF_MEMORY|torch\.(?:cuda\.)?OutOfMemoryError|cuda runtime error \(2\) ?: out of memory|cudaMalloc failed: out of memory|unable to allocate CUDA\d? buffer)` +
				`(?:.{0,40}?Tried to allocate (?P<tried>[\d.]+ [KMGT]i?B))?(?:.{0,160}?Process (?P<pid>\d+) has (?P<held>[\d.]+ [KMGT]i?B) memory in use)?`,
			Layer:   rule.Application,
			Meaning: "An allocation on the GPU failed: its memory is full.",
			Causes: causes(
				Cause{
					When:  on(Any(Has("held"), Says("has 0 bytes memory in use", "another process", "other processes"))),
					Title: "The GPU's memory is full[: {tried} more was asked for]; another process holds part of it[ ({held}, process {pid})]",
					Text:  "CUDA out of memory: not the stack. nvidia-smi lists which other process uses the GPU; a program that ended badly can leave one behind.",
					Remedies: []Remedy{
						fix("end the other process, or use a GPU that is free", "check", "nvidia-smi"),
						fix("then ask for less: smaller batch, shorter sequences, lower precision"),
					},
				},
				Cause{
					When:  on(Says("reserved memory is >>", "expandable_segments", "max_split_size_mb", "fragmentation")),
					Title: "The GPU's memory is full[: {tried} more was asked for]",
					Text:  "CUDA out of memory: not the stack, and no reinstallation changes it. PyTorch says in the same message how much is in use; only where much is reserved and not allocated is it fragmentation. nvidia-smi shows whether another process holds memory.",
					Remedies: []Remedy{
						fix("use less memory: a smaller batch, shorter sequences, gradient checkpointing, lower precision or quantisation; free tensors that are no longer needed"),
						fix("see whether another process holds memory, and end it", "check", "nvidia-smi"),
						fix("against fragmentation", "shell", "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"),
					},
				},
				Cause{
					Title: "The GPU's memory is full[: {tried} more was asked for][ on {gpu}]",
					Text:  "CUDA out of memory: not the stack, and no reinstallation changes it. Either the program needs more than the GPU has, or another process holds memory, which nvidia-smi shows; a leftover process of an earlier run is frequent.",
					Remedies: []Remedy{
						fix("see which process holds memory and end the one that should not", "check", "nvidia-smi"),
						fix("use less memory: a smaller batch, shorter sequences, lower precision or quantisation, offloading; in evaluation, torch.no_grad()"),
					},
				},
			),
			Samples: []string{
				"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.50 GiB. GPU 0 has a total capacity of 15.77 GiB of which 1.94 GiB is free. Process 41234 has 13.83 GiB memory in use.",
				"RuntimeError: CUDA out of memory. Tried to allocate 64.00 MiB (GPU 0; 7.79 GiB total capacity; 5.96 GiB already allocated; 22.06 MiB free; 6.10 GiB reserved in total by PyTorch)",
				"RuntimeError: cuda runtime error (2) : out of memory at /pytorch/aten/src/THC/THCGeneral.cpp:50",
				"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 5000.00 MiB on device 0: cudaMalloc failed: out of memory",
				"failed to allocate 3.2G (3435973836 bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory",
			},
			Misses: []string{"class OutOfMemoryError(RuntimeError):", "failed to allocate a port"},
			Source: "https://pytorch.org/docs/stable/notes/cuda.html",
		},
		{
			ID: "tensorflow-out-of-memory", Product: "tensorflow",
			Literals: []string{"OOM when allocating tensor", "ran out of memory trying to allocate", "RESOURCE_EXHAUSTED: Out of memory", "Resource exhausted: OOM", "failed to allocate memory for", "RESOURCE_EXHAUSTED"},
			Pattern:  `(?:OOM when allocating tensor with shape ?\[(?P<shape>[\d,]*)\]|ran out of memory trying to allocate (?P<tried>[\d.]+ ?[KMGT]?i?B)|RESOURCE_EXHAUSTED: (?:Out of memory|Failed to allocate|OOM)|Resource exhausted: (?:OOM|Out of memory)|Failed to allocate request for (?P<tried>[\d.]+[KMGT]?i?B))`,
			Layer:    rule.Application,
			Meaning:  "TensorFlow's or XLA's allocator found no room on the GPU.",
			Causes: causes(Cause{
				Title: "The GPU's memory is full[: {tried} more was asked for]",
				Text:  "Not the stack. TensorFlow and JAX take nearly all memory at the start by themselves, so a second program on the same GPU finds none; else the model and batch need more than the GPU has.",
				Remedies: []Remedy{
					fix("see which other process holds memory, and end it", "check", "nvidia-smi"),
					fix("let several programs share it: TF_FORCE_GPU_ALLOW_GROWTH=true (set_memory_growth) for TensorFlow, XLA_PYTHON_CLIENT_PREALLOCATE=false for JAX", "shell", "export TF_FORCE_GPU_ALLOW_GROWTH=true XLA_PYTHON_CLIENT_PREALLOCATE=false"),
					fix("use less: a smaller batch or model"),
				},
			}),
			Samples: []string{"ResourceExhaustedError: OOM when allocating tensor with shape[64,512,512] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc", "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.20GiB (rounded to 2362232064)", "XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 5368709120 bytes."},
			Misses:  []string{"RESOURCE_EXHAUSTED: quota of requests"},
			Source:  "https://www.tensorflow.org/guide/gpu",
		},
		{
			ID: "pytorch-allocator-nvml", Product: "pytorch",
			Literals: []string{"NVML_SUCCESS == r INTERNAL ASSERT", "Unable to find a valid cuDNN algorithm"},
			Pattern:  `(?:NVML_SUCCESS == r INTERNAL ASSERT|Unable to find a valid cuDNN algorithm to run convolution)`,
			Layer:    rule.Application, Strength: Weak,
			Meaning: "PyTorch found no memory for what it wanted, and failed on the way of saying so.",
			Causes: causes(
				Cause{
					When:     on(Says("NVML_SUCCESS == r")),
					Title:    "The GPU's memory is full, and PyTorch could not ask NVML who holds it",
					Text:     "The assertion stands in the report of an out-of-memory error: NVML does not answer (MIG, a container without the capability utility, a driver without it).",
					Remedies: []Remedy{fix("use less memory or end other processes, as for any out of memory", "check", "nvidia-smi"), fix("in a container, add the capability utility: NVIDIA_DRIVER_CAPABILITIES=compute,utility")},
				},
				Cause{
					Title:    "No cuDNN algorithm fits into the memory that is left on the GPU",
					Text:     "Nearly always the GPU's memory is nearly full; else this cuDNN does not know the GPU[ ({sm})] or the dtype.",
					Remedies: []Remedy{fix("use a smaller batch or end other processes on the GPU", "check", "nvidia-smi")},
					Ask:      "nvidia-smi while it runs, and nvidia-smi --query-gpu=name,compute_cap --format=csv",
				},
			),
			Samples: []string{"RuntimeError: NVML_SUCCESS == r INTERNAL ASSERT FAILED at \"/pytorch/c10/cuda/CUDACachingAllocator.cpp\":838, please report a bug to PyTorch.", "RuntimeError: Unable to find a valid cuDNN algorithm to run convolution"},
			Misses:  []string{"a valid cuDNN algorithm was found"},
			Source:  "https://github.com/pytorch/pytorch/blob/main/c10/cuda/CUDACachingAllocator.cpp",
		},
	}
}
