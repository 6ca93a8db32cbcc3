package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toldLegacy is about old GPUs, and compilers that are too new, in people's words.
func toldLegacy() []*Signature {
	return []*Signature{
		{
			ID: "told-legacy-gpu", Product: "NVIDIA driver",
			Literals: []string{"older gpu", "old gpus", "an old gpu", "my old gpu", "older graphics", "old graphics", "old nvidia", "older nvidia", "older card", "old card", "legacy driver", "legacy gpu", "driver version", "GeForce GT", "GeForce 8", "GeForce 9", "GTX 4", "GTX 5", "GTX 6", "GTX 7", "Tesla K", "Tesla M", "Quadro K", "Quadro M", " GT 7", " GT 6", "Tesla C", "Quadro 4000"},
			Pattern:  `(?i)\b(?P<model>(?:GTX?|GTS) ?\d{3}(?: ?Ti)?\b|GeForce (?:GTX?|GTS)? ?\d{3,4}\w*(?: ?Ti)?|(?:Tesla|Quadro) [CKM]\d{2,4}\w*)\b`,
			Layer:    rule.Driver, Role: Told, Strength: Strong,
			Where:   on(Any(Has("model|gpulast"), Is("model", `(?i)GT ?[67]\d\d\b|GTX? ?[45]\d\d\b`)), Says("driver"), Says("old", "legacy", "not listed", "isn't listed", "no longer support", "dropped", "which driver", "which version", "not support", "unsupported", "supported version", "cannot find", "can't find", "can't seem to find", "are missing", "is missing", "end of life")),
			Meaning: "Somebody asks for a driver for an old GPU.",
			Causes: causes(Cause{
				When:  on(Not(Has("model|gpulast"))),
				Title: "{model} is an old GPU, a name that stands for two chips: branch 470 is the last driver for Kepler (GK208 and others), 390 for Fermi (GF108 and others); newer drivers ignore it",
				Text:  "lspci shows which chip it is. Those branches are no longer made, and build against older kernels alone, unless the distribution patches them.",
				Remedies: []Remedy{
					fix("find the chip, and take the last release of its branch (470.256.02 or 390.157) where the system offers it", "check", "lspci -nn -d 10de:", "ubuntu", "apt-cache search --names-only '^nvidia-driver-(390|470)$'"),
					fix("where the system has no such package for its kernel, keep a system with an older kernel, or put in a GPU that current drivers support"),
				},
			}, Cause{
				Title: "{model} is an old GPU: branch {model|gpulast} is the last driver that supports it (a legacy branch), and newer drivers ignore it",
				Text:  "Kepler (GTX 600 and 700, GT 710, K80) ends with branch 470, Fermi (GTX 400 and 500, and the GT 730 with a GF108 chip) with 390. A name can stand for two chips: lspci tells which. Those branches are no longer made, and build against older kernels alone, unless the distribution patches them.",
				Remedies: []Remedy{
					fix("find the chip, and take the last release of its branch (470.256.02 or 390.157) where the system offers it", "check", "lspci -nn -d 10de:", "ubuntu", "apt-cache search --names-only '^nvidia-driver-(390|470)$'"),
					fix("where the system has no such package for its kernel, keep a system with an older kernel, or put in a GPU that current drivers support"),
				},
			}),
			Samples: []string{"Is there a legacy driver for the GeForce GT 730?", "I put my old card, a GTX 680, into the server"},
			Misses:  []string{"the old card is an RTX 3060"},
			Source:  "https://www.nvidia.com/en-us/drivers/unix/",
		},
		{
			ID: "told-host-compiler", Product: "nvcc",
			Literals: []string{"too new for nvcc", "too new for cuda", "nvcc only support", "nvcc does not support", "nvcc doesn't support", "not supported by nvcc", "cuda does not support gcc", "newer than nvcc", "compilers are too new", "compiler is too new", "gcc is too new", "supported only g++", "only supported g++", "only supported gcc", "only supports gcc", "only supports g++"},
			Pattern:  `(?i)(?:(?P<host>(?:gcc|g\+\+|clang)-?\d[\d.]*)[^\n]{0,80})?(?:too new for (?:nvcc|cuda)|nvcc[^\n]{0,40}(?:only support|does ?n[o']?t support)|not supported by nvcc|compilers? (?:are|is) too new|gcc is too new|newer than nvcc)(?:[^\n]{0,160}?(?P<most>(?:gcc|g\+\+|clang)-?\d[\d.]*))?`,
			Layer:    rule.Toolkit, Role: Told, Strength: Strong,
			Where:   on(Says("nvcc", "cuda")),
			Meaning: "Somebody tells that the host compiler is newer than nvcc takes.",
			Causes: causes(Cause{
				Title: "The host compiler (gcc, g++) is newer than this nvcc takes[: {most} was named]",
				Text:  "nvcc hands the host's part of the code to gcc and refuses releases newer than those of its own time.[ CUDA {toolkit} takes gcc up to {toolkit|gccmax}.] In a Conda environment c-compiler and cxx-compiler bring the newest gcc, which then stands first.",
				Remedies: []Remedy{
					fix("give nvcc an older host compiler", "shell", "export NVCC_PREPEND_FLAGS='-ccbin /usr/bin/g++-11' CUDAHOSTCXX=/usr/bin/g++-11", "conda", "conda install -c conda-forge gxx_linux-64=11"),
					fix("or take a newer CUDA toolkit, which knows this compiler; --allow-unsupported-compiler is for a try at one's own risk"),
				},
				Ask: "nvcc --version; gcc --version",
			}),
			Samples: []string{"conda's compilers are too new for nvcc", "it has gcc-13, and nvcc does not support it"},
			Misses:  []string{"nvcc supports gcc 13"},
			Source:  "https://github.com/nv-legate/cupynumeric/issues/629",
		},
	}
}
