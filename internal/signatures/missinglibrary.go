package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// missingLibrary are the words of the dynamic linker and of frameworks for a
// library of CUDA that is not found.
var missingLibrary = []*Signature{
	{
		ID: "loader-cuda-library-missing", Product: "dynamic linker",
		Literals: []string{"cannot open shared object file"},
		Pattern:  `(?P<lib>lib(?:cu[a-zA-Z]+|nv[a-zA-Z]+|nccl|cudnn\w*|nvinfer\w*|nvonnxparser)\.so\.[0-9][0-9.]*): cannot open shared object file`,
		Strength: Strong,
		Meaning:  "The dynamic linker found no file of this name where it looks.",
		Causes: []Cause{{
			Title: "{lib|base} is not found",
			Text: "A program asked the dynamic linker for {lib|base}[, the {lib|component} library of CUDA {lib|cudamajor}], and none of the directories it searches has it. " +
				"Another major release of the library does not stand in for it.",
			Remedies: []Remedy{{
				Summary:  "install [the {lib|component} library for CUDA {lib|cudamajor}: {lib|pip} || {lib|pip} || what brings {lib|base}], or put the directory that has {lib|base} on LD_LIBRARY_PATH",
				Commands: []rule.Command{{For: "pip", Run: "python -m pip install {lib|pip}"}},
			}},
			Ask: "which file has it: find / -name '{lib|base}*' 2>/dev/null",
		}},
		Samples: []string{"ImportError: libcublas.so.12: cannot open shared object file: No such file or directory"},
		Misses:  []string{"libX11.so.6: cannot open shared object file: No such file or directory"},
		Source:  "https://man7.org/linux/man-pages/man8/ld.so.8.html",
	},
}
