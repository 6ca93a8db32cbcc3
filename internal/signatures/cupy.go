package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cuPy is what CuPy and what is built on it, spaCy and RAPIDS, say.
func cuPy() []*Signature {
	return []*Signature{
		{
			ID: "cupy-library", Product: "cupy",
			Literals:    []string{"CuPy failed to load"},
			Pattern:     `CuPy failed to load (?P<lib>lib\w+\.so[.\d]*|\w+64_\w+\.dll|nvcuda\.dll)`,
			Layer:       rule.CUDARuntime,
			Strength:    Strong,
			ExplainedBy: []string{"PKG002"},
			Meaning:     "CuPy loads CUDA's libraries at run time and does not find one.",
			Causes: causes(
				Cause{
					When:     on(Is("lib", `^(libcuda\.so|nvcuda)`)),
					Layer:    rule.Driver,
					Title:    "CuPy does not find the driver's {lib}",
					Text:     "There is no NVIDIA driver where the program runs, or the container was started without the GPU.",
					Remedies: []Remedy{fix("install the driver; in a container start it with --gpus all", "bash", "nvidia-smi")},
				},
				Cause{
					When:     on(Is("lib", `libnvrtc\.so\.11|libcublas\.so\.11|nvrtc64_11|libcudart\.so\.11`)),
					Title:    "this CuPy is built for CUDA 11 (cupy-cuda11x): {lib} is not found[, the toolkit here is {toolkit} || , CUDA 12 or newer is here]",
					Text:     "{lib} belongs to CUDA 11; a machine with CUDA 12 or 13 does not have it. The number in the package's name is the CUDA major release that it needs.",
					Remedies: []Remedy{fix("on CUDA 12 replace the package by cupy-cuda12x, on CUDA 13 by cupy-cuda13x", "pip", "python -m pip uninstall -y cupy-cuda11x cupy", "pip", "python -m pip install cupy-cuda12x"), fix("or load CUDA 11 (a module of the cluster, or CUDA_PATH to a toolkit 11.2 to 11.8)")},
				},
				Cause{
					When:     on(Is("lib", `\.so\.13|64_13`)),
					Title:    "this CuPy is built for CUDA 13 (cupy-cuda13x): {lib} is not found[, the toolkit here is {toolkit}]",
					Text:     "Libraries of CUDA 12 do not stand in for it, and CUDA 13 needs driver 580 or newer.",
					Remedies: []Remedy{fix("on CUDA 12 use cupy-cuda12x", "pip", "python -m pip uninstall -y cupy-cuda13x", "pip", "python -m pip install 'cupy-cuda12x[ctk]'"), fix("or bring CUDA 13 with it", "pip", "python -m pip install 'cupy-cuda13x[ctk]'")},
				},
				Cause{
					Title:    "CuPy does not find {lib}[ of CUDA {lib|cudamajor}]",
					Text:     "CuPy needs the CUDA toolkit's libraries (NVRTC, cuBLAS, …) of the major release in its package's name (cupy-cuda12x: CUDA 12), from a toolkit that CUDA_PATH names, from Conda or from wheels[; the toolkit here is {toolkit}]. A driver alone does not have them.",
					Remedies: []Remedy{fix("bring them with the package (CuPy 14 and newer)", "pip", "python -m pip install 'cupy-cuda12x[ctk]'"), fix("or install {lib|pip}, or the CUDA toolkit and set CUDA_PATH to it", "pip", "python -m pip install {lib|pip}", "bash", "export CUDA_PATH=/usr/local/cuda")},
					Ask:      "python -c 'import cupy; cupy.show_config()'",
				},
			),
			Samples: []string{"RuntimeError: CuPy failed to load libnvrtc.so.12: OSError: libnvrtc.so.12: cannot open shared object file: No such file or directory", "RuntimeError: CuPy failed to load nvrtc64_120_0.dll: FileNotFoundError: Could not find module 'nvrtc64_120_0.dll'"},
			Misses:  []string{"CuPy failed to load data"},
			Source:  "https://github.com/cupy/cupy/issues/8317",
		},
		{
			ID: "cupy-runtime-error", Product: "cupy",
			Literals:    []string{"CUDARuntimeError: cuda", "CUDADriverError: CUDA_ERROR"},
			Pattern:     `CUDA(?:Runtime|Driver)Error: (?P<error>cudaError\w+|CUDA_ERROR_\w+): (?P<text>[^\n]{3,90})`,
			Layer:       rule.Driver,
			ExplainedBy: []string{"DRV002", "ARC001", "CUD003", "DEV003"},
			Meaning:     "A CUDA call failed in CuPy, with the error's name.",
			Causes: causes(
				Cause{
					When:     on(Is("error", `InsufficientDriver`)),
					Title:    "the driver[ {driver}] is too old for this CuPy's CUDA, or not accessible",
					Text:     "The number in the package's name is the CUDA major release: 12 needs driver 525.60.13 or newer, 13 needs 580[; driver {driver} supports CUDA {driver|cuda}]. Without a driver, or in a container without --gpus all, the same error appears.",
					Remedies: []Remedy{fix("update the driver"), fix("or install the CuPy for the driver's CUDA", "pip", "python -m pip install cupy-cuda11x")},
				},
				Cause{
					When:     on(Is("error", `NoDevice|NO_DEVICE|InvalidDevice|INVALID_DEVICE`)),
					Layer:    rule.DeviceExposure,
					Title:    "CuPy sees no GPU[ (CUDA_VISIBLE_DEVICES is {visible})]: {error}",
					Text:     "CUDA_VISIBLE_DEVICES hides it, or the container or job has none.",
					Remedies: []Remedy{fix("check what is visible", "bash", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES")},
				},
				Cause{
					When:     on(Is("error", `UNSUPPORTED_PTX|UnsupportedPtx`)),
					Title:    "the driver[ {driver}] is too old for the PTX that NVRTC makes",
					Text:     "CuPy compiles with the NVRTC it finds; where that is of a newer CUDA than the driver's, the driver refuses its PTX.",
					Remedies: []Remedy{fix("update the driver, or use an NVRTC of the driver's CUDA[ {driver_cuda}]", "conda", "conda install -c conda-forge cuda-version={driver_cuda}")},
				},
				Cause{
					When:     on(Is("error", `NoKernelImage|NO_BINARY|InvalidDeviceFunction`)),
					Layer:    rule.GPUArch,
					Title:    "CuPy has no code for the GPU[ {gpu}][ ({sm})]: {error}",
					Text:     "The CUDA libraries or the package are of a release that does not know the GPU's architecture.",
					Remedies: []Remedy{fix("for a new GPU use the newest CuPy and CUDA, for an old one cupy-cuda12x or cupy-cuda11x instead of 13x")},
				},
				Cause{
					When:     on(Is("error", `MemoryAllocation|OUT_OF_MEMORY`)),
					Layer:    rule.Application,
					Title:    "not the stack: the GPU's memory is full",
					Text:     "The arrays need more than is free.",
					Remedies: []Remedy{fix("work in smaller pieces, or free the pool: cupy.get_default_memory_pool().free_all_blocks()", "bash", "nvidia-smi")},
				},
				Cause{
					When:     on(Is("error", `IllegalAddress|ILLEGAL|Launch|Assert|Misaligned`)),
					Layer:    rule.Application,
					Title:    "not the stack: a kernel of the program failed ({error})",
					Text:     "Kernels run; one of them read or wrote outside of its arrays.",
					Remedies: []Remedy{fix("find it with compute-sanitizer", "bash", "compute-sanitizer python app.py")},
				},
				Cause{
					Title:    "CUDA failed in CuPy: {error}, {text}",
					Text:     "The error comes from the driver or its state[ (driver {driver})].",
					Remedies: []Remedy{fix("check the driver", "bash", "nvidia-smi")},
					Ask:      "nvidia-smi, and python -c 'import cupy; cupy.show_config()'",
				},
			),
			Samples: []string{"cupy_backends.cuda.api.runtime.CUDARuntimeError: cudaErrorInsufficientDriver: CUDA driver version is insufficient for CUDA runtime version", "cupy_backends.cuda.api.driver.CUDADriverError: CUDA_ERROR_UNSUPPORTED_PTX_VERSION: the provided PTX was compiled with an unsupported toolchain."},
			Misses:  []string{"CUDARuntimeError"},
			Source:  "https://github.com/cupy/cupy/blob/main/cupy_backends/cuda/api/runtime.pyx",
		},
		{
			ID: "cupy-cython-mismatch", Product: "cupy",
			Literals: []string{"has no attribute '__reduce_cython__'"},
			Pattern:  `cupy[\w.]*' has no attribute '__reduce_cython__'`,
			Layer:    rule.PackageConflict, Strength: Strong,
			Meaning: "Parts of several CuPy packages, or of one for another CUDA, are mixed in one folder.",
			Causes: causes(Cause{
				Title: "CuPy's compiled parts do not load: the CuPy that is installed is for another CUDA than the one here[ ({toolkit})], or several CuPy packages are mixed",
				Text:  "cupy, cupy-cuda10x, cupy-cuda11x and cupy-cuda12x write the same folder. The number in the name must be that of the CUDA that is installed. spaCy and others stop at import, although they would also work on the CPU.",
				Remedies: []Remedy{
					fix("uninstall every CuPy, then install the one for this CUDA (nvcc --version)", "pip", "python -m pip uninstall -y cupy cupy-cuda100 cupy-cuda101 cupy-cuda102 cupy-cuda11x cupy-cuda12x", "pip, then", "python -m pip install cupy-cuda12x"),
					fix("or, for the CPU alone, leave it uninstalled"),
				},
				Ask: "python -m pip list | grep -i cupy; nvcc --version",
			}),
			Samples: []string{"AttributeError: type object 'cupy.core.core.broadcast' has no attribute '__reduce_cython__'", "AttributeError: type object 'cupy._core.core.Indexer' has no attribute '__reduce_cython__'"},
			Misses:  []string{"AttributeError: type object 'h5py.h5.H5PYConfig' has no attribute '__reduce_cython__'"},
			Source:  "https://github.com/explosion/spaCy/issues/5031",
		},
	}
}
