package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cuDNNStatus are the statuses of cuDNN, whoever prints them.
func cuDNNStatus() []*Signature {
	return []*Signature{
		{
			ID: "cudnn-version-mismatch", Product: "cudnn",
			Literals:    []string{"CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH", "CUDNN_STATUS_VERSION_MISMATCH", "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED", "sublibrary version mismatch"},
			Pattern:     `(?i)CUDNN_STATUS_(?P<status>SUBLIBRARY_VERSION_MISMATCH|VERSION_MISMATCH|SUBLIBRARY_LOADING_FAILED)|sublibrary version mismatch`,
			Layer:       rule.CUDNN,
			Strength:    Strong,
			ExplainedBy: []string{"DNN003"},
			Meaning:     "cuDNN found that its parts are of different releases, or did not find one.",
			Causes: causes(
				Cause{
					When:     on(Says("/lib/x86_64-linux-gnu/libcudnn", "/usr/lib/libcudnn", "/usr/local/cuda/lib64/libcudnn", "libcudnn_engines_tensor_ir", "apt-get install cudnn", "libcudnn9")),
					Title:    "two copies of cuDNN are mixed: parts come from the system, the rest from the Python package",
					Text:     "A sub-library that the wheel does not have, or that comes first on the path, is taken from the system-wide cuDNN of another release[ (the framework's is {cudnn})].",
					Remedies: []Remedy{fix("remove the system's cuDNN, or take it off the loader's path, so that all parts come from the wheel", "apt", "sudo apt-get remove 'libcudnn*'"), fix("or let the wheel be of exactly the system's release")},
					Ask:      "LD_DEBUG=libs python app.py 2>&1 | grep 'calling init.*cudnn'",
				},
				Cause{
					Title:    "two copies of cuDNN are mixed: its parts are of different releases or one is missing[ ({status})]",
					Text:     "libcudnn and its sub-libraries must be of one release. The wheel's, the system's, Conda's and an image's copies were mixed by LD_LIBRARY_PATH (PATH on Windows) or by two packages in one environment.",
					Remedies: []Remedy{oneCuDNN, fix("where one wheel alone is there, install it anew: an interrupted update leaves old parts", "pip", "python -m pip install --force-reinstall --no-deps nvidia-cudnn-cu12")},
					Ask:      "find / -name 'libcudnn*.so.*' 2>/dev/null; echo $LD_LIBRARY_PATH",
				},
			),
			Samples: []string{"RuntimeError: cuDNN error: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH", "cudnnStatus: CUDNN_STATUS_VERSION_MISMATCH"},
			Misses:  []string{"CUDNN_STATUS_SUCCESS"},
			Source:  "https://github.com/chelsea0x3b/cudarc/blob/main/src/cudnn/sys/mod.rs",
		},
		{
			ID: "cudnn-not-initialized", Product: "cudnn",
			Literals: []string{"CUDNN_STATUS_NOT_INITIALIZED", "CUDNN_STATUS_INTERNAL_ERROR", "CUDNN_STATUS_ALLOC_FAILED"},
			Pattern:  `CUDNN_STATUS_(?P<status>NOT_INITIALIZED|INTERNAL_ERROR|ALLOC_FAILED)`,
			Layer:    rule.CUDNN,
			Strength: Weak,
			Meaning:  "cuDNN could not start or failed inside.",
			Causes: causes(
				Cause{
					When:     on(Says("out of memory", "bytes free", "CUDA_ERROR_OUT_OF_MEMORY", "allow_growth", "memory_growth")),
					Layer:    rule.Application,
					Title:    "not the stack: the GPU's memory is full, so cuDNN cannot start (CUDNN_STATUS_{status})",
					Text:     "cuDNN needs memory for its handle and workspace, and the framework or another process has taken it.",
					Remedies: []Remedy{fix("use a smaller batch, let memory grow, and end other processes on the GPU", "bash", "nvidia-smi")},
				},
				Cause{
					When:     on(AtLeast("cc", "8.0"), Is("cudnn", `^(7|8\.0)`)),
					Layer:    rule.GPUArch,
					Title:    "cuDNN {cudnn} is too old for the GPU[ {gpu}] ({sm})",
					Text:     "GPUs of {sm} came with CUDA {sm|firstcuda}; this cuDNN has no code for them.",
					Remedies: []Remedy{fix("use a build of the framework with a newer CUDA and cuDNN")},
				},
				Cause{
					Title:    "cuDNN could not start: CUDNN_STATUS_{status}",
					Text:     "The status has several causes: the GPU's memory is full (most often), two copies of cuDNN are mixed, the driver[ {driver}] is older than this cuDNN needs, or an earlier kernel of the program failed.",
					Remedies: []Remedy{fix("see whether memory is free while it fails", "bash", "nvidia-smi"), oneCuDNN},
					Ask:      "whether it still fails with a small batch and no other process on the GPU; python -c \"import torch; print(torch.backends.cudnn.version())\"",
				},
			),
			Samples: []string{"RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED", "RuntimeError: cuDNN error: CUDNN_STATUS_INTERNAL_ERROR"},
			Misses:  []string{"CUDNN_STATUS_SUCCESS"},
			Source:  "https://github.com/chelsea0x3b/cudarc/blob/main/src/cudnn/sys/mod.rs",
		},
		{
			ID: "cudnn-execution-failed", Product: "cudnn",
			Literals:    []string{"CUDNN_STATUS_EXECUTION_FAILED", "CUDNN_STATUS_MAPPING_ERROR", "CUDNN_STATUS_NOT_SUPPORTED", "CUDNN_STATUS_ARCH_MISMATCH", "CUDNN_BACKEND_API_FAILED", "unable to find an engine to execute", "CUDNN_STATUS_BAD_PARAM", "cuDNN Frontend error", "No execution plans support the graph", "No valid execution plans built"},
			Pattern:     `CUDNN_(?:STATUS_)?(?P<status>EXECUTION_FAILED|MAPPING_ERROR|NOT_SUPPORTED\w*|ARCH_MISMATCH|BACKEND_API_FAILED|BAD_PARAM\w*)|(?:GET|FIND) was unable to find an engine to execute|(?P<status>No (?:valid )?execution plans (?:support the graph|built))`,
			Layer:       rule.CUDNN,
			Strength:    Weak,
			ExplainedBy: []string{"DNN006", "ARC001", "DNN004"},
			Meaning:     "cuDNN had no way to run an operation, or a kernel of it failed.",
			Causes: causes(
				Cause{
					When:     on(Says("device-side assert", "illegal memory access", "out of memory")),
					Layer:    rule.Application,
					Title:    "cuDNN reports a kernel that failed before[: CUDNN_STATUS_{status}]",
					Text:     "GPU errors are reported late. The assertion, the illegal access or the full memory that the text tells of is the cause; cuDNN only met it.",
					Remedies: []Remedy{fix("run with CUDA_LAUNCH_BLOCKING=1 and mend what fails first", "bash", "CUDA_LAUNCH_BLOCKING=1 python app.py")},
				},
				Cause{
					When:     on(AtLeast("cc", "10.0")),
					Layer:    rule.GPUArch,
					Title:    "this cuDNN[ {cudnn}] does not run on the GPU[ {gpu}] ({sm})",
					Text:     "GPUs of {sm} need a build with CUDA {sm|firstcuda} or newer and cuDNN 9.7 or newer.",
					Remedies: []Remedy{fix("use a build of the framework for CUDA 12.8 or newer"), fix("or update cuDNN within the build's major release", "pip", "python -m pip install -U nvidia-cudnn-cu12")},
				},
				Cause{
					Title:    "cuDNN[ {cudnn}] could not run an operation[: {status}]",
					Text:     "Usual causes: a release of cuDNN that does not know the GPU[ {gpu}] or has a fault, another cuDNN than the build's that is found first, too little free memory for a workspace, or a kernel that failed before.",
					Remedies: []Remedy{oneCuDNN, fix("see whether it works without cuDNN: torch.backends.cudnn.enabled = False"), fix("run with CUDA_LAUNCH_BLOCKING=1 to see whether another kernel failed first")},
					Ask:      "the GPU's model, torch.backends.cudnn.version(), and the error with CUDA_LAUNCH_BLOCKING=1",
				},
			),
			Samples: []string{"RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED", "RuntimeError: GET was unable to find an engine to execute this computation", "RuntimeError: cuDNN error: CUDNN_STATUS_MAPPING_ERROR"},
			Misses:  []string{"CUDNN_STATUS_SUCCESS"},
			Source:  "https://github.com/chelsea0x3b/cudarc/blob/main/src/cudnn/sys/mod.rs",
		},
	}
}
