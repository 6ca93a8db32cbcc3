package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvccMissing is what is said where nvcc is not there, and of extensions that did not compile.
func nvccMissing() []*Signature {
	return []*Signature{
		{
			ID: "nvcc-not-found", Product: "nvcc",
			Literals: []string{"nvcc: command not found", "nvcc: not found", "bin/nvcc", "'nvcc' is not recognized", "command 'nvcc'", "nvcc.exe", "find nvcc", "nvcc: No such file", "nvcc: Permission denied", "Command 'nvcc'", "nvcc' not found"},
			Pattern:  `(?:nvcc: (?i:(?:command )?not found|No such file)|(?:No such file or directory|FileNotFoundError).{0,80}(?P<path>[\w/.-]*nvcc\b)|(?P<path>[\w/.-]*/bin/nvcc)'?: (?:No such file or directory|not found)|'nvcc' is not recognized|error: command '(?P<path>[^']*nvcc)' failed: (?:No such file|None)|Command 'nvcc' not found|` + "`nvcc' not found|CUDACompilerNotFound" + `)`,
			Layer:    rule.Toolkit,
			Meaning:  "nvcc, the compiler of the CUDA toolkit, is not there or not on PATH.",
			Causes: causes(
				Cause{
					When:     on(Any(InContainer, Has("image"), Says("FROM nvidia/", "nvidia/cuda:")), Not(Has("path"))),
					Title:    "There is no nvcc in this container: its image is one without the CUDA toolkit",
					Text:     "Images of the base and runtime flavours[ (here {image})], and PyTorch's runtime images, hold libraries alone; the compiler is in the devel flavour. Programs that only run need no nvcc.",
					Remedies: []Remedy{fix("where CUDA code is to be compiled, build from the devel flavour of the image, or install cuda-nvcc (cuda-toolkit) in it", "check", "ls /usr/local/cuda*/bin")},
				},
				Cause{
					When:     on(Says("sudo make", "sudo python", "sudo sh ", "sudo bash", "sudo ./", "sudo pip", "sudo cmake", "with sudo", "under sudo", "sudo -h", "sudo env")),
					Title:    "nvcc is not found[ at {path}]; under sudo, PATH and CUDA_HOME are not those of your shell",
					Text:     "sudo starts with a PATH of its own, so what your .bashrc adds for CUDA is missing there. The toolkit itself may be installed.",
					Remedies: []Remedy{fix("build without sudo, or pass the variables on", "shell", "sudo env PATH=$PATH CUDA_HOME=$CUDA_HOME make install")},
					Ask:      "which nvcc, with and without sudo",
				},
				Cause{
					When:     on(Has("path")),
					Title:    "The build calls {path}, which does not exist",
					Text:     "CUDA_HOME or CUDA_PATH points to a directory without a compiler: a toolkit that is not installed, a Conda environment without cuda-nvcc, or a runtime-only image.",
					Remedies: []Remedy{fix("point CUDA_HOME to a toolkit that has bin/nvcc, or install one (conda install -c nvidia cuda-nvcc; the devel variant of an image)", "check", "which nvcc; ls -d /usr/local/cuda*; echo $CUDA_HOME $CUDA_PATH")},
				},
				Cause{
					Title: "nvcc is not found: the CUDA toolkit is not installed, or its bin directory is not on PATH",
					Text:  "nvidia-smi comes with the driver and says nothing about the toolkit. Programs that only run, and do not compile CUDA code, need no nvcc.",
					Remedies: []Remedy{
						fix("where a toolkit is installed, put it on PATH", "shell", "export PATH=/usr/local/cuda/bin:$PATH"),
						fix("else install one[ of CUDA {torch_cuda}, that of PyTorch]"),
					},
					Ask: "ls -d /usr/local/cuda*; is CUDA code to be compiled at all",
				},
			),
			Samples: []string{
				"bash: nvcc: command not found",
				"/bin/sh: 1: /usr/local/cuda/bin/nvcc: not found",
				"FileNotFoundError: [Errno 2] No such file or directory: '/usr/local/cuda-12.1/bin/nvcc'",
				"error: command '/opt/conda/bin/nvcc' failed: No such file or directory",
			},
			Misses: []string{"/usr/local/cuda/bin/nvcc -c -o a.o a.cu"},
			Source: "https://github.com/flashinfer-ai/flashinfer/issues/1919",
		},
		{
			ID: "extension-op-build", Product: "pytorch",
			Literals: []string{"Error building extension", "'ninja', '-v'", "Error compiling objects for extension", "Unable to JIT load the"},
			Pattern:  `(?:Command '\['ninja', '-v'\S*\]' returned non-zero|Error building extension '(?P<extension>[\w.-]+)'|Error compiling objects for extension|Unable to JIT load the (?P<extension>\w+) op)`,
			Layer:    rule.Toolkit, Role: Consequence,
			Meaning: "An extension of PyTorch was compiled and failed; the compiler's own lines say why.",
			Causes: causes(Cause{
				When: on(Says("Killed", "signal 9", "Killed signal", "virtual memory exhausted", "cannot allocate memory")), Layer: rule.Application,
				Title: "The compiler was ended for want of memory (Killed) while an extension was built: too many jobs for this machine's RAM",
				Text:  "ninja starts a job for each CPU, and each nvcc takes several GB (flash-attn, xformers, vLLM). It is the machine's memory and not the GPU's. Driver and toolkit are not at fault.",
				Remedies: []Remedy{
					fix("build with fewer jobs", "shell", "MAX_JOBS=2 NVCC_THREADS=1 python -m pip install --no-build-isolation PACKAGE"),
					fix("or install a ready wheel for this torch, CUDA and Python from the project's releases"),
				},
			}, Cause{
				Confidence: rule.Possible,
				Title:      "An extension[, {extension},] could not be compiled; the reason stands in the compiler's lines above",
				Text:       "ninja and setuptools only pass the failure on. Look for the first line with \"error:\" or \"fatal\".",
				Ask:        "the first line with error: or fatal: of the build, nvcc --version and gcc --version",
			}),
			Samples: []string{"RuntimeError: Error building extension 'fused_adam'", "RuntimeError: Error compiling objects for extension"},
			Misses:  []string{"Error building image"},
			Source:  "https://github.com/deepspeedai/DeepSpeed/issues/2772",
		},
	}
}
