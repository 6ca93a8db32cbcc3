package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// driverInstaller is what NVIDIA's installer (the .run file) and those of the CUDA toolkit print.
func driverInstaller() []*Signature {
	return []*Signature{
		{
			ID: "installer-module-loaded", Product: "nvidia-installer",
			Literals: []string{"appears to already be loaded in your kernel", "appears to be already loaded"},
			Pattern:  `(?i)An NVIDIA kernel module '?(?P<kmod>[\w-]+)'? appears to already be loaded|appears to be already loaded`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "The installer cannot replace modules that are in use.",
			Causes: causes(Cause{
				When: on(Any(InKubernetes, Says("driver-daemonset", "gpu-operator"))), Layer: rule.Driver,
				Title:    "The GPU operator tries to install a driver on a node that already has one of its own: the host's module[ {kmod}] is loaded",
				Text:     "The driver container and a driver that was preinstalled on the host exclude each other.",
				Remedies: []Remedy{fix("keep the host's driver and tell the operator so: driver.enabled=false", "helm", "helm upgrade gpu-operator nvidia/gpu-operator -n gpu-operator --reuse-values --set driver.enabled=false"), fix("or remove the driver from the nodes and restart them")},
			}, Cause{
				When: on(inLXC), Layer: rule.Driver,
				Title:    "In the LXC container the driver has to be installed without its kernel module (--no-kernel-module): the module[ {kmod}] is the host's and is loaded there",
				Text:     "A container shares the kernel of its host. It needs the libraries of exactly the host's release[ ({driver})], and no module.",
				Remedies: []Remedy{fix("install the same release without the module", "container", "sudo sh NVIDIA-Linux-x86_64-VERSION.run --no-kernel-module"), fix("or with LXD and Incus let the host's toolkit bring the libraries in: nvidia.runtime=true", "host", "lxc config set NAME nvidia.runtime=true")},
			}, Cause{
				Title:    "The installer stops: the old module[ {kmod}] is loaded and in use",
				Text:     "A display server, the persistence daemon, a container or a monitoring agent uses the GPU.",
				Remedies: []Remedy{fix("stop what uses the GPU, unload the modules and start the installer again", "shell", "sudo systemctl isolate multi-user.target; sudo systemctl stop nvidia-persistenced; sudo rmmod nvidia_drm nvidia_modeset nvidia_uvm nvidia; sudo lsof /dev/nvidia*")},
			}),
			Samples: []string{"ERROR: An NVIDIA kernel module 'nvidia-drm' appears to already be loaded in your kernel.  This may be because it is in use"},
			Misses:  []string{"the page appears to already be loaded in your browser"},
			Source:  "https://github.com/NVIDIA/nvidia-installer",
		},
		{
			ID: "installer-x-running", Product: "nvidia-installer",
			Literals: []string{"appear to be running an X server"},
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "The installer does not work beside a running display server.",
			Causes: causes(Cause{
				Title:    "The installer stops: an X server is running",
				Text:     "The driver cannot be replaced while the display uses it.",
				Remedies: []Remedy{fix("stop the display manager, install, and start it again", "shell", "sudo systemctl isolate multi-user.target")},
			}),
			Samples: []string{"ERROR: You appear to be running an X server; please exit X before installing.  For further details, please see the section INSTALLING THE NVIDIA DRIVER"},
			Misses:  []string{"you are running an X server with this version"},
			Source:  "https://github.com/NVIDIA/nvidia-installer/blob/main/misc.c",
		},
		{
			ID: "installer-other-driver", Product: "nvidia-installer",
			Literals: []string{"alternate driver installation", "alternate method of installing the NVIDIA driver", "distribution-provided pre-install script failed", "existing package manager installation of the driver", "package manager installation of the driver found"},
			Layer:    rule.Driver, Strength: Strong,
			Meaning: "The driver was installed from packages before, and the installer does not mix the two.",
			Causes: causes(Cause{
				When:  on(Says("pre-install script failed"), Not(Says("alternate driver", "package manager installation"))),
				Title: "The distribution's pre-install script of the .run installer \"failed\": that is a warning of Debian and Ubuntu, whose script always ends so, and the installation may continue",
				Text:  "The script says that the distribution has packages of its own. With none of them installed, Continue does no harm. Where they are installed, remove them first, for packages and a .run file over one another leave libraries and modules of two releases behind.",
				Remedies: []Remedy{
					fix("see whether driver packages are installed; where there are none, choose Continue installation", "ubuntu and debian", "dpkg -l | grep -i -e nvidia-driver -e nvidia-dkms -e libnvidia"),
					fix("or use the distribution's packages in place of the .run file (in a cloud's vGPU sizes the provider's GRID driver)", "ubuntu", "sudo ubuntu-drivers install"),
				},
			}, Cause{
				Title:    "The .run installer stops: the driver of the distribution's packages is installed, and the two exclude each other",
				Text:     "One machine has one installation of the driver. Packages and a .run file over one another leave libraries and modules of two releases behind.",
				Remedies: []Remedy{fix("keep to the packages", "ubuntu", "sudo ubuntu-drivers install"), fix("or remove all driver packages before the .run file is used; of the CUDA .run install the toolkit alone (--toolkit)", "ubuntu", "sudo apt-get purge '^nvidia-.*' '^libnvidia-.*'", "cuda", "sudo sh cuda_VERSION_linux.run --silent --toolkit")},
			}),
			Samples: []string{"ERROR: The installation was canceled due to the availability or presence of an alternate driver installation. Please see /var/log/nvidia-installer.log for more details.", "Existing package manager installation of the driver found. It is strongly recommended that you remove this before continuing."},
			Misses:  []string{"the alternate driver is loaded"},
			Source:  "https://github.com/NVIDIA/nvidia-installer/blob/main/misc.c",
		},
		{
			ID: "installer-load-failed", Product: "nvidia-installer",
			Literals: []string{"Unable to load the kernel module 'nvidia", "Unable to load the 'nvidia", "kernel module failed to load", "kernel module was not created"},
			Pattern:  `(?i)Unable to load the (?:kernel module )?'(?P<kmod>nvidia[\w.-]*)'|nvidia\S* kernel module (?:failed to load|was not created)|The kernel module failed to load`,
			Layer:    rule.KernelModule, Strength: Usual,
			Meaning: "The installer built the module and the kernel did not load it.",
			Causes: causes(
				Cause{
					When:     on(secureBoot),
					Title:    "The nvidia module was built, and Secure Boot refuses it: it is not signed with an enrolled key",
					Text:     "Enrol the key that signs the module, or use the distribution's signed modules.",
					Remedies: []Remedy{fix("enrol the key, or switch Secure Boot off", "ubuntu", "mokutil --sb-state; sudo mokutil --import /var/lib/shim-signed/mok/MOK.der")},
				},
				Cause{
					// The installer's own words name nouveau in any case.
					When:     on(Any(nouveauThere, Says("nouveau is ", "nouveau driver", "blacklist nouveau", "blacklisted nouveau", "blacklist-nouveau", "disable nouveau", "disable-nouveau", "grep nouveau", "and nouveau", "nouveau,"))),
					Title:    "The nvidia module was built, and nouveau holds the GPU",
					Text:     "The module cannot get the GPU while nouveau is loaded.",
					Remedies: []Remedy{fix("blacklist nouveau, rebuild the initramfs and restart", "ubuntu", "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee /etc/modprobe.d/blacklist-nouveau.conf; sudo update-initramfs -u")},
				},
				Cause{
					Title:    "The nvidia module was built and cannot be loaded",
					Text:     "Usual reasons: it was built for another kernel or with another compiler, Secure Boot refuses it, nouveau holds the GPU, or this release does not support the GPU. The installer's log has the kernel's messages at its end.",
					Remedies: []Remedy{fix("read the reason", "shell", "sudo tail -40 /var/log/nvidia-installer.log; sudo dmesg | grep -i -e nvrm -e nvidia | tail; mokutil --sb-state")},
					Ask:      "the last 40 lines of /var/log/nvidia-installer.log",
				},
			),
			Samples: []string{"ERROR: Unable to load the kernel module 'nvidia.ko'.  This happens most frequently when this kernel module was built against the wrong or improperly configured kernel sources", "ERROR: Unable to load the 'nvidia-drm' kernel module."},
			Misses:  []string{"kernel module nvidia.ko loaded"},
			Source:  "https://github.com/NVIDIA/nvidia-installer/blob/main/kernel.c",
		},
		{
			ID: "installer-build-failed", Product: "nvidia-installer",
			Literals: []string{"error occurred while performing the step", "Installation has failed.  Please see", "Installation has failed. Please see", "Failed to build the kernel module", "Unable to build the NVIDIA kernel module"},
			Pattern:  `(?i)An error occurred while performing the step: "?Building kernel modules|Installation has failed\.\s+Please see the file|(?:Unable|Failed) to build the (?:NVIDIA )?kernel module`,
			Layer:    rule.KernelModule, Strength: Weak,
			Meaning: "The installer could not build or install the driver.",
			Causes: causes(Cause{
				Title: "NVIDIA's installer failed[ while it built the kernel module]",
				Text:  "The log /var/log/nvidia-installer.log has the first error: a driver older than the kernel, another compiler than the kernel's, missing headers, nouveau, Secure Boot, or another installation of the driver.",
				Remedies: []Remedy{
					fix("read the first error", "shell", "grep -n -m10 -i error /var/log/nvidia-installer.log"),
					fix("prefer the distribution's packages to the .run file", "ubuntu", "sudo ubuntu-drivers install"),
				},
				Ask: "grep -n -i error /var/log/nvidia-installer.log | head",
			}),
			Samples: []string{"ERROR: An error occurred while performing the step: \"Building kernel modules\". See /var/log/nvidia-installer.log for details.", "ERROR: Installation has failed.  Please see the file '/var/log/nvidia-installer.log' for details."},
			Misses:  []string{"Installation has failed tests"},
			Source:  "https://github.com/NVIDIA/nvidia-installer/blob/main/kernel.c",
		},
		{
			ID: "installer-checksum", Product: "nvidia-installer",
			Literals: []string{"Error in MD5 checksums", "Error in check sums", "Error in CRC", "Couldn't MD5", "Signal caught, cleaning up", "Extraction failed."},
			Pattern:  `(?i)Error in (?:MD5 checksums|check sums|CRC)|Couldn't MD5|(?:Extraction failed\.|Signal caught, cleaning up).{0,80}`,
			Layer:    rule.Driver, Strength: Usual,
			Meaning: "The .run file is damaged, or cannot be unpacked or started from the temporary directory.",
			Causes: causes(
				Cause{
					When:     on(Says("Error in MD5", "check sums", "Couldn't MD5")),
					Title:    "The .run file is damaged: its checksum does not fit",
					Text:     "The download was cut off or went wrong.",
					Remedies: []Remedy{fix("load it anew and compare the checksum with the one on the download page")},
				},
				Cause{
					Title:    "The .run file cannot be unpacked: the temporary directory is full or mounted noexec",
					Text:     "It needs several gigabytes in /tmp, and starts programs from there.",
					Remedies: []Remedy{fix("give it another directory", "shell", "df -h /tmp; mount | grep /tmp; sudo sh FILE.run --tmpdir=/var/tmp")},
				},
			),
			Samples: []string{"Error in MD5 checksums: 1234 is different from 5678", "Extraction failed.\nEnsure there is enough space in /tmp and that the installation package is not corrupt"},
			Misses:  []string{"tmpfs /run tmpfs rw,nosuid,nodev,noexec"},
			Source:  "https://docs.nvidia.com/cuda/cuda-installation-guide-linux/",
		},
	}
}
