package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toldProgram are what people say of toolkits, environments and memory in words of their own.
func toldProgram() []*Signature {
	return []*Signature{
		{
			ID: "told-toolkit-of-another-cuda", Product: "CUDA programs",
			Literals: []string{"CUDA versions do not match", "CUDA versions don't match", "CUDA version mismatch", "CUDA versions differ", "different CUDA version", "CUDA version does not match", "CUDA version doesn't match", "mismatch between CUDA", "mismatched CUDA"},
			Pattern:  `(?i)CUDA versions? (?:(?:do|does) not match|(?:don't|doesn't) match|mismatch|differ)|different CUDA versions?|mismatch between CUDA|mismatched CUDA`,
			Role:     Told, Layer: rule.Toolkit,
			Where:   on(Says("nvcc", "build", "compil", "setup.py", "toolkit", "extension")),
			Meaning: "Somebody says that the CUDA of a build and that of PyTorch do not match.",
			Causes: causes(Cause{
				Title:    "nvcc[ (CUDA {toolkit})] is of another CUDA than PyTorch[ ({torch_cuda})], so the extension is not compiled",
				Text:     "PyTorch's extensions are compiled by the nvcc that CUDA_HOME or PATH names; its CUDA must be of PyTorch's major release, best of the same. What nvidia-smi shows is the driver's CUDA and does not matter here.",
				Remedies: []Remedy{fix("install a toolkit of PyTorch's CUDA[ {torch_cuda}] and let CUDA_HOME name it", "conda", "conda install -c nvidia cuda-nvcc={torch_cuda}", "bash", "export CUDA_HOME=/usr/local/cuda-{torch_cuda}; export PATH=$CUDA_HOME/bin:$PATH"), fix("or install the PyTorch of the toolkit's CUDA[: {toolkit|cutag}]")},
				Ask:      "nvcc --version; python -c 'import torch; print(torch.version.cuda)'",
			}),
			Samples: []string{"setup.py says that the CUDA versions do not match"},
			Misses:  []string{"the CUDA versions match"},
			Source:  "https://github.com/conansherry/detectron2/issues/34",
		},
		{
			ID: "told-other-interpreter", Product: "python",
			Literals: []string{"sys.executable", "another interpreter", "other interpreter", "wrong interpreter", "different interpreter", "different environment", "wrong environment", "another environment", "different kernel", "wrong kernel", "which python", "Jupyter notebook", "notebook kernel", "VS Code"},
			Pattern:  `(?i)(?:another|other|wrong|different) (?:python )?(?:interpreter|environment|kernel)|sys\.executable|which python\d?\b`,
			Role:     Told, Layer: rule.PythonEnv,
			Where:   on(Says("Jupyter", "notebook", "terminal", "VS Code", "PyCharm", "service", "systemd", "cron"), fails),
			Meaning: "Somebody says that a program runs in another Python than the one that has the packages.",
			Causes: causes(Cause{
				Title:    "the program runs in another Python environment than the one that has the GPU packages",
				Text:     "Jupyter's kernel, an editor or a service starts its own interpreter, not that of the environment that is active in the terminal. The stack itself works there.",
				Remedies: []Remedy{fix("register the environment as a kernel and choose it in the notebook", "in the environment", "python -m pip install ipykernel; python -m ipykernel install --user --name gpu"), fix("or name the environment's interpreter in the editor or the service")},
				Ask:      "python -c 'import sys; print(sys.executable)' in both places",
			}),
			Samples: []string{"sys.executable is /usr/bin/python3 in the notebook, not that of the venv", "the notebook kernel is another environment"},
			Misses:  []string{"print the interpreter"},
			Source:  "https://ipython.readthedocs.io/en/stable/install/kernel_install.html",
		},
		{
			ID: "told-memory-full", Product: "CUDA programs",
			Literals: []string{"memory left", "not enough memory", "not enough GPU memory", "not enough VRAM", "enough video memory", "out of memory", "out-of-memory", "out of VRAM", "insufficient memory", "memory is full", "VRAM is full", "memory is used up", "still holds", "still occupied", "still allocated"},
			Pattern:  `(?i)\bno (?:GPU |video |free )?memory left|not enough (?:GPU |video |free )?(?:memory|VRAM)|\b(?:runs?|ran|running|is|are|get|gets|with|an) out[- ]of[- ](?:GPU |video |CUDA )?(?:memory|VRAM)|insufficient (?:GPU |video )?memory|(?:memory|VRAM) is (?:full|used up)|\b\d+ ?(?:of|/) ?\d+ ?Mi?B\b|(?:memory|MiB|GB) (?:is |are )?still (?:occupied|allocated|held|in use)`,
			Role:     Told, Layer: rule.Application,
			Where:   on(Says("memory", "VRAM", "MiB"), Any(Says("GPU", " card", "nvidia", "CUDA", "VRAM"), Has("gpu"))),
			Meaning: "Somebody says that the GPU's memory does not suffice.",
			Causes: causes(
				Cause{
					When:     on(Says("process", "zombie", "other job", "another job", "crashed", "leftover", "still holds", "other users")),
					Title:    "not the stack: the GPU's memory is full because another process, or one left over from an earlier job, holds it",
					Text:     "nvidia-smi lists the processes with their memory; one that ended badly can stay behind, also without a name (fuser -v /dev/nvidia* shows it). No driver or CUDA installation changes this.",
					Remedies: []Remedy{fix("end the process that holds the memory, if it is yours, or use another GPU", "check", "nvidia-smi; sudo fuser -v /dev/nvidia*")},
				},
				Cause{
					Title:    "not the stack: the model needs more memory than the GPU[ {gpu}] has",
					Text:     "Weights, activations and cache together do not fit. No driver or CUDA installation changes this.",
					Remedies: []Remedy{fix("use less memory: a smaller batch or context, 8-bit or 4-bit quantisation, offloading, or a smaller model", "check", "nvidia-smi")},
				},
			),
			Samples: []string{"There is no GPU memory left when the second model loads.", "jobs run out of memory", "users get out of memory errors"},
			Misses:  []string{"the memory of the driver", "out of memory bounds"},
			Source:  "https://pytorch.org/docs/stable/notes/cuda.html",
		},
	}
}
