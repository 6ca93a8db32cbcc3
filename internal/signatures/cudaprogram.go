package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cudaProgram are the errors of CUDA that come from what a kernel does, and the
// table of all others.
func cudaProgram() []*Signature {
	return []*Signature{
		{
			ID: "cuda-device-assert", Product: "cuda",
			Literals: []string{"device-side assert triggered", "cudaErrorAssert", "CUDA_ERROR_ASSERT"},
			Pattern:  `(?:device-side assert triggered|cudaErrorAssert\b|CUDA_ERROR_ASSERT\b)`,
			Layer:    rule.Application,
			Meaning:  "A kernel checked its input and stopped: an index is outside of its range (error 710).",
			Causes: causes(
				Cause{
					When:  on(Says("t >= 0 && t < n_classes", "n_classes", "nll_loss", "ClassNLLCriterion", "cross_entropy", "NLLLoss", "cur_target")),
					Title: "A label is outside of the number of classes (device-side assert in the loss)",
					Text:  "The target of the loss must be 0 up to n_classes - 1 (or ignore_index). Labels that start at 1, or a model head with too few classes, are the usual reasons. Not the stack: no installation changes it.",
					Remedies: []Remedy{
						fix("check the labels against the number of classes: labels.min(), labels.max(), and the size of the model's last layer"),
						fix("see the exact line by running on the CPU, or with synchronous launches", "shell", "CUDA_LAUNCH_BLOCKING=1 python PROGRAM"),
					},
				},
				Cause{
					When:  on(Says("srcIndex", "indexSelect", "embedding", "index out of bounds", "IndexKernel", "ScatterGatherKernel", "Indexing.cu")),
					Title: "An index is out of bounds in a GPU kernel (device-side assert)",
					Text:  "An index into a tensor or an embedding table is negative or too large: a token id at or above the size of the vocabulary, positions beyond the model's maximum, wrong class or batch indices. Not the stack.",
					Remedies: []Remedy{
						fix("compare the largest index with the table's size (tokenizer length and resize_token_embeddings, maximum length)"),
						fix("see the exact line by running on the CPU, or with synchronous launches", "shell", "CUDA_LAUNCH_BLOCKING=1 python PROGRAM"),
					},
				},
				Cause{
					When:     on(Says("probability tensor contains", "MultinomialKernel", "input_val >= zero", "0 && p4 <= 1", "input_val <= one")),
					Title:    "A kernel met a value outside of its range, such as nan or a probability above 1 (device-side assert)",
					Text:     "Sampling needs probabilities without inf and nan, and binary cross entropy inputs and targets between 0 and 1. Overflow in half precision is the usual reason. Not the stack.",
					Remedies: []Remedy{fix("look for nan and inf in the logits or inputs; use bfloat16 or float32, a sigmoid before BCELoss, or BCEWithLogitsLoss")},
				},
				Cause{
					Title: "A GPU kernel stopped on its own check: device-side assert triggered (710)",
					Text:  "Nearly always a label at or above the number of classes, or an index out of bounds. The line that raises it is often not the one at fault, for kernels run asynchronously. Not the stack: no installation changes it.",
					Remedies: []Remedy{
						fix("check labels (0 up to n_classes - 1) and indices; run on the CPU or with synchronous launches to see the line", "shell", "CUDA_LAUNCH_BLOCKING=1 python PROGRAM"),
					},
					Ask: "the line with \"Assertion ... failed\" that stands above the traceback",
				},
			),
			Samples: []string{"RuntimeError: CUDA error: device-side assert triggered", "cuda runtime error (59) : device-side assert triggered at THC/generic/THCTensorMath.cu:15"},
			Misses:  []string{"Device-side assertion tracking was not enabled by user."},
			Source:  "https://github.com/pytorch/pytorch/issues/25537",
		},
		{
			ID: "cuda-kernel-assertion", Product: "pytorch",
			Literals: []string{"Assertion `"},
			Pattern:  "(?:\\.cu[h]?:\\d+.*|block: \\[\\d+,\\s*\\d+,\\s*\\d+\\].*)Assertion `[^`]+`? failed",
			Layer:    rule.Application, Strength: Weak,
			Meaning: "A check inside a GPU kernel failed; the line says which.",
			Causes: causes(Cause{
				Title: "A check inside a GPU kernel failed: an index, a label or a value is out of range",
				Text:  "The expression in the message says which: t < n_classes is a label at or above the number of classes, srcIndex or an index is out of bounds. Not the stack.",
				Remedies: []Remedy{
					fix("check labels against the number of classes, and indices against sizes; CUDA_LAUNCH_BLOCKING=1 shows the line", "shell", "CUDA_LAUNCH_BLOCKING=1 python PROGRAM"),
				},
			}),
			Samples: []string{"/pytorch/aten/src/THCUNN/ClassNLLCriterion.cu:105: void cunn_ClassNLLCriterion_updateOutput_kernel(): block: [0,0,0], thread: [3,0,0] Assertion `t >= 0 && t < n_classes` failed."},
			Misses:  []string{"python: malloc.c:2385: sysmalloc: Assertion `old_top' failed."},
			Source:  "https://github.com/pytorch/pytorch/issues/25537",
		},
		{
			ID: "cuda-illegal-address", Product: "cuda",
			Literals: []string{"an illegal memory access was encountered", "cudaErrorIllegalAddress", "CUDA_ERROR_ILLEGAL_ADDRESS", "misaligned address", "cudaErrorMisalignedAddress", "CUDA_ERROR_MISALIGNED_ADDRESS"},
			Pattern:  `(?:illegal memory access was encountered|cudaErrorIllegalAddress|CUDA_ERROR_ILLEGAL_ADDRESS|(?:CUDA|cuda).*misaligned address|cudaErrorMisalignedAddress|CUDA_ERROR_MISALIGNED_ADDRESS)`,
			Layer:    rule.Application, Strength: Weak,
			Meaning: "A kernel read or wrote memory that is not its own (error 700; 716 for a misaligned address).",
			Causes: causes(Cause{
				Title: "A GPU kernel accessed memory that is not its own (illegal memory access, 700)",
				Text:  "A fault in a kernel or in what it was given: an index or a shape beyond a buffer, a tensor on another GPU, or a bug of the library. The line that raises it is often not the one at fault. A kernel log with Xid 13 or 31 says the same; other Xids point to the hardware.",
				Remedies: []Remedy{
					fix("find the kernel with synchronous launches or compute-sanitizer, and update the library it belongs to", "shell", "CUDA_LAUNCH_BLOCKING=1 compute-sanitizer python PROGRAM"),
				},
				Ask: "the traceback under CUDA_LAUNCH_BLOCKING=1, and sudo dmesg | grep Xid",
			}),
			Samples: []string{"RuntimeError: CUDA error: an illegal memory access was encountered", "CUDA_ERROR_ILLEGAL_ADDRESS"},
			Misses:  []string{"SIGBUS: misaligned address in main thread"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
		{
			ID: "cuda-launch-failure", Product: "cuda",
			Literals: []string{"unspecified launch failure", "cudaErrorLaunchFailure", "CUDA_ERROR_LAUNCH_FAILED"},
			Layer:    rule.Application, Strength: Weak,
			Meaning: "A kernel ended in a way that the driver has no better name for (error 719).",
			Causes: causes(Cause{
				Confidence: rule.Possible,
				Title:      "A GPU kernel crashed (unspecified launch failure, 719)",
				Text:       "Usually a wrong memory access in a kernel; the kernel log tells it apart from a fault of the GPU, its power or its memory.",
				Remedies: []Remedy{
					fix("look for Xid lines in the kernel log; run with synchronous launches", "shell", "sudo dmesg | grep -i xid; CUDA_LAUNCH_BLOCKING=1 python PROGRAM"),
				},
				Ask: "sudo dmesg | grep -i xid, after it happened",
			}),
			Samples: []string{"RuntimeError: CUDA error: unspecified launch failure"},
			Misses:  []string{"pod launch failure"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
	}
}
