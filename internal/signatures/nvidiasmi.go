package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvidiaSMI is what nvidia-smi prints where it does not reach the driver.
func nvidiaSMI() []*Signature {
	return []*Signature{
		{
			ID: "nvidia-smi-no-driver", Product: "nvidia-smi",
			Literals: []string{"communicate with the NVIDIA driver", "communicate with NVIDIA driver", "communicate with the driver", "talk to the driver", "reach the driver"},
			Pattern:  `(?i)(?:could\s?n[o'’]?t|cannot|can't|failed to|not able to|unable to)\s+communicate\s+with\s+(?:the\s+)?NVIDIA\s+driver|nvidia-smi\b[^\n.]{0,40}(?:could\s?n[o'’]?t|cannot|can't|failed to|no longer|not|unable to) (?:communicate with|talk to|reach) the driver`,
			Layer:    rule.KernelModule, Strength: Weak, ExplainedBy: []string{"KRN001", "KRN002", "KRN003", "KRN005", "KRN006", "HWR001", "DRV005", "DRV006"},
			Meaning: "The tools of the driver are installed, and no nvidia kernel module answers them.",
			Causes: causes(
				Cause{
					When: on(OnWSL), Layer: rule.DeviceExposure,
					Title:    "nvidia-smi in WSL does not reach the driver of Windows",
					Text:     "In WSL the driver is that of Windows; a Linux driver or nvidia-smi installed inside WSL looks for a kernel module that is never there. Installing a Linux driver inside WSL does not help.",
					Remedies: []Remedy{fix("remove NVIDIA driver packages from the WSL distribution and use /usr/lib/wsl/lib/nvidia-smi; update the driver on Windows, then WSL", "bash", "/usr/lib/wsl/lib/nvidia-smi", "powershell", "wsl --update; wsl --shutdown")},
					Ask:      "ls /usr/lib/wsl/lib /dev/dxg; dpkg -l | grep nvidia",
				},
				Cause{
					When: on(Says("GPU is in WDDM mode", "windows runner", "windows gpu", "C:\\Windows", "C:\\Program", "Windows 10", "Windows 11", "Windows Server", "PS C:", "powershell"), Not(Says("/dev/nvidia", "modprobe", "uname -"))), Layer: rule.Driver,
					Title: "nvidia-smi on Windows does not reach the NVIDIA driver[ {driver}]: it is not installed for this GPU, damaged, or stopped by Windows",
					Text:  "nvidia-smi.exe is there, the display driver is not running: the installation failed or is of a kind that does not fit the card (desktop, data centre, vGPU guest), Windows Update replaced it, or the device manager shows the GPU with an error (code 43, 10, 31). A virtual machine can also have no GPU at all.",
					Remedies: []Remedy{
						fix("see what Windows says of the device, then install the driver for this card anew (clean installation) and restart", "powershell", "Get-PnpDevice -Class Display | Format-List FriendlyName,Status,Problem; nvidia-smi"),
						fix("in a VM of a cloud, use the provider's driver (GRID for vGPU sizes) and a size that has a GPU"),
					},
					Ask: "the device manager's status of the GPU, and its name",
				},
				Cause{
					When: on(Says("sbatch", "srun ", "slurm", "--gres", "salloc"), Not(Says("gpu-operator", "slurmd", "gres.conf", "modprobe", "dkms"))), Layer: rule.DeviceExposure, Confidence: rule.Possible,
					Title: "nvidia-smi does not reach a driver on this node: most likely the job has no GPU (none was asked for with --gres=gpu:1 or --gpus), or runs on a node without one",
					Text:  "Slurm shows a job those GPUs alone that were allocated to it; a partition with GPUs is not enough. On a login node there is usually no GPU at all. If a job that has a GPU shows the same, the node's kernel module is not loaded, which is the administrator's.",
					Remedies: []Remedy{
						fix("ask for a GPU, and look inside the job", "shell", "srun --gres=gpu:1 --pty nvidia-smi -L", "check", "scontrol show job $SLURM_JOB_ID | grep -i -e gres -e tres; echo $CUDA_VISIBLE_DEVICES"),
					},
					Ask: "the job's #SBATCH lines, and the output of these commands",
				},
				Cause{
					When: on(inLXC), Layer: rule.DeviceExposure,
					Title: "nvidia-smi in the LXC container does not reach the host's driver: the GPU is not passed in (a gpu device, /dev/nvidia*), or the container's driver libraries are not of exactly the host's release",
					Text:  "The container has no kernel module of its own; it needs the host's device nodes with rights in its cgroup, and libraries of the host's release[ (the text names {driver})]. The module works where nvidia-smi works on the host.",
					Remedies: []Remedy{
						fix("pass the GPU in", "lxd", "lxc config device add NAME gpu gpu && lxc config set NAME nvidia.runtime=true && lxc restart NAME", "proxmox", "ls -l /dev/nvidia*; grep -n nvidia /etc/pve/lxc/*.conf"),
						fix("or install in the container exactly the host's release, without a kernel module", "host", "cat /proc/driver/nvidia/version", "container", "sudo sh NVIDIA-Linux-x86_64-VERSION.run --no-kernel-module"),
					},
					Ask: "cat /proc/driver/nvidia/version on the host; ls -l /dev/nvidia* in the container",
				},
				Cause{
					When:  on(Says("linux-modules-nvidia-")),
					Title: "The package of the prebuilt module, linux-modules-nvidia-…, is missing for the running kernel[ {kernel}]: the kernel was updated without it",
					Text:  "On Ubuntu the signed modules come as a package for each kernel and driver branch. The meta-package (linux-modules-nvidia-BRANCH-generic) follows the kernel; a single one does not.",
					Remedies: []Remedy{
						fix("install the module's package for the running kernel, and the meta-package for the next ones", "ubuntu", "sudo apt-get install linux-modules-nvidia-{driver|branch}-$(uname -r) linux-modules-nvidia-{driver|branch}-generic && sudo modprobe nvidia", "any branch", "apt-cache search --names-only \"linux-modules-nvidia.*$(uname -r)\""),
					},
					Ask: "uname -r; dpkg -l 'linux-modules-nvidia*'",
				},
				Cause{
					When:     on(Says("prime-select query: intel", "prime-select intel", "envycontrol -s integrated", "Integrated mode", "power saving mode")),
					Title:    "The nvidia module is kept from loading: the graphics profile is intel (prime-select), which switches the NVIDIA GPU off",
					Text:     "Driver and CUDA are not at fault.",
					Remedies: []Remedy{fix("choose a profile with the NVIDIA GPU, and restart", "ubuntu", "sudo prime-select on-demand", "others", "sudo envycontrol -s hybrid")},
				},
				Cause{
					When:     on(Says("novacore", "nova_core", "nova-core", "nova_drm")),
					Title:    "nova-core, the kernel's new driver, drives the GPU, so the nvidia kernel module cannot",
					Text:     "A GPU is bound to one driver at a time.",
					Remedies: []Remedy{fix("blacklist nova_core and nova_drm, rebuild the initramfs and restart", "shell", "printf 'blacklist nova_core\\nblacklist nova_drm\\n' | sudo tee /etc/modprobe.d/blacklist-nova.conf", "fedora", "sudo dracut --force")},
				},
				Cause{
					When:     on(nouveauThere),
					Title:    "nouveau drives the GPU, so the nvidia kernel module cannot",
					Text:     "The kernel's own driver nouveau took the GPU at start. It has to be kept from loading, also in the initramfs.",
					Remedies: []Remedy{fix("blacklist nouveau, rebuild the initramfs and restart", "shell", "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-nouveau.conf; sudo update-initramfs -u; sudo reboot")},
				},
				Cause{
					When:     on(secureBoot),
					Title:    "The nvidia kernel module is not loaded: Secure Boot refuses a module whose key is not enrolled",
					Text:     "With Secure Boot on, the kernel loads modules signed with an enrolled key alone. A module that DKMS built is signed with the machine's own key (MOK), which has to be enrolled once at the console.",
					Remedies: []Remedy{fix("enrol the key and confirm it at the next start, or use the distribution's signed modules (linux-modules-nvidia), or switch Secure Boot off", "ubuntu", "sudo mokutil --import /var/lib/shim-signed/mok/MOK.der; sudo reboot")},
					Ask:      "mokutil --sb-state; sudo modprobe nvidia",
				},
				Cause{
					When:  on(Says("google cloud", "gcloud", "gce ", "compute engine", "aws ", "amazon linux", "ec2 ", "azure", "deep learning vm", "deep learning ami", "amazon ec2", "g4dn", "g5.", "p3.2xlarge", "a2-highgpu", "n1-standard")),
					Title: "The nvidia kernel module is not loaded on this cloud machine: usually its kernel[ ({kernel} runs now)] was updated and the module was not built for it",
					Text: "Images of clouds update their kernel by themselves; the driver's module is built for one kernel, [{kernel} runs now,] and stays away where headers or DKMS are missing. " +
						"It also happens where the machine type has no GPU, Secure Boot refuses the unsigned module, or the image loads the open flavour for a GPU that needs the proprietary one (V100 and older) or the other way round.",
					Remedies: []Remedy{
						fix("see whether the GPU is there and whether a module exists for the running kernel", "check", "lspci -d 10de:; dkms status; modinfo -F version nvidia; uname -r"),
						fix("install the headers of the running kernel and build the module, or run the provider's driver installer (extension) again", "ubuntu", "sudo apt-get install linux-headers-$(uname -r) && sudo dkms autoinstall && sudo modprobe nvidia"),
					},
					Ask: "sudo modprobe nvidia; dkms status; sudo dmesg | grep -i -e nvrm -e nvidia | tail",
				},
				Cause{
					When:  on(newKernel),
					Title: "The nvidia kernel module is not there for the running kernel[ {kernel}]: the kernel was updated and the module was not built for it (or the machine not restarted since, reboot)",
					Text: "nvidia-smi reaches no driver. A new kernel needs a module of its own: DKMS builds it where the kernel's headers are installed, or the package of prebuilt modules for that kernel brings it. " +
						"CUDA and the frameworks are not the reason and need not be reinstalled.",
					Remedies: []Remedy{
						fix("install the headers of the running kernel, build the module and load it", "ubuntu", "sudo apt-get install linux-headers-$(uname -r) && sudo dkms autoinstall && sudo modprobe nvidia", "fedora", "sudo dnf install kernel-devel-$(uname -r) && sudo akmods --force && sudo modprobe nvidia"),
						fix("or start the previous kernel until a driver for the new one is there"),
					},
					Ask: "sudo modprobe nvidia; dkms status; uname -r",
				},
				Cause{
					Title: "No nvidia kernel module is loaded: nvidia-smi cannot reach the driver",
					Text: "The driver's programs are there, the module is not: not built for the running kernel[ {kernel}] (after a kernel update, or without headers), refused by Secure Boot, kept out by nouveau, or the driver has no support for this GPU. " +
						"CUDA and the frameworks are not the reason.",
					Remedies: []Remedy{
						fix("load it and read why it does not", "shell", "sudo modprobe nvidia; sudo dmesg | grep -i -e nvrm -e nvidia -e nouveau | tail -20"),
						fix("where it is not found, build it for the running kernel", "ubuntu", "sudo apt-get install linux-headers-$(uname -r) && sudo dkms autoinstall", "fedora", "sudo dnf install kernel-devel-$(uname -r) && sudo akmods --force"),
					},
					Ask: "sudo modprobe nvidia; dkms status; mokutil --sb-state; lspci -k -d 10de:",
				},
			),
			Samples: []string{
				"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.",
				"Error: Failed to communicate with the NVIDIA driver",
				"NVIDIA-SMI has failed because it could not communicate with NVIDIA driver.",
			},
			Misses: []string{"how processes communicate with the NVIDIA driver is described below"},
			Source: "https://github.com/GoogleCloudPlatform/compute-gpu-installation/issues/18",
		},
	}
}
