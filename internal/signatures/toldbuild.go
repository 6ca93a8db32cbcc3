package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// unused are words by which somebody says that the GPU has nothing to do.
var unused = Says("CPU", "idle", "no usage", "not used", "not using", "not use", "unused", "no GPU", "0 % ", "too slow", "is slow", "very slow", "no effect", "False", "not detected", "not found", "GPU support", "not see", "get it back", "isn't listed", "not listed")

// toldBuild is what people and logs tell of packages that have no CUDA in them.
func toldBuild() []*Signature {
	return []*Signature{
		{
			ID: "told-torch-cpu", Product: "pytorch",
			Literals: []string{"torch 2.", "torch 1.", "torch==1.", "torch==2.", "torch-1.", "torch-2.", "PyTorch 2", "torch.__version__", "PyTorch version", "Torch version", "torch version"},
			Pattern:  `(?i)\b(?:torch|pytorch)\b[^\n+]{0,40}?(?P<torch>[12]\.\d{1,2}\.\d\+cpu)\b`,
			Role:     Told, Layer: rule.FrameworkBuild,
			Where:   on(Any(unused, fails, Says("CPU support", "installs")), Any(Has("gpu"), Says("GPU", "nvidia", "CUDA"))),
			Meaning: "The text names a PyTorch without CUDA.",
			Causes: causes(Cause{
				Title:    "torch {torch} is a CPU build: it has no CUDA, whatever driver and toolkit are installed",
				Text:     "The local version +cpu names a wheel without CUDA. pip takes it where the index or the platform gives no other, for example when another package's requirement or an update replaces the CUDA build.",
				Remedies: []Remedy{fix("uninstall it and install a CUDA build[: torch {driver_cuda|torchfordriver} || , for example of the index cu126 or cu128 (cu118 for old drivers)]", "pip", "python -m pip uninstall -y torch torchvision torchaudio", "pip", "python -m pip install torch torchvision torchaudio --index-url https://download.pytorch.org/whl/cu126")},
				Ask:      "python -c 'import torch; print(torch.__version__, torch.version.cuda)'",
			}),
			Samples: []string{"10:01:02-123456 INFO     Torch 2.1.0+cpu"},
			Misses:  []string{"torchaudio-2.1.0+cpu.whl"},
			Source:  "https://pytorch.org/get-started/locally/",
		},
		{
			ID: "told-cpu-build", Product: "CUDA programs",
			Literals: []string{"CPU wheel", "CPU build", "CPU version", "CPU variant", "CPU package", "CPU-only", "CPU only", "CPU wheels", "`cpu` version", "`cpu` build", "pytorch-cpu", ".org/whl/cpu", "[cpuonly]", "cpuonly  ", " cpuonly", " mkl_py3", " eigen_py3", "torch.version.cuda", "version.cuda is None"},
			Pattern:  `(?i)\bCPU[` + "`" + `'"]?(?:[- ]only)? (?:wheel|build|version|variant|package|torch|pytorch|tensorflow|jax)s?\b|pytorch-cpu\b|/whl/cpu\b|\b(?:mkl|eigen)_py3|\bcpuonly\b|version\.cuda\W+(?:\w+\W+){0,2}None\b`,
			Role:     Told, Layer: rule.FrameworkBuild,
			Where:   on(Any(unused, fails, Says("instead of", "even when", "even though", "installs")), Says("GPU", "CUDA", "nvidia", "RTX", "Tesla"), Not(Says("on purpose", "no GPU in this"))),
			Meaning: "Somebody says that a framework's build is one for the CPU.",
			Causes: causes(
				Cause{
					When:     on(Says("tensorflow"), Not(Says("torch"))),
					Title:    "the installed TensorFlow[ {tensorflow}] is a CPU build",
					Text:     "Conda's mkl and eigen variants, tensorflow-cpu and native Windows from 2.11 on have no CUDA. A driver or a toolkit beside it does not change this.",
					Remedies: []Remedy{fix("install the build with CUDA", "pip", "python -m pip install 'tensorflow[and-cuda]'", "conda", "conda install -c conda-forge 'tensorflow=*=cuda*'")},
				},
				Cause{
					When:     on(Says("onnxruntime"), Not(Says("torch"))),
					Title:    "the installed onnxruntime is the CPU package: onnxruntime-gpu is needed",
					Text:     "Both packages write the module onnxruntime; the last one that was installed is in use.",
					Remedies: []Remedy{fix("take both out and install the GPU one alone", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu", "pip", "python -m pip install onnxruntime-gpu")},
				},
				Cause{
					When:     on(InConda, Says("torch")),
					Title:    "the installed PyTorch[ {torch}] is a CPU build, which Conda's solver or channel chose",
					Text:     "Conda takes a CPU build where cpuonly is installed, where it sees no driver while it solves (CONDA_OVERRIDE_CUDA helps), or where the channel comes first that has no CUDA build. cudatoolkit beside it does not change the build.",
					Remedies: []Remedy{fix("ask for a CUDA build by name: pytorch-gpu of conda-forge, or pytorch with cuda in the build's name", "conda", "conda install -c conda-forge pytorch-gpu"), fix("or take PyTorch's own wheel into the environment", "pip", "python -m pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/cu126")},
					Ask:      "conda list | grep -i -e torch -e cpuonly -e cuda",
				},
				Cause{
					When:     on(Says("torch")),
					Title:    "the installed PyTorch[ {torch}] is a CPU build: it has no CUDA",
					Text:     "pip gives a wheel without CUDA from the index /whl/cpu, and on Windows from the general index; a lock file or another package's requirement keeps or brings it. The driver and the CUDA toolkit are not the reason.",
					Remedies: []Remedy{fix("install the CUDA build from PyTorch's own index[: torch {driver_cuda|torchfordriver} || , cu126 or cu128 for example], and name that index in the lock file or requirements too", "pip", "python -m pip install --force-reinstall torch torchvision --index-url https://download.pytorch.org/whl/cu126")},
					Ask:      "python -c 'import torch; print(torch.__version__, torch.version.cuda)'",
				},
			),
			Samples: []string{"it resolves to the CPU wheel", "tensorflow 2.9.1 mkl_py39h43c3acb_0", "torch.version.cuda prints None", "--extra-index-url https://download.pytorch.org/whl/cpu"},
			Misses:  []string{"torch.version.cuda is 12.1", "CPU core versions"},
			Source:  "https://github.com/pytorch/pytorch/issues/32369",
		},
		{
			ID: "told-llama-cpp-python", Product: "llama.cpp",
			Literals: []string{"llama-cpp-python", "llama_cpp_python", "n_gpu_layers"},
			Pattern:  `(?i)llama[-_]cpp[-_]python|\bn_gpu_layers\b`,
			Role:     Told, Layer: rule.FrameworkBuild,
			Where:   on(unused, Says("GPU", "CUDA", "nvidia")),
			Meaning: "Somebody says that llama-cpp-python leaves the GPU unused.",
			Causes: causes(Cause{
				When:     on(Says("llama-cpp-python", "llama_cpp_python", "llama_cpp")),
				Title:    "llama-cpp-python is built without CUDA, so n_gpu_layers has no effect and all layers stay on the CPU",
				Text:     "pip install llama-cpp-python compiles or takes a build for the CPU; CUDA must be asked for when it is built. PyTorch and the driver are not concerned.",
				Remedies: []Remedy{fix("build it with CUDA (needs nvcc of a toolkit)", "pip", "CMAKE_ARGS=\"-DGGML_CUDA=on\" python -m pip install --force-reinstall --no-cache-dir llama-cpp-python"), fix("or take the wheel for the CUDA in use from the project's own index (cu121 to cu125)")},
				Ask:      "python -c 'import llama_cpp; print(llama_cpp.llama_supports_gpu_offload())'",
			}),
			Samples: []string{"llama-cpp-python stays on the CPU whatever n_gpu_layers is"},
			Misses:  []string{"llama.cpp server"},
			Source:  "https://github.com/abetlen/llama-cpp-python/issues/514",
		},
	}
}
