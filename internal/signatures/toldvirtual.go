package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toldVirtual is what people and tools tell of VMs and WSL.
func toldVirtual() []*Signature {
	return []*Signature{
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
	}
}
