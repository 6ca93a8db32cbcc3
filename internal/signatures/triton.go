package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// triton is what the Triton compiler, which torch.compile uses, says.
var triton = []*Signature{
	{
		ID: "ptxas-gpu-name", Product: "triton",
		Literals: []string{"is not defined for option 'gpu-name'", "for option 'gpu-name'"},
		Pattern:  `Value '(?P<arch>sm_\d+[af]?)' is not defined for option 'gpu-name'`,
		Layer:    rule.GPUArch, Strength: Strong, ExplainedBy: []string{"ARC001"},
		Meaning: "The ptxas in use is older than the GPU.",
		Causes: causes(Cause{
			Title: "The ptxas in use is too old for this GPU: it does not know {arch}[ ({gpu})]",
			Text:  "[Code for {arch|sm} begins with CUDA {arch|firstcuda}. ]Triton brings a ptxas of its own, and a Triton made before the GPU brings one that does not know it. The driver is not the reason.",
			Remedies: []Remedy{
				fix("let Triton use the ptxas of a toolkit[ of CUDA {arch|firstcuda} or newer]", "shell", "export TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas"),
				fix("or install a newer torch with its Triton[: torch {arch|torchforarch}]"),
			},
		}),
		Samples: []string{"ptxas fatal   : Value 'sm_103a' is not defined for option 'gpu-name'"},
		Misses:  []string{"--gpu-name sm_90 for option 'gpu-name'"},
		Source:  "https://github.com/triton-lang/triton/issues/8539",
	},
	{
		ID: "triton-libcuda-missing", Product: "triton",
		Literals: []string{"libcuda.so cannot found", "libcuda.so cannot be found"},
		Pattern:  `libcuda\.so cannot (?:be )?found`,
		Layer:    rule.Driver, ExplainedBy: []string{"DRV001", "CTR001", "DRV004"},
		Meaning: "Triton asks ldconfig for libcuda and finds none.",
		Causes: causes(
			Cause{
				When: on(OnWSL), Layer: rule.DeviceExposure,
				Title:    "Triton finds no libcuda.so in WSL: /usr/lib/wsl/lib is not in the loader's cache",
				Text:     "The driver's library of Windows is in /usr/lib/wsl/lib, and Triton looks through ldconfig -p.",
				Remedies: []Remedy{fix("name the directory", "shell", "export TRITON_LIBCUDA_PATH=/usr/lib/wsl/lib")},
			},
			Cause{
				When: on(InContainer), Layer: rule.ContainerRuntime, Confidence: rule.Possible,
				Title:    "Triton finds no libcuda.so in this container",
				Text:     "The container was started without a GPU, or the library was passed in where ldconfig does not list it.",
				Remedies: []Remedy{fix("start it with --gpus all; where libcuda is there, rebuild the cache or name its directory", "in the container", "ldconfig; ldconfig -p | grep libcuda", "shell", "export TRITON_LIBCUDA_PATH=/usr/lib/x86_64-linux-gnu")},
			},
			Cause{
				Title:    "Triton finds no libcuda.so: it is not in the loader's cache",
				Text:     "The driver's libcuda.so.1 is missing, or in a directory that ldconfig does not list (NixOS, modules of a cluster).",
				Remedies: []Remedy{fix("name the directory that has it, or install the driver's libraries", "check", "ldconfig -p | grep libcuda", "shell", "export TRITON_LIBCUDA_PATH=/usr/lib/x86_64-linux-gnu")},
			},
		),
		Samples: []string{"AssertionError: libcuda.so cannot found!"},
		Misses:  []string{"libcuda.so cannot open"},
		Source:  "https://github.com/pytorch/pytorch/issues/107960",
	},
	{
		ID: "triton-no-compiler", Product: "triton",
		Literals: []string{"Failed to find C compiler", "Failed to find Python libs", "Python.h: No such file", "Please specify via CC environment"},
		Pattern:  `(?:Failed to find C compiler|(?P<file>Python\.h): No such file or directory|Failed to find Python libs)`,
		Layer:    rule.PythonEnv, Strength: Usual,
		Meaning: "A small C file is compiled at run time or in a build, and the compiler or Python's headers are missing.",
		Causes: causes(
			Cause{
				When:     on(Has("file")),
				Title:    "Python's headers are missing: Python.h is not found",
				Text:     "Triton and extensions compile C code against this Python[ {python}]; its development package is not installed.",
				Remedies: []Remedy{fix("install the headers of this Python", "Debian, Ubuntu", "sudo apt-get install python3-dev", "Fedora, RHEL", "sudo dnf install python3-devel")},
			},
			Cause{
				Title:    "There is no C compiler: Triton compiles a launcher at run time",
				Text:     "Slim images have none.",
				Remedies: []Remedy{fix("install gcc, or name a compiler in CC", "Debian, Ubuntu", "sudo apt-get install build-essential")},
			},
		),
		Samples: []string{"RuntimeError: Failed to find C compiler. Please specify via CC environment variable.", "/tmp/tmpa/main.c:5:10: fatal error: Python.h: No such file or directory"},
		Misses:  []string{"#include <Python.h>"},
		Source:  "https://github.com/apple/ml-cross-entropy/issues/5",
	},
	{
		ID: "triton-missing", Product: "triton",
		Literals: []string{"No module named 'triton", "Cannot find a working triton installation", "A matching Triton is not available", "TritonMissing", "cannot import name 'triton_key'", "triton not found; flop counting"},
		Pattern:  `(?:No module named 'triton(?P<module>(?:\.[\w.]+)?)'|Cannot find a working triton installation|A matching Triton is not available|TritonMissing|cannot import name '(?P<name>triton_key|AttrsDescriptor)')`,
		Layer:    rule.PythonEnv, Strength: Weak,
		Meaning: "torch.compile or a package wants Triton, which is missing or of another release than PyTorch's.",
		Causes: causes(
			Cause{
				When: on(Any(Has("name"), Is("module", `\.`))), Layer: rule.PackageConflict,
				Title:    "Triton is of another release than this PyTorch[ ({torch})] expects[: {torch|triton}]",
				Text:     "PyTorch pins one release of Triton; another package replaced it.",
				Remedies: []Remedy{fix("install the Triton that torch pins[: {torch|triton}]", "pip", "python -m pip install triton=={torch|triton}")},
			},
			Cause{
				When:     on(OnWindows),
				Title:    "PyTorch for Windows comes without Triton",
				Text:     "Triton publishes no wheels for Windows; what needs it (torch.compile, some attention kernels) warns or fails, and the GPU works without it.",
				Remedies: []Remedy{fix("go on without it, or install triton-windows of the release that fits this torch", "pip", "python -m pip install triton-windows")},
			},
			Cause{
				Title:    "Triton is not installed beside PyTorch[ ({torch})]",
				Text:     "The CUDA wheels for Linux require it; a CPU build, or an installation with --no-deps, lacks it.",
				Remedies: []Remedy{fix("install the Triton of this torch[: {torch|triton}]", "pip", "python -m pip install triton=={torch|triton}")},
			},
		),
		Samples: []string{"ModuleNotFoundError: No module named 'triton'", "RuntimeError: Cannot find a working triton installation.", "ImportError: cannot import name 'triton_key' from 'triton.compiler.compiler'"},
		Misses:  []string{"No module named 'tritonclient'"},
		Source:  "https://github.com/pytorch/pytorch/issues/123097",
	},
	{
		ID: "triton-min-capability", Product: "triton",
		Literals: []string{"too old to be supported by the triton GPU compiler", "Triton only supports devices of CUDA Capability"},
		Pattern:  `(?:Found (?P<gpu>.{2,60}?) which is too old to be supported by the triton GPU compiler|Triton only supports devices of CUDA Capability >= ?(?P<need>\d\.\d), but your device is of CUDA capability (?P<cap>\d\.\d))`,
		Layer:    rule.GPUArch, Strength: Strong,
		Meaning: "Triton compiles for compute capability 7.0 and newer.",
		Causes: causes(Cause{
			Title:    "This GPU[ ({gpu}, {cap}) || ({gpu}) || ({cap})] is too old for Triton, which torch.compile uses",
			Text:     "Triton needs compute capability 7.0 (Volta) or newer. The rest of PyTorch is not concerned.",
			Remedies: []Remedy{fix("run without torch.compile, or with another backend: torch.compile(backend=\"aot_eager\"), TORCHDYNAMO_DISABLE=1")},
		}),
		Samples: []string{"RuntimeError: Found NVIDIA GeForce GTX 1060 which is too old to be supported by the triton GPU compiler, which is used as the backend. Triton only supports devices of CUDA Capability >= 7.0, but your device is of CUDA capability 6.1"},
		Misses:  []string{"Triton only supports Linux"},
		Source:  "https://pytorch.org/docs/stable/torch.compiler_faq.html",
	},
	{
		ID: "triton-internal-compile", Product: "triton",
		Literals: []string{"Internal Triton PTX codegen error", "PTXASError", "Unsupported conversion from", "fp8e4nv not supported"},
		Pattern:  `(?:Internal Triton PTX codegen error|PTXASError: PTXAS error|Unsupported conversion from f16 to f16|type fp8e4nv not supported in this architecture)`,
		Layer:    rule.GPUArch, Strength: Weak,
		Meaning: "Triton could not compile a kernel for this GPU.",
		Causes: causes(Cause{
			Title:    "Triton could not compile a kernel for this GPU[: {sm} ({gpu})]",
			Text:     "The kernel uses what the GPU does not have (fp8 begins at 8.9, bf16 at 8.0), or Triton's ptxas is older than the GPU; the line from ptxas says which.",
			Remedies: []Remedy{fix("use a kernel or dtype for this GPU, or a newer Triton", "shell", "export TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas")},
			Ask:      "the lines behind \"ptxas stderr\"",
		}),
		Samples: []string{"triton.runtime.errors.PTXASError: PTXAS error: Internal Triton PTX codegen error", "ValueError: type fp8e4nv not supported in this architecture. The supported fp8 dtypes are ('fp8e4b15', 'fp8e5')"},
		Misses:  []string{"class PTXASError(Exception)"},
		Source:  "https://github.com/triton-lang/triton/issues/8096",
	},
}
