package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nccl is what NCCL says, and what PyTorch says about it.
func nccl() []*Signature {
	return []*Signature{
		{
			ID: "nccl-shared-memory", Product: "nccl",
			Literals: []string{"Error while creating shared memory segment", "Error while attaching to shared memory segment", "Call to posix_fallocate failed", "/dev/shm/nccl-"},
			Pattern:  `Error while (?:creating|attaching to) shared memory segment|failed to extend /dev/shm/nccl|posix_fallocate failed ?: No space left|/dev/shm/nccl-\S+.{0,60}(?:No space left|failed|error)`,
			Layer:    rule.Application,
			Strength: Strong,
			Meaning:  "NCCL found too little shared memory.",
			Causes: causes(
				Cause{
					When:     on(InKubernetes),
					Title:    "not the GPU stack: /dev/shm of the pod is too small for NCCL (64 MB by default)",
					Text:     "NCCL passes data between the processes of one machine through /dev/shm.",
					Remedies: []Remedy{fix("mount an emptyDir with medium: Memory at /dev/shm in the pod")},
				},
				Cause{
					Title:    "not the GPU stack: /dev/shm is too small for NCCL (64 MB by default in Docker)",
					Text:     "NCCL passes data between the processes of one machine through /dev/shm; a container has 64 MB of it by default.",
					Remedies: []Remedy{fix("give the container more (--shm-size=8g), or the host's (--ipc=host); in Compose shm_size: 8gb", "docker", "docker run --gpus all --shm-size=8g {image}", "docker", "docker run --gpus all --ipc=host {image}"), fix("or leave shared memory out, at a loss of speed", "bash", "export NCCL_SHM_DISABLE=1")},
				},
			),
			Samples: []string{"node1:123:456 [0] misc/shmutils.cc:72 NCCL WARN Error while creating shared memory segment /dev/shm/nccl-Ab12Cd (size 9637888)", "NCCL WARN Call to posix_fallocate failed : No space left on device"},
			Misses:  []string{"mapped /dev/shm/nccl-Ab12Cd"},
			Source:  "https://github.com/NVIDIA/nccl/blob/master/src/os/linux.cc",
		},
		{
			ID: "nccl-cuda-failure", Product: "nccl",
			Literals:    []string{"NCCL WARN Cuda failure", "ncclUnhandledCudaError", "unhandled cuda error"},
			Pattern:     `NCCL WARN Cuda failure (?:\d+ )?'(?P<text>[^']+)'|ncclUnhandledCudaError|unhandled cuda error`,
			Layer:       rule.NCCL,
			Strength:    Weak,
			ExplainedBy: []string{"DRV002", "ARC001"},
			Meaning:     "A CUDA call failed inside NCCL.",
			Causes: causes(
				Cause{
					When:     on(Any(Is("text", `driver version is insufficient`), Says("driver version is insufficient"))),
					Layer:    rule.Driver,
					Title:    "the driver[ {driver}] is too old for the CUDA that this NCCL is built with",
					Text:     "Another NCCL than the framework's may be loaded, one for a newer CUDA (nvidia-nccl-cu13, or the system's libnccl)[; PyTorch here is of CUDA {torch_cuda}].",
					Remedies: []Remedy{fix("update the driver, or install the NCCL of the framework's CUDA and take others away", "pip", "python -m pip list | grep -i nccl")},
				},
				Cause{
					When:     on(Any(Is("text", `out of memory`), Says("Cuda failure 'out of memory'", "Cuda failure 2 'out of memory'"))),
					Layer:    rule.Application,
					Title:    "not the stack: a GPU's memory is full when NCCL starts",
					Text:     "NCCL needs buffers on each GPU; another process or the program itself holds the memory.",
					Remedies: []Remedy{fix("free memory on every GPU, or let the program take less", "bash", "nvidia-smi")},
				},
				Cause{
					When:     on(Any(Is("text", `peer access|invalid argument|operation not supported`), Says("peer access is not supported", "NCCL_P2P"))),
					Layer:    rule.DeviceExposure,
					Title:    "NCCL's direct access between GPUs does not work here[: {text}]",
					Text:     "Virtual machines, IOMMU or ACS settings, MIG and containers without CAP_SYS_ADMIN keep GPUs from reaching each other's memory, although the driver says they can.",
					Remedies: []Remedy{fix("leave it out to see whether that is it", "bash", "export NCCL_P2P_DISABLE=1"), fix("switch IOMMU/ACS off on the host for GPUs behind one switch")},
				},
				Cause{
					When:     on(Says("Duplicate GPU detected", "invalid device ordinal", "no CUDA-capable device")),
					Layer:    rule.Application,
					Title:    "two ranks use the same GPU, or a rank has none",
					Text:     "Each process must call torch.cuda.set_device(local_rank) before its first collective, and there must be as many GPUs as local ranks.",
					Remedies: []Remedy{fix("let --nproc-per-node be the number of visible GPUs, and set the device from LOCAL_RANK")},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "a CUDA call failed inside NCCL[ {nccl}][: {text}]",
					Text:       "The error's own text is in the line NCCL WARN Cuda failure, which NCCL_DEBUG=INFO shows. Usual causes: an NCCL for another CUDA than the framework's, direct access between GPUs that does not work, a rank on the wrong GPU, or an error of an earlier kernel.",
					Remedies:   []Remedy{fix("run again with NCCL's own messages", "bash", "NCCL_DEBUG=INFO torchrun app.py"), fix("see whether P2P is at fault", "bash", "NCCL_P2P_DISABLE=1 torchrun app.py")},
					Ask:        "the lines with NCCL WARN from NCCL_DEBUG=INFO",
				},
			),
			Samples: []string{"NCCL WARN Cuda failure 'CUDA driver version is insufficient for CUDA runtime version'", "ncclUnhandledCudaError: Call to CUDA function failed.", "RuntimeError: NCCL error in: ProcessGroupNCCL.cpp:784, unhandled cuda error, NCCL version 2.14.3", "NCCL WARN Cuda failure 2 'out of memory'"},
			Misses:  []string{"NCCL INFO Using network Socket"},
			Source:  "https://github.com/NVIDIA/nccl/blob/master/src/include/checks.h",
		},
	}
}
