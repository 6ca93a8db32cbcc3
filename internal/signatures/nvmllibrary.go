package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvmlLibrary is what is said where libnvidia-ml is not found.
func nvmlLibrary() []*Signature {
	return []*Signature{
		{
			ID: "driver-nvml-library-missing", Product: "NVIDIA driver",
			Literals: []string{"libnvidia-ml.so", "nvml shared library", "nvml.dll"},
			Pattern: `(?i)(?P<lib>libnvidia-ml\.so(?:\.1)?)['"]?:? cannot open shared object file|couldn'?t find (?P<lib>libnvidia-ml\.so) library|NVML Shared Library Not Found` +
				`|(?:could not|failed to|unable to|cannot) (?:load|open|find)(?: library| the library| NVML library)?:? ['"]?(?P<lib>libnvidia-ml\.so(?:\.1)?|nvml\.dll)`,
			Strength: Usual,
			Meaning:  "The driver's management library is not found.",
			Layer:    rule.Driver,
			Causes: causes(
				Cause{
					When:     on(OnWSL),
					Layer:    rule.DeviceExposure,
					Title:    "libnvidia-ml.so.1 is not found in WSL: it is in /usr/lib/wsl/lib",
					Text:     "The Windows driver passes its libraries into WSL at /usr/lib/wsl/lib. They are not on the loader's path, or the Windows driver is missing or too old. A Linux driver must not be installed inside WSL.",
					Remedies: []Remedy{fix("put /usr/lib/wsl/lib on LD_LIBRARY_PATH; where it is empty, update the driver on Windows and WSL", "bash", "export LD_LIBRARY_PATH=/usr/lib/wsl/lib:$LD_LIBRARY_PATH", "powershell", "wsl --update")},
				},
				Cause{
					When:  on(InKubernetes),
					Layer: rule.ContainerRuntime,
					Title: "libnvidia-ml.so.1 is not in the pod: its containers do not run with the NVIDIA runtime",
					Text:  "The nvidia runtime mounts the driver's libraries. The node's container runtime does not use it for this pod, or the node has no driver.",
					Remedies: []Remedy{
						fix("make nvidia the node's default runtime, or set runtimeClassName: nvidia on the pod (for the device plugin too)", "node", "sudo nvidia-ctk runtime configure --runtime=containerd --set-as-default && sudo systemctl restart containerd"),
						fix("where nvidia-smi fails on the node itself, install the driver there first"),
					},
					Ask: "nvidia-smi on the node",
				},
				Cause{
					When:     on(Says("nvidia-container-cli", "load library failed"), Says("snap", "rootless", "Docker Desktop", "docker desktop")),
					Layer:    rule.ContainerRuntime,
					Title:    "the container toolkit does not find libnvidia-ml.so.1: this Docker (snap, rootless or Desktop) does not see the host's driver",
					Text:     "Docker from snap and Docker Desktop for Linux run where the host's driver libraries are not visible.",
					Remedies: []Remedy{fix("use Docker Engine from Docker's own packages instead of the snap or Docker Desktop, then configure the NVIDIA container toolkit", "docker", "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker")},
				},
				Cause{
					When:     on(Says("nvidia-container-cli", "load library failed")),
					Title:    "the NVIDIA driver is not installed on the host: the container toolkit finds no libnvidia-ml.so.1",
					Text:     "nvidia-container-cli looks for the driver on the host and finds no library of it. The fault is on the host, not in the image. Docker from snap or rootless Docker can hide the driver as well.",
					Remedies: []Remedy{fix("install the driver on the host until nvidia-smi works there", "ubuntu", "sudo ubuntu-drivers install")},
					Ask:      "nvidia-smi on the host",
				},
				Cause{
					When:  on(Says("singularity", "apptainer")),
					Layer: rule.ContainerRuntime,
					Title: "libnvidia-ml.so.1 is not found in the Apptainer or Singularity container: it was started without --nv, or its loader does not look in /.singularity.d/libs",
					Text:  "With --nv the host's driver libraries are bound to /.singularity.d/libs, which only LD_LIBRARY_PATH makes known. A program that sets that variable anew, or that brings its own loader (EESSI, Nix, conda), does not look there.",
					Remedies: []Remedy{
						fix("start with --nv, and see that LD_LIBRARY_PATH keeps /.singularity.d/libs", "apptainer", "apptainer exec --nv {image} sh -c 'ls /.singularity.d/libs; echo $LD_LIBRARY_PATH; nvidia-smi'"),
					},
				},
				Cause{
					When:  on(InContainer),
					Layer: rule.ContainerRuntime,
					Title: "libnvidia-ml.so.1 is not in the container: no GPU was asked for, or the capabilities leave utility out",
					Text:  "The NVIDIA container toolkit mounts libnvidia-ml.so.1 where a container asks for GPUs and NVIDIA_DRIVER_CAPABILITIES has utility.",
					Remedies: []Remedy{
						fix("start the container with the GPU and with utility among the capabilities", "docker", "docker run --rm --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility {image} nvidia-smi"),
					},
				},
				Cause{
					Title: "libnvidia-ml.so.1 is not found: the NVIDIA driver is not installed, or its libraries are not on the loader's path",
					Text:  "libnvidia-ml.so.1 comes with the driver alone (on Ubuntu in libnvidia-compute). pip packages such as nvidia-ml-py only call it.",
					Remedies: []Remedy{fix("install the driver, or where it is installed its compute libraries of the same version, and run ldconfig", "ubuntu", "sudo ubuntu-drivers install"),
						fix("without an NVIDIA GPU nothing is to be mended: use the program on the CPU")},
					Ask: "nvidia-smi",
				},
			),
			Samples: []string{
				"OSError: libnvidia-ml.so.1: cannot open shared object file: No such file or directory",
				"NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure that the NVIDIA Display Driver is properly installed",
				"pynvml.NVMLError_LibraryNotFound: NVML Shared Library Not Found",
				"could not load NVML library: libnvidia-ml.so.1: cannot open shared object file: No such file or directory",
			},
			Misses: []string{"libnvidia-ml.so.1 => /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1"},
			Source: "https://github.com/NVIDIA/k8s-device-plugin/issues/478",
		},
	}
}
