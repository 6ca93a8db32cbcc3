package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// numba is what Numba's CUDA target and RAPIDS say.
func numba() []*Signature {
	return []*Signature{
		{
			ID: "numba-nvvm-missing", Product: "numba",
			Literals: []string{"libNVVM cannot be found", "NvvmSupportError", "Missing libdevice file", "No libdevice", "Library nvvm not found", "Please ensure you have a CUDA Toolkit"},
			Pattern:  `libNVVM cannot be found|NvvmSupportError|Missing libdevice file|Library nvvm not found|Please ensure you have a CUDA Toolkit`,
			Layer:    rule.Toolkit,
			Strength: Strong,
			Meaning:  "Numba compiles with libNVVM of the CUDA toolkit and does not find it.",
			Causes: causes(
				Cause{
					When:     on(Says("/envs/", "miniconda", "anaconda", "miniforge", "conda-forge", "conda list", "micromamba", "CONDA_PREFIX")),
					Title:    "Numba does not find libNVVM in the Conda environment",
					Text:     "libNVVM is in cudatoolkit (CUDA 11) or cuda-nvcc-impl (CUDA 12 and newer); PyTorch's runtime packages do not have it. Old Numba releases (before 0.57) do not find the layout of CUDA 12.",
					Remedies: []Remedy{fix("install it", "conda", "conda install -c conda-forge numba-cuda cuda-nvcc cuda-nvrtc 'cuda-version>=12'")},
				},
				Cause{
					Title:    "Numba does not find libNVVM of a CUDA toolkit",
					Text:     "Numba looks in Conda, in NVIDIA's wheels, below CUDA_HOME and in /usr/local/cuda. A driver or PyTorch alone does not bring libNVVM.",
					Remedies: []Remedy{fix("install the toolkit where Numba looks: cudatoolkit of the framework's CUDA[ ({torch_cuda})] in Conda for CUDA 11, cuda-nvcc for CUDA 12 and newer, or numba-cuda with its toolkit parts from pip", "conda", "conda install -c conda-forge cudatoolkit={torch_cuda}", "pip", "python -m pip install 'numba-cuda[cu12]'"), fix("or name a toolkit", "bash", "export CUDA_HOME=/usr/local/cuda")},
					Ask:      "numba -s | grep -i -A30 '__CUDA'",
				},
			),
			Samples: []string{"numba.cuda.cudadrv.error.NvvmSupportError: libNVVM cannot be found. Do `conda install cudatoolkit`:", "RuntimeError: Missing libdevice file."},
			Misses:  []string{"libNVVM found"},
			Source:  "https://github.com/numba/numba/blob/main/numba/cuda/cudadrv/nvvm.py",
		},
		{
			ID: "numba-unsupported-ptx", Product: "numba",
			Literals:    []string{"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "UnsupportedPtxVersion", "ptxas application ptx input", "Unsupported .version"},
			Pattern:     `CUDA_ERROR_UNSUPPORTED_PTX_VERSION|Unsupported \.version (?P<have>\d+\.\d+); current version is '(?P<max>\d+\.\d+)'`,
			Layer:       rule.Driver,
			Strength:    Strong,
			ExplainedBy: []string{"CUD003", "DRV002"},
			Where:       on(Says("numba", "cuLinkAddData", "cudadrv", "cudf", "cuml")),
			Meaning:     "The PTX was made by a newer toolkit than the driver (or ptxas) knows.",
			Causes: causes(Cause{
				Title: "the driver[ {driver}] is older than the CUDA toolkit that made the PTX[: PTX {have}, it knows {max}][, the toolkit is {toolkit}]",
				Text:  "Compatibility within a CUDA major release covers machine code, not PTX, which Numba always hands to the driver[; driver {driver} is of CUDA {driver|cuda}].",
				Remedies: []Remedy{
					fix("update the driver to one of the toolkit's CUDA release"),
					fix("or bring the toolkit down to the driver's CUDA[ {driver_cuda}]", "conda", "conda install -c conda-forge cuda-version={driver_cuda}"),
					fix("or let the toolkit link instead of the driver (minor version compatibility)", "pip", "python -m pip install pynvjitlink-cu12", "bash", "export NUMBA_CUDA_ENABLE_MINOR_VERSION_COMPATIBILITY=1"),
				},
				Ask: "nvidia-smi, and numba -s | grep -i 'runtime version'",
			}),
			Samples: []string{"numba.cuda.cudadrv.driver.LinkerError: [222] Call to cuLinkAddData results in CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "ptxas application ptx input, line 9; fatal   : Unsupported .version 8.5; current version is '8.2'"},
			Misses:  []string{"ptxas application ptx input, line 9; warning"},
			Source:  "https://github.com/cupy/cupy/issues/9318",
		},
	}
}
