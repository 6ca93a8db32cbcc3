package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// nvml is what the driver's management library says, through nvidia-smi and
// every program that asks it: the container toolkit, the device plugin, pynvml.
func nvml() []*Signature {
	return []*Signature{
		{
			ID: "nvml-unknown-error", Product: "NVML",
			Literals: []string{"initialize NVML: Unknown", "NVML: Unknown Error", "initialize NVML unknown error", "nvml error: unknown error", "NVMLError_Unknown"},
			Pattern:  `(?i)(?:Failed to initialize NVML|could not initialize NVML|nvml error|NVMLError_Unknown|NVML): ?Unknown(?: Error)?|initialize NVML,? unknown error`,
			Layer:    rule.DeviceExposure, ExplainedBy: []string{"DEV007", "CTR008", "DEV001", "DEV002"},
			Meaning: "The driver's library may not open the device nodes, although they are there.",
			Causes: causes(
				Cause{
					When: on(onVGPU), Layer: rule.Driver,
					Title:    "The vGPU of this guest has no licence or the wrong GRID driver (Failed to initialize NVML: Unknown Error)",
					Text:     "A vGPU without a licence (nvidia-gridd is missing, stopped or reaches no licence server), or a guest driver that does not fit the host's vGPU manager, lets NVML and CUDA fail.",
					Remedies: []Remedy{fix("install the GRID driver of the provider's release with nvidia-gridd, and see that it gets its licence", "check", "systemctl status nvidia-gridd; nvidia-smi -q | grep -i license")},
					Ask:      "nvidia-smi -q | grep -i license; systemctl status nvidia-gridd",
				},
				Cause{
					When:     on(inLXC),
					Title:    "The LXC container may not open the GPU's device nodes: its device cgroup does not allow them",
					Text:     "The nodes are mounted, and the container's lxc.cgroup2.devices.allow lacks their major numbers; that of nvidia-uvm differs from start to start.",
					Remedies: []Remedy{fix("allow the majors of /dev/nvidia* in the container's configuration and restart it", "host", "ls -l /dev/nvidia*; grep -n lxc.cgroup2.devices.allow /etc/pve/lxc/*.conf")},
				},
				Cause{
					When: on(Says("no-cgroups = true", "no-cgroups=true", "no-cgroups: true")), Layer: rule.ContainerRuntime,
					Title:    "The container may not open the GPU's device nodes: no-cgroups = true is set in the toolkit's configuration",
					Text:     "With no-cgroups the toolkit leaves the device cgroup alone, which is right for rootless engines and unprivileged LXC. A rootful Docker then forbids the devices.",
					Remedies: []Remedy{fix("set no-cgroups = false for rootful Docker and restart it", "host", "sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups=false --in-place && sudo systemctl restart docker"), fix("or name the devices in the command (--device /dev/nvidia0 --device /dev/nvidiactl --device /dev/nvidia-uvm), or use CDI")},
				},
				Cause{
					When:  on(Says("cpu-manager", "cpu manager", "cpuManagerPolicy", "CPUManager", "cpumanager")),
					Title: "The kubelet's static CPU manager takes the GPU's devices from the container (NVML: Unknown Error): the device plugin has to pass them to the kubelet (--pass-device-specs, PASS_DEVICE_SPECS=true)",
					Text:  "The CPU manager updates the container's resources every few seconds, and the runtime then sets the device cgroup anew without what NVIDIA's hook added. Devices that the kubelet knows of stay.",
					Remedies: []Remedy{
						fix("update the device plugin and set PASS_DEVICE_SPECS=true (its pod has to be privileged then)", "helm", "helm upgrade -i nvdp nvdp/nvidia-device-plugin -n nvidia-device-plugin --reuse-values --set compatWithCPUManager=true"),
						fix("or use CDI in the container runtime"),
					},
				},
				Cause{
					When:  on(Any(InContainer, InKubernetes)),
					Title: "The container lost the right to open the GPU's device nodes: systemctl daemon-reload reset its device cgroup",
					Text: "With the systemd cgroup driver, systemd sets the container's devices anew at every daemon-reload (package updates do one) and drops those that the toolkit added behind its back, because there is no /dev/char link for them. " +
						"The container worked until then; a restart of it helps until the next reload.",
					Remedies: []Remedy{
						fix("restart the container now", "docker", "docker restart CONTAINER"),
						fix("for good: create the links in /dev/char at every start, or use CDI (--device nvidia.com/gpu=all), or name the devices (--device /dev/nvidia0 …), or cgroupfs as Docker's cgroup driver", "host", "sudo nvidia-ctk system create-dev-char-symlinks --create-all"),
					},
					Ask: "does a new container work, and is the nvidia-smi of the host well",
				},
				Cause{
					Title: "NVML cannot open the GPU's device nodes (Failed to initialize NVML: Unknown Error)",
					Text:  "In a container: systemctl daemon-reload took the devices out of its cgroup. On a host: the rights of /dev/nvidia*, a cgroup of a batch system, or a driver whose start failed (see dmesg).",
					Remedies: []Remedy{
						fix("in a container, start it anew; for good use CDI or create the links in /dev/char", "host", "sudo nvidia-ctk system create-dev-char-symlinks --create-all"),
						fix("on a host, look at the nodes and the kernel log", "shell", "ls -l /dev/nvidia*; sudo dmesg | grep -i nvrm | tail"),
					},
					Ask: "is it a container, and does nvidia-smi work on its host",
				},
			),
			Samples: []string{"Failed to initialize NVML: Unknown Error", "nvidia-container-cli: initialization error: nvml error: unknown error"},
			Misses:  []string{"NVML: Unknown option --foo"},
			Source:  "https://github.com/NVIDIA/nvidia-docker/issues/1730",
		},
		{
			ID: "nvml-driver-not-loaded", Product: "NVML",
			Literals: []string{"driver not loaded", "ERROR_DRIVER_NOT_LOADED", "NVMLError_DriverNotLoaded"},
			Pattern:  `(?i)(?:NVML|nvml error|initialization error|nvidia)[^\n]{0,60}driver not loaded|NVML_ERROR_DRIVER_NOT_LOADED|ERROR_DRIVER_NOT_LOADED|NVMLError_DriverNotLoaded`,
			Layer:    rule.KernelModule, ExplainedBy: []string{"KRN001", "KRN002", "KRN003", "KRN005", "HWR001"},
			Meaning: "NVML is installed, and the nvidia kernel module is not loaded.",
			Causes: causes(
				Cause{
					When: on(OnWSL, Not(Is("kernel", `-generic|\.el\d|\.fc\d|-arch`))), Layer: rule.DeviceExposure,
					Title: "NVML finds no driver in WSL (driver not loaded): the driver of Windows is not passed in, or a Linux driver's libnvidia-ml is found first",
					Text:  "In WSL the driver is that of Windows, with its libraries in /usr/lib/wsl/lib and /dev/dxg. An old Windows build, driver or container toolkit does not know that, and Linux driver packages (cuda, cuda-drivers, nvidia-utils) in the distribution hide it. No kernel module is ever loaded there.",
					Remedies: []Remedy{
						fix("update the NVIDIA driver of Windows and WSL, and the container toolkit; see that nvidia-smi works in WSL itself", "powershell", "wsl --update; wsl --shutdown", "bash", "/usr/lib/wsl/lib/nvidia-smi; ls -l /dev/dxg; nvidia-container-cli --version"),
						fix("remove Linux driver packages from the distribution; the toolkit alone (cuda-toolkit) may stay", "bash", "dpkg -l | grep -e libnvidia -e cuda-drivers -e nvidia-utils"),
					},
					Ask: "/usr/lib/wsl/lib/nvidia-smi; ls /dev/dxg; dpkg -l | grep nvidia",
				},
				Cause{
					When:     on(inLXC),
					Title:    "The host's nvidia module is not loaded, or the LXC container does not see its device nodes (driver not loaded)",
					Text:     "The container uses the kernel of the host: the module must be loaded there and /dev/nvidia* passed in.",
					Remedies: []Remedy{fix("load it on the host and make the nodes", "host", "sudo modprobe nvidia nvidia_uvm; sudo nvidia-modprobe -c0 -u; nvidia-smi")},
				},
				Cause{
					When: on(Says("nvidia-smi' not found", "nvidia-smi: command not found", "nvidia-smi: not found", "nothing else from NVIDIA", "no driver installed", "not installed the driver", "without a driver")), Layer: rule.Driver,
					Title:    "No NVIDIA driver is installed on the host: the container toolkit brings the host's driver into containers and has none of its own (driver not loaded)",
					Text:     "nvidia-smi is not there either. The driver has to be installed on the host, not in the image.",
					Remedies: []Remedy{fix("install the driver on the host, restart, and see nvidia-smi there", "ubuntu", "sudo ubuntu-drivers install --gpgpu; nvidia-smi")},
				},
				Cause{
					Title: "The nvidia kernel module is not loaded[ on the host] (NVML: driver not loaded)",
					Text:  "The libraries of the driver are there, the module is not: after a kernel update it was not built, Secure Boot refuses it, nouveau has the GPU, or the driver does not know the GPU. Images and the container toolkit are not the reason.",
					Remedies: []Remedy{
						fix("make nvidia-smi work on the host first", "host", "sudo modprobe nvidia; sudo dmesg | grep -i -e nvrm -e nvidia | tail; dkms status"),
					},
					Ask: "nvidia-smi and sudo modprobe nvidia, on the host",
				},
			),
			Samples: []string{
				"nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown",
				"Failed to initialize NVML: Driver Not Loaded",
				"pynvml.NVMLError_DriverNotLoaded: Driver Not Loaded",
				"Failed to initialize NVML: ERROR_DRIVER_NOT_LOADED",
			},
			Misses: []string{"usb: device driver not loaded for printer"},
			Source: "https://github.com/NVIDIA/go-nvml/blob/main/gen/nvml/nvml.h",
		},
	}
}
