package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// bitsAndBytes is what bitsandbytes says when its native library does not load.
func bitsAndBytes() []*Signature {
	return []*Signature{
		{
			ID: "bitsandbytes-setup-failed", Product: "bitsandbytes",
			Literals: []string{"CUDA Setup failed despite", "CUDA SETUP: CUDA detection failed", "CUDA_SETUP: WARNING! libcudart", "bitsandbytes native library", "libcudart.so not found in any environmental path"},
			Pattern:  `(?:CUDA Setup failed despite (?:GPU|CUDA) being available|CUDA SETUP: CUDA detection failed|Could not load bitsandbytes native library|CUDA_SETUP: WARNING! libcudart\.so not found)`,
			Layer:    rule.FrameworkBuild, ExplainedBy: []string{"FRM007", "FRM001"},
			Meaning: "bitsandbytes found no native library of its own for the CUDA of this PyTorch.",
			Causes: causes(
				Cause{
					When:     on(Is("torch", `\+cpu`)),
					Title:    "torch {torch} is a CPU build, so bitsandbytes takes its CPU library",
					Text:     "bitsandbytes chooses its library by torch.version.cuda.",
					Remedies: []Remedy{fix("install a CUDA build of torch", "pip", "python -m pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/cu126")},
				},
				Cause{
					When: on(Says("libcusparse.so.11", "libcublasLt.so.11", "libcusparse.so.12", "libcublas.so.11", "libcudart.so.11", "libnvJitLink", "libcusparse.so", "libcublas.so.12: cannot", "libcublasLt.so.12: cannot")), Layer: rule.CUDALibraries,
					Title: "bitsandbytes' library does not find a CUDA library that it needs[ (CUDA {torch_cuda})]",
					Text:  "Its native library is linked with cuBLAS and cuSPARSE of one CUDA major; the text names the file that is missing. PyTorch finds them in its nvidia wheels, where other programs do not look.",
					Remedies: []Remedy{
						fix("update bitsandbytes, whose newer releases find PyTorch's libraries", "pip", "python -m pip install -U bitsandbytes"),
						fix("or put the directory of the named library on LD_LIBRARY_PATH", "check", "ldd $(python -c 'import bitsandbytes,os; print(os.path.dirname(bitsandbytes.__file__))')/libbitsandbytes_cuda*.so | grep 'not found'"),
					},
				},
				Cause{
					When: on(Says("BNB_CUDA_VERSION=", "BNB_CUDA_VERSION env")), Layer: rule.FrameworkBuild,
					Title: "BNB_CUDA_VERSION names a CUDA that this bitsandbytes has no library for[ (torch {torch}, CUDA {torch_cuda})]",
					Text:  "BNB_CUDA_VERSION replaces the CUDA of PyTorch by another one. bitsandbytes then asks for a file that this release, or this copy built from source, does not have, and falls back to its CPU library.",
					Remedies: []Remedy{
						fix("unset BNB_CUDA_VERSION, so that the library for PyTorch's own CUDA is taken", "shell", "unset BNB_CUDA_VERSION; python -m bitsandbytes"),
						fix("and update bitsandbytes, or build it for that CUDA", "pip", "python -m pip install -U bitsandbytes"),
					},
				},
				Cause{
					Title: "bitsandbytes has no library for the CUDA of this PyTorch[ ({torch}, CUDA {torch_cuda})]",
					Text:  "Each release brings libbitsandbytes_cudaXYZ.so for some CUDA releases alone. An old release knows no newer CUDA, old ones guessed CUDA from a libcudart on the path, and a copy built from source has only what was built.",
					Remedies: []Remedy{
						fix("update bitsandbytes", "pip", "python -m pip install -U bitsandbytes"),
						fix("remove BNB_CUDA_VERSION from the environment, unless the library it names is there", "check", "python -m bitsandbytes"),
					},
					Ask: "the full output of python -m bitsandbytes",
				},
			),
			Samples: []string{
				"        CUDA Setup failed despite GPU being available. Please run the following command to get more information:",
				"RuntimeError: CUDA Setup failed despite CUDA being available. Please run the following command to get more information:",
				"Could not load bitsandbytes native library: libcusparse.so.11: cannot open shared object file: No such file or directory",
			},
			Misses: []string{"CUDA SETUP: CUDA runtime path found: /usr/local/cuda/lib64/libcudart.so.12"},
			Source: "https://github.com/bitsandbytes-foundation/bitsandbytes/issues/1559",
		},
		{
			ID: "bitsandbytes-cuda-binary", Product: "bitsandbytes",
			Literals: []string{"libbitsandbytes_cuda", "bitsandbytes library was compiled for CUDA", "bitsandbytes CUDA binary"},
			Pattern:  `(?:Could not find the bitsandbytes CUDA binary at \S*?|Required library version not found: |Configured CUDA binary not found at \S*?|Library not found: \S*?)?(?P<file>libbitsandbytes_cuda(?P<number>\d{3})(?:_nocublaslt)?\.(?:so|dll))(?:'\)|: cannot open shared object file|\. Maybe you need to compile it from source| not found)`,
			Layer:    rule.FrameworkBuild, Strength: Strong, ExplainedBy: []string{"FRM007"},
			Meaning: "bitsandbytes has no native library for this CUDA.",
			Causes: causes(Cause{
				Title: "This bitsandbytes brings no {file}, the library for the CUDA of this PyTorch[ ({torch}, CUDA {torch_cuda})]",
				Text:  "It chooses by torch.version.cuda, or by BNB_CUDA_VERSION where that is set ({number}). The release is too old for this CUDA, or was built from source for another one. A system toolkit does not matter for it.",
				Remedies: []Remedy{
					fix("update bitsandbytes to a release with this library, and unset BNB_CUDA_VERSION", "pip", "python -m pip install -U bitsandbytes"),
				},
				Ask: "ls $(python -c 'import os, importlib.util as u; print(os.path.dirname(u.find_spec(\"bitsandbytes\").origin))')",
			}),
			Samples: []string{
				"Could not find the bitsandbytes CUDA binary at PosixPath('/venv/lib/python3.10/site-packages/bitsandbytes/libbitsandbytes_cuda128.so')",
				"CUDA SETUP: Required library version not found: libbitsandbytes_cuda117.so. Maybe you need to compile it from source?",
			},
			Misses: []string{"CUDA SETUP: Loading binary /venv/bitsandbytes/libbitsandbytes_cuda121.so..."},
			Source: "https://github.com/bitsandbytes-foundation/bitsandbytes/issues/1190",
		},
		{
			ID: "bitsandbytes-cpu-only", Product: "bitsandbytes",
			Literals: []string{"bitsandbytes was compiled without GPU support", "libbitsandbytes_cpu", "8-bit optimizers and GPU quantization are unavailable"},
			Pattern:  `(?:bitsandbytes was compiled without GPU support|Defaulting to libbitsandbytes_cpu|libbitsandbytes_cpu\.so: (?:undefined symbol|cannot open)|Loading binary \S*libbitsandbytes_cpu|8-bit optimizers and GPU quantization are unavailable)`,
			Layer:    rule.FrameworkBuild, ExplainedBy: []string{"FRM007", "FRM001"}, Strength: Weak,
			Meaning: "bitsandbytes runs with its library for the CPU.",
			Causes: causes(
				Cause{
					When:     on(OnWindows, Below("bitsandbytes", "0.43")),
					Title:    "This bitsandbytes has no CUDA library for Windows",
					Text:     "Releases before 0.43 brought none.",
					Remedies: []Remedy{fix("update bitsandbytes to 0.43 or newer", "pip", "python -m pip install -U bitsandbytes")},
				},
				Cause{
					When:     on(Is("torch", `\+cpu`)),
					Title:    "torch {torch} is a CPU build, so bitsandbytes takes its CPU library",
					Text:     "bitsandbytes chooses its library by torch.version.cuda.",
					Remedies: []Remedy{fix("install a CUDA build of torch", "pip", "python -m pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/cu126")},
				},
				Cause{
					When:  on(OnWindows),
					Title: "bitsandbytes[ {bitsandbytes}] on Windows runs with its library for the CPU: releases before 0.43 have none for CUDA there, or PyTorch[ ({torch})] is a build for the CPU",
					Text:  "Training in 8 bit then fails or stands still on the CPU. It chooses its library by torch.version.cuda. The CUDA toolkit of the system does not matter for PyTorch's.",
					Remedies: []Remedy{
						fix("update bitsandbytes to 0.43 or newer, which has CUDA libraries for Windows, and remove bitsandbytes-windows", "pip", "python -m pip uninstall -y bitsandbytes-windows; python -m pip install -U bitsandbytes"),
						fix("see that PyTorch uses the GPU", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())'"),
					},
					Ask: "python -m pip show bitsandbytes, and python -m bitsandbytes",
				},
				Cause{
					Title:    "bitsandbytes runs with its library for the CPU: it found no CUDA in PyTorch[ ({torch})], or has no library for it",
					Text:     "It chooses by torch.version.cuda; None, or torch.cuda.is_available() False, gives libbitsandbytes_cpu.so.",
					Remedies: []Remedy{fix("see first that PyTorch uses the GPU, then update bitsandbytes", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())'", "pip", "python -m pip install -U bitsandbytes")},
					Ask:      "python -m bitsandbytes, and python -c 'import torch; print(torch.version.cuda, torch.cuda.is_available())'",
				},
			),
			Samples: []string{
				"UserWarning: The installed version of bitsandbytes was compiled without GPU support. 8-bit optimizers, 8-bit multiplication, and GPU quantization are unavailable.",
				"CUDA SETUP: Defaulting to libbitsandbytes_cpu.so...",
				"AttributeError: /venv/bitsandbytes/libbitsandbytes_cpu.so: undefined symbol: cget_col_row_stats",
			},
			Misses: []string{"-rw-r--r-- libbitsandbytes_cpu.so"},
			Source: "https://github.com/bitsandbytes-foundation/bitsandbytes/issues/487",
		},
		{
			ID: "bitsandbytes-kernel-missing", Product: "bitsandbytes",
			Literals: []string{"Error named symbol not found at line", "no kernel image is available for execution on the device at line", "invalid device function at line"},
			Pattern:  `Error (?P<what>named symbol not found|no kernel image is available for execution on the device|invalid device function) at line \d+ in file \S*csrc/ops\.cu`,
			Layer:    rule.GPUArch,
			Meaning:  "bitsandbytes' library has no code for this GPU.",
			Causes: causes(Cause{
				Title:    "bitsandbytes has no code for this GPU[: {sm} ({gpu})]",
				Text:     "Its library was compiled for other architectures: this release is older than the GPU, or dropped it.",
				Remedies: []Remedy{fix("use a bitsandbytes that has the GPU: newer for a new one, older for an old one", "pip", "python -m pip install -U bitsandbytes")},
			}),
			Samples: []string{"Error no kernel image is available for execution on the device at line 119 in file /home/build/bitsandbytes/csrc/ops.cu", "Error named symbol not found at line 90 in file /src/csrc/ops.cu"},
			Misses:  []string{"nvcc -c csrc/ops.cu"},
			Source:  "https://github.com/bitsandbytes-foundation/bitsandbytes/issues/966",
		},
		{
			ID: "quantization-needs-bitsandbytes", Product: "transformers",
			Literals: []string{"8-bit quantization requires", "8-bit quantization requires Accelerate", "`bitsandbytes` 8-bit quantization", "No package metadata was found for bitsandbytes", "requires the latest version of bitsandbytes"},
			Pattern:  "(?:(?:`load_in_8bit` |`bitsandbytes` )?8-bit quantization requires|No package metadata was found for bitsandbytes|requires the latest version of bitsandbytes)",
			Layer:    rule.PythonEnv, Strength: Weak,
			Meaning: "Transformers finds no bitsandbytes that it can use; without a visible GPU it says the same.",
			Causes: causes(Cause{
				Title:    "Transformers finds no usable bitsandbytes or accelerate, or no GPU",
				Text:     "The check also fails where torch.cuda.is_available() is False, whatever is installed.",
				Remedies: []Remedy{fix("install both, and see that PyTorch uses the GPU", "pip", "python -m pip install -U bitsandbytes accelerate", "check", "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())'")},
				Ask:      "python -c 'import torch; print(torch.version.cuda, torch.cuda.is_available())'",
			}),
			Samples: []string{"ImportError: Using `bitsandbytes` 8-bit quantization requires Accelerate: `pip install accelerate` and the latest version of bitsandbytes"},
			Misses:  []string{"8-bit quantization of the weights"},
			Source:  "https://huggingface.co/docs/transformers/quantization/bitsandbytes",
		},
	}
}
