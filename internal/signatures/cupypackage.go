package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cuPyPackage is what CuPy and spaCy say about how CuPy is installed.
var cuPyPackage = []*Signature{
	{
		ID: "cupy-multiple", Product: "cupy",
		Literals:    []string{"multiple CuPy packages are installed"},
		Pattern:     `multiple CuPy packages are installed`,
		Layer:       rule.PackageConflict,
		Strength:    Strong,
		ExplainedBy: []string{"PKG002"},
		Meaning:     "More than one CuPy distribution is installed; they overwrite each other.",
		Causes: causes(Cause{
			Title:    "several CuPy packages are installed in one environment: they overwrite each other",
			Text:     "cupy, cupy-cuda11x, cupy-cuda12x and cupy-cuda13x install the same module. Only one may be there, the one for the CUDA major release in use.",
			Remedies: []Remedy{fix("remove all of them and install one", "pip", "python -m pip uninstall -y cupy cupy-cuda11x cupy-cuda12x cupy-cuda13x", "pip", "python -m pip install cupy-cuda12x")},
			Ask:      "python -m pip list | grep -i cupy",
		}),
		Samples: []string{"UserWarning: CuPy may not function correctly because multiple CuPy packages are installed in your environment: cupy-cuda11x, cupy-cuda12x"},
		Misses:  []string{"CuPy packages are installed"},
		Source:  "https://docs.cupy.dev/en/stable/install.html",
	},
	{
		ID: "cupy-import-failed", Product: "cupy",
		Literals: []string{"Failed to import CuPy", "CuPy is not correctly installed"},
		Pattern:  `Failed to import CuPy|CuPy is not correctly installed`,
		Role:     Consequence,
		Layer:    rule.CUDARuntime,
		Meaning:  "CuPy could not be imported; the original error stands below.",
		Causes: causes(Cause{
			Title:    "CuPy cannot be imported",
			Text:     "Original error, below this line, says why: mostly a CUDA library of the release in the package's name that is not found, a package for another Python, or several CuPy packages at once.",
			Remedies: []Remedy{fix("remove all CuPy packages and install the one for this CUDA", "pip", "python -m pip uninstall -y cupy cupy-cuda11x cupy-cuda12x cupy-cuda13x", "pip", "python -m pip install cupy-cuda12x")},
			Ask:      "the line Original error",
		}),
		Samples: []string{"ImportError: CuPy is not correctly installed. If you are using wheel distribution (cupy-cudaXX), make sure that the version of CuPy you installed matches with the version of CUDA on your host."},
		Misses:  []string{"importing CuPy"},
		Source:  "https://docs.cupy.dev/en/stable/install.html",
	},
	{
		ID: "cupy-not-installed", Product: "spacy",
		Literals: []string{"Cannot use GPU, CuPy is not installed", "No GPU devices detected"},
		Pattern:  `Cannot use GPU, CuPy is not installed|No GPU devices detected`,
		Layer:    rule.FrameworkBuild,
		Meaning:  "spaCy reaches the GPU through CuPy, which is not installed or sees none.",
		Causes: causes(
			Cause{
				When:     on(Says("CuPy is not installed")),
				Title:    "spaCy cannot use the GPU: CuPy is not installed",
				Text:     "spaCy needs the CuPy for the CUDA in use.",
				Remedies: []Remedy{fix("install it", "pip", "python -m pip install cupy-cuda12x")},
			},
			Cause{
				Layer:    rule.DeviceExposure,
				Title:    "CuPy is there, but sees no GPU",
				Text:     "No GPU is visible to the process, or the driver does not start.",
				Remedies: []Remedy{fix("check what is visible", "bash", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES")},
			},
		),
		Samples: []string{"ValueError: Cannot use GPU, CuPy is not installed", "ValueError: No GPU devices detected"},
		Misses:  []string{"GPU devices detected: 2"},
		Source:  "https://spacy.io/usage",
	},
	{
		ID: "cupy-cuda-path", Product: "cupy",
		Literals: []string{"CUDA path could not be detected"},
		Pattern:  `CUDA path could not be detected`,
		Role:     Consequence,
		Layer:    rule.Toolkit,
		Meaning:  "CuPy found no CUDA toolkit; that matters only where its own libraries are not there.",
		Causes: causes(Cause{
			Confidence: rule.Possible,
			Title:      "CuPy found no CUDA toolkit",
			Text:       "A warning. It matters where a library or header is missing afterwards: then CUDA_PATH must name the toolkit.",
			Remedies:   []Remedy{fix("bring the toolkit's parts with the package, or set CUDA_PATH", "pip", "python -m pip install 'cupy-cuda12x[ctk]'", "bash", "export CUDA_PATH=/usr/local/cuda")},
		}),
		Samples: []string{"UserWarning: CUDA path could not be detected. Set CUDA_PATH environment variable if CuPy fails to load."},
		Misses:  []string{"CUDA path detected"},
		Source:  "https://docs.cupy.dev/en/stable/install.html",
	},
}
