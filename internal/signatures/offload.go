package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// offload is what compilers that make GPU code without nvcc, and their runtimes, say: clang, nvfortran, OpenMP.
func offload() []*Signature {
	return []*Signature{
		{
			ID: "clang-cuda-installation", Product: "clang",
			Literals: []string{"cannot find libdevice for", "cannot find CUDA installation"},
			Pattern:  `cannot find (?:libdevice for (?P<arch>sm_\d+)|CUDA installation)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "clang finds no CUDA toolkit that serves it.",
			Causes: causes(
				Cause{
					When:  on(Has("arch")),
					Title: "clang finds no libdevice for {arch} in the CUDA toolkit[ {toolkit}]: it has none that this clang knows, or nvvm/libdevice is missing",
					Text:  "clang takes nvvm/libdevice/libdevice*.bc of the toolkit. Before CUDA 9 there was one for each of a few architectures, later one for all; an older clang does not know a newer toolkit's, a toolkit packed by a distribution or by Conda keeps it elsewhere, and with CUDA 13 old architectures are gone.",
					Remedies: []Remedy{
						fix("name a complete toolkit of a release that this clang knows", "shell", "clang++ --cuda-path=/usr/local/cuda --cuda-gpu-arch={arch} app.cu", "check", "clang --version; ls /usr/local/cuda/nvvm/libdevice"),
						fix("or install a newer clang, or an older CUDA toolkit"),
					},
				},
				Cause{
					Title: "clang finds no CUDA toolkit: none is installed, or it is in no place that clang looks at",
					Text:  "clang compiles CUDA itself and takes headers, libdevice and ptxas from a toolkit (/usr/local/cuda, /usr/lib/cuda). The driver alone does not bring them.",
					Remedies: []Remedy{
						fix("install the toolkit, and name it", "shell", "clang++ --cuda-path=/usr/local/cuda app.cu"),
					},
				},
			),
			Samples: []string{"clang: error: cannot find libdevice for sm_50. Provide path to different CUDA installation via --cuda-path", "clang: error: cannot find CUDA installation; provide its path via '--cuda-path'"},
			Misses:  []string{"Found CUDA installation: /usr/local/cuda-12.1, version 12.1"},
			Source:  "https://github.com/llvm/llvm-project/issues/63660",
		},
		{
			ID: "openmp-offload-failed", Product: "openmp",
			Literals: []string{"failure of target construct while offloading is mandatory", "libgomp-plugin-nvptx", "libgomp: cuCtxGetDevice", "libomptarget", "omptarget error"},
			Pattern:  `failure of target construct while offloading is mandatory|(?P<plugin>libgomp-plugin-nvptx\.so[.\d]*): cannot open|libgomp: cu\w+ error: (?P<text>[^\n]{3,80})|(?:lib)?omptarget (?:fatal )?error(?: \d+)?: (?P<text>No images found compatible[^\n]{0,60}|Unable to (?:generate|load)[^\n]{0,60})`,
			Layer:    rule.FrameworkBuild, Strength: Usual,
			Meaning: "A program with OpenMP or OpenACC offloading could not run its part for the GPU.",
			Causes: causes(
				Cause{
					When:  on(Has("plugin")),
					Title: "GCC's plugin for offloading to NVIDIA GPUs ({plugin}) is not installed",
					Text:  "The program was compiled with offloading to nvptx, and the runtime plugin comes in a package of its own. The driver is not at fault.",
					Remedies: []Remedy{
						fix("install the plugin of the compiler's release", "Debian and Ubuntu", "sudo apt-get install gcc-offload-nvptx libgomp-plugin-nvptx1"),
					},
				},
				Cause{
					Title: "OpenMP finds no device that its program has code for[: {text}]: no plugin for CUDA in this runtime, none of its architectures for this GPU[ ({gpu}, {sm})], or no driver",
					Text:  "libomptarget loads its plugin for CUDA and libcuda.so; the program has to be compiled for the GPU's architecture (--offload-arch). nvidia-smi may work all the same: a runtime that was built without the plugin, or another libomptarget that is found first, sees no device.",
					Remedies: []Remedy{
						fix("see why, and which devices there are", "shell", "LIBOMPTARGET_INFO=-1 LIBOMPTARGET_DEBUG=1 ./app 2>&1 | head -40; llvm-offload-device-info"),
						fix("compile for this GPU's architecture[ ({sm})] with the compiler whose runtime is used", "shell", "clang -fopenmp --offload-arch=native app.c"),
					},
					Ask: "the output with LIBOMPTARGET_DEBUG=1, ldd of the program, nvidia-smi",
				},
			),
			Samples: []string{
				"omptarget fatal error 1: failure of target construct while offloading is mandatory",
				"libgomp: while loading libgomp-plugin-nvptx.so.1: libgomp-plugin-nvptx.so.1: cannot open shared object file: No such file or directory",
			},
			Misses: []string{"-- LIBOMPTARGET: Building offloading runtime library libomptarget."},
			Source: "https://github.com/llvm/llvm-project/issues/204973",
		},
		{
			ID: "nvhpc-cuda-version", Product: "nvhpc",
			Literals: []string{"is not available in this installation", "Unknown or unsupported cc", "nvfortran-Error", "nvc++-Error", "pgfortran-Error", "Unsupported CUDA version "},
			Pattern:  `CUDA version (?P<need>\d+\.\d+) is not available in this installation|(?:nv|pg)\w+(?:\+\+)?-Error-(?P<text>Unknown or unsupported cc[^\n]{0,30})|Unsupported CUDA version (?P<have>\d+\.\d+)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "A compiler or a configure script does not work with the CUDA that it finds or is asked for.",
			Causes: causes(
				Cause{
					When:  on(Has("have")),
					Title: "The configure script does not know CUDA {have}: the program's release is older than it",
					Text:  "It goes through a list of CUDA releases. The toolkit is in order.",
					Remedies: []Remedy{
						fix("use a newer release of the program, or a CUDA toolkit that it lists", "check", "nvcc --version"),
					},
				},
				Cause{
					When:  on(Has("need")),
					Title: "The NVIDIA HPC SDK that is installed has no CUDA {need}",
					Text:  "Each HPC SDK brings one CUDA release, or a few in its multi package; -gpu=cudaX.Y, or without it the driver's CUDA, asks for one that is not among them.",
					Remedies: []Remedy{
						fix("name one that it has", "shell", "ls $(dirname $(which nvfortran))/../../cuda; nvfortran -gpu=cuda12.4 app.f90"),
						fix("or name an own toolkit (NVHPC_CUDA_HOME), or install the SDK that brings CUDA {need}"),
					},
				},
				Cause{
					Title: "This release of the NVIDIA HPC SDK does not compile for that GPU[: {text}]",
					Text:  "New architectures come with new releases of the SDK, and old ones leave it with CUDA 12 and 13.",
					Remedies: []Remedy{
						fix("install a release that has it, or name another architecture with -gpu=cc80", "check", "nvfortran --version; nvaccelinfo"),
					},
				},
			),
			Samples: []string{"nvfortran-Error-CUDA version 12.6 is not available in this installation.", "Error: Unsupported CUDA version 11.1 detected."},
			Misses:  []string{"CUDA version 12.6"},
			Source:  "https://github.com/merzlab/QUICK/issues/89",
		},
		{
			ID: "cmake-cuda-dialect", Product: "cmake",
			Literals: []string{"requires the language dialect \"CUDA", "requires the language dialect CUDA"},
			Pattern:  `requires the language dialect "?CUDA(?P<std>\d\d)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "CMake has no flag for this C++ standard in CUDA code.",
			Causes: causes(
				Cause{
					When:  on(Is("std", "^17$"), Below("toolkit", "11.0")),
					Title: "nvcc of CUDA {toolkit} does not compile C++17: CUDA 11.0 or newer is needed",
					Text:  "The project sets CUDA_STANDARD 17. CMake knows that this nvcc has no -std=c++17.",
					Remedies: []Remedy{
						fix("install CUDA 11 or newer, first on PATH, and configure into an empty directory", "check", "which -a nvcc; nvcc --version"),
						fix("or, where the code allows it, set -DCMAKE_CUDA_STANDARD=14"),
					},
				},
				Cause{
					Title: "CMake knows no C++{std} for this nvcc[ (CUDA {toolkit})]: CMake is too old for that, or nvcc is (C++17 needs CUDA 11 and CMake 3.18, C++20 needs CUDA 12 and CMake 3.25)",
					Text:  "Often /usr/bin/nvcc of the distribution (CUDA 10.1 on Ubuntu 20.04) is taken in place of the toolkit in /usr/local, or the distribution's CMake is of 3.16. The driver is not at fault.",
					Remedies: []Remedy{
						fix("install a newer CMake, name the newer nvcc, and configure into an empty directory", "pip", "python -m pip install -U cmake", "cmake", "cmake -DCMAKE_CUDA_COMPILER=/usr/local/cuda/bin/nvcc -B build"),
					},
					Ask: "cmake --version; which -a nvcc; nvcc --version",
				},
			),
			Samples: []string{`Target "ggml-cuda" requires the language dialect "CUDA17" (with compiler extensions).  But the current compiler "NVIDIA" does not support this`},
			Misses:  []string{`Target "x" requires the language dialect "CXX17"`},
			Source:  "https://github.com/ggml-org/llama.cpp/issues/11725",
		},
		{
			ID: "msbuild-nvcc-exit", Product: "msbuild",
			Literals: []string{"MSB3721"},
			Role:     Consequence, Layer: rule.Toolkit, Strength: Weak,
			Meaning: "MSBuild says that nvcc ended with an error.",
			Causes: causes(
				Cause{
					When:     on(Says("single input file is required")),
					Title:    "nvcc got a command line with more than one input (A single input file is required for a non-link phase): an option with spaces, or one meant for the host compiler, is passed to it",
					Text:     "Flags of C++ targets (/MP, /W4, quoted paths) reach nvcc through target_compile_options or MSBuild properties, and nvcc takes them for files. The toolkit is in order.",
					Remedies: []Remedy{fix("restrict such options to C++ in CMake: $<$<COMPILE_LANGUAGE:CXX>:/MP>, and pass others to nvcc with -Xcompiler=/W4"), fix("or use the project's release that does so, with the newest CMake and the Ninja generator")},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "nvcc[ of CUDA {toolkit}] stopped with an error (MSB3721); its own message is in the lines before",
					Text:       "MSBuild repeats the command alone. Usual reasons: Visual Studio is newer than this CUDA, the architecture in -gencode is not known to this nvcc, or the code itself.",
					Remedies:   []Remedy{fix("read the first line with error: of the build's log, and see that CUDA fits Visual Studio", "check", "nvcc --version")},
					Ask:        "the lines before MSB3721 with error in them",
				},
			),
			Samples: []string{`error MSB3721: The command ""C:\CUDA\v11.8\bin\nvcc.exe" -gencode=arch=compute_52" exited with code 1.`},
			Misses:  []string{"error MSB3073: The command exited with code 3"},
			Source:  "https://github.com/isl-org/Open3D/issues/2507",
		},
	}
}
