package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// pythonImport is what is said where a DLL, a build or an import fails.
func pythonImport() []*Signature {
	return []*Signature{
		{
			ID: "windows-torch-dll", Product: "pytorch",
			Literals: []string{"WinError 126", "WinError 127", "WinError 1114", "WinError 193", "WinError 182", "DLL load failed while importing", "or one of its dependencies"},
			Pattern:  `(?:\[WinError (?P<code>126|127|1114|193|182)\][^\n]{0,160}?(?:Error loading "?(?P<dll>[^"\n]*?\.dll)"?|or one of its dependencies|$)|DLL load failed while importing (?P<module>_C|flash_attn_2_cuda|_ext|triton\w*|libtriton|xformers\w*|torch\w*))`,
			Layer:    rule.PythonEnv,
			Meaning:  "Windows could not load a DLL, or one that it depends on.",
			Causes: causes(
				Cause{
					When: on(Is("module", `^(flash_attn_2_cuda|_ext|xformers|_C)`)), Layer: rule.FrameworkBuild,
					Title:    "The extension {module} does not load with this PyTorch[ ({torch})]: it was built for another release or CUDA",
					Text:     "DLL load failed: a procedure or a DLL that it expects in PyTorch is not there.",
					Remedies: []Remedy{fix("install the build of the extension for this torch[ {torch}], CUDA and Python", "check", "python -c \"import torch; print(torch.__version__, torch.version.cuda)\"")},
				},
				Cause{
					When:     on(Is("dll", `fbgemm`)),
					Title:    "PyTorch's fbgemm.dll does not load: a DLL that it needs, libomp140.x86_64.dll, is missing",
					Text:     "torch 2.3 and 2.4 for Windows need the OpenMP runtime of Visual C++. CUDA and the driver are not concerned.",
					Remedies: []Remedy{fix("update torch, or install the C++ build tools of Visual Studio, which bring libomp140.x86_64.dll")},
				},
				Cause{
					When:     on(Is("code", "^193$")),
					Title:    "A 32-bit DLL meets a 64-bit Python, or the file is damaged (WinError 193)[: {dll|base}]",
					Text:     "PyTorch needs 64-bit Python, and a complete download.",
					Remedies: []Remedy{fix("use 64-bit Python and install the package again in a fresh environment")},
				},
				Cause{
					When: on(Is("dll", `cudart|cublas|cudnn|cufft|curand|cusparse|cusolver|nvrtc|nvToolsExt|caffe2_nvrtc`)), Layer: rule.CUDARuntime, Confidence: rule.Possible,
					Title:    "PyTorch's own CUDA library {dll|base} does not load (WinError {code})",
					Text:     "The wheel brings it in torch\\lib. A DLL of another CUDA earlier on PATH, the Visual C++ runtime, or a damaged installation is the usual reason.",
					Remedies: []Remedy{fix("install the Visual C++ redistributable (x64), and torch again in a fresh environment; take other CUDA directories off PATH for a test")},
				},
				Cause{
					Title:    "A DLL of PyTorch[, {dll|base},] or one that it needs does not load[ (WinError {code})]",
					Text:     "The usual reasons: the Visual C++ redistributable (x64) is missing or old, several Pythons or Conda environments mix their DLLs on PATH, or the download is incomplete. A CUDA toolkit does not help: the wheel brings its own.",
					Remedies: []Remedy{fix("install the newest Visual C++ redistributable (x64), then torch again in a fresh environment")},
					Ask:      "which DLL is missing: run Dependencies.exe on the named file",
				},
			),
			Samples: []string{
				"OSError: [WinError 126] The specified module could not be found. Error loading \"C:\\py\\Lib\\site-packages\\torch\\lib\\c10.dll\" or one of its dependencies.",
				"OSError: [WinError 1114] A dynamic link library (DLL) initialization routine failed. Error loading \"D:\\env\\Lib\\site-packages\\torch\\lib\\c10.dll\" or one of its dependencies.",
				"ImportError: DLL load failed while importing flash_attn_2_cuda: The specified procedure could not be found.",
			},
			Misses: []string{"[WinError 5] Access is denied"},
			Source: "https://github.com/pytorch/pytorch/issues/131662",
		},
		{
			ID: "build-tools-missing", Product: "pip",
			Literals: []string{"Microsoft Visual C++ 14", "externally-managed-environment", "command 'gcc' failed", "command 'g++' failed", "unable to execute 'gcc'", "unable to execute 'g++'", "error: legacy-install-failure"},
			Pattern:  `(?:Microsoft Visual C\+\+ 14\S* (?:or greater )?is required|error: externally-managed-environment|unable to execute '(?P<tool>gcc|g\+\+|x86_64-linux-gnu-gcc)'|command '(?P<tool>gcc|g\+\+|x86_64-linux-gnu-gcc)' failed: No such file)`,
			Layer:    rule.PythonEnv,
			Meaning:  "pip cannot build or install here.",
			Causes: causes(
				Cause{
					When:     on(Says("externally-managed-environment")),
					Title:    "This Python belongs to the distribution, and pip may not install into it",
					Text:     "The distribution protects its own Python (PEP 668).",
					Remedies: []Remedy{fix("make a virtual environment and install there", "shell", "python3 -m venv venv && . venv/bin/activate")},
				},
				Cause{
					Title:    "There is no C++ compiler to build this package with[: {tool}]",
					Text:     "pip found no ready wheel for this Python and platform and tries to compile. CUDA is not concerned.",
					Remedies: []Remedy{fix("use a Python for which there is a wheel, or install the compiler: build-essential, or on Windows the C++ build tools of Visual Studio")},
				},
			),
			Samples: []string{"error: Microsoft Visual C++ 14.0 or greater is required. Get it with \"Microsoft C++ Build Tools\"", "error: externally-managed-environment", "unable to execute 'gcc': No such file or directory"},
			Misses:  []string{"Microsoft Visual C++ 14 is installed"},
			Source:  "https://packaging.python.org/en/latest/specifications/externally-managed-environments/",
		},
		{
			ID: "python-missing-module", Product: "python",
			Literals: []string{"No module named '", "cannot import name '"},
			Pattern:  `(?:ModuleNotFoundError|ImportError): (?:No module named '(?P<module>(?:transformers|accelerate|diffusers|xformers|deepspeed|apex|mmcv|mmdet|detectron2|bitsandbytes|vllm|sglang|peft|ninja|packaging|pkg_resources|distutils|einops|onnxruntime|tensorflow|cv2|torchvision|torchaudio|torch_geometric|torch_scatter|torch_sparse|torch_cluster|torch_spline_conv|pytorch3d|nvdiffrast|kaolin|tinycudann|diff_gaussian_rasterization|simple_knn|spconv|MinkowskiEngine|flash_attn\w*|transformer_engine|mamba_ssm|causal_conv1d|selective_scan_cuda|exllamav2|exllama_kernels|auto_gptq|gptqmodel|awq|awq_ext|torchao|flashinfer|sgl_kernel|cudf|cuml|cugraph|cuspatial|rmm|pynvml|cuda|numba|jax|jaxlib|paddle|mxnet|llama_cpp|ctranslate2|faster_whisper|insightface|amp_C|fused_layer_norm_cuda|pycuda|cupy|tensorrt|torch\.\w+[\w.]*|torchvision\.\w+[\w.]*|transformers\.\w+[\w.]*|numpy\.\w+[\w.]*)[\w.]*)'|cannot import name '(?P<name>\w+)' from '(?P<module>(?:torch|torchvision|transformers|diffusers|huggingface_hub|accelerate|peft|deepspeed|xformers|vllm)[\w.]*)')`,
			Layer:    rule.PythonEnv, Strength: Weak,
			Meaning: "A Python package is missing from this environment, or of another release than the importing one expects.",
			Causes: causes(
				Cause{
					When: on(Is("module", `^torchvision\.transforms\.functional_tensor`)), Layer: rule.PackageConflict,
					Title:    "A package imports torchvision.transforms.functional_tensor, which torchvision 0.17 and newer no longer have",
					Text:     "basicsr and other packages of older times need torchvision below 0.17.",
					Remedies: []Remedy{fix("update the package, or use torch and torchvision of the time (torchvision 0.16 with torch 2.1)")},
				},
				Cause{
					When: on(Is("module", `^(amp_C|fused_layer_norm_cuda|apex)`)), Layer: rule.FrameworkBuild,
					Title:    "apex is missing its CUDA extensions ({module})",
					Text:     "It was installed for Python alone; the extensions are compiled with nvcc of PyTorch's CUDA major.",
					Remedies: []Remedy{fix("build apex from its source with the options for C++ and CUDA extensions, or use PyTorch's own amp and fused optimizers")},
				},
				Cause{
					When:     on(Has("name")),
					Title:    "{module} here has no {name}: two packages of this environment are of releases that do not go together",
					Text:     "The importing package expects another release of {module}.",
					Remedies: []Remedy{fix("bring the two to releases that agree", "check", "python -m pip check; python -m pip list")},
				},
				Cause{
					Title:    "The module {module} is not in this Python environment",
					Text:     "It was not installed, or into another environment than the one that runs. The GPU is not concerned.",
					Remedies: []Remedy{fix("install it with the Python that runs the program", "check", "which python; python -m pip --version")},
				},
			),
			Samples: []string{"ModuleNotFoundError: No module named 'torchvision.transforms.functional_tensor'", "ModuleNotFoundError: No module named 'amp_C'", "ImportError: cannot import name 'cached_download' from 'huggingface_hub' (/venv/x.py)"},
			Misses:  []string{"ModuleNotFoundError: No module named 'mycode'"},
			Source:  "https://docs.python.org/3/library/exceptions.html#ModuleNotFoundError",
		},
	}
}
