package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// extensionBuild is what builds of PyTorch extensions say about the toolkit.
func extensionBuild() []*Signature {
	return []*Signature{
		{
			ID: "extension-cuda-mismatch", Product: "pytorch",
			Literals: []string{"mismatches the version that was used to compile", "The detected CUDA version"},
			Pattern:  `The detected CUDA version \((?P<toolkit>\d+\.\d+)\)\s+mismatches\s+the\s+version\s+that\s+was\s+used\s+to\s+compile\s*PyTorch\s*\((?P<torch_cuda>\d+\.\d+)\)`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "nvcc is of another CUDA major release than PyTorch.",
			Causes: causes(Cause{
				Title: "nvcc is of CUDA {toolkit}, PyTorch was built with CUDA {torch_cuda}: an extension cannot be built with it",
				Text: "PyTorch's build looks for nvcc through CUDA_HOME (CUDA_PATH on Windows), then PATH, then /usr/local/cuda, and found CUDA {toolkit}. It must be of PyTorch's major release; another minor only warns. " +
					"The CUDA version in nvidia-smi is the driver's and does not matter here.",
				Remedies: []Remedy{
					fix("install a toolkit of CUDA {torch_cuda} beside the other one and name it", "shell", "export CUDA_HOME=/usr/local/cuda-{torch_cuda}; export PATH=$CUDA_HOME/bin:$PATH", "conda", "conda install -c nvidia cuda-toolkit={torch_cuda}"),
					fix("or use a ready wheel of the extension for this torch[ {torch}] and CUDA {torch_cuda}"),
					fix("or install a PyTorch built with CUDA {toolkit|major}.x[ ({toolkit|cutag})]"),
				},
				Ask: "which nvcc; nvcc --version; echo $CUDA_HOME",
			}),
			Samples: []string{
				"      The detected CUDA version (13.0) mismatches the version that was used to compile\n      PyTorch (12.6). Please make sure to use the same CUDA versions.",
			},
			Misses: []string{"The detected CUDA version (11.5) has a minor version mismatch with the version that was used to compile PyTorch (11.7). Most likely this shouldn't be a problem."},
			Source: "https://github.com/pytorch/pytorch/issues/73047",
		},
		{
			ID: "deepspeed-cuda-mismatch", Product: "deepspeed",
			Literals: []string{"does not match the version torch was compiled with", "Installed CUDA version"},
			Pattern:  `Installed CUDA version (?P<toolkit>\d+\.\d+) does not match the version torch was compiled with (?P<torch_cuda>\d+\.\d+)\s*,?\s*unable`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "DeepSpeed compiles its operators and found an nvcc of another CUDA than torch's.",
			Causes: causes(
				Cause{
					When:     on(Below("toolkit|major", "{torch_cuda|major}")),
					Title:    "nvcc is of CUDA {toolkit}, torch was built with CUDA {torch_cuda}: DeepSpeed cannot compile its operators",
					Text:     "The two are of different major releases; the check is right.",
					Remedies: []Remedy{fix("install a toolkit of CUDA {torch_cuda} and name it", "shell", "export CUDA_HOME=/usr/local/cuda-{torch_cuda}; export PATH=$CUDA_HOME/bin:$PATH")},
				},
				Cause{
					Title: "nvcc is of CUDA {toolkit}, torch was built with CUDA {torch_cuda}: DeepSpeed does not compile its operators",
					Text:  "Within one major release the code works; between majors it does not.",
					Remedies: []Remedy{
						fix("install a toolkit of CUDA {torch_cuda} and name it", "shell", "export CUDA_HOME=/usr/local/cuda-{torch_cuda}; export PATH=$CUDA_HOME/bin:$PATH"),
						fix("where the major release is the same, skip the check", "shell", "export DS_SKIP_CUDA_CHECK=1"),
					},
				},
			),
			Samples: []string{"Exception: >- DeepSpeed Op Builder: Installed CUDA version 12.2 does not match the version torch was compiled with 11.7, unable to compile cuda/cpp extensions without a matching cuda version."},
			Misses:  []string{"Installed CUDA version: 12.2"},
			Source:  "https://github.com/deepspeedai/DeepSpeed/issues/2772",
		},
		{
			ID: "extension-cuda-home", Product: "pytorch",
			Literals: []string{"CUDA_HOME environment variable is not set", "CUDA_HOME does not exist", "cuda_home='", "CUDA_HOME is undefined", "CUDA_HOME to be set", "CUDA_HOME is not set", "nvcc was not found", "nvcc not found", "Could not find nvcc", "Unable to find CUDA", "Please set it to your CUDA install root", "Cannot find CUDA"},
			Pattern: `(?:CUDA_HOME environment variable is not set|CUDA_HOME does not exist, unable to compile|CUDA_HOME (?:is )?(?:undefined|not set)|nvcc was not found\.|Could not find nvcc(?: and default cuda_home='?(?P<home>[^' ]+)'? doesn't exist)?|` +
				`(?:Error|error|RuntimeError|OSError|Exception)\S*:? .{0,60}(?:CUDA_HOME|nvcc)\S* (?:environment variable )?(?:was |is )?not (?:set|found|defined)|Unable to find CUDA (?:toolkit|installation)|Cannot find CUDA (?:toolkit|installation))`,
			Layer: rule.Toolkit, ExplainedBy: []string{"TKT004"},
			Meaning: "CUDA code is to be compiled and no toolkit is found.",
			Causes: causes(
				Cause{
					When:  on(InContainer),
					Title: "There is no CUDA toolkit in this container: nvcc and CUDA_HOME are missing",
					Text:  "A runtime image and PyTorch's wheels bring libraries but no compiler. What compiles CUDA code (flash-attn, deepspeed, flashinfer, extensions) needs nvcc.",
					Remedies: []Remedy{
						fix("take the devel variant of the image[ in place of {image}] (…-cudnn-devel-…), or install cuda-toolkit or cuda-nvcc of PyTorch's CUDA[ {torch_cuda}] in it", "check", "which nvcc; ls -d /usr/local/cuda*"),
						fix("or install a ready wheel, which needs no compiler"),
					},
				},
				Cause{
					Title: "No CUDA toolkit is found: CUDA_HOME is not set and nvcc is not on PATH",
					Text:  "PyTorch's pip and Conda packages bring libraries but no compiler, and the CUDA version in nvidia-smi is the driver's. What compiles CUDA code needs a toolkit[ of CUDA {torch_cuda|major}.x, like torch's {torch_cuda}].",
					Remedies: []Remedy{
						fix("where a toolkit is installed, name it", "shell", "export CUDA_HOME=/usr/local/cuda; export PATH=$CUDA_HOME/bin:$PATH", "conda", "export CUDA_HOME=$CONDA_PREFIX"),
						fix("else install one[ of CUDA {torch_cuda}]", "conda", "conda install -c nvidia cuda-toolkit={torch_cuda}", "Debian, Ubuntu with NVIDIA's repository", "sudo apt-get install cuda-toolkit"),
						fix("or install a ready wheel of the package, which needs no compiler"),
					},
					Ask: "which nvcc; ls -d /usr/local/cuda*; echo $CUDA_HOME",
				},
			),
			Samples: []string{
				"OSError: CUDA_HOME environment variable is not set. Please set it to your CUDA install root.",
				"deepspeed.ops.op_builder.builder.MissingCUDAException: CUDA_HOME does not exist, unable to compile CUDA op(s)",
				"RuntimeError: Could not find nvcc and default cuda_home='/usr/local/cuda' doesn't exist",
				"UserWarning: fa: nvcc was not found.  Are you sure your environment has nvcc available?",
			},
			Misses: []string{"echo CUDA_HOME is /usr/local/cuda"},
			Source: "https://github.com/deepspeedai/DeepSpeed/issues/2337",
		},
		{
			ID: "extension-msvc-missing", Product: "pytorch",
			Literals: []string{"compiler version for cl", "'where', 'cl'", "Microsoft Visual C++ 14.0 or greater is required", "Cannot find compiler 'cl.exe'", "is not able to find cl.exe", "CL.exe not found", "Could not locate a supported Microsoft Visual C++"},
			Pattern:  `Could not locate a supported Microsoft Visual C\+\+ installation|Error checking compiler version for cl\b|'where', 'cl'|Microsoft Visual C\+\+ 14\.0 or greater is required|Cannot find compiler 'cl\.exe'`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "An extension is compiled on Windows, and cl.exe of Visual C++ is not found.",
			Causes: causes(Cause{
				Title:    "Microsoft's compiler cl.exe, which nvcc needs on Windows, is not found",
				Text:     "The build must run where Visual Studio's C++ tools are on PATH. Driver, PyTorch and GPU are not concerned.",
				Remedies: []Remedy{fix("install the Visual Studio Build Tools with Desktop development with C++, of a release that this nvcc takes, and build from the x64 Native Tools Command Prompt"), fix("or install a ready wheel of the package")},
				Ask:      "where cl; nvcc --version",
			}),
			Samples: []string{"Error checking compiler version for cl: [WinError 2] The system cannot find the file specified", "error: Microsoft Visual C++ 14.0 or greater is required."},
			Misses:  []string{"where cl finds it"},
			Source:  "https://docs.nvidia.com/cuda/cuda-installation-guide-microsoft-windows/",
		},
	}
}
