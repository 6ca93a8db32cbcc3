package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// jaxBackend is what JAX says about its packages and its backend as a whole.
func jaxBackend() []*Signature {
	return []*Signature{
		{
			ID: "jax-cpu-jaxlib", Product: "jax",
			Literals:    []string{"but a CUDA-enabled jaxlib is not installed", "No GPU/TPU found, falling back to CPU", `registered platform with name: "cuda"`, `registered platform with name: "CUDA"`},
			Pattern:     `but a\s+CUDA-enabled jaxlib is not installed|No GPU/TPU found, falling back to CPU|Could not find registered platform with name: "(?i:cuda)"`,
			Layer:       rule.FrameworkBuild,
			ExplainedBy: []string{"FRM006", "FRM001"},
			Meaning:     "JAX has no CUDA plugin and uses the CPU.",
			Causes: causes(
				Cause{
					When:     on(OnWindows, Not(OnWSL)),
					Title:    "JAX has no CUDA support on native Windows and uses the CPU",
					Text:     "CUDA builds of jaxlib exist for Linux alone.",
					Remedies: []Remedy{fix("use WSL2 with jax[cuda12]")},
				},
				Cause{
					When:     on(Any(Has("driver"), Says("An NVIDIA GPU may be present", "nvidia-smi"))),
					Title:    "JAX[ {jax}] is installed without CUDA: the plugin jax-cuda12-plugin (or 13) is missing",
					Text:     "Plain jax brings a jaxlib for the CPU. The CUDA part is in the packages jax-cuda12-plugin and jax-cuda12-pjrt of the same release.",
					Remedies: []Remedy{jaxInstall},
					Ask:      "python -m pip list | grep -i jax",
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "JAX[ {jax}] finds no GPU and uses the CPU",
					Text:       "Either jaxlib is the build for the CPU, or there is no working NVIDIA driver. With a GPU it is mostly the former: the CUDA plugin is missing.",
					Remedies:   []Remedy{jaxInstall, fix("where nvidia-smi fails, mend the driver first", "bash", "nvidia-smi")},
					Ask:        "python -m pip list | grep -i jax; nvidia-smi",
				},
			),
			Samples: []string{
				"WARNING:2025-01-11 10:00:00,000:jax._src.xla_bridge:969: An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed. Falling back to cpu.",
				"WARNING:absl:No GPU/TPU found, falling back to CPU. (Set TF_CPP_MIN_LOG_LEVEL=0 and rerun for more info.)",
				`Unable to initialize backend 'gpu': NOT_FOUND: Could not find registered platform with name: "cuda". Available platform names are: Interpreter Host`,
			},
			Misses: []string{"a CUDA-enabled jaxlib is installed"},
			Source: "https://github.com/jax-ml/jax/issues/30050",
		},
		{
			ID: "jax-plugin-version", Product: "jax",
			Literals:    []string{"but it is not compatible with the installed jaxlib", "is newer than and incompatible with jax version", "this version of jax requires version"},
			Pattern:     `plugin (?P<plugin>jax_cuda\d+_(?:plugin|pjrt)) version (?P<have>[\d.]+\S*) is installed, but it is not compatible with the installed jaxlib version (?P<need>[\d.]+\d)|jaxlib version (?P<have>[\d.]+\d\S*) is newer than and incompatible with jax version (?P<need>[\d.]+\d)|jaxlib is version (?P<have>[\d.]+\d), but this version of jax requires version >?=?\s*(?P<need>[\d.]+\d)`,
			Layer:       rule.PackageConflict,
			Strength:    Strong,
			ExplainedBy: []string{"FRM006"},
			Meaning:     "jax, jaxlib and the CUDA plugin are of releases that do not go together.",
			Causes: causes(Cause{
				Title:    "JAX's packages do not go together: [{plugin} || jaxlib] is {have}, [jaxlib || jax] wants {need}",
				Text:     "jax, jaxlib, jax-cuda12-plugin and jax-cuda12-pjrt must be of one release. Installing another package changed one of them alone; JAX then uses the CPU or stops.",
				Remedies: []Remedy{fix("install them together", "pip", "python -m pip install -U 'jax[cuda12]'")},
				Ask:      "python -m pip list | grep -i jax",
			}),
			Samples: []string{
				"RuntimeWarning: JAX plugin jax_cuda12_plugin version 0.4.36 is installed, but it is not compatible with the installed jaxlib version 0.4.35, so it will not be used.",
				"RuntimeError: jaxlib version 0.4.20 is newer than and incompatible with jax version 0.4.13. Please update your jax and/or jaxlib packages.",
			},
			Misses: []string{"jaxlib version 0.4.20 is installed"},
			Source: "https://github.com/jax-ml/jax/issues/30050",
		},
		{
			ID: "jax-backend-failed", Product: "jax",
			Literals: []string{"CUDA backend failed to initialize", "Unable to initialize backend 'cuda'", "Unable to initialize backend 'gpu'", "Backend 'cuda' failed to initialize", "Backend 'gpu' failed to initialize", "no platforms that are instances of", "issues with CUDA components"},
			Pattern:  `(?:CUDA backend failed to initialize|Unable to initialize backend '(?:cuda|gpu)'|Backend '(?:cuda|gpu)' failed to initialize): ?(?P<reason>.{0,120})|Unknown backend:? '?(?:gpu|cuda)'? requested, but no platforms`,
			Role:     Consequence,
			Layer:    rule.FrameworkBuild,
			Meaning:  "JAX could not start its CUDA backend.",
			Causes: causes(
				Cause{
					When:     on(Is("reason", `(?i)no visible gpu|NO_DEVICE|no CUDA-capable|no supported devices`)),
					Layer:    rule.DeviceExposure,
					Title:    "JAX sees no GPU that it can use",
					Text:     "No GPU is visible: CUDA_VISIBLE_DEVICES hides them[ (here {visible})], the container was started without the GPU, or another process took all memory; for no supported devices also a GPU below compute capability 5.2 (7.5 for CUDA 13).",
					Remedies: []Remedy{fix("check what is visible", "bash", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES"), fix("where another process shares the GPU, do not reserve memory", "bash", "export XLA_PYTHON_CLIENT_PREALLOCATE=false")},
					Ask:      "nvidia-smi where the program runs",
				},
				Cause{
					When:     on(Is("reason", `(?i)303|cuInit`)),
					Layer:    rule.Driver,
					Title:    "JAX cannot start the CUDA driver: libcuda.so.1 is not found or refuses[: {reason}]",
					Text:     "Error 303 says that libcuda.so.1 could not be loaded: no driver, or a container without the GPU.",
					Remedies: []Remedy{fix("where nvidia-smi fails, install the driver; in a container start it with --gpus all", "bash", "nvidia-smi")},
				},
				Cause{
					Title:    "JAX could not start its CUDA backend[: {reason}]",
					Text:     "The reason stands behind the colon or in the lines before. JAX goes on with the CPU or stops.",
					Remedies: []Remedy{jaxInstall, jaxUnset},
					Ask:      "JAX_PLATFORMS=cuda python -c 'import jax; print(jax.devices())'",
				},
			),
			Samples: []string{"RuntimeError: Unable to initialize backend 'cuda': FAILED_PRECONDITION: No visible GPU devices.", "CUDA backend failed to initialize: Unable to use CUDA because of the following issues with CUDA components:", "RuntimeError: Unknown backend: 'gpu' requested, but no platforms that are instances of gpu are present. Platforms present are: cpu"},
			Misses:  []string{"Unable to initialize backend 'tpu': INTERNAL: Failed to open libtpu.so"},
			Source:  "https://github.com/rgommers/pixi-dev-scipystack/issues/1",
		},
		{
			ID: "jax-known-bad-library", Product: "jax",
			Literals:    []string{"had a binary backward-compatibility issue", "has a known issue where many kernels free TMEM"},
			Pattern:     `(?P<what>cuDNN) (?P<have>9\.\d+\.\d+) had a binary backward-compatibility issue|(?P<what>cuBLAS) < (?P<need>[\d.]+) \((?P<have>\d+) found\) has a known issue`,
			Layer:       rule.CUDNN,
			Strength:    Strong,
			ExplainedBy: []string{"DNN005", "CUL007"},
			Meaning:     "JAX refuses a release of a library that is known to be faulty.",
			Causes: causes(
				Cause{
					When:     on(Is("what", "cuBLAS")),
					Layer:    rule.CUDALibraries,
					Title:    "cuBLAS {have} has a known fault on this GPU; JAX wants {need} or newer",
					Text:     "Many kernels of cuBLAS 12.8 to 13.1 free tensor memory twice on GPUs of compute capability 10 and 11.",
					Remedies: []Remedy{fix("update cuBLAS", "pip", "python -m pip install -U nvidia-cublas")},
				},
				Cause{
					Title:    "cuDNN {have} is a release with a known fault: JAX refuses it",
					Text:     "In 9.10.0 enumeration values changed their order, which breaks programs built with others.",
					Remedies: []Remedy{fix("update cuDNN to 9.10.1 or newer", "pip", "python -m pip install -U 'nvidia-cudnn-cu12>=9.10.1'")},
				},
			),
			Samples: []string{"cuDNN 9.10.0 had a binary backward-compatibility issue due to reordered enum values affecting block-scale datatypes.", "cuBLAS < 13.2 (130100 found) has a known issue where many kernels free TMEM buffers multiple times."},
			Misses:  []string{"had a binary backward-compatibility issue"},
			Source:  "https://github.com/jax-ml/jax/pull/33838",
		},
	}
}
