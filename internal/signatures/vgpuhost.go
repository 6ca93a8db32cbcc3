package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const vgpuGuide = "https://docs.nvidia.com/vgpu/index.html"

// vgpuHost is what the host of vGPUs says: nvidia-vgpud, nvidia-vgpu-mgr, mdevctl and the kernel's mdev.
func vgpuHost() []*Signature {
	return []*Signature{
		{
			ID: "vgpud-unsupported-gpu", Product: "vGPU",
			Literals: []string{"GPU not supported by vGPU", "failed to send vGPU configuration info", "nvidia-vgpud.service: Failed", "nvidia-vgpud.service: Main process exited", "vGPU is not supported on"},
			Pattern:  `(?i)GPU not supported by vGPU(?: at PCI Id: \S+ DevID: 0x10de / 0x(?P<pci>[0-9a-f]{4}))?|failed to send vGPU configuration info|nvidia-vgpud\.service: (?:Failed|Main process exited)|vGPU is not supported on`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "The host's vGPU daemon does not make vGPUs on this GPU.",
			Causes: causes(Cause{
				Title:    "This GPU[ ({pci|pciname}) ||  ({gpu})] is not supported by vGPU: nvidia-vgpud of the host driver makes vGPUs on the data-centre and RTX cards of its list alone",
				Text:     "GeForce and most Quadro cards have no vGPU. Where vgpu_unlock is meant to lift that, its library is not loaded into the service, or the patch does not fit the driver's release. SR-IOV (Ampere and newer) has to be on, and display mode off, where the card has such a switch.",
				Remedies: []Remedy{fix("see the list of supported GPUs of the vGPU release; with vgpu_unlock see that LD_PRELOAD reaches nvidia-vgpud and nvidia-vgpu-mgr", "host", "systemctl cat nvidia-vgpud nvidia-vgpu-mgr | grep -i -e preload -e Environment; journalctl -u nvidia-vgpud -n 30"), fix("on Ampere and newer switch SR-IOV on", "host", "sudo /usr/lib/nvidia/sriov-manage -e ALL")},
			}),
			Samples: []string{"nvidia-vgpud[1200]: GPU not supported by vGPU at PCI Id: 0:1:0:0 DevID: 0x10de / 0x2484 / 0x10de / 0x0000", "nvidia-vgpud[1200]: error: failed to send vGPU configuration info to RM: 6"},
			Misses:  []string{"nvidia-vgpud[1200]: GPU supported"},
			Source:  vgpuGuide,
		},
		{
			ID: "vgpu-vm-uuid", Product: "vGPU",
			Literals: []string{"Failed to get VM UUID", "kvm_plugin_global_init failed", "Failed to get VM"},
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "The vGPU manager finds no UUID of the VM.",
			Causes: causes(Cause{
				Title:    "The VM has no UUID on its QEMU command line (-uuid), which the vGPU manager (nvidia-vgpu-mgr) needs",
				Text:     "It reads the UUID of the process to tell VMs apart. libvirt gives one; a hand-made command line or Proxmox' args line has to name it.",
				Remedies: []Remedy{fix("add a UUID to the VM (Proxmox: args: -uuid 00000000-0000-0000-0000-000000000100, with the VM's number), and start it anew")},
			}),
			Samples: []string{"nvidia-vgpu-mgr[45395]: error: vmiop_env_log: Failed to get VM UUID from QEMU command-line 0x57"},
			Misses:  []string{"vmiop_env_log: VM UUID found"},
			Source:  vgpuGuide,
		},
		{
			ID: "told-mdev-empty", Product: "vGPU",
			Literals: []string{"mdevctl types", "mdev_supported_types", "mdevctl list", "nvidia-smi vgpu", "sriov-manage"},
			Pattern:  `(?i)mdevctl (?:types|list)|mdev_supported_types|nvidia-smi vgpu|sriov-manage`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Meaning: "The text is about the vGPU types of a host.",
			Causes: causes(Cause{
				When:     on(Says("returns nothing", "return nothing", "shows nothing", "prints nothing", "is empty", "empty", "no output", "No such file", "not found", "does not exist", "doesn't exist", "no vgpu", "No supported devices", "no mdev", "nothing")),
				Title:    "The host offers no vGPU types (mdevctl types is empty): the vGPU host driver or its daemons do not run, the GPU has no vGPU, or SR-IOV is off",
				Text:     "It needs the vGPU host driver (vgpu-kvm), nvidia-vgpud and nvidia-vgpu-mgr running, the IOMMU on, and a card of the list (or vgpu_unlock that fits the release). From Ampere on the virtual functions have to be switched on first; kernel 6.8 and newer with vGPU 17 no longer use mdev but a vendor interface (nvidia/creatable_vgpu_types).",
				Remedies: []Remedy{fix("look at the daemons, and switch SR-IOV on", "host", "systemctl status nvidia-vgpud nvidia-vgpu-mgr; journalctl -u nvidia-vgpud -n 30; sudo /usr/lib/nvidia/sriov-manage -e ALL; ls /sys/bus/pci/devices/*/nvidia"), fix("with vgpu_unlock on a GeForce card see that the patch fits the driver's release and is loaded into both daemons")},
			}),
			Samples: []string{"mdevctl types returns nothing", "/sys/class/mdev_bus/0000:41:00.0/mdev_supported_types: No such file or directory"},
			Misses:  []string{"mdev is a bus"},
			Source:  vgpuGuide,
		},
		{
			ID: "vfio-mdev-device", Product: "vGPU",
			Literals: []string{"error getting device from group", "mdev device", "sysfsdev="},
			Pattern:  `(?i)error getting device from group \d+: (?P<why>Input/output error|Connection timed out|Operation not permitted|Device or resource busy|No space left on device)|could not (?:create|open) mdev|mdev[^\n]{0,60}(?:Input/output error|No space left|Invalid argument)`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "QEMU did not get the mediated device (vGPU).",
			Causes: causes(Cause{
				Title:    "The vGPU (mdev) of the VM does not start[: {why}]: nvidia-vgpu-mgr on the host refused it (vfio error getting device)",
				Text:     "Its journal has the reason: no UUID of the VM, a vGPU type that does not fit the free memory, a profile of another driver release, no licence feature, or vgpu_unlock that is not loaded into it.",
				Remedies: []Remedy{fix("read the manager's log while the VM starts", "host", "journalctl -f -u nvidia-vgpu-mgr -u nvidia-vgpud; sudo dmesg | grep -i -e vgpu -e vfio | tail; mdevctl list")},
				Ask:      "journalctl -u nvidia-vgpu-mgr, from the start of the VM on",
			}),
			Samples: []string{"kvm: -device vfio-pci,sysfsdev=/sys/bus/mdev/devices/a: vfio a: error getting device from group 13: Input/output error"},
			Misses:  []string{"mdev device was created"},
			Source:  vgpuGuide,
		},
	}
}
