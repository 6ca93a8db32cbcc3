package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// driverLibrary are the libraries that only the display driver brings: where
// one is missing, no package of CUDA mends it.
func driverLibrary() []*Signature {
	return []*Signature{
		{
			ID: "loader-libcuda-missing", Product: "NVIDIA driver",
			Literals: []string{"libcuda.so", "nvcuda.dll"},
			Pattern: `(?i)(?P<lib>libcuda\.so(?:\.1)?(?:\.1)?)['"]?\)?:? (?:cannot open shared object file|=> not found|not found|cannot found|is not found|is missing|(?:could not|cannot|can't|can not) be (?:found|loaded|opened))` +
				`|(?:could not (?:load|find|open)(?: dynamic)?|failed to (?:load|open|find)|unable to (?:load|find)|can(?:no|')t (?:load|find|open))(?: library| shared library| the library| DLL| the)?:? ['"\x60]?(?P<lib>libcuda\.so(?:\.1)?|nvcuda(?:\.dll)?)` +
				`|\bmissing ['"\x60]?(?P<lib>libcuda\.so(?:\.1)?|nvcuda\.dll)\b` +
				`|(?P<lib>nvcuda\.dll)['"]? (?:was |could |is )?not (?:be )?(?:found|loaded)`,
			Strength: Strong,
			Meaning:  "The driver's CUDA library is not found; CUDA programs cannot start without it.",
			Causes: causes(
				Cause{
					When:  on(OnWSL),
					Layer: rule.DeviceExposure,
					Title: "libcuda is not found in WSL: it is in /usr/lib/wsl/lib, where the program does not look",
					Text: "In WSL the libcuda of the Windows driver lies in /usr/lib/wsl/lib. It is missing from the linker's cache or from LD_LIBRARY_PATH, or the Windows driver does not pass the GPU in. " +
						"A Linux driver must not be installed inside WSL.",
					Remedies: []Remedy{
						fix("put /usr/lib/wsl/lib on the loader's path", "bash", "export LD_LIBRARY_PATH=/usr/lib/wsl/lib:$LD_LIBRARY_PATH", "ldconfig", "echo /usr/lib/wsl/lib | sudo tee /etc/ld.so.conf.d/ld.wsl.conf && sudo ldconfig"),
						fix("where the directory is empty, install the NVIDIA driver on Windows and run wsl --update, then wsl --shutdown"),
					},
					Ask: "ls -l /usr/lib/wsl/lib/libcuda* /dev/dxg",
				},
				Cause{
					When: on(OnJetson, Says("jetson-containers build", "docker build", "build or install failed", "dockerfile")), Layer: rule.ContainerRuntime,
					Title:    "libcuda is not there while an image is built on the Jetson: docker build has the driver only where the nvidia runtime is the default",
					Text:     "The driver's libraries belong to L4T and are mounted by the nvidia runtime; docker build cannot name a runtime, so it has to be Docker's default.",
					Remedies: []Remedy{fix("make it the default (\"default-runtime\": \"nvidia\" in daemon.json), restart Docker and build with the old builder", "jetson", "sudo nvidia-ctk runtime configure --runtime=docker --set-as-default && sudo systemctl restart docker; DOCKER_BUILDKIT=0 docker build .")},
				},
				Cause{
					When: on(OnJetson, Any(byEngine, Says("docker", "container"))), Layer: rule.ContainerRuntime,
					Title:    "libcuda is not found in the container on the Jetson: it runs without the nvidia runtime, or on an image of another L4T",
					Text:     "libcuda belongs to L4T and is mounted by the nvidia runtime (--runtime nvidia; in compose files runtime: nvidia, or default-runtime in daemon.json). The image has to be for the host's L4T release.",
					Remedies: []Remedy{fix("start it with the nvidia runtime, or make that the default", "jetson", "sudo nvidia-ctk runtime configure --runtime=docker --set-as-default && sudo systemctl restart docker; docker run --rm --runtime nvidia IMAGE ls /usr/lib/aarch64-linux-gnu/tegra /usr/lib/aarch64-linux-gnu/nvidia"), fix("where the library is missing on the host too, install JetPack's packages again", "apt", "sudo apt-get install --reinstall nvidia-l4t-cuda && sudo ldconfig")},
				},
				Cause{
					When:  on(OnJetson),
					Title: "libcuda is not found on the Jetson",
					Text:  "On Jetson libcuda belongs to L4T (package nvidia-l4t-cuda, directory /usr/lib/aarch64-linux-gnu/tegra or nvidia). A desktop driver does not fit, and in a container it is mounted only by the nvidia runtime.",
					Remedies: []Remedy{fix("in a container, start it with --runtime nvidia on an image of the same L4T release"),
						fix("on the host, install JetPack's packages again and run ldconfig", "apt", "sudo apt-get install --reinstall nvidia-l4t-cuda && sudo ldconfig")},
				},
				Cause{
					When:  on(Says("docker build", "buildx", "buildkit", "RUN python", "RUN pip", "RUN make", "podman build", "buildah", "kaniko")),
					Layer: rule.ContainerRuntime,
					Title: "libcuda.so.1 is not there while an image is built: docker build gives no GPU and no driver",
					Text:  "The driver's libraries come into a container when it runs with a GPU. While an image is built there are none, so nothing that loads libcuda.so.1 can run then.",
					Remedies: []Remedy{fix("move the step that needs the GPU to the container's start"),
						fix("for linking alone, link against the stub: -L/usr/local/cuda/lib64/stubs -lcuda; do not put the stubs on LD_LIBRARY_PATH, a program that loads them does not find the GPU")},
				},
				Cause{
					When:  on(InKubernetes),
					Layer: rule.ContainerRuntime,
					Title: "libcuda.so.1 is not in the pod: it runs without the NVIDIA runtime or without a GPU",
					Text:  "The nvidia container runtime mounts libcuda.so.1 into pods that ask for nvidia.com/gpu and run with the nvidia runtime class. This one does not have it.",
					Remedies: []Remedy{
						fix("ask for a GPU (resources.limits nvidia.com/gpu: 1), and set runtimeClassName: nvidia where nvidia is not the default runtime of the node"),
						fix("make nvidia the node's runtime", "node", "sudo nvidia-ctk runtime configure --runtime=containerd --set-as-default && sudo systemctl restart containerd"),
					},
					Ask: "kubectl describe pod, the lines of limits and runtimeClassName",
				},
				Cause{
					When:     on(Says("singularity", "apptainer")),
					Layer:    rule.ContainerRuntime,
					Title:    "libcuda.so.1 is not in the container: it was started without --nv",
					Text:     "Apptainer and Singularity bring the host's driver libraries into the container only with --nv.",
					Remedies: []Remedy{fix("start it with --nv on a node that has a GPU", "apptainer", "apptainer exec --nv image.sif nvidia-smi")},
				},
				Cause{
					When:  on(InContainer),
					Layer: rule.ContainerRuntime,
					Title: "libcuda.so.1 is not in the container: it was started without access to the GPU",
					Text:  "No image brings libcuda.so.1: the NVIDIA container toolkit mounts the host's when a container asks for GPUs (--gpus all) and its capabilities include compute. A driver must not be installed in the image.",
					Remedies: []Remedy{
						fix("start the container with the GPU", "docker", "docker run --rm --gpus all {image} nvidia-smi", "compose", "deploy.resources.reservations.devices: driver nvidia, count all, capabilities gpu"),
						fix("where it has --gpus already, install and configure the toolkit on the host, and let NVIDIA_DRIVER_CAPABILITIES be compute,utility", "docker", "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker"),
					},
					Ask: "nvidia-smi on the host, and how the container is started",
				},
				Cause{
					When:  on(Says("nixos", "/nix/store", "nixpkgs")),
					Title: "libcuda.so.1 is not found on NixOS: it is in /run/opengl-driver/lib",
					Text:  "NixOS keeps the driver's libraries in /run/opengl-driver/lib; programs that are not built by Nix do not look there.",
					Remedies: []Remedy{fix("put it on the loader's path", "bash", "export LD_LIBRARY_PATH=/run/opengl-driver/lib:$LD_LIBRARY_PATH"),
						fix("on another distribution with Nix, start the program through nixGL")},
				},
				Cause{
					When:     on(Says("slurm", "sbatch", "srun", "login node", "salloc")),
					Layer:    rule.DeviceExposure,
					Title:    "libcuda.so.1 is not found: this node of the cluster has no GPU driver",
					Text:     "Login nodes and CPU nodes do not have the driver. It is there on GPU nodes, inside a job that asks for a GPU.",
					Remedies: []Remedy{fix("run it in a job with a GPU", "slurm", "srun --gres=gpu:1 nvidia-smi")},
				},
				Cause{
					When:     on(Says("libamdhip64", "rocm-smi", "amdgpu", "Radeon"), Not(Has("driver"))),
					Layer:    rule.FrameworkBuild,
					Title:    "libcuda.so.1 is not found: the program is built for NVIDIA GPUs, this machine has one of AMD",
					Text:     "A build for CUDA does not run on GPUs of AMD.",
					Remedies: []Remedy{fix("install the program's ROCm build")},
				},
				Cause{
					When:     on(OnWindows),
					Title:    "nvcuda.dll is not found: there is no NVIDIA driver on this Windows",
					Text:     "nvcuda.dll comes with NVIDIA's display driver for Windows into System32. The CUDA toolkit does not bring it.",
					Remedies: []Remedy{fix("install NVIDIA's display driver for this GPU; without an NVIDIA GPU use the program's build for the CPU")},
				},
				Cause{
					When:  on(Any(Has("driver"), Has("driver_cuda"))),
					Title: "libcuda.so.1 is not found, although driver {driver} is installed",
					Text: "nvidia-smi tells of driver {driver}, so the kernel module is loaded; the library libcuda.so.1 of the same version is not in a directory that the linker searches. " +
						"Often the package with the compute libraries is missing (libnvidia-compute, nvidia-driver-cuda), the linker's cache is old, or the driver was installed without it.",
					Remedies: []Remedy{
						fix("bring the linker's cache up to date", "ldconfig", "sudo ldconfig && ldconfig -p | grep libcuda"),
						fix("install the compute libraries of the same driver version (libnvidia-compute-{driver|branch} on Ubuntu, nvidia-driver-cuda on Fedora and RHEL)", "apt", "sudo apt-get install libnvidia-compute-{driver|branch}"),
					},
					Ask: "find / -name 'libcuda.so*' 2>/dev/null",
				},
				Cause{
					Title: "libcuda.so.1 is not found: there is no NVIDIA driver where the program runs",
					Text: "libcuda.so.1 belongs to the NVIDIA driver. The CUDA toolkit and pip packages do not bring it. Either the machine has no driver (or no NVIDIA GPU), " +
						"or the program runs in a container that was started without --gpus all.",
					Remedies: []Remedy{
						fix("on a machine with an NVIDIA GPU, install the driver of the distribution and restart", "ubuntu", "sudo ubuntu-drivers install"),
						when(fix("in a container, start it with --gpus all"), Not(OnWindows)),
						fix("without an NVIDIA GPU, install the program's build for the CPU"),
					},
					Ask: "nvidia-smi, on the host and where the program runs",
				},
			),
			Layer: rule.Driver,
			Samples: []string{
				"ImportError: libcuda.so.1: cannot open shared object file: No such file or directory",
				"W tensorflow/stream_executor/platform/default/dso_loader.cc:64] Could not load dynamic library 'libcuda.so.1'; dlerror: libcuda.so.1: cannot open shared object file: No such file or directory",
				"AssertionError: libcuda.so cannot found!",
				"Unable to load DLL 'nvcuda': The specified module could not be found. (nvcuda.dll)",
				"ImportError: Could not find 'nvcuda.dll'. TensorFlow requires that this DLL be installed",
				"\tlibcuda.so.1 => not found",
			},
			Misses: []string{"Successfully opened dynamic library libcuda.so.1", "\tlibcuda.so.1 (libc6,x86-64) => /usr/lib/wsl/lib/libcuda.so.1"},
			Source: "https://github.com/tensorflow/tensorflow/issues/37689",
		},
	}
}
