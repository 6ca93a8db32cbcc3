package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// Words that tell where a text comes from, beside those of package signature.
var (
	inLXC        = Says("lxc.cgroup", "lxc.mount", "proxmox", "(lxc)", "lxc container", "lxd container", "lxd init", "lxc exec", "lxc config", "incus ", "unprivileged lxc", " in lxc", "/etc/pve", "pct enter")
	inImage      = Says("Dockerfile", "docker run", "docker exec", "docker build", "RUN apt", "RUN curl", "in the container", "inside the container", "container image", "inside docker", "in docker", "root@container", "podman run", "kubectl exec", "inside the pod", "in the pod", "--gpus")
	byEngine     = Says("Error response from daemon", "custom device", "crun: ", "runc ", "OCI runtime", "container_linux.go")
	onVGPU       = Any(Is("gpu", `(?i)\bgrid\b|vgpu|-\d+[QCAB]\b`), Says("nvidia-gridd", "vGPU ", "GRID driver", "GRID V", "GRID T", "GRID A", "unlicensed", "-gridd", "NVadsA10", "ads_A10"))
	inVM         = Says("passthrough", "pass-through", "vfio-pci", "qemu", "proxmox", "esxi", "vmware", "hyper-v", "libvirt", "virtual machine", "kvm guest", "hypervisor", "xcp-ng", "<hostdev", "kvm=off", "qubes", "xen hvm", "cloud-hypervisor", "kubevirt", "inside the vm", "in the vm", "guest vm", "vm guest", "in the guest")
	nouveauThere = Says("kernel driver in use: nouveau", "nouveau kernel driver", "nouveau 0000", "nouveau: ", "nouveaufb", "nouveau              ", "nouveaudrmfb")
	secureBoot   = Says("secureboot enabled", "secure boot enabled", "secure boot is enabled", "secureboot is enabled", "key was rejected", "required key not available", "lockdown: modprobe", "Lockdown: ", "MOK key", "enroll mok", "enrol the mok", "with secure boot", "secure boot on")
	newKernel    = Says("apt upgrade", "apt-get upgrade", "dist-upgrade", "kernel update", "kernel upgrade", "new kernel", "moved the kernel", "the kernel to ", "kernel was", "newer kernel", "updated the kernel", "upgraded the kernel", "updated kernel", "after updating", "after an update", "after upgrade", "after upgrading", "after update", "after rebooting", "after reboot", "uname -r", "linux-image-", "linux-headers")
)

// pastLastBranch holds where the driver, or a package that is named, is of a newer branch than the last that knows the GPU.
var pastLastBranch = Condition{Name: "the driver is newer than the GPU's last branch", Words: []string{"nvidia-driver-470", "nvidia-driver-510", "nvidia-driver-525", "nvidia-driver-535", "nvidia-driver-545", "nvidia-driver-550", "nvidia-driver-560", "nvidia-driver-570", "nvidia-driver-575", "nvidia-driver-580", "nvidia-driver-590"}, Holds: func(c *Case) bool {
	last, ok := c.Variable("gpu|gpulast")
	if !ok {
		return false
	}
	if have, ok := c.Variable("driver|branch"); ok {
		return len(have) > len(last) || len(have) == len(last) && have > last
	}
	for _, branch := range []string{"510", "525", "535", "545", "550", "560", "570", "575", "580", "590"} {
		if branch > last && c.Said("nvidia-driver-"+branch) {
			return true
		}
	}
	return false
}}

// nvidiaSMI is what nvidia-smi prints where it does not get to its table.
var nvidiaSMI = []*Signature{
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
				Title: "The nvidia kernel module is not there for the running kernel[ {kernel}]: the kernel was updated and the module was not built for it",
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
	{
		ID: "nvidia-smi-no-devices", Product: "nvidia-smi",
		Literals: []string{"No devices were found"},
		Layer:    rule.KernelModule, Strength: Weak, ExplainedBy: []string{"KRN005", "KRN006", "HWR001", "HWR003", "DRV005", "DRV006", "CTR001", "CTR007"},
		Meaning: "The kernel module is loaded, and no GPU could be initialised or seen.",
		Causes: causes(
			Cause{
				When: on(Says("fallen off the bus", "GPU is lost")), Layer: rule.Hardware,
				Title:    "nvidia-smi finds no device: the GPU has fallen off the bus",
				Text:     "The kernel log says that the GPU no longer answers on PCIe: power, heat, slot or riser.",
				Remedies: []Remedy{fix("switch the machine off and on; check the power cables, the seat of the card and its temperature")},
			},
			Cause{
				When:     on(Is("gpu|openmodule", "required"), Not(Says("open kernel module"))),
				Title:    "nvidia-smi finds no device: {gpu} works with NVIDIA's open kernel modules alone",
				Text:     "The proprietary flavour of the module does not drive this GPU; the kernel log then says that it requires use of the NVIDIA open kernel modules.",
				Remedies: []Remedy{fix("install the open flavour of the driver, and restart", "ubuntu", "sudo apt-get install nvidia-driver-{driver|branch}-open", "ubuntu, any release", "sudo ubuntu-drivers install")},
			},
			Cause{
				When:     on(Has("gpu|gpulast"), pastLastBranch),
				Title:    "nvidia-smi finds no device: {gpu} is supported up to driver branch {gpu|gpulast}, and a newer branch is installed[ ({driver})]",
				Text:     "Newer drivers ignore this GPU (the kernel log then says that it is supported through the {gpu|gpulast}.xx Legacy drivers).",
				Remedies: []Remedy{fix("install the legacy branch {gpu|gpulast} and hold it", "ubuntu", "sudo apt-get purge '^nvidia-.*' '^libnvidia-.*'; sudo apt-get install nvidia-driver-{gpu|gpulast}")},
			},
			Cause{
				When:     on(inVM),
				Title:    "nvidia-smi finds no device in this VM: the GPU that is passed in cannot be initialised",
				Text:     "The module loaded, and the start of the GPU failed: BARs that the virtual firmware did not map, a reset that the card does not do, an MSI or IOMMU setting, or a vGPU that needs the GRID driver of the host's release.",
				Remedies: []Remedy{fix("read the reason in the guest's kernel log; give the VM UEFI (OVMF), machine type q35 and enough 64-bit MMIO space", "guest", "sudo dmesg | grep -i nvrm | tail")},
				Ask:      "sudo dmesg | grep -i nvrm, in the guest",
			},
			Cause{
				When: on(inImage), Layer: rule.DeviceExposure, Confidence: rule.Possible,
				Title:    "nvidia-smi finds no device in the container: none of its device nodes works there",
				Text:     "The driver answers and shows no GPU: the container has no /dev/nvidia0 (NVIDIA_VISIBLE_DEVICES, an index or UUID that is gone), or the host itself finds none.",
				Remedies: []Remedy{fix("see whether the host finds it, then start the container anew with --gpus all", "host", "nvidia-smi -L", "container", "ls -l /dev/nvidia*; env | grep NVIDIA_VISIBLE_DEVICES")},
				Ask:      "nvidia-smi -L on the host",
			},
			Cause{
				Title: "The nvidia module is loaded, but no GPU could be initialised (No devices were found)",
				Text: "The kernel log has the reason (NVRM: RmInitAdapter failed, requires the open kernel modules, not supported by this release, no power cable, fallen off the bus). " +
					"Frequent ones: the wrong flavour of the module for this GPU[ ({gpu})], a branch of the driver that does not know it, or a GPU that lost power.",
				Remedies: []Remedy{fix("read the reason", "shell", "sudo dmesg | grep -i -e nvrm -e xid | tail -20")},
				Ask:      "sudo dmesg | grep -i nvrm",
			},
		),
		Samples: []string{"No devices were found"},
		Misses:  []string{"No device were found in range"},
		Source:  "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/862",
	},
	{
		ID: "nvidia-smi-gpu-lost", Product: "nvidia-smi",
		Literals: []string{"Unable to determine the device handle", "GPU is lost", "NVML_ERROR_GPU_IS_LOST", "NVMLError_GpuIsLost"},
		Pattern:  `Unable to determine the device handle for (?:GPU|gpu)\s*\w*:?\s*(?P<bus>[0-9A-Fa-f]{4,8}:[0-9A-Fa-f:.]+)?.*|GPU is lost|NVML_ERROR_GPU_IS_LOST|NVMLError_GpuIsLost`,
		Layer:    rule.Hardware, Strength: Strong, ExplainedBy: []string{"HWR003", "HWR002"},
		Meaning: "The driver lost a GPU that it had: it no longer answers on PCIe, or its initialisation failed.",
		Causes: causes(
			Cause{
				When: on(inVM, Says("unknown error"), Not(Says("fallen off", "GPU is lost"))), Layer: rule.DeviceExposure,
				Title:    "The GPU[ {bus}] that is passed into this VM does not answer its driver",
				Text:     "The guest sees the card and cannot talk to it: drivers before 465 refuse GeForce cards where they see a hypervisor (hide it: kvm hidden state, kvm=off), the card was not reset between two starts of the VM, or the host still holds it.",
				Remedies: []Remedy{fix("shut the VM down and restart the host, so that the card is reset; read the kernel logs of both", "shell", "sudo dmesg | grep -i -e nvrm -e xid -e vfio | tail")},
			},
			Cause{
				Title: "The GPU[ {bus}] is lost: it no longer answers on the PCIe bus",
				Text: "GPU is lost or Unable to determine the device handle means a fault of hardware: power supply or cable, heat, seat, riser or slot, or the card itself. " +
					"Drivers and packages are not the first thing to look at. The kernel log has the Xid, usually 79.",
				Remedies: []Remedy{
					fix("switch the machine off and on, and read the kernel log", "shell", "sudo dmesg | grep -i -e xid -e nvrm -e pcie | tail"),
					fix("where it comes back under load, check power (PSU, cables), temperature, seat and slot; limit the power for a test", "shell", "sudo nvidia-smi -pl 250"),
				},
			},
		),
		Samples: []string{
			"Unable to determine the device handle for GPU 0000:41:00.0: GPU is lost.  Reboot the system to recover this GPU",
			"Unable to determine the device handle for GPU0: 0000:17:00.0: Unknown Error",
			"pynvml.NVMLError_GpuIsLost: GPU is lost",
		},
		Misses: []string{"no GPU islost in the sea"},
		Source: "https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceEnumvs.html",
	},
}
