package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toldAccess is what takes a GPU that works away from one process: units of
// systemd, SELinux, rights, sandboxes, sleep, and parts of a card.
var toldAccess = []*Signature{
	{
		ID: "told-systemd-devices", Product: "systemd",
		Literals: []string{"PrivateDevices", "DeviceAllow", "DevicePolicy"},
		Pattern:  `(?:PrivateDevices|DeviceAllow|DevicePolicy)\b(?:\s*[=:]\s*(?P<value>[\w/-]+))?`,
		Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
		Meaning: "A unit of systemd limits the devices of its process.",
		Causes: causes(Cause{
			When:     on(Any(noGPUTold, Says("zero GPUs", "no longer visible", "not visible", "invisible", "access blocked"))),
			Title:    "The systemd unit takes the GPU's device nodes from the service (PrivateDevices, DevicePolicy or a DeviceAllow that does not name /dev/nvidia*)",
			Text:     "With DeviceAllow or PrivateDevices=yes everything that is not named is refused. Drivers register their major number as nvidia, older ones as nvidia-frontend; the nodes nvidiactl, nvidia-uvm and nvidia-modeset count, too. From a shell the same program works.",
			Remedies: []Remedy{fix("allow the nodes in a drop-in of the unit: PrivateDevices=no, DeviceAllow=char-nvidia rw, DeviceAllow=char-nvidia-uvm rw, DeviceAllow=char-nvidiactl rw, DeviceAllow=char-nvidia-frontend rw", "check", "grep nvidia /proc/devices; systemctl show -p DeviceAllow -p DevicePolicy -p PrivateDevices UNIT")},
		}),
		Samples: []string{"PrivateDevices=true", "the unit has DeviceAllow=char-nvidia-frontend"},
		Misses:  []string{"private devices are fine"},
		Source:  "https://github.com/NixOS/nixpkgs/issues/331069",
	},
	{
		ID: "told-selinux", Product: "SELinux",
		Literals: []string{"SELinux", "label=disable", "setenforce 0", "getenforce"},
		Pattern:  `(?i)\bSELinux\b|label=disable|setenforce 0|getenforce`,
		Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
		Meaning: "Somebody tells that SELinux decides over the GPU.",
		Causes: causes(Cause{
			When:  on(InContainer, Says("permissive", "disabled it works", "label=disable", "setenforce 0", "works only with", "only works with", "Enforcing", "avc:  denied", "avc: denied"), Says("denied", "Insufficient Permissions", "does not work", "doesn't work", "fails", "no gpu", "not detect", "works only", "only works", "it works")),
			Title: "SELinux refuses the container access to the GPU's device nodes (label container_t on /dev/nvidia*)",
			Text:  "The driver and the toolkit work; with SELinux enforcing the container's label may not open the nodes. Switching SELinux off for the whole machine is not needed.",
			Remedies: []Remedy{
				fix("allow containers to use devices, or load NVIDIA's policy for them", "host", "sudo setsebool -P container_use_devices 1; sudo ausearch -m avc -ts recent"),
				fix("or take the label from this container", "podman", "podman run --rm --security-opt label=disable --device nvidia.com/gpu=all IMAGE nvidia-smi"),
			},
		}),
		Samples: []string{"with SELinux permissive it works", "podman run --security-opt=label=disable"},
		Misses:  []string{"selinuxfs on /sys/fs"},
		Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/troubleshooting.html",
	},
	{
		ID: "told-after-suspend", Product: "nvidia-uvm",
		Literals: []string{"after suspend", "from suspend", "suspend and", "suspend/resume", "suspended", "suspends", "to suspend", "in standby", "from standby", "after standby", "hibernat", "wakes up", "waking up", "after wake", "wake-up and", "and wake-up", "after sleep", "from sleep", "goes to sleep", "resume from", "sleep mode"},
		Pattern:  `(?i)\b(?:suspend\w*|standby|stand-by|hibernat\w+|wak\w+[- ]up|(?:after|from|to|in) sleep|sleep mode|resum\w+ from)\b`,
		Layer:    rule.KernelModule, Role: Context, Strength: Strong,
		Meaning: "The machine slept before.",
		Causes: causes(Cause{
			When:  on(Says("CUDA_ERROR_UNKNOWN", "CUDA unknown error", "unknown error", "UNKNOWN_ERROR", "error 999", "unspecified launch failure", "CUDA fails", "CUDA does not", "no longer detect", "initialization error", "GPU is not", "not available", "falls back", "uses the CPU")),
			Title: "CUDA does not survive suspend: after the resume nvidia_uvm has to be loaded anew",
			Text:  "The driver keeps nvidia-smi working, while nvidia_uvm stays in a state that CUDA cannot use, mostly where a program kept the GPU open during the sleep. PyTorch, CUDA and CUDA_VISIBLE_DEVICES are not the reason.",
			Remedies: []Remedy{
				fix("stop programs that use CUDA and load the module anew (a restart of the machine does it, too)", "shell", "sudo rmmod nvidia_uvm && sudo modprobe nvidia_uvm"),
				fix("to keep it from coming back, let the driver save its memory at suspend and enable its services", "shell", "echo 'options nvidia NVreg_PreserveVideoMemoryAllocations=1 NVreg_TemporaryFilePath=/var/tmp' | sudo tee /etc/modprobe.d/nvidia-power.conf; sudo systemctl enable nvidia-suspend nvidia-resume nvidia-hibernate"),
			},
		}),
		Samples: []string{"after suspend and resume CUDA fails", "when the laptop wakes up from sleep"},
		Misses:  []string{"time.sleep(1)"},
		Source:  "https://github.com/ollama/ollama/issues/2934",
	},
	{
		ID: "told-only-root", Product: "operating system",
		Literals: []string{"only root", "works as root", "only as root", "fine as root", "as root it", "As root ", "with sudo", "NVreg_DeviceFile", "under sudo", "non-root", "ordinary user", "regular user", "normal user"},
		Pattern:  `(?i)only root can|(?:works?|fine|runs?|can|ok)\b[^\n.]{0,40}(?:as root|with sudo|under sudo)|(?:as root|with sudo|root)\b[^\n.]{0,30}(?:it )?(?:works|can\b|is fine)|only (?:works )?(?:as root|with sudo)|NVreg_DeviceFile(?:GID|UID|Mode)\S*|(?:non-root|ordinary|regular|normal) users?[^\n.]{0,40}(?:cannot|can't|can not|not|denied|no access)`,
		Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
		Meaning: "Root can use the GPU, others cannot.",
		Causes: causes(Cause{
			When:     on(Says("nvidia", "cuda", "gpu"), Says("No devices", "Insufficient Permissions", "permission", "not detect", "cannot use", "can't use", "no cuda", "not see", "not available", "initialize NVML", "no GPU"), Not(Says("snap ", "pip install", "rootless", "nvcc"))),
			Title:    "Root can use the GPU and this user cannot: the device nodes /dev/nvidia* leave the user out (group video, NVreg_DeviceFileMode)",
			Text:     "The driver works. Rights or group of the nodes were changed, by options of the module in modprobe.d (NVreg_DeviceFileGID, NVreg_DeviceFileMode=0660) or udev rules. Running everything as root is not the way.",
			Remedies: []Remedy{fix("add the user to the group of the nodes (usually video, for /dev/dri also render) and log in anew, or take the options out and restart", "shell", "ls -l /dev/nvidia*; grep -rn NVreg_DeviceFile /etc/modprobe.d; sudo usermod -aG video,render $USER")},
		}),
		Samples: []string{"only root can run nvidia-smi", "it works with sudo", "options nvidia NVreg_DeviceFileGID=33 NVreg_DeviceFileMode=0660"},
		Misses:  []string{"install it as root"},
		Source:  "https://github.com/openSUSE/nvidia-driver-G06/issues/52",
	},
	{
		ID: "told-flatpak-driver", Product: "flatpak",
		Literals: []string{"Platform.GL.nvidia", "flatpak apps", "flatpaks", "the flatpak", "flatpak run", "in flatpak", "via flatpak", "flatpak version", "flatpak list", "as flatpak", "from flatpak"},
		Pattern:  `(?i)Platform\.GL(?:32)?\.nvidia-(?P<have>[\d-]+\d)|\bflatpaks?\b`,
		Layer:    rule.Driver, Role: Context, Strength: Usual,
		Meaning: "The program runs in Flatpak, which has driver libraries of its own.",
		Causes: causes(Cause{
			When:     on(Any(noGPUTold, Says("not launch", "don't launch", "do not see", "does not see", "llvmpipe", "GLX", "software rendering", "do not run"))),
			Title:    "Flatpak's NVIDIA driver extension (org.freedesktop.Platform.GL.nvidia)[, here {have},] has to be of exactly the host's driver[ ({driver})]",
			Text:     "Programs in Flatpak do not use the host's driver libraries but those of an extension, GL.nvidia-VERSION. After a driver update the new one has to be installed, and Flathub may get it some days later.",
			Remedies: []Remedy{fix("update Flatpak, which takes the extension for the loaded module", "shell", "cat /sys/module/nvidia/version; flatpak update; flatpak list | grep -i nvidia")},
		}),
		Samples: []string{"nvidia-550-54-14 org.freedesktop.Platform.GL.nvidia-550-54-14", "the flatpak does not see the GPU"},
		Misses:  []string{"org.freedesktop.Platform.GL.default"},
		Source:  "https://github.com/nokyan/resources/issues/334",
	},
	{
		ID: "told-singularity-libs", Product: "apptainer",
		Literals: []string{"/.singularity.d/libs", "--cleanenv"},
		Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
		Meaning: "The text names the directory into which --nv binds the driver's libraries.",
		Causes: causes(Cause{
			When: on(Says("GLIBC_2")), Layer: rule.ContainerRuntime,
			Title:    "The image's glibc is older than the host's driver libraries, which --nv binds into the container, need (GLIBC_2.x not found)",
			Text:     "--nv brings libraries of the host in; those were built for the host's glibc, and an image of an older distribution lacks it. CUDA's own libraries need little, the graphics ones (libGLX, libEGL) and nvidia-smi more.",
			Remedies: []Remedy{fix("build the image on a distribution at least as new as the host", "check", "ldd --version; singularity exec image.sif ldd --version"), fix("or try --nvccli, which brings the files of the container toolkit alone", "shell", "singularity exec --nv --nvccli image.sif nvidia-smi")},
		}, Cause{
			When:     on(Says("couldn't find", "not found", "cannot open shared", "not see", "LD_LIBRARY_PATH", "could not load", "clean environment", "missing")),
			Title:    "The driver's libraries are in /.singularity.d/libs, but LD_LIBRARY_PATH no longer names that directory",
			Text:     "singularity and apptainer bind the libraries of --nv there and set LD_LIBRARY_PATH to it. A script, module or clean environment (env -i, --cleanenv, a Prefix shell) that empties or replaces the variable hides them.",
			Remedies: []Remedy{fix("keep the directory in the variable", "container", "export LD_LIBRARY_PATH=/.singularity.d/libs:$LD_LIBRARY_PATH; nvidia-smi")},
		}),
		Samples: []string{"the libraries are in /.singularity.d/libs"},
		Misses:  []string{"/.singularity.d/runscript"},
		Source:  "https://github.com/EESSI/software-layer/issues/231",
	},
	{
		ID: "told-build-without-gpu", Product: "docker",
		Literals: []string{"docker build", "during the build", "at build time", "RUN pip", "image build", "build stage"},
		Pattern:  `(?i)docker build|(?:during|at) (?:the )?(?:image )?build(?: time)?|image build`,
		Layer:    rule.ContainerRuntime, Role: Context,
		Meaning: "The text is about the build of an image.",
		Causes: causes(Cause{
			When:  on(Says("is_available", "no GPU", "No CUDA GPUs", "Found no NVIDIA driver", "CUDA is not available", "libcuda.so.1: cannot", "not detect"), Says("default-runtime", "default runtime", "docker run", "--gpus")),
			Title: "docker build has no GPU: --gpus is for docker run alone, and nvidia is not the default runtime (default-runtime in /etc/docker/daemon.json)",
			Text:  "In a build torch.cuda.is_available() is False and libcuda is not there. Extensions can be compiled without a GPU, where the architectures are named.",
			Remedies: []Remedy{
				fix("name the architectures in place of asking the GPU", "Dockerfile", "ENV FORCE_CUDA=1 TORCH_CUDA_ARCH_LIST=\"8.0;8.6;9.0\""),
				fix("or set \"default-runtime\": \"nvidia\" in /etc/docker/daemon.json, restart docker and build with the classic builder (DOCKER_BUILDKIT=0)", "host", "sudo nvidia-ctk runtime configure --runtime=docker --set-as-default && sudo systemctl restart docker"),
			},
		}),
		Samples: []string{"docker build fails since torch.cuda.is_available() is False during the build"},
		Misses:  []string{"docker run"},
		Source:  "https://github.com/NVIDIA/nvidia-docker/wiki",
	},
	{
		ID: "docker-run-without-gpus", Product: "docker",
		Literals: []string{"docker run", "podman run"},
		Pattern:  `(?P<engine>docker|podman) run\b`,
		Layer:    rule.ContainerRuntime, Role: Context,
		Meaning: "A container is started, and nothing asks for the GPU.",
		Causes: causes(
			Cause{
				When:     on(OnJetson, Not(Says("--gpus", "--runtime", "runtime: nvidia", "default-runtime")), Says("no CUDA-capable", "is_available", "not found", "cannot open shared", "libnvrm", "nvmap", "no GPU")),
				Title:    "On this Jetson the container was started without --runtime nvidia, so it has neither the GPU's libraries nor its device nodes",
				Text:     "The NVIDIA runtime brings both from the host. The image must also be for the host's L4T[ ({l4t})].",
				Remedies: []Remedy{fix("start it with the runtime", "jetson", "docker run --rm -it --runtime nvidia IMAGE; cat /etc/nv_tegra_release")},
			},
			Cause{
				When: on(Not(Says("--gpus", "--runtime", "nvidia-docker", "nvidia.com/gpu", "--device", "runtime: nvidia", "default-runtime", "default runtime", "gpus: all", "libnvidia-container", "hooks-dir")),
					Says("no CUDA-capable", "No CUDA GPUs", "is_available", "Found no NVIDIA driver", "nvidia-smi: command not found", "nvidia-smi: not found", "libcuda.so.1: cannot", "libcuda.so: cannot", "CUDA_ERROR_NO_DEVICE", "on the CPU", "no GPU", "not detect", "not see")),
				Title:    "The container was started without the GPU: the {engine} run command asks for none (--gpus all is missing)",
				Text:     "Without --gpus all (podman: --device nvidia.com/gpu=all) a container has neither the driver's libraries nor the device nodes. Driver and CUDA in the image are not the reason.",
				Remedies: []Remedy{fix("start it with the GPU; where that fails, install nvidia-container-toolkit on the host", "docker", "docker run --rm --gpus all IMAGE nvidia-smi", "podman", "podman run --rm --device nvidia.com/gpu=all IMAGE nvidia-smi")},
			},
		),
		Samples: []string{"docker run -it --rm app:latest python main.py"},
		Misses:  []string{"docker ps"},
		Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",
	},
	{
		ID: "told-mig-strategy", Product: "kubernetes",
		Literals: []string{"mig.strategy", "migStrategy", "mig-strategy", "MIG strategy", "mixed strategy", "nvidia.com/mig-"},
		Pattern:  `(?i)mig[.-]?strategy["']?\s*[=:]?\s*["']?(?P<strategy>none|single|mixed)?|mixed strategy|nvidia\.com/mig-(?P<profile>[\w.]+)`,
		Layer:    rule.DeviceExposure, Role: Context,
		Meaning: "The text tells which MIG strategy the device plugin has.",
		Causes: causes(
			Cause{
				When:     on(Any(Is("strategy", "(?i)mixed"), Says("mixed")), Says("Pending", "Insufficient", "nvidia.com/gpu: 0", "not schedul", "FailedScheduling", "nvidia.com/gpu:  ")),
				Title:    "With the MIG strategy mixed the node offers nvidia.com/mig-… resources and no nvidia.com/gpu: the pods have to ask for the MIG profile",
				Text:     "mixed gives each profile a resource of its own (nvidia.com/mig-1g.5gb); nvidia.com/gpu then counts only GPUs without MIG. single offers equal instances as nvidia.com/gpu.",
				Remedies: []Remedy{fix("ask for the profile (nvidia.com/mig-1g.5gb: 1) in the pod's limits, or use equal instances on the whole node with the strategy single", "check", "kubectl describe node NODE | grep nvidia.com; nvidia-smi -L")},
			},
			Cause{
				When: on(Says("one device", "only one", "only the first", "device_count", "only 1", "single device"), Says("MIG")), Layer: rule.Application,
				Title:    "A CUDA process uses one MIG instance only, however many the container has",
				Text:     "CUDA enumerates a single MIG instance per process: the first that CUDA_VISIBLE_DEVICES names. Several instances serve several processes; they cannot be joined (no NCCL between them). Driver and plugin are not broken.",
				Remedies: []Remedy{fix("start one process for each instance, each with its own CUDA_VISIBLE_DEVICES=MIG-UUID, or ask for one larger profile", "check", "nvidia-smi -L")},
			},
		),
		Samples: []string{"gpu-operator with mig.strategy=mixed", "nvidia.com/mig-1g.10gb: 2"},
		Misses:  []string{"migration strategy: rolling"},
		Source:  "https://docs.nvidia.com/datacenter/cloud-native/kubernetes/latest/index.html",
	},
}
