package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ollamaGPU is what Ollama says where it uses no GPU, or its runner ends.
func ollamaGPU() []*Signature {
	return []*Signature{
		{
			ID: "ollama-gpu-too-old", Product: "ollama",
			Literals: []string{"CUDA GPU is too old", "compute capability too low", "[0] CUDA GPU", "minimum compute capability", "compute capability not in compiled architectures", "skipping CUDA device"},
			Pattern:  `CUDA GPU is too old.{0,40}[Cc]ompute [Cc]apability (?:detected: )?(?P<gpucc>\d+\.\d+)|compute capability too low|minimum compute capability|(?:skipping CUDA device|not in compiled architectures).{0,140}?cc=(?P<number>\d+)(?: archs="?\[?(?P<built>[\d ]+))?`,
			Layer:    rule.GPUArch,
			Strength: Strong,
			Meaning:  "The GPU's compute capability is below what Ollama's build supports.",
			Causes: causes(Cause{
				When:     on(Has("number")),
				Title:    "this build of Ollama has no code for the GPU[ {gpu}][, {sm}] (compute capability {number} in tenths: 860 is 8.6)[; it is built for {built}]",
				Text:     "The package's libraries for one CUDA release (cuda_v13) do not cover every GPU; those for another (cuda_v12) may. Driver and GPU are in order.",
				Remedies: []Remedy{fix("use the libraries that have the architecture: reinstall Ollama so that lib/ollama/cuda_v12 is there, and name them", "shell", "export OLLAMA_LLM_LIBRARY=cuda_v12"), fix("or another release of Ollama whose build has it")},
			}, Cause{
				When:     on(AtLeast("gpucc", "5.0")),
				Title:    "the GPU[ {gpu}] is too old for this release of Ollama: compute capability {gpucc}",
				Text:     "Releases 0.1.16 to 0.1.21 needed 6.0, later ones 5.0 or newer. A driver does not change this.",
				Remedies: []Remedy{fix("update Ollama to a release that is built for compute capability {gpucc}", "check", "ollama --version"), fix("or build llama.cpp or Ollama for the GPU's architecture")},
			}, Cause{
				Title:    "the GPU[ {gpu}] is too old for Ollama[: compute capability {gpucc}]",
				Text:     "Ollama's builds need compute capability 5.0 or newer. A driver does not change this.",
				Remedies: []Remedy{fix("use the CPU, or build llama.cpp for the GPU's architecture with an older CUDA")},
			}),
			Samples: []string{`level=INFO source=gpu.go:150 msg="[0] CUDA GPU is too old. Compute Capability detected: 3.5"`, `msg="skipping CUDA device - compute capability not in compiled architectures" device="NVIDIA A40" cc=860 archs="[750 890]"`},
			Misses:  []string{"CUDA GPU found"},
			Source:  "https://github.com/ollama/ollama/issues/11593",
		},
		{
			ID: "ollama-no-gpu", Product: "ollama",
			Literals: []string{"no compatible GPUs were discovered", "no nvidia devices detected", "no NVIDIA/AMD GPU detected", "library=cpu", "No NVIDIA/AMD GPU detected"},
			Pattern:  `(?i)no compatible GPUs were discovered|no nvidia devices detected(?: by library \S*?(?P<lib>(?:libcuda|nvcuda|libnvidia-ml|nvml)\S*?)(?:\.(?P<libdrv>\d{3}\.\d+(?:\.\d+)?))?["\s])?|No NVIDIA/AMD GPU detected|msg="inference compute".{0,40}library=cpu`,
			Role:     Consequence,
			Layer:    rule.DeviceExposure,
			Meaning:  "Ollama found no GPU that it can use and runs on the CPU.",
			Causes: causes(
				Cause{
					When:     on(InContainer),
					Layer:    rule.ContainerRuntime,
					Title:    "Ollama finds no GPU in the container",
					Text:     "The container was started without the GPU, or the host has no NVIDIA container toolkit.",
					Remedies: []Remedy{fix("start it with the GPU", "docker", "docker run -d --gpus=all -p 11434:11434 --name ollama ollama/ollama"), fix("install and configure the toolkit on the host", "docker", "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker")},
					Ask:      "docker exec ollama nvidia-smi",
				},
				Cause{
					When: on(Has("lib")), Confidence: rule.Possible,
					Title: "Ollama loads the driver's library {lib|base}[ ({libdrv})], and it shows no GPU: nvidia_uvm is not loaded or not usable, libcuda and the loaded module differ, or the GPU is hidden",
					Text:  "The driver is installed. libcuda counts no GPU where /dev/nvidia-uvm is missing or may not be opened, the kernel module is of another release after an update, CUDA_VISIBLE_DEVICES names no GPU, or the program falls back to an older copy of libcuda.",
					Remedies: []Remedy{
						fix("compare module and library, and load nvidia_uvm", "check", "cat /proc/driver/nvidia/version; nvidia-smi; ls -l /dev/nvidia*; sudo nvidia-modprobe -u -c=0"),
						fix("restart the machine after a driver update, then the service", "shell", "sudo systemctl restart ollama"),
					},
					Ask: "nvidia-smi; ls -l /dev/nvidia*; the server's log with OLLAMA_DEBUG=1",
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "Ollama finds no GPU that it can use",
					Text:       "The driver is missing or too old, the service's user may not open /dev/nvidia*, the CUDA libraries of Ollama's package are missing (lib/ollama/cuda_v12), or the GPU is too old.[ The driver is {driver}.]",
					Remedies:   []Remedy{fix("look at the reason with debug messages on", "bash", "OLLAMA_DEBUG=1 ollama serve 2>&1 | grep -iE 'cuda|nvidia|gpu'"), fix("install Ollama anew with its own installer, so that its CUDA libraries are there")},
					Ask:        "nvidia-smi, and the server's log with OLLAMA_DEBUG=1",
				},
			),
			Samples: []string{`level=INFO source=gpu.go:392 msg="no compatible GPUs were discovered"`, `level=INFO source=types.go:60 msg="inference compute" id=cpu library=cpu compute="" name=cpu`},
			Misses:  []string{`msg="inference compute" id=GPU-1 library=cuda variant=v12 compute=8.6`},
			Source:  "https://github.com/ollama/ollama/issues/8791",
		},
		{
			ID: "ollama-runner-failed", Product: "ollama",
			Literals: []string{"llama runner process has terminated", "llama runner terminated", "failure during GPU discovery", "bootstrap discovery failed"},
			Pattern:  `llama runner (?:process has )?terminated:? ?(?P<text>.{0,120})|failure during GPU discovery|bootstrap discovery (?:failed|took too long)`,
			Layer:    rule.Application,
			Strength: Weak,
			Meaning:  "The process that runs the model, or looks for GPUs, ended.",
			Causes: causes(
				Cause{
					When:     on(Says("out of memory", "cudaMalloc failed", "unable to allocate CUDA")),
					Title:    "not the stack: the GPU's memory is full",
					Text:     "The model with its context needs more than is free.",
					Remedies: []Remedy{fix("use a smaller model or context (num_ctx), or fewer layers on the GPU (num_gpu)", "bash", "nvidia-smi")},
				},
				Cause{
					Confidence: rule.Possible,
					Title:      "Ollama's runner ended[: {text}]",
					Text:       "The CUDA error or the signal before this line says why: a driver that is older than the runner's CUDA, full memory, or a fault of this release.",
					Remedies:   []Remedy{fix("update Ollama and look at the runner's own error", "bash", "OLLAMA_DEBUG=1 ollama serve")},
					Ask:        "the lines of the server's log before this one",
				},
			),
			Samples: []string{"Error: llama runner process has terminated: CUDA error", `msg="failure during GPU discovery" OLLAMA_LIBRARY_PATH=[/usr/lib/ollama] error="runner crashed"`},
			Misses:  []string{"llama runner started in 2.1 seconds"},
			Source:  "https://github.com/ollama/ollama/issues/12258",
		},
	}
}
