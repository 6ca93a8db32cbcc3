package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nativePrograms is what programs that are no Python framework say in words of their own: that they see no GPU, have no
// memory, or do not load their CUDA part.
func nativePrograms() []*Signature {
	return []*Signature{
		{
			ID: "program-sees-no-gpu", Product: "CUDA programs",
			Literals: []string{"CUDA devices", "CUDA device ", "CUDA GPU", "CUDA-capable device", "CUDA-enabled GPU", "CUDA enabled GPU", "CUDA-compatible", "usable GPU", "NVIDIA GPU", "NVIDIA device", "supported GPU", "compatible GPU", "GPU devices", "but no devices found"},
			Pattern: `(?i)\b(?:no|any|0|zero|not detect any|unable to find(?: a| any)?) (?:visible |usable |suitable |compatible |supported |available |accessible )?(?:CUDA|NVIDIA|GPU)(?:[- ](?:capable|enabled|compatible))? (?:GPU )?(?:devices?|GPUs?|cards?)(?: (?:is|are|was|were|could be))? ?(?:available|found|detected|visible|present|accessible)\b|` +
				`\bdid not (?:detect|find) any (?:CUDA|NVIDIA)[- ]?(?:capable|enabled)? ?(?:devices?|GPUs?)|\bno usable GPUs? found|CUDA device requested but no devices found|there are 0 visible CUDA devices|\bno (?:CUDA|NVIDIA)[- ]?(?:capable|enabled)? ?(?:devices?|GPUs?)[.!]?$`,
			Layer: rule.DeviceExposure, Strength: Weak,
			ExplainedBy: []string{"DEV001", "DEV002", "DEV003", "DEV004", "DEV005", "DEV007", "CTR001", "CTR007", "CTR010", "HWR001", "HWR003", "KRN001", "DRV001", "DRV002"},
			Meaning:     "A program asked CUDA for GPUs and got none.",
			Causes: causes(
				Cause{
					When: on(Says("No GPU but", "intel iris", "iris(r)", "intel(r) uhd", "uhd graphics", "radeon", "no nvidia card", "no nvidia gpu in"), Not(Has("driver")), Not(Has("gpu"))), Layer: rule.Hardware, Confidence: rule.Possible,
					Title:    "The program needs an NVIDIA GPU, and the text tells of another graphics card alone",
					Text:     "CUDA runs on NVIDIA GPUs. Graphics of Intel or AMD do not serve it.",
					Remedies: []Remedy{fix("run it on the CPU (an option such as --device cpu), or on a machine with an NVIDIA GPU"), fix("where an NVIDIA card is in the machine, install its driver", "check", "nvidia-smi")},
					Ask:      "nvidia-smi",
				},
				Cause{
					When:     on(Has("visible")),
					Title:    "The program sees no GPU: CUDA_VISIBLE_DEVICES is {visible}",
					Text:     "CUDA shows the GPUs of CUDA_VISIBLE_DEVICES up to the first entry that does not exist; -1, an empty value or a wrong first entry hides all.",
					Remedies: []Remedy{fix("unset CUDA_VISIBLE_DEVICES, or set it to what nvidia-smi -L lists", "shell", "unset CUDA_VISIBLE_DEVICES; nvidia-smi -L")},
				},
				Cause{
					When: on(OnJetson, Not(InContainer)), Layer: rule.Driver, Confidence: rule.Possible,
					Title:    "CUDA finds no GPU on this Jetson[ (L4T {l4t})]: parts of L4T's driver are missing or of another release, or the user may not open its device nodes (group video)",
					Text:     "The driver comes with L4T: libcuda in /usr/lib/aarch64-linux-gnu/tegra, nodes /dev/nvhost-* and /dev/nvmap, the GPU's firmware. A custom root file system lacks packages (nvidia-l4t-core, nvidia-l4t-cuda, nvidia-l4t-firmware, udev rules), or has them of another release than the kernel that was flashed.",
					Remedies: []Remedy{fix("try it as root, then see what is missing", "jetson", "sudo ./deviceQuery; ls -l /dev/nvhost-gpu /dev/nvmap; id; ldconfig -p | grep libcuda; cat /etc/nv_tegra_release; sudo dmesg | grep -i nvgpu | tail"), fix("put the user into the group video, and install L4T's packages of the flashed release", "jetson", "sudo usermod -aG video $USER; dpkg -l | grep nvidia-l4t")},
					Ask:      "the same as root; ls -l /dev/nvhost-gpu; dpkg -l | grep nvidia-l4t",
				},
				Cause{
					When: on(Any(onVGPU, Says("nvidia vgpu", "vgpu's", "vgpu profile"))), Layer: rule.Driver, Confidence: rule.Possible,
					Title:    "The program sees no GPU for CUDA on this vGPU: its profile has no CUDA, its guest driver (GRID) does not fit the host's release, or it has no licence",
					Text:     "CUDA runs on vGPU profiles that end in Q and C (on Maxwell boards with the whole board's 8Q alone, on GRID K1 and K2 with none), not on A and B. The guest needs the GRID driver of the host's vGPU release; a GeForce or data-centre driver does not serve it. The whole card passed through has no such bounds.",
					Remedies: []Remedy{fix("see the profile, the driver and the licence in the guest, and take a profile that has CUDA", "guest", "nvidia-smi -q | grep -i -e 'product name' -e licen -e 'driver version'", "host", "nvidia-smi vgpu -q | grep -i -e 'vgpu name' -e 'guest driver'")},
					Ask:      "the vGPU's profile, and the driver's release in guest and host",
				},
				Cause{
					When: on(InContainer), Layer: rule.ContainerRuntime, Confidence: rule.Possible,
					Title:    "The program sees no GPU in its container: it was most likely started without one (--gpus all, --nv)",
					Text:     "The container toolkit brings driver libraries and device nodes in where the container asks for the GPU; the driver itself belongs to the host.",
					Remedies: []Remedy{fix("start it with the GPU", "docker", "docker run --rm --gpus all {image} nvidia-smi", "host", "nvidia-smi")},
					Ask:      "nvidia-smi on the host and in the container",
				},
				Cause{
					When: on(Says("qsub", "sbatch", "slurm", "cluster", "srun ")), Confidence: rule.Possible,
					Title:    "The program sees no GPU in its job: the job did not ask for one, runs on a node without one, or the node's driver[ {driver}] does not fit its libraries",
					Text:     "Schedulers hide GPUs from jobs that did not ask for them. Where nvidia-smi in the job lists the GPU, the driver is too old for the program's CUDA, or driver files of two releases are mixed on the node.",
					Remedies: []Remedy{fix("look inside the job", "job", "nvidia-smi; nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES; ls -l /dev/nvidia*")},
					Ask:      "the output of nvidia-smi inside the job",
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "The program finds no GPU for CUDA: the driver[ {driver}] is missing, too old for it or does not answer, or the GPU is hidden",
					Text:       "nvidia-smi tells which: where it fails, the driver is not installed or its module is not loaded; where it works, the program's CUDA is newer than the driver's[ ({driver|cuda})], CUDA_VISIBLE_DEVICES hides the GPU, or /dev/nvidia* may not be opened.",
					Remedies:   []Remedy{fix("see what the driver offers, in the same place as the program", "check", "nvidia-smi; ls -l /dev/nvidia*; echo $CUDA_VISIBLE_DEVICES")},
					Ask:        "nvidia-smi, in the same place as the program",
				},
			),
			Samples: []string{
				"[error] device string set to cuda:all but no CUDA devices available.",
				"CUDA device requested but no devices found.",
				"CUDALink::nodev: CUDALink did not detect any CUDA-capable devices.",
				"27-Nov-2022 10:00:00 [---] No usable GPUs found",
			},
			Misses: []string{"Found 2 CUDA devices", "1 CUDA device detected"},
			Source: "https://github.com/nanoporetech/dorado/issues/949",
		},
		{
			ID: "lmstudio-survey", Product: "lm studio",
			Literals: []string{"GPU survey unsuccessful", "GPU survery unsuccessul", "Failed to survey hardware with backend", "Error surveying hardware", "Error trying to query CUDA gpus"},
			Layer:    rule.Driver, Strength: Usual,
			Meaning: "LM Studio's engine for CUDA did not start, or found no GPU.",
			Causes: causes(Cause{
				Confidence: rule.Possible,
				Title:      "LM Studio's CUDA engine does not start on this machine (GPU survey): the driver[ {driver}] does not answer after an update, is too old for the engine, or a library of the engine is not found",
				Text:       "The survey loads the engine and asks CUDA for GPUs. nvidia-smi has to work first; after a driver or kernel update that wants a restart. Each engine has a least driver (CUDA 12: 525 and newer) and a least compute capability[ (here {gpu}, {cc})].",
				Remedies: []Remedy{
					fix("restart after the driver's update, see that nvidia-smi works, and run the compatibility check of the runtimes anew", "check", "nvidia-smi"),
					fix("update the driver and LM Studio's engine; where it goes on, choose the other CUDA engine or Vulkan"),
				},
				Ask: "nvidia-smi, and the lines with survey in LM Studio's main.log",
			}),
			Samples: []string{`It just says: "GPU survey unsuccessful" under the CUDA engine`, "[warn]  Failed to survey hardware with backend 'llama.cpp-linux-x86_64-nvidia-cuda-avx2', version '1.11.1'"},
			Misses:  []string{"GPU survey: Success"},
			Source:  "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/447",
		},
		{
			ID: "managed-cuda-error", Product: "managedcuda",
			Literals: []string{"CudaException: Error", "CUDA.NET exception: Error", "Message=Error", "CudaException: 'Error", "Cuda(NoBinaryForGpu)", "Cuda(InvalidPtx)", "Cuda(NoDevice)", "Cuda(UnsupportedPtx"},
			Beside:   []string{"managedcuda", "cudaexception", "cuda.net", "cudafy", "cuda("},
			Pattern:  `(?:CudaException: '?|CUDA\.NET exception: |Message=)Error(?P<error>NoBinaryForGPU|InvalidPtx|UnsupportedPTXVersion|NoDevice|OutOfMemory|InvalidImage|Unknown|InvalidSource|SystemDriverMismatch|CompatNotSupportedOnDevice)|\bCuda\((?P<error>NoBinaryForGpu|InvalidPtx|NoDevice|UnsupportedPtxVersion|OutOfMemory)\)`,
			Layer:    rule.GPUArch,
			Meaning:  "A call of the CUDA driver failed in a program on .NET or Rust, with the error's name.",
			Causes: causes(
				Cause{
					When: on(Is("error", `OutOfMemory`)), Layer: rule.Application,
					Title:    "Not the stack: the GPU's memory is full (error 2)",
					Text:     "The program asked for more than is free.",
					Remedies: []Remedy{fix("use smaller data, or end other processes on the GPU", "check", "nvidia-smi")},
				},
				Cause{
					When: on(Is("error", `NoDevice`)), Layer: rule.DeviceExposure,
					Title:    "CUDA sees no GPU (error 100, no CUDA-capable device is detected)",
					Text:     "The driver answers and shows this process no GPU.",
					Remedies: []Remedy{fix("look at what the driver sees", "check", "nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES")},
				},
				Cause{
					When: on(Is("error", `UnsupportedP`)), Layer: rule.Driver,
					Title:    "The driver[ {driver}] is too old for this program's PTX (error 222, unsupported toolchain)",
					Text:     "The PTX comes from a newer CUDA[ ({toolkit})] than the driver's[ ({driver|cuda})]. Minor-version compatibility does not cover PTX.",
					Remedies: []Remedy{fix("update the driver, or compile the PTX with a toolkit no newer than the driver's CUDA", "check", "nvidia-smi; nvcc --version")},
				},
				Cause{
					When:  on(Is("error", `InvalidPtx|InvalidSource`)),
					Title: "The PTX does not compile for this GPU[ ({gpu}, {sm})] with this driver[ {driver}] (error 218)",
					Text:  "PTX of a newer architecture than the GPU's (its .target), of a newer CUDA than the driver's (its .version)[, here CUDA {toolkit},] or with a fault of its own is refused. PTX serves its own architecture and newer ones.",
					Remedies: []Remedy{
						fix("compile it for the GPU's architecture or an older one[: {sm}]", "nvcc", "nvcc -ptx -arch=sm_50 kernel.cu"),
						fix("update the driver where nvcc is newer than its CUDA", "check", "nvidia-smi; nvcc --version"),
					},
					Ask: "the lines .version and .target of the .ptx file; nvidia-smi",
				},
				Cause{
					Title: "The program has no code for this GPU's architecture[: {gpu}, {sm}] ({error}, error 209 or 200)",
					Text:  "The cubin, fatbin or PTX that it loads was compiled for another architecture; PTX serves its own and newer ones. The driver is not at fault.",
					Remedies: []Remedy{
						fix("compile it for this GPU[ ({sm})]", "check", "nvidia-smi --query-gpu=name,compute_cap --format=csv"),
					},
				},
			),
			Samples: []string{"ManagedCuda.CudaException: 'ErrorInvalidPtx: This indicates that a PTX JIT compilation failed.'", "called `Result::unwrap()` on an `Err` value: Cuda(NoBinaryForGpu)"},
			Misses:  []string{"CudaException: ErrorLog is empty"},
			Source:  "https://github.com/kunzmi/managedCuda/issues/114",
		},
		{
			ID: "program-out-of-memory", Product: "CUDA programs",
			Literals: []string{": out of memory (2)", "StandardGpuResources: alloc fail", "CUDA error 2 'out of memory'", "CUDA Error: out of memory", "out of memory> !!!", "uda error: out of memory", "UDA error: out of memory", "GPU out of memory", "device memory: out of memory", "CUDA_ERROR_OUT_OF_MEMORY", "cudaErrorMemoryAllocation"},
			Pattern:  `: out of memory \(2\)|StandardGpuResources: alloc fail|(?i:CUDA error[ !<:'"-]{1,12}out of memory|GPU out of memory|device memory: out of memory)|CUDA error 2 'out of memory'`,
			Layer:    rule.Application, Strength: Strong,
			Meaning: "An allocation on the GPU failed for want of memory.",
			Causes: causes(Cause{
				Title:    "Not the stack: the GPU's memory[ of the {gpu}] is full (error 2)",
				Text:     "The program's data (an index, a mining DAG, a model) is larger than what is free; on Windows the page file has to be large enough too.",
				Remedies: []Remedy{fix("use smaller data or another algorithm, and end other processes on the GPU", "check", "nvidia-smi")},
			}),
			Samples: []string{"CUDA error in CudaProgram.cu:373 : out of memory (2)", "Error: 'err == cudaSuccess' failed: StandardGpuResources: alloc fail type FlatData dev 0"},
			Misses:  []string{"memory (2) is fine"},
			Source:  "https://github.com/facebookresearch/faiss/blob/main/faiss/gpu/StandardGpuResources.cpp",
		},
		{
			ID: "cuda-invalid-symbol", Product: "cuda",
			Literals: []string{"invalid device symbol", "cudaErrorInvalidSymbol", "invalid texture reference", "cudaErrorInvalidTexture"},
			Pattern:  `invalid (?P<what>device symbol|texture reference)|cudaErrorInvalid(?:Symbol|Texture)\b`,
			Layer:    rule.GPUArch,
			Meaning:  "A symbol of the device code is not there for this GPU (error 13).",
			Causes: causes(Cause{
				Title: "A device symbol or texture does not exist for this GPU[ ({gpu}, {sm})][ (invalid {what})] (error 13 or 18): most likely the program was compiled for another architecture",
				Text:  "cudaMemcpyToSymbol finds no copy of the symbol where none of the program's code is for the GPU; programs that ignore the first error print this one. A symbol that is named by text in the source gives it too, on any GPU.",
				Remedies: []Remedy{
					fix("compile the program for this GPU's architecture[ ({sm})]", "check", "nvidia-smi --query-gpu=name,compute_cap --format=csv"),
					fix("in own code hand the symbol itself to cudaMemcpyToSymbol, not its name as text"),
				},
				Ask: "nvidia-smi, and the architectures that the program was compiled for",
			}),
			Samples: []string{"cudaMemcpyToSymbol: SetSim copy to cSim failed invalid device symbol"},
			Misses:  []string{"invalid symbol in line 3"},
			Source:  "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
	}
}
