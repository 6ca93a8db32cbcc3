package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// fedoraAtomic is about simpledrm, ostree systems and boxes of containers that share the host's driver.
func fedoraAtomic() []*Signature {
	return []*Signature{
		{
			ID: "simpledrm-beside-nvidia", Product: "linux kernel",
			Literals: []string{"simpledrm", "simple-framebuffer", "Unknown-1", "\"Unknown\" display", "unknown display"},
			Pattern:  `(?i)simple-?drm\w*|simple-framebuffer|Unknown-1\b|["']?unknown["']? display`,
			Layer:    rule.Driver, Role: Context, Strength: Usual,
			Where:   on(Says("nvidia")),
			Meaning: "The firmware's display stays beside NVIDIA's.",
			Causes: causes(Cause{
				When: on(Says("nvidia-drm doesn't get loaded", "nvidia-drm does not get loaded", "nvidia-drm is not loaded", "nvidia_drm is not loaded", "nvidia-drm isn't loaded", "nvidia_drm isn't loaded", "nvidia-drm not loaded")), Layer: rule.KernelModule,
				Title:    "The module nvidia_drm is not loaded, so the screens stay with simpledrm: nvidia alone drives no display under Wayland",
				Text:     "nvidia-drm (nvidia_drm) is loaded by udev rules or modprobe options of the driver's packages; a rule of another package that keeps it out (install nvidia-drm /bin/true), or an initrd of before, prevents it.",
				Remedies: []Remedy{fix("load it by hand, then at every start, and look for a rule that keeps it out", "shell", "sudo modprobe nvidia_drm modeset=1; grep -rn nvidia /etc/modprobe.d /usr/lib/modprobe.d; echo nvidia_drm | sudo tee /etc/modules-load.d/nvidia-drm.conf")},
			}, Cause{
				When:     on(badPicture),
				Title:    "simpledrm, the firmware's display, stays beside nvidia-drm (a fake Unknown display, a black screen): nvidia-drm needs modeset=1 and fbdev=1 to take it over, or simpledrm has to be kept out",
				Text:     "Drivers before 545 cannot take the console over; with fbdev=1 (default from 570 on) simpledrm goes away. The session otherwise begins on a display that nobody drives.",
				Remedies: []Remedy{fix("set nvidia-drm.modeset=1 nvidia-drm.fbdev=1; where it stays, keep simpledrm out with initcall_blacklist=simpledrm_platform_driver_init", "fedora", "sudo grubby --update-kernel=ALL --args='nvidia-drm.modeset=1 nvidia-drm.fbdev=1'", "silverblue and kinoite", "rpm-ostree kargs --append-if-missing=nvidia-drm.modeset=1 --append-if-missing=initcall_blacklist=simpledrm_platform_driver_init")},
			}),
			Samples: []string{"the switch to simpledrm", "GNOME shows a fake \"Unknown\" display"},
			Misses:  []string{"a simple drama"},
			Source:  "https://rpmfusion.org/Howto/NVIDIA",
		},
		{
			ID: "ostree-akmod-post", Product: "rpm-ostree",
			Literals: []string{"Running %post for akmod-nvidia", "rpm-ostree(akmod-nvidia.post)", "Running %post for kmod-nvidia"},
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "rpm-ostree could not build the module while it made the deployment.",
			Causes: causes(Cause{
				Title:    "rpm-ostree could not build the module of akmod-nvidia (its %post failed): the kernel of the deployment and the kernel-devel that the repositories offer differ, or the driver is older than the kernel",
				Text:     "On Silverblue, Kinoite and the like akmods builds inside the new deployment. Its journal has the first error.",
				Remedies: []Remedy{fix("update the deployment first, restart into it, and install the driver then", "silverblue", "rpm-ostree upgrade && systemctl reboot", "then", "rpm-ostree install akmod-nvidia xorg-x11-drv-nvidia-cuda", "check", "journalctl -t 'rpm-ostree(akmod-nvidia.post)' | tail -40"), fix("or take an image that has the module built in (Universal Blue: bluefin-nvidia, bazzite-nvidia)")},
			}),
			Samples: []string{"error: Running %post for akmod-nvidia: bwrap(/bin/sh): Child process killed by signal 1"},
			Misses:  []string{"Executed %post for akmod-nvidia in 11265ms"},
			Source:  "https://github.com/fedora-silverblue/issue-tracker/issues/286",
		},
		{
			ID: "nvml-function-not-found", Product: "NVML",
			Literals: []string{"NVML: Function Not Found", "NVML_ERROR_FUNCTION_NOT_FOUND", "NVMLError_FunctionNotFound"},
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "libnvidia-ml is older than the program that calls it.",
			Causes: causes(Cause{
				When:     on(Says("initialize NVML", "nvidia-smi")),
				Title:    "nvidia-smi finds an older libnvidia-ml.so.1 than its own release (Function Not Found): a link or a copy of another driver installation is found first",
				Text:     "Half an update, a stale link in /usr/lib64/nvidia, or driver libraries of an image or of LD_LIBRARY_PATH.",
				Remedies: []Remedy{fix("see which libnvidia-ml is found, remove the stale one, and restart", "check", "ldconfig -p | grep libnvidia-ml; ls -l /usr/lib64/libnvidia-ml* /usr/lib/x86_64-linux-gnu/libnvidia-ml*; cat /proc/driver/nvidia/version", "then", "sudo ldconfig; sudo reboot")},
			}, Cause{
				Title:    "The driver's libnvidia-ml.so.1[ ({driver})] is older than the program that calls it: the function that it asks for is not in it",
				Text:     "A monitor, exporter or Python package of today asks for what an older driver does not have.",
				Remedies: []Remedy{fix("update the driver, or use an older release of the program (nvidia-ml-py of the driver's branch)", "pip", "python -m pip install 'nvidia-ml-py==12.{driver|branch}.*'"), fix("see which libnvidia-ml is found", "check", "ldconfig -p | grep libnvidia-ml")},
			}),
			Samples: []string{"Failed to initialize NVML: Function Not Found", "pynvml.NVMLError_FunctionNotFound: Function Not Found"},
			Misses:  []string{"Function found"},
			Source:  "https://github.com/NVIDIA/nvidia-docker/issues/584",
		},
	}
}
