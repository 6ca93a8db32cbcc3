package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cTranslate2 is what CTranslate2 and what is built on it, faster-whisper and WhisperX, say.
func cTranslate2() []*Signature {
	return []*Signature{
		{
			ID: "ct2-library-missing", Product: "ctranslate2",
			Literals: []string{"is not found or cannot be loaded"},
			Pattern:  `Library (?P<lib>libcu\w+\.so\.\d+|cu\w+64_\d+\.dll) is not found or cannot be loaded`,
			Strength: Strong,
			Meaning:  "CTranslate2 loads cuBLAS at run time and does not find it.",
			Causes: causes(
				Cause{
					When:  on(Is("lib", `so\.11|64_11`)),
					Layer: rule.CUDALibraries,
					Title: "CTranslate2[ {ctranslate2}] needs {lib} of CUDA 11, which is not found[; PyTorch here is of CUDA {torch_cuda} || ; the toolkit here is {toolkit}]",
					Text:  "CTranslate2 before 4.0 is built for CUDA 11. cuBLAS comes with the CUDA toolkit 11 or the wheel nvidia-cublas-cu11; the driver does not bring it, and cuBLAS 12 does not stand in for it.",
					Remedies: []Remedy{
						fix("install cuBLAS of CUDA 11 and put its directory on LD_LIBRARY_PATH before the program starts", "pip", "python -m pip install nvidia-cublas-cu11", "bash", `export LD_LIBRARY_PATH=$(python -c "import nvidia.cublas, os; print(os.path.join(nvidia.cublas.__path__[0], 'lib'))"):$LD_LIBRARY_PATH`),
						fix("or move to CTranslate2 4, which is built for CUDA 12", "pip", "python -m pip install -U ctranslate2"),
					},
				},
				Cause{
					Layer: rule.CUDALibraries,
					Title: "CTranslate2[ {ctranslate2}] needs {lib}[ of CUDA {lib|cudamajor}], which is not found[; PyTorch here is of CUDA {torch_cuda} || ; the toolkit here is {toolkit} || ; the driver's CUDA is {driver_cuda}]",
					Text:  "CTranslate2 4 is built for CUDA 12 alone. cuBLAS of CUDA 11 or 13 does not stand in for it, and the driver does not bring it; one driver serves all of them. The wheel's directory is not on the loader's path by itself.",
					Remedies: []Remedy{
						fix("install cuBLAS of CUDA 12 and put its directory on LD_LIBRARY_PATH (PATH on Windows) before the program starts", "pip", "python -m pip install nvidia-cublas-cu12", "bash", `export LD_LIBRARY_PATH=$(python -c "import nvidia.cublas, os; print(os.path.join(nvidia.cublas.__path__[0], 'lib'))"):$LD_LIBRARY_PATH`),
						when(fix("on CUDA 11 stay with CTranslate2 3.24.0", "pip", "python -m pip install ctranslate2==3.24.0"), Any(Is("toolkit", "^11"), Is("torch_cuda", "^11"), Is("driver_cuda", "^11"))),
					},
					Ask: "find / -name 'libcublas.so.*' 2>/dev/null",
				},
			),
			Samples: []string{"RuntimeError: Library libcublas.so.12 is not found or cannot be loaded", "RuntimeError: Library cublas64_11.dll is not found or cannot be loaded"},
			Misses:  []string{"Library libfoo.so.12 is not found or cannot be loaded"},
			Source:  "https://github.com/m-bain/whisperX/issues/788",
		},
		{
			ID: "ct2-no-cuda", Product: "ctranslate2",
			Literals: []string{"CTranslate2 package was not compiled with CUDA support"},
			Layer:    rule.FrameworkBuild,
			Strength: Strong,
			Pattern:  `CTranslate2 package was not compiled with CUDA support`,
			Meaning:  "The installed CTranslate2 is a build for the CPU.",
			Causes: causes(
				Cause{
					When:     on(Any(OnJetson, Says("aarch64", "arm64"))),
					Title:    "CTranslate2 for aarch64 is built without CUDA",
					Text:     "The wheels for aarch64 in the package index are for the CPU; on Jetson and Grace it must be built from source with -DWITH_CUDA=ON.",
					Remedies: []Remedy{fix("build CTranslate2 from source with CUDA and cuDNN, or use a container that has it so")},
				},
				Cause{
					Title:    "CTranslate2[ {ctranslate2}] is a build without CUDA",
					Text:     "Wheels for Linux x86-64 and Windows have CUDA; those for macOS and aarch64, Conda's CPU build and own builds without WITH_CUDA do not.",
					Remedies: []Remedy{fix("install the wheel of the package index for this platform anew", "pip", "python -m pip install --force-reinstall ctranslate2"), fix("or use device=\"cpu\"")},
				},
			),
			Samples: []string{"ValueError: This CTranslate2 package was not compiled with CUDA support"},
			Misses:  []string{"CTranslate2 package was compiled"},
			Source:  "https://github.com/OpenNMT/CTranslate2/issues/1780",
		},
	}
}
