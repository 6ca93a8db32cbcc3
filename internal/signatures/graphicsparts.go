package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// graphicsParts is about parts of the driver for the display that are missing or configured for another machine.
func graphicsParts() []*Signature {
	return []*Signature{
		{
			ID: "xorg-conf-stale", Product: "Xorg",
			Literals: []string{"xorg.conf", "BusID", "Failed to assign any connected display devices"},
			Pattern:  `(?i)BusID\s+"?PCI:(?P<bus>[\d:@]+)|xorg\.conf|Failed to assign any connected display devices`,
			Layer:    rule.Driver, Role: Context, Strength: Strong,
			Where:   on(Says("(EE)", "no screens found", "not start", "black screen", "fails", "failed")),
			Meaning: "The configuration of the X server is named.",
			Causes: causes(
				Cause{
					When:     on(Says("Failed to assign any connected display")),
					Title:    "Xorg finds no display at the GPU: on a machine without a monitor xorg.conf needs AllowEmptyInitialConfiguration (or a virtual one with ConnectedMonitor)",
					Text:     "The driver works; compute and EGL need no X server.",
					Remedies: []Remedy{fix("write such a configuration", "shell", "sudo nvidia-xconfig --allow-empty-initial-configuration --use-display-device=None --virtual=1920x1080 --busid=PCI:1:0:0"), fix("or render without X, by EGL")},
				},
				Cause{
					When:     on(Says("no screens found", "Failed to initialize the NVIDIA GPU at", "No devices detected"), Any(Has("bus"), Says("BusID"))),
					Title:    "/etc/X11/xorg.conf names another card (BusID[ PCI:{bus}]) than the one that is there: the number changed with the slot or the BIOS",
					Text:     "lspci prints it in hexadecimal, xorg.conf wants decimal. Without a configuration Xorg finds the card by itself.",
					Remedies: []Remedy{fix("remove the stale file, or correct the BusID", "shell", "lspci | grep -i -e vga -e 3d; sudo mv /etc/X11/xorg.conf /etc/X11/xorg.conf.old; ls /etc/X11/xorg.conf.d")},
				},
			),
			Samples: []string{"BusID \"PCI:2:0:0\"", "(EE) NVIDIA(0): Failed to assign any connected display devices to X screen 0"},
			Misses:  []string{"X.Org X Server 1.21"},
			Source:  "https://github.com/Bumblebee-Project/Bumblebee/issues/550",
		},
		{
			ID: "vaapi-nvidia", Product: "VA-API",
			Literals: []string{"libva error", "vaInitialize failed", "vainfo", "VAAPI", "va_openDriver"},
			Beside:   []string{"nvidia", "nvenc", "geforce", "quadro", "libva", "rtx"},
			Pattern:  `(?i)libva error|vaInitialize failed|vainfo[^\n]{0,80}(?:fail|error)|VAAPI[^\n]{0,60}(?:fail|error|not)|va_openDriver\(\) returns -?[1-9]`,
			Layer:    rule.Driver, Role: Context, Strength: Usual,
			Where:   on(Says("nvidia", "geforce", "quadro")),
			Meaning: "VA-API does not start.",
			Causes: causes(Cause{
				When:     on(Says("nvidia", "geforce", "quadro")),
				Title:    "NVIDIA's driver has no VA-API: programs need nvidia-vaapi-driver (NVDEC behind VA-API), or NVENC and NVDEC in place of VAAPI",
				Text:     "libva looks for a driver named after the card and finds none. In FFmpeg-based programs choose NVENC (cuda, nvdec) for an NVIDIA card.",
				Remedies: []Remedy{fix("install it and name it", "shell", "sudo apt-get install nvidia-vaapi-driver; LIBVA_DRIVER_NAME=nvidia NVD_BACKEND=direct vainfo"), fix("or choose NVENC in the program's settings")},
			}),
			Samples: []string{"libva error: vaGetDriverNameByIndex() failed with unknown libva error"},
			Misses:  []string{"libva info: VA-API version 1.20.0"},
			Source:  "https://github.com/elFarto/nvidia-vaapi-driver",
		},
		{
			ID: "told-32bit-gl", Product: "OpenGL",
			Literals: []string{"32-bit", "32 bit", ":i386", "lib32-nvidia"},
			Pattern:  `(?i)\b32[- ]bit\b|:i386|lib32-nvidia`,
			Layer:    rule.Driver, Role: Told, Strength: Strong,
			Where:   on(Says("nvidia"), Says("steam", "wine", "proton", "libGL", "game", "missing", "not installed")),
			Meaning: "A 32-bit program needs the driver's 32-bit libraries.",
			Causes: causes(Cause{
				Title:    "The driver's 32-bit libraries are missing[ (of {driver})]: Steam and Wine need libnvidia-gl[-{driver|branch}]:i386 (lib32-nvidia-utils on Arch) of exactly the driver's release",
				Text:     "They are packages of their own for the architecture i386.",
				Remedies: []Remedy{fix("install them", "ubuntu and debian", "sudo dpkg --add-architecture i386 && sudo apt-get update && sudo apt-get install libnvidia-gl-{driver|branch}:i386", "arch", "sudo pacman -S lib32-nvidia-utils", "fedora", "sudo dnf install xorg-x11-drv-nvidia-libs.i686"), fix("install the driver's i386 (32-bit) libraries of the same release")},
			}),
			Samples: []string{"Steam misses 32-bit libraries"},
			Misses:  []string{"a 32-bits integer overflowed"},
			Source:  "https://wiki.debian.org/NvidiaGraphicsDrivers",
		},
		{
			ID: "told-tcc-wddm", Product: "Windows",
			Literals: []string{"in WDDM", "to WDDM", "WDDM mode", "WDDM driver", "not WDDM", "TCC mode", "TCC driver", " TCC "},
			Pattern:  `\bWDDM\b|\bTCC\b`,
			Layer:    rule.Application, Role: Context, Strength: Strong,
			Where:   on(OnWindows),
			Meaning: "The driver models of Windows are named.",
			Causes: causes(Cause{
				When:     on(Says("OpenGL", "game", "display", "not see", "DirectX", "switch", "Vulkan", "graphics", "WSL")),
				Title:    "The GPU is in the driver model TCC, which is for compute alone: games, OpenGL, DirectX and WSL need WDDM (nvidia-smi -dm 0)",
				Text:     "Tesla cards start in TCC; not all can change, and WDDM on them needs a driver or licence (vGPU, Quadro) that allows graphics. Not a fault.",
				Remedies: []Remedy{fix("change the model as administrator and restart", "powershell", "nvidia-smi -g 0 -dm 0")},
			}),
			Samples: []string{"the card shows TCC mode and not WDDM"},
			Misses:  []string{"wddmx"},
			Source:  "https://docs.nvidia.com/deploy/nvidia-smi/index.html",
		},
	}
}
