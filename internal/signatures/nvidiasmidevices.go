package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvidiaSMIDevices is what nvidia-smi prints where the driver answers, and a GPU does not.
func nvidiaSMIDevices() []*Signature {
	return []*Signature{
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
					When: on(onVGPU), Layer: rule.Driver,
					Title:    "nvidia-smi finds no device: this VM has a vGPU, which needs the GRID (vGPU guest) driver in place of the ordinary one[ ({driver})]",
					Text:     "A vGPU is driven by the guest driver alone, of a release that fits the host's vGPU manager; Azure's NVads A10 and other sizes with a part of a GPU are of this kind.",
					Remedies: []Remedy{fix("remove the ordinary driver and install the GRID driver of the provider or of the host's vGPU release", "check", "lspci -nn -d 10de:; sudo dmesg | grep -i nvrm | tail")},
				},
				Cause{
					When: on(Says("prints nothing", "shows nothing", "is empty", "no output", "returns nothing"), Says("lspci")), Layer: rule.Hardware,
					Title:    "There is no NVIDIA GPU in this machine or VM: lspci shows none",
					Text:     "Drivers and packages do not help. A VPS or VM has a GPU only where its plan has one and it is passed in.",
					Remedies: []Remedy{fix("take a machine or plan with a GPU, or seat and power the card and look at the BIOS", "check", "lspci -nn -d 10de:"), fix("without a GPU use the program on the CPU")},
				},
				Cause{
					When:     on(Says("bbswitch", "bumblebee")),
					Title:    "nvidia-smi finds no device: Bumblebee (bbswitch) has switched the GPU off",
					Text:     "bbswitch keeps the card off outside of optirun.",
					Remedies: []Remedy{fix("switch it on, or remove bumblebee and bbswitch and use PRIME", "shell", "echo ON | sudo tee /proc/acpi/bbswitch; nvidia-smi")},
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
			Literals: []string{"Unable to determine the device handle", "GPU is lost", "NVML_ERROR_GPU_IS_LOST", "NVMLError_GpuIsLost", "GPUIsLost", "GPU_IS_LOST"},
			Pattern:  `Unable to determine the device handle for (?:GPU|gpu)\s*(?:\d{1,2}:\s*)?(?P<bus>[0-9A-Fa-f]{4,8}:[0-9A-Fa-f:.]+)?.*|GPU is lost|NVML_ERROR_GPU_IS_LOST|NVMLError_GpuIsLost|\bGPUIsLost\b|\bGPU_IS_LOST\b`,
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
				"Unable to determine the device handle for GPU0000:CB:00.0: Unknown Error",
				"pynvml.NVMLError_GpuIsLost: GPU is lost",
			},
			Misses: []string{"no GPU islost in the sea"},
			Source: "https://github.com/NVIDIA/go-nvml/blob/main/gen/nvml/nvml.h",
		},
	}
}
