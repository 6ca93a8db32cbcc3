package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// application is what goes wrong in a program or on its machine, and not in the GPU's stack.
func application() []*Signature {
	return []*Signature{
		{
			ID: "tensors-on-two-devices", Product: "pytorch",
			Literals: []string{"Expected all tensors to be on the same device", "should be the same", "Input type (torch.", "device type for generator", "on the same device, but found"},
			Pattern:  `(?:Expected all tensors to be on the same device|Expected a '(?P<in>cuda|cpu)' device type for generator|Input type \((?P<in>[\w.]+)\) and (?:weight|bias) type \((?P<weight>[\w.]+)\) should be the same|Expected object of (?:backend|device type) (?P<in>\w+) but got)`,
			Layer:    rule.Application,
			Meaning:  "An operation got tensors of different devices or dtypes.",
			Causes: causes(
				Cause{
					When:     on(Is("in", "Half|BFloat16|Double")),
					Title:    "The input is {in} and the weights are {weight}: different dtypes",
					Text:     "The model and its input must have one dtype. Not the stack.",
					Remedies: []Remedy{fix("cast one of them: x.to(model.dtype), or run under autocast")},
				},
				Cause{
					Title:    "The program mixes tensors of different devices, CPU and GPU or two GPUs",
					Text:     "The model and its inputs must be on one device. It is the program's code, not the stack: CUDA works.",
					Remedies: []Remedy{fix("move inputs to the model's device: x = x.to(next(model.parameters()).device); create new tensors with device=")},
				},
			),
			Samples: []string{
				"RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!",
				"RuntimeError: Input type (torch.cuda.HalfTensor) and weight type (torch.cuda.FloatTensor) should be the same",
			},
			Misses: []string{"the two should be the same"},
			Source: "https://pytorch.org/docs/stable/notes/cuda.html",
		},
		{
			ID: "tensor-shapes-dtypes", Product: "pytorch",
			Literals: []string{"shapes cannot be multiplied", "size mismatch for", "must match the size of tensor", "expected scalar type", "not implemented for 'Half'", "not implemented for 'BFloat16'", "Error(s) in loading state_dict", "stack expects each tensor to be equal size", "Sizes of tensors must match"},
			Pattern:  `(?:mat1 and mat2 shapes cannot be multiplied|stack expects each tensor to be equal size|Sizes of tensors must match|size mismatch for \S+: copying|must match the size of tensor|expected scalar type (?P<want>\w+) but found (?P<got>\w+)|"(?P<op>\w+)" not implemented for '(?P<dtype>Half|BFloat16|Float8\w*)'|Error\(s\) in loading state_dict)`,
			Layer:    rule.Application,
			Meaning:  "Shapes or dtypes of tensors do not fit each other.",
			Causes: causes(
				Cause{
					When:     on(Has("dtype")),
					Title:    "The operation {op} does not exist for {dtype} on the device it runs on, usually the CPU",
					Text:     "Half precision was chosen where the model runs on the CPU. Where a GPU was expected, see why it is not used; else it is the program's setting.",
					Remedies: []Remedy{fix("use float32 on the CPU (--no-half, --precision full), or move the model to the GPU", "check", "python -c 'import torch; print(torch.__version__, torch.cuda.is_available())'")},
				},
				Cause{
					Title:    "Shapes or dtypes of tensors do not fit[: {want} was expected and {got} found]",
					Text:     "The program's model, weights or data do not belong together. Not the stack.",
					Remedies: []Remedy{fix("compare the shapes that the message names with the model's definition; cast to one dtype")},
				},
			),
			Samples: []string{"RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 768x10)", "RuntimeError: \"addmm_impl_cpu_\" not implemented for 'Half'", "RuntimeError: expected scalar type Half but found Float"},
			Misses:  []string{"the size mismatch for users"},
			Source:  "https://pytorch.org/docs/stable/tensor_attributes.html",
		},
		{
			ID: "index-out-of-range", Product: "python",
			Literals: []string{"index out of range in self", "IndexError: Target", "is out of bounds for dimension", "Target size", "Token indices sequence length is longer"},
			Pattern:  `(?:index out of range in self|IndexError: Target (?P<label>-?\d+) is out of bounds|index (?P<label>-?\d+) is out of bounds for dimension)`,
			Layer:    rule.Application,
			Meaning:  "An index or a label is outside of its range.",
			Causes: causes(Cause{
				Title:    "An index or a label is out of range[: {label}]",
				Text:     "A token id at or above the embedding's size, or a label at or above the number of classes. The program's data, not the stack.",
				Remedies: []Remedy{fix("compare the largest id with the embedding's size, and labels with the number of classes")},
			}),
			Samples: []string{"IndexError: index out of range in self", "IndexError: Target 5 is out of bounds."},
			Misses:  []string{"Target size is 5"},
			Source:  "https://github.com/pytorch/pytorch/issues/25537",
		},
		{
			ID: "dataloader-shared-memory", Product: "pytorch",
			Literals: []string{"insufficient shared memory", "out of shared memory", "unable to mmap", "unable to write to file </torch_", "unable to open shared memory object", "Unexpected bus error", "Bus error (core dumped)", "DataLoader worker (pid", "received 0 items of ancdata", "SIGBUS"},
			Pattern:  `(?:insufficient shared memory|out of shared memory|unable to (?:mmap|write to file) .{0,60}(?:/torch_|shared)|unable to write to file </torch_|unable to open shared memory object|Unexpected bus error encountered in worker|Bus error|DataLoader worker \(pid\(?s?\)? ?\d[\d, ]*\) (?:is killed by signal: (?P<signal>[\w ]+)|exited unexpectedly)|received 0 items of ancdata)`,
			Layer:    rule.Application,
			Meaning:  "Workers exchange tensors through /dev/shm, which is full, or a worker ended.",
			Causes: causes(
				Cause{
					When:     on(Is("signal", "Killed")),
					Title:    "A data loader worker was killed, most likely for want of the machine's memory",
					Text:     "Each worker holds a copy of what the dataset touches. Not the stack.",
					Remedies: []Remedy{fix("use fewer workers or a leaner dataset", "check", "free -h; sudo dmesg | grep -i 'killed process' | tail")},
				},
				Cause{
					When:     on(Any(InContainer, InKubernetes, Says("shm", "/dev/shm", "shared memory"))),
					Title:    "/dev/shm is too small for the data loader's workers: a container has 64 MB unless told otherwise",
					Text:     "Workers pass batches through shared memory (shm). Not the GPU's stack.",
					Remedies: []Remedy{fix("start the container with --ipc=host or --shm-size=8g (Compose: shm_size; Kubernetes: an emptyDir with medium Memory at /dev/shm), or num_workers=0", "docker", "docker run --gpus all --shm-size=8g IMAGE", "check", "df -h /dev/shm")},
				},
				Cause{
					Title:    "A data loader worker ended, or shared memory (/dev/shm) is full",
					Text:     "The worker's own error stands above; with a bus error it is /dev/shm. Not the GPU's stack.",
					Remedies: []Remedy{fix("run with num_workers=0 to see the worker's error; look at /dev/shm, and give a container --shm-size", "check", "df -h /dev/shm; ulimit -n")},
				},
			),
			Samples: []string{"ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).", "RuntimeError: DataLoader worker (pid 4321) is killed by signal: Killed.", "RuntimeError: unable to write to file </torch_321_123_0>: No space left on device (28)"},
			Misses:  []string{"DataLoader worker (pid in the log)"},
			Source:  "https://pytorch.org/docs/stable/notes/multiprocessing.html",
		},
		{
			ID: "damaged-file", Product: "pytorch",
			Literals: []string{"PytorchStreamReader failed", "Error while deserializing header", "invalid load key", "Ran out of input", "Unable to load weights from pytorch checkpoint", "not a ZIP archive", "InvalidHeaderDeserialization"},
			Pattern:  `(?:PytorchStreamReader failed|Error while deserializing header|UnpicklingError: invalid load key|EOFError: Ran out of input|Unable to load weights from pytorch checkpoint|not a ZIP archive)`,
			Layer:    rule.Application,
			Meaning:  "A checkpoint or another file is damaged or of another form than expected.",
			Causes: causes(Cause{
				Title:    "A model file is damaged, incomplete or of another format",
				Text:     "A download that broke off, or a Git LFS pointer in place of the file. Not the GPU's stack.",
				Remedies: []Remedy{fix("delete the file and download it again; compare its size (git lfs pull for a checkout)")},
			}),
			Samples: []string{"RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory", "safetensors_rust.SafetensorError: Error while deserializing header: HeaderTooLarge", "_pickle.UnpicklingError: invalid load key, 'v'."},
			Misses:  []string{"the deserializing header was read"},
			Source:  "https://github.com/huggingface/safetensors/blob/main/safetensors/src/tensor.rs",
		},
		{
			ID: "model-not-known", Product: "transformers",
			Literals: []string{"does not recognize this architecture", "Unrecognized configuration class", "Unrecognized model in", "are not supported for now", "Tokenizer class"},
			Pattern:  `(?:but Transformers does not recognize this architecture|Unrecognized configuration class|Unrecognized model in|Model architectures \[(?P<model>[^\]]+)\] (?:are not supported for now|failed to be inspected)|Tokenizer class \w+ does not exist)`,
			Layer:    rule.Application,
			Meaning:  "The library does not know this model.",
			Causes: causes(Cause{
				Title:    "This release of the library does not know the model[ {model}]",
				Text:     "The model is newer than the installed transformers[ ({transformers})] or vLLM[ ({vllm})], or its configuration is incomplete. Not the GPU's stack.",
				Remedies: []Remedy{fix("update the library to a release that has the model", "pip", "python -m pip install -U transformers")},
			}),
			Samples: []string{"ValueError: The checkpoint you are trying to load has model type `gemma9` but Transformers does not recognize this architecture.", "ValueError: Model architectures ['FooForCausalLM'] are not supported for now."},
			Misses:  []string{"architectures that are not supported for now by us"},
			Source:  "https://github.com/huggingface/transformers/blob/main/src/transformers/models/auto/configuration_auto.py",
		},
	}
}
