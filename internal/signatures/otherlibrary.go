package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// otherLibrary is what the dynamic linker says of libraries that belong to no part of the GPU stack.
func otherLibrary() []*Signature {
	return []*Signature{
		{
			ID: "loader-other-library-missing", Product: "dynamic linker",
			Literals: []string{"cannot open shared object file"},
			Pattern:  `(?P<lib>lib(?:[adefg-mp-su-zA-Z_]|c[b-tv-zA-Z]|ca[irp]|n[abd-oq-uw-z]|t[a-nq-z]|o[a-mo-z]|b[a-hj-z])[\w+-]*(?:\.\d+)*\.so[\d.]*): cannot open shared object file`,
			Layer:    rule.Application, Strength: Weak,
			// Those of the driver, CUDA and PyTorch have signatures of their own; JAX asks for libtpu wherever it starts.
			Where:   on(Not(Is("lib", `^lib(?:cu|nv|torch|c10|caffe2|nccl|npp|GLX_nvidia|EGL_nvidia|vdpau_nvidia|tensorflow|onnxruntime|bitsandbytes)`))),
			Meaning: "The dynamic linker found no file of this name, and it is none of the GPU stack.",
			Causes: causes(
				Cause{
					When: on(Is("lib", `^libpython`)), Layer: rule.PythonEnv,
					Title: "{lib}, Python's own shared library, is not found by the dynamic linker",
					Text:  "An extension is linked to {lib}. The Python of Conda, pyenv or uv keeps it in its own lib directory, which the linker does not search, or was built without --enable-shared. The GPU stack is not at fault.",
					Remedies: []Remedy{
						fix("put the directory of {lib} on LD_LIBRARY_PATH before the program starts", "shell", `export LD_LIBRARY_PATH=$(python -c 'import sysconfig; print(sysconfig.get_config_var("LIBDIR"))'):$LD_LIBRARY_PATH`),
						fix("or install the system's package that has it, on Debian and Ubuntu libpython3.x or python3.x-dev of the same version as this Python"),
					},
					Ask: "find / -name '{lib}' 2>/dev/null",
				},
				Cause{
					When:  on(Is("lib", `^lib(?:mpi|open-rte|open-pal|pmi)`)),
					Title: "{lib}, a library of MPI, is not found: MPI is not installed, or not on LD_LIBRARY_PATH",
					Text:  "The program, or mpi4py, is linked to an MPI: libmpi.so.40 is Open MPI's, libmpi.so.12 that of MPICH and Intel MPI, and in NVIDIA's images the one in /opt/hpcx. Another MPI has another name. The GPU stack is not at fault.",
					Remedies: []Remedy{
						fix("install the MPI that is asked for", "Debian and Ubuntu", "sudo apt-get install -y libopenmpi-dev openmpi-bin", "Conda", "conda install -c conda-forge mpi4py openmpi"),
						fix("or, where it is there, put its lib directory on LD_LIBRARY_PATH, and build mpi4py anew against it", "shell", "export LD_LIBRARY_PATH=/usr/local/mpi/lib:$LD_LIBRARY_PATH"),
					},
					Ask: "find / -name 'libmpi.so*' 2>/dev/null",
				},
				Cause{
					When:  on(Is("lib", `^lib(?:ibverbs|rdmacm|uc[tpsm]|mlx)`)),
					Title: "{lib}, a library of InfiniBand (rdma-core or UCX), is not found",
					Text:  "The program is linked to the network's libraries, which the system or the image lacks. The GPU stack is not at fault.",
					Remedies: []Remedy{
						fix("install it", "Debian and Ubuntu", "sudo apt-get install -y libibverbs1 librdmacm1 ibverbs-providers"),
					},
				},
				Cause{
					When:  on(Is("lib", `^lib(?:GL|EGL|OpenGL|GLdispatch|SM|ICE|X\w*|xcb\w*|gthread|glib)\b`)),
					Title: "{lib} is not found: the image or system lacks the libraries of graphics that a package (mostly OpenCV) is linked to",
					Text:  "It has nothing to do with CUDA: slim images have no OpenGL and X libraries.",
					Remedies: []Remedy{
						fix("install them", "Debian and Ubuntu", "sudo apt-get install -y libgl1 libglib2.0-0 libsm6 libxext6"),
						fix("or use the package without windows", "pip", "python -m pip uninstall -y opencv-python; python -m pip install opencv-python-headless"),
					},
				},
				Cause{
					Title: "{lib} is not found by the dynamic linker; it is no part of the GPU stack",
					Text:  "A program or an extension is linked to {lib}, and no directory that the linker searches has it: the package that brings it is not installed, is of another release, or lies outside of LD_LIBRARY_PATH.",
					Remedies: []Remedy{
						fix("install the package that has {lib}; the system tells which one that is", "Debian and Ubuntu", "apt-file search {lib}", "Fedora and Red Hat", "dnf provides '*/{lib}'"),
						fix("or, where it is on the disk, put its directory on LD_LIBRARY_PATH"),
					},
					Ask: "find / -name '{lib}*' 2>/dev/null",
				},
			),
			Samples: []string{
				"ImportError: libmpi.so.40: cannot open shared object file: No such file or directory",
				"ImportError: libpython3.11.so.1.0: cannot open shared object file: No such file or directory",
				"error while loading shared libraries: libibverbs.so.1: cannot open shared object file: No such file or directory",
				"ImportError: libGL.so.1: cannot open shared object file: No such file or directory",
				"OSError: libsndfile.so.1: cannot open shared object file: No such file or directory",
			},
			Misses: []string{"libfoo.so.1 was opened"},
			Source: "https://github.com/bminor/glibc/blob/master/elf/dl-load.c",
		},
	}
}
