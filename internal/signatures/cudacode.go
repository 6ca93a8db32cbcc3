package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ofTorch holds where the program is one on PyTorch: its release is known, or its own words are there.
var ofTorch = Any(Has("torch"), Says("pytorch", "torch.", "torch/", `torch\`, "TORCH_USE_CUDA_DSA", "CUDA_LAUNCH_BLOCKING", "comfyui", "stable diffusion", "stable-diffusion", "huggingface", "transformers"))

// cudaCode are the errors of CUDA about machine code and PTX that the GPU or the driver does not take.
func cudaCode() []*Signature {
	return []*Signature{
		{
			ID: "cuda-no-kernel-image", Product: "cuda",
			Literals: []string{"no kernel image is available", "cudaErrorNoKernelImageForDevice", "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image found"},
			Pattern:  `(?i)(?:no\s+kernel\s+image\s+is\s+available|cudaErrorNoKernelImageForDevice|CUDA_ERROR_NO_BINARY_FOR_GPU|no kernel image found)`,
			Layer:    rule.GPUArch, ExplainedBy: []string{"ARC001", "ARC002", "CUD003", "CUD004"},
			Meaning: "The program holds no machine code for this GPU, and no PTX that the driver could compile for it (error 209).",
			Causes: causes(
				Cause{
					When:  on(Says("ctranslate2", "faster_whisper", "faster-whisper", "whisper-fast", "whisperx"), Not(Says("torch/nn", "torch\\nn"))),
					Title: "CTranslate2, which faster-whisper uses, has no code for this GPU[: {sm} ({gpu})]",
					Text:  "no kernel image is available for execution on the device (209): the wheels of ctranslate2 are compiled for the common GPUs of their time[; {sm} ({sm|arch}) is not among them]. The driver and PyTorch are not the reason.",
					Remedies: []Remedy{
						fix("for a new GPU update ctranslate2", "pip", "python -m pip install -U ctranslate2"),
						fix("for an old GPU take an older ctranslate2, or compile it with CUDA_ARCH_LIST[={sm|cc}]; or run on the CPU: device=\"cpu\", compute_type=\"int8\""),
					},
					Ask: "nvidia-smi --query-gpu=name,compute_cap --format=csv; python -m pip list | grep -i ctranslate2",
				},
				Cause{
					When:  on(Has("sm"), ofTorch, Below("cc", "7.5")),
					Title: "torch[ {torch}], or an extension for it, has no code for this old GPU: {sm}[ ({gpu})]",
					Text:  "no kernel image is available for execution on the device (209): the build was compiled for newer GPU architectures than {sm} ({sm|cc}[, {sm|arch}]). PyTorch's own builds had sm_35 up to 1.2, sm_37 in those for CUDA 11.8 and older; Maxwell, Pascal and Volta (5.0 to 7.0) are in the cu126 builds. The driver is not the reason.",
					Remedies: []Remedy{
						fix("install a PyTorch that has {sm}: [torch {sm|torchforarch} || an older release of it, built for CUDA {sm|lastcuda} or older, or one that is compiled from source with TORCH_CUDA_ARCH_LIST={sm|cc}]", "pip", "python -m pip install --force-reinstall torch=={sm|torchforarch} --index-url https://download.pytorch.org/whl/{sm|torchforarch|variant}"),
						fix("where an extension is meant (flash-attn, xformers, mmcv, a kernel of your own), build it for this GPU", "shell", "TORCH_CUDA_ARCH_LIST={sm|cc} python -m pip install --no-build-isolation --no-binary :all: PACKAGE"),
					},
					Ask: "python -c 'import torch; print(torch.cuda.get_arch_list(), torch.cuda.get_device_capability())'",
				},
				Cause{
					When:  on(Has("sm"), ofTorch),
					Title: "torch[ {torch}], or an extension for it, has no code for this GPU: {sm}[ ({gpu})]",
					Text:  "no kernel image is available for execution on the device (209): the build was compiled for other GPU architectures than {sm} ({sm|cc}[, {sm|arch}]). [Code for {sm} needs CUDA {sm|firstcuda} or newer. ]The driver is not the reason, and a toolkit beside it does not add code.",
					Remedies: []Remedy{
						fix("install a PyTorch that has {sm}: [torch {sm|torchforarch} || a build for CUDA {sm|firstcuda} or newer ({sm|firstcuda|cutag})]", "pip", "python -m pip install --force-reinstall torch=={sm|torchforarch} --index-url https://download.pytorch.org/whl/{sm|torchforarch|variant}"),
						fix("where an extension is meant (flash-attn, xformers, mmcv, a kernel of your own), build it for this GPU", "shell", "TORCH_CUDA_ARCH_LIST={sm|cc} python -m pip install --no-build-isolation --no-binary :all: PACKAGE"),
					},
					Ask: "python -c 'import torch; print(torch.cuda.get_arch_list(), torch.cuda.get_device_capability())'",
				},
				Cause{
					When:  on(Has("sm"), Has("sm|lastcuda"), Below("cc", "7.5")),
					Title: "The program has no code for this old GPU: {sm}[ ({gpu})]; CUDA {sm|lastcuda} was the last that compiles for it",
					Text:  "no kernel image is available for execution on the device (209): it was compiled for newer GPU architectures than {sm} ({sm|cc}[, {sm|arch}]). CUDA newer than {sm|lastcuda} makes no code for it. The driver is not the reason.",
					Remedies: []Remedy{
						fix("use a build made with CUDA {sm|lastcuda} or older that has {sm}[ (for PyTorch: torch {sm|torchforarch})], or compile it with that toolkit and -gencode for {sm} (CMAKE_CUDA_ARCHITECTURES, TORCH_CUDA_ARCH_LIST={sm|cc})"),
					},
					Ask: "which architectures it holds: cuobjdump --list-elf --list-ptx FILE",
				},
				Cause{
					When:  on(Has("sm")),
					Title: "The program has no code for this GPU: {sm}[ ({gpu})]",
					Text:  "no kernel image is available for execution on the device (209): it was compiled for other GPU architectures than {sm} ({sm|cc}[, {sm|arch}]). [Code for {sm} comes with CUDA {sm|firstcuda} or newer. ]The driver is not the reason.",
					Remedies: []Remedy{
						fix("use a build for {sm}[ made with CUDA {sm|firstcuda} or newer][ (for PyTorch: torch {sm|torchforarch})], or compile it with -gencode for {sm} (CMAKE_CUDA_ARCHITECTURES, TORCH_CUDA_ARCH_LIST={sm|cc})"),
					},
					Ask: "which architectures it holds: cuobjdump --list-elf --list-ptx FILE",
				},
				Cause{
					Title: "The program has no code for this GPU's architecture (no kernel image is available, error 209)",
					Text:  "A build runs on GPUs of the architectures it was compiled for: a new GPU needs a build of a newer CUDA (Blackwell: 12.8 or newer, cu128), an old one a build that still lists it (Pascal and Volta: cu126). The driver is not the reason.",
					Remedies: []Remedy{
						fix("compare the GPU's compute capability with the build's list, and install the build that has it", "check", "nvidia-smi --query-gpu=name,compute_cap --format=csv; python -c 'import torch; print(torch.__version__, torch.cuda.get_arch_list())'"),
					},
					Ask: "nvidia-smi --query-gpu=name,compute_cap --format=csv, and the version of the package",
				},
			),
			Samples: []string{
				"RuntimeError: CUDA error: no kernel image is available for execution on the device",
				"CUDA failure 209: no kernel image is available for execution on the device ; GPU=0",
				"failed: CUDA_ERROR_NO_BINARY_FOR_GPU",
			},
			Misses: []string{"a kernel image is available"},
			Source: "https://github.com/pytorch/pytorch/issues/31285",
		},
		{
			ID: "cuda-invalid-device-function", Product: "cuda",
			Literals: []string{"invalid device function", "cudaErrorInvalidDeviceFunction"},
			Layer:    rule.GPUArch, Strength: Weak, ExplainedBy: []string{"ARC001", "ARC002"},
			Meaning: "A kernel is not in the code that was loaded for this GPU (error 98, 8 before CUDA 10.1).",
			Causes: causes(Cause{
				Title: "A kernel of this program has no code for the GPU[: {sm}] (invalid device function)",
				Text:  "The extension or program was compiled for other architectures[ than {sm} ({sm|cc})], or with another CUDA than the runtime that loads it.[ Code for {sm} begins with CUDA {sm|firstcuda}: a build made with an older CUDA has none.]",
				Remedies: []Remedy{
					fix("build it anew for this GPU: [TORCH_CUDA_ARCH_LIST={sm|cc}, or -gencode for {sm} || TORCH_CUDA_ARCH_LIST or CMAKE_CUDA_ARCHITECTURES with the GPU's compute capability], with the CUDA of its framework"),
					fix("or use a release of the framework that is built with CUDA {sm|firstcuda} or newer[: torch {sm|torchforarch}]"),
				},
				Ask: "nvidia-smi --query-gpu=name,compute_cap --format=csv",
			}),
			Samples: []string{"CUDA error: invalid device function", "cudaErrorInvalidDeviceFunction: invalid device function"},
			Misses:  []string{"invalid device ordinal"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
		{
			ID: "cuda-invalid-kernel-image", Product: "cuda",
			Literals: []string{"device kernel image is invalid", "cudaErrorInvalidKernelImage", "CUDA_ERROR_INVALID_IMAGE", "CUDA_ERROR_INVALID_SOURCE"},
			Layer:    rule.GPUArch, Strength: Weak, ExplainedBy: []string{"ARC001", "ARC002", "CUD003", "CUD004"},
			Meaning: "The driver does not take the machine code it is given (error 200).",
			Causes: causes(
				Cause{
					When: on(Below("driver", "550")), Layer: rule.Driver, Confidence: rule.Possible,
					Title: "Driver {driver} cannot load this program's GPU code (device kernel image is invalid, 200)",
					Text:  "Code that CUDA 12.4 and newer compress in the new way needs a driver of 550 or newer; a damaged kernel cache gives the same message.",
					Remedies: []Remedy{
						fix("update the driver to 550 or newer, or use a build made with CUDA {driver|cuda} or older"),
						fix("or clear the kernel caches", "shell", "rm -rf ~/.triton/cache ~/.nv/ComputeCache"),
					},
				},
				Cause{
					Title: "The GPU code that is loaded does not fit this GPU[ ({sm})] or this driver[ ({driver})] (device kernel image is invalid, 200)",
					Text:  "It is for another architecture, packed in a way that this driver cannot unpack, or a kernel cache from another GPU or release holds it.",
					Remedies: []Remedy{
						fix("clear the kernel caches and run again", "shell", "rm -rf ~/.triton/cache ~/.nv/ComputeCache"),
						fix("then a build for this GPU[ ({sm})] made with a CUDA that the driver[ {driver}] runs, or a newer driver"),
					},
					Ask: "nvidia-smi, and which package brings the kernel",
				},
			),
			Samples: []string{"RuntimeError: Triton Error [CUDA]: device kernel image is invalid", "CUDA_ERROR_INVALID_IMAGE"},
			Misses:  []string{"no kernel image is available for execution on the device"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
	}
}
