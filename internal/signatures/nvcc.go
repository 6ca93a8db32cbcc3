package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvcc is what the CUDA compiler says.
func nvcc() []*Signature {
	return []*Signature{
		{
			ID: "nvcc-unsupported-architecture", Product: "nvcc",
			Literals: []string{"Unsupported gpu architecture", "is not defined for option 'gpu-architecture'", "is not in 'keyword=value' format", "compute_30 ", "compute_35 ", "compute_37 ", "compute_50 ", "compute_20 ", "compute_86 ", "compute_89 ", "compute_90 ", "compute_120 "},
			Pattern:  `(?:nvcc fatal\s*:?\s*)?(?:Unsupported gpu architecture '(?P<arch>(?:compute|sm)_\d+[af]?)'|Value '(?P<arch>(?:compute|sm)_\d+[af]?)' is not defined for option 'gpu-architecture')|\b(?P<arch>compute_\d+[af]?) (?:error\b|(?:is )?(?:unsupported|not supported)\b|unsupported by nvcc)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "This nvcc does not compile for the architecture that the build asks for.",
			Causes: causes(
				Cause{
					When:  on(Has("toolkit"), Below("toolkit", "{arch|firstcuda}")),
					Title: "nvcc of CUDA {toolkit} does not know {arch}, which begins with CUDA {arch|firstcuda}",
					Text:  "The build wants code for {arch|sm} ({arch|arch}), and the nvcc that it found is older.",
					Remedies: []Remedy{
						fix("build with a toolkit of CUDA {arch|firstcuda} or newer, first on PATH and in CUDA_HOME", "check", "which -a nvcc; nvcc --version"),
						fix("or build for what this GPU needs and this nvcc knows: TORCH_CUDA_ARCH_LIST, CMAKE_CUDA_ARCHITECTURES"),
					},
				},
				Cause{
					When:  on(Below("arch|cc", "7.5")),
					Title: "This nvcc[ (CUDA {toolkit})] does not compile for {arch}[; CUDA {arch|lastcuda} was the last that did]",
					Text:  "CUDA 13 dropped everything before Turing (7.5), CUDA 12 dropped Kepler (3.5 and 3.7), CUDA 11 dropped 3.0 and 3.2, CUDA 9 Fermi (2.x); an older nvcc does not know {arch} where it came later[, with CUDA {arch|firstcuda}].",
					Remedies: []Remedy{
						fix("take {arch} out of the list of architectures (TORCH_CUDA_ARCH_LIST, CMAKE_CUDA_ARCHITECTURES, -gencode) where the GPU is another one"),
						fix("or build with a toolkit that has it[, CUDA {arch|lastcuda} or older]", "check", "which -a nvcc; nvcc --version"),
					},
				},
				Cause{
					Title: "This nvcc[ (CUDA {toolkit})] is too old for {arch}[, which begins with CUDA {arch|firstcuda}]",
					Text:  "[The build wants code for {arch|sm} ({arch|arch}). ]The nvcc that is found first is older, often the distribution's nvidia-cuda-toolkit in /usr/bin.",
					Remedies: []Remedy{
						fix("build with a toolkit[ of CUDA {arch|firstcuda} or newer], first on PATH and in CUDA_HOME", "check", "which -a nvcc; nvcc --version", "shell", "export CUDA_HOME=/usr/local/cuda; export PATH=$CUDA_HOME/bin:$PATH"),
						fix("or take {arch} out of the list of architectures (TORCH_CUDA_ARCH_LIST, CMAKE_CUDA_ARCHITECTURES)"),
					},
					Ask: "which -a nvcc; nvcc --version",
				},
			),
			Samples: []string{"nvcc fatal   : Unsupported gpu architecture 'compute_89'", "nvcc fatal : Value 'sm_100' is not defined for option 'gpu-architecture'", "make stops: compute_30 is not supported"},
			Misses:  []string{"Unsupported gpu architecture list in setup.cfg"},
			Source:  "https://github.com/NVlabs/tiny-cuda-nn/issues/239",
		},
		{
			ID: "nvcc-host-compiler", Product: "nvcc",
			Literals: []string{"unsupported GNU version", "unsupported clang version", "unsupported Microsoft Visual Studio version", "The current installed version of", "Only the versions between 20", "and up are not supported!", "are not supported!", "does not support g++", "does not support gcc"},
			Pattern: `(?:#?error\s*:?\s*[–—-]+ ?unsupported (?:GNU version! gcc versions later than (?P<gccmax>\d+)|(?P<compiler>clang) version! clang version must be less than (?P<clangmax>\d+)|(?P<compiler>GNU|clang|Microsoft Visual Studio) version)|GNU version! gcc (?P<gccfrom>\d+\.\d+) and up are not supported|CUDA \d+[._]\d+ does not support g(?:\+\+|cc)(?: \(\S+?-(?P<gcc>\d[\d.]*)\))?(?:[\s\S]{0,60}?need g(?:\+\+|cc) < (?P<gccfrom>\d+(?:\.\d+)?))?|error C1189: #error:\s*[–—-]* ?unsupported (?P<compiler>Microsoft Visual Studio) version|` +
				`The current installed version of \S*(?P<compiler>g\+\+|gcc|c\+\+)\S* \((?P<gcc>[\d.]+)\) is (?:greater|less) than the (?:maximum|minimum) required version)`,
			Layer: rule.Toolkit, Strength: Strong,
			Meaning: "nvcc refuses the host compiler, which is newer than it knows.",
			Causes: causes(
				Cause{
					When:  on(Is("compiler", "Visual Studio")),
					Title: "This nvcc[ (CUDA {toolkit})] does not know this Visual Studio, which is newer",
					Text:  "#error -- unsupported Microsoft Visual Studio version: a CUDA release compiles with the versions of Visual Studio that were out when it was made.",
					Remedies: []Remedy{
						fix("install a newer CUDA toolkit, or an older MSVC toolset (v143 14.3x) beside the new one and select it (vcvars64 -vcvars_ver=14.38)"),
						fix("Visual Studio 2022 17.10 and newer need CUDA 12.4 or newer; Visual Studio 2019, or 17.9 and older, serve older ones"),
						fix("-allow-unsupported-compiler passes the check, and the code may not compile all the same"),
					},
				},
				Cause{
					When:  on(Is("compiler", "clang")),
					Title: "The host compiler is a clang that this nvcc[ (CUDA {toolkit})] does not know[: it takes clang below {clangmax}]",
					Text:  "nvcc compiles with a host compiler, here one built on clang (clang itself, Intel's icx and icpx, Apple's, an MPI wrapper around one). Each release of nvcc knows them up to some version alone. The driver is not concerned.",
					Remedies: []Remedy{
						fix("let nvcc use g++, or a clang below {clangmax}", "shell", "export NVCC_PREPEND_FLAGS='-ccbin g++' CUDAHOSTCXX=g++"),
						fix("or use a newer CUDA toolkit, which knows this compiler", "check", "which -a nvcc; nvcc --version"),
					},
				},
				Cause{
					When:     on(Has("gcc"), Says("is less than the minimum required version")),
					Title:    "gcc {gcc} is too old for this toolkit[ (CUDA {toolkit})]",
					Text:     "PyTorch's build wants a host compiler of at least the release that the message names.",
					Remedies: []Remedy{fix("install a newer g++ and let the build use it", "shell", "export CC=gcc-11 CXX=g++-11 CUDAHOSTCXX=g++-11")},
				},
				Cause{
					Title: "gcc[ {gcc}] is too new for this nvcc[ (CUDA {toolkit}, which takes gcc up to {toolkit|gccmax}) || , which takes gcc up to {gccmax} || , which takes gcc older than {gccfrom}]",
					Text:  "nvcc compiles with a host compiler, and each release knows gcc up to some major version alone[: here up to {gccmax} || : here older than {gccfrom}]. The driver is not concerned.",
					Remedies: []Remedy{
						fix("install g++[ {gccmax} || {toolkit|gccmax} ||  older than {gccfrom}] and let nvcc use it (-ccbin, CUDAHOSTCXX; a configure script takes CXX)", "Debian, Ubuntu", "sudo apt-get install g++-{gccmax}", "shell", "export NVCC_PREPEND_FLAGS='-ccbin /usr/bin/g++-{gccmax}' CXX=/usr/bin/g++-{gccmax} CC=/usr/bin/gcc-{gccmax}"),
						fix("or use a newer CUDA toolkit, which knows this gcc"),
					},
					Ask: "gcc --version; nvcc --version",
				},
			),
			Samples: []string{
				"/usr/local/cuda/include/crt/host_config.h:132:2: error: #error -- unsupported GNU version! gcc versions later than 11 are not supported!",
				"host_config.h(164): fatal error C1189: #error:  -- unsupported Microsoft Visual Studio version! Only the versions between 2017 and 2022 (inclusive) are supported!",
				"***configure failed: CUDA 9_1 does not support g++ (g++-7).\n                 You need g++ < 7.0. ***",
				"/usr/include/crt/host_config.h:147:2: error: -- unsupported clang version! clang version must be less than 13 and greater than 3.2 .",
				"host_config.h:82:2: error: #error -- unsupported GNU version! gcc 4.6 and up are not supported!",
				"RuntimeError: The current installed version of /usr/bin/x86_64-linux-gnu-g++ (13.2.0) is greater than the maximum required version by CUDA 11.8.",
			},
			Misses: []string{"The current installed version of numpy is fine"},
			Source: "https://github.com/NVlabs/instant-ngp/issues/1562",
		},
		{
			ID: "nvcc-host-header-clash", Product: "nvcc",
			Literals: []string{"__builtin_ia32", "std_function.h", "_Float32", "__is_convertible", "is undefined", "parameter packs not expanded with", "/include/c++/"},
			Beside:   []string{"nvcc", ".cu", "cuda", "is undefined", "parameter packs"},
			Pattern:  `(?:identifier "(?P<what>__builtin_ia32\w+|_Float\w+|__builtin_\w+|__is_\w+)" is undefined|std_function\.h:\d+:\d+: error: parameter packs not expanded with|/include/c\+\+/(?P<gcc>\d+(?:\.\d+)*)/[\w./+-]+\(\d+\): (?:catastrophic )?error)`,
			Layer:    rule.Toolkit,
			Meaning:  "nvcc does not understand the headers of a newer gcc or glibc.",
			Causes: causes(Cause{
				Title:    "This nvcc[ (CUDA {toolkit})] does not understand the headers of the host compiler[ (gcc {gcc})][: {what}]",
				Text:     "The gcc or the C library is newer than nvcc knows, although its version check passed or was switched off.",
				Remedies: []Remedy{fix("compile with an older g++[ ({toolkit|gccmax} or older)]: -ccbin, CUDAHOSTCXX, CXX; or use a newer CUDA toolkit", "shell", "export CUDAHOSTCXX=/usr/bin/g++-11 CXX=/usr/bin/g++-11")},
				Ask:      "gcc --version; nvcc --version",
			}),
			Samples: []string{
				"/usr/lib/gcc/x86_64-linux-gnu/12/include/amxtileintrin.h(42): error: identifier \"__builtin_ia32_ldtilecfg\" is undefined",
				"/opt/conda/include/c++/10.4.0/tuple(582): error #1921: pack \"_UElements\" does not have the same number of elements as \"_Elements\" [CUDA]",
				"/usr/include/c++/11/bits/std_function.h:435:145: error: parameter packs not expanded with '...':",
			},
			Misses: []string{"error: identifier \"my_kernel\" is undefined"},
			Source: "https://github.com/NVIDIA/cccl/issues/10",
		},
	}
}
