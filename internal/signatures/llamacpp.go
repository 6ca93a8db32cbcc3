package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// llamaCpp is what ggml and the programs built on it, llama.cpp, whisper.cpp and LM Studio, say.
func llamaCpp() []*Signature {
	return []*Signature{
		{
			ID: "ggml-cuda-init", Product: "llama.cpp",
			Literals:    []string{"failed to initialize CUDA"},
			Pattern:     `(?:ggml_\w+|\w+): failed to initialize CUDA: (?P<text>[a-zA-Z(][^\n]{3,100})`,
			Layer:       rule.Driver,
			Strength:    Strong,
			ExplainedBy: []string{"CUD001", "CUD002", "DRV002", "DEV003"},
			Meaning:     "ggml could not start CUDA and runs on the CPU; the text behind the colon is the driver's.",
			Causes: causes(
				Cause{
					When:     on(Is("text", `unsupported display driver|forward compatibility`)),
					Layer:    rule.CUDARuntime,
					Title:    "a libcuda that does not fit is loaded: {text}",
					Text:     "The libcuda of cuda-compat, from LD_LIBRARY_PATH or the image, is found before the driver's. It works on data centre GPUs alone, not on GeForce cards, and must fit the kernel module. A driver update without a restart gives the same message.",
					Remedies: []Remedy{fix("take the compat directory (/usr/local/cuda*/compat) off LD_LIBRARY_PATH and out of /etc/ld.so.conf.d, or remove the package cuda-compat", "bash", "ldconfig -p | grep libcuda; echo $LD_LIBRARY_PATH"), fix("where no compat library is there, restart after the driver's update")},
					Ask:      "ldd on the program, the line with libcuda.so.1, and nvidia-smi",
				},
				Cause{
					When:     on(Is("text", `not yet initialized`)),
					Layer:    rule.KernelModule,
					Title:    "the NVSwitch system is not ready: Fabric Manager does not run (error 802)",
					Text:     "On HGX and DGX machines with NVSwitch nvidia-fabricmanager of exactly the driver's version[ ({driver})] must run on the host before CUDA starts.",
					Remedies: []Remedy{fix("install it in the driver's version and start it", "systemd", "sudo systemctl enable --now nvidia-fabricmanager")},
				},
				Cause{
					When:     on(Is("text", `driver version is insufficient`)),
					Title:    "the driver[ {driver}] is too old for the CUDA that this build of llama.cpp uses",
					Text:     "The build is of a newer CUDA major release than the driver supports[ ({driver} supports {driver|cuda})], or the process has no access to the driver (a container without --gpus all).",
					Remedies: []Remedy{fix("update the driver: 525.60.13 or newer for CUDA 12, 580 or newer for CUDA 13"), fix("or use the build for an older CUDA")},
				},
				Cause{
					When:     on(Is("text", `no CUDA-capable`), InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "the container has no GPU",
					Text:     "It was started without --gpus all, or CUDA_VISIBLE_DEVICES leaves none.",
					Remedies: []Remedy{fix("start it with the GPU", "docker", "docker run --rm --gpus all {image} nvidia-smi")},
				},
				Cause{
					When:     on(Is("text", `no CUDA-capable`)),
					Layer:    rule.DeviceExposure,
					Title:    "llama.cpp sees no GPU: {text}",
					Text:     "CUDA_VISIBLE_DEVICES hides it[ (here {visible})], the kernel module is not loaded, or the device nodes may not be opened.",
					Remedies: []Remedy{fix("check what is visible", "bash", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES; ls -l /dev/nvidia*")},
				},
				Cause{
					When:     on(Is("text", `(?i)stub`)),
					Title:    "the toolkit's stub of libcuda is loaded in place of the driver's",
					Text:     "A stubs directory is on LD_LIBRARY_PATH or in the program's run path; its libcuda is for linking alone.",
					Remedies: []Remedy{fix("take …/stubs off LD_LIBRARY_PATH; in a container start it with --gpus all")},
				},
				Cause{
					When:     on(Is("text", `unknown error|initialization error`)),
					Layer:    rule.DeviceExposure,
					Title:    "CUDA does not start: {text}, often after sleep or with nvidia_uvm not loaded",
					Text:     "The driver gives no reason. nvidia_uvm lost its state in suspend, is not loaded, or /dev/nvidia-uvm may not be opened.",
					Remedies: []Remedy{fix("load nvidia_uvm anew", "bash", "sudo rmmod nvidia_uvm; sudo modprobe nvidia_uvm")},
					Ask:      "ls -l /dev/nvidia*; nvidia-smi",
				},
				Cause{
					Title:    "llama.cpp cannot start CUDA: {text}",
					Text:     "The driver[ {driver}] refuses; the build itself has CUDA.",
					Remedies: []Remedy{fix("mend what nvidia-smi shows", "bash", "nvidia-smi")},
					Ask:      "nvidia-smi",
				},
			),
			Samples: []string{
				"ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected",
				"ggml_cuda_init: failed to initialize CUDA: system has unsupported display driver / cuda driver combination",
				"ggml_init_cublas: failed to initialize CUDA: (null)",
			},
			Misses: []string{"ggml_cuda_init: found 1 CUDA devices:"},
			Source: "https://github.com/ollama/ollama/issues/5573",
		},
		{
			ID: "ggml-no-device-code", Product: "llama.cpp",
			Literals: []string{"has no device code compatible with CUDA arch", "CUDA error: no kernel image", "was compiled for: ", "without support for the current GPU architecture"},
			Pattern:  `CUDA kernel (?P<kernel>\w+) has no device code compatible with CUDA arch (?P<arch>\d+)(?:\. ggml-cuda\.cu was compiled for: (?P<built>[\d,]+))?|was compiled without support for the current GPU architecture`,
			Layer:    rule.GPUArch,
			Strength: Strong,
			Meaning:  "ggml was compiled without code for this GPU.",
			Causes: causes(Cause{
				When:     on(Has("arch"), Has("built"), Not(Differ("arch", "built"))),
				Title:    "the build has code for the GPU[ {gpu}] (arch {arch}), and its kernel {kernel} is for newer ones alone",
				Text:     "Kernels with tensor cores (wmma, mma; flash attention) are left empty for GPUs before 700 (Volta) or 750. The program should not choose them there: it is a fault of its choice, or a device of an older architecture is among the GPUs. A driver does not change this.",
				Remedies: []Remedy{fix("run it without flash attention (-fa off, no --diffusion-fa)"), fix("update the program, or build it for this GPU", "cmake", "cmake -B build -DGGML_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=native")},
			}, Cause{
				Title:    "this build of llama.cpp has no code for the GPU[ {gpu}][ (arch {arch}) ||  ({sm})][: it was compiled for {built}]",
				Text:     "[The architecture {arch} stands for the compute capability times a hundred. ]Its ggml was compiled for other architectures than this GPU has. A newer driver does not add code to the build.",
				Remedies: []Remedy{fix("build it for this GPU, or use a release build that has its architecture", "cmake", "cmake -B build -DGGML_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=native")},
			}),
			Samples: []string{"ERROR: CUDA kernel flash_attn_ext_f16 has no device code compatible with CUDA arch 700. ggml-cuda.cu was compiled for: 800,860,890"},
			Misses:  []string{"CUDA kernel compiled"},
			Source:  "https://github.com/ollama/ollama/issues/5573",
		},
		{
			ID: "ggml-out-of-memory", Product: "llama.cpp",
			Literals: []string{"unable to allocate CUDA", "cudaMalloc failed: out of memory", "failed to allocate CUDA"},
			Pattern:  `(?:unable|failed) to allocate CUDA\d* ?buffer|allocating (?P<size>[\d.]+ ?MiB) on device \d+: cudaMalloc failed|cudaMalloc failed: out of memory`,
			Layer:    rule.Application,
			Strength: Strong,
			Meaning:  "The GPU's memory is too small for the model's layers or its context.",
			Causes: causes(Cause{
				Title:    "not the stack: the GPU's memory is full[: {size} more was asked for]",
				Text:     "The weights, the context's cache and the compute buffer together need more than is free.",
				Remedies: []Remedy{fix("put fewer layers on the GPU (-ngl), use a smaller context (-c) or a smaller quantisation"), fix("end other processes on the GPU", "bash", "nvidia-smi")},
			}),
			Samples: []string{"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 18432.00 MiB on device 0: cudaMalloc failed: out of memory", "llama_kv_cache_init: failed to allocate CUDA0 buffer"},
			Misses:  []string{"allocated CUDA0 buffer of size 100 MiB"},
			Source:  "https://github.com/ggml-org/llama.cpp/blob/master/ggml/src/ggml-cuda/ggml-cuda.cu",
		},
	}
}
