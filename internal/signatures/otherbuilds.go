package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// otherBuilds are dlib, LightGBM, XGBoost, Paddle and NCCL of a build that does not fit.
func otherBuilds() []*Signature {
	return []*Signature{
		{
			ID: "dlib-without-cuda", Product: "dlib",
			Literals: []string{"DLIB_USE_CUDA", "DLIB WILL NOT USE CUDA"},
			Pattern:  `DLIB_USE_CUDA\W{0,6}(?:\b(?:is|returns?|returned|gives|shows|prints?|was|->|=|:)\W{0,4})*\s*(?:(?i:False)|OFF|0)\b|DLIB_USE_CUDA\)\s[^\n]{0,60}?\b(?:getting|returns?|is|gives|shows|prints?|get|got) (?i:false)\b|DLIB WILL NOT USE CUDA`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "dlib was compiled without CUDA.",
			Causes: causes(Cause{
				Title:    "dlib is compiled without CUDA: DLIB_USE_CUDA is False",
				Text:     "pip compiles dlib on this machine, and leaves CUDA out where it finds no toolkit (nvcc), no cuDNN with its headers, or a host compiler that nvcc does not take. Its configure output says which.",
				Remedies: []Remedy{fix("install the CUDA toolkit and cuDNN with headers, then compile it again and read what it says of CUDA and cuDNN", "pip", "python -m pip uninstall -y dlib; python -m pip install dlib --no-cache-dir --no-binary dlib -v")},
				Ask:      "the lines about CUDA and cuDNN in the output of that command",
			}),
			Samples: []string{">>> dlib.DLIB_USE_CUDA\nFalse", "dlib.DLIB_USE_CUDA returns False", "-- DLIB WILL NOT USE CUDA"},
			Misses:  []string{"DLIB_USE_CUDA is True", "-DDLIB_USE_CUDA=1"},
			Source:  "https://github.com/davisking/dlib/issues/1703",
		},
		{
			ID: "lightgbm-without-gpu", Product: "lightgbm",
			Literals: []string{"Tree Learner was not enabled in this build"},
			Pattern:  `(?P<what>GPU|CUDA) Tree Learner was not enabled in this build`,
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Meaning: "LightGBM was compiled without its GPU or CUDA learner.",
			Causes: causes(Cause{
				Title:    "the installed LightGBM is compiled without its {what} tree learner",
				Text:     "device=gpu is the OpenCL learner (USE_GPU), device=cuda the one for CUDA (USE_CUDA). The CUDA one is in no wheel of the package index; it must be compiled, or taken from conda-forge. The driver is not at fault.",
				Remedies: []Remedy{fix("compile it with the learner that is asked for", "cuda", "python -m pip install --no-binary lightgbm --config-settings=cmake.define.USE_CUDA=ON lightgbm", "gpu", "python -m pip install --no-binary lightgbm --config-settings=cmake.define.USE_GPU=ON lightgbm"), fix("or train with device=cpu")},
			}),
			Samples: []string{"[LightGBM] [Fatal] CUDA Tree Learner was not enabled in this build."},
			Misses:  []string{"Tree Learner was not enabled in this build of R"},
			Source:  "https://github.com/microsoft/LightGBM/blob/master/src/treelearner/cuda/cuda_single_gpu_tree_learner.hpp",
		},
		{
			ID: "xgboost-without-cuda", Product: "xgboost",
			Literals: []string{"XGBoost version not compiled with GPU support", "No visible GPU is found for XGBoost", "No visible GPU for XGBoost", "not compiled with GPU support", "py-xgboost-cpu", "WARNING: device is changed from GPU to CPU", "Device is changed from GPU to CPU"},
			Pattern:  `(?i)XGBoost version not compiled with GPU support|XGBoost is not compiled with (?:CUDA|GPU)|No visible GPU (?:is found )?for XGBoost|py-xgboost-cpu|Device is changed from GPU to CPU`,
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Meaning: "XGBoost has no CUDA in it, or sees no GPU.",
			Causes: causes(
				Cause{
					When:     on(Says("not compiled with", "py-xgboost-cpu")),
					Title:    "the installed XGBoost is compiled without CUDA",
					Text:     "Conda's py-xgboost-cpu, the macOS and minimal wheels (xgboost-cpu) have no CUDA. A driver or toolkit beside it does not change this.",
					Remedies: []Remedy{fix("install the build with CUDA: pip's xgboost on Linux and Windows, or py-xgboost-gpu of conda-forge", "pip", "python -m pip install --force-reinstall xgboost", "conda", "conda install -c conda-forge py-xgboost-gpu")},
				},
				Cause{
					Layer:    rule.DeviceExposure,
					Title:    "XGBoost sees no GPU",
					Text:     "The build has CUDA; no GPU is visible to the process: no driver or one too old[ (driver {driver})], a container without --gpus all, or CUDA_VISIBLE_DEVICES.",
					Remedies: []Remedy{fix("see what is visible", "check", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES")},
					Ask:      "nvidia-smi, and python -c 'import xgboost; print(xgboost.build_info()[\"USE_CUDA\"])'",
				},
			),
			Samples: []string{"XGBoost version not compiled with GPU support.", "WARNING: /workspace/src/context.cc:44: No visible GPU is found, setting device to CPU. Device is changed from GPU to CPU as we couldn't find any available GPU on the system."},
			Misses:  []string{"mmcv: not compiled with GPU support"},
			Source:  "https://github.com/dmlc/xgboost/blob/master/src/context.cc",
		},
		{
			ID: "paddle-cudnn-not-loaded", Product: "paddlepaddle",
			Literals: []string{"Cannot load cudnn shared library", "Cannot load cublas shared library", "Cannot load curand shared library", "Cannot load nccl shared library", "_dso_handle should not be null"},
			Pattern:  `Cannot load (?P<what>\w+) shared library|(?P<what>\w+?)_dso_handle should not be null`,
			Layer:    rule.CUDNN, Strength: Strong,
			Meaning: "Paddle loads CUDA's libraries at run time and does not find one.",
			Causes: causes(
				Cause{
					When:     on(Is("what", `(?i)cudnn`)),
					Title:    "Paddle cannot load cuDNN[ (the text speaks of cuDNN {cudnn})]: it is not on LD_LIBRARY_PATH (PATH on Windows), or of another major release",
					Text:     "Paddle asks the loader for libcudnn.so without a number (cudnn64_8.dll on Windows). Installed cuDNN is of no use where its directory is not on LD_LIBRARY_PATH, or where the link without a number is missing.",
					Remedies: []Remedy{fix("put cuDNN's directory on LD_LIBRARY_PATH, with libcudnn.so in it", "bash", `export LD_LIBRARY_PATH=$(python -c "import nvidia.cudnn, os; print(os.path.join(nvidia.cudnn.__path__[0], 'lib'))"):$LD_LIBRARY_PATH`), fix("or install the cuDNN that this paddlepaddle-gpu is built for")},
					Ask:      "python -c 'import paddle; print(paddle.version.cuda(), paddle.version.cudnn())'; find / -name 'libcudnn.so*' 2>/dev/null",
				},
				Cause{
					Layer:    rule.CUDALibraries,
					Title:    "Paddle cannot load {what}: its library is not on LD_LIBRARY_PATH (PATH on Windows)",
					Text:     "The libraries of the CUDA that paddlepaddle-gpu is built for must be where the loader looks.",
					Remedies: []Remedy{fix("put their directory on LD_LIBRARY_PATH", "bash", "export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH"), fix("or install a paddlepaddle-gpu of 2.6 or newer, which brings them from wheels")},
				},
			),
			Samples: []string{"RuntimeError: (PreconditionNotMet) Cannot load cudnn shared library. Cannot invoke method cudnnGetVersion.", "[Hint: cublas_dso_handle should not be null.]"},
			Misses:  []string{"Cannot load libfoo shared library path"},
			Source:  "https://github.com/PaddlePaddle/PaddleOCR/issues/7300",
		},
		{
			ID: "nccl-of-another-cuda", Product: "nccl",
			Literals: []string{"+cuda10.", "+cuda11.", "+cuda12.", "+cuda13."},
			Pattern:  `(?i)(?:libnccl2?(?:-dev)?|\bNCCL(?: version)?)[ =:a-z]{0,12}(?P<ncclver>2\.\d+(?:\.\d+)?)(?:-\d)?\+cuda(?P<need>\d+\.\d+)`,
			Role:     Context, Layer: rule.NCCL,
			Where:   on(Seen("nccl-cuda-failure")),
			Meaning: "NCCL's own version names the CUDA that it is built for.",
			Causes: causes(Cause{
				When:     on(Any(Differ("need|major", "torch_cuda|major"), Differ("need|major", "runtime|major"), Differ("need|major", "toolkit|major"))),
				Title:    "NCCL {ncclver} is built for CUDA {need}, and CUDA [{torch_cuda} || {toolkit} || {runtime}] is in use",
				Text:     "An NCCL for another CUDA major release than the program's fails in its first CUDA call.",
				Remedies: []Remedy{fix("install the NCCL for that CUDA (the package's version ends in +cuda and the release)", "apt", "apt-cache madison libnccl2; sudo apt install libnccl2=VERSION+cuda[RELEASE] libnccl-dev=VERSION+cuda[RELEASE]")},
			}),
			Samples: []string{"ii  libnccl2  2.18.3-1+cuda12.2  amd64"},
			Misses:  []string{"torch 2.1.0+cuda11.8"},
			Source:  "https://github.com/NVIDIA/nccl-tests/issues/6",
		},
	}
}
