package signatures

import (
	"slices"

	"strata/internal/rule"
	. "strata/internal/signature"
)

// libraryCauses are why a library of the toolkit or cuDNN is not found, most specific first.
func libraryCauses() []Cause {
	install := []Remedy{
		when(fix("take the paddlepaddle-gpu that is built for the CUDA here, from Paddle's own index (cu118, cu126, cu129): the one of the package index is for an old CUDA", "pip", "python -m pip install paddlepaddle-gpu -i https://www.paddlepaddle.org.cn/packages/stable/cu126/"), Says("paddle")),
		when(fix("take the MXNet that is built for the CUDA that is here, whose name has it: mxnet-cu100 for CUDA 10.0, mxnet-cu101 for 10.1, mxnet-cu102, mxnet-cu110, mxnet-cu112, mxnet-cu117"), Says("mxnet")),
		when(fix("take the CuPy of the CUDA that is here: cupy-cuda11x for CUDA 11, cupy-cuda12x for CUDA 12, cupy-cuda13x for CUDA 13, and only one of them"), Says("cupy-cuda")),
		when(fix("take the ctranslate2 of the CUDA that is here: 4.0 or newer for CUDA 12 (4.5 for cuDNN 9), 3.24 for CUDA 11", "pip", "python -m pip install -U ctranslate2"), Says("ctranslate2", "faster_whisper", "faster-whisper", "whisperx")),
		fix("install [the {lib|component} library of CUDA {lib|cudamajor}: {lib|pip} || {lib|pip} || the package that brings {lib|base}] into the environment that runs the program", "pip", "python -m pip install {lib|pip}"),
		fix("where {lib|base} is on the disk already, put its directory on LD_LIBRARY_PATH before the program starts"),
		fix("where only another major release is there, use the program's build for that release instead; a symlink from another major does not work"),
	}
	const needs = "A program asked the dynamic linker for {lib|base}[, the {lib|component} library of CUDA {lib|cudamajor}], and none of the directories that it searches has it. "
	return causes(
		jetsonContainerLibrary(),
		Cause{
			When:  on(Is("lib", `^libcudnn(_\w+)?\.so\.8`)),
			Title: "{lib|base} is not found: the program is built for cuDNN 8",
			Text:  needs + "cuDNN 9 does not have libraries of this name: what is installed by default today[, such as cuDNN {cudnn},] does not serve a build for cuDNN 8.",
			Remedies: []Remedy{
				fix("move to a release of the program that is built for cuDNN 9 (ONNX Runtime 1.19, CTranslate2 4.5, PyTorch 2.4 and later)"),
				when(fix("in an image, start from one that has cuDNN 8: nvidia/cuda with a tag of cudnn8 and runtime (12.2.2-cudnn8-runtime-ubuntu22.04), not base or plain runtime"), InContainer),
				fix("or install cuDNN 8 beside it (libcudnn8 of NVIDIA's apt repository, or the wheel): nvidia-cudnn-cu12 of version 8.9 for CUDA 12, nvidia-cudnn-cu11 for CUDA 11, and put its lib directory on LD_LIBRARY_PATH", "pip", "python -m pip install 'nvidia-cudnn-cu12==8.9.*'"),
			},
			Ask: "find / -name 'libcudnn*' 2>/dev/null; python -m pip list | grep -i cudnn",
		},
		Cause{
			When:  on(Is("lib", `^libcudnn(_\w+)?\.so\.9`)),
			Title: "{lib|base} is not found: cuDNN 9 is missing or not on the loader's path",
			Text:  needs + "The wheel keeps it in nvidia/cudnn/lib of site-packages, where programs that are no part of PyTorch do not look. cuDNN 8 does not stand in for it.",
			Remedies: []Remedy{
				fix("install cuDNN 9 for the CUDA of the program: [{lib|pip} || nvidia-cudnn-cu12 for CUDA 12, nvidia-cudnn-cu13 for CUDA 13]", "pip", "python -m pip install {lib|pip}"),
				when(fix("in an image, start from one that has cuDNN 9: nvidia/cuda with a tag of cudnn and runtime (12.4.1-cudnn-runtime-ubuntu22.04), not base or plain runtime"), InContainer),
				fix("put the directory of the wheel on LD_LIBRARY_PATH before the program starts, or import torch first, which loads its own copy", "bash",
					`export LD_LIBRARY_PATH=$(python -c "import nvidia.cudnn, os; print(os.path.join(nvidia.cudnn.__path__[0], 'lib'))"):$LD_LIBRARY_PATH`),
			},
			Ask: "find / -name 'libcudnn*.so.9' 2>/dev/null",
		},
		Cause{
			When:     on(Is("lib", `^libcudart\.so\.13|^lib\w+\.so\.13$|^libcufft\.so\.12|^libcusolver\.so\.12`), Any(Has("driver"), Has("torch_cuda"), Has("toolkit")), Any(Is("driver_cuda", `^12`), Is("torch_cuda", `^12`), Is("toolkit", `^12`), Is("driver", `^5[2-7]\d\.`))),
			Title:    "{lib|base} is not found: the program is built for CUDA 13, the rest of the environment is of CUDA 12",
			Text:     needs + "[PyTorch is built with CUDA {torch_cuda}. ][The toolkit is {toolkit}. ][The driver is {driver}. ]Libraries of CUDA 12 do not stand in for those of 13, and CUDA 13 needs driver 580 or newer.",
			Remedies: []Remedy{fix("install the program's build for CUDA 12 (cu12, cu126, cu128), or an older release of it that is still built so"), fix("or move everything to CUDA 13: driver 580 or newer, and {lib|pip}", "pip", "python -m pip install {lib|pip}")},
		},
		Cause{
			When: on(Is("lib", `^libcudart\.so`), Says("torchaudio/_extension", "libtorchaudio", "torchaudio/lib", "torchvision/_C", "torchvision/image.so")), Layer: rule.PackageConflict,
			Title:    "torchaudio or torchvision is built for CUDA {lib|cudamajor} ({lib|base}), and torch[ {torch}][ (CUDA {torch_cuda})] for another: they were installed apart",
			Text:     "torch, torchvision and torchaudio must be of one release and one CUDA.[ torch {torch} goes with torchvision {torch|torchvision}.][ torch {torch} goes with torchaudio {torch|torchaudio}.] Installing {lib|base} does not mend the pair.",
			Remedies: []Remedy{fix("install the three together from one index[: {torch|variant}]", "pip", "python -m pip install --force-reinstall torch torchvision torchaudio --index-url https://download.pytorch.org/whl/{torch|variant}")},
		},
		Cause{
			When: on(Is("lib", `^libcu(?:dart|blas|sparse)\.so|^libc(?:ufft|usolver|urand)\.so`), Says("torch_sparse/", "torch_scatter/", "torch_cluster/", "torch_spline_conv/", "pyg_lib/", "dgl/", "mmcv/", "detectron2/", "pytorch3d/", "spconv/", "flash_attn")), Layer: rule.FrameworkBuild,
			Title: "An extension of PyTorch is built for CUDA {lib|cudamajor} ({lib|base}), and torch[ {torch}][ (CUDA {torch_cuda})] is of another CUDA",
			Text:  "Extensions (torch-scatter, torch-sparse, torch-cluster, mmcv, DGL, flash-attn and others) are compiled for one release of torch and one CUDA. {lib|base} is the runtime of CUDA {lib|cudamajor}, which this torch does not bring; installing it beside does not make the two fit.",
			Remedies: []Remedy{
				fix("install the extension's wheel for this torch and CUDA[ ({torch})]: for PyG from its index by torch's version and variant", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda)'", "pip", "python -m pip install --force-reinstall --no-cache-dir torch-scatter torch-sparse -f https://data.pyg.org/whl/torch-{torch}.html"),
				fix("or install the torch that is built for CUDA {lib|cudamajor}"),
			},
		},
		Cause{
			When:  on(Is("lib", `^lib(?:cublas|cublasLt|cudart|curand)\.so\.11|^libcufft\.so\.10|^libcusparse\.so\.11`), Says("onnxruntime")),
			Title: "This onnxruntime-gpu[ {onnxruntime}] is built for CUDA 11, and {lib|base} of it is not found[: the toolkit here is CUDA {toolkit} || : PyTorch here is of CUDA {torch_cuda}]",
			Text:  needs + "onnxruntime-gpu of the package index is for CUDA 11 up to 1.18, and for CUDA 12 with cuDNN 9 from 1.19 on. Libraries of CUDA 12 do not stand in for those of 11.",
			Remedies: []Remedy{
				fix("where the driver runs CUDA 12 (525 or newer), take a release for it, with cuDNN 9", "pip", "python -m pip install -U 'onnxruntime-gpu[cuda,cudnn]>=1.20'"),
				fix("or keep this release and install the libraries of CUDA 11 for it, with their directories on LD_LIBRARY_PATH", "pip", "python -m pip install nvidia-cublas-cu11 nvidia-cuda-runtime-cu11 nvidia-cufft-cu11 nvidia-curand-cu11 'nvidia-cudnn-cu11<9'"),
			},
			Ask: "python -m pip list | grep -i -e onnxruntime -e nvidia-; nvidia-smi",
		},
		Cause{
			When:  on(Is("lib", `^lib\w+\.so\.(?:[789]|10)\.\d$`), Any(Differ("lib|sorelease", "toolkit"), every("only a runtime is named", Not(Has("toolkit")), Differ("lib|sorelease", "runtime")))),
			Title: "{lib|base} of CUDA {lib|sorelease} is not found: here is CUDA [{toolkit} || {runtime}]",
			Text:  needs + "Before CUDA 11 each minor release had file names of its own: the program is built for {lib|sorelease} exactly, and the libraries of [{toolkit} || {runtime}] do not stand in for it. A symlink does not help either.",
			Remedies: []Remedy{
				fix("install the program's build for the CUDA that is here, or compile it against it (for packages such as PyCUDA: without pip's cache)", "pip", "python -m pip install --force-reinstall --no-cache-dir --no-binary :all: PACKAGE"),
				fix("or install CUDA {lib|sorelease} beside it and put its lib64 directory on LD_LIBRARY_PATH", "conda", "conda install cudatoolkit={lib|sorelease}"),
			},
			Ask: "ls -d /usr/local/cuda*; ldconfig -p | grep {lib|stem}",
		},
		Cause{
			When:  on(Is("lib", `^lib\w+\.so\.(?:9|10|11)(?:\.\d)?$`), Any(Is("torch_cuda", `^1[23]`), Is("toolkit", `^1[23]`), Is("runtime", `^1[23]`))),
			Title: "{lib|base}[ of CUDA {lib|cudamajor}] is not found: [the toolkit here is CUDA {toolkit} || PyTorch here is of CUDA {torch_cuda} || a newer CUDA is here]",
			Text:  needs + "The program was built for an older major release than the one that is installed; newer libraries do not stand in for it.",
			Remedies: append([]Remedy{
				fix("install the program's build for the CUDA that is here (a cu12 wheel for CUDA 12, a cu13 wheel for CUDA 13)"),
			}, install...),
		},
		Cause{
			When:  on(Is("lib", `^libcudart\.so\.12|^lib\w+\.so\.12$|^libcufft\.so\.11`), Any(Is("torch_cuda", `^13`), Is("toolkit", `^13`), Is("runtime", `^13`))),
			Title: "{lib|base} is not found: the program is built for CUDA 12, the rest of the environment is of CUDA 13",
			Text:  needs + "[PyTorch is built with CUDA {torch_cuda}. ][The toolkit is {toolkit}. ]Libraries of CUDA 13 do not stand in for those of 12.",
			Remedies: append([]Remedy{
				fix("install the program's build for CUDA 13 (onnxruntime-gpu 1.27 or newer, a cu13 wheel), or add the libraries of CUDA 12 beside: {lib|pip}", "pip", "python -m pip install {lib|pip}"),
			}, install...),
		},
		Cause{
			When:  on(Is("lib", `^libnvJitLink`)),
			Title: "{lib|base} is not found, which cuSPARSE and cuSOLVER load",
			Text:  needs + "It came as a library of its own with CUDA 12. cuSPARSE and cuSOLVER of that release need it beside them.",
			Remedies: []Remedy{fix("install {lib|pip}, of a release that is not older than cuSPARSE's", "pip", "python -m pip install {lib|pip}"),
				fix("take directories of other CUDA installations off LD_LIBRARY_PATH, so that the wheel's own is found")},
		},
		Cause{
			When:  on(Is("lib", `^libnv(infer|onnxparser)`)),
			Layer: rule.TensorRT,
			Title: "{lib|base} is not found: TensorRT [{lib|somajor} ]is not installed or not on the loader's path",
			Text:  needs + "TensorRT is a product of its own; neither the CUDA toolkit nor PyTorch brings it, and each major release has its own file names.",
			Remedies: []Remedy{
				fix("install TensorRT [{lib|somajor}]: [{lib|pip} || tensorrt-cu12 or tensorrt-cu13], and put its directory (tensorrt_libs) on LD_LIBRARY_PATH", "pip", "python -m pip install {lib|pip}"),
				fix("or do without it: leave TensorRT out of the program's list of backends"),
			},
			Ask: "find / -name 'libnvinfer.so*' 2>/dev/null",
		},
		Cause{
			When:     on(Is("lib", `^libnccl`)),
			Title:    "{lib|base} is not found: NCCL is missing or not on the loader's path",
			Text:     needs + "NCCL is no part of the CUDA toolkit; PyTorch's wheels bring it as nvidia-nccl-cu12 (cu11, cu13), others want the system's libnccl2.",
			Remedies: append([]Remedy{fix("install NCCL: libnccl2 of NVIDIA's apt repository, nccl of Conda, or nvidia-nccl-cu12 of pip", "Debian, Ubuntu", "sudo apt-get install libnccl2", "conda", "conda install -c conda-forge nccl")}, install...),
		},
		Cause{
			When:  on(InContainer),
			Title: "{lib|base} is not found in the container",
			Text:  needs + "In a container the image has to bring it: the NVIDIA container runtime adds the driver's libraries alone, no library of the CUDA toolkit.",
			Remedies: append([]Remedy{
				fix("start from an image that has it: nvidia/cuda with a tag of CUDA {lib|cudamajor} and runtime (cudnn-runtime for cuDNN), not base"),
			}, install...),
			Ask: "ldconfig -p | grep {lib|stem}",
		},
		Cause{
			When:  on(InConda),
			Title: "{lib|base} is not found in the Conda environment",
			Text:  needs + "Conda keeps CUDA's libraries in the environment's lib directory; a package from pip in the same environment does not look there by itself.",
			Remedies: append([]Remedy{
				fix("install {lib|conda} of CUDA {lib|cudamajor} into the environment", "conda", "conda install -c conda-forge {lib|conda} cuda-version={lib|cudamajor}"),
			}, install...),
			Ask: "find $CONDA_PREFIX -name '{lib|base}*'",
		},
		Cause{
			Title: "{lib|base}[ of CUDA {lib|sorelease}] is not found",
			Text: needs + "[It is a library of the toolkit of CUDA {lib|sorelease}, and the driver does not bring it. ]Another major release of the library does not stand in for it." +
				"[ LD_LIBRARY_PATH is {library_path}.]",
			Remedies: slices.Clone(install),
			Ask:      "which file has it: find / -name '{lib|base}*' 2>/dev/null",
		},
	)
}
