package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// tfLibrary is what TensorFlow says about one library that it does not find.
func tfLibrary() []*Signature {
	return []*Signature{
		{
			ID: "tf-library-missing", Product: "tensorflow",
			Literals: []string{"Could not load dynamic library 'lib", "Could not dlopen library 'lib", "Couldn't open CUDA library lib"},
			Pattern:  `(?:Could not (?:load dynamic|dlopen) library '|Couldn't open CUDA library )(?P<asked>lib(?:cudart|cublas|cublasLt|cufft|curand|cusolver|cusparse|cudnn|nccl)\.so[.\d]*)(?:'; dlerror: (?:\S*/)?(?P<lib>lib\w+\.so[.\d]*): cannot open)?`,
			Layer:    rule.CUDALibraries,
			Strength: Strong,
			Meaning:  "TensorFlow loads CUDA's libraries by name at the start and does not find one.",
			Causes: causes(
				Cause{
					When:     on(Is("asked", "cudnn")),
					Layer:    rule.CUDNN,
					Title:    "TensorFlow[ {tensorflow}] does not find cuDNN: {asked}",
					Text:     "The release looks for exactly this name: cuDNN of another major release[ (here {cudnn})] does not serve it, and the CUDA toolkit does not bring cuDNN. Until it is found the GPU is left out.",
					Remedies: []Remedy{fix("install cuDNN {asked|somajor} for TensorFlow's CUDA and put its directory on LD_LIBRARY_PATH", "conda", "conda install -c conda-forge 'cudnn={asked|somajor}.*'"), tfInstall},
					Ask:      "find / -name 'libcudnn.so.*' 2>/dev/null",
				},
				Cause{
					When:     on(Is("asked", "cudart")),
					Layer:    rule.CUDARuntime,
					Title:    "TensorFlow[ {tensorflow}] does not find the CUDA runtime {asked}[: the toolkit here is {toolkit}]",
					Text:     "Each release is built for one CUDA and looks for its library by name[; {asked} is of CUDA {asked|cudamajor}]. Another CUDA, also a newer one, does not have the file; the driver does not bring it. Without an NVIDIA GPU the line is harmless.",
					Remedies: []Remedy{fix("install the CUDA that has {asked}, beside other releases, and put its lib64 on LD_LIBRARY_PATH"), tfInstall},
					Ask:      "find / -name 'libcudart.so.*' 2>/dev/null; echo $LD_LIBRARY_PATH",
				},
				Cause{
					When:     on(Differ("asked", "lib")),
					Title:    "TensorFlow cannot load {asked}: {lib}, which that library needs, is not found",
					Text:     "{asked} itself is there and comes from another CUDA than TensorFlow's: it asks for {lib}. Libraries of two CUDA releases are mixed on LD_LIBRARY_PATH.",
					Remedies: []Remedy{fix("let LD_LIBRARY_PATH name the one CUDA that TensorFlow is built for"), fix("or add {lib}", "pip", "python -m pip install {lib|pip}")},
				},
				Cause{
					Title:    "TensorFlow[ {tensorflow}] does not find {asked}[ of CUDA {asked|cudamajor}][; the toolkit here is {toolkit}]",
					Text:     "Each release is built for one CUDA and looks for its libraries by name; another CUDA does not have the file. A symlink from another release does not make it fit.",
					Remedies: []Remedy{fix("install that CUDA beside other releases and put its lib64 on LD_LIBRARY_PATH", "conda", "conda install -c conda-forge cudatoolkit={asked|cudamajor}"), tfInstall},
					Ask:      "find / -name '{asked|stem}.so*' 2>/dev/null; echo $LD_LIBRARY_PATH",
				},
			),
			Samples: []string{
				"W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load dynamic library 'libcudart.so.11.0'; dlerror: libcudart.so.11.0: cannot open shared object file: No such file or directory; LD_LIBRARY_PATH: /usr/local/cuda/lib64",
				"Could not dlopen library 'libcudnn.so.7'; dlerror: libcudnn.so.7: cannot open shared object file",
			},
			Misses: []string{"Could not load dynamic library 'libnvinfer.so.7'; dlerror: libnvinfer.so.7"},
			Source: "https://github.com/tensorflow/tensorflow/issues/42156",
		},
	}
}
