package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// fails are words by which somebody says that something does not work.
var fails = Says("fails", "failed", "failing", "failure", "error", "crash", "abort", "does not work", "doesn't work", "not working", "no longer", "cannot", "can't", "could not", "does not", "doesn't", "is not used", "not start", "unable", "stops", "broken", "silently", "on the CPU", "falls back", "only the CPU", "is empty", "returns False", "is False", "gives False", "quits", "missing", "ignored", "unusable", "finds no", "sees no", "not find", "not see", "no GPU", "stays idle", "refuses", " fail", "not supported", "hangs", "not compute", "not work")

// told is what people say of releases that do not go together, in words of their own: no program's message is in the text.
func told() []*Signature {
	return []*Signature{
		{
			ID: "told-built-for-cuda", Product: "CUDA programs",
			Literals: []string{"built with CUDA", "built for CUDA", "built against CUDA", "built on CUDA", "build for CUDA", "compiled with CUDA", "compiled for CUDA", "compiled against CUDA", "linked against CUDA", "linked with CUDA", "based on CUDA",
				"needs CUDA", "requires CUDA", "require CUDA", "expects CUDA", "wants CUDA", "asks for CUDA", "uses CUDA", "ships CUDA", "brings CUDA", "comes with CUDA", "image with CUDA", "with the CUDA", "for the CUDA", "a CUDA 1", "the CUDA 1"},
			Pattern: `(?i)(?:\b(?:built|build|compiled|linked|based|needs|requires?|expects|wants|asks|uses|ships|brings|comes|image|wheels?)(?: only)?(?: (?:with|for|against|on))?(?: (?:the|a))?|\ba|\bthe) CUDA (?:runtime |toolkit |version )?(?P<need>\d{1,2}(?:\.\d)?)\b`,
			Role:    Told, Layer: rule.Driver,
			Where:   on(fails),
			Meaning: "Somebody says which CUDA a program or an image is built with.",
			Causes: causes(
				Cause{
					When:  on(Below("driver", "{need|mindriver}")),
					Title: "driver {driver}[, which supports CUDA {driver|cuda},] is too old for CUDA {need}: that needs {need|mindriver} or newer",
					Text:  "A program or an image that is built with CUDA {need} starts only with driver {need|mindriver} or newer. CUDA inside an image or a wheel does not replace the driver of the host.",
					Remedies: []Remedy{
						fix("update the driver of the host to {need|mindriver} or newer"),
						fix("or keep to a build, an image or a wheel that is made with CUDA {driver|cuda} or older[: {driver|cuda|cutag}]"),
					},
				},
				Cause{
					When:  on(Differ("need|major", "driver_cuda|major"), Below("driver_cuda", "{need}")),
					Title: "the driver supports CUDA {driver_cuda}, and the program is built with CUDA {need}: the driver is too old",
					Text:  "CUDA {need} needs driver {need|mindriver} or newer.",
					Remedies: []Remedy{
						fix("update the driver to {need|mindriver} or newer"),
						fix("or take a build that is made with CUDA {driver_cuda} or older"),
					},
				},
				Cause{
					When: on(Any(Differ("need|major", "toolkit|major"), Differ("need|major", "runtime|major")), Not(Says("nvcc", "compile", "building"))), Layer: rule.CUDALibraries,
					Title: "the program is built for CUDA {need}, and CUDA [{toolkit} || {runtime}] is installed: another major release does not serve it",
					Text:  "Libraries carry the major release in their names (libcudart.so.{need|major}, libcublas.so.{need|major}); the program finds none of that name and uses the CPU, or stops. The driver is not at fault.",
					Remedies: []Remedy{
						fix("install the libraries of CUDA {need|major} for the program (nvidia-cuda-runtime-cu{need|major}, nvidia-cublas-cu{need|major}, cuDNN for CUDA {need|major}), beside the other CUDA"),
						fix("or install the program's build for CUDA [{toolkit|major} || {runtime|major}]"),
					},
				},
			),
			Samples: []string{"The new image is built with CUDA 13.0 and the host has driver 550.90.", "this wheel needs CUDA 12.4"},
			Misses:  []string{"built with CUDA support"},
			Source:  "https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/index.html",
		},
		{
			ID: "told-driver-below-cuda", Product: "CUDA programs",
			Literals: []string{"CUDA 10", "CUDA 11", "CUDA 12", "CUDA 13", "cudatoolkit"},
			Pattern:  `\bCUDA (?:version |release )?(?P<said>1\d\.\d)\b|\bcudatoolkit[ =]{1,2}(?P<said>1\d\.\d)\b`,
			Role:     Told, Layer: rule.Driver,
			Where:   on(fails),
			Meaning: "Somebody speaks of a CUDA that is newer than the driver he names.",
			Causes: causes(Cause{
				When:  on(Below("driver", "{said|mindriver}")),
				Title: "driver {driver}[, which supports CUDA {driver|cuda},] is too old for CUDA {said}: that needs {said|mindriver} or newer",
				Text:  "A program that is built with CUDA {said} starts only with driver {said|mindriver} or newer. CUDA inside an image or a wheel does not replace the driver of the host.",
				Remedies: []Remedy{
					fix("update the driver of the host to {said|mindriver} or newer"),
					fix("or keep to a build, an image or a wheel that is made with CUDA {driver|cuda} or older[: {driver|cuda|cutag}]"),
				},
			}),
			Samples: []string{"since we moved to CUDA 12.1 nothing starts", "conda install pytorch cudatoolkit=11.3"},
			Misses:  []string{"CUDA 12 is fine"},
			Source:  "https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/index.html",
		},
		{
			ID: "told-compat-directory", Product: "cuda",
			Literals: []string{"/cuda/compat", "cuda-compat"},
			Pattern:  `/usr/local/cuda(?:-[\d.]+)?/compat\b|\bcuda-compat\b`,
			Role:     Told, Layer: rule.CUDARuntime,
			Where:   on(fails, Is("gpu", `(?i)geforce|rtx|gtx|quadro|titan`)),
			Meaning: "Somebody names the directory of the forward-compatibility libcuda.",
			Causes: causes(Cause{
				Title: "the cuda-compat libcuda (/usr/local/cuda/compat) is loaded on a {gpu}, which forward compatibility is not made for",
				Text:  "That libcuda is for data-centre GPUs alone. On other GPUs every CUDA call fails with error 804 or 803[; the driver here is {driver}][, with CUDA {driver|cuda}]. It is found first because LD_LIBRARY_PATH or /etc/ld.so.conf.d names its directory.",
				Remedies: []Remedy{
					fix("take /usr/local/cuda/compat off LD_LIBRARY_PATH and out of /etc/ld.so.conf.d, so that the driver's own libcuda is found", "in the container", "ldconfig -p | grep libcuda.so; echo $LD_LIBRARY_PATH"),
					fix("where the program needs a newer CUDA than the driver's, update the driver of the host instead"),
				},
			}),
			Samples: []string{"LD_LIBRARY_PATH=/usr/local/cuda/compat/lib:/usr/local/nvidia/lib"},
			Misses:  []string{"/usr/local/cuda/compatible"},
			Source:  "https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html",
		},
		{
			ID: "told-cudnn-major", Product: "cudnn",
			Literals: []string{"cuDNN 7", "cuDNN 8", "cuDNN 9", "cuDNN v8", "cuDNN v9", "cudnn version 8", "cudnn version 9"},
			Pattern:  `(?i)\b(?:linked|built|compiled|made|needs?|requires?|expects?|wants?|looks|for|against|only supports?|still uses?)(?: (?:with|to|for|against|on))? cuDNN (?:version |v)?(?P<need>[6789])\b`,
			Role:     Told, Layer: rule.CUDNN,
			Where:   on(fails),
			Meaning: "Somebody says which major release of cuDNN a program needs.",
			Causes: causes(Cause{
				When:  on(Differ("need", "cudnn|major")),
				Title: "the program needs cuDNN {need}, and cuDNN {cudnn} is installed",
				Text:  "The major release is part of the file names (libcudnn.so.{need}, libcudnn_ops*.so.{need}); cuDNN {cudnn|major} does not stand in for cuDNN {need}.",
				Remedies: []Remedy{
					when(fix("move to a release that is built for cuDNN 9: ctranslate2 4.5 or newer for faster-whisper and whisperx", "pip", "python -m pip install -U 'ctranslate2>=4.5'"), Says("ctranslate2", "faster-whisper", "whisperx"), Is("need", "8")),
					fix("install cuDNN {need} beside it and put its lib directory first on LD_LIBRARY_PATH of that program", "pip", "python -m pip install 'nvidia-cudnn-cu12=={need}.*'"),
					fix("or move the program to a release that is built for cuDNN {cudnn|major}"),
				},
				Ask: "python -m pip list | grep -i cudnn; find / -name 'libcudnn*.so*' 2>/dev/null",
			}),
			Samples: []string{"the wheel is linked with cuDNN 8"},
			Misses:  []string{"cuDNN 9 is installed"},
			Source:  "https://github.com/SYSTRAN/faster-whisper/issues/516",
		},
		{
			ID: "told-engine-of-another-tensorrt", Product: "tensorrt",
			Literals: []string{"TensorRT 7", "TensorRT 8", "TensorRT 9", "TensorRT 10", "TensorRT-8", "TensorRT-10"},
			Pattern:  `(?i)\b(?:built|made|serialized|exported|created|generated|converted|compiled)(?: \w+){0,3} (?:with|by|on|under|using|in) TensorRT[ -]v?(?P<made>\d{1,2}\.\d{1,2}(?:\.\d+)*)`,
			Role:     Told, Layer: rule.TensorRT,
			Where:   on(fails),
			Meaning: "Somebody says with which TensorRT an engine was made.",
			Causes: causes(Cause{
				When:     on(Differ("made|minor", "tensorrt|minor")),
				Title:    "the engine was made with TensorRT {made}, and TensorRT {tensorrt} reads it: it must be built anew",
				Text:     "An engine (plan file) works only with the TensorRT release that made it, unless it was built version compatible. The driver is not at fault.",
				Remedies: []Remedy{fix("build the engine anew with TensorRT {tensorrt} on the GPU that runs it", "trtexec", "trtexec --onnx=model.onnx --saveEngine=model.plan"), fix("or install TensorRT {made} there", "pip", "python -m pip install tensorrt=={made}.*")},
			}),
			Samples: []string{"The plan was exported with TensorRT 8.5.3 last year."},
			Misses:  []string{"TensorRT 10.3 is installed"},
			Source:  trtDocs,
		},
	}
}
