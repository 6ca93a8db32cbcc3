package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cudaError are the errors of the CUDA runtime and driver by their names and
// messages, whoever prints them: those about the driver and what it offers.
func cudaError() []*Signature {
	return []*Signature{
		{
			ID: "cuda-insufficient-driver", Product: "cuda",
			Literals: []string{"insufficient for CUDA runtime", "cudaErrorInsufficientDriver", "CUDA driver version is insufficient", "driver version is insufficient"},
			Pattern:  `(?i)(?:driver\s+version\s+is\s+insufficient(?:\s+for\s+CUDA\s+runtime\s+version)?|cudaErrorInsufficientDriver)`,
			Layer:    rule.Driver, ExplainedBy: []string{"DRV002", "CTR001", "DRV001", "CTR009", "CTR005"},
			Meaning: "The driver runs no CUDA as new as the program was built with, or there is no driver (cudaErrorInsufficientDriver, 35).",
			Causes: causes(
				Cause{
					When:  on(OnJetson),
					Title: "On this Jetson the driver is part of JetPack (L4T[ {l4t}]) and runs no newer CUDA than that: a CUDA of another release was installed beside it, or the image is for another L4T",
					Text:  "Packages of the sbsa or desktop repository do not bring a driver for Jetson. Newer CUDA needs a newer JetPack, or on JetPack 5 and 6 the cuda-compat package for Jetson.",
					Remedies: []Remedy{
						fix("use JetPack's own CUDA (apt packages of the jetson repository), and images of the host's L4T", "jetson", "cat /etc/nv_tegra_release; dpkg -l | grep -e cuda-toolkit -e nvidia-l4t-core"),
						fix("or upgrade JetPack, or install cuda-compat for this JetPack", "jetson", "sudo apt-get install cuda-compat-12-2"),
					},
				},
				Cause{
					When: on(Not(Has("driver")), InContainer, Says("--gpus", "nvidia-docker", "--runtime=nvidia", "nvidia runtime", "NVIDIA Container")), Confidence: rule.Possible,
					Title: "The host's driver is too old for the CUDA in this image, or the container has no GPU (error 35, CUDA driver version is insufficient for CUDA runtime version)",
					Text:  "[The image was built with CUDA {cuda}, which needs a driver of {cuda|major|mindriver} or newer on the host. || The image was built with CUDA {cuda}, which needs a driver of {cuda|mindriver} or newer on the host.] A container uses the host's driver; without --gpus the same error means that there is none.",
					Remedies: []Remedy{
						fix("update the NVIDIA driver of the host[ to {cuda|major|mindriver} or newer || to {cuda|mindriver} or newer], or take an image of an older CUDA", "host", "nvidia-smi"),
						fix("see that the container is started with the GPU", "docker", "docker run --rm --gpus all ubuntu nvidia-smi"),
					},
					Ask: "nvidia-smi on the host: the release of the driver and its CUDA version",
				},
				Cause{
					When:  on(Has("driver"), Says("catboost")),
					Title: "Driver {driver}[, which runs CUDA {driver|cuda},] is too old for this release of CatBoost",
					Text:  "cudaErrorInsufficientDriver (35). CatBoost's packages bring their own CUDA runtime, so a toolkit does not matter: 0.10 wanted driver 390 or newer (CUDA 9.1), 0.22 and 0.24 want 418.39 (CUDA 10.1), 1.1 wants 450.80.02 (CUDA 11).",
					Remedies: []Remedy{
						fix("update the driver to 450.80.02 or newer (418.39 is enough for CatBoost 0.22 to 0.24)", "check", "nvidia-smi"),
						fix("or use a CatBoost of the driver's time"),
					},
				},
				Cause{
					When:  on(Has("driver"), Says("cudf", "cuml", "rapids", "RAPIDS", "cugraph")),
					Title: "Driver {driver}[, which runs CUDA {driver|cuda},] is too old for this release of RAPIDS",
					Text:  "cudaErrorInsufficientDriver (35). RAPIDS 22 to 24 is built for CUDA 11.2 and newer (driver 450.80.02 or newer) or for CUDA 12 (525.60.13 or newer), RAPIDS 25 for CUDA 12 and 13 (580 or newer). Installing a CUDA toolkit does not change the driver.",
					Remedies: []Remedy{
						fix("update the driver: to 450.80.02 or newer for packages of CUDA 11 (cudf-cu11), 525.60.13 for CUDA 12 (cudf-cu12), 580 for CUDA 13"),
						fix("or use a RAPIDS release of the driver's time[, built for CUDA {driver|cuda}]"),
					},
				},
				Cause{
					When:  on(Has("driver"), Has("cuda"), Not(Differ("driver|cuda", "cuda")), Not(Below("driver", "{cuda|mindriver}"))),
					Title: "Driver {driver}[, which runs CUDA {driver|cuda},] is too old for the CUDA of this program",
					Text:  "cudaErrorInsufficientDriver (35): the program's CUDA runtime is of a newer major release than the driver runs. CUDA 11 needs driver 450.80.02 or newer, CUDA 12 525.60.13, CUDA 13 580. Installing a CUDA toolkit does not change the driver.",
					Remedies: []Remedy{
						fix("update the driver to one for the program's CUDA: 450.80.02 or newer for CUDA 11, 525.60.13 for CUDA 12, 580 for CUDA 13", "check", "nvidia-smi"),
						fix("or use a build of the program for CUDA {driver|cuda} or older"),
					},
				},
				Cause{
					When:  on(Has("driver")),
					Title: "Driver {driver}[, which runs CUDA {driver|cuda},] is too old for the CUDA of this program[ ({cuda})]",
					Text:  "cudaErrorInsufficientDriver (35): the program's CUDA runtime is of a newer major release than the driver runs. [CUDA {cuda} needs driver {cuda|major|mindriver} or newer. || CUDA {cuda} needs driver {cuda|mindriver} or newer.] Installing a CUDA toolkit does not change the driver.",
					Remedies: []Remedy{
						fix("update the driver[ to {cuda|major|mindriver} or newer || to {cuda|mindriver} or newer]"),
						fix("or use a build of the program for CUDA {driver|cuda} or older"),
					},
				},
				Cause{
					Title: "The driver is too old for the CUDA of this program[, {cuda}, which needs driver {cuda|mindriver} or newer], or there is none (error 35)",
					Text:  "cudaErrorInsufficientDriver: CUDA driver version is insufficient for CUDA runtime version. [The program was built with CUDA {cuda}, which needs driver {cuda|major|mindriver} or newer. || CUDA 11 needs driver 450.80.02 or newer, CUDA 12 525.60.13, CUDA 13 580. ]It also comes where libcuda.so.1 is missing. Installing a CUDA toolkit does not change the driver.",
					Remedies: []Remedy{
						fix("update the driver[ to {cuda|major|mindriver} or newer || to {cuda|mindriver} or newer], or use a build of the program for an older CUDA", "check", "nvidia-smi"),
					},
					Ask: "nvidia-smi: the driver's release and its CUDA version",
				},
			),
			Samples: []string{
				"CUDA error: CUDA driver version is insufficient for CUDA runtime version",
				"cupy_backends.cuda.api.runtime.CUDARuntimeError: cudaErrorInsufficientDriver: CUDA driver version is insufficient for CUDA runtime version",
			},
			Misses: []string{"the driver version is sufficient"},
			Source: "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
		{
			ID: "cuda-no-device", Product: "cuda",
			Literals: []string{"no CUDA-capable device is detected", "cudaErrorNoDevice", "CUDA_ERROR_NO_DEVICE"},
			Layer:    rule.DeviceExposure, Strength: Weak, ExplainedBy: []string{"DEV001", "DEV002", "DEV003", "DEV004", "DEV005", "DEV007", "CTR007", "CTR010", "HWR001", "HWR003", "KRN001"},
			Meaning: "The driver started and shows this process no GPU (error 100).",
			Causes: causes(
				Cause{
					When:     on(Has("visible")),
					Title:    "CUDA sees no GPU: CUDA_VISIBLE_DEVICES is {visible}",
					Text:     "Error 100, no CUDA-capable device is detected. CUDA shows the GPUs of CUDA_VISIBLE_DEVICES up to the first entry that does not exist; -1, an empty value or a wrong first entry hides all.",
					Remedies: []Remedy{fix("unset CUDA_VISIBLE_DEVICES, or set it to what nvidia-smi -L lists", "shell", "unset CUDA_VISIBLE_DEVICES; nvidia-smi -L")},
				},
				Cause{
					When:     on(InContainer),
					Title:    "CUDA sees no GPU in this container (error 100, no CUDA-capable device is detected)",
					Text:     "The driver's libraries are in the container, its devices are not: the container was given none, its cgroup does not allow them, or CUDA_VISIBLE_DEVICES hides them.",
					Remedies: []Remedy{fix("start the container with --gpus all, or in Kubernetes with a limit of nvidia.com/gpu", "docker", "docker run --rm --gpus all ubuntu nvidia-smi -L")},
					Ask:      "inside the container: nvidia-smi -L; ls -l /dev/nvidia*; env | grep VISIBLE",
				},
				Cause{
					Title:    "CUDA sees no GPU (error 100, no CUDA-capable device is detected)",
					Text:     "The driver's library answers, but there is no GPU behind it for this process: CUDA_VISIBLE_DEVICES hides it, its device nodes are missing or not readable, or the kernel module drives none.",
					Remedies: []Remedy{fix("look at what the driver sees, and unset CUDA_VISIBLE_DEVICES", "check", "nvidia-smi -L; ls -l /dev/nvidia*; env | grep VISIBLE")},
					Ask:      "nvidia-smi -L and env | grep VISIBLE, in the same place as the program",
				},
			),
			Samples: []string{
				"RuntimeError: CUDA error: no CUDA-capable device is detected",
				"failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected",
			},
			Misses: []string{"a CUDA-capable device is detected"},
			Source: "https://github.com/NVIDIA/cuda-python/blob/main/cuda_core/cuda/core/_utils/driver_cu_result_explanations.py",
		},
	}
}
