package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// otherTorch is what says that a package or an extension is written for another PyTorch than the one that is installed.
func otherTorch() []*Signature {
	return []*Signature{
		{
			ID: "torch-lacks-name", Product: "pytorch",
			Literals: []string{"module 'torch' has no attribute '", "module 'torch.library' has no attribute '", "module 'torch.utils._pytree' has no attribute '", "module 'torch.compiler' has no attribute '", "module 'torch.distributed' has no attribute '",
				"module 'torch.amp' has no attribute '", "module 'torch.nn' has no attribute '", "module 'torch.cuda' has no attribute '", "from 'torch.", "module 'torch._C' has no attribute '", "module 'torch._dynamo' has no attribute '", "module 'torch._inductor' has no attribute '"},
			Pattern: `module '(?P<module>torch)' has no attribute '(?P<name>float8_\w+|float4_\w+|compile|compiler|uint(?:16|32|64)|int1|bfloat16|inference_mode|amp|library|export|xpu|accelerator|_dynamo|fx|set_default_device|get_default_device|ops)'` +
				`|module '(?P<module>torch\.(?:library|utils\._pytree|compiler|distributed|amp|nn|cuda|_C|_dynamo|_inductor))' has no attribute '(?P<name>\w+)'` +
				`|cannot import name '(?P<name>\w+)' from '(?P<module>torch\.[\w.]+)'`,
			Layer:   rule.PackageConflict,
			Meaning: "A package calls what this PyTorch does not have: it is written for another release.",
			Causes: causes(
				Cause{
					When:  on(Is("module", `^torch\.cuda$|^torch\._C$`), Says("+cpu", "torch cpu", "cpuonly", "_cuda_")),
					Layer: rule.FrameworkBuild,
					Title: "This PyTorch[ {torch}] has no {module}.{name}: it is the CPU build, or another release than the package is written for",
					Text:  "Names of that kind are only there in the builds with CUDA.",
					Remedies: []Remedy{
						fix("install the build with CUDA", "pip", "python -m pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/cu126", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda)'"),
					},
				},
				Cause{
					Title: "PyTorch[ {torch}] has no {module}.{name}: a package that is installed needs a newer torch (or an older one)",
					Text:  "transformers, diffusers, vLLM, torchao and extensions are written for a range of releases of torch. They were updated without it, or it was downgraded by another package. Driver and CUDA are not at fault.",
					Remedies: []Remedy{
						fix("upgrade torch, with torchvision and torchaudio of the same set and the CUDA build of before", "pip", "python -m pip install -U torch torchvision torchaudio --index-url https://download.pytorch.org/whl/cu126", "check", "python -m pip check"),
						fix("or downgrade the package that the traceback names to a release for this torch[ ({torch})]"),
					},
					Ask: "python -m pip list | grep -i -e torch -e transformers -e diffusers",
				},
			),
			Samples: []string{
				"AttributeError: module 'torch' has no attribute 'float8_e4m3fn'",
				"AttributeError: module 'torch.library' has no attribute 'register_fake'",
				"ImportError: cannot import name 'DiagnosticOptions' from 'torch.onnx._internal.exporter'",
			},
			Misses: []string{"AttributeError: module 'torch' has no attribute 'my_helper'", "cannot import name 'foo' from 'torchtools'"},
			Source: "https://github.com/huggingface/diffusers/issues/9704",
		},
		{
			ID: "extension-old-torch-api", Product: "pytorch",
			Literals: []string{"AT_CHECK", "THC/THC", "THCState", "TH/TH.h", "THCudaCheck", "THCudaBlas", "AT_ASSERTM", "THCCeilDiv", "THCudaMalloc"},
			Pattern:  `(?P<name>AT_CHECK|THCState\w*|THCudaCheck|THCudaMalloc|THCCeilDiv|THCudaBlas\w*|AT_ASSERTM)['"’”]? (?:was not declared|has not been declared|is undefined)|identifier "(?P<name>AT_CHECK|THC\w+|AT_ASSERTM)" is undefined|(?P<name>THC/THC\w*\.c?u?h|TH/TH\.h|THC/THC\.h): No such file|Cannot open include file: '(?P<name>THC/\w+\.c?u?h|TH/TH\.h)'`,
			Layer:    rule.PackageConflict, Strength: Strong,
			Meaning: "An extension's code uses what PyTorch took away: it is written for an older release.",
			Causes: causes(Cause{
				Title: "The extension is written for an older PyTorch: {name} is no longer there[ in {torch}]",
				Text:  "AT_CHECK went with PyTorch 1.5 (TORCH_CHECK in its place), the headers THC with 1.11. Toolkit and driver are not at fault.",
				Remedies: []Remedy{
					fix("take a newer release of the extension, or the torch that it names in its instructions (1.10 or older for THC, 1.4 or older for AT_CHECK)"),
					fix("or mend the code: TORCH_CHECK in place of AT_CHECK, C10_CUDA_CHECK of c10/cuda/CUDAException.h in place of THCudaCheck, without THC/THC.h"),
				},
			}),
			Samples: []string{
				"nms.cpp:12:3: error: ‘AT_CHECK’ was not declared in this scope",
				"deform_conv_cuda.cu:4:10: fatal error: THC/THC.h: No such file or directory",
				`error: identifier "THCState" is undefined`,
			},
			Misses: []string{"#include <THC/THC.h>", "AT_CHECK(x)"},
			Source: "https://github.com/pytorch/pytorch/issues/72807",
		},
		{
			ID: "extension-cxx17", Product: "pytorch",
			Literals: []string{"You need C++17 to compile PyTorch", "You need C++14 to compile PyTorch", "You need C++20 to compile PyTorch", "C++17 or later compatible compiler is required", "C++14 or later compatible compiler is required"},
			Pattern:  `You need C\+\+(?P<std>\d\d) to compile PyTorch|C\+\+(?P<std>\d\d) or later compatible compiler is required`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "PyTorch's headers want a newer C++ than the extension's build asks for.",
			Causes: causes(Cause{
				Title: "The extension is compiled with an older C++ than the headers of this PyTorch[ {torch}] want: -std=c++{std}",
				Text:  "PyTorch 2.1 and newer need C++17. The flag stands in the extension's setup.py or CMakeLists.txt, or the host compiler is too old for it (GCC 9 or newer serves).",
				Remedies: []Remedy{
					fix("set -std=c++{std} in the extension's setup.py (cxx and nvcc flags), or CMAKE_CXX_STANDARD and CMAKE_CUDA_STANDARD {std} for CMake"),
					fix("or take a newer release of the extension, or a torch before 2.1; where gcc is old, install a newer one and name it", "shell", "export CC=gcc-11 CXX=g++-11"),
				},
			}),
			Samples: []string{`ATen.h:4:2: error: #error C++17 or later compatible compiler is required to use ATen.`, `all.h:4:2: error: #error You need C++17 to compile PyTorch`},
			Misses:  []string{"we compile with C++17"},
			Source:  "https://github.com/pytorch/pytorch/blob/main/torch/csrc/api/include/torch/all.h",
		},
		{
			ID: "extension-ninja-missing", Product: "pytorch",
			Literals: []string{"Ninja is required to load C++ extensions", "'ninja', '--version'", "'ninja', '-v'"},
			Pattern:  `Ninja is required to load C\+\+ extensions|\['ninja', '--version'\]' returned|No such file or directory: 'ninja'`,
			Layer:    rule.Toolkit,
			Meaning:  "PyTorch compiles extensions at run time with ninja, which is not on PATH.",
			Causes: causes(Cause{
				Title:    "ninja, with which PyTorch compiles extensions, is not found",
				Text:     "It has to be on PATH of the process, also where pip put it into the environment's bin directory. The compile needs nvcc and a host compiler too.",
				Remedies: []Remedy{fix("install it into the environment and have the environment's bin directory on PATH", "pip", "python -m pip install ninja", "check", "ninja --version; nvcc --version")},
			}),
			Samples: []string{"RuntimeError: Ninja is required to load C++ extensions", "FileNotFoundError: [Errno 2] No such file or directory: 'ninja'\n  subprocess.check_output(['ninja', '--version'])"},
			Misses:  []string{"subprocess.CalledProcessError: Command '['ninja', '-v']' returned non-zero exit status 1."},
			Source:  "https://docs.pytorch.org/docs/stable/cpp_extension.html",
		},
	}
}
