package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// moduleVersions is about modules of the driver that are of different releases, and those that DKMS did not install.
func moduleVersions() []*Signature {
	return []*Signature{
		{
			ID: "nvidia-modeset-version", Product: "nvidia-modeset",
			Literals: []string{"nvidia-modeset: Version mismatch", "nvidia-modeset.ko(", "nvidia-uvm: Version mismatch", "nvidia-drm: Version mismatch"},
			Pattern:  `(?i)(?P<kmod>nvidia-(?:modeset|uvm|drm)): Version mismatch: nvidia\.ko\((?P<module>\d{3}\.[\d.]*\d)\) nvidia-\w+\.ko\((?P<other>\d{3}\.[\d.]*\d)\)`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "Two modules of the driver are of different releases.",
			Causes: causes(Cause{
				Title:    "The modules nvidia.ko ({module}) and {kmod}.ko ({other}) are of different releases: a module of an earlier installation was left behind",
				Text:     "After an update one of them was not built or not replaced (under updates, extra or kernel of /lib/modules), or the initramfs holds the old one.",
				Remedies: []Remedy{fix("remove all of them, build the modules of one release anew, rebuild the initramfs and restart", "shell", "find /lib/modules/$(uname -r) -name 'nvidia*.ko*'; dkms status; sudo dkms remove nvidia/{other} --all; sudo dkms autoinstall --force; sudo depmod -a", "initramfs", "sudo update-initramfs -u || sudo dracut --force")},
			}),
			Samples: []string{"nvidia-modeset: Version mismatch: nvidia.ko(550.54.14) nvidia-modeset.ko(535.129.03)"},
			Misses:  []string{"nvidia-modeset: Loading NVIDIA Kernel Mode Setting Driver for UNIX platforms  550.54.14"},
			Source:  "https://github.com/void-linux/void-packages/issues/4473",
		},
		{
			ID: "dkms-install-failed", Product: "dkms",
			Literals: []string{"Installing DKMS module 'nvidia", "failed to install, please do this manually", "dkms install: error", "Error! Installation aborted", "Module version", "is not newer than what is already found"},
			Pattern:  `(?i)Installing DKMS module '?nvidia-(?P<driver>\d{3}[\d.]*\d)'? for kernel-(?P<kernel>[\w.+-]+?)\.* ?FAILED|DKMS module '?nvidia-(?P<driver>\d{3}[\d.]*\d)'? failed to install|Module version (?P<driver>\d{3}[\d.]*\d) for nvidia\S*\s+is not newer than what is already found in kernel (?P<kernel>[\w.+-]+)`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "DKMS built the module and did not install it.",
			Causes: causes(Cause{
				Title:    "DKMS built the nvidia module {driver}[ for kernel {kernel}] and could not install it: another copy of the module is in the kernel's tree",
				Text:     "A module of another package or an earlier installation (.run file, prebuilt package) is found there, so DKMS stops, or the directory is not writable.",
				Remedies: []Remedy{fix("remove the other copy and install by force", "shell", "find /lib/modules -name 'nvidia*.ko*'; sudo dkms install --force nvidia/{driver}; sudo depmod -a; sudo modprobe nvidia")},
			}),
			Samples: []string{"Installing DKMS module 'nvidia-550.54.14' for kernel-6.6.32_1... FAILED!", "Module version 535.54.03 for nvidia.ko is not newer than what is already found in kernel 6.2.0-26-generic (535.54.03)."},
			Misses:  []string{"Installing DKMS module 'nvidia-550.54.14' for kernel-6.6.32_1... done."},
			Source:  "https://github.com/dell/dkms",
		},
		{
			ID: "nvidia-settings-not-loaded", Product: "nvidia-settings",
			Literals: []string{"NVIDIA driver is not loaded", "Unable to load info from any available system", "NVIDIA X driver. Please edit your X", "appear to be using the NVIDIA X driver", "Unable to find display on any available system"},
			Layer:    rule.KernelModule, Strength: Usual,
			Meaning: "nvidia-settings finds no driver of NVIDIA in this session.",
			Causes: causes(
				Cause{
					When:     on(secureBoot),
					Title:    "The nvidia kernel module is not loaded (nvidia-settings: NVIDIA driver is not loaded): Secure Boot refuses it",
					Text:     "A module that was built here is signed with a key that has to be enrolled (MOK).",
					Remedies: []Remedy{fix("enrol the key, or switch Secure Boot off", "ubuntu", "sudo mokutil --import /var/lib/shim-signed/mok/MOK.der; sudo reboot")},
				},
				Cause{
					When:     on(nouveauThere),
					Title:    "nouveau drives the display (nvidia-settings: NVIDIA driver is not loaded)",
					Text:     "The nvidia module did not get the GPU.",
					Remedies: []Remedy{fix("blacklist nouveau, rebuild the initramfs and restart", "ubuntu", "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-nouveau.conf; sudo update-initramfs -u")},
				},
				Cause{
					Title:    "The nvidia kernel module[ {driver}] is not loaded in this session (nvidia-settings: NVIDIA driver is not loaded): mostly it was not built (DKMS) for the running kernel[ {kernel}]",
					Text:     "After a kernel update the module has to be built for it, and the modules' list brought up to date (depmod). On Wayland nvidia-settings says it too where the driver is well: nvidia-smi decides.",
					Remedies: []Remedy{fix("build and load it", "shell", "nvidia-smi; dkms status; sudo dkms autoinstall; sudo depmod -a; sudo modprobe nvidia", "void", "sudo xbps-install -f nvidia-dkms", "fedora", "sudo akmods --force")},
					Ask:      "nvidia-smi; sudo modprobe nvidia; dkms status; uname -r",
				},
			),
			Samples: []string{"ERROR: NVIDIA driver is not loaded", "ERROR: Unable to load info from any available system", "You do not appear to be using the NVIDIA X driver."},
			Misses:  []string{"the NVIDIA driver is loaded"},
			Source:  "https://github.com/void-linux/void-packages/issues/14377",
		},
		{
			ID: "gl-library-not-there", Product: "OpenGL",
			Literals: []string{"libGLX_nvidia.so.0", "libEGL_nvidia.so.0", "libnvidia-glcore", "libGLX_nvidia"},
			Pattern:  `(?i)(?:can(?:'t|not)|could not|couldn't|unable to|failed to) (?:find|load|open|locate)[^\n]{0,30}(?P<lib>lib(?:GLX_nvidia|EGL_nvidia|nvidia-glcore)[\w.]*)`,
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "A program finds no OpenGL or Vulkan library of the driver.",
			Causes: causes(
				Cause{
					When:     on(Says("headless", "no-dkms", "-server")),
					Title:    "{lib} is not on the host: the headless driver packages bring no graphics libraries; libnvidia-gl[-{driver|branch}] is missing",
					Text:     "In a container it is mounted from the host, with NVIDIA_DRIVER_CAPABILITIES=all (graphics, display), and so it has to be there first. Vulkan and OpenGL are part of it.",
					Remedies: []Remedy{fix("install libnvidia-gl of the driver's branch and flavour (-server) on the host, and create the container anew with NVIDIA_DRIVER_CAPABILITIES=all", "ubuntu", "sudo apt-get install libnvidia-gl-{driver|branch}"), fix("install the driver's graphics libraries (libnvidia-gl, nvidia-utils, xorg-x11-drv-nvidia-libs)")},
				},
				Cause{
					When: on(Any(InContainer, InKubernetes)), Layer: rule.ContainerRuntime,
					Title:    "{lib} is not in the container: NVIDIA_DRIVER_CAPABILITIES lacks graphics or display, or the host has no libnvidia-gl",
					Text:     "The toolkit mounts the driver's graphics libraries of the host with those capabilities alone.",
					Remedies: []Remedy{fix("set NVIDIA_DRIVER_CAPABILITIES=all and create the container anew; on the host install libnvidia-gl of the driver's branch", "host", "ldconfig -p | grep GLX_nvidia")},
				},
				Cause{
					Title:    "{lib} is not found: the driver's graphics part (libnvidia-gl) is not installed",
					Text:     "Headless and compute packages of the driver leave it out.",
					Remedies: []Remedy{fix("install the graphics libraries of the driver's release", "ubuntu", "sudo apt-get install libnvidia-gl-{driver|branch}"), fix("install libnvidia-gl (nvidia-utils on Arch, xorg-x11-drv-nvidia-libs on Fedora)")},
				},
			),
			Samples: []string{"Fatal Error: Can't find libGLX_nvidia.so.0", "failed to load libEGL_nvidia.so.0"},
			Misses:  []string{"found libGLX_nvidia.so.0"},
			Source:  "https://github.com/NVIDIA/deepops/issues/1223",
		},
	}
}
