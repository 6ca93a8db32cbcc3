package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// dali is what is said of NVIDIA's packages for one CUDA major release each: DALI, and the place-holders of NVIDIA's own index.
func dali() []*Signature {
	return []*Signature{
		{
			ID: "nvidia-placeholder-package", Product: "pip",
			Literals: []string{"special placeholder package", "didn't find wheel for", "Didn't find wheel for", "placeholder project"},
			Pattern:  `installation of (?P<pkg>[\w.-]+)(?: for version (?P<version>[\w.]+))? failed\.\s+This is a special placeholder|(?i:special placeholder package)|[Dd]idn't find wheel for (?P<pkg>[\w.-]+) (?P<version>[\w.]+)|RuntimeError: Bad params`,
			Layer:    rule.FrameworkBuild, Strength: Strong,
			Where:   on(Says("placeholder", "pypi.nvidia.com", "find wheel for")),
			Meaning: "A package that only fetches the real wheel from NVIDIA's index found none for this system.",
			Causes: causes(
				Cause{
					When:  on(OnWindows, Not(OnWSL)),
					Title: "There is no wheel of [{pkg} || this package] for Windows: NVIDIA builds it for Linux",
					Text:  "The package on the general index is a place-holder that fetches the wheel from NVIDIA's index, which has none for this operating system[, Python {python}]. Driver and CUDA are not at fault.",
					Remedies: []Remedy{
						fix("use Linux, or WSL2 on this machine, and install it there", "WSL2", "python -m pip install --extra-index-url https://pypi.nvidia.com {pkg}"),
					},
				},
				Cause{
					Title: "The wheel of [{pkg} || this package] was not found on NVIDIA's index: none for this Python and system, or the index is not reached",
					Text:  "The package on the general index is a place-holder that fetches the wheel from pypi.nvidia.com. A proxy or a mirror that does not pass it on, a Python that is too new or too old[ (here {python})], or another CPU architecture lead to this.",
					Remedies: []Remedy{
						fix("name NVIDIA's index, and use a Python that the release supports", "pip", "python -m pip install --extra-index-url https://pypi.nvidia.com {pkg}"),
					},
				},
			),
			Samples: []string{
				"The installation of nvidia-tensorrt for version 99.0.0 failed.\nThis is a special placeholder package which downloads a real wheel package from https://pypi.nvidia.com/.",
				"RuntimeError: Didn't find wheel for cudf-cu12 24.10.1 (from https://pypi.nvidia.com)",
			},
			Misses: []string{"the installation of the package failed"},
			Source: "https://github.com/NVIDIA/DALI/issues/5749",
		},
		{
			ID: "dali-module-missing", Product: "dali",
			Literals: []string{"'nvidia.dali", "nvidia-dali-cuda", "nvidia.dali.backend_impl"},
			Pattern:  `No module named '?nvidia\.dali[\w.]*|nvidia-dali-cuda(?P<have>\d\d)\d`,
			Layer:    rule.FrameworkBuild,
			Where:    on(Says("No module named", "ImportError", "not found")),
			Meaning:  "DALI, whose package is made for one CUDA major release, is not there for this Python.",
			Causes: causes(
				Cause{
					When:     on(Is("have", "11"), Says("CUDA 12", "cuda 12", "cuda v12", "cuda12", "CUDA 13", "CUDA Version: 12", "CUDA Version: 13")),
					Title:    "nvidia-dali-cuda110 is installed, the DALI for CUDA 11, and this machine has CUDA 12 or newer: nvidia-dali-cuda120 is the one to install",
					Text:     "DALI has a package for each CUDA major release. The one for CUDA 11 is not made for newer Pythons and releases any more, and then leaves no module nvidia.dali.",
					Remedies: []Remedy{fix("replace it, also in the requirements file", "pip", "python -m pip uninstall -y nvidia-dali-cuda110 && python -m pip install --extra-index-url https://pypi.nvidia.com nvidia-dali-cuda120")},
				},
				Cause{
					Title:    "NVIDIA DALI is not installed for this Python (module nvidia.dali): its package is named for the CUDA major release, nvidia-dali-cuda120 or nvidia-dali-cuda130",
					Text:     "DALI's wheels exist for Linux, on NVIDIA's index. They were installed for another Python or environment, or another package with a folder named nvidia hides it.",
					Remedies: []Remedy{fix("install the one for the CUDA in use", "pip", "python -m pip install --extra-index-url https://pypi.nvidia.com nvidia-dali-cuda120")},
					Ask:      "python -m pip list | grep -i dali; python --version",
				},
			),
			Samples: []string{"ModuleNotFoundError: No module named 'nvidia.dali'", "ImportError: No module named 'nvidia.dali.backend_impl'"},
			Misses:  []string{"import nvidia.dali.fn as fn"},
			Source:  "https://docs.nvidia.com/deeplearning/dali/user-guide/docs/installation.html",
		},
	}
}
