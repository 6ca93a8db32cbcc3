package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortLibraryCauses are why a library that ONNX Runtime's provider is linked to is not found.
func ortLibraryCauses() []Cause {
	const needs = "libonnxruntime_providers_{provider}.so is linked to {lib|base}[ ({lib|component} of CUDA {lib|cudamajor})], and the loader does not find it. " + ortFallsBack
	return causes(
		Cause{
			When:  on(Says("bareun", "executionProvider\"", "trt_libs")),
			Title: "the server's ONNX Runtime cannot load its GPU provider: {lib|base} is not in the image",
			Text:  needs + "The image brings ONNX Runtime, but not this library; the host's CUDA is not visible inside. executionProvider.provider in the server's configuration asks for the GPU and the server works on the CPU.",
			Remedies: []Remedy{
				fix("bring {lib|base} into the container ([{lib|pip} || a wheel of nvidia-*-cu12 || the CUDA and cuDNN libraries of that major]) and add its directory to LD_LIBRARY_PATH", "docker", "docker run --gpus all -v /opt/cuda-libs:/opt/cuda-libs -e LD_LIBRARY_PATH=/opt/cuda-libs {image}"),
				fix("until then set executionProvider.provider to cpu, so that the configuration says what happens"),
			},
			Ask: "docker exec into the container: ldd libonnxruntime_providers_{provider}.so | grep 'not found'",
		},
		Cause{
			When:  on(Is("lib", `^libcudnn(_\w+)?\.so\.8`)),
			Title: "ONNX Runtime needs cuDNN 8 ({lib|base}), which is not found",
			Text:  needs + "Builds up to 1.18 use cuDNN 8; cuDNN 9[ (here {cudnn})] has other file names and does not serve them.",
			Remedies: []Remedy{
				fix("move to onnxruntime-gpu 1.19 or newer with CUDA 12 and cuDNN 9", "pip", "python -m pip install -U 'onnxruntime-gpu[cuda,cudnn]'"),
				fix("or add cuDNN 8 to the environment and its directory to LD_LIBRARY_PATH", "pip", "python -m pip install 'nvidia-cudnn-cu12==8.9.*'"),
			},
		},
		Cause{
			When:  on(Is("lib", `^libcudnn(_\w+)?\.so\.9`)),
			Title: "ONNX Runtime needs cuDNN 9 ({lib|base}), which is not found",
			Text:  needs + "Builds from 1.19 (from 1.18.1 for CUDA 12) use cuDNN 9; cuDNN 8[ (here {cudnn})] does not serve them. From 1.20 on the sub-libraries are linked directly, so all of cuDNN must be there.",
			Remedies: []Remedy{
				fix("install cuDNN 9 ([{lib|pip} || nvidia-cudnn-cu12 for a CUDA 12 build, nvidia-cudnn-cu13 for CUDA 13]) and call onnxruntime.preload_dlls() before the first session, or import torch first", "pip", "python -m pip install {lib|pip}", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'"),
				fix("or put cuDNN's lib directory on LD_LIBRARY_PATH before the program starts"),
				fix("or, on cuDNN 8, stay with onnxruntime-gpu 1.18 or older"),
			},
		},
		Cause{
			When:  on(Is("lib", `^libnv(infer|onnxparser)`)),
			Layer: rule.TensorRT,
			Title: "ONNX Runtime's TensorRT provider needs {lib|base}, which is not found",
			Text:  needs + "Each onnxruntime-gpu is built for one TensorRT major release. Without TensorRT the CUDA provider still works.",
			Remedies: []Remedy{
				fix("leave TensorrtExecutionProvider out of providers=[…] where TensorRT is not needed"),
				fix("or install TensorRT {lib|somajor} for the CUDA of the build, with its directory on LD_LIBRARY_PATH", "pip", "python -m pip install 'tensorrt-cu12=={lib|somajor}.*'"),
			},
		},
		Cause{
			When:  on(Is("lib", `\.so\.11|libcufft\.so\.10|libcudart\.so\.11\.0`), Not(Is("lib", `libcufft\.so\.11|libcusolver`))),
			Title: "this onnxruntime-gpu is built for CUDA 11: {lib|base} is not found[, CUDA {toolkit} is here || , PyTorch here is of CUDA {torch_cuda}]",
			Text:  needs + "Up to 1.18 the package index has builds for CUDA 11; libraries of CUDA 12 do not serve them.",
			Remedies: []Remedy{
				fix("on CUDA 12, move to onnxruntime-gpu 1.19 or newer, which is built for CUDA 12 and cuDNN 9", "pip", "python -m pip install -U 'onnxruntime-gpu[cuda,cudnn]'"),
				fix("or install the CUDA 11.8 libraries and cuDNN 8 and put them on LD_LIBRARY_PATH ([{lib|pip} || nvidia-cublas-cu11 and its relatives])", "pip", "python -m pip install {lib|pip}"),
			},
		},
		Cause{
			When:  on(Is("lib", `\.so\.13|libcufft\.so\.12`)),
			Title: "this onnxruntime-gpu is built for CUDA 13: {lib|base} is not found[, CUDA {toolkit} is here || , the driver is {driver}]",
			Text:  needs + "From 1.27 on the package index has builds for CUDA 13, which need driver 580 or newer; libraries of CUDA 12 do not serve them.",
			Remedies: []Remedy{
				fix("with a driver of 580 or newer install the CUDA 13 libraries", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'"),
				fix("on CUDA 12 stay with a build for it: onnxruntime-gpu below 1.27", "pip", "python -m pip install 'onnxruntime-gpu<1.27'"),
			},
		},
		Cause{
			When:  on(Is("lib", `\.so\.12|libcufft\.so\.11`), Any(Is("toolkit", `^11`), Is("runtime", `^11`), Is("torch_cuda", `^11`), Is("toolkit", `^13`), Is("torch_cuda", `^13`))),
			Title: "this onnxruntime-gpu is built for CUDA 12: {lib|base} is not found[, the toolkit here is {toolkit} || , PyTorch here is of CUDA {torch_cuda}]",
			Text:  needs + "From 1.19 to 1.26 the package index has builds for CUDA 12; libraries of another major release do not serve them.",
			Remedies: []Remedy{
				fix("install the CUDA 12 libraries beside: {lib|pip} and its relatives, cuDNN 9", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'"),
				fix("or take the onnxruntime-gpu of the CUDA that is here: 1.18 or older for CUDA 11 (with cuDNN 8), 1.27 or newer for CUDA 13"),
			},
		},
		Cause{
			Title: "ONNX Runtime cannot load its [{provider} ]provider: {lib|base} is not found",
			Text:  needs + "PyTorch's wheels bring such libraries too, but ONNX Runtime finds them only after import torch or onnxruntime.preload_dlls().",
			Remedies: []Remedy{
				fix("install the libraries of the build's CUDA[ {lib|cudamajor}], [{lib|pip}, ]with the package's extras, and call onnxruntime.preload_dlls() (1.21 and later) before the first session", "pip", "python -m pip install 'onnxruntime-gpu[cuda,cudnn]'", "python", "import onnxruntime; onnxruntime.preload_dlls()"),
				fix("or put the directory that has {lib|base} on LD_LIBRARY_PATH before the program starts"),
			},
			Ask: "find / -name '{lib|base}*' 2>/dev/null; echo $LD_LIBRARY_PATH",
		},
	)
}

// ortCPUCauses are why a build without the GPU provider is in use.
func ortCPUCauses(title string) []Cause {
	reinstall := fix("take every onnxruntime package out, then install the GPU one alone", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu", "pip", "python -m pip install onnxruntime-gpu")
	return causes(
		Cause{
			When:     on(Lists("onnxruntime", "onnxruntime-gpu")),
			Layer:    rule.PackageConflict,
			Title:    title + ": onnxruntime and onnxruntime-gpu share one folder, and the CPU package was written last",
			Text:     "Both packages install the module onnxruntime; the one installed last wins, often as a dependency of another package. pip does not warn.",
			Remedies: []Remedy{reinstall},
			Ask:      "python -m pip list | grep -i onnxruntime",
		},
		Cause{
			When:     on(Says("onnxruntime-gpu", "OnnxRuntime.Gpu"), Not(OnJetson)),
			Layer:    rule.PackageConflict,
			Title:    title + ", although onnxruntime-gpu is meant: the CPU package onnxruntime overwrote it, or another environment is in use",
			Text:     "onnxruntime and onnxruntime-gpu install the same module into one folder; the one installed last wins, often as a dependency of another package (rembg, insightface, faster-whisper). pip does not warn.",
			Remedies: []Remedy{reinstall},
			Ask:      "python -m pip list | grep -i onnxruntime; python -c 'import onnxruntime as o; print(o.__version__, o.__file__, o.get_available_providers())'",
		},
		Cause{
			When:     on(OnJetson),
			Title:    title + ": the package index has no GPU build for Jetson",
			Text:     "On aarch64 plain pip installs the CPU build. Builds for JetPack come from NVIDIA's Jetson index or the Jetson Zoo, for one JetPack and Python each.",
			Remedies: []Remedy{fix("install the onnxruntime-gpu wheel that is made for this JetPack and Python instead of the one of the package index")},
		},
		Cause{
			Title:    title + ": it is the CPU package, or the CPU package overwrote the GPU one",
			Text:     "Only onnxruntime-gpu (NuGet Microsoft.ML.OnnxRuntime.Gpu, Maven onnxruntime_gpu) has it. Where onnxruntime is installed beside it, both write into one folder and the last one wins. A driver or CUDA installation does not change this.",
			Remedies: []Remedy{reinstall},
			Ask:      "python -m pip list | grep -i onnxruntime; python -c 'import onnxruntime as o; print(o.__version__, o.__file__, o.get_available_providers())'",
		},
	)
}
