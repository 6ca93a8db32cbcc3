package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// usesCPU is what people and programs say where the GPU is left out without an
// error. The reason is in what else the text tells.
func usesCPU() []*Signature {
	return []*Signature{
		{
			ID: "program-uses-cpu", Product: "CUDA programs",
			Literals: []string{"uses the CPU", "uses only the CPU", "only uses the CPU", "using the CPU", "uses CPU", "using CPU", "only cpu is used", "only the CPU is used", "CPU is used instead", "only CPUExecutionProvider", "only uses CPU", "runs on the CPU", "running on the CPU", "runs on CPU", "running on CPU", "instead of the GPU", "instead of GPU",
				"not using GPU", "not using the GPU", "not use the GPU", "not use GPU", "not used by", "GPU is not used", "not detect the GPU", "not detect GPU", "not find the GPU", "GPU not detected", "GPU is not detected", "GPUs are not detected", "cannot use the GPU", "can't use the GPU", "lists only the CPU", "GPU not found", "not utilizing GPU", "not recognize the GPU", "inference is using the CPU", "model on cpu", "调用显卡", "调用gpu", "使用gpu", "使用显卡", "用到gpu", "用到了cpu", "用的是cpu", "还是用cpu", "只用cpu", "只使用cpu", "识别gpu", "识别显卡", "检测到gpu", "找不到gpu", "找不到显卡", "GPUが使", "GPUを使"},
			Pattern: `(?i)(?:us(?:es|ing)|runs|running|falls? back) (?:only )?(?:on |to )?(?:the )?CPU\b|instead of (?:the )?GPU|only (?:the )?cpu is used|cpu is used instead|only CPUExecutionProvider|(?:not|cannot|can't) (?:us(?:e|ing)|detect|find|utiliz(?:e|ing)|recogni[sz]e) (?:the |my |any )?GPU|GPUs? (?:is |are )?not (?:used|detected|found)|lists only the CPU|\bmodel on cpu\b|(?:没有?|无法|不能|未|不会|不)(?:自动)?(?:调用|使用|用到|用上|识别到?|检测到?|找到)(?:了)?(?:使用)? ?(?:GPU|显卡)|找不到 ?(?:GPU|显卡)|(?:调用|使用|识别)不(?:了|到) ?(?:GPU|显卡)|用(?:到了?|的是|了) ?CPU|(?:只|仅|还是|都|全)(?:是|在)?(?:用|使用) ?CPU|GPUが使(?:われ|え)ない|GPUを使わない`,
			Role:    Consequence,
			Layer:   rule.FrameworkBuild,
			Meaning: "Somebody says that a program does not use the GPU.",
			Causes: causes(
				Cause{
					When:     on(Lists("onnxruntime", "onnxruntime-gpu")),
					Layer:    rule.PackageConflict,
					Title:    "onnxruntime and onnxruntime-gpu are both installed: they share one folder, and the CPU build is in use",
					Text:     "Both packages write the module onnxruntime; the one that was installed last wins, without a warning.",
					Remedies: []Remedy{fix("uninstall both and install onnxruntime-gpu alone", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu", "pip", "python -m pip install onnxruntime-gpu")},
				},
				Cause{
					When:     on(Says("ollama"), Below("cc", "5.0")),
					Layer:    rule.GPUArch,
					Title:    "Ollama does not support the GPU[ {gpu}]: its compute capability is {cc}, 5.0 is the least",
					Text:     "Ollama's builds have no code for GPUs below compute capability 5.0 (Kepler and older). A driver or CUDA installation does not change this.",
					Remedies: []Remedy{fix("use the CPU or a newer GPU; llama.cpp can be built for {sm} with CUDA {sm|lastcuda} or older")},
				},
				Cause{
					When:     on(AtLeast("tensorflow", "2.11"), OnWindows, Not(OnWSL)),
					Title:    "TensorFlow {tensorflow} has no GPU support on native Windows: 2.10 was the last release with it",
					Text:     "From 2.11 on the packages for Windows are for the CPU; a driver, CUDA or cuDNN installation does not change this.",
					Remedies: []Remedy{fix("use WSL2 with tensorflow[and-cuda]"), fix("or TensorFlow 2.10 with CUDA 11.2 and cuDNN 8.1", "pip", "python -m pip install 'tensorflow<2.11'")},
				},
				Cause{
					When:     on(Lists("onnxruntime"), Not(Lists("onnxruntime-gpu"))),
					Title:    "the package onnxruntime is for the CPU: onnxruntime-gpu is needed for the GPU",
					Text:     "The plain package has no CUDA provider, whatever the driver and CUDA are.",
					Remedies: []Remedy{fix("replace it", "pip", "python -m pip uninstall -y onnxruntime", "pip", "python -m pip install onnxruntime-gpu")},
				},
				Cause{
					When: on(Lists("onnxruntime-gpu")), Layer: rule.FrameworkBuild, Confidence: rule.Possible,
					Title: "onnxruntime-gpu {onnxruntime} takes the CPU: the CUDA or cuDNN that is installed is most likely not the one that this release is built for",
					Text:  "Each release looks for one CUDA major release and one cuDNN: 1.5 and 1.6 for CUDA 10.2 and cuDNN 8.0, 1.7 to 1.12 for CUDA 11 (11.0, from 1.9 on 11.4) and cuDNN 8, 1.13 to 1.17 for CUDA 11.6 to 11.8 and cuDNN 8, 1.18 and 1.19 for CUDA 11.8 or 12 (another index), from 1.20 on CUDA 12 and cuDNN 9. Where the libraries are not found it warns and uses the CPU.",
					Remedies: []Remedy{
						fix("install the CUDA and cuDNN of this release, or the release of onnxruntime-gpu that is built for the CUDA that is here", "check", `python -c "import onnxruntime as o; print(o.__version__, o.get_available_providers()); o.preload_dlls()"`),
						fix("give the providers when the session is made: providers=[\"CUDAExecutionProvider\", \"CPUExecutionProvider\"], and read its first warning"),
					},
				},
				Cause{
					When:  on(Says("ollama", "Dynamic LLM libraries"), Any(Says("runners=[cpu]", "[cpu cpu_avx cpu_avx2]", "loaded CPU backend", "no GPU backends"), Says("pacman", "nixos", "nixpkgs", "ollama-cuda", "AUR package", "from the AUR", "snap install", "brew install"))),
					Title: "This installation of Ollama has no CUDA runner: it is a package for the CPU, or incomplete",
					Text:  "Distributions split Ollama: Arch's ollama is for the CPU and ollama-cuda for NVIDIA, NixOS has services.ollama.acceleration = \"cuda\" (pkgs.ollama-cuda). An archive that was unpacked in part, or an update over an old installation, lacks lib/ollama/cuda_v12 in the same way. The driver is not at fault.",
					Remedies: []Remedy{
						fix("install Ollama's CUDA package in place of it", "Arch", "sudo pacman -S ollama-cuda", "Linux", "curl -fsSL https://ollama.com/install.sh | sh"),
						fix("remove the old lib/ollama folder before an update, and see that it has cuda_v12 or cuda_v13 afterwards", "check", "ls /usr/lib/ollama /usr/local/lib/ollama"),
					},
				},
				Cause{
					When:     on(Says("ollama"), InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "Ollama's container does not use the GPU",
					Text:     "Without --gpus=all, or without the NVIDIA container toolkit on the host, the container has no GPU.",
					Remedies: []Remedy{fix("start it with the GPU", "docker", "docker run -d --gpus=all -p 11434:11434 --name ollama ollama/ollama"), fix("install and configure the toolkit on the host", "docker", "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker")},
					Ask:      "docker exec ollama nvidia-smi",
				},
				Cause{
					When: on(Says("tensorflow", "keras"), Not(Has("tensorflow")), Not(Says("pytorch", "torch", "onnxruntime", "ollama", "llama.cpp"))), Confidence: rule.Possible,
					Title: "TensorFlow does not use the GPU[ ({gpu})]: on native Windows no release after 2.10 can; on Linux it does not find its CUDA or cuDNN",
					Text:  "tensorflow[and-cuda] brings NVIDIA's libraries on Linux and in WSL2; on Windows it installs the build for the CPU. Before 2.0 the package for the GPU was tensorflow-gpu.",
					Remedies: []Remedy{
						fix("see what it is built for and what it finds: the first lines it logs name a library that is missing", "check", "python -c 'import tensorflow as t; print(t.__version__, t.test.is_built_with_cuda(), t.config.list_physical_devices())'"),
						fix("on Windows use WSL2 with tensorflow[and-cuda], or TensorFlow 2.10 with CUDA 11.2 and cuDNN 8.1"),
					},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "the program does not use the GPU; the text does not say why",
					Text:       "Usual causes: a build for the CPU, CUDA libraries that are not found, a driver that is too old or missing, or no GPU in the container.[ The GPU is {gpu}.][ The driver is {driver}.]",
					Remedies: []Remedy{
						when(fix("see whether its PyTorch has CUDA; where torch.version.cuda is None, install the CUDA build from PyTorch's own index (cu118, cu126 or cu128)", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())'"), Not(Says("tensorflow", "onnxruntime", "ollama", "llama.cpp"))),
						fix("raise the program's log level and look for the first line about CUDA"),
					},
					Ask: "nvidia-smi where the program runs, and the program's first log lines",
				},
			),
			Samples: []string{"The service starts but runs on the CPU.", "whisper is not using GPU", "it works, but uses CPU only", "detects the model but does not detect the GPU", "为什么没有调用显卡", "程序还是用CPU"},
			Misses:  []string{"the CPU is used by 3 processes; using the CPUs evenly"},
			Source:  "https://github.com/deepinsight/insightface/issues/2394",
		},
	}
}
