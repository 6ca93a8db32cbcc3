package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// pytorchDriver is what PyTorch says when it finds no driver, an old one, or one that does not answer.
func pytorchDriver() []*Signature {
	return []*Signature{
		{
			ID: "pytorch-driver-too-old", Product: "pytorch",
			Literals: []string{"driver on your system is too old", "NVIDIA driver on your", "Please update your GPU driver"},
			Pattern:  `(?:NVIDIA\s+driver\s+on\s+your\s+system\s+is\s+too\s+old(?:\s*\(found\s+version\s+(?P<found>\d+)\))?|\(found version (?P<found>\d+)\)\.?\s*Please update your GPU driver)`,
			Layer:    rule.Driver, Strength: Strong, ExplainedBy: []string{"DRV002"},
			Meaning: "PyTorch was built with a newer CUDA than the driver runs.",
			Causes: causes(Cause{
				When:  on(Is("found", `^12\d{3}$`), Not(Has("torch_cuda"))),
				Title: "The NVIDIA driver[ {driver}] is too old for this PyTorch: it runs CUDA {found|fromint}, and PyTorch is built with CUDA 13, which needs driver 580 or newer",
				Text:  "Within CUDA 12 PyTorch would run with this driver; that it refuses means that its build is of CUDA 13.0 or newer (cu130), which is what the package index gives by default today. PyTorch brings its own CUDA runtime: a toolkit on the machine does not change this. In a container, the driver is the host's.",
				Remedies: []Remedy{
					{
						Summary: "keep the driver[ {driver}] and install a PyTorch for CUDA 12: [torch {found|fromint|torchfordriver} || {found|fromint|cutag}]",
						Layer:   rule.FrameworkBuild,
						Commands: []rule.Command{{
							For: "pip",
							Run: "python -m pip install --force-reinstall torch=={found|fromint|torchfordriver} --index-url https://download.pytorch.org/whl/{found|fromint|torchfordriver|variant}",
						}},
					},
					fix("or update the NVIDIA driver of the machine to 580 or newer (CUDA 13.0), then restart it"),
				},
			}, Cause{
				Title: "The NVIDIA driver is too old for this PyTorch[: it runs CUDA {found|fromint}][, PyTorch was built with CUDA {torch_cuda} || ; the text has CUDA {toolkit} || ; the text has CUDA {runtime}]",
				Text: "[The driver answers {found}, which is CUDA {found|fromint} and not its own release. ]" +
					"[This PyTorch was built with CUDA {torch_cuda} and needs a driver of {torch_cuda|major|mindriver} or newer. || This PyTorch was built with CUDA {torch_cuda} and needs a driver of {torch_cuda|mindriver} or newer. ]" +
					" PyTorch brings its own CUDA runtime: a toolkit on the machine does not change this. In a container, the driver is the host's.",
				Remedies: []Remedy{
					fix("update the NVIDIA driver of the machine[ to {torch_cuda|major|mindriver} or newer || to {torch_cuda|mindriver} or newer], then restart it"),
					{
						Summary: "or keep the driver[ {driver}] and install a PyTorch for the CUDA it runs: [torch {found|fromint|torchfordriver} || a build for CUDA {found|fromint} or older, {found|fromint|cutag}]",
						Layer:   rule.FrameworkBuild,
						Commands: []rule.Command{{
							For: "pip",
							Run: "python -m pip install --force-reinstall torch=={found|fromint|torchfordriver} --index-url https://download.pytorch.org/whl/{found|fromint|torchfordriver|variant}",
						}},
					},
				},
			}),
			Samples: []string{
				"RuntimeError: The NVIDIA driver on your system is too old (found version 11020). Please update your GPU driver by downloading and installing a new",
				"UserWarning: CUDA initialization: The NVIDIA driver on your system is too old (found version 12020).",
				"The NVIDIA driver on your system is too old (found version 8000).\nPlease update your GPU driver by downloading and installing a new\nversion from the URL: http://www.nvidia.com/Download/index.aspx",
			},
			Misses: []string{"Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU"},
			Source: "https://github.com/lllyasviel/Fooocus/issues/1313",
		},
		{
			ID: "pytorch-no-driver", Product: "pytorch",
			Literals: []string{"Found no NVIDIA driver", "no NVIDIA driver on your system"},
			Pattern:  `(?:Found no|no) NVIDIA\s+driver\s+on\s+your\s+system`,
			Layer:    rule.Driver, ExplainedBy: []string{"DRV001", "CTR001", "CTR010", "DRV004", "DEV006", "KRN002", "KRN003"},
			Meaning: "PyTorch, a CUDA build, could not open libcuda.so.1, or the driver behind it did not start.",
			Causes: causes(
				Cause{
					When: on(InKubernetes), Layer: rule.ContainerRuntime,
					Title: "The pod runs without the NVIDIA driver: it was given no GPU",
					Text:  "In a pod the driver's libraries come from the node, and only where the pod asks for a GPU and the node's NVIDIA runtime answers.",
					Remedies: []Remedy{fix("request nvidia.com/gpu in the pod's limits, and set runtimeClassName: nvidia where the nvidia runtime is not the default",
						"check", "kubectl describe node | grep nvidia.com/gpu")},
					Ask: "kubectl get pod POD -o yaml, with its limits and its runtimeClassName",
				},
				Cause{
					When: on(whileBuilding, Not(Says("docker run"))), Layer: rule.ContainerRuntime,
					Title: "No NVIDIA driver while the image is built: docker build gives a build no GPU",
					Text:  "The driver's libraries and devices come into a container when it runs with a GPU; a step of a Dockerfile has neither, whatever the host has. The model can be downloaded in the build, and moved to the GPU when the container runs.",
					Remedies: []Remedy{
						fix("move the step that needs the GPU from the build to the container's start, and load on the CPU in the build (map_location, device=\"cpu\")"),
						fix("or make nvidia the default runtime of Docker, which the classic builder uses for its steps too", "host", "sudo nvidia-ctk runtime configure --runtime=docker --set-as-default && sudo systemctl restart docker", "build", "DOCKER_BUILDKIT=0 docker build ."),
					},
				},
				Cause{
					When: on(InContainer, Not(asksForGPU)), Layer: rule.DeviceExposure,
					Title: "No NVIDIA driver inside the container: it was started without the GPU (--gpus all)",
					Text: "A container has the driver's libraries only where it is started with a GPU: --gpus all, runtime: nvidia (nvidia-docker once), or a deploy reservation in Compose. " +
						"privileged alone does not bring them. A driver does not belong into the image, it is the host's.",
					Remedies: []Remedy{
						fix("start the container with --gpus all (docker run), or in Compose with deploy.resources.reservations.devices: driver nvidia, capabilities gpu", "docker", "docker run --rm --gpus all ubuntu nvidia-smi"),
						fix("where that fails, install the NVIDIA container toolkit on the host and register its runtime", "host", "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker"),
					},
					Ask: "does nvidia-smi work on the host, and with which options was the container started",
				},
				Cause{
					When: on(InContainer), Layer: rule.ContainerRuntime,
					Title: "No NVIDIA driver inside the container: it was started without access to the GPU",
					Text: "A container has the driver's libraries only where it is started with a GPU: --gpus all, runtime: nvidia, or a deploy reservation in Compose. " +
						"A driver does not belong into the image, it is the host's.",
					Remedies: []Remedy{
						fix("start the container with --gpus all (docker run), or in Compose with deploy.resources.reservations.devices: driver nvidia, capabilities gpu", "docker", "docker run --rm --gpus all ubuntu nvidia-smi"),
						fix("where that fails, install the NVIDIA container toolkit on the host and register its runtime", "host", "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker"),
					},
					Ask: "does nvidia-smi work on the host, and with which options was the container started",
				},
				Cause{
					When: on(OnWSL), Layer: rule.DeviceExposure,
					Title:    "WSL does not see the driver of Windows: libcuda.so.1 from /usr/lib/wsl/lib is not found",
					Text:     "In WSL the driver is the one of Windows, passed in as /usr/lib/wsl/lib/libcuda.so.1. A Linux driver does not belong into WSL.",
					Remedies: []Remedy{fix("update WSL and the driver of Windows, and let the loader find /usr/lib/wsl/lib", "PowerShell", "wsl --update", "check", "ls -l /usr/lib/wsl/lib/libcuda.so.1 /dev/dxg")},
				},
				Cause{
					When: on(OnJetson), Layer: rule.FrameworkBuild,
					Title:    "This PyTorch is not the build for Jetson",
					Text:     "A Jetson's GPU is driven by JetPack, and the wheels for servers look for another driver. PyTorch for Jetson comes from NVIDIA, for the JetPack that is installed.",
					Remedies: []Remedy{fix("install NVIDIA's PyTorch wheel or container for this JetPack[ (L4T {l4t})]")},
				},
				Cause{
					Title: "PyTorch finds no NVIDIA driver on this machine",
					Text:  "This PyTorch is built for CUDA, but libcuda.so.1, which the driver installs, is not there or does not start. A CUDA toolkit does not bring it.",
					Remedies: []Remedy{
						fix("install the NVIDIA driver for this GPU and restart", "check", "nvidia-smi"),
						fix("where there is no NVIDIA GPU, run on the CPU: device=\"cpu\" instead of .cuda()"),
					},
					Ask: "nvidia-smi on this machine: does it list the GPU?",
				},
			),
			Samples: []string{
				"AssertionError: Found no NVIDIA driver on your system. Please check that you",
				"RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from http://www.nvidia.com/Download/index.aspx",
			},
			Misses: []string{"installs the NVIDIA driver on your system"},
			Source: "https://github.com/pytorch/pytorch/issues/49325",
		},
	}
}

var (
	// asksForGPU are the ways to start a container with a GPU.
	asksForGPU = Says("--gpus", "gpus: all", "--runtime", "runtime: nvidia", "runtime=nvidia", "nvidia-docker", "default-runtime", "default runtime", "device_requests", "reservations", "nvidia.com/gpu", "nvidia-ctk", "nvidia runtime", "--device")
	// whileBuilding are words of a text about the build of an image.
	whileBuilding = Says("docker build process", "during docker build", "during the docker build", "during build", "during the build", "build process", "build time", "build-time", "while building", "when building the", "when I build the", "in the Dockerfile", "RUN python")
)
