package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// hashcat is what hashcat says of GPUs and of the toolkit that it compiles its kernels with.
func hashcat() []*Signature {
	return []*Signature{
		{
			ID: "hashcat-old-gpu", Product: "hashcat",
			Literals: []string{"This hardware has outdated CUDA compute capability"},
			Pattern:  `This hardware has outdated CUDA compute capability \((?P<gpucc>\d\.\d)\)`,
			Layer:    rule.GPUArch,
			Meaning:  "hashcat warns that the GPU is older than what its CUDA code is made for.",
			Causes: causes(Cause{
				Title:    "The GPU[ {gpu}] is too old for hashcat's CUDA code: compute capability {gpucc}, where 5.0 or newer is asked for",
				Text:     "hashcat compiles its kernels with the NVRTC of the toolkit that is installed, and new releases of CUDA do not compile for {gpucc}: CUDA 10.2 was the last for 3.0, 11.x for 3.5 and 3.7. A newer driver or toolkit makes it worse.",
				Remedies: []Remedy{fix("let hashcat use OpenCL of the driver in place of CUDA", "shell", "hashcat --backend-ignore-cuda"), fix("or remove the new toolkit, or use a newer GPU")},
			}),
			Samples: []string{"* Device #1: This hardware has outdated CUDA compute capability (3.5)."},
			Misses:  []string{"CUDA compute capability (8.6)"},
			Source:  "https://github.com/hashcat/hashcat/issues/2697",
		},
		{
			ID: "hashcat-no-toolkit", Product: "hashcat",
			Literals: []string{"CUDA SDK Toolkit installation NOT detected", "CUDA SDK Toolkit not installed or incorrectly installed"},
			Layer:    rule.Toolkit,
			Meaning:  "hashcat finds the driver and no NVRTC of a toolkit.",
			Causes: causes(Cause{
				Title:    "hashcat does not find the CUDA toolkit and falls back to OpenCL[ (driver {driver})]",
				Text:     "Its CUDA code is compiled at run time with NVRTC of the CUDA toolkit, which the driver does not bring. OpenCL works too, more slowly.",
				Remedies: []Remedy{fix("install the CUDA toolkit and have libnvrtc (nvrtc64_*.dll on Windows) on the loader's path", "Debian, Ubuntu", "sudo apt-get install nvidia-cuda-toolkit", "check", "hashcat -I")},
			}),
			Samples: []string{"* Device #1: CUDA SDK Toolkit installation NOT detected."},
			Misses:  []string{"CUDA SDK Toolkit installation detected"},
			Source:  "https://hashcat.net/faq/",
		},
	}
}
