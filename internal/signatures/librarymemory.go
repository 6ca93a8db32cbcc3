package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// libraryMemory is what CUDA libraries and the operating system say when memory is short.
func libraryMemory() []*Signature {
	return []*Signature{
		{
			ID: "library-handle-no-memory", Product: "pytorch",
			Literals: []string{"CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED", "CUBLAS_STATUS_NOT_INITIALIZED", "CUSOLVER_STATUS_ALLOC_FAILED", "CUFFT_ALLOC_FAILED", "cublas init", "cublas handle", "cublas create", "cublas: not", "cublas library could not", "initialize cublas"},
			Pattern:  `(?P<status>CUBLAS_STATUS_ALLOC_FAILED|CUDNN_STATUS_ALLOC_FAILED|CUBLAS_STATUS_NOT_INITIALIZED|CUSOLVER_STATUS_ALLOC_FAILED|CUFFT_ALLOC_FAILED)|(?i)\b(?P<what>cublas) (?:initiali[sz]ation|create handle|handle creation|library could not be initiali[sz]ed)[^\n]{0,20}?(?:fail|error|fai?ld|initiali[sz]ed)|(?:failed|unable|could not|cannot)[^\n]{0,12} (?:initiali[sz]e|create)[^\n]{0,8} (?P<what>cublas)\b`,
			Layer:    rule.Application, ExplainedBy: []string{"CUL001"},
			Meaning: "A CUDA library could not get the GPU memory for its handle or workspace.",
			Causes: causes(
				Cause{
					When:     on(Says("device-side assert", "Assertion `", "srcIndex", "n_classes")),
					Title:    "{status} follows a failed kernel: an index or label is out of range",
					Text:     "After a device-side assert nothing on the GPU works any more in this process, and the next library call reports it.",
					Remedies: []Remedy{fix("check labels and indices; see the line with synchronous launches", "shell", "CUDA_LAUNCH_BLOCKING=1 python PROGRAM")},
				},
				Cause{
					Title: "A CUDA library found no GPU memory for its handle or workspace[ ({status}) ||  ({what})]",
					Text:  "Nearly always the memory is full, by this program's batch or another process, which nvidia-smi shows; an index out of range in an earlier kernel looks the same. Where memory is free, mixed copies of cuBLAS on LD_LIBRARY_PATH are the third reason. Reinstalling does not help.",
					Remedies: []Remedy{
						fix("see how full the GPU is, end other processes, use a smaller batch (for TensorFlow: allow growth)", "check", "nvidia-smi", "shell", "export TF_FORCE_GPU_ALLOW_GROWTH=true"),
						fix("rule out a wrong index with synchronous launches, or on the CPU", "shell", "CUDA_LAUNCH_BLOCKING=1 python PROGRAM"),
					},
					Ask: "nvidia-smi while it runs, and the traceback under CUDA_LAUNCH_BLOCKING=1",
				},
			),
			Samples: []string{"RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`", "failed to create cublas handle: CUBLAS_STATUS_NOT_INITIALIZED", "the second example ends with: cuBLAS initialization failed"},
			Misses:  []string{"CUBLAS_STATUS_SUCCESS"},
			Source:  "https://github.com/chelsea0x3b/cudarc/blob/main/src/cublas/sys/mod.rs",
		},
		{
			ID: "cublas-execution", Product: "pytorch",
			Literals: []string{"CUBLAS_STATUS_EXECUTION_FAILED", "CUBLAS_STATUS_INVALID_VALUE", "CUBLAS_STATUS_INTERNAL_ERROR", "CUBLAS_STATUS_NOT_SUPPORTED", "CUBLAS_STATUS_ARCH_MISMATCH", "CUBLAS_STATUS_MAPPING_ERROR"},
			Pattern:  `(?P<status>CUBLAS_STATUS_(?:EXECUTION_FAILED|INVALID_VALUE|INTERNAL_ERROR|NOT_SUPPORTED|ARCH_MISMATCH|MAPPING_ERROR))(?: when calling .(?P<call>\w+))?`,
			Layer:    rule.Application, Strength: Weak, ExplainedBy: []string{"CUL001", "CUL006", "ARC001"},
			Meaning: "A call of cuBLAS failed.",
			Causes: causes(
				Cause{
					When: on(Is("status", "ARCH_MISMATCH|NOT_SUPPORTED")), Layer: rule.GPUArch, Confidence: rule.Possible,
					Title:    "cuBLAS does not do this operation on this GPU[: {sm} ({gpu})] ({status})",
					Text:     "The data type or algorithm begins with a newer GPU (bf16 at 8.0, fp8 at 8.9, int8 with restrictions), or this cuBLAS is older than the GPU.",
					Remedies: []Remedy{fix("use another dtype (float16 in place of bfloat16), or a framework built for a CUDA that knows the GPU")},
				},
				Cause{
					When: on(Is("status", "EXECUTION_FAILED|INTERNAL_ERROR"), AtLeast("cc", "8.0"), Says("tensorflow"), Not(AtLeast("tensorflow", "2.4"))), Layer: rule.GPUArch,
					Title: "This TensorFlow[ {tensorflow}] is most likely built with a CUDA that is older than the GPU[ {gpu}] ({sm}): cuBLAS fails ({status})",
					Text:  "TensorFlow 1.x and 2.0 to 2.3 are built with CUDA 10 or older, whose libraries have no code for {sm} (compute capability {cc}); that begins with CUDA {sm|firstcuda}. Memory is not the reason, and a newer driver or toolkit beside it does not help.",
					Remedies: []Remedy{
						fix("use TensorFlow 2.5 or newer (CUDA 11.2)"),
						fix("or for programs of TensorFlow 1 NVIDIA's own build of 1.15 (nvidia-tensorflow for Linux, or the image nvcr.io/nvidia/tensorflow with tf1), which is made with CUDA 11 and newer"),
					},
				},
				Cause{
					When: on(Is("status", "EXECUTION_FAILED|INTERNAL_ERROR"), Any(every("torch older than Ampere", AtLeast("cc", "8.0"), Below("torch", "1.7")), every("CUDA older than Turing", AtLeast("cc", "7.5"), Any(Below("torch_cuda", "10.0"), Below("runtime", "10.0"))))), Layer: rule.GPUArch,
					Title: "This PyTorch[ (torch {torch})][ (CUDA {torch_cuda})] is built with a CUDA that is older than the GPU[ {gpu}] ({sm}): cuBLAS fails ({status})",
					Text:  "Code for {sm} (compute capability {cc}) begins with CUDA {sm|firstcuda}; torch has it from 1.7 with cu110 on for Ampere, and with cu100 on for Turing. A newer toolkit on the machine does not change PyTorch's build, and memory is not the reason.",
					Remedies: []Remedy{
						fix("install a PyTorch that is built with CUDA {sm|firstcuda} or newer[: torch {sm|torchforarch}]", "pip", "python -m pip install --force-reinstall torch=={sm|torchforarch} --index-url https://download.pytorch.org/whl/{sm|torchforarch|variant}"),
					},
					Ask: "python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.cuda.get_arch_list())'",
				},
				Cause{
					When: on(Is("status", "INVALID_VALUE"), Has("library_path")), Layer: rule.CUDALibraries, Confidence: rule.Possible,
					Title:    "cuBLAS refuses a call ({status}); LD_LIBRARY_PATH={library_path} may bring another cuBLAS than the framework's own",
					Text:     "With torch 1.13 and newer this status is often another release of libcublas found first; a wrong shape or dtype is the other reason.",
					Remedies: []Remedy{fix("run once without LD_LIBRARY_PATH", "shell", "env -u LD_LIBRARY_PATH python PROGRAM")},
				},
				Cause{
					When: on(Is("status", "INVALID_VALUE"), Any(AtLeast("torch", "1.13"), Says("nvidia-cublas", "nvidia_cublas", "LD_LIBRARY_PATH"))), Layer: rule.CUDALibraries, Confidence: rule.Possible,
					Title: "cuBLAS refuses a call[, {call}] ({status}): most likely another libcublas than torch's own[ ({torch})] is loaded, by LD_LIBRARY_PATH or a second nvidia-cublas package",
					Text:  "From 1.13 on torch's wheels take cuBLAS from the package nvidia-cublas. Another release of it that is found first refuses calls. Wrong shapes or ids out of range are the other reason: then it fails on the CPU too, with a clearer message.",
					Remedies: []Remedy{
						fix("run once without LD_LIBRARY_PATH", "shell", "env -u LD_LIBRARY_PATH python PROGRAM"),
						fix("or put torch's own cuBLAS back", "pip", "python -m pip list | grep nvidia; python -m pip install --force-reinstall torch"),
					},
					Ask: "does it fail on the CPU as well; echo $LD_LIBRARY_PATH; python -m pip list | grep nvidia-cublas",
				},
				Cause{
					Title:    "A cuBLAS call[, {call},] failed ({status})",
					Text:     "The usual reasons: wrong shapes or indices (a label or token id out of range), memory that is full, or another libcublas on LD_LIBRARY_PATH than the framework's.",
					Remedies: []Remedy{fix("run with synchronous launches and without LD_LIBRARY_PATH", "shell", "env -u LD_LIBRARY_PATH CUDA_LAUNCH_BLOCKING=1 python PROGRAM")},
					Ask:      "the traceback under CUDA_LAUNCH_BLOCKING=1; echo $LD_LIBRARY_PATH; nvidia-smi",
				},
			),
			Samples: []string{"RuntimeError: CUDA error: CUBLAS_STATUS_INVALID_VALUE when calling `cublasSgemm( handle, opa, opb, m, n, k, &alpha, a, lda)`", "CUBLAS_STATUS_NOT_SUPPORTED"},
			Misses:  []string{"CUBLAS_STATUS_SUCCESS"},
			Source:  "https://github.com/chelsea0x3b/cudarc/blob/main/src/cublas/sys/mod.rs",
		},
		{
			ID: "host-out-of-memory", Product: "operating system",
			Literals: []string{"oom-kill", "Out of memory: Killed process", "Cannot allocate memory", "OOMKilled", "oom_reaper", "exited with code 137", "exit code 137", "DefaultCPUAllocator", "Unable to allocate", "exitcode: -9", "exitcode  : -9", "signal 9 (SIGKILL)", "died with <Signals.SIGKILL", "std::bad_alloc", "paging file is too small"},
			Pattern:  `(?:oom-kill(?::| event)|cgroup out-of-memory handler|Out of memory: Killed process (?P<pid>\d+)(?: \((?P<name>[^)]+)\))?|Cannot allocate memory|(?:^|[\s:(])OOMKilled(?:[\s.,)]|$)|oom_reaper|exit(?:ed with)? code:? 137|DefaultCPUAllocator: (?:can't|not enough)|MemoryError: Unable to allocate|exitcode ?\s?: -9|[Ss]ignal 9 \(SIGKILL\)|died with <Signals\.SIGKILL|std::bad_alloc|paging file is too small)`,
			Layer:    rule.Application,
			Meaning:  "The machine's memory, not the GPU's, is full.",
			Causes: causes(
				Cause{
					When:     on(Says("paging file is too small")),
					Title:    "Windows' paging file is too small for what the processes reserve (WinError 1455)",
					Text:     "Each worker process maps PyTorch's DLLs; it is the machine's memory and not the GPU's. Not the stack.",
					Remedies: []Remedy{fix("make the paging file larger, or use fewer workers (num_workers=0)")},
				},
				Cause{
					When:     on(Any(InKubernetes, Says("OOMKilled"))),
					Title:    "The container was ended for want of memory (OOMKilled): the machine's, not the GPU's",
					Text:     "It went over its limit of memory. Not the stack.",
					Remedies: []Remedy{fix("raise resources.limits.memory of the pod (or --memory), or use less: fewer workers, a smaller model, lazy loading")},
				},
				Cause{
					Title:    "The machine's memory is full[, and the kernel ended process {pid} ({name})]: not the GPU's",
					Text:     "Killed, exit code 137 or -9, and bad_alloc mean the host's memory. Loading a checkpoint needs its whole size at least once. Not the stack.",
					Remedies: []Remedy{fix("use less memory: fewer workers, low_cpu_mem_usage=True, smaller shards; or add swap or memory", "check", "free -h; sudo dmesg | grep -i 'killed process' | tail")},
				},
			),
			Samples: []string{"Out of memory: Killed process 8123 (python) total-vm:61234567kB", "RuntimeError: [enforce fail at alloc_cpu.cpp:114] DefaultCPUAllocator: can't allocate memory: you tried to allocate 8589934592 bytes", "OSError: [WinError 1455] The paging file is too small for this operation to complete.", "container exited with code 137"},
			Misses:  []string{"Unable to allocate a license"},
			Source:  "https://docs.kernel.org/admin-guide/mm/concepts.html",
		},
	}
}
