package signatures

import (
	. "strata/internal/signature"
)

// Words that tell where a text comes from, beside those of package signature.
var (
	inLXC        = Says("lxc.cgroup", "lxc.mount", "proxmox", "(lxc)", "lxc container", "lxd container", "lxd init", "lxc exec", "lxc config", "incus ", "unprivileged lxc", " in lxc", "/etc/pve", "pct enter")
	inImage      = Says("Dockerfile", "docker run", "docker exec", "docker build", "RUN apt", "RUN curl", "in the container", "inside the container", "container image", "inside docker", "in docker", "root@container", "podman run", "kubectl exec", "inside the pod", "in the pod", "--gpus")
	byEngine     = Says("Error response from daemon", "custom device", "crun: ", "runc ", "OCI runtime", "container_linux.go")
	onVGPU       = Any(Is("gpu", `(?i)\bgrid\b|vgpu|-\d+[QCAB]\b`), Says("nvidia-gridd", "vGPU ", "GRID driver", "GRID V", "GRID T", "GRID A", "unlicensed", "-gridd", "vGPUs", "into vGPU", "a vGPU", "vGPU.", "vGPU,", "vGPU)", "vgpu profile", "NVadsA10", "ads_A10", "ads_V710", "NVads", "A10_v5", "_NC4as", "G5g.", "GRID vGPU"))
	inVM         = Says("passthrough", "pass-through", "vfio-pci", "qemu", "proxmox", "esxi", "vmware", "hyper-v", "libvirt", "virtual machine", "kvm guest", "hypervisor", "xcp-ng", "<hostdev", "kvm=off", "qubes", "xen hvm", "cloud-hypervisor", "kubevirt", "inside the vm", "in the vm", "guest vm", "vm guest", "in the guest")
	nouveauThere = Says("kernel driver in use: nouveau", "nouveau kernel driver", "nouveau 0000", "nouveau: ", "nouveaufb", "nouveau              ", "nouveaudrmfb")
	secureBoot   = Says("secureboot enabled", "secure boot enabled", "secure boot is enabled", "secureboot is enabled", "key was rejected", "required key not available", "lockdown: modprobe", "Lockdown: ", "MOK key", "enroll mok", "enrol the mok", "with secure boot", "secure boot on")
	newKernel    = Says("apt upgrade", "apt-get upgrade", "dist-upgrade", "kernel update", "kernel upgrade", "new kernel", "moved the kernel", "the kernel to ", "kernel was", "newer kernel", "updated the kernel", "upgraded the kernel", "updated kernel", "after updating", "after an update", "after upgrade", "after upgrading", "after update", "after rebooting", "after reboot", "uname -r", "linux-image-", "linux-headers")
)

// pastLastBranch holds where the driver, or a package that is named, is of a newer branch than the last that knows the GPU.
var pastLastBranch = Condition{Name: "the driver is newer than the GPU's last branch", Words: []string{"nvidia-driver-470", "nvidia-driver-510", "nvidia-driver-525", "nvidia-driver-535", "nvidia-driver-545", "nvidia-driver-550", "nvidia-driver-560", "nvidia-driver-570", "nvidia-driver-575", "nvidia-driver-580", "nvidia-driver-590", "590 driver", "595 driver", "nvidia 590", "nvidia 595", "driver 590", "driver 595"}, Holds: func(c *Case) bool {
	last, ok := c.Variable("gpu|gpulast")
	if !ok {
		return false
	}
	if have, ok := c.Variable("driver|branch"); ok {
		return len(have) > len(last) || len(have) == len(last) && have > last
	}
	for _, branch := range []string{"510", "525", "535", "545", "550", "560", "570", "575", "580", "590"} {
		if branch > last && c.Said("nvidia-driver-"+branch) {
			return true
		}
	}
	for _, branch := range []string{"590", "595"} {
		if branch > last && (c.Said(branch+" driver") || c.Said("nvidia "+branch) || c.Said("driver "+branch)) {
			return true
		}
	}
	return false
}}
