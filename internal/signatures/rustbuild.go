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
			Literals: []string{"custom build command for `cudarc", "custom build command for `candle-kernels", "custom build command for `candle-flash-attn", "custom build command for `bindgen_cuda", "Failed to execute `nvcc`", "`nvcc --version` failed", "Unsupported cuda toolkit version", "cannot find nvcc", "bindgen_cuda", "failed to detect compute_cap"},
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
