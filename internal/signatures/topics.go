package signatures

import (
	"slices"

	"strata/internal/rule"
	. "strata/internal/signature"
)

// Topics: what a text is about where it has no message that is known.
var (
	aboutGPU       = Says("GPU", "nvidia", "cuda")
	aboutApptainer = Says("apptainer", "singularity")
	aboutSlurm     = Says("sbatch", "slurm", "srun ", "salloc")
	aboutPodman    = Says("podman", "nvidia.com/gpu=")
	aboutDocker    = Says("docker", "container toolkit", "container-toolkit")
	aboutMIG       = Says(" MIG ", "MIG mode", "MIG instance", "MIG device", "mig-parted", "MIG-GPU")
	aboutKernel    = Says("kernel module", "dkms", "kernel update", "kernel upgrade", "linux-image", "nouveau", "initramfs", "new kernel", "kmod-nvidia", "nvidia-driver-", "secure boot", "modprobe")
	aboutVM        = Says("passthrough", "pass-through", "virtual machine", "vfio", "proxmox", "esxi", "hypervisor", "libvirt", "vGPU")
	aboutBuild     = Says("nvcc", "CUDA_HOME", "CUDA_PATH", "cuda toolkit", "cuda-toolkit")
)

// topics are the last resort: somebody tells that something with the GPU does not
// work, in words that no other signature knows, and the text shows in which part of the
// stack he is. What to look at there is said, as possible and with the question that decides.
func topics() []*Signature {
	return []*Signature{
		{
			ID: "told-trouble", Product: "NVIDIA stack",
			Literals: []string{"does not work", "doesn't work", "not working", "stopped working", "do not work", "don't work", "no longer work", "not detected", "not recognized", "not recognised", "does not see", "doesn't see", "do not see", "don't see", "can't see", "cannot see", "not visible", "no longer visible",
				"GPU is not available", "CUDA is not available", "GPUs are not available", "GPU isn't available", "is missing", "are missing", "black screen", "freezes ", "crashes ", "hangs when", "hangs on", "returns nothing", "unable to start", "won't start", "does not start", "doesn't start", "does not boot", "won't boot", "is rejected", "are rejected", "do not show up", "does not show up", "doesn't show up", "not showing up", "keeps crashing", "randomly", "very slow", "reports an error", "any ideas", "how can I fix", "what should I do", "stopped after", "since the update", "after the update", "cannot use", "can't use", "unable to use", "does not use", "doesn't use", "not used", "cannot access", "can't access", "no access to", "fails to", "fails with", "fail with", "stuck in", "stays pending", "stay pending", "it crashes", "CrashLoopBackOff", "cannot find the", "no GPU is", "no GPUs are", "GPU not found", "GPUs not found", "without effect", "falls back to", "runs on the CPU", "running on CPU", "only uses the CPU", "GPU is never", "zero GPUs", "no GPU found"},
			// A sentence has no time and no word of a log's level at the beginning.
			Pattern: `(?i)^\W*(?P<log>\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\d+\.\d{3,}|(?:warning|warn|error|info|debug|note|fatal|notice|[A-Z]\d{4})\b)?`,
			Where:   on(Not(Has("log")), aboutGPU, Any(aboutMIG, aboutApptainer, aboutSlurm, InKubernetes, OnJetson, OnWSL, aboutVM, aboutPodman, aboutDocker, aboutKernel, aboutBuild, aboutFramework, aboutMachine, aboutSomebody)),
			Layer:   rule.ContainerRuntime,
			Role:    Consequence, Strength: Weak,
			Meaning: "Somebody tells of trouble with the GPU, in words of his own.",
			Causes: slices.Concat(causes(
				topic(Cause{
					When: on(aboutMIG), Layer: rule.DeviceExposure,
					Title:    "The GPU is in MIG mode: most likely no MIG instance exists, or the program was given none (or a whole GPU that is no longer there)",
					Text:     "In MIG mode CUDA sees instances alone: they have to be created after every restart (mig-parted, nvidia-smi mig -cgi … -C), named by their UUID in CUDA_VISIBLE_DEVICES or asked for as nvidia.com/mig-PROFILE, and a process uses one of them.",
					Remedies: []Remedy{fix("see the instances, create them, and name one", "shell", "nvidia-smi -L; nvidia-smi mig -lgi; nvidia-smi mig -lci")},
					Ask:      "nvidia-smi -L, where the program runs",
				}),
				topic(Cause{
					When:     on(aboutApptainer),
					Title:    "apptainer or singularity: most likely the GPU did not get into the container (--nv before the image, driver libraries, device nodes)",
					Text:     "The container needs --nv on a node with a driver; --contain and --cleanenv take device nodes and LD_LIBRARY_PATH away again, and libraries in the image can hide those of the host.",
					Remedies: []Remedy{fix("test it on a GPU node", "shell", "nvidia-smi; apptainer exec --nv image.sif nvidia-smi; apptainer exec --nv image.sif ls /dev/nvidia0 /.singularity.d/libs")},
					Ask:      "the output of these commands",
				}),
				topic(Cause{
					When:  on(InKubernetes),
					Title: "Kubernetes: most likely the pod does not get the GPU (device plugin, runtime class, limits)",
					Text: "The order to look at it: the driver works on the node; containerd has the nvidia runtime (default_runtime_name, or runtimeClassName: nvidia in the pod and the device plugin); the device plugin runs and the node offers nvidia.com/gpu; the pod asks for it under limits. " +
						"With MIG the resource may be nvidia.com/mig-PROFILE; NVIDIA_DRIVER_CAPABILITIES adds video and graphics.",
					Remedies: []Remedy{fix("see how far it gets", "check", "kubectl describe node NODE | grep nvidia.com; kubectl get runtimeclass; kubectl -n kube-system logs -l name=nvidia-device-plugin-ds; kubectl describe pod POD")},
					Ask:      "the output of these commands, and nvidia-smi on the node",
				}),
				topic(Cause{
					When: on(aboutSlurm), Layer: rule.DeviceExposure,
					Title:    "Slurm: most likely the job has no GPU (--gres=gpu or --gpus), or the node's gres.conf does not offer one",
					Text:     "Slurm hides GPUs from jobs that did not ask for them, by cgroups and CUDA_VISIBLE_DEVICES; the login node usually has none.",
					Remedies: []Remedy{fix("ask for one and look in the job", "slurm", "srun --gres=gpu:1 bash -c 'nvidia-smi -L; echo $CUDA_VISIBLE_DEVICES'; sinfo -o '%N %G'")},
					Ask:      "the job's #SBATCH lines and the output of that command",
				}),
				topic(Cause{
					When: on(OnJetson), Layer: rule.Driver,
					Title:    "Jetson: driver and CUDA come from JetPack (L4T[ {l4t}]), and packages or images for another release do not work with it",
					Text:     "Containers need --runtime nvidia and an image of the host's L4T (r32 is JetPack 4, r35 JetPack 5, r36 JetPack 6); pip needs wheels that were built for that JetPack. nvidia-smi is not there before JetPack 6; tegrastats shows the load.",
					Remedies: []Remedy{fix("compare the releases", "jetson", "cat /etc/nv_tegra_release; dpkg -l nvidia-jetpack; docker run --rm --runtime nvidia IMAGE ls /dev/nvhost-gpu")},
					Ask:      "cat /etc/nv_tegra_release, and the image's tag or the wheel's source",
				}),
				topic(Cause{
					When: on(OnWSL), Layer: rule.DeviceExposure,
					Title:    "WSL: the driver is that of Windows; most likely it or WSL is too old, or Linux driver packages in the distribution hide /usr/lib/wsl/lib",
					Text:     "Needed are WSL 2 with a recent kernel, a current Windows driver, /dev/dxg, and /usr/lib/wsl/lib/libcuda.so.1 found first. Do not install a Linux driver in WSL, only the toolkit (cuda-toolkit).",
					Remedies: []Remedy{fix("update both, and see what is found", "powershell", "wsl --update; wsl --shutdown", "bash", "ls -l /dev/dxg /usr/lib/wsl/lib/libcuda*; /usr/lib/wsl/lib/nvidia-smi; ldconfig -p | grep libcuda; dpkg -l | grep -e libnvidia -e nvidia-utils")},
					Ask:      "the output of these commands",
				}),
				topic(Cause{
					When: on(inLXC), Layer: rule.DeviceExposure,
					Title:    "LXC: the container needs the host's device nodes (with nvidia-uvm) and driver libraries of exactly the host's release",
					Text:     "The kernel module belongs to the host. The configuration has to mount /dev/nvidia0, nvidiactl, nvidia-uvm and nvidia-uvm-tools and to allow their major numbers, which can change with the kernel; in the container the driver is installed without a module. Docker inside needs no-cgroups = true.",
					Remedies: []Remedy{fix("compare host and container", "host", "nvidia-smi; ls -l /dev/nvidia*; cat /proc/driver/nvidia/version", "container", "ls -l /dev/nvidia*; ls /usr/lib/x86_64-linux-gnu/libcuda.so.*")},
					Ask:      "the output of these commands on host and in the container",
				}),
				topic(Cause{
					When: on(aboutVM), Layer: rule.DeviceExposure,
					Title:    "Virtual machine: most likely the GPU does not get into the guest whole (vfio-pci on the host, firmware and MMIO of the guest, vGPU driver and licence)",
					Text:     "On the host vfio-pci holds a card that is passed through; the guest needs UEFI (OVMF), q35, 64-bit MMIO and, for GeForce with old drivers, a hidden hypervisor (kvm hidden). A vGPU needs the guest driver (GRID) of the host's release and a licence.",
					Remedies: []Remedy{fix("look at both ends", "host", "lspci -nnk -d 10de:", "guest", "lspci -nnk -d 10de:; sudo dmesg | grep -i nvrm; nvidia-smi -q | grep -i licen")},
					Ask:      "the output of these commands",
				}),
				topic(Cause{
					When:     on(aboutPodman),
					Title:    "podman: most likely the CDI specification is missing or stale, or the container does not ask for nvidia.com/gpu=all",
					Text:     "podman takes GPUs by CDI: nvidia-container-toolkit makes /etc/cdi/nvidia.yaml, anew after every driver update, and the container names --device nvidia.com/gpu=all. SELinux may need --security-opt label=disable; rootless users must be able to read the file.",
					Remedies: []Remedy{fix("make it anew and test", "host", "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml; nvidia-ctk cdi list", "podman", "podman run --rm --device nvidia.com/gpu=all ubuntu nvidia-smi -L")},
					Ask:      "nvidia-ctk cdi list; podman --version; nvidia-smi on the host",
				}),
				topic(Cause{
					When: on(aboutDocker, Says("NVIDIA-SMI "), Has("driver"), Says("docker run --gpus", "docker run --rm --gpus", "run --gpus all", "docker exec", "inside the container", "in the container", "inside docker"), Says("is_gpu_available", "is_available", "list_physical_devices", "list_local_devices", "torch.cuda"), Says("false", " []", "no gpu", "not find")), Layer: rule.FrameworkBuild,
					Title:    "The container has the GPU (nvidia-smi answers in it, driver {driver}), and its framework does not use it: most likely the CUDA or cuDNN libraries of the image are not those that its [TensorFlow {tensorflow} || torch {torch} || TensorFlow or PyTorch] is built for, or it is the build for the CPU",
					Text:     "nvidia-smi needs the driver alone. The framework needs the CUDA runtime and cuDNN of its own build in the image; the CUDA version that nvidia-smi prints[ ({driver|cuda})] is the most that the driver runs, not what the image has.",
					Remedies: []Remedy{fix("let the framework say which library is missing, in the container", "check", "python -c 'import tensorflow as t; print(t.__version__, t.config.list_physical_devices())'; python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())'"), fix("then take an image whose CUDA fits the framework, or the framework's build for the image's CUDA")},
					Ask:      "the lines of that command with Could not load dynamic library",
				}),
				topic(Cause{
					When:  on(aboutDocker),
					Title: "docker: most likely the container does not get the GPU (--gpus all, or the compose file's device reservation, and nvidia-container-toolkit on the host)",
					Text: "The order to look at it: nvidia-smi on the host; docker run --rm --gpus all ubuntu nvidia-smi; then the own container with the same option. In compose files deploy.resources.reservations.devices or runtime: nvidia. " +
						"NVIDIA_DRIVER_CAPABILITIES has to name compute, and video or graphics for NVENC and rendering. Docker from snap and Docker Desktop for Linux do not reach the host's driver. The driver is not to be installed in the image.",
					Remedies: []Remedy{fix("test it step by step", "host", "nvidia-smi; "+dockerTest, "host", "sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker")},
					Ask:      "the output of these commands, and the command or compose file that starts the container",
				}),
				topic(Cause{
					When: on(aboutKernel), Layer: rule.KernelModule,
					Title:    "The driver's kernel module: most likely it was not built or not loaded for the running kernel[ {kernel}]",
					Text:     "Reasons: headers of the running kernel are missing (DKMS), the driver[ {driver}] is older than the kernel, Secure Boot refuses an unsigned module, nouveau holds the GPU, an update was not followed by a restart, or the flavour (open or proprietary) does not fit the GPU.",
					Remedies: []Remedy{fix("load it and read why it does not", "shell", "sudo modprobe nvidia; sudo dmesg | grep -i -e nvrm -e nvidia -e nouveau | tail -20; dkms status; uname -r; mokutil --sb-state")},
					Ask:      "the output of these commands",
				}),
				cpuUseTopic(),
				topic(Cause{
					When: on(aboutBuild), Layer: rule.Toolkit,
					Title:    "The CUDA toolkit: most likely nvcc or its directory is not found, or another release is found first (PATH, CUDA_HOME, /usr/local/cuda)",
					Text:     "The CUDA version in nvidia-smi is the driver's and says nothing about the toolkit. Builds take nvcc from PATH or CUDA_HOME; the distribution's nvidia-cuda-toolkit puts an old one into /usr/bin; sudo has a PATH of its own.",
					Remedies: []Remedy{fix("see which there are and name one", "shell", "which -a nvcc; nvcc --version; ls -ld /usr/local/cuda*; export CUDA_HOME=/usr/local/cuda PATH=/usr/local/cuda/bin:$PATH")},
					Ask:      "the output of these commands, and the first line with error of the build",
				}),
			), frameworkTopics(), machineTopics, causes(
				topic(Cause{
					Layer:    rule.FrameworkBuild,
					Title:    "A program does not get along with the GPU: most likely it, or a package that it uses, is built for the CPU, for another CUDA or for other GPUs than this machine's[ ({gpu})][, driver {driver}]",
					Text:     "The text has no message that says more. The driver runs programs of its own CUDA and older ones; extensions fit one release of their framework.",
					Remedies: []Remedy{fix("see what the driver says, and which builds are installed", "check", "nvidia-smi; python -m pip list | grep -i -e torch -e tensorflow -e cuda -e nvidia -e onnx")},
					Ask:      "the whole message with the lines before it, and the output of these commands",
				}),
			)),
			Samples: []string{"the GPU is not detected in the container", "the plugin pod is stuck in CrashLoopBackOff"},
			Misses:  []string{"everything works"},
			Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/troubleshooting.html",
		},
	}
}

// LastResort is told-trouble: what a text is about.
func LastResort() *Signature {
	s, _ := Find("told-trouble")
	return s
}

// Trouble are words, in lower case, by which a person or a program says that something is not as it should be.
var Trouble = []string{"error", "fail", "crash", "cannot", "can't", "could not", "couldn't", "unable", "not found", "not available", "unavailable", "not work", "does not", "doesn't", "do not", "is not", "isn't", "no longer", "denied", "missing", "mismatch", "refused", "rejected", "timed out", "timeout", "stuck", "hangs", "freez", "black screen", "pending", "abort", "invalid", "unsupported", "not supported", "instead of", "nothing", "slow", "wrong", "fatal", "not detect", "no gpu", "no device", "stops using", "will restart", "reboots", "shows all", "conflict", "disabled", "exited", "not match", "only 1", "sees all", "empty", "not see", "hidden", "issue with", "bugs", "poor ", "broken", "ignored",
	// Chinese and Japanese: error, fails, cannot, no use of, not found, not supported.
	"错误", "報錯", "报错", "失败", "失敗", "无法", "不能", "没有", "找不到", "不支持", "エラー", "できない", "できません"}

// topic is a cause that the text only makes possible.
func topic(c Cause) Cause {
	c.Confidence = rule.Possible
	return c
}
