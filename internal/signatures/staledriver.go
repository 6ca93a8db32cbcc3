package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// staleDriver is about containers and programs that hold on to a driver that was there before, and nodes that
// nobody has made yet since the start of the machine.
func staleDriver() []*Signature {
	return []*Signature{
		{
			ID: "nvidia-docker-volume-old", Product: "nvidia-docker",
			Literals: []string{"nvidia_driver_", "nvidia-docker/volumes"},
			Pattern:  `nvidia_driver_(?P<old>\d{3}\.\d+(?:\.\d+)?)|nvidia-docker/volumes/nvidia_driver/(?P<old>\d{3}\.\d+(?:\.\d+)?)`,
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Strong,
			Meaning: "nvidia-docker 1 keeps the driver in a volume named with its release.",
			Causes: causes(Cause{
				When:     on(Says("mismatch", "not found", "no such", "fails", "failed", "error")),
				Title:    "The container is bound to nvidia-docker 1's volume of the old driver (nvidia_driver_{old}), and the host has another release now",
				Text:     "The volume's name is fixed when the container is created. A container of before the driver's update keeps the old libraries, which do not fit the new kernel module.",
				Remedies: []Remedy{fix("remove the container and create it anew", "shell", "docker rm CONTAINER; docker volume ls | grep nvidia_driver"), fix("move to nvidia-container-toolkit, which mounts the driver at every start")},
			}),
			Samples: []string{"docker volume ls: nvidia_driver_384.111"},
			Misses:  []string{"nvidia_driver_version"},
			Source:  "https://github.com/NVIDIA/nvidia-docker/issues/365",
		},
		{
			ID: "told-container-after-driver-update", Product: "docker",
			Literals: []string{"updating the NVIDIA driver", "updated the NVIDIA driver", "updating the driver", "updated the driver", "driver update", "driver was updated", "updated my driver", "upgraded the driver", "upgrading the driver", "driver upgrade", "updated nvidia driver", "update the Nvidia Drivers", "new driver on the host", "upgraded the host driver", "update of the host"},
			Pattern:  `(?i)(?:updat|upgrad)\w+ (?:the |my |of the |your )?(?:host'?s? )?(?:nvidia )?(?:gpu )?(?:graphics )?drivers?|driver (?:update|upgrade|was updated|was upgraded)|new driver on the host`,
			Layer:    rule.ContainerRuntime, Role: Context, Strength: Strong,
			Meaning: "Somebody updated the driver of the host.",
			Causes: causes(Cause{
				When:     on(InContainer, Says("container still", "in the container", "the container", "inside the container", "docker container"), Says("CUDA Version: N/A", "CUDA Version: ERR", "CUDA version N/A", "stale", "old version", "old driver", "still shows", "no longer sees", "file too short", "cannot open shared", "no such file"), Not(Says("could not select", "library version mismatch"))),
				Title:    "The container was created before the driver's update and still has the old driver's files: it has to be created anew (a restart is not enough)",
				Text:     "The toolkit mounts the driver's libraries by their release when the container is created or started through its hook; CDI specifications and links inside of the container keep the old names.",
				Remedies: []Remedy{fix("remove and create the container again; with CDI make the specification anew first", "docker", "docker compose up -d --force-recreate", "host", "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml")},
			}),
			Samples: []string{"after updating the driver of the host", "since the driver update"},
			Misses:  []string{"update the weights"},
			Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/cdi-support.html",
		},
		{
			ID: "told-works-after-first-use", Product: "nvidia-modprobe",
			Literals: []string{"until I run nvidia-smi", "until root runs", "until somebody runs", "until someone runs", "unless I run", "until nvidia-smi", "after running nvidia-smi", "run nvidia-smi first", "running nvidia-smi once", "run nvidia-smi once", "ran once", "runs once", "after each reboot", "after every reboot", "after a reboot until", "after boot until", "first run on the host", "until I run a", "until a CUDA program", "until I start"},
			Pattern:  `(?i)(?:until|unless|before|after)\b[^\n.]{0,30}\b(?:ran|runs?|running|start(?:ed|s|ing)?)\b[^\n.]{0,40}(?:nvidia-smi|cuda|deviceQuery|bandwidthTest|as root|on the host)|run nvidia-smi (?:once|first)|after (?:each|every|a|the) (?:re)?boot[^\n.]{0,60}until`,
			Layer:    rule.KernelModule, Role: Context, Strength: Strong,
			Where:   on(Says("boot", "restart", "power")),
			Meaning: "The GPU works after somebody has used it once since the start of the machine.",
			Causes: causes(Cause{
				When:     on(Says("nvidia", "cuda", "gpu")),
				Title:    "Since the start nobody has loaded nvidia_uvm and made the device nodes (/dev/nvidia*, /dev/nvidia-uvm): the first program of root does it (nvidia-modprobe), one in a container or without rights cannot",
				Text:     "That is why it works after one run on the host. nvidia-modprobe is a set-uid program that the driver's libraries call; it is not installed, or may not act where the program runs (containers, no_new_privs, services).",
				Remedies: []Remedy{fix("load the modules and make the nodes at every start", "host", "sudo nvidia-modprobe -c0 -u && printf 'nvidia\\nnvidia_uvm\\n' | sudo tee /etc/modules-load.d/nvidia.conf && sudo systemctl enable --now nvidia-persistenced", "check", "ls -l /dev/nvidia*")},
			}),
			Samples: []string{"after each reboot it fails until I run nvidia-smi as root", "works after running nvidia-smi on the host once after the boot"},
			Misses:  []string{"after the reboot all is well"},
			Source:  "https://github.com/NVIDIA/nvidia-modprobe",
		},
		{
			ID: "opencl-or-cuda-none", Product: "folding at home",
			Literals: []string{"No CUDA or OpenCL", "no CUDA or OpenCL", "No OpenCL platform", "clGetPlatformIDs", "CL_PLATFORM_NOT_FOUND", "no OpenCL devices", "No OpenCL devices", "OpenCL device not found"},
			Pattern:  `(?i)No CUDA or OpenCL[^\n]{0,40}support detected|No OpenCL (?:platforms?|devices?)|clGetPlatformIDs?[^\n]{0,40}(?:fail|error|-1001)|CL_PLATFORM_NOT_FOUND|-1001\b[^\n]{0,30}OpenCL`,
			Layer:    rule.Driver, Strength: Usual,
			Meaning: "A program finds no OpenCL (or CUDA) of a driver.",
			Causes: causes(
				Cause{
					When: on(InContainer, Not(Has("driver"))), Layer: rule.ContainerRuntime,
					Title:    "OpenCL finds no platform in the container: /etc/OpenCL/vendors/nvidia.icd is not in the image, or the capability compute is missing",
					Text:     "The toolkit mounts libnvidia-opencl with NVIDIA_DRIVER_CAPABILITIES=compute; the vendor file and the loader (ocl-icd-libopencl1) have to be in the image.",
					Remedies: []Remedy{fix("put both into the image", "Dockerfile", "RUN apt-get install -y ocl-icd-libopencl1 && mkdir -p /etc/OpenCL/vendors && echo libnvidia-opencl.so.1 > /etc/OpenCL/vendors/nvidia.icd"), fix("start it with --gpus all and NVIDIA_DRIVER_CAPABILITIES=compute,utility", "check", "clinfo -l")},
				},
				Cause{
					Title:    "The program finds no CUDA or OpenCL of the driver[ {driver}]: the driver is too old for it, or its OpenCL part (nvidia.icd, libnvidia-opencl) is missing",
					Text:     "A program or image that was built for a newer CUDA does not take an older driver, and says no more than that.",
					Remedies: []Remedy{fix("update the driver of the host, or stay with the release of the program that works with it"), fix("see whether OpenCL is there; install the loader and the driver's part", "ubuntu", "clinfo -l; ls /etc/OpenCL/vendors; sudo apt-get install ocl-icd-libopencl1 nvidia-opencl-icd"), fix("in a container the vendor file /etc/OpenCL/vendors/nvidia.icd has to be in the image")},
				},
			),
			Samples: []string{"WARNING:FS01:No CUDA or OpenCL 1.2+ support detected for GPU slot 01", "clGetPlatformIDs failed: -1001"},
			Misses:  []string{"OpenCL platform 0: NVIDIA CUDA"},
			Source:  "https://github.com/linuxserver/docker-foldingathome/issues/7",
		},
	}
}
