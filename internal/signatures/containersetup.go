package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// containerSetup is what the container toolkit says about the container that it
// sets up: its cgroup, its mounts, the way in which it was called.
func containerSetup() []*Signature {
	return []*Signature{
		{
			ID: "container-capabilities", Product: "NVIDIA container toolkit",
			Literals: []string{"unsupported capabilities found in"},
			Pattern:  `(?i)unsupported capabilities found in ['"]?(?P<caps>[\w,]+)['"]?(?: \(allowed '(?P<allowed>[\w,]+)'\))?`,
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "NVIDIA_DRIVER_CAPABILITIES holds a word that the toolkit does not take there.",
			Causes: causes(Cause{
				Title:    "NVIDIA_DRIVER_CAPABILITIES={caps} is not valid[; allowed are {allowed}]",
				Text:     "The value is either all, or a list of driver capabilities: compute, utility, video, graphics, display, compat32, ngx. The word \"all\" stands alone and not within a list. The driver and the image are not the reason.",
				Remedies: []Remedy{fix("set NVIDIA_DRIVER_CAPABILITIES=all, or a list without all", "docker", "docker run --rm --gpus all -e NVIDIA_DRIVER_CAPABILITIES=all ubuntu nvidia-smi")},
			}),
			Samples: []string{"unsupported capabilities found in 'utility,all' (allowed 'compute,utility'): unknown."},
			Misses:  []string{"capabilities found in 'compute,utility'"},
			Source:  "https://github.com/NVIDIA/nvidia-container-toolkit/blob/main/cmd/nvidia-container-runtime-hook/container_config.go",
		},
		{
			ID: "nvidia-docker-1", Product: "nvidia-docker",
			Literals: []string{"unsupported CUDA version: driver", "Could not load UVM kernel module", "create nvidia_driver_", "nvidia-docker-plugin", "nvidia-docker | "},
			Pattern:  `(?:nvidia-docker \| [^\n]*)?unsupported CUDA version: driver (?P<have>[\d.]+) < image (?P<need>[\d.]+)|nvidia-docker \| [^\n]*Error: (?P<error>[^\n]{1,120})|Could not load UVM kernel module|create nvidia_driver_(?P<driver>[\d.]+): [^\n]{1,120}`,
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "The first release of nvidia-docker could not start a container.",
			Causes: causes(
				Cause{
					When: on(Has("need")), Layer: rule.Driver,
					Title:    "The host's driver runs CUDA {have}, and the image needs CUDA {need}: the driver is too old",
					Text:     "A container uses the driver of the host. CUDA {need} needs driver[ {need|mindriver} or] newer; packages in the image and a toolkit on the host do not change it.",
					Remedies: []Remedy{fix("update the driver of the host[ to {need|mindriver} or newer]", "host", "nvidia-smi"), fix("or take an image of CUDA {have} or older")},
				},
				Cause{
					When: on(Says("version mismatch")), Layer: rule.KernelModule,
					Title:    "The host's driver is half updated: its libraries and the loaded kernel module are of different releases",
					Text:     "nvidia-docker only passes the message on.",
					Remedies: []Remedy{fix("restart the host", "host", "nvidia-smi; cat /proc/driver/nvidia/version")},
				},
				Cause{
					When: on(Says("load UVM kernel module")), Layer: rule.KernelModule,
					Title:    "The kernel module nvidia_uvm could not be loaded: nvidia-modprobe is missing, or the driver's modules are not there for the running kernel",
					Text:     "CUDA and nvidia-docker 1 need nvidia-uvm and its device file; nvidia-modprobe (setuid root) loads it for ordinary users.",
					Remedies: []Remedy{fix("load it as root and read why it does not; then install nvidia-modprobe, or load it at boot", "host", "sudo modprobe nvidia_uvm; sudo nvidia-modprobe -u -c=0; lsmod | grep nvidia; sudo dmesg | grep -i nvidia | tail", "host", "echo nvidia_uvm | sudo tee /etc/modules-load.d/nvidia-uvm.conf"), fix("use the NVIDIA container toolkit in place of nvidia-docker 1")},
				},
				Cause{
					Title:    "nvidia-docker 1 could not start the container[: {error}]",
					Text:     "That release has been replaced by the NVIDIA container toolkit.",
					Remedies: []Remedy{fix("see that nvidia-smi works on the host, and install the NVIDIA container toolkit in place of nvidia-docker 1", "ubuntu and debian", dockerSetup)},
				},
			),
			Samples: []string{"nvidia-docker | 2017/01/02 10:00:00 Error: unsupported CUDA version: driver 7.5 < image 8.0", "nvidia-docker | 2017/01/02 10:00:00 Error: Could not load UVM kernel module. Is nvidia-modprobe installed?", "docker: Error response from daemon: create nvidia_driver_375.26: Post http://run/docker/plugins/nvidia-docker.sock: dial unix: no such file or directory."},
			Misses:  []string{"nvidia-docker | all well"},
			Source:  "https://github.com/NVIDIA/nvidia-docker/issues/399",
		},
		{
			ID: "container-cgroup", Product: "NVIDIA container toolkit",
			Literals: []string{"devices.allow", "failed to add device rules", "BPF_CGROUP_DEVICE", "/sys/fs/cgroup/devices", "cgroup subsystem devices not found", "device filters attached to the cgroup", "failed to set cgroup"},
			Pattern:  `(?i)nvidia-container-cli: (?:mount|container|detection|initialization|device) error: [^\n]*?(?:cgroup|device rules|devices\.allow)|devices\.allow: (?:operation not permitted|permission denied)|bpf_prog_query\(BPF_CGROUP_DEVICE\)|failed to add device rules|cgroup subsystem devices not found|open failed: /sys/fs/cgroup/devices`,
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "The toolkit may not, or cannot, set the device cgroup of the container.",
			Causes: causes(
				Cause{
					When:     on(Any(inLXC, Says("lxd", "incus", "rootless", "unprivileged", "userns", "user namespace", "podman", "uidmap"))),
					Title:    "The container toolkit may not set device cgroups here (unprivileged LXC/LXD container, rootless engine or user namespace): set no-cgroups",
					Text:     "Without privileges the toolkit cannot write the rules of the device cgroup; the outer container or the user's own rights already decide about the device nodes.",
					Remedies: []Remedy{fix("let the toolkit leave cgroups alone", "in the container", "sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups --in-place"), fix("or use CDI: --device nvidia.com/gpu=all", "shell", "nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml")},
				},
				Cause{
					When:     on(Says("cgroup subsystem devices not found", "/sys/fs/cgroup/devices")),
					Title:    "The container toolkit is too old for cgroup v2: it looks for the devices controller of v1",
					Text:     "Distributions with cgroup v2 alone (Ubuntu 21.10, Debian 11, Fedora 31 and newer) need libnvidia-container 1.8 or newer.",
					Remedies: []Remedy{fix("update the NVIDIA container toolkit from NVIDIA's repository", "ubuntu and debian", "sudo apt-get install --only-upgrade nvidia-container-toolkit libnvidia-container1 && sudo systemctl restart docker"), fix("where the engine runs inside LXC, set no-cgroups = true in config.toml", "container", "sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups --in-place")},
				},
				Cause{
					Title: "The container toolkit cannot set the device cgroup of the container",
					Text:  "Either it lacks the right to (rootless Docker or Podman, an unprivileged LXC container, Docker in Docker), or kernel and toolkit do not go together (cgroup v2 with an old libnvidia-container, a new kernel's BPF verifier with an older toolkit).",
					Remedies: []Remedy{
						fix("without privileges, let it leave cgroups alone (no-cgroups = true)", "shell", "sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups --in-place"),
						fix("otherwise update the toolkit, or use CDI: --device nvidia.com/gpu=all", "ubuntu and debian", "sudo apt-get install --only-upgrade nvidia-container-toolkit libnvidia-container1"),
					},
					Ask: "is the engine rootless or inside LXC; nvidia-container-cli --version; stat -fc %T /sys/fs/cgroup",
				},
			),
			Samples: []string{
				"nvidia-container-cli: mount error: failed to add device rules: unable to find any existing device filters attached to the cgroup: bpf_prog_query(BPF_CGROUP_DEVICE) failed: operation not permitted: unknown",
				"nvidia-container-cli: mount error: open failed: /sys/fs/cgroup/devices/user.slice/devices.allow: permission denied",
				"nvidia-container-cli: container error: cgroup subsystem devices not found: unknown.",
				"write /sys/fs/cgroup/devices/docker/1f/devices.allow: operation not permitted",
			},
			Misses: []string{"memory cgroup out of memory", "lxc.cgroup2.devices.allow: c 195:* rwm"},
			Source: "https://github.com/NVIDIA/nvidia-container-toolkit/issues/251",
		},
		{
			ID: "container-mount-other", Product: "NVIDIA container toolkit",
			Literals: []string{"nvidia-container-cli: mount error", "nvidia-container-cli: detection error", "nvidia-container-cli: container error", "nvidia-container-cli: input error", "nvidia-container-cli: permission error"},
			Pattern:  `nvidia-container-cli: (?P<stage>mount|detection|container|input|permission) error: (?P<error>[^\n]{0,160}?)(?:: unknown|$|\.$)`,
			Layer:    rule.ContainerRuntime, Strength: Weak,
			Meaning: "The toolkit could not mount a part of the driver into the container.",
			Causes: causes(
				Cause{
					When: on(Says("/proc/driver/nvidia/capabilities", "/proc/driver/nvidia/gpus", "nvidia-caps")), Layer: rule.DeviceExposure,
					Title:    "The container toolkit does not find a part of the driver in /proc ({error})",
					Text:     "With MIG, or from one driver release to another, /proc/driver/nvidia/capabilities changes; in LXC or a VM it may not be passed in, and after a driver update without a restart it does not fit.",
					Remedies: []Remedy{fix("see whether nvidia-smi works where the engine runs, and pass /proc/driver/nvidia and /dev/nvidia-caps in", "host", "nvidia-smi -L; ls -R /proc/driver/nvidia/capabilities /dev/nvidia-caps")},
				},
				Cause{
					When:     on(OnJetson, Is("error", "file exists")),
					Title:    "The image has files that the toolkit mounts from the Jetson ({error}): it is not an image for Jetson (l4t)",
					Text:     "On a Jetson the CSV files list what is mounted from the host (CUDA, cuDNN, TensorRT). Images for servers (sbsa) have those libraries themselves, and the two collide.",
					Remedies: []Remedy{fix("take the l4t image of the host's release (l4t-tensorrt, l4t-ml, l4t-base), or mount less", "jetson", "cat /etc/nv_tegra_release; ls /etc/nvidia-container-runtime/host-files-for-container.d")},
				},
				Cause{
					When: on(OnJetson), Layer: rule.Driver,
					Title:    "The container toolkit does not find a file of L4T that it is told to mount ({error})",
					Text:     "On a Jetson the CSV files in /etc/nvidia-container-runtime/host-files-for-container.d list what is mounted; a file of another L4T release, or a package that is missing, breaks it.",
					Remedies: []Remedy{fix("install JetPack's packages of one release, and take an image of the same L4T release", "jetson", "sudo apt-get install --reinstall nvidia-l4t-core nvidia-container; cat /etc/nv_tegra_release")},
				},
				Cause{
					When:     on(Is("error", "(?i)permission denied|not permitted")),
					Title:    "The container toolkit may not do its work here: {error}",
					Text:     "SELinux, AppArmor, a user namespace or missing privileges forbid it.",
					Remedies: []Remedy{fix("read the denial, and use CDI where the engine is rootless", "host", "sudo ausearch -m avc -ts recent; sudo dmesg | grep -i denied | tail", "rootless", "sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups --in-place")},
				},
				Cause{
					Title:    "The container toolkit could not set the container up: {error}",
					Text:     "The step is {stage}. A file of the driver is missing on the host, or the image has something in its place.",
					Remedies: []Remedy{fix("see that nvidia-smi works on the host, update the toolkit, and try an image that is known to work", "host", "nvidia-smi; nvidia-container-cli -k -d /dev/tty info", "test", dockerTest)},
					Ask:      "nvidia-container-cli -k -d /dev/tty info, on the host",
				},
			),
			Samples: []string{
				"nvidia-container-cli: mount error: stat failed: /proc/driver/nvidia/capabilities/gpu0/mig/gi7/access: no such file or directory: unknown.",
				"nvidia-container-cli: mount error: mount operation failed: /usr/src/tensorrt: no such file or directory: unknown.",
				"nvidia-container-cli: detection error: open failed: /proc/sys/kernel/overflowuid: permission denied: unknown",
			},
			Misses: []string{"nvidia-container-cli: info"},
			Source: cliSource,
		},
		{
			ID: "container-legacy-mode", Product: "NVIDIA container toolkit",
			Literals: []string{"invoking the NVIDIA Container Runtime Hook directly"},
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "The hook is set by hand or by docker --gpus while the toolkit's configuration forbids it.",
			Causes: causes(Cause{
				Title:    "The toolkit's configuration is for another mode than the one it is called in (the hook was invoked directly)",
				Text:     "invoking the NVIDIA Container Runtime Hook directly (e.g. specifying the docker --gpus flag) is not supported: the configuration of the toolkit says mode csv or cdi, as on Jetson, so containers have to be started with the runtime.",
				Remedies: []Remedy{fix("start the container with the runtime in place of --gpus", "docker", "docker run --rm --runtime=nvidia -e NVIDIA_VISIBLE_DEVICES=all IMAGE"), fix("or set the mode back to auto", "host", "sudo nvidia-ctk config --set nvidia-container-runtime.mode=auto --in-place")},
			}),
			Samples: []string{"invoking the NVIDIA Container Runtime Hook directly (e.g. specifying the docker --gpus flag) is not supported. Please use the NVIDIA Container Runtime (e.g. specify the --runtime=nvidia flag) instead."},
			Misses:  []string{"invoking the NVIDIA Container Runtime"},
			Source:  "https://github.com/NVIDIA/nvidia-container-toolkit/blob/main/cmd/nvidia-container-runtime-hook/hook_config.go",
		},
	}
}
