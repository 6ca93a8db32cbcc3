package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// pythonEnv is what is said where the system, the interpreter or the environment is not the one that a package wants.
func pythonEnv() []*Signature {
	return []*Signature{
		{
			ID: "glibc-too-old", Product: "dynamic linker",
			Literals: []string{"version `GLIBC_", "version 'GLIBC_", "GLIBC_2."},
			Pattern:  "version [`'\"\u2018](?P<need>GLIBC_(?P<version>2\\.\\d+))['\"\u2019] not found(?: \\(required by (?P<user>[^)\\s]+))?",
			Layer:    rule.PythonEnv, Strength: Strong,
			Meaning: "A library was built on a newer system than this one.",
			Causes: causes(Cause{
				Title: "The C library here[ (glibc {glibc})] is too old: [{user|base} || a library] needs glibc {version} (GLIBC_{version})",
				Text:  "The wheel or binary was built on a newer distribution. glibc belongs to the distribution and cannot be replaced alone; CUDA and the driver are not concerned.",
				Remedies: []Remedy{
					fix("use a release of the package that was built for older systems (manylinux2014, manylinux_2_17), or build it here"),
					fix("or run it on a newer distribution, for example in a container"),
				},
				Ask: "ldd --version | head -1",
			}),
			Samples: []string{"ImportError: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /venv/lib/python3.9/site-packages/flash_attn_2_cuda.cpython-39-x86_64-linux-gnu.so)"},
			Misses:  []string{"GLIBC_2.34"},
			Source:  "https://github.com/bminor/glibc/blob/master/elf/dl-version.c",
		},
		{
			ID: "libstdcxx-too-old", Product: "dynamic linker",
			Literals: []string{"GLIBCXX_3.4", "CXXABI_1.3"},
			Pattern:  "version [`'\"\u2018](?P<need>(?:GLIBCXX|CXXABI)_[\\d.]+)['\"\u2019] not found(?: \\(required by (?P<user>[^)\\s]+))?",
			Layer:    rule.PythonEnv, Strength: Strong,
			Meaning: "The libstdc++.so.6 that was found first is older than a library needs.",
			Causes: causes(Cause{
				Title: "The libstdc++.so.6 that is loaded is too old: [{user|base} || a library] needs {need}",
				Text:  "Often a Conda environment has a newer one that is not found first, or an older one that hides the system's. CUDA and the driver are not concerned.",
				Remedies: []Remedy{
					fix("bring the environment's libstdc++ up to date", "conda", "conda install -c conda-forge libstdcxx-ng"),
					fix("or let the newer one be found first", "shell", "export LD_LIBRARY_PATH=$CONDA_PREFIX/lib:$LD_LIBRARY_PATH", "check", "strings $CONDA_PREFIX/lib/libstdc++.so.6 | grep GLIBCXX_3.4 | tail -1"),
				},
			}),
			Samples: []string{"ImportError: /lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.30' not found (required by /env/lib/python3.10/site-packages/scipy/spatial/_ckdtree.so)", "OSError: /usr/lib64/libstdc++.so.6: version `CXXABI_1.3.13' not found"},
			Misses:  []string{"GLIBCXX_3.4.30 is there"},
			Source:  "https://gcc.gnu.org/onlinedocs/libstdc++/manual/abi.html",
		},
		{
			ID: "cpu-illegal-instruction", Product: "operating system",
			Literals: []string{"Illegal instruction", "SIGILL", "compiled to use AVX instructions", "CPU does not support AVX", "cpu does not support avx", "NoAVX2 ", "without AVX2"},
			Pattern:  `(?:Illegal instruction(?: \(core dumped\)|\s*$)|\bSIGILL\b|compiled to use (?P<isa>[A-Z0-9_, ]+?) instructions, but these aren't available|(?i:CPU does not support (?P<isa>AVX\d*)|no ?(?P<isa>AVX2?) mode|without (?P<isa>AVX2?)\b))`,
			Layer:    rule.Hardware, Strength: Weak,
			Meaning: "A program was compiled for instructions that this CPU does not have.",
			Causes: causes(Cause{
				Title:    "This CPU lacks instructions that the program was compiled for[: {isa}]",
				Text:     "Wheels of TensorFlow, PyTorch and others need AVX or AVX2, which older CPUs and some virtual machines do not offer. The GPU is not concerned.",
				Remedies: []Remedy{fix("in a virtual machine, pass the host's CPU model through; else use an older release, or compile it for this CPU", "check", "grep -o -w -e avx -e avx2 -e avx512f /proc/cpuinfo | sort | uniq -c")},
				Ask:      "grep -m1 flags /proc/cpuinfo",
			}),
			Samples: []string{"Illegal instruction (core dumped)", "works only in NoAVX2 Mode, where the GPU is not used", "The TensorFlow library was compiled to use AVX instructions, but these aren't available on your machine."},
			Misses:  []string{"CUDA error: an illegal instruction was encountered"},
			Source:  "https://www.tensorflow.org/install/pip",
		},
	}
}
