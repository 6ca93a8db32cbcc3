package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const trtDocs = "https://docs.nvidia.com/deeplearning/tensorrt/latest/reference/troubleshooting.html"

// tensorRT is what TensorRT says while it reads or builds an engine.
func tensorRT() []*Signature {
	return []*Signature{
		{
			ID: "tensorrt-engine-version", Product: "tensorrt",
			Literals: []string{"engine plan file is not compatible with this version of TensorRT"},
			Pattern:  `expecting library version (?P<have>\d+(?:\.\d+)+),? got (?:(?P<made>\d+(?:\.\d+)+)|[ .,]*(?:\)|please|$))`,
			Layer:    rule.TensorRT,
			Strength: Strong,
			Meaning:  "An engine file was made by another TensorRT release than the one that reads it.",
			Causes: causes(
				Cause{
					When:     on(Is("made", `^0\.0\.0`)),
					Layer:    rule.Application,
					Title:    "not the stack: the engine file is damaged or was read in text mode (its version reads as {made})",
					Text:     "No TensorRT has release {made}: the bytes at the file's start are not those that were written. On Windows a plan file must be written and read with std::ios::binary; else line ends are changed. A truncated copy or a Git LFS pointer in its place has the same effect.",
					Remedies: []Remedy{fix("open the plan file with std::ios::binary both for writing and for reading, and build the engine anew")},
				},
				Cause{
					When:     on(Not(Has("made"))),
					Title:    "TensorRT {have} cannot read the engine file: another release of TensorRT made it, or it is damaged (no version is in it)",
					Text:     "An engine (plan file) works only with the TensorRT release that made it. Often the builder and the program use different copies: the system's Python and the program's own (ComfyUI's embedded one) each have theirs. The driver is not at fault.",
					Remedies: []Remedy{fix("delete the engine and build it anew with the Python and TensorRT {have} of the program that reads it", "check", "python -c 'import tensorrt; print(tensorrt.__version__, tensorrt.__file__)'")},
				},
				Cause{
					Title:    "the engine was made with TensorRT {made}, and TensorRT {have} reads it: it must be built anew",
					Text:     "An engine (plan file) works only with the TensorRT release that made it, unless it was built version compatible. Often the builder and the program use different copies: Python's wheel, the system's package and a container each have their own. The driver is not at fault.",
					Remedies: []Remedy{fix("delete the engine and build it anew with TensorRT {have}, on this machine", "trtexec", "trtexec --onnx=model.onnx --saveEngine=model.plan"), fix("or install TensorRT {made}, where the engine cannot be made anew; for Triton and DeepStream take containers of the same month for building and serving", "pip", "python -m pip install tensorrt=={made}.*")},
					Ask:      "python -c 'import tensorrt; print(tensorrt.__version__)', and dpkg -l | grep nvinfer",
				},
			),
			Samples: []string{"[TRT] [E] 6: The engine plan file is not compatible with this version of TensorRT, expecting library version 8.6.1 got 8.5.2, please rebuild.", "ERROR: The engine plan file is not compatible with this version of TensorRT, expecting library version 7.2.3 got 0.0.0, please rebuild."},
			Misses:  []string{"The engine plan file is not compatible with this version of TensorRT"},
			Source:  "https://github.com/NVIDIA/TensorRT/issues/574",
		},
		{
			ID: "tensorrt-engine-device", Product: "tensorrt",
			Literals: []string{"engine plan file is generated on an incompatible device", "Using an engine plan file across different models of devices"},
			Pattern:  `generated on an incompatible device, expecting compute (?P<here>\d+\.\d+),? got compute (?P<made>\d+\.\d+)`,
			Layer:    rule.GPUArch,
			Strength: Strong,
			Meaning:  "An engine file was made on a GPU of another architecture.",
			Causes: causes(Cause{
				Title:    "the engine was built for a GPU of compute capability {made} ({made|sm}), this GPU[, {gpu},] has {here} ({here|sm})",
				Text:     "An engine holds machine code and choices for one GPU model. With several GPUs in the machine the one that was used for building counts, not the one that nvidia-smi lists first.",
				Remedies: []Remedy{fix("delete the engine and build it anew on this GPU", "trtexec", "trtexec --onnx=model.onnx --saveEngine=model.plan --device=0"), fix("with several GPUs pin the one to use", "bash", "export CUDA_VISIBLE_DEVICES=0"), fix("or build with hardware compatibility (ampere+) where the loss of speed is acceptable")},
			}),
			Samples: []string{"The engine plan file is generated on an incompatible device, expecting compute 8.9 got compute 8.6, please rebuild."},
			Misses:  []string{"Using an engine plan file across different models of devices is not recommended and is likely to affect performance"},
			Source:  "https://github.com/NVIDIA/TensorRT/issues/2176",
		},
		{
			ID: "tensorrt-engine-tag", Product: "tensorrt",
			Literals: []string{"Version tag does not match", "stdVersionRead == ", "magicTagRead == ", "safeVersionRead == ", "Magic tag does not match"},
			Pattern:  `(?:[Vv]ersion|[Mm]agic) tag does not match(?:.{0,12}Current Version: (?P<have>\d+), Serialized Engine Version: (?P<made>\d+))?|(?P<check>stdVersionRead|magicTagRead|safeVersionRead) == \w+(?:.{0,60}Current Version: (?P<have>\d+), Serialized Engine Version: (?P<made>\d+))?`,
			Layer:    rule.TensorRT,
			Strength: Strong,
			Meaning:  "The head of an engine file is not what this TensorRT expects.",
			Causes: causes(
				Cause{
					When:     on(Says("magicTagRead", "Magic tag does not match")),
					Layer:    rule.Application,
					Title:    "not the stack: the file that was read is no TensorRT engine, or is damaged",
					Text:     "The magic number at its start is missing: an ONNX file or another format was given, the file was cut or read in text mode (open it with std::ios::binary), or it has a header of the program that made it (Ultralytics writes one).",
					Remedies: []Remedy{fix("build the engine anew and pass its bytes unchanged to deserialize_cuda_engine; read it in binary mode")},
				},
				Cause{
					Title:    "the engine was made with another TensorRT than the one that reads it[ (here TensorRT {tensorrt})]: [the file's format is {made}, the reader's {have}; ]it must be built anew",
					Text:     "Note: Current Version and Serialized Engine Version in the message are numbers of the file format, which changes with TensorRT's releases. The builder (trtexec of the system, a container) and the reader (Python's wheel) are often different copies.",
					Remedies: []Remedy{fix("build the engine anew with the TensorRT that reads it", "trtexec", "trtexec --onnx=model.onnx --saveEngine=model.plan"), fix("or install the TensorRT release that made it")},
					Ask:      "python -c 'import tensorrt; print(tensorrt.__version__)'; dpkg -l | grep nvinfer; trtexec --help | head -1",
				},
			),
			Samples: []string{"[E] [TRT] 1: [stdArchiveReader.cpp::StdArchiveReader::40] Error Code 1: Serialization (Serialization assertion stdVersionRead == serializationVersion failed.Version tag does not match. Note: Current Version: 213, Serialized Engine Version: 205)", "Error Code 1: Serialization (Serialization assertion magicTagRead == kMAGIC_TAG failed.Magic tag does not match)"},
			Misses:  []string{"tag does not match"},
			Source:  trtDocs,
		},
		{
			ID: "tensorrt-deserialize", Product: "tensorrt",
			Literals: []string{"Engine deserialization failed", "deserialize the cuda engine failed", "object has no attribute 'create_execution_context'", "failed to deserialize cuda engine", "Deserialize engine failed", "deserializeCudaEngine"},
			Pattern:  `(?i)engine deserialization failed|deserialize the cuda engine failed|'NoneType' object has no attribute 'create_execution_context'|failed to deserialize cuda engine|deserialize engine failed`,
			Role:     Consequence,
			Layer:    rule.TensorRT,
			Meaning:  "An engine file could not be read.",
			Causes: causes(Cause{
				Title:    "TensorRT could not read the engine file[ (TensorRT {tensorrt})]",
				Text:     "TensorRT's own line before says why: another release or another GPU model made it, a plugin is not registered, or the file is damaged. The Python error about NoneType only follows.",
				Remedies: []Remedy{fix("delete the engine file and build it anew with this TensorRT on this GPU")},
				Ask:      "the [TRT] [E] lines before this one",
			}),
			Samples: []string{"AttributeError: 'NoneType' object has no attribute 'create_execution_context'", "[runtime.cpp::deserializeCudaEngine::50] Error Code 4: Internal Error (Engine deserialization failed.)"},
			Misses:  []string{"deserializeCudaEngine took 3 s"},
			Source:  "https://github.com/SthPhoenix/InsightFace-REST/issues/84",
		},
	}
}
