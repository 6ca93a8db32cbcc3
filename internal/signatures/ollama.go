package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// ollama is what Ollama's server says about GPUs.
func ollama() []*Signature {
	return []*Signature{
		{
			ID: "ollama-driver-init", Product: "ollama",
			Literals:    []string{"cuda driver library init failure", "cuda driver library failed to get device context", "cudart init failure", "cuda driver library failed to"},
			Pattern:     `(?:cuda driver library init failure|cuda driver library failed to [a-z ]+|cudart init failure):? (?P<code>\d+)`,
			Layer:       rule.DeviceExposure,
			Strength:    Strong,
			ExplainedBy: []string{"CUD001", "CUD002", "DRV002", "KRN007"},
			Meaning:     "Ollama could not start CUDA; the number is the error of the driver or of the runtime.",
			Causes: causes(
				Cause{
					When:     on(Is("code", `^999$`)),
					Title:    "Ollama cannot start CUDA: error 999, most often nvidia_uvm after sleep or a missing /dev/nvidia-uvm",
					Text:     "The driver is installed, but nvidia_uvm lost its state in suspend, is not loaded, or may not be opened by the service's user. Ollama then uses the CPU.",
					Remedies: []Remedy{fix("load nvidia_uvm anew and restart Ollama", "bash", "sudo systemctl stop ollama; sudo rmmod nvidia_uvm; sudo modprobe nvidia_uvm; sudo systemctl start ollama"), fix("where /dev/nvidia-uvm is missing", "bash", "sudo nvidia-modprobe -u -c=0"), when(fix("in a container, create it anew after the host's driver is mended"), InContainer)},
					Ask:      "ls -l /dev/nvidia*; nvidia-smi",
				},
				Cause{
					When:     on(Is("code", `^100$|^38$`)),
					Title:    "Ollama sees no GPU (error {code})",
					Text:     "libcuda is there and finds no device: the container was started without --gpus all, CUDA_VISIBLE_DEVICES hides it[ (here {visible})], or the kernel module is not loaded.",
					Remedies: []Remedy{when(fix("start the container with the GPU", "docker", "docker run -d --gpus=all -p 11434:11434 --name ollama ollama/ollama"), InContainer), fix("check nvidia-smi as the user that Ollama runs as", "bash", "nvidia-smi -L")},
				},
				Cause{
					When:     on(Is("code", `^(35|36|3)$`)),
					Layer:    rule.Driver,
					Title:    "the driver[ {driver}] is too old or does not start for Ollama's CUDA (error {code})",
					Text:     "Ollama brings CUDA runtimes of its own; 35 says that the driver supports only an older CUDA, 3 that it did not initialise.",
					Remedies: []Remedy{fix("update the driver: CUDA 12 needs 525.60.13 or newer, CUDA 13 580 or newer"), fix("where nvidia-smi fails as well, restart after a driver update")},
					Ask:      "nvidia-smi",
				},
				Cause{
					When:     on(Is("code", `^80[34]$`)),
					Layer:    rule.KernelModule,
					Title:    "libcuda does not fit the kernel module or the GPU (error {code})",
					Text:     "803: library and module are of different versions, often after an update without a restart. 804: a cuda-compat libcuda is in use on a GPU that does not allow it.",
					Remedies: []Remedy{fix("restart the machine after a driver update"), fix("take cuda-compat off LD_LIBRARY_PATH")},
				},
				Cause{
					When:     on(Is("code", `^802$`)),
					Layer:    rule.KernelModule,
					Title:    "the NVSwitch system is not ready: Fabric Manager does not run (error 802)",
					Text:     "On HGX and DGX machines nvidia-fabricmanager of exactly the driver's version[ ({driver})] must run on the host before CUDA starts.",
					Remedies: []Remedy{fix("install and start it", "systemd", "sudo systemctl enable --now nvidia-fabricmanager")},
				},
				Cause{
					When:     on(Is("code", `^(2|800)$`)),
					Title:    "Ollama could not make a context on the GPU (error {code}): another process has it, or its memory is full",
					Text:     "2 is out of memory; 800 says that the mode or MPS does not permit it.",
					Remedies: []Remedy{fix("see what uses the GPU, and set the compute mode to default where it is exclusive", "bash", "nvidia-smi -q -d COMPUTE,MEMORY")},
				},
				Cause{
					Title:    "Ollama cannot start CUDA: error {code} of the driver",
					Text:     "The GPU's driver refuses; Ollama then uses the CPU. Where nvidia-smi works, /dev/nvidia-uvm or the access of the service's user is at fault most often.",
					Remedies: []Remedy{fix("check device nodes and module, then restart Ollama", "bash", "ls -l /dev/nvidia*; sudo nvidia-modprobe -u -c=0; sudo systemctl restart ollama")},
					Ask:      "OLLAMA_DEBUG=1 ollama serve, and nvidia-smi",
				},
			),
			Samples: []string{
				"ollama[812]: cuda driver library failed to get device context 999time=2025-01-01T00:00:00.000Z level=WARN source=gpu.go:449",
				`msg="unknown error initializing cuda driver library /usr/lib/libcuda.so.1: cuda driver library init failure: 802. see https://github.com/ollama/ollama/blob/main/docs/troubleshooting.md"`,
				`msg="Unable to load cudart CUDA management library /usr/lib/ollama/libcudart.so.11.0: cudart init failure: 35"`,
			},
			Misses: []string{"cuda driver library loaded"},
			Source: "https://github.com/ollama/ollama/issues/12173",
		},
		{
			ID: "ollama-library-load", Product: "ollama",
			Literals: []string{"unable to load cuda driver library", "Unable to load nvcuda", "Unable to load cudart library", "symbol lookup for cu"},
			Pattern:  `(?i)unable to load (?:cuda driver library|nvcuda|cudart)\b.{0,120}?(?:(?P<driver>\d{3}\.\d+(?:\.\d+)?).{0,160})?(?:symbol lookup for (?P<symbol>\w+) failed|wrong ELF class|undefined symbol: (?P<symbol>cu\w+))`,
			Layer:    rule.Driver,
			Strength: Strong,
			Meaning:  "Ollama found a libcuda that it cannot use.",
			Causes: causes(
				Cause{
					When:     on(Has("symbol")),
					Title:    "the driver[ {driver}] is too old for Ollama: its libcuda lacks {symbol}",
					Text:     "The function came with a later driver[; driver {driver} supports CUDA {driver|cuda}].",
					Remedies: []Remedy{fix("update the driver to 525 or newer, 570 or newer for new Ollama releases")},
				},
				Cause{
					Title:    "Ollama found a 32-bit libcuda; the 64-bit one is not found",
					Text:     "The driver's 64-bit libraries are missing or lie elsewhere.",
					Remedies: []Remedy{fix("install the 64-bit driver libraries and run ldconfig", "bash", "ldconfig -p | grep libcuda")},
				},
			),
			Samples: []string{`msg="unable to load cuda driver library" library=/usr/lib64/libcuda.so.470.199.02 error="symbol lookup for cuCtxCreate_v3 failed: /usr/lib64/libcuda.so.470.199.02: undefined symbol: cuCtxCreate_v3"`},
			Misses:  []string{`msg="loaded cuda driver library"`},
			Source:  "https://github.com/ollama/ollama/issues/6626",
		},
	}
}
