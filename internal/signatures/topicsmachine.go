package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// Topics of the machine itself: its display, its hardware, its driver.
var (
	aboutHardware = Says("overheat", "temperature", "thermal", "power supply", " PSU", "riser", "pcie slot", "fan speed", " fans", "watt", "coil whine", "smoke", "reseat", "pcie link", "x16 slot", "motherboard", "artifacts", "artefacts")
	aboutDisplay  = Says("wayland", "x11", "xorg", "x server", "vulkan", "opengl", "monitor", "hdmi", "displayport", "resolution", "gnome", "plasma", "desktop environment", "compositor", "login screen", "refresh rate", "vsync", "egl", "glx", "steam", "proton", "screen")
	aboutWindows  = Says("windows 10", "windows 11", "windows server", "device manager", "nvidia control panel", "geforce experience", "nvidia app", "directx", "dxgi", "d3d12")
	aboutVGPUs    = Says("vgpu", "mdev", "grid driver", "gridd")
	aboutMonitor  = Says("dcgm", "nvml", "exporter", "prometheus", "grafana", "nvtop", "telemetry", "metrics")
	aboutDriver   = Says("nvidia driver", "gpu driver", "graphics driver", "nvidia-smi", "nvidia module", "proprietary driver", "open driver", "nvidia-open", "driver version", "nvidia.ko", "nvrm", "the driver", "drivers")
	aboutMachine  = Any(aboutHardware, aboutDisplay, aboutWindows, aboutVGPUs, aboutMonitor, aboutDriver)
)

// machineTopics come behind the topics of containers, clusters, VMs and kernels.
var machineTopics = []Cause{
	topic(Cause{
		When: on(aboutVGPUs), Layer: rule.Driver,
		Title:    "vGPU: most likely the guest's GRID driver and the host's vGPU manager do not fit, the licence is missing, or the card has no vGPU",
		Text:     "Host and guest need drivers of vGPU releases that support each other; the host's card has to be on the list (or unlocked); the guest needs a licence (nvidia-gridd).",
		Remedies: []Remedy{fix("look at both ends", "host", "nvidia-smi vgpu; journalctl -u nvidia-vgpud -u nvidia-vgpu-mgr -n 40; mdevctl types", "guest", "nvidia-smi -q | grep -i licen; sudo dmesg | grep -i nvrm")},
		Ask:      "the output of these commands",
	}),
	topic(Cause{
		When: on(aboutMonitor), Layer: rule.Application,
		Title:    "Monitoring (DCGM, NVML): most likely the collector does not reach the driver's library, lacks rights (SYS_ADMIN, privileged), or the GPU does not have that metric",
		Text:     "What the programs compute is not touched by it. In a container the collector needs the NVIDIA runtime; profiling metrics exist on data-centre GPUs alone.",
		Remedies: []Remedy{fix("see whether nvidia-smi gives the value where the collector runs", "check", "nvidia-smi -q | head -60; dcgmi discovery -l; dcgmi modules -l")},
		Ask:      "nvidia-smi and the collector's log",
	}),
	topic(Cause{
		When: on(aboutHardware), Layer: rule.Hardware,
		Title:    "Hardware: most likely power, heat, the slot or riser, or the card itself; the kernel log (Xid) and nvidia-smi -q tell which",
		Text:     "Crashes under load, artifacts and cards that vanish are power cables, power supply, cooling, PCIe link or memory of the card, more often than the driver.",
		Remedies: []Remedy{fix("read the log and the sensors; limit the power for a test, reseat the card and its cables", "check", "sudo dmesg | grep -i -e xid -e nvrm -e aer | tail; nvidia-smi -q -d TEMPERATURE,POWER,PERFORMANCE,ECC", "test", "sudo nvidia-smi -pl 250")},
		Ask:      "sudo dmesg | grep -i -e xid -e nvrm | tail -20, and whether it comes under load alone",
	}),
	topic(Cause{
		When: on(aboutWindows), Layer: rule.Driver,
		Title:    "Windows: most likely the driver's installation is damaged, too old or too new for the GPU, or another GPU (integrated) is used",
		Text:     "A clean installation (option of the installer, or DDU before it) of the release for this GPU mends most. Graphics settings of Windows choose the GPU for a program.",
		Remedies: []Remedy{fix("install the driver cleanly, and see what nvidia-smi says", "powershell", "nvidia-smi"), fix("choose the NVIDIA GPU for the program in Settings, System, Display, Graphics")},
		Ask:      "nvidia-smi, and the device manager's status of the GPU",
	}),
	topic(Cause{
		When: on(aboutDisplay), Layer: rule.Driver,
		Title:    "Display: most likely nvidia-drm runs without KMS (nvidia-drm.modeset=1, fbdev=1), another GPU or Mesa is used, or this driver release[ {driver}] has a fault with the desktop",
		Text:     "The session needs the kernel modules (nvidia, nvidia_modeset, nvidia_drm) early, GL, EGL and GBM libraries of the same release, and a compositor that fits. Compute (CUDA) is not touched by it.",
		Remedies: []Remedy{fix("see which driver and renderer are used", "check", "nvidia-smi; sudo cat /sys/module/nvidia_drm/parameters/modeset; glxinfo -B; journalctl -b | grep -i -e nvidia -e gbm -e egl | tail -30"), fix("try the newest release of the branch (or the one before the trouble began), and X11 beside Wayland")},
		Ask:      "the output of these commands, and since which update it is so",
	}),
	topic(Cause{
		Layer:    rule.KernelModule,
		When:     on(aboutDriver),
		Title:    "The NVIDIA driver[ {driver}]: most likely its kernel module is not loaded for the running kernel[ {kernel}], is of another release or flavour (open or proprietary), or has a fault with this GPU[ ({gpu})]",
		Text:     "nvidia-smi and the kernel log (NVRM) tell which. After an update restart first; then the module for this kernel, Secure Boot, nouveau, and the branch that supports the GPU.",
		Remedies: []Remedy{fix("read the reason", "shell", "nvidia-smi; sudo modprobe nvidia; sudo dmesg | grep -i -e nvrm -e nvidia | tail -20; dkms status; uname -r; mokutil --sb-state")},
		Ask:      "the output of these commands",
	}),
}
