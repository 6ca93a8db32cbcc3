package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cmake is what CMake and CUDA's installers say about the toolkit.
func cmake() []*Signature {
	return []*Signature{
		{
			ID: "cmake-no-cuda-toolset", Product: "cmake",
			Literals: []string{"No CUDA toolset found"},
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "CMake's Visual Studio generator finds no CUDA integration.",
			Causes: causes(Cause{
				Title: "Visual Studio has no CUDA integration: No CUDA toolset found",
				Text:  "The CUDA installer copies its build rules into the Visual Studio that it finds. One installed afterwards, a newer one than the toolkit knows, or the Build Tools are left out. nvcc on PATH does not matter for this generator.",
				Remedies: []Remedy{
					fix("run the CUDA installer again with Visual Studio Integration, or copy extras\\visual_studio_integration\\MSBuildExtensions into Visual Studio's BuildCustomizations"),
					fix("or use the generator Ninja in the x64 Native Tools prompt", "shell", "cmake -G Ninja -B build"),
				},
			}),
			Samples: []string{"  No CUDA toolset found."},
			Misses:  []string{"CUDA toolset 12.2 found"},
			Source:  "https://github.com/NVlabs/instant-ngp/issues/330",
		},
		{
			ID: "cmake-cuda-compiler", Product: "cmake",
			Literals: []string{"No CMAKE_CUDA_COMPILER could be found", "Failed to find nvcc", "CMAKE_CUDA_COMPILER", "Failed to detect a default CUDA architecture", "Compiling the CUDA compiler identification source file", "The CUDA compiler identification is unknown", "The CUDA compiler"},
			Pattern:  `(?:No CMAKE_CUDA_COMPILER could be found|Failed to find nvcc|CMAKE_CUDA_COMPILER-NOTFOUND|The CMAKE_CUDA_COMPILER:?\s+(?P<path>\S+)\s+is not a full path|Failed to detect a default CUDA architecture|The CUDA compiler identification is unknown|Compiling the CUDA compiler identification source file.{0,60}failed|CMAKE_CUDA_COMPILER\S* not set, after EnableLanguage|The CUDA compiler\s+"(?P<path>[^"]+)"\s+is not able to compile)`,
			Layer:    rule.Toolkit,
			Meaning:  "CMake finds no CUDA compiler, or one that does not compile its first test.",
			Causes: causes(
				Cause{
					When:  on(Says("-gencode=arch=compute_,code=sm_", "architecture 'compute_'", "compute_native", "'native' is not")),
					Title: "CMake does not resolve the GPU's architecture (compute_ without a number): CMAKE_CUDA_ARCHITECTURES=native needs CMake 3.24 or newer and a GPU that is visible",
					Text:  "Older CMake passes the word on, and where nvidia-smi does not answer (an image build) it is empty. nvcc itself is in order.",
					Remedies: []Remedy{
						fix("name the architecture: 75 for Turing, 86 and 80 for Ampere, 89 for Ada, 90 for Hopper, 120 for RTX 50", "shell", "cmake -DCMAKE_CUDA_ARCHITECTURES=86 -B build"),
						fix("or install CMake 3.24 or newer", "pip", "python -m pip install -U cmake"),
					},
				},
				Cause{
					When:  on(Says("Failed to detect a default CUDA architecture", "CUDA compiler identification source file", "CUDA compiler identification is unknown", "is not able to compile a simple test program")),
					Title: "CMake found nvcc, but its first test does not compile[ (CUDA {toolkit})]",
					Text:  "The usual reasons: a host compiler that is newer than this nvcc takes[ (gcc up to {toolkit|gccmax})], a toolkit that is not complete, or an nvcc of another toolkit first on PATH. CMakeError.log or CMakeConfigureLog.yaml has nvcc's own message.",
					Remedies: []Remedy{
						fix("name the toolkit and a host compiler that it takes", "shell", "cmake -DCMAKE_CUDA_COMPILER=/usr/local/cuda/bin/nvcc -DCMAKE_CUDA_HOST_COMPILER=/usr/bin/g++-12 -DCMAKE_CUDA_ARCHITECTURES=native -B build"),
					},
					Ask: "nvcc --version; gcc --version; the end of build/CMakeFiles/CMakeConfigureLog.yaml",
				},
				Cause{
					Title: "CMake finds no nvcc: the CUDA toolkit is not installed, or not on PATH",
					Text:  "CMake looks at CUDACXX, CMAKE_CUDA_COMPILER and PATH. nvidia-smi comes with the driver and says nothing about the toolkit.",
					Remedies: []Remedy{
						fix("name the compiler, after installing the toolkit where there is none", "shell", "export CUDACXX=/usr/local/cuda/bin/nvcc"),
					},
					Ask: "which nvcc; ls -d /usr/local/cuda*",
				},
			),
			Samples: []string{"  No CMAKE_CUDA_COMPILER could be found.", "  Failed to detect a default CUDA architecture.", "  Failed to find nvcc."},
			Misses:  []string{"-- CMAKE_CUDA_COMPILER: /usr/local/cuda/bin/nvcc"},
			Source:  "https://github.com/NVIDIA/nvbandwidth/issues/3",
		},
		{
			ID: "cmake-cuda-architectures", Product: "cmake",
			Literals: []string{"CMAKE_CUDA_ARCHITECTURES must", "CUDA_ARCHITECTURES is empty", "CUDA_ARCHITECTURES is set to", "Unknown CUDA Architecture Name", "CUDA_ARCHITECTURES:"},
			Pattern:  `(?:CMAKE_CUDA_ARCHITECTURES\s+must be|CUDA_ARCHITECTURES is empty|CUDA_ARCHITECTURES is set to "native", but no NVIDIA GPU|Unknown CUDA Architecture Name (?P<arch>[\w.+]+))`,
			Layer:    rule.Toolkit,
			Meaning:  "The list of GPU architectures for a CMake build is empty or not known.",
			Causes: causes(
				Cause{
					When:     on(Has("arch")),
					Title:    "This build does not know the GPU architecture {arch}: its CMake files or its PyTorch are older than the GPU",
					Text:     "The list of names stands in the build files of PyTorch (select_compute_arch.cmake) or CMake's FindCUDA.",
					Remedies: []Remedy{fix("set the list by hand to what nvcc knows, for example TORCH_CUDA_ARCH_LIST=\"8.9+PTX\", or update PyTorch")},
				},
				Cause{
					Title:    "No GPU architecture is set for the CMake build",
					Text:     "CMAKE_CUDA_ARCHITECTURES is empty or \"native\" where no GPU is seen, as in an image build.",
					Remedies: []Remedy{fix("name the architectures", "shell", "cmake -DCMAKE_CUDA_ARCHITECTURES=86 -B build")},
				},
			),
			Samples: []string{"  CMAKE_CUDA_ARCHITECTURES must be non-empty if set.", "CMake Error: CUDA_ARCHITECTURES is empty for target \"kernels\".", "  Unknown CUDA Architecture Name 9.0a in CUDA_SELECT_NVCC_ARCH_FLAGS"},
			Misses:  []string{"-- CUDA_ARCHITECTURES: 86"},
			Source:  "https://github.com/NVlabs/instant-ngp/issues/1044",
		},
		{
			ID: "cmake-could-not-find-cuda", Product: "cmake",
			Literals: []string{"Could NOT find CUDA", "Could not find CUDA", "missing: CUDA_", "Specify CUDA_TOOLKIT_ROOT_DIR", "Found CUDA: ", "Caffe2: CUDA cannot be found", "Could not find `nvcc` executable", "CUDA libraries could not be found"},
			Pattern: `(?i:Could NOT find CUDA(?:Toolkit|_TOOLKIT\w*)? ?\(|Could not find CUDAToolkit|Specify CUDA_TOOLKIT_ROOT_DIR|Could not find .nvcc. executable|Caffe2: CUDA cannot be found|` +
				`Could NOT find CUDA: Found unsuitable version "?(?P<toolkit>[\d.]+)"?, but required is at least "?(?P<need>[\d.]+))`,
			Layer:   rule.Toolkit,
			Meaning: "CMake finds no CUDA toolkit, or parts of it are missing.",
			Causes: causes(
				Cause{
					When:     on(Has("need")),
					Title:    "The build needs a CUDA toolkit of {need} or newer, and CMake found {toolkit}",
					Text:     "An older toolkit is found first.",
					Remedies: []Remedy{fix("install CUDA {need} or newer and name it", "shell", "cmake -DCUDAToolkit_ROOT=/usr/local/cuda -B build")},
				},
				Cause{
					Title: "CMake finds no CUDA toolkit",
					Text:  "Not installed, in a directory that CMake does not look in, or without a component that the message names (CUDA_CUDART_LIBRARY, CUDA_NVCC_EXECUTABLE). PyTorch's wheels bring no toolkit.",
					Remedies: []Remedy{
						fix("install the toolkit[ of CUDA {torch_cuda}] and name its directory", "shell", "export CUDA_HOME=/usr/local/cuda; cmake -DCUDAToolkit_ROOT=/usr/local/cuda -DCUDA_TOOLKIT_ROOT_DIR=/usr/local/cuda -B build"),
					},
					Ask: "which nvcc; ls -d /usr/local/cuda*",
				},
			),
			Samples: []string{
				"-- Could NOT find CUDAToolkit (missing: CUDAToolkit_INCLUDE_DIR)",
				"  Specify CUDA_TOOLKIT_ROOT_DIR",
				"-- Could NOT find CUDA: Found unsuitable version \"9.1\", but required is at least \"10.2\" (found /usr)",
				"  Could not find `nvcc` executable in path specified by environment variable",
			},
			Misses: []string{"-- Found CUDA: /usr/local/cuda (found version \"12.1\")"},
			Source: "https://github.com/NVlabs/instant-ngp/issues/461",
		},
		{
			ID: "cuda-installer-failed", Product: "cuda installer",
			Literals: []string{"Installation failed. See log at", "Error: unsupported compiler", "Driver installation is unable to locate the kernel source", "It appears that an X server is running", "Missing recommended library", "Failed to verify gcc version"},
			Pattern:  `(?:Installation failed\. See log at (?P<log>\S+)|Error: unsupported compiler|Driver installation is unable to locate the kernel source|It appears that an X server is running|Failed to verify gcc version)`,
			Layer:    rule.Toolkit,
			Meaning:  "The CUDA runfile installer stopped.",
			Causes: causes(
				Cause{
					When: on(Says("unable to locate the kernel source")), Layer: rule.KernelModule,
					Title:    "The CUDA installer cannot build the kernel module: the kernel's headers are missing",
					Text:     "The runfile brings a driver of its own, which is compiled for the running kernel[ {kernel}].",
					Remedies: []Remedy{fix("install the headers of the running kernel, or leave the driver out (--silent --toolkit) where one is installed", "Debian, Ubuntu", "sudo apt-get install linux-headers-$(uname -r)")},
				},
				Cause{
					When:     on(Says("unsupported compiler", "Failed to verify gcc version")),
					Title:    "The CUDA installer refuses this gcc[ {gcc}], which is newer than the toolkit takes[ (up to {toolkit|gccmax})]",
					Text:     "The toolkit compiles with a gcc up to some release.",
					Remedies: []Remedy{fix("install with --override and compile with an older g++, or take a newer toolkit")},
				},
				Cause{
					When: on(Says("X server is running")), Layer: rule.Driver,
					Title:    "The CUDA installer cannot replace the driver while an X server runs",
					Text:     "The runfile wants to install its driver; the toolkit alone does not need that.",
					Remedies: []Remedy{fix("install the toolkit alone", "shell", "sudo sh cuda_*.run --silent --toolkit"), fix("or stop the display manager first", "shell", "sudo systemctl isolate multi-user.target")},
				},
				Cause{
					Title:    "The CUDA installer failed[; its log is {log}]",
					Text:     "Most often it is the driver part that fails, where a driver is already installed or in use, and then nothing is installed.",
					Remedies: []Remedy{fix("where a driver is installed, install the toolkit alone", "shell", "sudo sh cuda_*.run --silent --toolkit")},
					Ask:      "[the end of {log} || the end of /var/log/cuda-installer.log and of /var/log/nvidia-installer.log]",
				},
			),
			Samples: []string{" Installation failed. See log at /var/log/cuda-installer.log for details.", "Error: unsupported compiler: 12.2.0. Use --override to override this check."},
			Misses:  []string{"Installation failed. See the wiki"},
			Source:  "https://docs.nvidia.com/cuda/cuda-installation-guide-linux/",
		},
	}
}
