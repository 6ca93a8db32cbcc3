package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// packageABI is what packages say that were compiled for other packages than those here.
func packageABI() []*Signature {
	return []*Signature{
		{
			ID: "numpy-abi", Product: "numpy",
			Literals: []string{"compiled using NumPy 1.x", "numpy.dtype size changed", "numpy.core.multiarray failed to import", "_ARRAY_API not found", "Numpy is not available", "RuntimeError: Numpy is not available", "module compiled against API version", "module compiled against ABI version", "was removed in the NumPy 2.0 release", "module 'numpy' has no attribute '"},
			Pattern:  `(?:A module that was compiled using NumPy 1\.x cannot be run in\s+(?:NumPy (?P<numpy>2[\d.]+\d))?|numpy\.dtype size changed, may indicate binary incompatibility|numpy\.core\.multiarray failed to import|_ARRAY_API not found|RuntimeError: Numpy is not available|module compiled against A[PB]I version|np\.(?P<name>\w+)\W{0,2}was removed in the NumPy (?P<numpy>2\.\d) release|module 'numpy' has no attribute '(?P<name>bool|int|float|object|str|complex|NaN|Inf|float_|long)')`,
			Layer:    rule.PackageConflict,
			Meaning:  "A compiled package was made for another NumPy than the one installed.",
			Causes: causes(Cause{
				When:  on(Has("name")),
				Title: "A package is written for an older NumPy than the one installed: np.{name} is gone[ (NumPy {numpy})]",
				Text:  "NumPy 1.24 and 2.0 removed old names. The GPU, CUDA and the driver are not concerned.",
				Remedies: []Remedy{
					fix("update the package that uses the name, or install an older NumPy: below 2 for np.NaN, below 1.24 for np.bool, np.int and np.float", "pip", "python -m pip install 'numpy<2'"),
				},
			}, Cause{
				Title: "A package was compiled for another NumPy than the one installed[ ({numpy})]: NumPy 1 and 2 have different ABIs",
				Text:  "torch before 2.3 and packages of that time need NumPy 1. The GPU, CUDA and the driver are not concerned.",
				Remedies: []Remedy{
					fix("install NumPy below 2 in this environment, or releases of the packages that were built for NumPy 2", "pip", "python -m pip install 'numpy<2'"),
				},
			}),
			Samples: []string{
				"A module that was compiled using NumPy 1.x cannot be run in NumPy 2.1.3 as it may crash.",
				"ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject",
				"RuntimeError: Numpy is not available",
				"AttributeError: `np.Inf` was removed in the NumPy 2.0 release. Use `np.inf` instead.",
				"AttributeError: module 'numpy' has no attribute 'bool'.",
			},
			Misses: []string{"NumPy 2 is available"},
			Source: "https://github.com/numpy/numpy/blob/main/doc/source/user/troubleshooting-importerror.rst",
		},
		{
			ID: "protobuf-generated-code", Product: "protobuf",
			Literals: []string{"Descriptors cannot", "cannot import name 'builder' from 'google.protobuf", "PROTOBUF_PYTHON_IMPLEMENTATION", "incompatible Protobuf Gencode", "Detected incompatible Protobuf"},
			Pattern:  `(?:Descriptors cannot(?: not)? be created directly|cannot import name 'builder' from 'google\.protobuf|Detected incompatible Protobuf Gencode)`,
			Layer:    rule.PythonEnv,
			Meaning:  "Generated code and the protobuf package are of different releases.",
			Causes: causes(Cause{
				Title:    "protobuf is of another release than a package's generated code was made for",
				Text:     "Packages generated with protoc below 3.19 need protobuf 3.20 or older; newer generated code needs a newer protobuf. The GPU is not concerned.",
				Remedies: []Remedy{fix("pin protobuf, or update the package", "pip", "python -m pip install 'protobuf<3.21'"), fix("as a stopgap, slower", "shell", "export PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION=python")},
			}),
			Samples: []string{"TypeError: Descriptors cannot be created directly.", "TypeError: Descriptors cannot not be created directly."},
			Misses:  []string{"File descriptors cannot be inherited"},
			Source:  "https://protobuf.dev/news/2022-05-06/",
		},
		{
			ID: "opencv-duplicate", Product: "opencv",
			Literals: []string{"recursion is detected during loading of \"cv2\"", "module 'cv2' has no attribute", "module 'cv2.dnn' has no attribute"},
			Pattern:  `(?:recursion is detected during loading of "cv2"|module 'cv2(?:\.dnn)?' has no attribute|cv2\.\S+: undefined symbol)`,
			Layer:    rule.PythonEnv, Strength: Weak,
			Meaning: "OpenCV's package is damaged by another one in the same folder, and its modules are mixed.",
			Causes: causes(
				Cause{
					Layer:    rule.PackageConflict,
					Title:    "Two OpenCV packages are installed into one folder and damage each other",
					Text:     "opencv-python, -headless and -contrib all write cv2.",
					Remedies: []Remedy{fix("uninstall all of them and install one", "pip", "python -m pip uninstall -y opencv-python opencv-python-headless opencv-contrib-python opencv-contrib-python-headless; python -m pip install opencv-python-headless")},
				},
			),
			Samples: []string{"ImportError: ERROR: recursion is detected during loading of \"cv2\" binary extensions. Check OpenCV installation."},
			Misses:  []string{"module 'cv2' loaded"},
			Source:  "https://github.com/opencv/opencv/blob/4.x/modules/python/package/cv2/__init__.py",
		},
		{
			ID: "conda-unsatisfiable", Product: "conda",
			Literals: []string{"UnsatisfiableError", "LibMambaUnsatisfiableError", "package __cuda", "feature:|@/linux-64::__cuda", "nothing provides __cuda", "nothing provides __glibc"},
			Pattern:  `(?:(?:LibMamba)?UnsatisfiableError|nothing provides (?:requested )?(?P<virtual>__cuda|__glibc)|feature:(?P<virtual>/linux-64::__(?:cuda|glibc))\S*)`,
			Layer:    rule.PythonEnv,
			Meaning:  "Conda finds no set of packages for this machine.",
			Causes: causes(
				Cause{
					When: on(Is("virtual", "cuda")), Layer: rule.Driver, Confidence: rule.Possible,
					Title:    "Conda sees no driver here that runs this CUDA (the virtual package __cuda)",
					Text:     "__cuda is the CUDA of the driver, as Conda sees it. There is none in an image build, and it is lower than asked for with an old driver[ ({driver}, CUDA {driver|cuda})].",
					Remedies: []Remedy{fix("in an image build, say which CUDA the driver will have", "shell", "CONDA_OVERRIDE_CUDA=12.4 conda install ..."), fix("with an old driver, update it or ask for an older CUDA", "check", "conda info | grep __cuda; nvidia-smi")},
				},
				Cause{
					Title:    "Conda finds no set of packages that fit each other, this Python and this machine",
					Text:     "A pinned Python, cudatoolkit or channel leaves no build. The lines below the message name the two that conflict.",
					Remedies: []Remedy{fix("make a fresh environment and name few pins: the Python, pytorch and its CUDA", "conda", "conda create -n new -c conda-forge python=3.11 'pytorch=*=*cuda*'")},
					Ask:      "the full message, and conda info",
				},
			),
			Samples: []string{"LibMambaUnsatisfiableError: Encountered problems while solving:", "UnsatisfiableError: The following specifications were found to be incompatible with each other:", "  - nothing provides __cuda needed by pytorch-2.1.0-cuda120_py311"},
			Misses:  []string{"__cuda=12.4=0"},
			Source:  "https://github.com/mamba-org/micromamba-docker/issues/620",
		},
	}
}
