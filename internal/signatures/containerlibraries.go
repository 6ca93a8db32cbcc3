package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// containerLibraries is what nvidia-container-cli says of the driver's libraries that it looks for or mounts.
func containerLibraries() []*Signature {
	return []*Signature{
		{
			ID: "container-driver-library-missing", Product: "NVIDIA container toolkit",
			Literals: []string{"load library failed: libnvidia-ml", "load library failed: libcuda", "load library failed: libnvidia-ptx"},
			Pattern:  `load library failed: (?P<lib>lib(?:nvidia-ml|cuda|nvidia-ptxjitcompiler)\.so\S*?):`,
			Layer:    rule.Driver, Strength: Strong, ExplainedBy: []string{"DRV001", "CTR002"},
			Meaning: "The container toolkit finds no driver on the host.",
			Causes: causes(
				Cause{
					When: on(Any(OnWSL, OnWindows)), Layer: rule.DeviceExposure,
					Title:    "The container toolkit finds no {lib|base} in WSL: the driver of Windows is not passed in",
					Text:     "In WSL the driver's libraries are in /usr/lib/wsl/lib, from the driver of Windows. No Linux driver belongs into WSL.",
					Remedies: []Remedy{fix("install the NVIDIA driver on Windows, update WSL and restart it; see that the directory is in the linker's cache", "powershell", "wsl --update; wsl --shutdown", "bash", "ls /usr/lib/wsl/lib; ldconfig -p | grep nvidia-ml")},
				},
				Cause{
					When: on(Says("/snap/", "snap.docker", "snap install docker", "docker desktop", "desktop-linux", "rootless")), Layer: rule.ContainerRuntime,
					Title:    "The container toolkit finds no {lib|base}: this Docker (snap, Desktop or rootless) does not see the host's driver",
					Text:     "Docker from snap and Docker Desktop for Linux run where the host's driver libraries are not visible; nvidia-smi on the host works all the same.",
					Remedies: []Remedy{fix("use Docker Engine from Docker's own packages, then configure the toolkit", "docker", "docker context ls; snap list docker", "then", dockerSetup)},
				},
				Cause{
					When:     on(Says("gpu-operator", "/run/nvidia/driver", "driver-daemonset", "nvidia-operator")),
					Title:    "The container toolkit finds no driver on the node ({lib|base})",
					Text:     "The driver daemonset of the operator is not ready, failed, or the node's own driver is not where the toolkit looks (driver.enabled, driverInstallDir, hostPaths).",
					Remedies: []Remedy{fix("see whether the driver's pods run; with a driver on the node set driver.enabled=false", "kubectl", "kubectl -n gpu-operator get pods; kubectl -n gpu-operator logs -l app=nvidia-driver-daemonset --tail=50")},
				},
				Cause{
					When:     on(OnJetson),
					Title:    "The container toolkit finds no {lib|base} on this Jetson[ (L4T {l4t})]: the driver's libraries under aarch64-linux-gnu/tegra are not in the linker's cache, or the toolkit is not the one of JetPack",
					Text:     "On a Jetson the driver is L4T (nvidia-l4t-cuda), in /usr/lib/aarch64-linux-gnu/tegra. The linker finds it by /etc/ld.so.conf.d/nvidia-tegra.conf and by links with the soname, which a minimal root file system can lack. With --runtime nvidia the toolkit mounts what its CSV files list instead of searching.",
					Remedies: []Remedy{fix("bring the directory into the linker's cache, so that the links are made", "jetson", "echo /usr/lib/aarch64-linux-gnu/tegra | sudo tee /etc/ld.so.conf.d/nvidia-tegra.conf; sudo ldconfig; ldconfig -p | grep libcuda"), fix("start the container with --runtime nvidia in place of --gpus, and take nvidia-container-toolkit from JetPack's own repository", "jetson", "ls /etc/nvidia-container-runtime/host-files-for-container.d; dpkg -l | grep nvidia-container")},
				},
				Cause{
					When:     on(Any(inLXC)),
					Title:    "The LXC container has no driver libraries ({lib|base}), which the container toolkit inside it needs",
					Text:     "The host passes device nodes in; the libraries have to be installed in the LXC container, of exactly the release of the host and without a kernel module.",
					Remedies: []Remedy{fix("install the host's driver release in the LXC container without its kernel module", "container", "sh NVIDIA-Linux-x86_64-VERSION.run --no-kernel-module")},
				},
				Cause{
					Title:    "The NVIDIA driver is not installed on the host: the container toolkit finds no {lib|base}",
					Text:     "The toolkit mounts the driver of the host, and the host has none that its linker finds. Nothing in the image mends that. Where nvidia-smi works on the host, the engine is another one (snap, Desktop, rootless, remote), or the linker's cache is old.",
					Remedies: []Remedy{fix("install the driver on the host until nvidia-smi works there", "ubuntu", "sudo ubuntu-drivers install"), fix("where it works, bring the linker's cache up to date", "host", "sudo ldconfig; ldconfig -p | grep -e libnvidia-ml -e libcuda.so")},
					Ask:      "nvidia-smi and ldconfig -p | grep libnvidia-ml, on the host",
				},
			),
			Samples: []string{
				"nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1: cannot open shared object file: no such file or directory: unknown.",
				"nvidia-container-cli: initialization error: load library failed: libcuda.so.1: cannot open shared object file: no such file or directory",
			},
			Misses: []string{"load library failed: libfoo.so.1: missing"},
			Source: "https://github.com/NVIDIA/libnvidia-container/issues/231",
		},
		{
			ID: "container-ldcache", Product: "NVIDIA container toolkit",
			Literals: []string{"ldcache error", "ldconfig.real"},
			Pattern:  `ldcache error: (?P<error>[^\n]{0,120}?)(?:: unknown|$|\.$)|(?:stat|open|exec)[^\n]{0,30}/sbin/ldconfig\.real: no such file`,
			Layer:    rule.ContainerRuntime,
			Meaning:  "The container toolkit cannot run or read the linker's cache.",
			Causes: causes(
				Cause{
					When:     on(Says("ldconfig failed", "failed with error code", "process /sbin/ldconfig")),
					Title:    "The container toolkit's ldconfig fails in the container[: {error}]",
					Text:     "ldconfig of the host is run inside the container's file system: it is damaged, a library there is of no use (zero bytes), the image's libc does not fit, or a sandbox forbids it.",
					Remedies: []Remedy{fix("update the NVIDIA container toolkit and look which ldconfig it is told to use (on Debian and others /sbin/ldconfig, on Ubuntu /sbin/ldconfig.real)", "host", "grep -n ldconfig /etc/nvidia-container-runtime/config.toml; ls -l /sbin/ldconfig*")},
				},
				Cause{
					Title:    "The container toolkit looks for an ldconfig or a cache that this host does not have[: {error}]",
					Text:     "The setting ldconfig in config.toml names /sbin/ldconfig.real of Ubuntu on another distribution, or the host (NixOS, a slim system) has no /etc/ld.so.cache.",
					Remedies: []Remedy{fix("set the path of the host's ldconfig", "host", "ls -l /sbin/ldconfig*; sudo nvidia-ctk config --set nvidia-container-cli.ldconfig=@/sbin/ldconfig --in-place; sudo ldconfig")},
				},
			),
			Samples: []string{"nvidia-container-cli: ldcache error: process /sbin/ldconfig.real failed with error code: 1: unknown", "nvidia-container-cli: ldcache error: open failed: /sbin/ldconfig.real: no such file or directory: unknown"},
			Misses:  []string{"ldconfig = \"@/sbin/ldconfig.real\""},
			Source:  "https://github.com/NVIDIA/libnvidia-container/blob/main/src/nvc_ldcache.c",
		},
		{
			ID: "container-libraries-in-image", Product: "NVIDIA container toolkit",
			Literals: []string{"file creation failed"},
			Pattern:  `mount error: file creation failed: \S*?(?P<file>/usr/\S*?|/\S*?)(?P<lib>lib[\w-]+\.so[\w.]*)?: file exists`,
			Layer:    rule.PackageConflict, Strength: Strong, ExplainedBy: []string{"PKG005"},
			Meaning: "The toolkit cannot mount a driver library, because the image has a file in its place.",
			Causes: causes(
				Cause{
					When: on(OnJetson), Layer: rule.Driver,
					Title:    "The image was made for another L4T than the host's[ ({l4t})]: it holds {lib} of its own",
					Text:     "Up to L4T r32 the libraries come from the Jetson, so an image made elsewhere or later has files in their place.",
					Remedies: []Remedy{fix("take the image of the host's L4T release[ {l4t}] (tag r32.x for JetPack 4, r35.x for JetPack 5, r36.x for JetPack 6)", "jetson", "cat /etc/nv_tegra_release")},
				},
				Cause{
					Title: "The image holds NVIDIA driver libraries of its own ({lib}), which stand where the host's are to be mounted",
					Text:  "Driver packages (nvidia-driver, nvidia-utils, libnvidia-compute, libnvidia-decode, libcuda) were installed in the image, or a container that ran with a GPU was committed: its mount points stay as empty files. In a container the driver's libraries come from the host.",
					Remedies: []Remedy{
						fix("build the image anew without driver packages, or remove the files in its last step", "Dockerfile", "RUN rm -f /usr/lib/x86_64-linux-gnu/libnvidia-*.so* /usr/lib/x86_64-linux-gnu/libcuda.so* /usr/lib/x86_64-linux-gnu/libnvcuvid.so*"),
					},
				},
			),
			Samples: []string{
				"nvidia-container-cli: mount error: file creation failed: /var/lib/docker/overlay2/0a1b/merged/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1: file exists: unknown",
				"nvidia-container-cli: mount error: file creation failed: /var/lib/docker/overlay2/77/merged/usr/bin/nvidia-smi: file exists",
			},
			Misses: []string{"lock file creation failed: /tmp/x: file exists"},
			Source: "https://github.com/NVIDIA/libnvidia-container/issues/266",
		},
	}
}
