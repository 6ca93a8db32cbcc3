package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// compiledFor are packages with parts that are compiled for one torch, each with the words that name it.
var compiledFor = []struct {
	name  string
	words []string
}{
	{"flash-attn", []string{"flash_attn", "flash-attn", "flash attention", "flashattn"}},
	{"detectron2", []string{"detectron2"}}, {"mmcv", []string{"mmcv"}}, {"apex", []string{"apex", "amp_C"}}, {"xformers", []string{"xformers"}},
	{"torch-scatter", []string{"torch_scatter", "torch-scatter"}}, {"torch-sparse", []string{"torch_sparse", "torch-sparse"}}, {"pytorch3d", []string{"pytorch3d"}},
	{"mamba-ssm", []string{"mamba_ssm", "mamba-ssm", "causal_conv1d", "causal-conv1d"}}, {"deepspeed", []string{"deepspeed"}}, {"vllm", []string{"vllm._C", "vllm/_C"}},
	{"torchvision", []string{"torchvision"}}, {"torchaudio", []string{"torchaudio"}},
}

// compiledForCauses are one cause for each of them.
func compiledForCauses() []Cause {
	var out []Cause
	for _, p := range compiledFor {
		out = append(out, Cause{
			When:     on(Says(p.words...)),
			Title:    p.name + " was compiled for another PyTorch than the one installed[ (torch {torch})]: a symbol of it is missing",
			Text:     "PyTorch's C++ library keeps no ABI between minor releases, so a compiled package loads only with the torch, CUDA and C++ ABI that it was built for. The driver is not at fault.",
			Remedies: []Remedy{fix("install the release or wheel of "+p.name+" that is made for this torch[ {torch}], or compile it again in this environment", "pip", "python -m pip install --force-reinstall --no-build-isolation --no-cache-dir --no-deps "+p.name)},
			Ask:      "python -c 'import torch; print(torch.__version__, torch.version.cuda)'",
		})
	}
	return out
}

// toldFit is what people say of GPUs, packages and builds that do not fit, in words of their own.
func toldFit() []*Signature {
	return []*Signature{
		{
			ID: "told-undefined-symbol", Product: "pytorch",
			Literals: []string{"undefined symbol", "undefined-symbol", "missing symbol", "symbol not found"},
			Pattern:  `(?i)undefined[- ]symbol|missing symbol|symbol not found`,
			Role:     Told, Layer: rule.FrameworkBuild,
			Where:   on(Says("torch")),
			Meaning: "Somebody says that a compiled package lacks a symbol of PyTorch.",
			Causes:  compiledForCauses(),
			Samples: []string{"its import ends in an undefined symbol error"},
			Misses:  []string{"the symbol is defined"},
			Source:  "https://github.com/rusty1s/pytorch_scatter/issues/133",
		},
		{
			ID: "told-gpu-not-supported", Product: "CUDA programs",
			Literals: []string{"not supported", "not yet supported", "unsupported", "refuses to", "not compatible", "incompatible", "too new for", "too old for", "kernels fail", "does not support", "doesn't support", "no longer support", "dropped support", "was dropped"},
			Pattern:  `(?i)(?:not|n't)(?: yet)? support|no longer support|not supported|\bunsupported\b|\brefuses\b|(?:not |in)compatible|too (?:new|old)|kernels fail|\bdropped\b`,
			Role:     Told, Layer: rule.GPUArch,
			Where:   on(fails, Has("gpu"), Not(Says("GSP"))),
			Meaning: "Somebody says that a program does not take his GPU.",
			Causes: causes(
				Cause{
					When:     on(AtLeast("cc", "10.0")),
					Title:    "the program's build is older than the GPU {gpu} (compute capability {cc}, {sm}[, {sm|arch}]): code for it begins with CUDA {sm|firstcuda}",
					Text:     "A build made with an older CUDA has no machine code for {sm}. The driver is not the reason, and a newer toolkit beside the program does not change its build.",
					Remedies: []Remedy{fix("use a build or an image that is made with CUDA {sm|firstcuda} or newer ({sm|firstcuda|cutag}[; for PyTorch: torch {sm|torchforarch}])"), fix("or compile the program for {sm}")},
				},
				Cause{
					When:       on(AtLeast("cc", "8.0"), aboutOldBuild),
					Confidence: rule.Possible,
					Title:      "most likely the program's build[ (torch {torch}) ||  (TensorFlow {tensorflow})] is older than the GPU {gpu} (compute capability {cc}, {sm}[, {sm|arch}]): code for it begins with CUDA {sm|firstcuda}",
					Text:       "A build made with an older CUDA has no machine code for {sm}. The driver is not the reason, and a newer toolkit beside the program does not change its build.",
					Remedies:   []Remedy{fix("use a release that is built with CUDA {sm|firstcuda} or newer ({sm|firstcuda|cutag}[; for PyTorch: torch {sm|torchforarch}])")},
				},
				Cause{
					When:     on(Below("cc", "7.5"), Says("TensorRT")),
					Title:    "TensorRT[ {tensorrt}] no longer has code for the GPU {gpu} (compute capability {cc}, {sm}[, {sm|arch}])",
					Text:     "TensorRT 10 dropped Kepler, Maxwell and Pascal step by step; the support matrix of each release names the least compute capability. Updating the driver does not help.",
					Remedies: []Remedy{fix("use a TensorRT release that still has {sm} (8.6 for Maxwell and Pascal), or another GPU")},
				},
				Cause{
					When:     on(Below("cc", "7.5")),
					Title:    "the program's build no longer has code for the GPU {gpu} (compute capability {cc}, {sm}[, {sm|arch}])",
					Text:     "Newer builds leave old GPUs out[; the last CUDA with {sm} is {sm|lastcuda}]. Updating the driver or the toolkit does not help.",
					Remedies: []Remedy{fix("use an older release, or a variant that keeps {sm}[: for PyTorch torch {sm|torchforarch}], or another GPU")},
				},
			),
			Samples: []string{"the image prints that the GPU is not supported by this release", "it refuses to build for this card"},
			Misses:  []string{"the GPU is supported"},
			Source:  "https://developer.nvidia.com/cuda-gpus",
		},
		{
			ID: "told-new-gpu-does-not-work", Product: "CUDA programs",
			Literals: []string{"not work on", "n't work on", "not work with", "n't work with", "not working on", "not working with", "never work", "不支持", "不支援", "support for", "not adapted"},
			Pattern:  `(?i)(?:n't|\bnot|\bnever) work(?:ing)? (?:on|with)\b|不支[持援]|(?:no|add|any|plans?[\w ]{0,12}|have|hope[\w ]{0,12}) support for|not adapted`,
			Role:     Told, Layer: rule.GPUArch,
			Where:   on(AtLeast("cc", "10.0"), Not(Says("GSP", "Xorg", "wayland", "nouveau", "dkms", "dmesg", "NVRM", "kernel module", "modprobe", "passthrough", "monitor", "BIOS"))),
			Meaning: "Somebody says that a program does not work on a new GPU.",
			Causes: causes(Cause{
				Confidence: rule.Possible,
				Title:      "most likely the program's build is older than the GPU {gpu} (compute capability {cc}, {sm}[, {sm|arch}]): code for it begins with CUDA {sm|firstcuda}",
				Text:       "A build made with an older CUDA has no machine code for {sm}. The driver is not the reason, and a newer toolkit beside the program does not change its build.",
				Remedies:   []Remedy{fix("use a build or an image that is made with CUDA {sm|firstcuda} or newer ({sm|firstcuda|cutag}[; for PyTorch: torch {sm|torchforarch}])")},
				Ask:        "the error message with the lines before it, and python -c 'import torch; print(torch.__version__, torch.cuda.get_arch_list())'",
			}),
			Samples: []string{"It simply does not work on my 5090", "won't work with a 5080", "no support for the 50 series", "5090 不支持"},
			Misses:  []string{"it works on the 4090", "支持 5090"},
			Source:  "https://github.com/ai-dock/stable-diffusion-webui-forge/issues/16",
		},
		{
			ID: "told-wheel-of-another-cuda", Product: "CUDA wheels",
			Literals: []string{"nvidia-nccl-cu", "nvidia-cudnn-cu", "nvidia-cublas-cu", "nvidia-cuda-runtime-cu", "nvidia-nvjitlink-cu", "nvidia-cusparse-cu", "nvidia-cuda-nvrtc-cu"},
			Pattern:  `\bnvidia-(?P<what>nccl|cudnn|cublas|cuda-runtime|nvjitlink|cusparse|cuda-nvrtc)-cu(?P<have>1[1-3])\b`,
			Role:     Told, Layer: rule.CUDALibraries,
			Where:   on(Any(fails, Says("hangs", "hang ", "instead", "next to", "beside"))),
			Meaning: "A text names a wheel of CUDA's libraries for another major release than PyTorch's.",
			Causes: causes(
				Cause{
					When: on(Is("what", "nccl"), Differ("have", "torch_cuda|major")), Layer: rule.NCCL,
					Title:    "nvidia-nccl-cu{have} is installed, and PyTorch[ {torch}] is of CUDA {torch_cuda}: it needs nvidia-nccl-cu{torch_cuda|major}",
					Text:     "Both wheels write the same libnccl.so.2; the one of another CUDA major release does not serve this PyTorch.",
					Remedies: []Remedy{fix("take both out and install the one of PyTorch's CUDA", "pip", "python -m pip uninstall -y nvidia-nccl-cu11 nvidia-nccl-cu12 nvidia-nccl-cu13; python -m pip install nvidia-nccl-cu{torch_cuda|major}")},
				},
				Cause{
					When: on(Is("what", "cudnn"), Differ("have", "torch_cuda|major")), Layer: rule.CUDNN,
					Title:    "nvidia-cudnn-cu{have} is installed, and PyTorch[ {torch}] is of CUDA {torch_cuda}: it needs nvidia-cudnn-cu{torch_cuda|major}",
					Text:     "Both wheels write into nvidia/cudnn; the one of another CUDA major release does not serve this PyTorch.",
					Remedies: []Remedy{fix("take both out and install the one of PyTorch's CUDA", "pip", "python -m pip uninstall -y nvidia-cudnn-cu11 nvidia-cudnn-cu12 nvidia-cudnn-cu13; python -m pip install nvidia-cudnn-cu{torch_cuda|major}")},
				},
				Cause{
					When:     on(Differ("have", "torch_cuda|major")),
					Title:    "nvidia-{what}-cu{have} is installed, and PyTorch[ {torch}] is of CUDA {torch_cuda}: it needs nvidia-{what}-cu{torch_cuda|major}",
					Text:     "Libraries of another CUDA major release have other file names and do not serve this PyTorch.",
					Remedies: []Remedy{fix("install the wheels that this torch asks for", "pip", "python -m pip install --force-reinstall torch=={torch} --index-url https://download.pytorch.org/whl/{torch|variant}"), fix("reinstall torch, so that pip brings the wheels it asks for")},
				},
			),
			Samples: []string{"nvidia-nccl-cu11 2.14.3 next to torch 2.1.0+cu121"},
			Misses:  []string{"nvidia-nccl is installed"},
			Source:  "https://github.com/NVIDIA/nccl-tests/issues/6",
		},
		{
			ID: "told-cpu-provider", Product: "onnxruntime",
			Literals: []string{"CPUExecutionProvider"},
			Pattern:  `(?i)\b(?:with|on|uses?|using|only|to|chooses|picks|shows|lists|got|get)(?: the| only)? ['"\x60]?CPUExecutionProvider\b`,
			Role:     Told, Layer: rule.FrameworkBuild,
			Where:   on(Says("CUDAExecutionProvider", "GPU", "CUDA"), Not(Seen("ort-cuda-provider-not-created"))),
			Meaning: "Somebody says that ONNX Runtime uses its CPU provider.",
			Causes: causes(Cause{
				When:     on(Not(Says("onnxruntime-gpu", "onnxruntime_gpu", "OnnxRuntime.Gpu"))),
				Title:    "the package onnxruntime is for the CPU: onnxruntime-gpu is needed for the GPU",
				Text:     "The plain package has no CUDA provider, whatever the driver and CUDA are; a provider that is asked for and not there is passed over.",
				Remedies: []Remedy{fix("uninstall it and install the GPU package alone", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu", "pip", "python -m pip install onnxruntime-gpu")},
				Ask:      "python -m pip list | grep -i onnxruntime",
			}),
			Samples: []string{"it runs with CPUExecutionProvider although I ask for CUDAExecutionProvider"},
			Misses:  []string{"['CUDAExecutionProvider', 'CPUExecutionProvider']"},
			Source:  "https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html",
		},
		{
			ID: "told-ggml-without-cuda", Product: "llama.cpp",
			Literals: []string{"CUDA = 0", "whisper.cpp", "no GPU found"},
			Pattern:  `\bCUDA = 0\b|whisper\.cpp|no GPU found`,
			Role:     Told, Layer: rule.FrameworkBuild,
			Where:   on(unused, Says("whisper.cpp", "llama.cpp", "WHISPER :", "ggml"), Any(Has("gpu"), Says("nvidia"))),
			Meaning: "Somebody says that whisper.cpp or llama.cpp leaves the GPU unused.",
			Causes: causes(Cause{
				Title:    "the program is compiled without ggml's CUDA backend: GGML_CUDA was not switched on",
				Text:     "A plain make or cmake builds for the CPU alone. The driver is not at fault.",
				Remedies: []Remedy{fix("compile it again with the CUDA backend (needs nvcc)", "cmake", "cmake -B build -DGGML_CUDA=1 && cmake --build build -j --config Release")},
			}),
			Samples: []string{"the banner of whisper.cpp says CUDA = 0"},
			Misses:  []string{"CUDA = 1"},
			Source:  "https://github.com/ggml-org/whisper.cpp",
		},
		{
			ID: "told-device-assert", Product: "pytorch",
			Literals: []string{"device-side assert", "device side assert", "srcSelectDimSize", "index out of range", "label out of range"},
			Pattern:  `(?i)device[- ]side assert|srcIndex < srcSelectDimSize|(?:index|label)(?:es|s)? (?:is |are )?out of range`,
			Role:     Told, Layer: rule.Application,
			Where:   on(Says("CUDA", "GPU", "device-side", "device side", "cuda:"), Not(Says("list index out of range", "tuple index out of range", "string index out of range"))),
			Meaning: "Somebody says that a kernel found an index out of range.",
			Causes: causes(Cause{
				Title:    "not the stack: an index is out of range: a label against the number of classes, or a token against the embedding's vocabulary",
				Text:     "A device-side assert is the program's own check inside a kernel. Labels run from 0 to the number of classes minus 1; token ids must be below the embedding's size (resize_token_embeddings after tokens were added). Installing anything anew does not help.",
				Remedies: []Remedy{fix("run it on the CPU, or with CUDA_LAUNCH_BLOCKING=1, to see which line it is, and check the range of labels and indices", "bash", "CUDA_LAUNCH_BLOCKING=1 python train.py")},
			}),
			Samples: []string{"training ends in a device-side assert"},
			Misses:  []string{"assert on the host"},
			Source:  "https://pytorch.org/docs/stable/notes/cuda.html",
		},
		{
			ID: "c10d-rendezvous-timeout", Product: "pytorch",
			Literals: []string{"client socket has timed out", "client socket has failed to connect", "server socket has failed to bind", "server socket has failed to listen"},
			Pattern:  `client socket has (?:timed out|failed to connect)(?: after \d+\w*)?(?: while trying to connect to)? ?\(?\[?(?P<host>[\w.:-]*)|server socket has failed to (?:bind|listen)`,
			Layer:    rule.Application,
			Meaning:  "A process of torch.distributed does not reach the one that coordinates.",
			Causes: causes(Cause{
				Title:    "not the stack: torch.distributed does not reach the master's address and port over the network",
				Text:     "MASTER_ADDR or --rdzv-endpoint names a host or port that is not reachable (a firewall, another interface, a name that resolves to 127.0.0.1), the first node has not started, or the port is in use. GPUs, driver and NCCL are not concerned yet.",
				Remedies: []Remedy{fix("check address, port and firewall between the nodes; on one node take another port", "bash", "nc -vz $MASTER_ADDR $MASTER_PORT")},
			}),
			Samples: []string{"[c10d] The client socket has timed out after 60s while trying to connect to (192.0.2.7, 29400).", "[c10d] The server socket has failed to bind to [::]:29500 (errno: 98 - Address already in use)."},
			Misses:  []string{"the client socket was closed"},
			Source:  "https://github.com/pytorch/pytorch/blob/main/torch/csrc/distributed/c10d/socket.cpp",
		},
	}
}
