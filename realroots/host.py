"""What a running host shows under /proc, /sys and /dev, written as plain files."""

import pathlib

# Vendor 10de is NVIDIA's. Device IDs and classes (0x0302 3D controller, 0x0300 VGA controller) as in the PCI ID list.
GPUS = {
    "a100-sxm4-80gb": ("NVIDIA A100-SXM4-80GB", "0x20b2", "0x030200"),
    "gh200": ("NVIDIA GH200 480GB", "0x2342", "0x030200"),
    "m60": ("Tesla M60", "0x13f2", "0x030000"),
}

# The line the module of each driver prints, as it stands inside nv-kernel.o of Debian's packages of the module (for
# aarch64, which Debian ships for no data-center branch, the x86_64 line with the other architecture).
_NVRM = {
    "470": "NVIDIA UNIX {arch} Kernel Module  470.256.02  Thu May  2 14:37:44 UTC 2024",
    "535": "NVIDIA UNIX {arch} Kernel Module  535.261.03  Sat Jun 14 16:05:50 UTC 2025",
    "550": "NVIDIA UNIX {arch} Kernel Module  550.163.01  Tue Apr  8 12:41:17 UTC 2025",
}

# GPUs that only the open flavour of the module drives (https://github.com/NVIDIA/open-gpu-kernel-modules, README).
_OPEN_ONLY = {"gh200"}

_SLOT = "0000:01:00.0"

# Device nodes need root and cannot be in an archive without it; plain files of the same name stand in for them.
_NODES = ("nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset")


def write(root: pathlib.Path, gpu: str, driver: str, arch: str) -> None:
    """Adds one GPU, the module of a driver branch and its device nodes to a root."""
    name, device, pci_class = GPUS[gpu]
    branch = driver.split("-")[0]
    banner = _NVRM[branch].format(arch=arch)
    version = banner.split()[5]
    if gpu in _OPEN_ONLY:
        banner = banner.replace(f"{arch} Kernel Module", f"Open Kernel Module for {arch}")

    _file(root / "proc/driver/nvidia/version",
          f"NVRM version: {banner}\nGCC version:  gcc version 12.2.0 (Debian 12.2.0-14+deb12u1) \n")
    _file(root / "proc/driver/nvidia/gpus" / _SLOT / "information",
          f"Model: \t\t {name}\nBus Type: \t PCIe\nBus Location: \t {_SLOT}\nDevice Minor: \t 0\nGPU Excluded:\t No\n")
    _file(root / "proc/modules",
          "nvidia_uvm 1540096 0 - Live 0x0000000000000000 (POE)\n"
          "nvidia_modeset 1314816 0 - Live 0x0000000000000000 (POE)\n"
          "nvidia 56836096 2 nvidia_uvm,nvidia_modeset, Live 0x0000000000000000 (POE)\n")
    _file(root / "proc/devices", "Character devices:\n195 nvidia\n195 nvidiactl\n195 nvidia-modeset\n234 nvidia-uvm\n")
    _file(root / "sys/module/nvidia/version", version + "\n")
    (root / "sys/module/nvidia_uvm").mkdir(parents=True)

    # As in the kernel: the device lives under its bridge, and the bus has a link to it.
    dev = root / "sys/devices/pci0000:00/0000:00:01.0" / _SLOT
    for file, content in (("vendor", "0x10de"), ("device", device), ("class", pci_class), ("revision", "0xa1")):
        _file(dev / file, content + "\n")
    (root / "sys/bus/pci/drivers/nvidia").mkdir(parents=True)
    (dev / "driver").symlink_to("../../../../bus/pci/drivers/nvidia")
    bus = root / "sys/bus/pci/devices"
    bus.mkdir(parents=True)
    (bus / _SLOT).symlink_to(f"../../../devices/pci0000:00/0000:00:01.0/{_SLOT}")
    for node in _NODES:
        _file(root / "dev" / node, "")


def _file(path: pathlib.Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
