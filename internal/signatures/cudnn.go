package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// oneCuDNN is the remedy for mixed copies of cuDNN.
var oneCuDNN = fix("keep one complete cuDNN: take directories with another copy off LD_LIBRARY_PATH (PATH on Windows), remove the system's package or the second wheel", "bash",
	"find / -name 'libcudnn*.so.*' 2>/dev/null", "pip", "python -m pip list | grep -i cudnn")

// cuDNN is what cuDNN itself and its users say, whatever the framework.
func cuDNN() []*Signature {
	return []*Signature{
		{
			ID: "cudnn-torch-incompatible", Product: "pytorch",
			Literals:    []string{"cuDNN version incompatibility"},
			Pattern:     `cuDNN version incompatibility: PyTorch was compiled\s+against \((?P<nmaj>\d+), (?P<nmin>\d+), (?P<npat>\d+)\) but (?:linked against|found runtime version) \((?P<hmaj>\d+), (?P<hmin>\d+), (?P<hpat>\d+)\)`,
			Layer:       rule.CUDNN,
			Strength:    Strong,
			ExplainedBy: []string{"DNN004"},
			Meaning:     "The cuDNN that was loaded is not the one PyTorch was built with.",
			Causes: causes(Cause{
				Title: "PyTorch loads cuDNN {hmaj}.{hmin}.{hpat} instead of its own {nmaj}.{nmin}.{npat}: another copy is found first",
				Text:  "The wheel brings its own cuDNN {nmaj}.{nmin}.{npat}. A directory on LD_LIBRARY_PATH[ ({library_path})], an image's or module's copy, or a library that was loaded before (paddle, TensorFlow, onnxruntime) gives {hmaj}.{hmin}.{hpat}. The driver and the CUDA toolkit are not at fault.",
				Remedies: []Remedy{
					fix("take cuDNN {hmaj}.{hmin}.{hpat} off LD_LIBRARY_PATH", "bash", "unset LD_LIBRARY_PATH"),
					fix("or bring that copy to {nmaj}.{nmin}.{npat} or newer within {nmaj}.x", "pip", "python -m pip install -U 'nvidia-cudnn-cu12>={nmaj}.{nmin}.{npat}'"),
					fix("import torch before the other library in the same process"),
				},
				Ask: "echo $LD_LIBRARY_PATH; find / -name 'libcudnn.so.*' 2>/dev/null",
			}),
			Samples: []string{"RuntimeError: cuDNN version incompatibility: PyTorch was compiled  against (8, 9, 2) but found runtime version (8, 4, 0). PyTorch already comes bundled with cuDNN."},
			Misses:  []string{"cuDNN version incompatibility"},
			Source:  "https://github.com/pytorch/pytorch/issues/80637",
		},
		{
			ID: "cudnn-torch-mismatch", Product: "pytorch",
			Literals:    []string{"cuDNN version mismatch: PyTorch was compiled"},
			Pattern:     `cuDNN version mismatch: PyTorch was compiled against (?P<need>\d{4,5}) but linked against (?P<have>\d{4,5})`,
			Layer:       rule.CUDNN,
			Strength:    Strong,
			ExplainedBy: []string{"DNN004"},
			Meaning:     "Older PyTorch's words for a cuDNN that is not the one it was built with.",
			Causes: causes(Cause{
				Title:    "PyTorch loads cuDNN {have|cudnnint} instead of {need|cudnnint}, which it was built with: another copy is found first",
				Text:     "A directory on LD_LIBRARY_PATH[ ({library_path})] or a Conda package gives the other copy.",
				Remedies: []Remedy{fix("take the other copy off LD_LIBRARY_PATH", "bash", "unset LD_LIBRARY_PATH"), fix("or install cuDNN {need|cudnnint}", "conda", "conda install cudnn={need|cudnnint}")},
			}),
			Samples: []string{"RuntimeError: cuDNN version mismatch: PyTorch was compiled against 7102 but linked against 7603"},
			Misses:  []string{"cuDNN version mismatch: PyTorch was compiled"},
			Source:  "https://github.com/xingyizhou/CenterNet/issues/119",
		},
		{
			ID: "cudnn9-sublibrary-not-loaded", Product: "cudnn",
			Literals: []string{"Unable to load any of {libcudnn", "Unable to load any of"},
			Pattern:  `Unable to load any of \{(?P<lib>libcudnn_\w+\.so\.9)[.\d]*`,
			Layer:    rule.CUDNN,
			Strength: Strong,
			Meaning:  "libcudnn.so.9 was loaded and does not find one of its own parts.",
			Causes: causes(
				Cause{
					When:  on(Any(Lists("ctranslate2"), Says("ctranslate2", "faster-whisper", "faster_whisper", "whisperx", "pyannote"))),
					Title: "{lib} is not found: CTranslate2 finds a part of cuDNN 9 alone",
					Text:  "CTranslate2 4.5 to 4.6.2 needs all of cuDNN 9. The wheel keeps it in site-packages/nvidia/cudnn/lib, where the loader does not look unless PyTorch has loaded it.",
					Remedies: []Remedy{
						fix("install cuDNN 9 for CUDA 12 and put its directory on LD_LIBRARY_PATH before the program starts", "pip", "python -m pip install nvidia-cudnn-cu12", "bash", `export LD_LIBRARY_PATH=$(python -c "import nvidia.cudnn, os; print(os.path.join(nvidia.cudnn.__path__[0], 'lib'))"):$LD_LIBRARY_PATH`),
						fix("or, with cuDNN 8, ctranslate2 4.4.0", "pip", "python -m pip install ctranslate2==4.4.0"),
					},
				},
				Cause{
					Title:    "{lib}, a part of cuDNN 9, is not found or not loadable",
					Text:     "cuDNN 9 consists of libcudnn.so.9 and sub-libraries of the same release, which it loads by name: they must be in one directory that the loader searches. A part is missing, from another release, or only libcudnn.so.9 was copied.",
					Remedies: []Remedy{fix("install the whole of cuDNN 9 and put its directory on LD_LIBRARY_PATH", "pip", "python -m pip install nvidia-cudnn-cu12", "bash", `export LD_LIBRARY_PATH=$(python -c "import nvidia.cudnn, os; print(os.path.join(nvidia.cudnn.__path__[0], 'lib'))"):$LD_LIBRARY_PATH`), oneCuDNN},
					Ask:      "find / -name '{lib|stem}*' 2>/dev/null; echo $LD_LIBRARY_PATH",
				},
			),
			Samples: []string{"Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1, libcudnn_cnn.so.9, libcudnn_cnn.so}"},
			Misses:  []string{"Unable to load any of {libfoo.so.1}"},
			Source:  "https://github.com/MahmoudAshraf97/whisper-diarization/issues/259",
		},
		{
			ID: "cudnn-symbol-not-loaded", Product: "cudnn",
			Literals: []string{"cannot load symbol cudnn", "load symbol cudnn", "undefined symbol: cudnn", "undefined symbol: _ZN5cudnn"},
			Pattern:  `(?i)(?:cannot|could not) load symbol (?P<symbol>cudnn\w+)|undefined symbol: (?P<symbol>_ZN5cudnn\w+|cudnn\w+)(?:, version (?P<lib>libcudnn\w*\.so\.\d+))?`,
			Layer:    rule.CUDNN,
			Meaning:  "A function of cuDNN is not found: a part of cuDNN could not be loaded, or is of another release.",
			Causes: causes(
				Cause{
					When:     on(Seen("cudnn9-sublibrary-not-loaded")),
					Title:    "a part of cuDNN 9 was not loaded ({symbol})",
					Text:     "The line before names the library that is not found.",
					Remedies: []Remedy{fix("put cuDNN 9's directory on LD_LIBRARY_PATH before the program starts", "pip", "python -m pip install nvidia-cudnn-cu12")},
				},
				Cause{
					Title:    "parts of cuDNN do not belong together or are missing: {symbol} is not found",
					Text:     "The libraries libcudnn*.so that were loaded come from two releases (8 and 9, or two of 9), from the wheel, the system, a Conda package or an image, or a sub-library is missing.[ PyTorch {torch} brings its own cuDNN.][ cuDNN here is {cudnn}.]",
					Remedies: []Remedy{oneCuDNN, fix("programs built for cuDNN 8 need 8, those for 9 need 9: CTranslate2 from 4.5 and ONNX Runtime from 1.19 use 9", "pip", "python -m pip install -U nvidia-cudnn-cu12")},
					Ask:      "find / -name 'libcudnn*.so.*' 2>/dev/null; echo $LD_LIBRARY_PATH",
				},
			),
			Samples: []string{"Invalid handle. Cannot load symbol cudnnCreateConvolutionDescriptor", "Could not load symbol cudnnGetVersion. Error: undefined symbol: cudnnGetVersion", "/usr/lib/libcudnn_cnn_infer.so.8: undefined symbol: _ZN5cudnn3ops26JIT_INTERNALS, version libcudnn_ops_infer.so.8"},
			Misses:  []string{"loaded symbol cudnnCreate"},
			Source:  "https://github.com/jhj0517/Whisper-WebUI/issues/346",
		},
	}
}
