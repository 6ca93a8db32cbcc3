package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// kernelSupport is what libraries of kernels say where they have none for a GPU or a CUDA.
func kernelSupport() []*Signature {
	return []*Signature{
		{
			ID: "kernel-none-for-capability", Product: "cutlass",
			Literals: []string{"no compiled kernel", "No compiled ", "scaled_mm is only supported", "_scaled_mm", "No compatible kernel", "is only supported on devices with compute capability", "kernel is not compiled for", "not compiled for this GPU", "no kernel for this architecture"},
			Pattern: `(?P<what>\w*scaled_mm\w*|\w+): ?[Nn]o compiled (?:kernel|\w*scaled_mm\w*)[^\n]{0,60}?for (?:a )?(?:current )?(?:cuda |CUDA )?(?:device )?(?:with )?(?:compute )?capability:? (?P<cap>\d{2,3})` +
				`|No compiled (?P<what>\w+) for a compute capability less than CUDA device capability: (?P<cap>\d{2,3})` +
				`|(?P<what>[\w.]*_scaled_mm\w*) is only supported on (?:CUDA )?devices with compute capability(?P<need> >= \d+\.\d+(?: or \d+\.\d+)?)|No compatible kernel found`,
			Layer: rule.GPUArch, Strength: Strong, ExplainedBy: []string{"ARC001"},
			Meaning: "A library of kernels was built without one for this GPU.",
			Causes: causes(
				Cause{
					When:  on(Has("cap")),
					Title: "{what} has no kernel for this GPU ({cap|sm}, compute capability {cap|cc}[, {gpu}]) in this build",
					Text:  "The package was compiled for other architectures: kernels for data-centre GPUs (sm_90a, sm_100a) do not run on consumer GPUs (sm_89, sm_120), and the other way round. Driver and toolkit are not at fault.",
					Remedies: []Remedy{
						fix("install a release or build of the package (vLLM, SGLang, TensorRT-LLM) that is compiled for {cap|sm}[, with CUDA {cap|firstcuda} or newer ({cap|firstcuda|cutag})], or compile it with TORCH_CUDA_ARCH_LIST={cap|cc}"),
						fix("or choose another quantisation or attention backend, for example without FP8 or FP4 or CUTLASS"),
					},
				},
				Cause{
					Title: "This GPU[ ({gpu}, {sm}) ||  ({sm})] is too old for [{what} || the kernel that is asked for][, which needs compute capability{need}]",
					Text:  "FP8 begins at compute capability 8.9 (Ada), FP4 at 10.0 (Blackwell). No driver and no CUDA changes that.",
					Remedies: []Remedy{
						fix("use another precision: float16 or bfloat16 in place of FP8, or GPTQ, AWQ or int8 weights"),
					},
				},
			),
			Samples: []string{
				"RuntimeError: get_cutlass_scaled_mm: No compiled kernel for current cuda device capability 120",
				"NotImplementedError: No compiled cutlass_scaled_mm for a compute capability less than CUDA device capability: 75",
				"RuntimeError: torch._scaled_mm is only supported on CUDA devices with compute capability >= 9.0 or 8.9, or ROCm MI300+",
			},
			Misses: []string{"the kernel was compiled for sm_90"},
			Source: "https://github.com/vllm-project/vllm/blob/main/csrc/quantization/w8a8/cutlass/scaled_mm_entry.cu",
		},
		{
			ID: "flash-attn-cuda-too-old", Product: "flash-attn",
			Literals: []string{"FlashAttention is only supported on CUDA"},
			Pattern:  `FlashAttention(?:-\d)? is only supported on CUDA (?P<need>\d+\.\d+) and (?:above|newer)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "The build of flash-attn found an nvcc that is too old.",
			Causes: causes(Cause{
				Title: "flash-attn is compiled with nvcc, and the one that is found[ (CUDA {toolkit})] is too old: CUDA {need} or newer is needed",
				Text:  "The build takes nvcc from CUDA_HOME or PATH; the distribution's /usr/bin/nvcc is often older than PyTorch's CUDA[ ({torch_cuda})]. The driver is not at fault.",
				Remedies: []Remedy{
					fix("install a CUDA toolkit of {need} or newer, of the same major release as PyTorch's, and name it by CUDA_HOME", "shell", "export CUDA_HOME=/usr/local/cuda PATH=/usr/local/cuda/bin:$PATH; nvcc --version"),
					fix("or take a ready wheel for this torch, CUDA and Python from the project's releases"),
				},
			}),
			Samples: []string{"RuntimeError: FlashAttention is only supported on CUDA 11.6 and above.  Note: make sure nvcc has a supported version by running nvcc -V."},
			Misses:  []string{"FlashAttention is only supported on Linux"},
			Source:  "https://github.com/Dao-AILab/flash-attention/blob/main/setup.py",
		},
		{
			ID: "nvcc-glibc-math", Product: "nvcc",
			Literals: []string{"exception specification is incompatible with that of previous function"},
			Pattern:  `exception specification is incompatible with that of previous function "?(?P<what>(?:cos|sin|tan|acos|asin|atan)pif?|rsqrtf?)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "glibc 2.41 and newer declare functions that CUDA's headers declare as well, in another way.",
			Causes: causes(Cause{
				Title: "The C library (glibc[ {glibc}], 2.41 or newer) is too new for this CUDA toolkit[ {toolkit}]: both declare {what}",
				Text:  "glibc 2.41 brought sinpi, cospi and others, which CUDA's crt/math_functions.h declares without noexcept. Toolkits before 13.0 do not know it. The compiler and the driver are not at fault.",
				Remedies: []Remedy{
					fix("use CUDA 13.0 or newer, or build in a container or system with an older glibc"),
					fix("or add noexcept(true) to these functions in targets/x86_64-linux/include/crt/math_functions.h of the toolkit"),
				},
			}),
			Samples: []string{`/usr/include/x86_64-linux-gnu/bits/mathcalls.h(79): error: exception specification is incompatible with that of previous function "sinpi" (declared at line 2583 of /usr/local/cuda/include/crt/math_functions.h)`},
			Misses:  []string{`exception specification is incompatible with that of previous function "mykernel"`},
			Source:  "https://github.com/NVIDIA/cuda-samples/issues/378",
		},
		{
			ID: "openmp-duplicate", Product: "OpenMP",
			Literals: []string{"OMP: Error #15"},
			Pattern:  `OMP: Error #15: Initializing (?P<lib>\S+?),? but found (?P<other>\S+) already initialized`,
			Layer:    rule.PythonEnv,
			Meaning:  "Two copies of Intel's OpenMP library are loaded into one process.",
			Causes: causes(Cause{
				Title: "Two OpenMP libraries are loaded into one process ({lib}): packages of pip and Conda are mixed",
				Text:  "PyTorch, NumPy with MKL and others bring libiomp5 each. The GPU is not concerned.",
				Remedies: []Remedy{
					fix("keep one: install these packages from one source in a new environment, or remove the second libiomp5 of the environment"),
					fix("or, knowing that results can be wrong, let it go on", "shell", "export KMP_DUPLICATE_LIB_OK=TRUE"),
				},
			}),
			Samples: []string{"OMP: Error #15: Initializing libiomp5md.dll, but found libiomp5md.dll already initialized."},
			Misses:  []string{"OMP: Warning #15"},
			Source:  "https://github.com/pytorch/pytorch/issues/44282",
		},
		{
			ID: "pytorch-source-folder", Product: "pytorch",
			Literals: []string{"Failed to load PyTorch C extensions"},
			Pattern:  `Failed to load PyTorch C extensions`,
			Layer:    rule.PythonEnv, Strength: Strong,
			Meaning: "Python imports PyTorch's source folder in place of the installed package.",
			Causes: causes(Cause{
				Title:    "Python imports a folder named torch of the current directory (PyTorch's sources) in place of the installed PyTorch",
				Text:     "It was started in a clone of PyTorch, or PYTHONPATH names one. The GPU stack is not at fault.",
				Remedies: []Remedy{fix("start Python from another directory, and take the clone off PYTHONPATH")},
			}),
			Samples: []string{"ImportError: Failed to load PyTorch C extensions:\n    It appears that PyTorch has loaded the `torch/_C` folder of the PyTorch repository rather than the C extensions"},
			Misses:  []string{"Failed to load C extensions of numpy"},
			Source:  "https://github.com/pytorch/pytorch/blob/main/torch/__init__.py",
		},
		{
			ID: "sageattention-kernel", Product: "sageattention",
			Literals: []string{"kernel is not available. Make sure you", "kernel is not available", "not a recognized processor for this target", "Unsupported CUDA architecture: sm"},
			Beside:   []string{"sm8", "sm9", "sm_", "compute capability", "unsupported cuda"},
			Pattern:  `(?P<arch>SM\d{2,3}) kernel is not available\. Make sure you|'(?P<target>sm_\d+[af]?)' is not a recognized processor for this target|Unsupported CUDA architecture: (?P<target>sm_?\d+)`,
			Layer:    rule.GPUArch, Strength: Strong, ExplainedBy: []string{"ARC001"},
			Meaning: "A package of kernels, or the compiler in it, has nothing for the GPU's architecture.",
			Causes: causes(
				Cause{
					When:  on(Has("arch")),
					Title: "SageAttention was built without its {arch} kernels (compute capability 8.9 is SM89), which this mode asks for[; the GPU is {sm} ({gpu})]",
					Text:  "Its wheels are compiled for one torch, one CUDA and some architectures. The kernels for SM89 serve the RTX 40 and, in builds for CUDA 12.8, the RTX 50 too. Driver and toolkit are not at fault.",
					Remedies: []Remedy{
						fix("install a wheel of SageAttention for this torch, CUDA[ (cu{torch_cuda|major})] and GPU, with CUDA 12.8 for the RTX 50, or compile it with TORCH_CUDA_ARCH_LIST of the GPU"),
						fix("or choose another mode: fp16, auto, or PyTorch's own attention (sdpa)"),
					},
				},
				Cause{
					Title: "The compiler of this Triton does not know {target}[ ({gpu})]: Triton is older than the GPU",
					Text:  "[Code for {target|sm} begins with CUDA {target|firstcuda}. ]Triton brings its own LLVM and ptxas, which must know the GPU; the driver is not the reason.",
					Remedies: []Remedy{
						fix("update Triton with a torch that knows the GPU[: torch {target|torchforarch}]; on Windows triton-windows 3.3 or newer", "pip", "python -m pip install -U triton", "Windows", "python -m pip install -U triton-windows"),
					},
				},
			),
			Samples: []string{"RuntimeError: SM89 kernel is not available. Make sure you GPUs with compute capability 8.9.", "'sm_121' is not a recognized processor for this target (ignoring processor)"},
			Misses:  []string{"the kernel is not available for this target"},
			Source:  "https://github.com/thu-ml/SageAttention/issues/187",
		},
	}
}
