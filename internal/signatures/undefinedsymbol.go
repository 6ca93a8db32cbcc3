package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// undefinedSymbol are the dynamic linker's words for libraries that do not belong together.
func undefinedSymbol() []*Signature {
	return []*Signature{
		{
			ID: "symbol-nvjitlink", Product: "dynamic linker",
			Literals: []string{"nvJitLink"},
			Pattern:  `(?P<user>lib\w+\.so[.\d]*)?:? ?(?:undefined symbol|symbol):? (?P<symbol>__?nvJitLink\w+)`,
			Layer:    rule.CUDALibraries, Strength: Strong, ExplainedBy: []string{"CUL001", "CUL006"},
			Meaning: "cuSPARSE or cuSOLVER found an older libnvJitLink than it was built with.",
			Causes: causes(Cause{
				Title: "An older libnvJitLink is loaded than the framework's CUDA libraries need[ ({user})]: {symbol} is missing",
				Text: "libnvJitLink.so.12 must be of at least the minor release of its user; the digits in {symbol} name it. A directory on LD_LIBRARY_PATH[ ({library_path})] or a system toolkit has an older one that is found first, " +
					"or the nvidia-nvjitlink wheel is older than the nvidia-cusparse wheel.",
				Remedies: []Remedy{
					fix("take other CUDA directories off LD_LIBRARY_PATH, so that the wheels' own libraries are found", "shell", "unset LD_LIBRARY_PATH"),
					fix("where the wheels differ, bring nvidia-nvjitlink to the release of the others", "pip", "python -m pip install -U nvidia-nvjitlink-cu12"),
				},
				Ask: "echo $LD_LIBRARY_PATH; python -m pip list | grep nvidia",
			}),
			Samples: []string{
				"ImportError: /opt/env/lib/python3.11/site-packages/torch/lib/../../nvidia/cusparse/lib/libcusparse.so.12: undefined symbol: __nvJitLinkAddData_12_1, version libnvJitLink.so.12",
				"libcusolver.so.11: symbol __nvJitLinkCreate_12_6, version libnvJitLink.so.12 not defined in file libnvJitLink.so.12 with link time reference",
			},
			Misses: []string{"nvJitLinkVersion 12.4"},
			Source: "https://github.com/pytorch/pytorch/issues/134929",
		},
		{
			ID: "symbol-nccl", Product: "dynamic linker",
			Literals: []string{"undefined symbol: nccl", "undefined symbol: pnccl", "symbol nccl"},
			Pattern:  `(?P<user>[\w.-]+\.so[.\d]*)?:? ?(?:undefined )?symbol:? (?P<symbol>p?nccl[A-Z]\w+)`,
			Layer:    rule.NCCL, Strength: Strong, ExplainedBy: []string{"NCC002", "PKG003"},
			Meaning: "A library was built with a newer NCCL than the one that is loaded.",
			Causes: causes(Cause{
				Title: "An older NCCL is loaded than[ {user} || the framework] was built with: {symbol} is missing",
				Text:  "{symbol} came with a later release of NCCL. The older libnccl.so.2 is a system package or a directory on LD_LIBRARY_PATH[ ({library_path})] that is found first, or nvidia-nccl-cu11, -cu12 and -cu13 wheels that write to one folder and overwrite each other.",
				Remedies: []Remedy{
					fix("uninstall every nvidia-nccl wheel and install the one alone that torch pins", "pip", "python -m pip list | grep nccl; python -c \"import importlib.metadata as m; print([r for r in m.requires('torch') if 'nccl' in r])\""),
					fix("take directories with another libnccl.so.2 off LD_LIBRARY_PATH", "check", "ldconfig -p | grep libnccl; echo $LD_LIBRARY_PATH"),
				},
				Ask: "python -m pip list | grep nccl; ldconfig -p | grep libnccl; echo $LD_LIBRARY_PATH",
			}),
			Samples: []string{
				"ImportError: /opt/env/lib/python3.10/site-packages/torch/lib/libtorch_cuda.so: undefined symbol: ncclCommSplit",
				"undefined symbol: ncclMemFree",
			},
			Misses: []string{"undefined symbol: ncclient_version"},
			Source: "https://github.com/pytorch/pytorch/issues/119932",
		},
		{
			ID: "symbol-mkl", Product: "dynamic linker",
			Literals: []string{"iJIT_NotifyEvent", "iJIT_IsProfilingActive", "undefined symbol: mkl_", "undefined symbol: omp_"},
			Pattern:  `undefined symbol: (?P<symbol>iJIT_\w+|mkl_\w+|omp_\w+)`,
			Layer:    rule.PackageConflict, Strength: Strong,
			Meaning: "PyTorch's Conda build and the MKL or OpenMP beside it do not belong together.",
			Causes: causes(Cause{
				Title: "MKL in this environment does not fit PyTorch[ {torch}]: {symbol} is missing",
				Text:  "Builds of PyTorch of the channel pytorch before 2.4 were linked with MKL up to 2024.0; 2024.1 dropped iJIT_NotifyEvent. CUDA and the driver are not the reason.",
				Remedies: []Remedy{
					fix("pin MKL below 2024.1, or move to a newer PyTorch", "conda", "conda install mkl==2024.0.0"),
				},
			}),
			Samples: []string{"ImportError: /opt/conda/envs/x/lib/python3.9/site-packages/torch/lib/libtorch_cpu.so: undefined symbol: iJIT_NotifyEvent"},
			Misses:  []string{"MKL_NUM_THREADS is undefined"},
			Source:  "https://github.com/pytorch/pytorch/issues/123097",
		},
		{
			ID: "symbol-cuda-library", Product: "dynamic linker",
			Literals: []string{"undefined symbol: cublas", "undefined symbol: cudnn", "undefined symbol: cusparse", "undefined symbol: cusolver", "undefined symbol: cufft", "undefined symbol: cu", "undefined symbol: nvrtc", "libcublasLt.so.1", "with link time reference", "relocation error"},
			Pattern:  `(?:(?P<path>[^\s:'"]*/(?:site-packages|dist-packages|torch_extensions)/[^\s:'"]*?)?undefined symbol: (?P<symbol>(?P<family>cublasLt|cublas|cusparseLt|cusparse|cusolver|cufft|curand|nvrtc|cudnn|cupti|cudaGraph|cuda|cu)[A-Z]\w+)|symbol (?P<symbol>(?P<family>cublasLt)\w+),? version libcublasLt|(?:relocation error: (?P<path>\S+?): )?symbol (?P<symbol>(?P<family>cublasLt|cublas|cusparseLt|cusparse|cusolver|cufft|curand|nvrtc|cudnn|cupti|cudaGraph|cuda)[A-Z]\w+),? version (?P<lib>lib[\w.]+) not defined in file)`,
			Layer:    rule.CUDALibraries, Strength: Strong, ExplainedBy: []string{"CUL001", "CUL003", "DNN002", "DNN004"},
			Meaning: "A library was built with a newer release of a CUDA library than the one that is loaded.",
			Causes: causes(
				Cause{
					When: on(Is("family", "^cudnn$")), Layer: rule.CUDNN,
					Title:    "Another cuDNN is loaded than the program was built with: {symbol} is missing",
					Text:     "The function {symbol} is of another release than the libcudnn that is found first, on LD_LIBRARY_PATH[ ({library_path})] or in the system.",
					Remedies: []Remedy{fix("let the program's own cuDNN be found: take other copies off LD_LIBRARY_PATH, or bring the wheel to the release it needs", "check", "ldconfig -p | grep libcudnn; python -m pip list | grep cudnn; echo $LD_LIBRARY_PATH")},
				},
				Cause{
					When: on(Is("family", "^(curand|cublas|cublasLt|cusparse|cusolver|cufft|nvrtc)$"), Says("deepspeed", "DS_BUILD", "torch_extensions", "setup.py install", "cpu_adam", "BuildExtension")), Layer: rule.FrameworkBuild,
					Title: "An extension of PyTorch does not find {symbol}: it was compiled with another CUDA, or is not linked to the library that has it",
					Text:  "An extension takes CUDA's libraries from the process, PyTorch's own[ (CUDA {torch_cuda})]. DeepSpeed's operators that were compiled beforehand (DS_BUILD_OPS=1) against another toolkit show this; the exceptions that follow come from it.",
					Remedies: []Remedy{
						fix("for DeepSpeed install it again without DS_BUILD_OPS, so that the operator is compiled when it is used, with nvcc of PyTorch's CUDA", "pip", "python -m pip install --force-reinstall --no-cache-dir deepspeed", "check", "ds_report"),
						fix("for another extension compile it again in this environment, with CUDA_HOME at PyTorch's CUDA", "shell", "rm -rf ~/.cache/torch_extensions; python -m pip install --force-reinstall --no-cache-dir --no-build-isolation PACKAGE"),
					},
				},
				Cause{
					When: on(Is("symbol", "^cu[A-Z]")), Layer: rule.Driver,
					Title:    "The driver's libcuda[ ({driver})] is too old for this program: {symbol} is missing",
					Text:     "{symbol} is a function of the driver, which a newer release has. A stub of libcuda from a toolkit gives the same.",
					Remedies: []Remedy{fix("update the driver, or use a build for an older CUDA", "check", "nvidia-smi; ldconfig -p | grep libcuda.so")},
				},
				Cause{
					When: on(Is("family", "^(cuda|cudaGraph|cupti)$")), Layer: rule.CUDARuntime,
					Title:    "Another CUDA runtime is loaded than the program was built with: {symbol} is missing",
					Text:     "A libcudart or libcupti of another release is found first, on LD_LIBRARY_PATH[ ({library_path})] or in the system.",
					Remedies: []Remedy{fix("take other CUDA directories off LD_LIBRARY_PATH, so that the program's own libraries are found", "shell", "unset LD_LIBRARY_PATH")},
				},
				Cause{
					When:  on(Says("module load", "loaded module", "modules loaded", "loaded the module", "module cuda", "module add", "cuda module")),
					Title: "The cluster's CUDA module puts another library of CUDA in the place of the program's own[ ({lib})]: {symbol} is missing",
					Text:  "A module sets LD_LIBRARY_PATH[ ({library_path})], which is searched before the libraries that a wheel or a Conda package brings. Its release lacks {symbol}, although its name is the same.",
					Remedies: []Remedy{
						fix("unload the module before the program starts: PyTorch and TensorFlow from Conda or pip do not need it", "shell", "module unload cuda; unset LD_LIBRARY_PATH"),
						fix("or load a module of the CUDA release that the program was built with", "check", "module list; echo $LD_LIBRARY_PATH"),
					},
				},
				Cause{
					Title: "CUDA libraries of different releases are loaded together: {symbol} is missing",
					Text:  "A library asks another one ({family}) for a function of a newer release. An older copy is found first, on LD_LIBRARY_PATH[ ({library_path})] or in the system, or nvidia wheels of unequal releases are installed (nvidia-cublas, nvidia-cusparse).",
					Remedies: []Remedy{
						fix("take other CUDA directories off LD_LIBRARY_PATH, so that the framework's own libraries are found", "shell", "unset LD_LIBRARY_PATH"),
						fix("bring all nvidia wheels to the releases that the framework pins", "check", "python -m pip check; python -m pip list | grep nvidia"),
					},
					Ask: "echo $LD_LIBRARY_PATH; python -m pip list | grep nvidia; ldconfig -p | grep -e cublas -e cusparse",
				},
			),
			Samples: []string{
				"ImportError: libcublas.so.12: undefined symbol: cublasLtGetEnvironmentMode, version libcublasLt.so.12",
				"OSError: libcublas.so.11: symbol cublasLtHSHMatmulAlgoInit, version libcublasLt.so.11 not defined in file libcublasLt.so.11 with link time reference",
				"undefined symbol: cudnnGetLibConfig",
				"relocation error: /opt/env/lib/libtorch_cuda.so: symbol cusparseSpMM, version libcusparse.so.10 not defined in file libcusparse.so.10 with link time reference",
				"ImportError: /opt/env/lib/python3.9/site-packages/deepspeed/ops/adam/cpu_adam_op.so: undefined symbol: curandSetStream",
				"undefined symbol: cuMemcpyBatchAsync",
			},
			Misses: []string{"undefined symbol: custom_op_init", "undefined symbol: curl_easy_init"},
			Source: "https://github.com/pytorch/pytorch/issues/111469",
		},
	}
}
