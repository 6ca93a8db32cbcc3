package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// aboutPython are words of texts about frameworks in Python and the programs on them.
var aboutPython = Says("pytorch", "torch.", "torch ", "torch=", "tensorflow", "keras", "jaxlib", " jax ", "paddle", "onnxruntime", "onnx runtime", "mxnet", "numba", "cudf", "pip install", "requirements", "conda ", ".py\"", ".py ", "python", "whisper", "llama", "diffusion", "comfyui", "colab", "kaggle", "jupyter", "notebook")

// What such a text is about.
var (
	aboutSeveralGPUs = Says("nccl", "torchrun", "DistributedDataParallel", "DataParallel", "multi-gpu", "multi gpu", "multiple gpus", "all_reduce", "init_process_group", "deepspeed")
	aboutImport      = Says("undefined symbol", "ImportError", "DLL load failed", "No module named", "cannot import", "can't import", "failed to import")
	aboutMemory      = Says("out of memory", "vram ", " vram", "gpu memory", "batch size", "batch_size", "cublas")
	aboutCuDNN       = Says("cudnn")
	aboutOldBuild    = Says("cuda 9", "cuda 10", "cuda10", "cuda=10", "cudatoolkit=10", "cu102", "cu101", "cu100", "torch 1.", "torch==1.", "pytorch 1.", "tensorflow 1.", "tensorflow==1.", "tf 1.1")
	aboutCPUUse      = Says("use gpu", "use the gpu", "using gpu", "using the gpu", "use my gpu", "not use cuda", "n't use cuda", "cannot use cuda", "able to use cuda", "not using cuda", "n't using cuda", "gpu usage", "the cpu", "on cpu", "cpu only", "only cpu", "is_available", "no gpu", "gpu_available", "list_physical_devices", "not detect", "gpu not", "cuda not", "gpu support", "recogni", "没有调用", "用到了cpu", "用的是cpu")
	// aboutSomebody are words of a person who asks, which logs do not have.
	aboutSomebody = Says("when i ", "i have", "i get ", "i got ", "i am ", "i'm ", "i can", "i want", "i use", "i run", "my gpu", "my code", "please", "help me", "how to", "how can", "how do", "anyone", "any idea", "any help", "any suggestion", "thanks", "thank you", "i tried", "trying", "we are ", "we have", "请问", "怎么", "什么")
	// aboutFramework is a person's text about a framework or a program on one.
	aboutFramework = every("the text asks about a framework in Python", aboutPython, aboutSomebody, Any(aboutSeveralGPUs, aboutImport, aboutMemory, aboutCuDNN, aboutCPUUse))
)

// every holds where all of several conditions do.
func every(name string, list ...Condition) Condition {
	out := Condition{Name: name}
	for _, x := range list {
		out.Words = append(out.Words, x.Words...)
	}
	out.Holds = func(c *Case) bool {
		for _, x := range list {
			if !x.Holds(c) {
				return false
			}
		}
		return true
	}
	return out
}

// frameworkTopics come behind those of containers, clusters, VMs and kernels, and before those of the machine.
func frameworkTopics() []Cause {
	return []Cause{
		topic(Cause{
			When: on(aboutFramework, aboutSeveralGPUs), Layer: rule.NCCL,
			Title:    "Several GPUs: most likely NCCL cannot use a transport between them (peer access, shared memory, the network interface), or one process failed before the others",
			Text:     "With one GPU nothing of it is used. NCCL_DEBUG=INFO prints which step fails; a small /dev/shm in a container, P2P that the machine's IOMMU blocks, and an interface that the other node does not reach are usual.",
			Remedies: []Remedy{fix("let NCCL tell, then rule one thing out at a time", "shell", "NCCL_DEBUG=INFO python PROGRAM", "shell", "NCCL_P2P_DISABLE=1 python PROGRAM", "check", "df -h /dev/shm; nvidia-smi topo -m")},
			Ask:      "the first lines with NCCL WARN under NCCL_DEBUG=INFO, of all processes",
		}),
		topic(Cause{
			When: on(aboutFramework, aboutImport), Layer: rule.FrameworkBuild,
			Title:    "A compiled package does not load: most likely it was built for another release of the framework[ (here torch {torch} || here TensorFlow {tensorflow})], another CUDA or another Python, or only its part for the CPU is there",
			Text:     "Extensions fit one release of the framework and one CUDA. The driver is rarely the reason for an import that fails.",
			Remedies: []Remedy{fix("compare the releases, then install the package's build for them or compile it in this environment", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda)'; python -m pip check; python -m pip list")},
			Ask:      "the last line of the traceback, and the output of these commands",
		}),
		topic(Cause{
			When: on(aboutFramework, aboutMemory), Layer: rule.Application,
			Title:    "The GPU's memory: most likely it is full[ ({gpu})] (batch, model, or another process), which libraries also report as a handle or a launch that fails",
			Text:     "cuBLAS and cuDNN need memory of their own when they start. nvidia-smi shows who holds it. Driver and toolkit are not at fault then.",
			Remedies: []Remedy{fix("see how full it is while the program runs, end other processes, use a smaller batch", "check", "nvidia-smi")},
			Ask:      "nvidia-smi while it runs, and the whole message",
		}),
		topic(Cause{
			When: on(aboutFramework, aboutCuDNN), Layer: rule.CUDNN,
			Title:    "cuDNN[ {cudnn}]: most likely the one that is found first is not the one that the framework was built with, or the GPU's memory is full when it starts",
			Text:     "PyTorch's wheels bring their own; TensorFlow, ONNX Runtime and Paddle take what the loader finds. One major release does not stand in for another.",
			Remedies: []Remedy{fix("see which copies there are, and which CUDA and cuDNN the framework's release wants", "check", "python -m pip list | grep -i -e cudnn -e torch -e tensorflow; ldconfig -p | grep cudnn; echo $LD_LIBRARY_PATH")},
			Ask:      "the output of these commands",
		}),
		topic(Cause{
			When: on(aboutFramework, AtLeast("cc", "8.0"), aboutOldBuild), Layer: rule.GPUArch,
			Title:    "The framework's build is most likely older than the GPU[ {gpu}] ({sm}), for which code begins with CUDA {sm|firstcuda}",
			Text:     "A build with an older CUDA has no code for {sm}; it fails at the first kernel, hangs, or gives wrong results. A newer driver or toolkit adds none to it.",
			Remedies: []Remedy{fix("use a release of the framework that is built with CUDA {sm|firstcuda} or newer[: torch {sm|torchforarch}]")},
			Ask:      "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.cuda.get_arch_list())', or pip list",
		}),
	}
}

// cpuUseTopic stands before the toolkit's: who says that a program stays on the CPU tells of his toolkit as well.
func cpuUseTopic() Cause {
	return topic(Cause{
		When: on(aboutFramework, aboutCPUUse), Layer: rule.FrameworkBuild,
		Title:    "The program does not use the GPU[ ({gpu})]: most likely its framework[ (torch {torch}) ||  (TensorFlow {tensorflow})] is the build for the CPU, or is built for a CUDA that the driver[ {driver}] does not run",
		Text:     "pip and Conda put a CPU build where a package or an index asks for it; torch.version.cuda is None then. The CUDA toolkit of the system does not matter for PyTorch.",
		Remedies: []Remedy{fix("ask the framework, and install its build for CUDA where it has none", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())'; nvidia-smi")},
		Ask:      "the output of these commands",
	})
}
