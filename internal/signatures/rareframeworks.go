package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// rareFrameworks are Faiss, Chainer and Theano: older frameworks, and those for one purpose.
func rareFrameworks() []*Signature {
	return []*Signature{
		{
			ID: "faiss-without-gpu", Product: "faiss",
			Literals: []string{"StandardGpuResources", "index_cpu_to_gpu", "index_cpu_to_all_gpus", "GpuIndexFlat", "GpuClonerOptions", "load GPU Faiss"},
			Pattern:  `has no attribute '(?:StandardGpuResources|index_cpu_to_\w*gpus?\w*|GpuIndex\w+|GpuClonerOptions|GpuMultipleClonerOptions|GpuParameterSpace)'|Failed to load GPU Faiss: (?P<why>[^\n]{3,120})`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "The Faiss that is imported has no GPU part.",
			Causes: causes(
				Cause{
					When:     on(Has("why"), Not(Is("why", `No module named|StandardGpuResources`))),
					Title:    "Faiss cannot load its GPU part ({why}) and goes on with the CPU",
					Text:     "The GPU module is there and one of the libraries that it is built with is not, or is of another release. faiss-gpu is built for one CUDA major release.",
					Remedies: []Remedy{fix("install the faiss-gpu of the CUDA that is here, alone and with its CUDA packages", "conda", "conda install -c pytorch -c nvidia faiss-gpu", "pip", "python -m pip install faiss-gpu-cu12")},
				},
				Cause{
					When: on(Any(Lists("faiss-gpu", "faiss-cpu"), every("both Faiss packages", Says("faiss-gpu", "faiss_gpu"), Says("faiss-cpu", "faiss_cpu")))), Layer: rule.PackageConflict,
					Title:    "faiss-cpu and faiss-gpu are both in this environment: they write the same module faiss, and the one for the CPU is in use",
					Text:     "The one that was installed last wins, without a warning. faiss-gpu has the functions for the CPU as well.",
					Remedies: []Remedy{fix("uninstall both, then install the one for the GPU", "pip", "python -m pip uninstall -y faiss faiss-cpu faiss-gpu && python -m pip install faiss-gpu-cu12", "conda", "conda remove faiss faiss-cpu faiss-gpu && conda install -c pytorch -c nvidia faiss-gpu")},
				},
				Cause{
					Title: "The Faiss that is installed is the build for the CPU: faiss-gpu is needed",
					Text:  "faiss-cpu has no StandardGpuResources and no Gpu classes. Where faiss-gpu is listed, faiss-cpu beside it, or an old package without code for this CUDA, comes first. Driver and toolkit are not at fault.",
					Remedies: []Remedy{
						fix("see what is installed, take faiss-cpu out and install faiss-gpu of the CUDA that is here (Conda's pytorch channel, or faiss-gpu-cu12 of pip; pip's old faiss-gpu is for CUDA 11 and older)", "check", "python -c 'import faiss; print(faiss.__version__, faiss.__file__, faiss.get_num_gpus())'; python -m pip list | grep -i faiss", "conda", "conda install -c pytorch -c nvidia faiss-gpu"),
					},
					Ask: "conda list faiss; python -m pip list | grep -i faiss",
				},
			),
			Samples: []string{
				"AttributeError: module 'faiss' has no attribute 'StandardGpuResources'",
				"AttributeError: module 'faiss' has no attribute 'index_cpu_to_all_gpus'",
				"Failed to load GPU Faiss: libcublas.so.11: cannot open shared object file. Will not load constructor refs for GPU indexes.",
			},
			Misses: []string{"res = faiss.StandardGpuResources()", "faiss.index_cpu_to_gpu(res, 0, index)"},
			Source: "https://github.com/facebookresearch/faiss/issues/2892",
		},
		{
			ID: "chainer-cuda-environment", Product: "chainer",
			Literals: []string{"CUDA environment is not correctly set up"},
			Pattern:  `CUDA environment is not correctly set up`,
			Layer:    rule.FrameworkBuild,
			Meaning:  "Chainer reaches the GPU through CuPy, and cannot import it.",
			Causes: causes(
				Cause{
					When: on(Says("cupy.util", "get_build_version", "cannot import name")), Layer: rule.PackageConflict,
					Title:    "Chainer and CuPy are not of one time: Chainer cannot use this CuPy",
					Text:     "Each major release of Chainer wants the CuPy of the same number (Chainer 7 wants CuPy 7); Chainer 1 brought its own, which a separate cupy breaks. The driver is not at fault.",
					Remedies: []Remedy{fix("install the CuPy of the Chainer's number, alone", "check", "python -m pip list | grep -i -e chainer -e cupy", "Chainer 7 on CUDA 10.2", "python -m pip install 'cupy-cuda102<8'")},
				},
				Cause{
					Title: "Chainer finds no usable CuPy: it is not installed, or it is not the one for this CUDA[ ({toolkit}) || ({runtime})]",
					Text:  "From Chainer 2 on CuPy is a package of its own, whose name has CUDA's release (cupy-cuda80, cupy-cuda101). Chainer 1 compiles it while it is installed, and leaves it out where no toolkit is found.",
					Remedies: []Remedy{
						fix("install the CuPy whose name has the CUDA that is here and whose major release is Chainer's, then ask it", "check", "python -c 'import cupy; print(cupy.__version__, cupy.zeros(1))'"),
						fix("with Chainer 1 install Chainer anew where nvcc is on PATH", "pip", "python -m pip uninstall -y chainer && python -m pip install chainer --no-cache-dir -vvvv"),
					},
					Ask: "python -c 'import chainer; chainer.print_runtime_info()'",
				},
			),
			Samples: []string{"RuntimeError: CUDA environment is not correctly set up\n(see https://github.com/chainer/chainer#installation).No module named 'cupy.util'"},
			Misses:  []string{"the CUDA environment is set up"},
			Source:  "https://github.com/chainer/chainer/issues/2096",
		},
		{
			ID: "theano-pygpu", Product: "theano",
			Literals: []string{"Could not initialize pygpu", "GpuArrayException"},
			Pattern:  `Could not initialize pygpu, support disabled|GpuArrayException: (?P<why>[^\n]{3,120})`,
			Layer:    rule.CUDALibraries,
			Meaning:  "Theano's GPU library, libgpuarray (pygpu), could not start.",
			Causes: causes(
				Cause{
					When: on(Says("cudnn", "dnn_present", "dnn_available", "dnn.py")), Layer: rule.CUDNN, Confidence: rule.Possible,
					Title:    "Theano's pygpu does not start[ ({why})]: most likely it does not find cuDNN, or one that it does not know",
					Text:     "Theano 1.0 knows cuDNN 5 to 7. It looks for the header and the library in dnn.include_path and dnn.library_path (.theanorc or THEANO_FLAGS).",
					Remedies: []Remedy{fix("start without cuDNN, and when that works give its paths", "shell", "THEANO_FLAGS=device=cuda0,floatX=float32,dnn.enabled=False python -c 'import theano'")},
				},
				Cause{
					When: on(Is("why", `(?i)cuInit|no device|cublasCreate|cuCtx`)), Layer: rule.Driver, Confidence: rule.Possible,
					Title:    "Theano's pygpu does not start: {why}",
					Text:     "The driver does not start for this process, is too old for the CUDA that libgpuarray loads, or the GPU is full or hidden.",
					Remedies: []Remedy{fix("see whether the driver answers, and which GPUs are free", "check", "nvidia-smi; echo $CUDA_VISIBLE_DEVICES")},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "Theano's pygpu (libgpuarray) does not start[: {why}]: most likely it does not find the CUDA libraries (nvrtc, cuBLAS) of a release that it knows",
					Text:       "libgpuarray 0.6 and 0.7 know CUDA 7.5 to 9.x, and look for nvrtc and cuBLAS in CUDA_PATH (Windows) or the loader's path. A newer CUDA has other file names.",
					Remedies: []Remedy{
						fix("install pygpu 0.7 with a CUDA that it knows (8.0 or 9.0), and put that CUDA's bin (Windows) or lib64 directory on PATH or LD_LIBRARY_PATH", "conda", "conda install -c conda-forge theano pygpu", "check", "python -c 'import pygpu; print(pygpu.__version__); pygpu.init(\"cuda0\")'"),
					},
					Ask: "the output of that command; echo %CUDA_PATH% or $LD_LIBRARY_PATH",
				},
			),
			Samples: []string{"ERROR (theano.gpuarray): Could not initialize pygpu, support disabled", "GpuArrayException: Error loading library: 0", "pygpu.gpuarray.GpuArrayException: cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected"},
			Misses:  []string{"pygpu.init('cuda0')"},
			Source:  "https://github.com/philferriere/dlwin/issues/41",
		},
	}
}
