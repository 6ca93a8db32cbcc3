package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// torchSymbol are the dynamic linker's words for extensions that do not fit PyTorch, and for parts of PyTorch that are missing.
func torchSymbol() []*Signature {
	return []*Signature{
		{
			ID: "symbol-torch-abi", Product: "pytorch",
			Literals: []string{"undefined symbol: _ZN", "undefined symbol: _ZT", "undefined symbol: aoti_torch", "undefined symbol: c10", "undefined symbol: THC", "undefined symbol: PyTorch", "undefined symbol: torch", "undefined symbol: __ZN", "undefined symbol: THP"},
			Pattern:  `(?:(?P<path>[^\s:'"]*?/(?:(?:site|dist)-packages/(?P<pkg>[\w.-]+)/[^\s:'"]*?)?)?(?P<user>[\w.+-]+\.so[.\d]*)\)?[:,]? )?undefined symbol:? (?P<symbol>_Z\w*?(?:c10|at[0-9]|2at|5torch|caffe2|TensorImpl|torch)\w*|_ZTV?I?N\w*(?:c10|torch|2at)\w*|aoti_torch\w*|c10\w*|TH[CP]\w+|torch\w+)`,
			Layer:    rule.FrameworkBuild, Strength: Strong, ExplainedBy: []string{"FRM003", "FRM002", "PKG007"},
			Meaning: "An extension was compiled for another release or C++ ABI of PyTorch than the one that loads it.",
			Causes: causes(
				Cause{
					When:  on(Any(Is("user", `flash|flashattn`), Is("path", `flash_attn|flash-attn`))),
					Title: "The flash-attn that is installed was built for another PyTorch than this one[ ({torch})]",
					Text:  "{user} lacks {symbol}: the wheel of flash-attn must be made for this minor release of torch, this CUDA major, this Python and this C++ ABI (cxx11abiTRUE or FALSE in its name).",
					Remedies: []Remedy{
						fix("install the flash-attn wheel whose name has this torch[ ({torch})], CUDA[ (cu{torch_cuda|major})], Python and ABI, or reinstall it so that it is built here for this torch", "pip", "python -m pip uninstall -y flash-attn; python -m pip install flash-attn --no-build-isolation --no-cache-dir"),
					},
					Ask: "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.compiled_with_cxx11_abi())'",
				},
				Cause{
					When: on(Any(Is("path", `torchvision|torchaudio|torchtext`), Is("user", `torchvision|torchaudio|torchtext`))), Layer: rule.PackageConflict,
					Title:    "torchvision, torchaudio or torchtext belongs to another release of PyTorch than this one[ ({torch})]",
					Text:     "Each of their releases is compiled for one release of torch: {symbol} is missing.[ torch {torch} goes with torchvision {torch|torchvision}.][ torch {torch} goes with torchaudio {torch|torchaudio}.]",
					Remedies: []Remedy{fix("install the releases that go with this torch[: torchvision {torch|torchvision}, torchaudio {torch|torchaudio}], from the same index", "pip", "python -m pip install --force-reinstall --no-deps torchvision=={torch|torchvision} torchaudio=={torch|torchaudio}")},
				},
				Cause{
					When:  on(Any(Is("path", `xformers`), Is("user", `xformers`), Seen("xformers-built-for", "xformers-extensions"))),
					Title: "xFormers was built for another PyTorch than this one[ ({torch})]",
					Text:  "Each release of xFormers is compiled for one release of torch: {symbol} is missing.[ torch {torch} goes with xformers {torch|xformers}.] vLLM pins both; installing one of them anew breaks the pair. The driver is not at fault.",
					Remedies: []Remedy{
						fix("install the xFormers of this torch[: xformers {torch|xformers}], without its dependencies", "pip", "python -m pip install --force-reinstall --no-deps xformers=={torch|xformers} --index-url https://download.pytorch.org/whl/{torch|variant}"),
						fix("or leave it to the program's requirements: reinstall vLLM, or whatever needs it, into a clean environment"),
					},
				},
				Cause{
					When:  on(Is("symbol", `St7__cxx11|cxx1112basic_string|Ss$|SsE`)),
					Title: "[{pkg} ({user}) || {user} || An extension] was compiled with another C++ ABI or for another release of PyTorch than this one[ ({torch})]",
					Text:  "The missing symbol {symbol} takes a std::string, whose name differs between the two ABIs of libstdc++ (_GLIBCXX_USE_CXX11_ABI 0 and 1). PyTorch's pip wheels moved to 1 with 2.6 and 2.7; an extension must have the same and be built for the same minor release.",
					Remedies: []Remedy{
						fix("install a build of the extension for this torch[ {torch}] and ABI, or compile it again in this environment", "pip", "python -m pip install --force-reinstall --no-build-isolation --no-cache-dir --no-deps PACKAGE"),
					},
					Ask: "python -c 'import torch; print(torch.__version__, torch.compiled_with_cxx11_abi())'",
				},
				Cause{
					Title: "[{pkg} ({user}) || {user} || An extension] was compiled for another release of PyTorch than this one[ ({torch})]",
					Text:  "{symbol} belongs to PyTorch's C++ library, which keeps no ABI between minor releases. The extension must be built for exactly this torch and CUDA.",
					Remedies: []Remedy{
						fix("install the release of the extension that is made for this torch[ {torch}], or compile it again in this environment", "pip", "python -m pip install --force-reinstall --no-build-isolation --no-cache-dir --no-deps PACKAGE"),
					},
					Ask: "python -c 'import torch; print(torch.__version__, torch.version.cuda)', and the version of the package",
				},
			),
			Samples: []string{
				"ImportError: /opt/env/lib/python3.10/site-packages/flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so: undefined symbol: _ZN2at4_ops9_pad_enum4callERKNS_6TensorEN3c108ArrayRefINS5_6SymIntEEElNS5_8optionalIdEE",
				"ImportError: /venv/lib/python3.8/site-packages/mmcv/_ext.cpython-38-x86_64-linux-gnu.so: undefined symbol: _ZNK3c1010TensorImpl36is_contiguous_nondefault_policy_implENS_12MemoryFormatE",
				"OSError: /venv/lib/python3.11/site-packages/torchaudio/lib/libtorchaudio.so: undefined symbol: _ZNK5torch8autograd4Node4nameB5cxx11Ev",
				"undefined symbol: THCudaMalloc",
			},
			Misses: []string{"undefined symbol: _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcE", "undefined symbol: _ZN9grpc_core7ExecCtx"},
			Source: "https://github.com/Dao-AILab/flash-attention/issues/975",
		},
		{
			ID: "symbol-libstdcxx", Product: "dynamic linker",
			Literals: []string{"undefined symbol: _ZNSt", "undefined symbol: _ZNKSt", "undefined symbol: _ZSt", "undefined symbol: __cxa"},
			Pattern:  `undefined symbol:? (?P<symbol>_ZNK?St\w+|_ZSt\w+|__cxa_\w+)`,
			Layer:    rule.PythonEnv,
			Meaning:  "A newer C++ library is needed than the libstdc++.so.6 that is loaded.",
			Causes: causes(Cause{
				Title:    "An older libstdc++.so.6 is loaded than this library was built with: {symbol} is missing",
				Text:     "Conda's libstdc++ and the system's differ in age, and the older one was found first.",
				Remedies: []Remedy{fix("bring the environment's libstdc++ up to date, and take directories with an older one off LD_LIBRARY_PATH", "conda", "conda install -c conda-forge libstdcxx-ng")},
			}),
			Samples: []string{"undefined symbol: _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"},
			Misses:  []string{"undefined symbol: _ZN2at5emptyE"},
			Source:  "https://gcc.gnu.org/onlinedocs/libstdc++/manual/abi.html",
		},
		{
			ID: "pytorch-library-missing", Product: "pytorch",
			Literals: []string{"libtorch_cuda", "libc10_cuda", "libtorch_cpu.so", "libtorch.so", "libc10.so", "libtorch_python.so", "libtorch_hip", "libcaffe2"},
			Pattern:  `(?P<file>lib(?:torch_cuda\w*|c10_cuda|torch_cpu|torch|c10|torch_python|torch_hip|c10_hip|caffe2\w*)\.so): cannot open shared object file`,
			Layer:    rule.FrameworkBuild, ExplainedBy: []string{"FRM001", "FRM003", "PKG007", "FRM005"},
			Meaning: "An extension of PyTorch was linked with a library that the PyTorch here does not have.",
			Causes: causes(
				Cause{
					When:  on(Is("file", `cuda`)),
					Title: "{file} is not found: an extension was built for a CUDA build of PyTorch of another release, and the PyTorch here[ ({torch})] is a CPU build or another release",
					Text:  "{file} is part of PyTorch itself, in CUDA builds alone (libtorch_cuda_cu.so and libtorch_cuda_cpp.so only in 1.8 to 1.13). A toolkit or driver does not bring it. torchvision, torchaudio, torch-scatter, fbgemm and other extensions must match torch.",
					Remedies: []Remedy{
						fix("install torch and the extension as a pair: the same release line, both with CUDA or both for the CPU[; torch {torch} goes with torchvision {torch|torchvision} and torchaudio {torch|torchaudio}]", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda)'; python -m pip list | grep -i torch"),
					},
				},
				Cause{
					When:     on(Is("file", `hip`)),
					Title:    "{file} is not found: an extension was built for ROCm, and this PyTorch is not",
					Text:     "The extension comes from a build for AMD GPUs.",
					Remedies: []Remedy{fix("install the extension for CUDA, or PyTorch for ROCm")},
				},
				Cause{
					Title:    "{file}, a part of PyTorch, is not found by an extension",
					Text:     "The extension was loaded without torch imported first, or belongs to another installation of PyTorch.",
					Remedies: []Remedy{fix("import torch before the extension; install the extension for this torch[ {torch}]")},
				},
			),
			Samples: []string{
				"OSError: libtorch_cuda_cpp.so: cannot open shared object file: No such file or directory",
				"ImportError: libc10_cuda.so: cannot open shared object file: No such file or directory",
				"ImportError: libc10.so: cannot open shared object file: No such file or directory",
			},
			Misses: []string{"ls: libtorch_cuda.so"},
			Source: "https://github.com/pytorch/vision/issues/4222",
		},
	}
}
