package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// sandboxRights is what security modules and images of the system say of the GPU.
func sandboxRights() []*Signature {
	return []*Signature{
		{
			ID: "selinux-avc-gpu", Product: "SELinux",
			Literals: []string{"avc:  denied", "avc: denied", "type=AVC", "xserver_misc_device_t", "SELinux is preventing"},
			Beside:   []string{"nvidia", "xserver_misc_device_t", "/dev/dri", "dri_device_t", "cuda"},
			Pattern:  `(?i)(?:avc: ? ?denied|type=AVC)[^\n]{0,300}(?P<node>/dev/(?:nvidia[\w-]*|dri/\w+)|nvidia\w*|xserver_misc_device_t|dri_device_t)|xserver_misc_device_t|SELinux is preventing [^\n]{0,120}(?P<node>nvidia[\w-]*|cuda\w*)`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "SELinux refuses access to the GPU.",
			Causes: causes(
				Cause{
					When:  on(Any(InContainer, Says("container_t", "spc_t", "kubelet"))),
					Title: "SELinux refuses the container (container_t) access to the GPU's device nodes[ ({node})], which have the type xserver_misc_device_t",
					Text:  "The driver and the toolkit work; the policy leaves the access out (also map, which container_use_devices of older policies lacks). Switching SELinux off for the machine is not needed.",
					Remedies: []Remedy{
						fix("allow it by the policy's booleans, with a current container-selinux", "host", "sudo setsebool -P container_use_devices 1; sudo setsebool -P container_use_xserver_devices 1"),
						fix("or take the label from this container", "podman", "podman run --rm --security-opt label=disable --device nvidia.com/gpu=all IMAGE nvidia-smi"),
						fix("or make a module of what was refused", "host", "sudo ausearch -m avc -ts recent | audit2allow -M nvidia-container && sudo semodule -i nvidia-container.pp"),
					},
				},
				Cause{
					Title:    "SELinux refuses a program the GPU[ ({node})]",
					Text:     "A service with a domain of its own has no rule for the device nodes or the driver's libraries.",
					Remedies: []Remedy{fix("restore the labels, then see what is refused and make a module of it", "shell", "sudo restorecon -Rv /dev /usr/lib64; sudo ausearch -m avc -ts recent | audit2allow -M nvidia-local && sudo semodule -i nvidia-local.pp")},
				},
			),
			Samples: []string{`type=AVC msg=audit(1684.146:352): avc:  denied  { map } for  pid=9 comm="python" path="/dev/nvidia0" dev="devtmpfs"`, "Target Context   system_u:object_r:xserver_misc_device_t:s0"},
			Misses:  []string{`avc:  denied  { read } for pid=1 comm="sshd" name="shadow"`},
			Source:  "https://github.com/containers/container-selinux",
		},
		{
			ID: "apparmor-gpu", Product: "AppArmor",
			Literals: []string{"apparmor=\"DENIED\"", "AppArmor"},
			Beside:   []string{"nvidia", "/dev/dri", "cuda"},
			Pattern:  `(?i)apparmor="DENIED"[^\n]{0,200}(?P<node>/dev/(?:nvidia[\w-]*|dri/\w+)|nvidia[\w.-]*|libcuda[\w.]*)`,
			Layer:    rule.DeviceExposure, Strength: Strong,
			Meaning: "AppArmor refuses access to the GPU.",
			Causes: causes(Cause{
				Title:    "AppArmor refuses a program the GPU ({node})",
				Text:     "Its profile (a snap, LXC, libvirt or a service) has no rule for the device nodes or the driver's files.",
				Remedies: []Remedy{fix("add the rules (#include <abstractions/nvidia>, or opencl-nvidia) to the profile, connect the snap's interfaces, or for a test put the profile into complain mode", "shell", "sudo dmesg | grep DENIED | tail; sudo aa-complain PROFILE")},
			}),
			Samples: []string{`audit: type=1400 apparmor="DENIED" operation="open" profile="snap.app" name="/dev/nvidiactl" pid=2`},
			Misses:  []string{`apparmor="ALLOWED" name="/dev/nvidia0"`},
			Source:  "https://gitlab.com/apparmor/apparmor",
		},
		{
			ID: "told-secure-boot", Product: "Secure Boot",
			Literals: []string{"Secure Boot", "SecureBoot", "secureboot", "MOK key", "mokutil", "enroll-secure-boot", "sig_enforce", "trusted launch", "TrustedLaunch", "MokManager", "MOK Manager", "shielded vm"},
			Pattern:  `(?i)\bsecure ?boot\b|\bMOK\b|mokutil|enroll-secure-boot|sig_enforce|trusted ?launch|shielded vm`,
			Layer:    rule.KernelModule, Role: Told, Strength: Usual,
			Where:   on(Says("nvidia"), Not(Says("Secure Boot disabled", "SecureBoot disabled", "secure boot is off", "secure boot off", "secure boot is disabled", "disabled secure boot", "no secure boot"))),
			Meaning: "Somebody speaks of Secure Boot.",
			Causes: causes(Cause{
				When:  on(Says("black screen", "not load", "not loaded", "does not work", "doesn't work", "not working", "fails", "failed", "nouveau", "rejected", "couldn't communicate", "not found", "no devices", "blank", "without it works", "disabling it", "disabled it works", "when disabled", "low resolution", "error", "stuck", "missing", "not detected")),
				Title: "Secure Boot keeps the nvidia module from loading: the key that signed it (MOK) is not enrolled in this machine",
				Text:  "With Secure Boot on (or module.sig_enforce=1) the kernel takes modules whose key is in the firmware's or the MOK list. Images of the Universal Blue kind, akmods and DKMS each have a key of their own, which changes with a new installation.",
				Remedies: []Remedy{
					fix("enrol the key that belongs to the module, restart, and confirm it in the blue MOK manager", "ubuntu", "sudo mokutil --import /var/lib/shim-signed/mok/MOK.der; sudo reboot", "fedora", "sudo mokutil --import /etc/pki/akmods/certs/public_key.der; sudo reboot", "bazzite, aurora, bluefin", "ujust enroll-secure-boot-key"),
					fix("or use modules that the distribution signs, or switch Secure Boot off in the firmware (in a cloud: a machine without it)", "check", "mokutil --sb-state; mokutil --list-enrolled | grep -e CN -e subject; modinfo -F signer nvidia"),
				},
				Ask: "mokutil --sb-state; modinfo -F signer nvidia; sudo modprobe nvidia",
			}),
			Samples: []string{"black screen with Secure Boot enabled"},
			Misses:  []string{"a secure bootloader"},
			Source:  "https://docs.kernel.org/admin-guide/module-signing.html",
		},
	}
}
