package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cudaBuild is what compilers and linkers say about CUDA's files in a build.
func cudaBuild() []*Signature {
	return []*Signature{
		{
			ID: "nvcc-fatal", Product: "nvcc",
			Literals: []string{"nvcc fatal", "nvcc error", "Cannot find compiler 'cl.exe'", "cicc: not found", "cudafe++' died"},
			Pattern:  `(?:nvcc (?:fatal|error)\s*:\s*(?P<what>[^\n]{5,140})|cicc: not found)`,
			Layer:    rule.Toolkit, Strength: Weak,
			Meaning: "nvcc stopped.",
			Causes: causes(
				Cause{
					When:     on(Is("what", `cl\.exe`)),
					Title:    "nvcc finds no Microsoft compiler: cl.exe is not on PATH",
					Text:     "On Windows nvcc compiles through Visual C++.",
					Remedies: []Remedy{fix("install the C++ build tools of Visual Studio and build in the x64 Native Tools prompt")},
				},
				Cause{
					When: on(Is("what", `died due to signal|Killed|memory`)), Layer: rule.Application,
					Title:    "A part of nvcc was killed, most likely for want of memory: {what}",
					Text:     "Many files are compiled at once, each with gigabytes.",
					Remedies: []Remedy{fix("compile fewer files at once", "shell", "MAX_JOBS=2 python -m pip install --no-build-isolation PACKAGE")},
				},
				Cause{
					When:     on(Is("what", `Unknown option|option`)),
					Title:    "This nvcc[ (CUDA {toolkit})] does not know an option: {what}",
					Text:     "Options come with releases: the build is most likely written for a newer CUDA than that of the nvcc that is found first. Options with -m, -f and -W are the host compiler's: nvcc takes them behind -Xcompiler alone.",
					Remedies: []Remedy{fix("build with the CUDA release that the project names, and see which nvcc is found", "check", "which -a nvcc; nvcc --version"), fix("hand flags of the host compiler on with -Xcompiler", "nvcc", "nvcc -Xcompiler -march=native -c kernel.cu")},
				},
				Cause{
					Title: "nvcc[ (CUDA {toolkit})] stopped[: {what}]",
					Text:  "The message is nvcc's own; the toolkit, its options or its installation are at fault, and not the driver.",
					Ask:   "nvcc --version; gcc --version; the full command that failed",
				},
			),
			Samples: []string{"nvcc fatal   : Cannot find compiler 'cl.exe' in PATH", "nvcc error   : 'cudafe++' died due to signal 11 (Invalid memory reference)", "nvcc fatal   : Unknown option '-fopenmp'"},
			Misses:  []string{"no nvcc errors"},
			Source:  "https://docs.nvidia.com/cuda/cuda-compiler-driver-nvcc/index.html",
		},
		{
			ID: "cuda-link-library", Product: "linker",
			Literals: []string{"cannot find -lcuda", "cannot find -lcudart", "cannot find -lcublas", "cannot find -lcudnn", "cannot find -lnvrtc", "cannot find -lcu", "cannot find -lnccl", "LINK : fatal error LNK1181"},
			Pattern:  `cannot find -l(?P<name>cuda|cudart(?:_static)?|cudadevrt|cublas(?:Lt)?|cudnn|nvrtc|nccl|cufft|curand|cusolver|cusparse|nvidia-ml|nvToolsExt)\b|LNK1181: cannot open input file '(?P<name>cuda|cudart|cublas|cudnn)\w*\.lib'`,
			Layer:    rule.Toolkit,
			Meaning:  "The linker does not find a library of CUDA for building.",
			Causes: causes(
				Cause{
					When:     on(Is("name", "^(cuda|nvidia-ml)$")),
					Title:    "The linker finds no lib{name}.so: the driver's library, or the toolkit's stub of it, is not on its path",
					Text:     "lib{name}.so comes with the driver. Where no driver is installed (an image build), the toolkit's lib64/stubs has a stand-in for linking only.",
					Remedies: []Remedy{fix("give the linker the stubs, for the build alone", "shell", "export LIBRARY_PATH=/usr/local/cuda/lib64/stubs:$LIBRARY_PATH")},
				},
				Cause{
					When: on(Is("name", "^cudnn$")), Layer: rule.CUDNN,
					Title:    "The linker finds no libcudnn.so: cuDNN's development files are missing",
					Text:     "The runtime package alone has no libcudnn.so without a number.",
					Remedies: []Remedy{fix("install cuDNN's development package (libcudnn9-dev-cuda-12, libcudnn8-dev), or name its directory in LIBRARY_PATH")},
				},
				Cause{
					Title:    "The linker finds no lib{name}.so: the toolkit's library directory is not on its path",
					Text:     "lib{name}.so is in the toolkit's lib64 (Conda: lib), and only full toolkits, not runtime images or wheels, have the name without a number.",
					Remedies: []Remedy{fix("install the toolkit's development packages, and name the directory", "shell", "export LIBRARY_PATH=/usr/local/cuda/lib64:$LIBRARY_PATH")},
				},
			),
			Samples: []string{"/usr/bin/ld: cannot find -lcudart: No such file or directory", "/usr/bin/ld: cannot find -lcuda"},
			Misses:  []string{"/usr/bin/ld: cannot find -lcurl"},
			Source:  "https://docs.nvidia.com/cuda/cuda-compiler-driver-nvcc/index.html",
		},
		{
			ID: "cuda-header-missing", Product: "compiler",
			Literals: []string{"fatal error: ", "fatal error C1083"},
			Pattern:  `(?:fatal error:? (?:C1083: .{0,40})?'?(?P<file>cuda_runtime(?:_api)?\.h|cuda\.h|cublas\w*\.h|cudnn\w*\.h|cusparse\w*\.h|cusolver\w*\.h|cufft\w*\.h|cuda_\w+\.h|nccl\.h|nvtx3/\w+\.h|nvToolsExt\.h|curand\w*\.h|cusolverDn\.h|thrust/\S+?|NvInfer\w*\.h)'?: No such file or directory)`,
			Layer:    rule.Toolkit,
			Meaning:  "A header of CUDA is not found in a build.",
			Causes: causes(
				Cause{
					When: on(Is("file", "^cudnn")), Layer: rule.CUDNN,
					Title:    "cuDNN's header {file} is not found: its development package is missing",
					Text:     "The runtime libraries alone bring no headers.",
					Remedies: []Remedy{fix("install cuDNN's development package (libcudnn9-dev-cuda-12, libcudnn8-dev), or name its include directory in CPATH")},
				},
				Cause{
					When: on(Is("file", "^nccl")), Layer: rule.NCCL,
					Title:    "NCCL's header {file} is not found: its development package is missing",
					Text:     "The runtime library alone brings no headers.",
					Remedies: []Remedy{fix("install libnccl-dev, or name the include directory in CPATH")},
				},
				Cause{
					When: on(Is("file", "^NvInfer")), Layer: rule.TensorRT,
					Title:    "TensorRT's header {file} is not found: its development package is missing",
					Text:     "The Python wheels bring no headers.",
					Remedies: []Remedy{fix("install libnvinfer-dev, or unpack TensorRT's archive and name its include directory")},
				},
				Cause{
					When:     on(Is("file", "^cu(?:blas|sparse|solver|fft|rand)"), Says("hpc_sdk", "nvhpc", "HPC SDK")),
					Title:    "The header {file} is not found: the HPC SDK keeps the mathematical libraries apart, in math_libs beside cuda",
					Text:     "Below hpc_sdk/Linux_x86_64/RELEASE the compiler's headers are in cuda/include and those of cuBLAS, cuSPARSE, cuSOLVER, cuFFT and cuRAND in math_libs/include. A build that names only the first does not find them.",
					Remedies: []Remedy{fix("name math_libs to the build as well", "shell", "export CPATH=$NVHPC_ROOT/math_libs/include:$CPATH LIBRARY_PATH=$NVHPC_ROOT/math_libs/lib64:$LIBRARY_PATH", "cmake", "cmake -DCMAKE_PREFIX_PATH=$NVHPC_ROOT/math_libs -S . -B build")},
				},
				Cause{
					Title:    "The toolkit's header {file} is not found",
					Text:     "The build finds no CUDA toolkit, one without this component (Conda: cuda-cudart-dev, libcusparse-dev), or looks in another directory.",
					Remedies: []Remedy{fix("install the toolkit with its headers and name it", "shell", "export CUDA_HOME=/usr/local/cuda; export CPATH=$CUDA_HOME/include:$CPATH")},
				},
			),
			Samples: []string{"fatal error: cuda_runtime.h: No such file or directory", "/build/src/a.h:3:10: fatal error: cudnn.h: No such file or directory"},
			Misses:  []string{"fatal error: curl.h: No such file or directory"},
			Source:  "https://github.com/deepspeedai/DeepSpeed/issues/2772",
		},
	}
}
