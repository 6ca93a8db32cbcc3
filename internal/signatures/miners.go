package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// miners is what miners of coins say where CUDA does not start.
func miners() []*Signature {
	return []*Signature{
		{
			ID: "miner-cuda-init", Product: "t-rex miner",
			Literals: []string{"CUDA initialize error", "initialize CUDA engine"},
			Pattern:  `CUDA initialize error|(?:can't|cannot|failed to) initialize CUDA engine(?:, cuda exception: (?P<error>CUDA[_ ]ERROR[_ ]\w+))?`,
			Layer:    rule.Driver,
			Meaning:  "A miner for NVIDIA GPUs could not start CUDA.",
			Causes: causes(
				Cause{
					When: on(Not(Has("gpu")), Says("radeon", "amd graphics", "intel(r) hd", "intel hd graphics", "uhd graphics", "intel graphics", "rx 5", "rx5", "rx 6", "vega")), Layer: rule.Hardware,
					Title:    "The miner is for NVIDIA GPUs, and the text tells of AMD or Intel graphics alone",
					Text:     "CUDA runs on NVIDIA GPUs. No driver or toolkit brings it to other graphics cards.",
					Remedies: []Remedy{fix("use a miner for AMD GPUs (OpenCL), or a machine with an NVIDIA GPU"), fix("where an NVIDIA card is in the machine, install its driver", "check", "nvidia-smi")},
				},
				Cause{
					Title:    "CUDA does not start[: {error}]: the NVIDIA driver[ {driver}] is too old for this build, damaged, or not ready yet",
					Text:     "Each release of the miner needs a least driver. At the start of the system the driver may not be up yet; on Linux nvidia_uvm has to be loaded.",
					Remedies: []Remedy{fix("install the newest NVIDIA driver of the card anew (on Windows after DDU, on Hive OS with nvidia-driver-update)", "check", "nvidia-smi"), fix("or take an older release of the miner, and start it a minute after the system")},
					Ask:      "nvidia-smi",
				},
			),
			Samples: []string{"ERROR: Can't start miner, CUDA initialize error, memory dump: eyJh", "Can't start T-Rex, can't initialize CUDA engine, cuda exception: CUDA_ERROR_UNKNOWN. Is NVIDIA driver installed?"},
			Misses:  []string{"CUDA initialized in 2 s"},
			Source:  "https://github.com/trexminer/T-Rex/issues/208",
		},
		{
			ID: "miner-driver-too-old", Product: "ethminer",
			Literals: []string{"Insufficient CUDA driver"},
			Pattern:  `Insufficient CUDA driver:? ?(?P<number>\d{4,5})`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "The driver runs an older CUDA than the program was built with.",
			Causes: causes(
				Cause{
					When:  on(Has("cuda"), Differ("cuda", "number|fromint")),
					Title: "The driver[ {driver}] runs CUDA {number|fromint} at most, and the program was built with CUDA {cuda}",
					Text:  "The number is the CUDA of the driver (9010 is 9.1). A program that was built with a newer CUDA does not start; a toolkit does not change the driver.",
					Remedies: []Remedy{
						fix("update the NVIDIA driver to one for CUDA {cuda}[: {cuda|mindriver} or newer]", "check", "nvidia-smi"),
						fix("or build the program with CUDA {number|fromint}, or take its build for it"),
					},
				},
				Cause{
					Title: "The driver[ {driver}] runs CUDA {number|fromint} at most, and the program was built with a newer CUDA",
					Text:  "The number is the CUDA of the driver (9010 is 9.1). A toolkit does not change the driver.",
					Remedies: []Remedy{
						fix("update the NVIDIA driver", "check", "nvidia-smi"),
						fix("or take the program's build for CUDA {number|fromint}"),
					},
				},
			),
			Samples: []string{"CUDA error: Insufficient CUDA driver: 9010"},
			Misses:  []string{"CUDA driver: 9010"},
			Source:  "https://github.com/ethereum-mining/ethminer/pull/1261",
		},
		{
			ID: "miner-no-cuda-driver", Product: "ethminer",
			Literals: []string{"CUDA error: No CUDA driver found", "Error: No CUDA driver found", "No CUDA device found!"},
			Pattern:  `No CUDA (?:driver found|device found!)`,
			Layer:    rule.Driver,
			Meaning:  "The program finds no driver for CUDA, or none for its CUDA.",
			Causes: causes(
				Cause{
					When: on(Below("cc", "3.0")), Layer: rule.GPUArch,
					Title:    "The GPU {gpu} (compute capability {cc}) is too old for this program's CUDA",
					Text:     "CUDA 8 was the last for 2.x, CUDA 6.5 for 1.x; builds for newer ones find no device. The driver is not at fault.",
					Remedies: []Remedy{fix("use a build for the older CUDA, or a newer GPU")},
				},
				Cause{
					Title: "The program finds no GPU for its CUDA: the NVIDIA driver[ {driver}] is missing, not NVIDIA's own, or too old for the build[, or the GPU is too old for it (here {gpu})]",
					Text:  "CUDA/0.0 in its first lines means that the driver offers no CUDA. GPUs of Tesla and Fermi times (compute capability 1.x and 2.x: Quadro FX, GeForce 8 to 500) are not supported by builds for CUDA 9 and newer, whatever the driver. The CUDA toolkit is not needed to run it.",
					Remedies: []Remedy{
						fix("install the newest NVIDIA driver of the card", "check", "nvidia-smi"),
						fix("or take the program's build for an older CUDA (cuda8), where the driver or the card is old"),
					},
					Ask: "nvidia-smi, and the card's compute capability",
				},
			),
			Samples: []string{"CUDA error: No CUDA driver found", "[2018-01-07 03:14:35] No CUDA device found!"},
			Misses:  []string{"CUDA device found: 1"},
			Source:  "https://github.com/ethereum-mining/ethminer/issues/1365",
		},
		{
			ID: "xmrig-cuda-disabled", Product: "xmrig",
			Literals: []string{"failed to load CUDA plugin", "disabled (no devices)", "disabled (no device)"},
			Pattern:  `(?i)CUDA[\s*]+disabled \((?:(?P<plugin>failed to load CUDA plugin)|no devices?)\)`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "XMRig does not use CUDA.",
			Causes: causes(
				Cause{
					When: on(Has("plugin")), Layer: rule.FrameworkBuild,
					Title: "XMRig cannot load its CUDA plugin (xmrig-cuda): the file is not where the loader looks, or a library that it needs is missing",
					Text:  "xmrig-cuda is a file of its own, libxmrig-cuda.so or xmrig-cuda.dll, built for one CUDA and linked with its NVRTC (nvrtc64_*.dll beside it); it has to fit the release of XMRig.",
					Remedies: []Remedy{
						fix("put plugin and NVRTC beside xmrig and name it with its path", "shell", "./xmrig --cuda --cuda-loader=./libxmrig-cuda.so", "check", "ldd ./libxmrig-cuda.so | grep 'not found'"),
						fix("take the plugin's build for a CUDA that the driver[ {driver}] runs[: {driver|cuda} at most]"),
					},
				},
				Cause{
					Title: "XMRig's CUDA plugin finds no GPU[ ({gpu})]: the driver[ {driver}] is too old for the plugin's CUDA, or the GPU is",
					Text:  "The plugin is loaded and the CUDA runtime in it gives no device: the driver must be one for the CUDA in the plugin's name[ (the driver runs {driver|cuda})], and builds for CUDA 11 and newer have no code for GPUs before compute capability 3.5, those for CUDA 12 none before 5.0.",
					Remedies: []Remedy{
						fix("update the NVIDIA driver, or take the plugin's build for an older CUDA", "check", "nvidia-smi"),
					},
					Ask: "nvidia-smi, and the name of the plugin's archive",
				},
			),
			Samples: []string{" * CUDA         disabled (failed to load CUDA plugin)", "CUDA disabled (no device)"},
			Misses:  []string{" * OPENCL       disabled (no devices)"},
			Source:  "https://github.com/xmrig/xmrig-cuda/issues/79",
		},
	}
}
