package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// missingLibrary are the words of the dynamic linker and of programs for a
// library of CUDA that is not found.
func missingLibrary() []*Signature {
	return []*Signature{
		{
			ID: "loader-cuda-library-missing", Product: "dynamic linker",
			Literals: []string{"cannot open shared object file", "can not open shared object file", "can't open shared object file"},
			Pattern:  `(?P<lib>` + toolkitLibrary + `)['"]? ?: ?(?:cannot|can not|can't) open shared object file`,
			Strength: Strong,
			Meaning:  "The dynamic linker found no file of this name where it looks.",
			Causes:   libraryCauses(),
			Samples: []string{
				"ImportError: libcublas.so.12: cannot open shared object file: No such file or directory",
				"OSError: libcudnn_cnn_infer.so.8: cannot open shared object file: No such file or directory",
				"./infer: error while loading shared libraries: libnvinfer.so.10: cannot open shared object file: No such file or directory",
			},
			Misses: []string{
				"libX11.so.6: cannot open shared object file: No such file or directory",
				"ImportError: libGL.so.1: cannot open shared object file: No such file or directory",
			},
			Source: "https://github.com/bminor/glibc/blob/master/elf/dl-load.c",
		},
		{
			ID: "loader-library-not-found-ldd", Product: "dynamic linker",
			Literals: []string{"=> not found", "cannot be found", "cannot be loaded", "could not be found", "could not be loaded", "can't be found", "is not found", "is missing", "cannot find", "can't find", "could not find", "couldn't find", "unable to find", "not find", "cannot load", "can't load", "unable to load"},
			Beside:   []string{".so"},
			Pattern: `(?P<lib>` + toolkitLibrary + `)['"` + "`" + `]? (?:=> not found|(?:cannot|could not|can't) be (?:found|loaded|opened)|is not found|is missing)` +
				`|(?i:(?:cannot|can't|could not|couldn't|unable to|fails? to|failed to|does not|doesn't|do not) (?:find|load|open|locate) (?:the )?(?:shared |dynamic )?(?:library |file )?)['"` + "`" + `]?(?P<lib>` + toolkitLibrary + `)`,
			Meaning: "ldd, or somebody's words, say of a library that a program needs that it is not found.",
			Causes:  libraryCauses(),
			Samples: []string{"\tlibcublasLt.so.12 => not found", "the program stops because libcudnn.so.9 cannot be found", "My script cannot find libcufft.so.11 and goes on without the GPU"},
			Misses:  []string{"\tlibstdc++.so.6 => /lib/x86_64-linux-gnu/libstdc++.so.6 (0x00007f)", "\tlibmkl_rt.so.2 => not found"},
			Source:  "https://github.com/bminor/glibc/blob/master/elf/rtld.c",
		},
		{
			ID: "loader-cuda-dll-missing", Product: "Windows loader",
			Literals: []string{"cudart64_", "cublas64_", "cublasLt64_", "cufft64_", "curand64_", "cusolver64_", "cusparse64_", "cudnn64_", "cudnn_ops", "cudnn_cnn", "cudnn_adv", "cudnn_graph", "cudnn_engines",
				"cudnn_heuristic", "nvrtc64_", "nvJitLink_", "nvinfer_", "nvinfer.dll", "zlibwapi"},
			Pattern: `(?i)(?P<lib>(?:cu(?:dart|blas|blasLt|fft|rand|solver|sparse|dnn[a-z_]*)64_|nvrtc64_|nvJitLink_|nvinfer(?:_plugin)?_?|zlibwapi)[0-9_]*\.dll)"?'?\.?\s*(?:(?:was|is|could) not (?:be )?(?:found|loaded|available)|not found|is missing|missing\b)` +
				`|(?:could not (?:load|locate|find)(?: dynamic)?(?: library)?|cannot find|unable to (?:load|find)(?: DLL| library)?|failed to (?:pre)?load(?: DLL| library)?|missing import)[: ]+['"]?(?:[A-Z]:\\[^"']*\\)?(?P<lib>(?:cu(?:dart|blas|blasLt|fft|rand|solver|sparse|dnn[a-z_]*)64_|nvrtc64_|nvJitLink_|nvinfer(?:_plugin)?_?|zlibwapi)[0-9_]*\.dll)`,
			Strength: Strong,
			Meaning:  "Windows found no DLL of this name on PATH, in the program's folder or in the folders that the program added.",
			Causes: causes(Cause{
				When:  on(Is("lib", `(?i)^zlibwapi`)),
				Layer: rule.CUDNN,
				Title: "zlibwapi.dll, which cuDNN 8 needs on Windows, is not found",
				Text:  "cuDNN 8.3 to 8.x calls zlibwapi.dll from the zlib project, which its archive does not contain. Without it cuDNN ends the process.",
				Remedies: []Remedy{
					fix("put the 64-bit zlibwapi.dll that NVIDIA's cuDNN 8 installation guide names beside cudnn64_8.dll, or in a folder on PATH"),
					fix("or move to a build with cuDNN 9, which does not need it"),
				},
			}, Cause{
				When:  on(Is("lib", `(?i)^cudnn\w*_8\.dll$`)),
				Layer: rule.CUDNN,
				Title: "{lib|base} of cuDNN 8 is not found on Windows",
				Text: "The program is built for cuDNN 8, and no folder of PATH and none of its own has {lib|base}. Neither the display driver nor the CUDA toolkit brings cuDNN, and the DLLs of cuDNN 9 have other names and do not stand in for it. " +
					"[CTranslate2 {ctranslate2} || CTranslate2 (faster-whisper)] before 4.5, ONNX Runtime before 1.19 and PyTorch before 2.4 want cuDNN 8.",
				Remedies: []Remedy{
					fix("install cuDNN 8 for the program's CUDA and add its bin folder to PATH, or put its DLLs beside the program; the wheel for CUDA 12 keeps them in site-packages\\nvidia\\cudnn\\bin", "pip", "python -m pip install \"nvidia-cudnn-cu12==8.9.*\""),
					when(fix("or move to a release that is built for cuDNN 9, and install that", "pip", "python -m pip install -U faster-whisper ctranslate2 nvidia-cudnn-cu12 nvidia-cublas-cu12"), Says("whisper", "ctranslate2")),
				},
				Ask: "where {lib|base}",
			}, Cause{
				When:  on(Is("lib", `(?i)^cudnn\w*_9\.dll$`)),
				Layer: rule.CUDNN,
				Title: "{lib|base} of cuDNN 9 is not found on Windows",
				Text: "The program is built for cuDNN 9, and no folder of PATH and none of its own has {lib|base}. Neither the display driver nor the CUDA toolkit brings cuDNN, and the DLLs of cuDNN 8 have other names and do not stand in for it. " +
					"All of cuDNN's DLLs must be there, of one release.",
				Remedies: []Remedy{
					fix("install cuDNN 9 for the program's CUDA and add its bin folder to PATH, or call os.add_dll_directory() before the import; the wheel keeps it in site-packages\\nvidia\\cudnn\\bin", "pip", "python -m pip install \"nvidia-cudnn-cu12==9.*\""),
					fix("or import torch first where it is a build with CUDA: it loads its own copy"),
				},
				Ask: "where {lib|base}",
			}, Cause{
				When:  on(Is("lib", `(?i)^cudnn\w*_[567]\.dll$`)),
				Layer: rule.CUDNN,
				Title: "{lib|base} of cuDNN {lib|somajor} is not found on Windows",
				Text: "The program is built for cuDNN {lib|somajor}, and no folder of PATH and none of its own has {lib|base}. The CUDA toolkit does not bring cuDNN, and a newer major release has other names and does not stand in for it. " +
					"cuDNN 7 exists for CUDA 8.0 to 10.2.",
				Remedies: []Remedy{
					fix("download cuDNN {lib|somajor} for the program's CUDA from NVIDIA's archive and add its bin folder to PATH, or copy its DLLs into the bin folder of that CUDA toolkit"),
					fix("or move to a release of the program that is built for a newer cuDNN"),
				},
				Ask: "where {lib|base}",
			}, Cause{
				When: on(Says("errno 127", "error 127", "error code 127", "WinError 127")), Layer: rule.PackageConflict,
				Title: "{lib|base} is there and lacks a function that is asked of it (error 127): DLLs of two CUDA releases are loaded in one process",
				Text:  "Windows keeps one DLL of a name for the whole process. A second program part (PyTorch, another plugin) that was loaded first brought its own copy of {lib|base}, of another release, or PATH finds another one.",
				Remedies: []Remedy{
					fix("leave one copy: do not load both parts in one process, or give both the same release of CUDA", "check", "where {lib|base}"),
				},
				Ask: "where {lib|base}, and what else is loaded in the process",
			}, Cause{
				Title: "{lib|base} is not found on Windows",
				Text: "The program asked for {lib|base}[, which is {lib|component} of CUDA {lib|cudamajor} || , which is of CUDA {lib|dllrelease}]. It is neither beside the program nor in a folder of PATH. " +
					"The display driver does not bring it, and a DLL with another number in its name does not stand in for it.",
				Remedies: []Remedy{
					fix("install what brings {lib|base}[: {lib|pip}] and let the program find it: add its bin folder to PATH, or os.add_dll_directory() before the import",
						"pip", "python -m pip install {lib|pip}"),
					fix("or install the CUDA toolkit[ {lib|cudamajor}.x || {lib|dllrelease}] for Windows with its bin folder on PATH (cuDNN is a separate download)"),
				},
				Ask: "where {lib|base}",
			}),
			Samples: []string{
				"RuntimeError: Library cublas64_12.dll is not found or cannot be loaded",
				"Could not locate cudnn_ops64_9.dll. Please make sure it is in your library path!",
				"Could not load library cudnn_cnn_infer64_8.dll. Error code 126",
				"W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load dynamic library 'cudart64_110.dll'; dlerror: cudart64_110.dll not found",
				"Could not locate zlibwapi.dll. zlibwapi.dll is missing", "Could not locate zlibwapi.dll. Please make sure it is in your library path!",
			},
			Misses: []string{"Could not load library libfoo.dll", `Loaded "cudart64_12.dll"`},
			Source: "https://github.com/dmMaze/BallonsTranslator/issues/404",
		},
		{
			ID: "loader-cuda-library-not-loaded", Product: "CUDA programs",
			Literals: []string{"could not load library lib", "failed to load libcu", "failed to load libnv", "failed to open libnv",
				"Could not load dynamic library 'lib", "Could not dlopen library 'lib", "unable to load libcu", "unable to load libnv", "could not load library \"lib", "error loading libcu", "cannot load libcu"},
			Pattern:  `(?i)(?:could not (?:load|dlopen)(?: dynamic)?|failed to (?:load|open)|unable to load|error loading|cannot load)(?: library| shared library)? ['"]?(?P<lib>` + toolkitLibrary + `)`,
			Strength: Strong,
			Meaning:  "A program could not load a CUDA library that it asks for by name at run time.",
			Causes:   libraryCauses(),
			Samples: []string{
				"Could not load library libcudnn_ops_infer.so.8. Error: libcudnn_ops_infer.so.8: cannot open shared object file: No such file or directory",
				"RuntimeError: CuPy failed to load libnvrtc.so.12: OSError: libnvrtc.so.12: cannot open shared object file",
				"W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load dynamic library 'libcudnn.so.8'; dlerror: libcudnn.so.8: cannot open shared object file",
				"nvrtc: error: failed to open libnvrtc-builtins.so.12.1.",
			},
			Misses: []string{"Could not load library libgomp.so.1", "Could not load dynamic library 'libcuda.so.1'; dlerror: libcuda.so.1: cannot open shared object file"},
			Source: "https://github.com/OpenNMT/CTranslate2/issues/1315",
		},
		{
			ID: "torch-preload-library", Product: "pytorch",
			Literals: []string{".so.*[0-9] not found in the system path"},
			Pattern:  `(?P<stem>lib[\w-]+)\.so\.\*\[0-9\] not found in the system path`,
			Layer:    rule.CUDALibraries, Strength: Strong,
			Meaning: "torch's wheel looks for the libraries of the nvidia packages in sys.path and finds one missing.",
			Causes: causes(Cause{
				Title:    "torch does not find {stem}.so of the nvidia packages: they are not installed beside it, or one is missing",
				Text:     "A torch wheel of the package index needs the packages nvidia-cublas-cu12, nvidia-cudnn-cu12 and the others. Poetry, PDM and lock files made on another system, --no-deps or another directory for some of the packages leave them out.",
				Remedies: []Remedy{fix("install torch anew with what it depends on", "pip", "python -m pip install --force-reinstall torch", "check", "python -m pip list | grep nvidia-"), fix("or take the wheel of PyTorch's own index, or torch 2.0.1 and newer, whose metadata names the packages also in a lock file", "pip", "python -m pip install torch --index-url https://download.pytorch.org/whl/cu126")},
			}),
			Samples: []string{"ValueError: libcublas.so.*[0-9] not found in the system path ['/app', '/usr/lib/python3.10']"},
			Misses:  []string{"libcublas.so.12 not found in the system path"},
			Source:  "https://github.com/pytorch/pytorch/issues/101314",
		},
	}
}

// toolkitLibrary are the libraries that CUDA's toolkit, cuDNN, NCCL and TensorRT bring, and not the driver.
const toolkitLibrary = `lib(?:cu(?:dart|blas|blasLt|fft|fftw|rand|solver|solverMg|sparse|sparseLt|pti|file|file_rdma|tensor|dss|dnn(?:_[a-z_]+)?)|` +
	`nv(?:rtc|rtc-builtins|JitLink|vm|fatbin|jpeg|ToolsExt|blas|infer(?:_[a-z_]+)?|onnxparser|parsers|shmem_host)|npp[a-z]+|nccl)\.so(?:\.[0-9]+)*`
