package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cTranslate2Run is what CTranslate2 says while it runs.
func cTranslate2Run() []*Signature {
	return []*Signature{
		{
			ID: "ct2-cuda-failed", Product: "ctranslate2",
			Literals:    []string{"CUDA failed with error"},
			Pattern:     `CUDA failed with error (?P<text>[a-zA-Z][^\n"']{3,90})`,
			Layer:       rule.Driver,
			ExplainedBy: []string{"DRV002", "ARC001"},
			Meaning:     "A call of the CUDA runtime failed in CTranslate2.",
			Causes: causes(
				Cause{
					When:     on(Is("text", `driver version is insufficient`)),
					Title:    "the driver[ {driver}] is too old for CTranslate2[ {ctranslate2}], or the process has no access to it",
					Text:     "CTranslate2 4 is built for CUDA 12 and needs driver 525.60.13 or newer[; driver {driver} supports CUDA {driver|cuda}]. CUDA toolkits on the machine do not matter. In a container without --gpus all the same error appears.",
					Remedies: []Remedy{fix("update the driver to 525.60.13 or newer"), when(fix("start the container with --gpus all"), InContainer), fix("or CTranslate2 3.24.0, which is built for CUDA 11", "pip", "python -m pip install ctranslate2==3.24.0")},
				},
				Cause{
					When:     on(Is("text", `out of memory`)),
					Layer:    rule.Application,
					Title:    "not the stack: the GPU's memory is full",
					Text:     "The model with its beam and batch needs more than is free[ on the {gpu}], or another process holds it.",
					Remedies: []Remedy{fix("use a smaller model, compute_type=\"int8_float16\" or a smaller batch, and end other processes on the GPU", "bash", "nvidia-smi")},
				},
				Cause{
					When:     on(Is("text", `no kernel image|invalid device function`)),
					Layer:    rule.GPUArch,
					Title:    "CTranslate2[ {ctranslate2}] has no code for the GPU[ {gpu}][ ({sm})]",
					Text:     "The wheel was built for other architectures; new GPUs need a newer release, old ones an older.",
					Remedies: []Remedy{fix("update CTranslate2, for an old GPU take an older release", "pip", "python -m pip install -U ctranslate2")},
				},
				Cause{
					When:     on(Is("text", `no CUDA-capable device|invalid device ordinal`)),
					Layer:    rule.DeviceExposure,
					Title:    "CTranslate2 sees no GPU, or none of this number: {text}",
					Text:     "CUDA_VISIBLE_DEVICES hides the GPU[ (here {visible})], device_index is too high, or the container has none.",
					Remedies: []Remedy{fix("check what is visible", "bash", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES")},
				},
				Cause{
					When:     on(Is("text", `unsupported toolchain`)),
					Title:    "the driver[ {driver}] is too old for the PTX in CTranslate2[ {ctranslate2}]",
					Text:     "The GPU's code is compiled from PTX, which must not be of a newer CUDA than the driver's.",
					Remedies: []Remedy{fix("update the driver")},
				},
				Cause{
					When:     on(Is("text", `illegal|launch failure|misaligned|assert`)),
					Layer:    rule.Application,
					Title:    "a kernel failed in CTranslate2: {text}",
					Text:     "The stack starts; a kernel went wrong, by a fault of this release or by bad input.",
					Remedies: []Remedy{fix("try another compute_type and the newest release", "pip", "python -m pip install -U ctranslate2")},
				},
				Cause{
					Layer:      rule.DeviceExposure,
					Confidence: rule.Possible,
					Title:      "CUDA cannot be used by CTranslate2: {text}",
					Text:       "The error comes from the driver. unknown error often follows sleep of the machine or an update of the driver without a restart.",
					Remedies:   []Remedy{fix("load nvidia_uvm anew or restart", "bash", "sudo rmmod nvidia_uvm; sudo modprobe nvidia_uvm")},
					Ask:        "nvidia-smi, and whether another CUDA program works",
				},
			),
			Samples: []string{"RuntimeError: CUDA failed with error CUDA driver version is insufficient for CUDA runtime version"},
			Misses:  []string{"CUDA failed with error 35"},
			Source:  "https://github.com/OpenNMT/CTranslate2/issues/1933",
		},
		{
			ID: "ct2-compute-type", Product: "ctranslate2",
			Literals: []string{"do not support efficient"},
			Pattern:  `(?:Requested (?P<type>\w+) compute type, but the )?target device or backend do not support efficient (?P<type>\w+) computation`,
			Layer:    rule.Application,
			Meaning:  "The compute type that was asked for is not fast on this device.",
			Causes: causes(
				Cause{
					When:     on(Below("cc", "7.0")),
					Title:    "not the stack: the GPU[ {gpu}] ({cc}) has no fast {type}",
					Text:     "float16 needs a GPU of compute capability 7.0 or newer (6.0 in part), bfloat16 8.0.",
					Remedies: []Remedy{fix("use compute_type=\"int8\" or \"float32\"")},
				},
				Cause{
					Title:    "not the stack: {type} was asked for on a device without it, most often on the CPU",
					Text:     "Where a GPU was meant, device is cpu, or auto found none: then the reason is elsewhere in the log.",
					Remedies: []Remedy{fix("use compute_type=\"int8\" or \"float32\" on the CPU"), fix("or device=\"cuda\", which names the reason if the GPU cannot be used")},
				},
			),
			Samples: []string{"ValueError: Requested float16 compute type, but the target device or backend do not support efficient float16 computation."},
			Misses:  []string{"do not support efficient"},
			Source:  "https://github.com/SYSTRAN/faster-whisper/issues/65",
		},
		{
			ID: "ct2-cublas-status", Product: "ctranslate2",
			Literals: []string{"cuBLAS failed with status", "cuDNN failed with status"},
			Pattern:  `cu(?P<what>BLAS|DNN) failed with status (?P<status>CU(?:BLAS|DNN)_STATUS_\w+)`,
			Layer:    rule.CUDALibraries,
			Strength: Strong,
			Meaning:  "A call of cuBLAS or cuDNN failed in CTranslate2.",
			Causes: causes(
				Cause{
					When:     on(Is("what", "DNN")),
					Layer:    rule.CUDNN,
					Title:    "cuDNN failed in CTranslate2: {status}",
					Text:     "The cuDNN that is found is not the one that this release needs (8 up to 4.4, 9 for 4.5 to 4.6.2), or the memory is full.",
					Remedies: []Remedy{fix("move to CTranslate2 4.6.3 or newer, which needs no cuDNN", "pip", "python -m pip install -U ctranslate2")},
				},
				Cause{
					When:     on(AtLeast("cc", "12.0"), Is("status", "NOT_SUPPORTED")),
					Layer:    rule.GPUArch,
					Title:    "cuBLAS has no int8 for the GPU[ {gpu}] ({sm}) in this CTranslate2[ {ctranslate2}]",
					Text:     "On GPUs of {sm} cuBLAS refuses the int8 layout of older CTranslate2 releases: {status}.",
					Remedies: []Remedy{fix("use compute_type=\"float16\" or \"bfloat16\""), fix("or a newer CTranslate2", "pip", "python -m pip install -U ctranslate2")},
				},
				Cause{
					Title:    "cuBLAS failed in CTranslate2: {status}",
					Text:     "The compute type does not work on the GPU[ {gpu}][ ({sm})] with this cuBLAS, or the memory is full (ALLOC_FAILED, NOT_INITIALIZED).",
					Remedies: []Remedy{fix("try compute_type=\"float16\" instead of an int8 type, and the newest release with nvidia-cublas-cu12", "pip", "python -m pip install -U ctranslate2 nvidia-cublas-cu12")},
				},
			),
			Samples: []string{"RuntimeError: cuBLAS failed with status CUBLAS_STATUS_NOT_SUPPORTED", "RuntimeError: cuDNN failed with status CUDNN_STATUS_NOT_INITIALIZED"},
			Misses:  []string{"cuBLAS failed"},
			Source:  "https://github.com/OpenNMT/CTranslate2/issues/1933",
		},
	}
}
