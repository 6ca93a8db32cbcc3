package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cuPyPackage is what CuPy and spaCy say about how CuPy is installed.
func cuPyPackage() []*Signature {
	return []*Signature{
		{
			ID: "cupy-multiple", Product: "cupy",
			Literals:    []string{"multiple CuPy packages are installed"},
			Pattern:     `multiple CuPy packages are installed`,
			Layer:       rule.PackageConflict,
			Strength:    Strong,
			ExplainedBy: []string{"PKG002"},
			Meaning:     "More than one CuPy distribution is installed; they overwrite each other.",
			Causes: causes(Cause{
				Title:    "several CuPy packages are installed in one environment: they overwrite each other",
				Text:     "cupy, cupy-cuda11x, cupy-cuda12x and cupy-cuda13x install the same module. Only one may be there, the one for the CUDA major release in use.",
				Remedies: []Remedy{fix("remove all of them and install one", "pip", "python -m pip uninstall -y cupy cupy-cuda11x cupy-cuda12x cupy-cuda13x", "pip", "python -m pip install cupy-cuda12x")},
				Ask:      "python -m pip list | grep -i cupy",
			}),
			Samples: []string{"UserWarning: CuPy may not function correctly because multiple CuPy packages are installed in your environment: cupy-cuda11x, cupy-cuda12x"},
			Misses:  []string{"CuPy packages are installed"},
			Source:  "https://github.com/cupy/cupy/blob/main/cupy/_environment.py",
		},
		{
			ID: "cupy-import-failed", Product: "cupy",
			Literals: []string{"Failed to import CuPy", "CuPy is not correctly installed"},
			Pattern:  `Failed to import CuPy|CuPy is not correctly installed`,
			Role:     Consequence,
			Layer:    rule.CUDARuntime,
			Meaning:  "CuPy could not be imported; the original error stands below.",
			Causes: causes(Cause{
				Title:    "CuPy cannot be imported",
				Text:     "Original error, below this line, says why: mostly a CUDA library of the release in the package's name that is not found, a package for another Python, or several CuPy packages at once.",
				Remedies: []Remedy{fix("remove all CuPy packages and install the one for this CUDA", "pip", "python -m pip uninstall -y cupy cupy-cuda11x cupy-cuda12x cupy-cuda13x", "pip", "python -m pip install cupy-cuda12x")},
				Ask:      "the line Original error",
			}),
			Samples: []string{"ImportError: CuPy is not correctly installed. If you are using wheel distribution (cupy-cudaXX), make sure that the version of CuPy you installed matches with the version of CUDA on your host."},
			Misses:  []string{"importing CuPy"},
			Source:  "https://github.com/cupy/cupy/blob/main/cupy/_environment.py",
		},
		{
			ID: "cupy-not-installed", Product: "spacy",
			Literals: []string{"Cannot use GPU, CuPy is not installed", "No GPU devices detected"},
			Pattern:  `(?i)Cannot use GPU, CuPy is not installed|No GPU devices detected`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "spaCy reaches the GPU through CuPy, which is not installed or sees none.",
			Causes: causes(
				Cause{
					When:     on(Says("CuPy is not installed")),
					Title:    "spaCy cannot use the GPU: CuPy is not installed",
					Text:     "spaCy needs the CuPy for the CUDA in use.",
					Remedies: []Remedy{fix("install the one of this CUDA (cupy-cuda12x, cupy-cuda11x, or cupy-cuda101 and the like for older ones), into the environment that runs spaCy", "check", "nvidia-smi; nvcc --version", "CUDA 12", "python -m pip install cupy-cuda12x")},
				},
				Cause{
					Layer:    rule.DeviceExposure,
					Title:    "CuPy is there, but sees no GPU",
					Text:     "No GPU is visible to the process, or the driver does not start.",
					Remedies: []Remedy{fix("check what is visible", "bash", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES")},
				},
			),
			Samples: []string{"ValueError: Cannot use GPU, CuPy is not installed", "ValueError: No GPU devices detected"},
			Misses:  []string{"GPU devices detected: 2"},
			Source:  "https://github.com/explosion/thinc/blob/main/thinc/util.py",
		},
		{
			ID: "spacy-prefer-gpu", Product: "spacy",
			Literals: []string{"prefer_gpu", "require_gpu"},
			Pattern:  `\b(?:prefer|require)_gpu\b`,
			Role:     Consequence, Layer: rule.FrameworkBuild,
			Where:   on(Says("spacy", "thinc"), Says("does not", "doesn't", "not speed", "not use", "False", "slow", "same speed", "no difference", "CPU", "no gpu", "not detect", "nothing", "how to install"), Not(Says("out of memory", "CuPy is not installed", "multiprocess"))),
			Meaning: "spaCy is asked to use the GPU, and does not.",
			Causes: causes(Cause{
				Confidence: rule.Possible,
				Title:      "spaCy does not use the GPU: most likely CuPy for this CUDA[ {toolkit}] is missing in its environment, and prefer_gpu() falls back without a word",
				Text:       "spaCy reaches the GPU through CuPy alone, whatever PyTorch sees and however spaCy was installed. The number in CuPy's name is that of CUDA: cupy-cuda101 for 10.1, cupy-cuda11x, cupy-cuda12x.",
				Remedies:   []Remedy{fix("install the CuPy of this CUDA beside spaCy, and call require_gpu(), which says what is missing", "check", "python -c 'import cupy; print(cupy.zeros((1, 1)))'; python -m pip list | grep -i cupy")},
			}),
			Samples: []string{"spacy.prefer_gpu()", "spacy.require_gpu(0)"},
			Misses:  []string{"prefer gpu"},
			Source:  "https://github.com/explosion/spaCy/issues/5778",
		},
		{
			ID: "cupy-cuda-path", Product: "cupy",
			Literals: []string{"CUDA path could not be detected"},
			Pattern:  `CUDA path could not be detected`,
			Role:     Consequence,
			Layer:    rule.Toolkit,
			Meaning:  "CuPy found no CUDA toolkit; that matters only where its own libraries are not there.",
			Causes: causes(Cause{
				Confidence: rule.Possible,
				Title:      "CuPy found no CUDA toolkit",
				Text:       "A warning. It matters where a library or header is missing afterwards: then CUDA_PATH must name the toolkit.",
				Remedies:   []Remedy{fix("bring the toolkit's parts with the package, or set CUDA_PATH", "pip", "python -m pip install 'cupy-cuda12x[ctk]'", "bash", "export CUDA_PATH=/usr/local/cuda")},
			}),
			Samples: []string{"UserWarning: CUDA path could not be detected. Set CUDA_PATH environment variable if CuPy fails to load."},
			Misses:  []string{"CUDA path detected"},
			Source:  "https://github.com/cupy/cupy/blob/main/cupy/_environment.py",
		},
		{
			ID: "windows-cuda-path-missing", Product: "cupy",
			Literals: []string{"[WinError 2]", "[WinError 3]", "[WinError 123]"},
			Beside:   []string{"gpu computing toolkit", "\\cuda\\", "/cuda/"},
			Pattern:  `\[WinError (?:2|3|123)\][^'"\n]{0,120}['"](?P<path>[A-Za-z]:[^'"\n]*(?:GPU Computing Toolkit|\\cuda\\)[^'"\n]*)['"]`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "A package adds the toolkit's directory from CUDA_PATH, and that directory is not there.",
			Causes: causes(Cause{
				Title: "CUDA_PATH names a directory that does not exist: {path}",
				Text:  "CUDA_PATH must be the toolkit's main directory (C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\vX.Y), to which the package adds bin itself; one that ends in bin, or that is left over from a toolkit that was removed, fails like this.",
				Remedies: []Remedy{
					fix("set CUDA_PATH to the main directory of the toolkit that is installed, without bin, and open a new prompt", "cmd", "echo %CUDA_PATH% & where nvcc"),
					fix("or remove CUDA_PATH where the package brings its own libraries"),
				},
			}),
			Samples: []string{`FileNotFoundError: [WinError 3] The system cannot find the path specified: 'C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.2\\bin\\bin'`},
			Misses:  []string{`FileNotFoundError: [WinError 2] The system cannot find the file specified: 'C:\\work\\model.pt'`},
			Source:  "https://github.com/cupy/cupy/issues/2950",
		},
		{
			ID: "cupy-header-missing", Product: "cupy",
			Literals: []string{"catastrophic error: cannot open source file", "cannot open source file", "Failed to find CUDA headers", "failed to find CUDA headers", "CUDA headers could not be found"},
			Beside:   []string{"cupy", "nvrtc", "cuda_fp16", "cuda_runtime", "cub/", "thrust", "vector_types", "cuda headers"},
			Pattern:  `(?:catastrophic |fatal )?error: cannot open source file "(?P<file>(?:cuda_fp16|cuda_bf16|vector_types|cuda_runtime|cuda_device_runtime_api|cooperative_groups|curand_kernel|cuComplex|math_constants)\.h|(?:cub|thrust|cuda|libcudacxx)/\S+?)"|(?i:failed to find CUDA headers|CUDA headers could not be found)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "A kernel that is compiled at run time includes a header of the CUDA toolkit, which is not found.",
			Causes: causes(Cause{
				Title: "The run-time compiler does not find CUDA's header[ {file}]: the toolkit's headers are not installed for CuPy",
				Text:  "CuPy compiles kernels with NVRTC and needs the headers of the CUDA runtime (cuda_fp16.h and others) from a toolkit, from NVIDIA's wheels or from Conda's cuda-cudart-dev. The driver does not bring them.",
				Remedies: []Remedy{
					fix("install the headers with CuPy", "pip", "python -m pip install 'cupy-cuda12x[ctk]' nvidia-cuda-runtime-cu12", "conda", "conda install -c conda-forge cuda-cudart-dev cuda-cccl"),
					fix("or name a whole toolkit by CUDA_PATH", "shell", "export CUDA_PATH=/usr/local/cuda"),
				},
				Ask: "python -c 'import cupy; cupy.show_config()'",
			}),
			Samples: []string{`/tmp/tmpa1b2/kernel.cu(3): catastrophic error: cannot open source file "cuda_fp16.h"`, "RuntimeError: Failed to find CUDA headers. Please install nvidia-cuda-runtime-cu12"},
			Misses:  []string{`error: cannot open source file "mylib.h"`},
			Source:  "https://github.com/cupy/cupy/blob/main/docs/source/install.rst",
		},
	}
}
