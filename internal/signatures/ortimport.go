package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ortImport is what is said where another onnxruntime library or runtime of Visual C++ is loaded.
func ortImport() []*Signature {
	return []*Signature{
		{
			ID: "ort-windows-import", Product: "onnxruntime",
			Literals: []string{"onnxruntime_pybind11_state"},
			Pattern:  `DLL load failed while importing onnxruntime_pybind11_state: (?P<text>.{5,80})`,
			Layer:    rule.PythonEnv,
			Strength: Strong,
			Meaning:  "Windows could not load ONNX Runtime's Python module.",
			Causes: causes(
				Cause{
					When:     on(Says("conda", "anaconda")),
					Title:    "onnxruntime cannot be imported on Windows: an old Visual C++ runtime is found, often Conda's own",
					Text:     "The module needs a Visual C++ runtime as new as the compiler it was built with. Conda environments bring an older msvcp140.dll that is found first.",
					Remedies: []Remedy{fix("update the runtime in the environment and the one of Windows", "conda", "conda install -c conda-forge vc14_runtime"), fix("or pin an older onnxruntime")},
				},
				Cause{
					Title:    "onnxruntime cannot be imported on Windows: the Visual C++ runtime is missing or too old",
					Text:     "The module needs a Visual C++ runtime (msvcp140.dll, vcruntime140_1.dll) as new as the compiler it was built with. GPU, driver and CUDA are not concerned.",
					Remedies: []Remedy{fix("install the newest Visual C++ redistributable (x64) from Microsoft, then restart Python"), fix("where another program put an old msvcp140.dll or onnxruntime.dll into System32 or PATH, let the environment's be found first")},
				},
			),
			Samples: []string{"ImportError: DLL load failed while importing onnxruntime_pybind11_state: A dynamic link library (DLL) initialization routine failed."},
			Misses:  []string{"importing onnxruntime_pybind11_state"},
			Source:  "https://github.com/microsoft/onnxruntime/issues/23372",
		},
		{
			ID: "ort-api-version", Product: "onnxruntime",
			Literals: []string{"The given version [", "The requested API version ["},
			Pattern:  `The (?:given version|requested API version) \[(?P<need>\d+)\] is not (?:supported|available), only (?:API )?versions? \[?1(?:,| to) (?P<have>\d+)`,
			Layer:    rule.PackageConflict,
			Strength: Strong,
			Meaning:  "A program asks libonnxruntime for a newer API than the library that was loaded has.",
			Causes: causes(
				Cause{
					When:     on(OnWindows),
					Title:    "an old onnxruntime.dll was loaded: it is of release 1.{have}, the program needs 1.{need}",
					Text:     "Windows has an onnxruntime.dll of its own in System32, which is found where the program's is not beside the executable.",
					Remedies: []Remedy{fix("copy onnxruntime.dll of the release that the program was built with (and the providers) beside the executable")},
				},
				Cause{
					Title:    "another libonnxruntime was loaded: it is of release 1.{have}, the program needs 1.{need}",
					Text:     "An older libonnxruntime.so is found first, on LD_LIBRARY_PATH, in the system, or by another package in the same process.",
					Remedies: []Remedy{fix("let the loader find the library of the release that the program was built with, and remove the other copy"), fix("or build the program against the release that is installed")},
					Ask:      "find / -name 'libonnxruntime.so*' 2>/dev/null",
				},
			),
			Samples: []string{"The given version [17] is not supported, only version 1 to 10 is supported in this build.", "The requested API version [21] is not available, only API versions [1, 17] are supported in this build. Current ORT Version is: 1.17.1"},
			Misses:  []string{"The given version [17] is fine"},
			Source:  "https://github.com/microsoft/onnxruntime/issues/21965",
		},
	}
}
