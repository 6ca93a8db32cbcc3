package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvrtc is what the run-time compiler says.
func nvrtc() []*Signature {
	return []*Signature{
		{
			ID: "nvrtc-gpu-architecture", Product: "nvrtc",
			Literals: []string{"invalid value for --gpu-architecture", "invalid value for `--gpu-architecture"},
			Pattern:  "nvrtc: error: invalid value for `?--gpu-architecture",
			Layer:    rule.GPUArch, ExplainedBy: []string{"ARC001"},
			Meaning: "NVRTC, the run-time compiler, does not know the GPU's architecture.",
			Causes: causes(Cause{
				When:  on(Below("cc", "7.5"), Has("sm|lastcuda")),
				Title: "NVRTC is of a CUDA that no longer compiles for this GPU, {sm}[ ({gpu})]: CUDA {sm|lastcuda} was the last that does",
				Text:  "The run-time compiler that the program loads is newer than CUDA {sm|lastcuda} and dropped {sm} ({sm|arch}). The driver is not the reason.",
				Remedies: []Remedy{
					fix("use a build of the program with CUDA {sm|lastcuda} or older", "conda", "conda install -c conda-forge cudatoolkit={sm|lastcuda}"),
					fix("or run it with OpenCL or on the CPU, or on a newer GPU"),
				},
			}, Cause{
				Title: "NVRTC[ of CUDA {cuda}] does not know this GPU[: {sm} ({gpu})]",
				Text:  "The run-time compiler that the framework loads is older[ than CUDA {sm|firstcuda}, where {sm} begins || than the GPU], or so new that it dropped an old one. The driver is not the reason.",
				Remedies: []Remedy{
					fix("use a build of the framework for [CUDA {sm|firstcuda} or newer ({sm|firstcuda|cutag}) || a CUDA that knows the GPU]; where an older libnvrtc is found first, take it off LD_LIBRARY_PATH", "check", "nvidia-smi --query-gpu=name,compute_cap --format=csv"),
				},
			}),
			Samples: []string{"nvrtc: error: invalid value for --gpu-architecture (-arch)", "RuntimeError: nvrtc: error: invalid value for `--gpu-architecture (-arch)`"},
			Misses:  []string{"nvcc: invalid value for --gpu-architecture"},
			Source:  "https://github.com/pytorch/pytorch/issues/47658",
		},
		{
			ID: "nvrtc-builtins-missing", Product: "nvrtc",
			Literals: []string{"failed to open libnvrtc-builtins", "failed to open nvrtc-builtins"},
			Pattern:  `failed to open (?P<lib>(?:lib)?nvrtc-builtins[\w.-]*?)\.?(?:\s|$|'|")`,
			Layer:    rule.CUDARuntime, Strength: Strong,
			Meaning: "NVRTC does not find its builtins, which must be of the same release and beside it.",
			Causes: causes(Cause{
				Title: "NVRTC does not find {lib}",
				Text:  "libnvrtc and libnvrtc-builtins must be of one release of CUDA and in one directory. A libnvrtc of another package or release was loaded, or the package is incomplete.",
				Remedies: []Remedy{
					fix("install NVRTC[ for CUDA {cuda|major}] anew and complete, and take other CUDA directories off LD_LIBRARY_PATH", "pip", "python -m pip install --force-reinstall nvidia-cuda-nvrtc-cu{cuda|major}"),
				},
				Ask: "find / -name 'libnvrtc*' 2>/dev/null; echo $LD_LIBRARY_PATH",
			}),
			Samples: []string{"nvrtc: error: failed to open libnvrtc-builtins.so.11.7.", "RuntimeError: nvrtc: error: failed to open nvrtc-builtins64_118.dll."},
			Misses:  []string{"failed to open libnvrtc.so.12"},
			Source:  "https://github.com/pytorch/TensorRT/issues/3893",
		},
	}
}
