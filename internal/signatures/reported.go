package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// reported are messages of several programs that name a version, a file or a
// compiler and stand in no product's own list, and what people tell of them.
func reported() []*Signature {
	return []*Signature{
		{
			ID: "nvhpc-cuda-not-installed", Product: "NVIDIA HPC SDK",
			Literals: []string{"was not installed with this HPC SDK"},
			Pattern:  `CUDA version (?P<want>[\d.]+) was not installed with this HPC SDK(?::? ?(?P<path>\S+))?(?:.{0,200}?\bcuda/(?P<have>\d+\.\d+)\b)?`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "The HPC SDK's nvcc was asked for a CUDA release that this SDK does not bring.",
			Causes: causes(Cause{
				Title: "nvcc of the HPC SDK is asked for CUDA {want}, which this SDK does not bring[; it has CUDA {have}]",
				Text:  "An HPC SDK holds one CUDA release or three, by the download. The release that is asked for comes from NVCOMPILER_CUDA_HOME, CUDA_HOME, -gpu=cuda{want} or the driver's. The driver is not at fault.",
				Remedies: []Remedy{
					when(fix("say which of the SDK's releases to take: CUDA {have}", "shell", "export NVCC_PREPEND_FLAGS= NVHPC_CUDA_HOME=$NVHPC_ROOT/cuda/{have}; ls $NVHPC_ROOT/cuda"), Has("have")),
					fix("see which releases the SDK has and name one of them, or install the SDK's bundle with several CUDA releases", "shell", "ls -d /opt/nvidia/hpc_sdk/Linux_x86_64/*/cuda/*"),
				},
				Ask: "which CUDA releases does the SDK have: ls -d /opt/nvidia/hpc_sdk/*/*/cuda/*",
			}),
			Samples: []string{"nvcc-Error-CUDA version 11.0 was not installed with this HPC SDK: /opt/nvidia/hpc_sdk/Linux_x86_64/23.5/cuda/11.0/bin"},
			Misses:  []string{"CUDA version 12.1 was installed with this HPC SDK"},
			Source:  "https://docs.nvidia.com/hpc-sdk/compilers/hpc-compilers-user-guide/index.html",
		},
		{
			ID: "mxnet-out-of-memory", Product: "mxnet",
			Literals: []string{"ErrStr:out of memory", "cudaSuccess (2 vs. 0)", "cudaMalloc failed: out of memory", "cudaMalloc retry failed"},
			Pattern:  `ErrStr: ?out of memory|cudaSuccess \(2 vs\. 0\)|cudaMalloc (?:retry )?failed: out of memory`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "An allocation on the GPU failed for want of memory.",
			Causes: causes(
				Cause{
					When:  on(Says("MiB |", "own process", "other process", "another process", "notebook", "zombie", "No running processes found")),
					Title: "The GPU's memory is exhausted; look for another process or notebook that still holds some",
					Text:  "The allocation failed although this process itself uses little: another process, an old notebook kernel, or one that has ended without giving its memory back (a zombie or an orphan) holds the rest. The software stack is not at fault.",
					Remedies: []Remedy{
						fix("find what holds the memory and end it; shut down other notebooks", "shell", "nvidia-smi; sudo fuser -v /dev/nvidia*"),
						fix("use a smaller batch"),
					},
				},
				Cause{
					Title:    "The GPU's memory is exhausted (error 2, out of memory)",
					Text:     "Batch, model or activations need more than is free, or another process holds some. The software stack is not at fault.",
					Remedies: []Remedy{fix("use a smaller batch, and see which process holds memory", "shell", "nvidia-smi; sudo fuser -v /dev/nvidia*")},
				},
			),
			Samples: []string{"mxnet.base.MXNetError: [10:11:12] src/storage/./pooled_storage_manager.h:151: cudaMalloc failed: out of memory", "Check failed: err == cudaSuccess (2 vs. 0) : Name: mxnet_generic_kernel ErrStr:out of memory"},
			Misses:  []string{"Check failed: err == cudaSuccess (35 vs. 0) Name: x ErrStr:CUDA driver version is insufficient"},
			Source:  "https://github.com/apache/mxnet/blob/master/3rdparty/mshadow/mshadow/cuda/tensor_gpu-inl.cuh",
		},
		{
			ID: "cc-is-clang", Product: "nvidia kernel module",
			Literals: []string{"points to clang", "point to clang", "is clang", "links to clang", "bin/clang", "CC=clang", "clang: error: unknown argument", "set to clang", "cc -> clang"},
			Beside:   []string{"dkms", "module", "nvidia"},
			Pattern:  `(?i)\bcc\b[^.\n]{0,60}(?:points? (?:to|at)|links? to|is set to|is|->|=)\s*\S*\bclang\b|\bCC=\S*clang\b|clang(?:-\d+)?: error: unknown argument`,
			Layer:    rule.KernelModule, Strength: Usual, Role: Context,
			Meaning: "The system's C compiler is clang.",
			Causes: causes(Cause{
				When:  on(Says("dkms", "nvidia module", "kernel module", "module build", "nvidia-dkms"), Not(Says("LLVM=1", "built by: clang"))),
				Title: "The nvidia module is built with clang, since cc is clang; the kernel was built with gcc",
				Text:  "DKMS builds a module with cc or with CC. clang does not know the options that a kernel built with gcc hands on, such as -fconserve-stack. Drivers and headers are not at fault.",
				Remedies: []Remedy{
					fix("let cc be gcc again and build anew", "shell", "sudo update-alternatives --set cc /usr/bin/gcc && sudo dkms autoinstall"),
					fix("or give DKMS the compiler: CC=gcc in the environment or in dkms.conf", "shell", "sudo env CC=gcc dkms autoinstall"),
				},
			}),
			Samples: []string{"clang: error: unknown argument: '-fconserve-stack' while building the nvidia module", "update-alternatives: cc is /usr/bin/clang; nvidia-dkms does not build"},
			Misses:  []string{"clang-format is not installed; the module nvidia is loaded"},
			Source:  "https://docs.kernel.org/kbuild/llvm.html",
		},
		{
			ID: "linker-trace-library-path", Product: "dynamic linker",
			Literals: []string{"find library=lib"},
			Pattern:  `find library=(?P<lib>lib(?:nv|cu)\w+\.so\S*) \[\d+\]; searching.{0,40}?search path=(?P<dirs>\S{1,600}?)\s+\(LD_LIBRARY_PATH\)`,
			Role:     Context,
			Meaning:  "The dynamic linker's own trace shows that a CUDA library is looked for in LD_LIBRARY_PATH first.",
			Causes: causes(Cause{
				When:  on(Says("cannot be found", "not found", "RuntimeError", "undefined symbol", "Unable to load", "ImportError", "could not be loaded", "mismatch")),
				Title: "LD_LIBRARY_PATH puts another {lib|base} before the framework's own",
				Text: "The linker looks in LD_LIBRARY_PATH before the RUNPATH of the library that asks, so {lib|base} comes from a module or toolkit there and not from the wheel beside it. " +
					"A library of a newer release needs functions that the older copy lacks, and the framework then says that the library that asked cannot be found.",
				Remedies: []Remedy{
					fix("unset LD_LIBRARY_PATH for the program, or take the toolkit's directories off it", "shell", "unset LD_LIBRARY_PATH"),
				},
				Confidence: rule.Likely,
			}),
			Samples: []string{"  77:	find library=libnvJitLink.so.12 [0]; searching\n  77:	 search path=/apps/cuda-12.2/lib64:/apps/cudnn/lib		(LD_LIBRARY_PATH)"},
			Misses:  []string{"  77:	find library=libm.so.6 [0]; searching"},
			Source:  "https://github.com/bminor/glibc/blob/master/elf/dl-load.c",
		},
		{
			ID: "flash-attn-wheel-abi", Product: "flash-attn",
			Literals: []string{"cxx11abiTRUE", "cxx11abiFALSE", "cxx11abi=", "CXX11 ABI", "CXX11_ABI", "C++11 ABI"},
			Pattern:  `(?i)cxx11abi=?(?P<abi>TRUE|FALSE)|\b_?(?:GLIBCXX_USE_)?(?:CXX11|C\+\+11)[_ ]ABI(?:=| is )?(?P<use>[01]|TRUE|FALSE)?`,
			Layer:    rule.FrameworkBuild, Role: Context,
			Meaning: "A wheel's name tells for which C++ ABI of PyTorch it was built.",
			Causes: causes(
				Cause{
					When:     on(Is("abi", "TRUE"), Below("torch", "2.6"), Says("undefined symbol", "undefined C++", "ImportError")),
					Title:    "The wheel is built for PyTorch's new C++ ABI (cxx11abiTRUE), and torch {torch} from pip has the old one: it needs cxx11abiFALSE",
					Text:     "PyTorch's own wheels up to 2.5 have the old C++ ABI; a wheel for the other ABI asks for symbols that they do not have. Driver and toolkit are not at fault.",
					Remedies: []Remedy{fix("take the wheel whose name has cxx11abiFALSE and the same torch, CUDA and Python", "python", "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch._C._GLIBCXX_USE_CXX11_ABI)'")},
				},
				Cause{
					When: on(Is("abi", "(?i)true|false"), Says("does not match", "doesn't match", "do not match", "mismatch", "not compatible", "incompatible", "unavailable", "not available", "wheels exist only", "wrong wheel", "ABI match"), Not(Says("undefined symbol"))), Confidence: rule.Possible,
					Title: "The wheel (of flash-attn or the like) is built for another C++ ABI (cxx11abi{abi}), torch or CUDA than the PyTorch here[ ({torch})]",
					Text:  "A wheel of an extension fits one minor release of torch, one CUDA major, one Python and one C++ ABI, which its name tells (cxx11abiTRUE or FALSE). PyTorch's own wheels have the old ABI up to 2.5 (FALSE) and the new one from 2.7 on (TRUE); 2.6 has either, by its CUDA. The driver is not at fault.",
					Remedies: []Remedy{
						fix("take the wheel whose name has torch's minor release, CUDA, Python and ABI", "python", "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch._C._GLIBCXX_USE_CXX11_ABI)'"),
						fix("or compile it in this environment, with the nvcc of torch's CUDA", "pip", "MAX_JOBS=4 python -m pip install --no-build-isolation --no-cache-dir flash-attn"),
					},
				},
				Cause{
					When:     on(Is("abi", "FALSE"), AtLeast("torch", "2.7"), Says("undefined symbol", "undefined C++", "ImportError")),
					Title:    "The wheel is built for PyTorch's old C++ ABI (cxx11abiFALSE), and torch {torch} has the new one: it needs cxx11abiTRUE",
					Text:     "PyTorch's own wheels since 2.7 have the new C++ ABI; a wheel for the other ABI asks for symbols that they do not have. Driver and toolkit are not at fault.",
					Remedies: []Remedy{fix("take the wheel whose name has cxx11abiTRUE and the same torch, CUDA and Python", "python", "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch._C._GLIBCXX_USE_CXX11_ABI)'")},
				},
			),
			Samples: []string{"pip install flash_attn-2.6.3+cu123torch2.4cxx11abiTRUE-cp311-cp311-linux_x86_64.whl", "our wheels have cxx11abi=TRUE", "the ones with the old CXX11 ABI"},
			Misses:  []string{"the C++11 standard"},
			Source:  "https://github.com/Dao-AILab/flash-attention/releases",
		},
		{
			ID: "ort-both-packages-told", Product: "onnxruntime",
			Literals: []string{"onnxruntime", "both packages", "both of them", "both versions"},
			Beside:   []string{"both", "side by side", "together", "at the same time"},
			Pattern:  `(?i)\b(?:both|side by side|together|at the same time)\b.{0,80}?\bonnxruntime\b[\s,&+/and]{1,8}onnxruntime-gpu\b|\bonnxruntime\b[\s,&+/and]{1,8}onnxruntime-gpu\b.{0,60}?\b(?:both|side by side|together|at the same time)\b|\bboth.{0,60}?:\s*onnxruntime\s+onnxruntime-gpu`,
			Layer:    rule.PackageConflict, Strength: Strong, ExplainedBy: []string{"PKG001"},
			Meaning: "Somebody tells that the CPU package and the GPU package of ONNX Runtime are installed together.",
			Causes: causes(Cause{
				Title:    "onnxruntime and onnxruntime-gpu are both installed: they write the same files, and the CPU package won",
				Text:     "Both packages install the folder onnxruntime; the one that came last overwrote the other, and uninstalling one takes files of the other away. A build for the CPU has no CUDA provider, and says nothing of it at import.",
				Remedies: []Remedy{fix("uninstall both, then install onnxruntime-gpu alone, for the CUDA that is there", "pip", "python -m pip uninstall -y onnxruntime onnxruntime-gpu && python -m pip install onnxruntime-gpu")},
			}),
			Samples: []string{"I have both onnxruntime and onnxruntime-gpu in this environment", "pip shows onnxruntime, onnxruntime-gpu installed side by side"},
			Misses:  []string{"onnxruntime-gpu works together with torch"},
			Source:  "https://onnxruntime.ai/docs/install/",
		},
		{
			ID: "kernel-compiler-said", Product: "nvidia kernel module",
			Literals: []string{"kernel was built"},
			Pattern:  `[Kk]ernel was built (?:by|with):? +\S*gcc\S*(?: version)?(?: \([^)]*\))? (?P<kgcc>\d+(?:\.\d+)*)`,
			Layer:    rule.KernelModule, Role: Context,
			Meaning: "The build of a module tells which compiler built the kernel.",
			Samples: []string{"  The kernel was built by: gcc (Debian 12.2.0-14) 12.2.0", "The kernel was built with gcc version 13.2.0"},
			Misses:  []string{"the kernel was built on Tuesday"},
			Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/blob/main/kernel-open/conftest.sh",
		},
		{
			ID: "driver-installer-said", Product: "nvidia-installer",
			Literals: []string{"NVIDIA-Linux-"},
			Pattern:  `NVIDIA-Linux-(?:x86_64|aarch64)-(?P<driver>\d{3}(?:\.\d+){1,2})`,
			Layer:    rule.Driver, Role: Context,
			Meaning: "The driver's installation file is named with its release.",
			Samples: []string{"sh ./NVIDIA-Linux-x86_64-550.90.07.run --silent"},
			Misses:  []string{"NVIDIA-Linux-guide.pdf"},
			Source:  "https://download.nvidia.com/XFree86/Linux-x86_64/latest.txt",
		},
	}
}
