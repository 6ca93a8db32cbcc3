package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// noGPUTold are words by which people and programs say that no GPU is there for them.
var noGPUTold = Says("no CUDA-capable", "No CUDA GPUs", "is_available", "not available", "unavailable", "no GPU", "No devices", "not detect", "not found", "cannot find", "can't find", "could not find", "couldn't find", "not see", "cannot see", "can't see",
	"CUDA error", "driver version is insufficient", "no NVIDIA driver", "couldn't communicate", "Failed to initialize NVML", "fails with", "fails", "failed", "does not work", "doesn't work", "not work", "unknown error", "falls back")

// toldHost is what people tell of the driver's module and nodes on a host.
func toldHost() []*Signature {
	return []*Signature{
		{
			ID: "told-module-not-loaded", Product: "nvidia kernel module",
			Literals: []string{"lsmod shows", "lsmod | grep nvidia", "lsmod does", "lsmod has", "lsmod lists", "in lsmod", "lsmod is", "nvidia module", "nvidia kernel module", "NVIDIA module", "kernel modules for nvidia", "nvidia.ko"},
			Pattern:  `(?i)lsmod[^\n]{0,60}\b(?:no|nothing|empty|not|without)\b|(?:nvidia (?:kernel )?modules?|nvidia\.ko)\b[^\n.]{0,30}(?:not (?:load|there|present|built|found|install|exist)|does(?:n't| not) (?:load|exist)|do(?:n't| not) (?:load|exist)|is gone|are gone|missing|no longer)|no nvidia (?:kernel )?module`,
			Layer:    rule.KernelModule, ExplainedBy: []string{"KRN001", "KRN002", "KRN003"},
			Meaning: "Somebody tells that no nvidia kernel module is loaded.",
			Causes: causes(
				Cause{
					When:     on(Says("no nvidia_uvm", "no nvidia-uvm", "without nvidia_uvm", "nvidia_uvm is not", "nvidia_uvm is missing", "not nvidia_uvm", "nvidia_uvm not")),
					Title:    "nvidia_uvm is not loaded: CUDA cannot start, although nvidia and nvidia-smi work",
					Text:     "The module is loaded by nvidia-modprobe at the first use of CUDA. Where that program is missing or may not act, it stays away until somebody loads it.",
					Remedies: []Remedy{fix("load it, now and at every start", "shell", "sudo modprobe nvidia_uvm && sudo nvidia-modprobe -u -c=0 && echo nvidia_uvm | sudo tee /etc/modules-load.d/nvidia-uvm.conf"), fix("install nvidia-modprobe", "ubuntu", "sudo apt-get install nvidia-modprobe")},
				},
				Cause{
					When:     on(secureBoot),
					Title:    "The nvidia kernel module is not loaded: Secure Boot refuses a module whose key (MOK) is not enrolled",
					Text:     "A module that was built on this machine is signed with its own key or not at all.",
					Remedies: []Remedy{fix("sign it and enrol the key (MOK), use the distribution's signed modules, or switch Secure Boot off", "ubuntu", "sudo mokutil --import /var/lib/shim-signed/mok/MOK.der; sudo reboot")},
				},
				Cause{
					When:     on(nouveauThere),
					Title:    "The nvidia kernel module is not loaded: nouveau drives the GPU",
					Text:     "The kernel's own driver took the GPU at start.",
					Remedies: []Remedy{fix("blacklist nouveau in /etc/modprobe.d, rebuild the initramfs and restart", "ubuntu", "sudo update-initramfs -u", "fedora", "sudo dracut --force")},
				},
				Cause{
					Title: "The nvidia kernel module[ {driver}] is not loaded for the running kernel[ {kernel}]: usually it was not built for it after a kernel update",
					Text:  "dkms status shows for which kernels it exists. Each kernel needs a module of its own, and building it needs that kernel's headers (linux-headers, kernel-devel). CUDA and the frameworks need no reinstallation.",
					Remedies: []Remedy{
						fix("install the headers of the running kernel[ ({kernel})], build the module and load it", "ubuntu and debian", "sudo apt-get install linux-headers-$(uname -r) && sudo dkms autoinstall && sudo modprobe nvidia", "fedora and rhel", "sudo dnf install kernel-devel-$(uname -r) && sudo dkms autoinstall && sudo modprobe nvidia"),
						fix("or restart with the previous kernel"),
					},
					Ask: "sudo modprobe nvidia; dkms status; uname -r; mokutil --sb-state",
				},
			),
			Samples: []string{"lsmod shows no nvidia module", "the nvidia module does not load after the restart", "lsmod | grep nvidia prints nothing"},
			Misses:  []string{"lsmod | grep nvidia", "the nvidia module is loaded"},
			Source:  "https://github.com/dell/dkms",
		},
		{
			ID: "modprobe-off", Product: "nvidia-prime",
			Literals: []string{"could not insert 'off'", "Module off not found", "alias nvidia off", "install nvidia /bin/false", "blacklist nvidia"},
			Pattern:  `(?i)could not insert '?off'?|Module off not found|^\s*alias nvidia off|^\s*install nvidia /bin/(?:false|true)|^\s*blacklist nvidia\s*$`,
			Layer:    rule.KernelModule, Strength: Strong,
			Meaning: "A file in modprobe.d keeps the nvidia module from loading.",
			Causes: causes(Cause{
				Title:    "A file in /etc/modprobe.d switches the nvidia module off (alias nvidia off, or a blacklist), as prime-select intel and switchers of graphics do",
				Text:     "The module and the driver are there; they are told not to load.",
				Remedies: []Remedy{fix("select a profile with NVIDIA, or remove the lines, rebuild the initramfs and restart", "check", "grep -rn nvidia /etc/modprobe.d /lib/modprobe.d", "ubuntu", "sudo prime-select on-demand && sudo update-initramfs -u")},
			}),
			Samples: []string{"modprobe: ERROR: could not insert 'off': Unknown symbol in module, or unknown parameter (see dmesg)", "alias nvidia off"},
			Misses:  []string{"blacklist nvidiafb"},
			Source:  "https://github.com/canonical/nvidia-prime/issues/20",
		},
		{
			ID: "told-uvm-node-missing", Product: "nvidia-uvm",
			Literals: []string{"nvidia-uvm", "nvidia_uvm"},
			Beside:   []string{"no such", " not ", "n't", "missing", "absent", "never", "without", "fail", "denied", "unknown symbol", "disagrees", "invalid", "no "},
			Pattern:  `(?i)(?:/dev/)?nvidia[-_]uvm\b[^\n.]{0,40}(?:does(?:n't| not)|do(?:n't| not)|is(?:n't| not)|are(?:n't| not)|missing|absent|never)|(?:no|without|missing) (?:the )?(?:/dev/)?nvidia[-_]uvm`,
			Layer:    rule.DeviceExposure, ExplainedBy: []string{"KRN008", "DEV004"},
			Meaning: "Somebody tells that /dev/nvidia-uvm is not there.",
			Causes: causes(
				Cause{
					When:     on(Any(inLXC, InContainer)),
					Title:    "/dev/nvidia-uvm is not in the container: nvidia-smi works without it, CUDA does not",
					Text:     "The host makes the node when nvidia_uvm is loaded (nvidia-modprobe, or the first CUDA program); it must be there before the container starts, and the container's configuration must name it and allow its major number.",
					Remedies: []Remedy{fix("load the module and make the nodes on the host at every start, pass /dev/nvidia-uvm and /dev/nvidia-uvm-tools in, and start the container anew", "host", "sudo modprobe nvidia_uvm; sudo nvidia-modprobe -u -c=0; ls -l /dev/nvidia-uvm*")},
				},
				Cause{
					Title:    "/dev/nvidia-uvm is missing: CUDA cannot start, although nvidia-smi works",
					Text:     "nvidia_uvm is not loaded, or nvidia-modprobe, which makes the node, is not installed.",
					Remedies: []Remedy{fix("load it and make the nodes", "shell", "sudo modprobe nvidia_uvm; sudo nvidia-modprobe -u -c=0; ls -l /dev/nvidia-uvm*")},
				},
			),
			Samples: []string{"/dev/nvidia0 is there, /dev/nvidia-uvm does not exist", "there is no /dev/nvidia-uvm in the container"},
			Misses:  []string{"/dev/nvidia-uvm exists"},
			Source:  "https://github.com/NVIDIA/nvidia-modprobe/blob/main/modprobe-utils/nvidia-modprobe-utils.c",
		},
	}
}
