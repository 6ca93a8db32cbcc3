package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// triton is what the Triton compiler, which torch.compile uses, says.
func triton() []*Signature {
	return []*Signature{
		{
			ID: "ptxas-gpu-name", Product: "triton",
			Literals: []string{"is not defined for option 'gpu-name'", "for option 'gpu-name'", "--gpu-name=sm_"},
			Pattern:  `Value '(?P<arch>sm_\d+[af]?)' is not defined for option 'gpu-name'|ptxas\S*,?.{0,60}--gpu-name=(?P<arch>sm_\d+[af]?).{0,240}(?:returned non-zero exit status|failed with error code)`,
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
			Samples: []string{"ptxas fatal   : Value 'sm_103a' is not defined for option 'gpu-name'",
				"Command '['/opt/env/triton/backends/nvidia/bin/ptxas', '-v', '--gpu-name=sm_101', '/tmp/a.ptx', '-o', '/tmp/a.o']' returned non-zero exit status 255."},
			Misses: []string{"--gpu-name sm_90 for option 'gpu-name'"},
			Source: "https://github.com/triton-lang/triton/issues/8539",
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
			Literals: []string{"Failed to find C compiler", "Failed to find Python libs", "Python.h: No such file", "Python.h' not found", "Please specify via CC environment", "\"Python.h\": No such file", "'Python.h': No such file"},
			Pattern:  `(?:Failed to find C compiler|(?P<file>Python\.h)['"]?: No such file or directory|include file '(?P<file>Python\.h)' not found|Failed to find (?P<file>Python libs))`,
			Layer:    rule.PythonEnv, Strength: Usual,
			Meaning: "A small C file is compiled at run time or in a build, and the compiler or Python's headers are missing.",
			Causes: causes(
				Cause{
					When:  on(Has("file"), OnWindows),
					Title: "This Python has no headers and libraries to compile against: Python.h (folders include and libs) is missing, as in an embedded Python",
					Text:  "Triton compiles C code at run time. The embedded Python of portable packages (ComfyUI and others) leaves out the folders include and libs. The GPU stack is not at fault.",
					Remedies: []Remedy{
						fix("copy the folders include and libs of an installed Python of the same version[ ({python|minor})] beside python.exe; triton-windows publishes them as an archive"),
						fix("or use a venv of an installed Python"),
					},
				},
				Cause{
					When:     on(Has("file")),
					Title:    "Python's headers are missing: Python.h is not found",
					Text:     "Triton and extensions compile C code against this Python[ {python}]; its development package is not installed.",
					Remedies: []Remedy{fix("install the headers of this Python", "Debian, Ubuntu", "sudo apt-get install python3-dev", "Fedora, RHEL", "sudo dnf install python3-devel")},
				},
				Cause{
					When: on(OnWindows), Layer: rule.Toolkit,
					Title: "Triton finds no C compiler on Windows (MSVC): it compiles a launcher at run time",
					Text:  "Triton for Windows needs the C++ build tools of Visual Studio, or a release of triton-windows that brings its own compiler (3.2 and newer). CC names another one.",
					Remedies: []Remedy{
						fix("update triton-windows to the release that fits this torch[ ({torch})]", "pip", "python -m pip install -U triton-windows"),
						fix("or install Visual Studio Build Tools with \"Desktop development with C++\", and start from its command prompt, or set CC"),
					},
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
				Title:    "This GPU[ ({gpu}, {cap}) ||  ({gpu}) ||  ({cap})] is too old for Triton, which torch.compile uses",
				Text:     "Triton needs compute capability 7.0 (Volta) or newer. The rest of PyTorch is not concerned.",
				Remedies: []Remedy{fix("run without torch.compile, or with another backend: torch.compile(backend=\"aot_eager\"), TORCHDYNAMO_DISABLE=1")},
			}),
			Samples: []string{"RuntimeError: Found NVIDIA GeForce GTX 1060 which is too old to be supported by the triton GPU compiler, which is used as the backend. Triton only supports devices of CUDA Capability >= 7.0, but your device is of CUDA capability 6.1"},
			Misses:  []string{"Triton only supports Linux"},
			Source:  "https://github.com/pytorch/pytorch/blob/main/torch/_inductor/exc.py",
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
		{
			ID: "ptxas-feature", Product: "triton",
			Literals: []string{"not supported on .target", "requires .target sm_", "requires PTX ISA .version"},
			Pattern:  `(?:Feature|Instruction|Modifier|Type) '(?P<what>[^']{1,80})' (?:not supported on|requires) \.target '?(?P<arch>sm_\d+[af]?)|(?:Feature|Instruction|Modifier|Type) '(?P<what>[^']{1,80})' requires PTX ISA \.version (?P<isa>[\d.]+)`,
			Layer:    rule.GPUArch, Strength: Strong,
			Meaning: "The assembler says that a kernel uses what this architecture does not have.",
			Causes: causes(
				Cause{
					When: on(Has("isa")), Layer: rule.Toolkit,
					Title:    "A kernel uses {what}, which needs PTX {isa}: the ptxas, or the toolkit's headers, are of another release",
					Text:     "The PTX declares an older version than its instructions need: a Triton, NVRTC or nvcc that is older than the code it compiles.",
					Remedies: []Remedy{fix("update Triton with its torch, or the CUDA toolkit", "shell", "export TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas")},
				},
				Cause{
					Title: "A kernel uses {what}, which {arch} does not have[ ({gpu})] or which begins there: it is written for another generation of GPU",
					Text:  "Instructions of the data-centre GPUs (Hopper sm_90a, Blackwell sm_100a) do not exist on consumer GPUs (sm_89, sm_120, sm_121), and new ones not on old GPUs (bf16 and cp.async begin at sm_80). Driver and toolkit are not at fault.",
					Remedies: []Remedy{
						fix("choose another back end or kernel of the program (attention, MoE or quantisation backend), or a release that supports {arch|sm}"),
						fix("in a build of your own, compile that file for the architectures that have it alone (TORCH_CUDA_ARCH_LIST, CMAKE_CUDA_ARCHITECTURES)"),
					},
				},
			),
			Samples: []string{"ptxas error   : Feature '.multicast::cluster' not supported on .target 'sm_120a'", "ptxas /tmp/x.ptx, line 20; error   : Feature 'cp.async' requires .target sm_80 or higher", "ptxas error : Instruction 'mma with block scale' not supported on .target 'sm_120'"},
			Misses:  []string{"the feature is not supported on this platform"},
			Source:  "https://github.com/vllm-project/vllm/issues/41477",
		},
		{
			ID: "triton-ptxas-failed", Product: "triton",
			Literals: []string{"`ptxas` failed with error code", "ptxas failed with error code"},
			Pattern:  "`?ptxas`? failed with error code (?P<code>-?\\d+)",
			Layer:    rule.Toolkit,
			Meaning:  "Triton started ptxas, the assembler of the CUDA toolkit, and it failed.",
			Causes: causes(
				Cause{
					When:  on(OnWindows),
					Title: "Triton's ptxas fails on Windows (error code {code}): Triton, its ptxas and torch[ {torch}] do not go together, or what it calls does not start",
					Text:  "triton-windows must be of the release that fits torch (3.1 with 2.5, 3.2 with 2.6, 3.3 with 2.7). A ptxas of an old toolkit on PATH or in CUDA_PATH, or a kernel for features that the GPU does not have, fail in the same way.",
					Remedies: []Remedy{
						fix("install the triton-windows that fits this torch, and empty Triton's cache", "pip", "python -m pip install -U triton-windows", "cmd", "rmdir /s /q %USERPROFILE%\\.triton\\cache"),
						fix("or use WSL2"),
					},
				},
				Cause{
					Title: "Triton's ptxas fails (error code {code})",
					Text:  "The lines behind it say why: a GPU that this ptxas does not know, PTX of a newer version, too many registers or too much shared memory, or no memory. 127 and 126 say that ptxas is not there or may not run.",
					Remedies: []Remedy{
						fix("use the ptxas of a newer toolkit, or a newer Triton", "shell", "export TRITON_PTXAS_PATH=/usr/local/cuda/bin/ptxas; rm -rf ~/.triton/cache"),
					},
					Ask: "the lines behind the message, which come from ptxas",
				},
			),
			Samples: []string{"RuntimeError: `ptxas` failed with error code 127: ", "RuntimeError: `ptxas` failed with error code 255:"},
			Misses:  []string{"ptxas info : 0 bytes gmem"},
			Source:  "https://github.com/unslothai/unsloth/issues/1237",
		},
	}
}
