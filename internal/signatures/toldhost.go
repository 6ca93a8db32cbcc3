package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// noGPUTold are words by which people and programs say that no GPU is there for them.
var noGPUTold = Says("no CUDA-capable", "No CUDA GPUs", "is_available", "not available", "unavailable", "no GPU", "No devices", "not detect", "not found", "cannot find", "can't find", "could not find", "couldn't find", "not see", "cannot see", "can't see",
	"CUDA error", "driver version is insufficient", "no NVIDIA driver", "couldn't communicate", "Failed to initialize NVML", "fails with", "fails", "failed", "does not work", "doesn't work", "not work", "unknown error", "falls back")

// toldHost is what people tell of a host, a VM or WSL in sentences, and rarer
// lines of its tools.
var toldHost = []*Signature{
	{
		ID: "told-module-not-loaded", Product: "nvidia kernel module",
		Literals: []string{"lsmod shows", "lsmod | grep nvidia", "lsmod does", "lsmod has", "lsmod lists", "in lsmod", "lsmod is", "nvidia module", "nvidia kernel module", "NVIDIA module", "kernel modules for nvidia", "nvidia.ko"},
		Pattern:  `(?i)lsmod[^\n]{0,60}\b(?:no|nothing|empty|not|without)\b|(?:nvidia (?:kernel )?modules?|nvidia\.ko)\b[^\n.]{0,30}(?:not (?:load|there|present|built|found|install|exist)|does(?:n't| not) (?:load|exist)|do(?:n't| not) (?:load|exist)|is gone|are gone|missing|no longer)|no nvidia (?:kernel )?module`,
		Layer:    rule.KernelModule, ExplainedBy: []string{"KRN001", "KRN002", "KRN003"},
		Meaning: "Somebody tells that no nvidia kernel module is loaded.",
		Causes: causes(
			Cause{
				When:     on(secureBoot),
				Title:    "The nvidia kernel module is not loaded: Secure Boot refuses a module whose key (MOK) is not enrolled",
				Text:     "A module that was built on this machine is signed with its own key or not at all.",
				Remedies: []Remedy{fix("sign it and enrol the key (MOK), use the distribution's signed modules, or switch Secure Boot off", "ubuntu", "sudo mokutil --import /var/lib/shim-signed/mok/MOK.der; sudo reboot")},
			},
			Cause{
				When:     on(nouveauThere),
				Title:    "The nvidia kernel module is not loaded: nouveau drives the GPU",
				Text:     "The kernel's own driver took the GPU at start.",
				Remedies: []Remedy{fix("blacklist nouveau in /etc/modprobe.d, rebuild the initramfs and restart", "ubuntu", "sudo update-initramfs -u", "fedora", "sudo dracut --force")},
			},
			Cause{
				Title: "The nvidia kernel module[ {driver}] is not loaded for the running kernel[ {kernel}]: usually it was not built for it after a kernel update",
				Text:  "dkms status shows for which kernels it exists. Each kernel needs a module of its own, and building it needs that kernel's headers (linux-headers, kernel-devel). CUDA and the frameworks need no reinstallation.",
				Remedies: []Remedy{
					fix("install the headers of the running kernel[ ({kernel})], build the module and load it", "ubuntu and debian", "sudo apt-get install linux-headers-$(uname -r) && sudo dkms autoinstall && sudo modprobe nvidia", "fedora and rhel", "sudo dnf install kernel-devel-$(uname -r) && sudo dkms autoinstall && sudo modprobe nvidia"),
					fix("or restart with the previous kernel"),
				},
				Ask: "sudo modprobe nvidia; dkms status; uname -r; mokutil --sb-state",
			},
		),
		Samples: []string{"lsmod shows no nvidia module", "the nvidia module does not load after the restart", "lsmod | grep nvidia prints nothing"},
		Misses:  []string{"lsmod | grep nvidia", "the nvidia module is loaded"},
		Source:  "https://github.com/dell/dkms",
	},
	{
		ID: "modprobe-off", Product: "nvidia-prime",
		Literals: []string{"could not insert 'off'", "Module off not found", "alias nvidia off", "install nvidia /bin/false", "blacklist nvidia"},
		Pattern:  `(?i)could not insert '?off'?|Module off not found|^\s*alias nvidia off|^\s*install nvidia /bin/(?:false|true)|^\s*blacklist nvidia\s*$`,
		Layer:    rule.KernelModule, Strength: Strong,
		Meaning: "A file in modprobe.d keeps the nvidia module from loading.",
		Causes: causes(Cause{
			Title:    "A file in /etc/modprobe.d switches the nvidia module off (alias nvidia off, or a blacklist), as prime-select intel and switchers of graphics do",
			Text:     "The module and the driver are there; they are told not to load.",
			Remedies: []Remedy{fix("select a profile with NVIDIA, or remove the lines, rebuild the initramfs and restart", "check", "grep -rn nvidia /etc/modprobe.d /lib/modprobe.d", "ubuntu", "sudo prime-select on-demand && sudo update-initramfs -u")},
		}),
		Samples: []string{"modprobe: ERROR: could not insert 'off': Unknown symbol in module, or unknown parameter (see dmesg)", "alias nvidia off"},
		Misses:  []string{"blacklist nvidiafb"},
		Source:  "https://github.com/canonical/nvidia-prime/issues/20",
	},
	{
		ID: "gpu-bound-vfio", Product: "vfio",
		Literals: []string{"driver in use: vfio-pci", "bound to vfio", "vfio-pci driver"},
		Pattern:  `(?i)driver in use: vfio-pci|bound to (?:the )?vfio`,
		Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
		Meaning: "The GPU is set aside for virtual machines.",
		Causes: causes(Cause{
			When:     on(Any(Says("nvidia-smi", "nvidia driver", "No devices", "on the host"), noGPUTold)),
			Title:    "vfio-pci holds the GPU[ {gpu}] for passthrough to a VM, so the host's nvidia driver does not get it",
			Text:     "A GPU is bound to one driver at a time. The VM that it is passed to needs the driver inside; on the host nvidia-smi does not see it.",
			Remedies: []Remedy{fix("to use it on the host, take its ids out of vfio-pci's options (modprobe.d, kernel command line), rebuild the initramfs and restart; else install the driver in the VM", "host", "grep -rn vfio /etc/modprobe.d /etc/modules-load.d; cat /proc/cmdline; sudo update-initramfs -u")},
		}),
		Samples: []string{"Kernel driver in use: vfio-pci", "the GPU is bound to vfio-pci on the host"},
		Misses:  []string{"Kernel driver in use: nvidia"},
		Source:  "https://docs.kernel.org/driver-api/vfio.html",
	},
	{
		ID: "vgpu-host-package-in-guest", Product: "vGPU",
		Literals: []string{"vgpu-kvm", "vgpu-vsphere", "NVIDIA-vGPU"},
		Pattern:  `(?i)NVIDIA-(?:Linux-x86_64-)?(?P<driver>\d{3}\.\d+(?:\.\d+)?)-vgpu-kvm|vgpu-kvm(?:\.run)?\b`,
		Layer:    rule.Driver, Role: Context, Strength: Strong,
		Meaning: "The text names the package for vGPU hosts.",
		Causes: causes(Cause{
			When:     on(Any(inVM, Says("in the guest", "guest", "virtual machine", " VM")), Any(noGPUTold, Says("cudaGetDeviceCount", "insufficient"))),
			Title:    "The guest has the host's vGPU package (vgpu-kvm) in place of the guest's GRID driver of that vGPU release",
			Text:     "The vgpu-kvm package is the vGPU manager for the hypervisor and has no CUDA. A VM needs the guest driver (NVIDIA-Linux-x86_64-…-grid.run) of the same vGPU release as the host, and a licence.",
			Remedies: []Remedy{fix("remove it in the guest and install the guest (GRID) driver of the host's vGPU release, then set up its licence", "guest", "nvidia-smi -q | grep -i -A2 licen; sudo nvidia-uninstall")},
		}),
		Samples: []string{"In the guest we installed NVIDIA-Linux-x86_64-525.85.07-vgpu-kvm.run"},
		Misses:  []string{"NVIDIA-Linux-x86_64-525.85.05-grid.run"},
		Source:  "https://docs.nvidia.com/vgpu/latest/grid-vgpu-user-guide/index.html",
	},
	{
		ID: "nvidia-smi-cuda-err", Product: "nvidia-smi",
		Literals: []string{"CUDA Version: ERR!", "CUDA Version: N/A"},
		Pattern:  `CUDA Version: (?P<value>ERR!|N/A)`,
		Layer:    rule.Driver, Strength: Usual,
		Meaning: "nvidia-smi reaches the driver's kernel side and cannot load libcuda.",
		Causes: causes(
			Cause{
				When:     on(OnWSL),
				Title:    "nvidia-smi in WSL cannot load libcuda (CUDA Version {value}): the Windows driver[ {driver}] and WSL do not fit, or a libcuda of Linux is in the way",
				Text:     "In WSL libcuda.so comes from the Windows driver in /usr/lib/wsl/lib. A new or half updated driver needs a newer WSL kernel, and a libcuda of Linux packages hides the right one. Do not install a Linux driver.",
				Remedies: []Remedy{fix("update the driver on Windows and WSL, and remove Linux driver packages from the distribution", "powershell", "wsl --update; wsl --shutdown", "bash", "ldconfig -p | grep libcuda; dpkg -l | grep -e libnvidia-compute -e nvidia-utils")},
				Ask:      "ldconfig -p | grep libcuda; wsl --version",
			},
			Cause{
				When: on(Any(InContainer, inImage)), Layer: rule.ContainerRuntime,
				Title:    "The container has no libcuda (CUDA Version {value}): NVIDIA_DRIVER_CAPABILITIES lacks compute",
				Text:     "With utility alone, nvidia-smi is brought in and libcuda is not.",
				Remedies: []Remedy{fix("start it with the capability compute", "docker", "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility IMAGE nvidia-smi")},
			},
			Cause{
				Title:    "The driver is only half there: nvidia-smi runs and libcuda does not load (CUDA Version {value})",
				Text:     "libcuda.so.1 (package libnvidia-compute, nvidia-driver-cuda-libs) is missing or of another release than the driver.",
				Remedies: []Remedy{fix("install the compute part of the same driver release", "check", "ldconfig -p | grep libcuda", "ubuntu", "sudo apt-get install --reinstall libnvidia-compute-$(cut -d. -f1 /sys/module/nvidia/version)")},
			},
		),
		Samples: []string{"| NVIDIA-SMI 551.61       Driver Version: 551.61       CUDA Version: ERR!     |"},
		Misses:  []string{"CUDA Version: 12.4"},
		Source:  "https://github.com/microsoft/WSL/issues/11589",
	},
	{
		ID: "told-wsl-1", Product: "WSL",
		Literals: []string{"WSL 1", "with WSL1", " WSL1 ", "(WSL1", "WSL version 1"},
		Pattern:  `(?i)\bWSL ?(?:version )?1\b|WSL version: ?1\b`,
		Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
		Meaning: "The distribution runs under WSL 1.",
		Causes: causes(Cause{
			When:     on(Not(Says("[ ] WSL 1")), noGPUTold),
			Title:    "WSL 1 has no GPU access: CUDA needs WSL 2",
			Text:     "Only WSL 2 passes the GPU in (/dev/dxg, with the driver of Windows). A driver inside the distribution does not help.",
			Remedies: []Remedy{fix("convert the distribution to WSL 2", "powershell", "wsl --list --verbose; wsl --set-version DISTRIBUTION 2; wsl --update")},
		}),
		Samples: []string{"Ubuntu on WSL 1", "I use Windows with WSL1"},
		Misses:  []string{"WSL 10 tips"},
		Source:  "https://learn.microsoft.com/en-us/windows/ai/directml/gpu-cuda-in-wsl",
	},
	{
		ID: "told-uvm-node-missing", Product: "nvidia-uvm",
		Literals: []string{"nvidia-uvm", "nvidia_uvm"},
		Beside:   []string{"no such", " not ", "n't", "missing", "absent", "never", "without", "fail", "denied", "unknown symbol", "disagrees", "invalid", "no "},
		Pattern:  `(?i)(?:/dev/)?nvidia[-_]uvm\b[^\n.]{0,40}(?:does(?:n't| not)|do(?:n't| not)|is(?:n't| not)|are(?:n't| not)|missing|absent|never)|(?:no|without|missing) (?:the )?(?:/dev/)?nvidia[-_]uvm`,
		Layer:    rule.DeviceExposure, ExplainedBy: []string{"KRN008", "DEV004"},
		Meaning: "Somebody tells that /dev/nvidia-uvm is not there.",
		Causes: causes(
			Cause{
				When:     on(Any(inLXC, InContainer)),
				Title:    "/dev/nvidia-uvm is not in the container: nvidia-smi works without it, CUDA does not",
				Text:     "The host makes the node when nvidia_uvm is loaded (nvidia-modprobe, or the first CUDA program); it must be there before the container starts, and the container's configuration must name it and allow its major number.",
				Remedies: []Remedy{fix("load the module and make the nodes on the host at every start, pass /dev/nvidia-uvm and /dev/nvidia-uvm-tools in, and start the container anew", "host", "sudo modprobe nvidia_uvm; sudo nvidia-modprobe -u -c=0; ls -l /dev/nvidia-uvm*")},
			},
			Cause{
				Title:    "/dev/nvidia-uvm is missing: CUDA cannot start, although nvidia-smi works",
				Text:     "nvidia_uvm is not loaded, or nvidia-modprobe, which makes the node, is not installed.",
				Remedies: []Remedy{fix("load it and make the nodes", "shell", "sudo modprobe nvidia_uvm; sudo nvidia-modprobe -u -c=0; ls -l /dev/nvidia-uvm*")},
			},
		),
		Samples: []string{"/dev/nvidia0 is there, /dev/nvidia-uvm does not exist", "there is no /dev/nvidia-uvm in the container"},
		Misses:  []string{"/dev/nvidia-uvm exists"},
		Source:  "https://github.com/NVIDIA/nvidia-modprobe",
	},
	{
		ID: "told-zombie-memory", Product: "operating system",
		Literals: []string{"a zombie", "zombie process", "zombies of", "<defunct>", "[python] <defunct", "is defunct", "no such process", "shows no process", "no processes", "no running process", "without any process", "No running processes"},
		Pattern:  `(?i)zombie|defunct|no such process|(?:no|without any|not (?:list|show)\w*(?: any)?)(?: running)? process`,
		Layer:    rule.Application, Role: Context,
		Meaning: "A process that ended, or that nobody sees, holds memory of the GPU.",
		Causes: causes(Cause{
			When:  on(Says("GPU memory", "memory of the GPU", "occupied", "still in use", "in use", "not released", "not freed", "holds memory", "keeps the", "memory usage", "MiB /", "not free", "still hold"), Says("zombie", "defunct", "kill", "killed", "Ctrl-C", "ctrl+c", "interrupt", "terminated", "crashed", "stopped")),
			Title: "A process that was killed or became a zombie still holds the GPU's memory",
			Text: "Memory is given back when the last process that has the GPU open is gone: data loader workers, a parent that does not reap its child, a process of another container or user that nvidia-smi does not show. " +
				"Not the stack: driver and CUDA need no reinstallation.",
			Remedies: []Remedy{
				fix("find who has the devices open and end them (kill the parent of a zombie)", "shell", "sudo fuser -v /dev/nvidia*; ps -ef | grep -e defunct -e python"),
				fix("where nothing has them open, reset the GPU or restart the machine", "shell", "sudo nvidia-smi --gpu-reset -i 0"),
			},
		}),
		Samples: []string{"the trainer became a zombie process", "kill: (4711) - No such process"},
		Misses:  []string{"one process is running"},
		Source:  "https://github.com/pytorch/pytorch/issues/4293",
	},
	{
		ID: "told-machine-turns-off", Product: "hardware",
		Literals: []string{"turns off", "shuts down", "shuts off", "switches off", "powers off", "power off", "machine reboots", "computer reboots", "system reboots", "PC reboots", "server reboots", "it reboots", "just reboots", "restarts by itself", "restarts itself", "turned off", "hard reset", "black screen", "resets itself", "shut down"},
		Pattern:  `(?i)(?:machine|computer|PC|server|system|node|workstation|whole box|it)\b[^\n.]{0,60}(?:turns? off|shuts? (?:down|off)|switches off|powers? off|reboots|restarts (?:by )?itself|resets itself|turned off|hard reset)`,
		Layer:    rule.Hardware, Role: Context,
		Meaning: "The machine goes off under load.",
		Causes: causes(Cause{
			When:  on(Says("full load", "under load", "when training", "during training", "training", "stress", "gpu-burn", "gpu_burn", "PSU", "power supply", "W supply", "nvidia-smi -pl", "both GPUs", "inference", "benchmark", "load")),
			Title: "The machine goes off or restarts under load: its power supply (or its cables) cannot carry the GPUs' peaks, or something overheats",
			Text:  "[{gpu}: ]short peaks of power are far above the card's limit, and a supply that protects itself turns the machine off without anything in the logs. No driver or CUDA version changes this.",
			Remedies: []Remedy{
				fix("limit power or clocks as a test; where that helps, use a stronger power supply (PSU) and a cable of its own for every connector", "shell", "sudo nvidia-smi -pl 250; sudo nvidia-smi -lgc 300,1500"),
				fix("watch temperature and power up to the moment", "shell", "nvidia-smi --query-gpu=power.draw,temperature.gpu,clocks.sm --format=csv -l 1"),
			},
		}),
		Samples: []string{"the PC shuts down as soon as training starts", "the machine reboots under load"},
		Misses:  []string{"shut down the server with systemctl poweroff"},
		Source:  "https://docs.nvidia.com/deploy/gpu-debug-guidelines/index.html",
	},
}
