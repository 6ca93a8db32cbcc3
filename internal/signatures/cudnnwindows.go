package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cuDNNWindows is what Windows says of DLLs that cannot be loaded.
func cuDNNWindows() []*Signature {
	return []*Signature{
		{
			ID: "cudnn-windows-procedure", Product: "Windows loader",
			Literals: []string{"WinError 127", "WinError 126", "WinError 1114"},
			Pattern:  `WinError (?P<code>126|127|1114)\].{0,200}?Error loading \\?"?(?:[^"]*[\\/])?(?P<dll>cudnn\w*64_\d+\.dll|cu(?:blas|blasLt|dart|fft|solver|sparse)64_\d+\.dll|nvrtc64_\w+\.dll)`,
			Layer:    rule.PythonEnv,
			Strength: Strong,
			Meaning:  "Windows could not load a DLL of the framework: 126, a DLL that it needs is not found; 127, one was found that lacks a function; 1114, its start failed.",
			Causes: causes(
				Cause{
					When:     on(Is("code", "127"), Is("dll", `^cudnn`)),
					Layer:    rule.CUDNN,
					Title:    "{dll} found a part of another cuDNN (WinError 127): two copies are mixed on PATH",
					Text:     "Error 127 says that a function is missing: a cudnn DLL of another release was loaded first, from PATH, from the toolkit's bin folder, or by another package of the same process (PyTorch's own in torch\\lib beside that of nvidia-cudnn, as onnxruntime.preload_dlls loads it). The file itself is there.",
					Remedies: []Remedy{fix("take the other cuDNN's folder off PATH, or remove its cudnn*.dll from the toolkit's bin folder"), fix("let both copies be of the same release, or import torch before the other package loads its own")},
					Ask:      "where {dll}",
				},
				Cause{
					When:     on(Is("dll", `^cudnn`)),
					Layer:    rule.CUDNN,
					Title:    "{dll} cannot be loaded (WinError {code}): a part of cuDNN or zlibwapi.dll is not found",
					Text:     "A DLL that it needs is missing or another copy of cuDNN on PATH is in the way.",
					Remedies: []Remedy{fix("install the framework's packages anew in a clean environment, and take other cuDNN folders off PATH")},
					Ask:      "where {dll}",
				},
				Cause{
					Layer:    rule.CUDALibraries,
					Title:    "{dll} cannot be loaded on Windows (WinError {code}): a CUDA DLL that it needs is missing or of another release",
					Text:     "The file is there; what it needs is not found (126), or is of another release (127): folders of other CUDA installations or of Conda on PATH.",
					Remedies: []Remedy{fix("install the framework anew in a clean environment, with folders of other CUDA installations taken off PATH")},
					Ask:      "where {dll}, and the same for the DLLs that a dependency viewer shows as missing",
				},
			),
			Samples: []string{
				`OSError: [WinError 127] The specified procedure could not be found. Error loading "D:\env\Lib\site-packages\nvidia\cudnn\bin\cudnn_ops64_9.dll" or one of its dependencies.`,
			},
			Misses: []string{`OSError: [WinError 126] The specified module could not be found: 'foo.dll'`},
			Source: "https://github.com/PaddlePaddle/Paddle/issues/68673",
		},
	}
}
