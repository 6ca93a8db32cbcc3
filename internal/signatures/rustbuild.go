package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// rustBuild is what the build scripts of Rust crates for CUDA say, and what candle says without CUDA.
func rustBuild() []*Signature {
	return []*Signature{
		{
			ID: "rust-build-nvcc", Product: "cudarc",
			Literals: []string{"custom build command for `cudarc", "custom build command for `candle-kernels", "custom build command for `candle-flash-attn", "custom build command for `bindgen_cuda", "Failed to execute `nvcc`", "`nvcc --version` failed", "Unsupported cuda toolkit version", "cannot find nvcc", "bindgen_cuda", "failed to detect compute_cap", "no gpu codes parsed from nvcc"},
			Pattern:  "custom build command for `(?P<crate>cudarc|candle-kernels|candle-flash-attn|bindgen_cuda|cust_raw|cudaforge)[^`]*`|(?P<crate>bindgen_cuda)[-/\\d. ]|Failed to execute `?nvcc`?|`nvcc --version` failed|Unsupported cuda toolkit version:? ?`?(?P<have>[\\d.]+)",
			Layer:    rule.Toolkit,
			Where:    on(Says("nvcc", "cuda toolkit", "compute_cap", "compute cap", "CUDA_COMPUTE_CAP", "nvidia-smi", "CUDA_ROOT", "cuda-version-from-build-system")),
			Meaning:  "The build script of a Rust crate did not find the toolkit, or not the GPU's compute capability.",
			Causes: causes(
				Cause{
					When:  on(Has("have")),
					Title: "This release of cudarc does not know the CUDA toolkit {have} that nvcc reports: the toolkit is newer (or older) than the crate",
					Text:  "cudarc has bindings for a list of CUDA releases and takes the one of nvcc. The driver is not at fault.",
					Remedies: []Remedy{
						fix("update the crate (cargo update -p cudarc, or the program), or name a release that it knows by feature or variable", "shell", "export CUDARC_CUDA_VERSION=12080"),
						fix("or put an nvcc of a release that it knows first on PATH"),
					},
				},
				Cause{
					When:  on(Says("`nvidia-smi` failed", "nvidia-smi failed", "failed to detect compute_cap", "nvidia-smi not found"), Not(Says("errors detected in the compilation of"))),
					Title: "The build of [{crate} || the crate's kernels] asks nvidia-smi for the GPU's compute capability, and there is no GPU or no nvidia-smi where it builds: name it with CUDA_COMPUTE_CAP",
					Text:  "While an image is built (docker build, CI) there is neither GPU nor driver, so nvidia-smi is missing. nvcc needs no GPU to compile.",
					Remedies: []Remedy{
						fix("set CUDA_COMPUTE_CAP to the capability of the GPU that will run it, without the dot (75 for T4, 80 for A100, 86 for RTX 30, 89 for L4 and RTX 40, 90 for H100)", "dockerfile", "ENV CUDA_COMPUTE_CAP=75", "where the GPU is", "nvidia-smi --query-gpu=name,compute_cap --format=csv"),
						fix("or build where the container has the GPU, in docker run in place of docker build"),
					},
				},
				Cause{
					When:  on(Says("errors detected in the compilation of", "error detected in the compilation of")),
					Title: "nvcc compiles [{crate} || the crate's kernels] and stops at errors in the source: the crate does not fit this architecture[ ({arch|sm} || {sm})] or this CUDA[ ({toolkit})]",
					Text:  "nvcc is found and works. Kernels with bfloat16 need sm_80 or newer unless the crate leaves them out for older GPUs (half precision: sm_53, sm_70 for some); others need a newer toolkit.",
					Remedies: []Remedy{
						fix("update the program and its crates: later releases leave such kernels out for older GPUs", "cargo", "cargo update"),
						fix("see which architecture the build takes[ (here {sm})], and try another CUDA toolkit", "check", "nvidia-smi --query-gpu=name,compute_cap --format=csv; nvcc --version"),
					},
					Ask: "nvcc --version, and the first error in the .cu file",
				},
				Cause{
					When:  on(Says("no gpu codes parsed", "supported GPU codes", "gpu code list")),
					Title: "The build script of [{crate} || a Rust crate] asks nvcc for its architectures (nvcc --list-gpu-code) and reads none: no nvcc, or an old one, is first on PATH",
					Text:  "nvcc before CUDA 11 does not know --list-gpu-code; a distribution's nvcc in /usr/bin is often such a one, or the name is not found at all. The driver brings no nvcc.",
					Remedies: []Remedy{
						fix("put a toolkit of CUDA 11.5 or newer first on PATH", "shell", "export CUDA_HOME=/usr/local/cuda PATH=/usr/local/cuda/bin:$PATH; nvcc --list-gpu-code"),
					},
					Ask: "which -a nvcc; nvcc --version; nvcc --list-gpu-code",
				},
				Cause{
					When:  on(Says("compute_cap", "compute cap", "ParseIntError", "Invalid response from nvidia-smi")),
					Layer: rule.Toolkit,
					Title: "The build asks nvidia-smi for the GPU's compute capability and gets none: CUDA_COMPUTE_CAP has to name it",
					Text:  "In a container build, a sandbox or on a machine without a GPU nvidia-smi is missing; old drivers do not know the query compute_cap.",
					Remedies: []Remedy{
						fix("name it, 86 for compute capability 8.6[ (here {cc})]", "shell", "export CUDA_COMPUTE_CAP=86"),
					},
				},
				Cause{
					Title: "The build of [{crate} || a Rust crate] finds no nvcc: the CUDA toolkit is not installed or not on PATH",
					Text:  "The crate compiles kernels, or reads the CUDA release from nvcc --version. The driver alone brings no nvcc.",
					Remedies: []Remedy{
						fix("install the CUDA toolkit and put nvcc on PATH, or name it", "shell", "export CUDA_HOME=/usr/local/cuda PATH=/usr/local/cuda/bin:$PATH"),
						fix("or build without the feature cuda, for the CPU"),
					},
					Ask: "nvcc --version",
				},
			),
			Samples: []string{
				"error: failed to run custom build command for `cudarc v0.12.1`\n  Failed to execute `nvcc`: Os { code: 2, kind: NotFound }",
				"thread 'main' panicked: Unsupported cuda toolkit version: `13.1`. Please raise a github issue.",
				"error: failed to run custom build command for `candle-kernels v0.8.0`",
			},
			Misses: []string{"error: failed to run custom build command for `openssl-sys v0.9`"},
			Source: "https://github.com/chelsea0x3b/cudarc/blob/main/build.rs",
		},
		{
			ID: "rust-find-cuda-helper", Product: "cust",
			Literals: []string{"find_cuda_helper", "Could not find a cuda installation"},
			Pattern:  `(?i)Could not find a cuda installation|find_cuda_helper[^\n]{0,120}panicked`,
			Layer:    rule.Toolkit, Strength: Strong,
			Meaning: "The build script of a Rust crate did not find a CUDA toolkit where it looks.",
			Causes: causes(Cause{
				Title: "The crate's build script (find_cuda_helper) finds no CUDA toolkit: it looks for include/cuda.h in CUDA_PATH, CUDA_ROOT, CUDA_TOOLKIT_ROOT_DIR, /usr/local/cuda and /opt/cuda",
				Text:  "The distribution's package nvidia-cuda-toolkit puts nvcc and the headers under /usr, where it does not look by itself. A driver alone has no headers.",
				Remedies: []Remedy{
					fix("name the toolkit's directory, the one that has include/cuda.h, and build anew", "shell", "export CUDA_PATH=/usr/local/cuda; ls $CUDA_PATH/include/cuda.h; cargo clean; cargo build"),
					fix("or install NVIDIA's toolkit, which goes to /usr/local/cuda", "ubuntu", "sudo apt-get install cuda-toolkit-12-4"),
				},
				Ask: "which -a nvcc; ls -d /usr/local/cuda* /opt/cuda; find / -name cuda.h 2>/dev/null",
			}),
			Samples: []string{"Could not find a cuda installation"},
			Misses:  []string{"Found a cuda installation in /opt/cuda"},
			Source:  "https://github.com/risc0/risc0/issues/1022",
		},
		{
			ID: "candle-no-cuda", Product: "candle",
			Literals: []string{"has not been built with cuda support", "NotCompiledWithCudaSupport"},
			Pattern:  `(?:crate|library) has not been built with cuda support|NotCompiledWithCudaSupport`,
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Meaning: "A program on candle was compiled without its feature cuda.",
			Causes: causes(Cause{
				Title:    "This program was compiled without CUDA: candle's feature cuda is off",
				Text:     "Rust programs on candle use the CPU unless they are built with the feature. Driver and toolkit are not at fault.",
				Remedies: []Remedy{fix("build it with the feature (needs nvcc)", "cargo", "cargo build --release --features cuda")},
			}),
			Samples: []string{"Error: the candle crate has not been built with cuda support"},
			Misses:  []string{"the crate was built with cuda support"},
			Source:  "https://github.com/huggingface/candle/blob/main/candle-core/src/error.rs",
		},
	}
}
