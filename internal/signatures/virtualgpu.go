package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// virtualGPU is about vGPU, passthrough and the GPUs of clouds.
func virtualGPU() []*Signature {
	return []*Signature{
		{
			ID: "vgpu-unlicensed", Product: "vGPU",
			Literals: []string{"nvidia-gridd", "Unlicensed", "vGPU Software Licensed Product", "GRID Licensed Product", "acquire license", "licensing server", "license server"},
			Pattern:  `(?i)License Status\s*: ?Unlicensed|nvidia-gridd(?:\[\d+\])?: [^\n]{0,80}(?:failed to acquire|Unlicensed|license.{0,40}(?:fail|error|expired|invalid)|No license|Unable to|invalid)|nvidia-gridd(?:\.service)?[^\n]{0,30}(?:not found|could not be found|Failed with result|inactive)|unlicensed (?:vGPU|state)|vGPU (?:is|are) unlicensed`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "The vGPU has no licence.",
			Causes: causes(Cause{
				Title: "The vGPU has no licence (nvidia-gridd): CUDA is throttled and then refused",
				Text:  "A guest with a vGPU gets a licence by nvidia-gridd from a licence server, with a client token. Without it performance falls after some minutes, and CUDA calls fail. Frameworks and the host's hardware are not the reason.",
				Remedies: []Remedy{
					fix("put the client configuration token into /etc/nvidia/ClientConfigToken, set FeatureType in gridd.conf, and start nvidia-gridd", "guest", "sudo systemctl restart nvidia-gridd; nvidia-smi -q | grep -i license; journalctl -u nvidia-gridd -n 20"),
					fix("where nvidia-gridd is not there, install the vGPU guest (GRID) driver of the host's release in place of the data-centre driver"),
				},
				Ask: "nvidia-smi -q | grep -i license; journalctl -u nvidia-gridd",
			}),
			Samples: []string{"        License Status                    : Unlicensed", "nvidia-gridd[790]: Failed to acquire license from licserver (Info: NVIDIA RTX Virtual Workstation)", "Unit nvidia-gridd.service could not be found."},
			Misses:  []string{"        License Status                    : Licensed (Expiry: 2030-1-1 0:0:0 GMT)"},
			Source:  "https://docs.nvidia.com/vgpu/latest/grid-licensing-user-guide/index.html",
		},
		{
			ID: "vgpu-guest-host", Product: "vGPU",
			Literals: []string{"Guest driver", "guest driver version", "vmiop_log", "vGPU is not supported", "guest is unsupported", "vgpu unavailable", "nvidia-vgpu-mgr", "Guest NVIDIA driver"},
			Pattern:  `(?i)(?:vmiop_log|nvidia-vgpu-mgr)[^\n]{0,100}(?:error|fail|mismatch|incompatible)|guest (?:NVIDIA )?driver[^\n]{0,60}(?:incompatible|not compatible|mismatch|unsupported|older)|init_device_instance failed`,
			Layer:    rule.Driver,
			Meaning:  "The guest's driver and the vGPU manager of the host do not fit.",
			Causes: causes(Cause{
				Title:    "The vGPU's guest driver does not fit the vGPU manager of the host",
				Text:     "Guest and host have to be of vGPU releases that support each other; a data-centre driver in the guest does not work with a vGPU.",
				Remedies: []Remedy{fix("install the guest driver of the host's vGPU release", "host", "nvidia-smi; journalctl -u nvidia-vgpu-mgr -n 30")},
			}),
			Samples: []string{"nvidia-vgpu-mgr[2110]: error: vmiop_log: (0x0): Incompatible Guest/Host drivers: Guest VGX version is older than the minimum version supported by the Host. Disabling vGPU."},
			Misses:  []string{"nvidia-vgpu-mgr[2110]: notice: vmiop_log: vGPU started"},
			Source:  "https://github.com/mbilker/vgpu_unlock-rs/issues/10",
		},
		{
			ID: "vm-code-43", Product: "Windows",
			Literals: []string{"code 43", "code: 43", "code43", "error 43", "error43"},
			Pattern:  `(?i)\b(?:error ?)?code:? ?43\b|\berror ?43\b`,
			Layer:    rule.DeviceExposure, Role: Context,
			Meaning: "Windows stopped the device because its driver reported a problem.",
			Causes: causes(
				Cause{
					When:     on(inVM),
					Title:    "The guest's driver refuses the GPU that is passed into the VM (Code 43)",
					Text:     "Drivers before 465 refuse GeForce cards in a VM; later ones fail where the hypervisor passes the card in incompletely: ROM, reset, MSI, or a partition without the driver files of its host.",
					Remedies: []Remedy{fix("use a driver of 465 or newer, UEFI with q35, pass all functions of the card, and give a clean ROM; hide the hypervisor for older drivers (kvm hidden state, vendor_id)")},
				},
				Cause{
					When: on(Says("nvidia", "geforce", "quadro"), Any(OnWindows, Says("device manager", "has stopped this device"))), Confidence: rule.Possible, Layer: rule.Driver,
					Title:    "Windows stopped the GPU: its driver reported a problem (Code 43)",
					Text:     "A damaged or wrong driver, or a fault of the card.",
					Remedies: []Remedy{fix("install the driver cleanly; where it stays, test the card in another machine")},
				},
			),
			Samples: []string{"Windows has stopped this device because it has reported problems. (Code 43)"},
			Misses:  []string{"exit code 432"},
			Source:  "https://learn.microsoft.com/en-us/windows-hardware/drivers/install/cm-prob-failed-post-start",
		},
		{
			ID: "vfio-passthrough", Product: "vfio",
			Literals: []string{"vfio-pci", "vfio: ", "VFIO_MAP_DMA", "iommu_group", "group is not viable"},
			Pattern:  `(?i)vfio[^\n]{0,120}(?:group \d+ is not viable|failed to (?:setup container|open|get)|error getting device|Cannot reset device|VFIO_MAP_DMA.{0,20}failed|BAR \d+: can't reserve|No such device|not ready \d+ms after)|group \d+ is not viable|device not bound to 'vfio-pci'|all devices within the iommu_group are bound to their vfio`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "The host cannot pass the GPU into a VM.",
			Causes: causes(
				Cause{
					When:     on(Says("not viable", "within the iommu_group")),
					Title:    "The GPU's IOMMU group holds devices that are not bound to vfio-pci (group is not viable), most often the card's audio function (snd_hda_intel)",
					Text:     "All devices of a group go to one VM or to vfio-pci: the GPU's audio (.1) and USB (.2, .3) functions too. Their kernel drivers on the host have to let go of them.",
					Remedies: []Remedy{fix("bind all of the group to vfio-pci, or use another slot", "host", "for d in /sys/kernel/iommu_groups/*/devices/*; do echo $d; done; lspci -nnk -d 10de:")},
				},
				Cause{
					When:     on(Says("can't reserve")),
					Title:    "Another driver of the host (efifb, simplefb, nouveau) holds the GPU's memory, so vfio-pci cannot pass it on",
					Text:     "BAR can't reserve: the boot framebuffer lies on the card.",
					Remedies: []Remedy{fix("start the host with video=efifb:off (or initcall_blacklist=sysfb_init), and blacklist nouveau and nvidia there", "host", "cat /proc/iomem | grep -i -A3 10de; lspci -nnk -d 10de:")},
				},
				Cause{
					Title:    "The host cannot pass the GPU into the VM (vfio)",
					Text:     "The IOMMU is off, the card is bound to another driver, or it does not come back from a reset.",
					Remedies: []Remedy{fix("switch VT-d or AMD-Vi on, bind the card to vfio-pci early, and look at the host's log", "host", "sudo dmesg | grep -i -e vfio -e iommu -e dmar | tail; lspci -nnk -d 10de:")},
				},
			),
			Samples: []string{"vfio: error, group 17 is not viable, please ensure all devices within the iommu_group are bound to their vfio bus driver.", "vfio-pci 0000:01:00.0: BAR 1: can't reserve [mem 0xc0000000-0xcfffffff 64bit pref]", "device not bound to 'vfio-pci'; device: 0000:65:00.0 driver: 'nvidia'"},
			Misses:  []string{"VFIO - User Level meta-driver version: 0.3"},
			Source:  "https://docs.kernel.org/driver-api/vfio.html",
		},
		{
			ID: "cloud-no-capacity", Product: "cloud",
			Literals: []string{"ZONE_RESOURCE_POOL_EXHAUSTED", "InsufficientInstanceCapacity", "does not have enough resources available", "AllocationFailed", "SkuNotAvailable", "OutOfCapacity", "Out of capacity", "OverconstrainedAllocationRequest", "STOCKOUT", "VcpuLimitExceeded", "GPUS_ALL_REGIONS", "Quota 'NVIDIA", "OperationNotAllowed", "QuotaExceeded", "Quota exceeded", "quota limit"},
			Pattern:  `(?i)ZONE_RESOURCE_POOL_EXHAUSTED|InsufficientInstanceCapacity|does not have enough resources available to fulfill|\bAllocationFailed\b|SkuNotAvailable|Out ?of ?capacity|OverconstrainedAllocationRequest|STOCKOUT|VcpuLimitExceeded|quota[^\n]{0,60}(?:GPUS_ALL_REGIONS|NVIDIA_\w+|\bGPUs?\b)|(?:GPUS_ALL_REGIONS|NVIDIA_\w+_GPUS)[^\n]{0,40}(?:exceed|quota|limit)|exceeding approved [^\n]{0,60}(?:quota|cores)`,
			Layer:    rule.Application,
			Meaning:  "The cloud has no such machine now, or the account may not have it.",
			Causes: causes(
				Cause{
					When:     on(Says("quota", "VcpuLimitExceeded", "limit exceeded")),
					Title:    "The account's quota for GPUs is used up or zero; not the stack",
					Text:     "The machine was not created.",
					Remedies: []Remedy{fix("ask the provider to raise the quota for this kind of GPU and region, or take another region")},
				},
				Cause{
					Title:    "The cloud has no free machine of this kind now; not the stack",
					Text:     "The zone has no capacity for this GPU.",
					Remedies: []Remedy{fix("try another zone or region, another GPU, or later; reserve capacity for regular use")},
				},
			),
			Samples: []string{"ERROR: (gcloud.compute.instances.create) ZONE_RESOURCE_POOL_EXHAUSTED", "An error occurred (InsufficientInstanceCapacity) when calling the RunInstances operation", "Quota 'GPUS_ALL_REGIONS' exceeded.  Limit: 0.0 globally.", "SkuNotAvailable: The requested VM size is not available in the location"},
			Misses:  []string{"batch allocation failed to converge", "memory limit for GPU 0: 12 GB, quota limit none"},
			Source:  "https://cloud.google.com/compute/docs/troubleshooting/troubleshooting-vm-creation",
		},
		{
			ID: "cloud-driver-extension", Product: "cloud",
			Literals: []string{"NvidiaGpuDriver", "HpcCompute", "install_gpu_driver.py", "cuda_installer", "cos-extensions", "nvidia-driver-installer"},
			Pattern:  `(?i)NvidiaGpuDriver(?:Linux|Windows)[^\n]{0,160}(?:fail|error)|install_gpu_driver\.py[^\n]{0,120}(?:error|fail)|cuda_installer[^\n]{0,100}(?:fail|error)|nvidia-driver-installer[^\n]{0,120}(?:Error|CrashLoop|fail)|cos-extensions[^\n]{0,100}(?:fail|error)`,
			Layer:    rule.KernelModule,
			Meaning:  "The cloud's installer of the driver failed.",
			Causes: causes(Cause{
				Title:    "The provider's driver installer failed on this machine",
				Text:     "Usual reasons: a kernel newer than its driver, headers that are not there, Secure Boot (trusted launch) that refuses the module, a distribution that it does not know, or a size whose vGPU needs the GRID driver.",
				Remedies: []Remedy{fix("read its log; switch Secure Boot off or use signed modules; choose an image and kernel that it supports", "check", "uname -r; mokutil --sb-state; sudo tail -50 /var/log/azure/nvidia-vmext-status /var/log/nvidia-installer.log")},
				Ask:      "the end of the installer's log, and mokutil --sb-state",
			}),
			Samples: []string{"VM has reported a failure when processing extension 'NvidiaGpuDriverLinux' (publisher 'Microsoft.HpcCompute'): error", "nvidia-driver-installer-x2k8z   0/1   Init:CrashLoopBackOff"},
			Misses:  []string{"NvidiaGpuDriverLinux installed"},
			Source:  "https://github.com/GoogleCloudPlatform/compute-gpu-installation/issues/18",
		},
	}
}
