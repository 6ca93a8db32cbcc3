package signatures

import "strings"

// Terms are words of the field that tell what a text is about where no message in it is known. One of capitals and digits
// alone is meant in capitals: BAR is memory of a card, a bar is not.
func Terms() []string {
	var out []string
	for line := range strings.Lines(terms) {
		for term := range strings.SplitSeq(line, ",") {
			if term = strings.TrimSpace(term); term != "" {
				out = append(out, term)
			}
		}
	}
	return out
}

const terms = `
initramfs, dracut, mkinitcpio, initrd, akmods, akmod-nvidia, kmodgenca, mokutil, MOK, Secure Boot, DKMS, kernel headers, linux-headers, kernel-devel, kernel lockdown
nouveau, nova-core, amdgpu, i915, simpledrm, efifb, nvidia-drm, nvidia-uvm, nvidia_uvm, nvidia-modeset, nvidia-peermem, nvidia_peermem, gdrcopy, GSP, page size, 64k pages
SVA, PREEMPT_RT, real-time kernel, hardened kernel, vm_ops, debugfs, modprobe.d, udev, systemd, SELinux, AppArmor, cgroup, cgroups, RmInitAdapter
xorg.conf, Xorg, Wayland, XWayland, GDM, SDDM, GNOME, Hyprland, EGL, GLX, GLVND, Vulkan, OpenGL, OpenCL, NVENC, NVDEC, VDPAU, VA-API, Optimus, PRIME, bbswitch, bumblebee, supergfxctl
eGPU, Thunderbolt, hibernate, hibernation, suspend, flatpak, Snap package, AppImage, NixOS, ostree, Silverblue, Gentoo, Void Linux, FreeBSD, macOS
BAR, BAR1, resizable BAR, Above 4G, IOMMU, SR-IOV, ACS, VFIO, vfio-pci, passthrough, vGPU, GRID, MIG, NVLink, NVSwitch, fabric manager, PCIe, ASPM, riser, power supply, PSU, power limit
overheating, thermal, throttling, ECC, row remapping, BIOS, UEFI, VBIOS, firmware, TCC, WDDM, MCDM, confidential computing, nvidia-persistenced, persistence mode, compute mode
docker compose, docker swarm, swarm, generic resource, node-generic-resource, CDI, rootless, podman, containerd, CRI-O, nerdctl, k3s, RKE2, minikube, MicroK8s, Talos, Bottlerocket, OpenShift, Rancher
RuntimeClass, device plugin, GPU operator, node-feature-discovery, DRA, ResourceClaim, ResourceSlice, ResourceClass, DeviceClass, ComputeDomain, HAMi, Koordinator, Kueue, KubeVirt, Karpenter
time-slicing, MPS, DCGM, Slurm, GRES, PBS, SGE, HTCondor, LSF, Singularity, Apptainer, Enroot, Pyxis, LXC, LXD, Incus, Proxmox, Hyper-V, VMware, ESXi, KVM, QEMU, Xen, XCP-ng
EKS, GKE, AKS, EC2, Azure, GCP, SageMaker, Vertex AI, node pool, spot instance, AMI, Deep Learning VM, Colab, Kaggle, RunPod, WSL, WSL2
Jetson, JetPack, L4T, Tegra, aarch64, ppc64le, GH200, GB200, DGX, HGX, musl, Alpine, glibc
Numba, NCCL, P2P, peer access, UCX, InfiniBand, RDMA, GPUDirect, MPI, OpenMPI, NVSHMEM, Gloo
CMake, nvcc, ninja, MSVC, Visual Studio, setup.py, conda, mamba, micromamba, poetry, pixi, Bazel, vcpkg, Spack, EasyBuild, PyInstaller
virtual memory, page file, shared memory, shm-size, unified memory, pinned memory, float16, bfloat16, FP8, quantization, cuda graphs, torch.compile, multiprocessing
`
