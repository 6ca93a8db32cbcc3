package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

var (
	jaxInstall = fix("install JAX with its CUDA plugin and libraries", "pip", "python -m pip install -U 'jax[cuda12]'", "pip", "python -m pip install -U 'jax[cuda13]'")
	jaxUnset   = fix("unset LD_LIBRARY_PATH, so that the libraries of the environment are found", "bash", "unset LD_LIBRARY_PATH")
)

// jax is what JAX says while it starts its CUDA backend.
func jax() []*Signature {
	return []*Signature{
		{
			ID: "jax-library-older", Product: "jax",
			Literals:    []string{"but JAX was built against version"},
			Pattern:     `Found (?P<what>cu\w+|CUDA|CUPTI|cuDNN) version (?P<have>\d+), but JAX was built against version (?P<need>\d+), which is newer`,
			Layer:       rule.CUDALibraries,
			Strength:    Strong,
			ExplainedBy: []string{"DNN004"},
			Meaning:     "A library that was loaded is older than the one JAX was built with.",
			Causes: causes(
				Cause{
					When:     on(Is("what", `(?i)cudnn`)),
					Layer:    rule.CUDNN,
					Title:    "cuDNN {have|cudnnint} is loaded, JAX[ {jax}] needs {need|cudnnint} or newer",
					Text:     "{have} and {need} are cuDNN {have|cudnnint} and {need|cudnnint}. An older copy is found first: of the system, on LD_LIBRARY_PATH, or the one that PyTorch or TensorFlow pinned in the same environment.",
					Remedies: []Remedy{fix("update cuDNN in the environment to {need|cudnnint} or newer within its major release", "pip", "python -m pip install -U 'nvidia-cudnn-cu12>={need|cudnnint|minor}'"), jaxUnset, fix("or an older jax that was built with cuDNN {have|cudnnint|minor}")},
					Ask:      "find / -name 'libcudnn.so.*' 2>/dev/null; echo $LD_LIBRARY_PATH",
				},
				Cause{
					When:     on(Is("what", `(?i)^cuda$`)),
					Layer:    rule.CUDARuntime,
					Title:    "the CUDA runtime {have|fromint} is loaded, JAX[ {jax}] needs {need|fromint} or newer",
					Text:     "{have} and {need} are CUDA {have|fromint} and {need|fromint}. The runtime of the system or on LD_LIBRARY_PATH is older than JAX's build; the driver is another thing and not at fault.",
					Remedies: []Remedy{fix("install the runtime with JAX, from wheels", "pip", "python -m pip install -U 'jax[cuda12]'"), jaxUnset, fix("or an older jax that was built with CUDA {have|fromint}")},
					Ask:      "python -m pip list | grep -iE 'jax|nvidia'; echo $LD_LIBRARY_PATH",
				},
				Cause{
					Title:    "an older {what} is loaded (version {have}) than the one JAX[ {jax}] was built with ({need})",
					Text:     "A copy of another CUDA installation is found before the environment's, or another framework pinned it.",
					Remedies: []Remedy{jaxInstall, jaxUnset},
				},
			),
			Samples: []string{
				"CUDA backend failed to initialize: Found cuDNN version 8700, but JAX was built against version 8907, which is newer. The copy of cuDNN that is installed must be at least as new as the version against which JAX was built.",
				"Found CUDA version 12010, but JAX was built against version 12030, which is newer.",
				"Found cuBLAS version 120103, but JAX was built against version 120304, which is newer.",
			},
			Misses: []string{"JAX was built against version 8907"},
			Source: "https://github.com/hollowstrawberry/kohya-colab/issues/94",
		},
		{
			ID: "jax-library-outdated", Product: "jax",
			Literals:    []string{"installation found.", "Version JAX was built against"},
			Pattern:     `Outdated (?P<what>\w+) installation found\.\s+Version JAX was built against: (?P<built>\d+)\s+Minimum supported: (?P<need>\d+)\s+Installed version: (?P<have>\d+)`,
			Layer:       rule.CUDALibraries,
			Strength:    Strong,
			ExplainedBy: []string{"DNN004"},
			Meaning:     "A library that was loaded is older than JAX accepts.",
			Causes: causes(
				Cause{
					When:     on(Is("what", `(?i)cudnn`)),
					Layer:    rule.CUDNN,
					Title:    "cuDNN {have|cudnnint} is loaded, JAX[ {jax}] was built with {built|cudnnint} and needs at least [{need|cudnnint} || {need}]",
					Text:     "Another package in the environment pinned an older cuDNN (PyTorch often does), or an older copy is found first on LD_LIBRARY_PATH.",
					Remedies: []Remedy{fix("update cuDNN in the environment", "pip", "python -m pip install -U 'nvidia-cudnn-cu12>={need|cudnnint|minor}'", "conda", "conda install -c conda-forge 'cudnn>={need|cudnnint|minor}'"), jaxUnset, fix("or give JAX and the other framework an environment each")},
				},
				Cause{
					When:     on(Is("what", `(?i)^cuda$`)),
					Layer:    rule.CUDARuntime,
					Title:    "the CUDA runtime {have|fromint} is loaded, JAX[ {jax}] needs at least {need|fromint}",
					Text:     "An older runtime of the system or on LD_LIBRARY_PATH comes first.",
					Remedies: []Remedy{jaxInstall, jaxUnset},
				},
				Cause{
					Title:    "{what} {have} is loaded, JAX[ {jax}] was built with {built} and needs at least {need}",
					Text:     "Another package in the environment pinned an older one, or an older copy is found first on LD_LIBRARY_PATH.",
					Remedies: []Remedy{jaxInstall, jaxUnset},
				},
			),
			Samples: []string{"Outdated cuDNN installation found.\nVersion JAX was built against: 90800\nMinimum supported: 9100\nInstalled version: 90000"},
			Misses:  []string{"Outdated pip installation found."},
			Source:  "https://github.com/conda-forge/jax-feedstock/issues/149",
		},
		{
			ID: "jax-library-not-loaded", Product: "jax",
			Literals: []string{"Is it installed?", "library was not found."},
			Pattern:  `Unable to load (?P<what>cu\w+|CUDA|CUPTI)\. Is it installed\?|operation cu\w+GetProperty\(\w+, &\w+\) failed: The (?P<what>cu\w+) library was not found`,
			Layer:    rule.CUDALibraries,
			Strength: Strong,
			Meaning:  "JAX could not load a CUDA library.",
			Causes: causes(
				Cause{
					When:     on(Is("what", `(?i)cudnn`)),
					Layer:    rule.CUDNN,
					Title:    "JAX[ {jax}] cannot load cuDNN",
					Text:     "The wheel nvidia-cudnn-cu12 is missing or of another major release than this jaxlib (8 up to 0.4.28, 9 from 0.4.29), or LD_LIBRARY_PATH leads to another copy.",
					Remedies: []Remedy{jaxInstall, jaxUnset},
					Ask:      "python -m pip list | grep -iE 'jax|cudnn'; echo $LD_LIBRARY_PATH",
				},
				Cause{
					When:     on(Is("what", `(?i)cu(sparse|solver)`)),
					Title:    "JAX[ {jax}] cannot load {what}: most often an older libnvJitLink.so.12 is found first",
					Text:     "cuSPARSE and cuSOLVER need libnvJitLink of their own release or a newer one. LD_LIBRARY_PATH with another CUDA, or the system's toolkit, brings an older one; then the library counts as not found although it is installed.",
					Remedies: []Remedy{jaxUnset, fix("bring nvJitLink up to cuSPARSE's release", "pip", "python -m pip install -U nvidia-nvjitlink-cu12 nvidia-cusparse-cu12")},
					Ask:      "echo $LD_LIBRARY_PATH; LD_DEBUG=libs python -c 'import jax; jax.devices()' 2>&1 | grep -iE 'nvjitlink|cusparse' | head",
				},
				Cause{
					Title:    "JAX[ {jax}] cannot load {what}",
					Text:     "The wheel that brings it is missing or another copy on LD_LIBRARY_PATH is loaded instead.",
					Remedies: []Remedy{jaxInstall, jaxUnset},
				},
			),
			Samples: []string{"CUDA backend failed to initialize: Unable to load cuDNN. Is it installed? (Set TF_CPP_MIN_LOG_LEVEL=0 and rerun for more info.)", "RuntimeError: Unable to load cuSPARSE. Is it installed?", "jaxlib/cuda/versions_helpers.cc:81: operation cusparseGetProperty(MAJOR_VERSION, &major) failed: The cuSPARSE library was not found."},
			Misses:  []string{"Unable to load git. Is it installed?"},
			Source:  "https://github.com/jax-ml/jax/issues/30050",
		},
	}
}
