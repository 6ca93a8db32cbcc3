package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cudarc is what Rust programs say.
func cudarc() []*Signature {
	return []*Signature{
		{
			ID: "cudarc-library", Product: "cudarc",
			Literals: []string{"Unable to dynamically load the", "Unable to find cuda lib under", "lib under the names"},
			Pattern:  `Unable to dynamically load the "(?P<name>\w+)" shared library|Unable to find (?P<name>\w+) lib under the names`,
			Layer:    rule.CUDALibraries,
			Strength: Strong,
			Meaning:  "A Rust program loads CUDA's libraries by name at run time and does not find one.",
			Causes: causes(
				Cause{
					When:     on(Is("name", `^(cuda|nvcuda)$`), OnWSL),
					Layer:    rule.DeviceExposure,
					Title:    "the program does not find libcuda in WSL: it is in /usr/lib/wsl/lib",
					Text:     "The Windows driver's libcuda is there; the directory is not on LD_LIBRARY_PATH. No Linux driver is to be installed in WSL, and the toolkit's stubs do not work.",
					Remedies: []Remedy{fix("put it on LD_LIBRARY_PATH", "bash", "export LD_LIBRARY_PATH=/usr/lib/wsl/lib:$LD_LIBRARY_PATH")},
				},
				Cause{
					When:     on(Is("name", `^(cuda|nvcuda)$`), InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "libcuda is not in the container: it was started without the GPU",
					Text:     "The NVIDIA container toolkit mounts the driver's libraries where a container asks for GPUs.",
					Remedies: []Remedy{fix("start it with the GPU", "docker", "docker run --rm --gpus all {image} nvidia-smi")},
				},
				Cause{
					When:     on(Is("name", `^(cuda|nvcuda)$`)),
					Layer:    rule.Driver,
					Title:    "the program does not find the driver's libcuda",
					Text:     "No NVIDIA driver is installed where it runs, or the directory of libcuda.so is not searched (in WSL /usr/lib/wsl/lib). The toolkit's stubs directory does not help: its libcuda does nothing.",
					Remedies: []Remedy{fix("install the driver, or put libcuda's directory on LD_LIBRARY_PATH", "bash", "ldconfig -p | grep libcuda")},
				},
				Cause{
					When:     on(Is("name", `^cudnn`)),
					Layer:    rule.CUDNN,
					Title:    "the program does not find cuDNN",
					Text:     "cuDNN is not in the CUDA toolkit; image tags have it only with cudnn in their names.",
					Remedies: []Remedy{fix("install cuDNN for the CUDA of the program, or use an image with cudnn in its tag")},
				},
				Cause{
					When:     on(Is("name", `^(cudart|nvrtc)`)),
					Layer:    rule.CUDARuntime,
					Title:    "the program does not find {name} of the CUDA release that it was built for[ (the toolkit is {toolkit})]",
					Text:     "The names that it looks for carry the CUDA release it was compiled with; another major release does not have them.",
					Remedies: []Remedy{fix("install that CUDA release, or build the program for the one that is here; have its lib directory on LD_LIBRARY_PATH (bin on PATH on Windows)")},
				},
				Cause{
					Title:    "the program does not find {name} of the CUDA release that it was built for[ (the toolkit is {toolkit})]",
					Text:     "Some releases of the loader look for the name without a number, which only development packages have; else the library's directory is not searched.",
					Remedies: []Remedy{fix("put the toolkit's lib64 on LD_LIBRARY_PATH; in a container use an image tagged devel")},
				},
			),
			Samples: []string{`Unable to dynamically load the "cublas" shared library - searched for library names: ["cublas", "cublas64"]. Ensure that LD_LIBRARY_PATH has the correct path`, `Unable to find cuda lib under the names ["cuda", "nvcuda"]. Please open GitHub issue.`},
			Misses:  []string{"Unable to dynamically load the plugin"},
			Source:  "https://github.com/chelsea0x3b/cudarc/issues/274",
		},
	}
}
