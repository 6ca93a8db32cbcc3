package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cudaLaunch are errors of CUDA about launches and forks, and the table of all others.
func cudaLaunch() []*Signature {
	return []*Signature{
		{
			ID: "cuda-launch-timeout", Product: "cuda",
			Literals: []string{"the launch timed out and was terminated", "cudaErrorLaunchTimeout", "CUDA_ERROR_LAUNCH_TIMEOUT"},
			Layer:    rule.DeviceExposure,
			Meaning:  "A kernel ran longer than the watchdog of a GPU with a display allows (error 702).",
			Causes: causes(
				Cause{
					When:     on(OnWindows),
					Title:    "Windows ended a kernel that ran too long on a GPU with a display (TDR, error 702)",
					Text:     "Windows resets a display GPU after two seconds without an answer.",
					Remedies: []Remedy{fix("give kernels less work at a time, use a GPU without a display, or raise TdrDelay in the registry (HKLM\\System\\CurrentControlSet\\Control\\GraphicsDrivers)")},
				},
				Cause{
					Title:    "The display watchdog ended a kernel that ran too long (error 702)",
					Text:     "A GPU that drives a screen may not be kept busy by one kernel for seconds.",
					Remedies: []Remedy{fix("give kernels less work at a time, use a GPU without a display, or set Option \"Interactive\" \"False\" for the device in xorg.conf")},
				},
			),
			Samples: []string{"CUDA error: the launch timed out and was terminated"},
			Misses:  []string{"the request timed out and was terminated"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
		{
			ID: "cuda-launch-resources", Product: "cuda",
			Literals: []string{"too many resources requested for launch", "cudaErrorLaunchOutOfResources", "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "invalid configuration argument", "too much shared data"},
			Pattern:  `(?:too many resources requested for launch|cudaErrorLaunchOutOfResources|CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES|CUDA.*invalid configuration argument|uses too much shared data)`,
			Layer:    rule.Application,
			Meaning:  "A kernel asks for more threads, registers or shared memory than the GPU has (errors 701 and 9).",
			Causes: causes(Cause{
				Title:    "A kernel asks for more threads, registers or shared memory than this GPU[ ({gpu})] has",
				Text:     "Its launch configuration was chosen for another GPU, or a size is zero or too large. Not the stack.",
				Remedies: []Remedy{fix("use smaller blocks or tiles (block size, num_warps, num_stages), or a version of the library that knows this GPU")},
			}),
			Samples: []string{"RuntimeError: CUDA error: too many resources requested for launch", "CUDA error: invalid configuration argument"},
			Misses:  []string{"argparse: invalid configuration argument"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
		{
			ID: "cuda-fork", Product: "pytorch",
			Literals: []string{"Cannot re-initialize CUDA in forked subprocess", "CUDA error: initialization error", "cudaErrorInitializationError"},
			Layer:    rule.Application,
			Meaning:  "CUDA was started before a process forked; it cannot be used in the child.",
			Causes: causes(Cause{
				Title:    "CUDA was already in use when the process forked, and the child cannot use it",
				Text:     "CUDA does not survive fork. Data loader workers and multiprocessing must be started before CUDA, or with the start method spawn. Not the stack.",
				Remedies: []Remedy{fix("use the start method spawn, torch.multiprocessing.set_start_method(\"spawn\"), keep CUDA calls out of datasets and workers; for vLLM set VLLM_WORKER_MULTIPROC_METHOD=spawn")},
			}),
			Samples: []string{"RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method"},
			Misses:  []string{"Cannot re-initialize the logger in forked subprocess"},
			Source:  "https://github.com/pytorch/pytorch/blob/main/torch/cuda/__init__.py",
		},
		{
			ID: "cuda-error-code", Product: "cuda",
			Literals: []string{"CUDA_ERROR_", "cudaError", "CUDA error", "CUDA failure", "CUDA runtime error", "CUDA driver error", "error code ", "error code: ", "cuInit"},
			Pattern: `(?:\b(?P<error>CUDA_ERROR_[A-Z][A-Z_]+)\b|\b(?P<error>cudaError[A-Z]\w+)(?:$|[:)"',;.]| \(| at |\s+"|: )|\b(?:with|code|CUDA|error|returned|failed)\S* (?P<error>cudaError[A-Z]\w+)|(?i:CUDA (?:runtime |driver )?error:? ?(?:code )?(?:= ?)?)\(?(?P<error>\d{1,3})\b\)?|CUDA failure (?P<error>\d{1,3})\b|` +
				`[Ee]rror code:? \(?(?P<error>3[45]|46|98|10[0-2]|20[0-9]|21[0-9]|22[0-6]|30[0-4]|7[01][0-9]|80[0-9]|999)\b|\bcuInit\S* (?:returned|returns|failed with|fails with|result)[:=]? ?(?P<error>\d{1,3})\b|` +
				`CUDA error: (?P<error>[a-zA-Z_][^\n]{5,90}?)(?: CUDA kernel errors| Compile with| at |[.]?$))`,
			Layer: rule.Driver, Strength: Weak,
			Meaning: "A call of CUDA failed; its name, number or message says how.",
			// Where another signature has an error of CUDA, it says more about it.
			Where: on(Not(Seen("cuda-device-assert", "cuda-illegal-address", "cuda-launch-failure", "cuda-launch-timeout", "cuda-launch-resources", "cuda-fork", "cuda-insufficient-driver",
				"cuda-no-device", "cuda-invalid-device", "cuda-unknown-error", "cuda-stub-library", "cuda-newer-driver-needed", "cuda-no-kernel-image", "cuda-invalid-device-function",
				"cuda-invalid-kernel-image", "cuda-unsupported-ptx", "cuda-invalid-ptx", "cuda-jit-compiler-missing", "cuda-devices-busy", "cuda-fabric-manager", "cuda-driver-mismatch",
				"cuda-forward-compatibility", "cuda-mps", "cuda-operation-not-supported", "cuda-out-of-memory", "cublas-execution", "library-handle-no-memory"))),
			Causes: errorCauses(),
			Samples: []string{
				"failed to allocate: CUDA_ERROR_DEVICE_NOT_LICENSED",
				"CUDA failure 709: context is destroyed",
				"CUDA error: invalid resource handle",
				"cudaErrorHostMemoryAlreadyRegistered",
				"CUDA error code=226(cudaErrorContained)",
				"the program stopped with error code 222",
				"cuInit returned 304",
			},
			Misses: []string{"CUDA errors are described in the manual", "cudaError_t err = cudaGetLastError();"},
			Source: "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
	}
}

// errorCauses has one cause for each layer that the table of errors knows: a cause's layer is fixed, an error's is not.
func errorCauses() []Cause {
	var list []Cause
	for _, layer := range rule.Layers() {
		list = append(list, Cause{
			When: on(Is("error|errlayer", "^"+string(layer)+"$")), Layer: layer, Confidence: rule.Possible,
			Title:    "A call of CUDA failed: {error|errname} ({error|errnumber}), {error|errmessage}",
			Text:     "[It comes from {error|errcauses}. ]This is the code's usual reason; the lines around it say more.",
			Remedies: []Remedy{fix("{error|erraction}")},
			Ask:      "the lines before the message, nvidia-smi, and sudo dmesg | grep -e NVRM -e Xid | tail",
		})
	}
	return append(list, Cause{
		Confidence: rule.Possible,
		Title:      "A call of CUDA failed[: {error}]",
		Text:       "The table of CUDA's errors does not tell which layer this one points to[: {error|errcauses}].",
		Ask:        "the lines before the message, nvidia-smi, and sudo dmesg | grep -e NVRM -e Xid | tail",
	})
}
