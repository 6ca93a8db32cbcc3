package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const cliSource = "https://github.com/NVIDIA/libnvidia-container"

// containerCLI is what nvidia-container-cli, the toolkit's part that puts the driver into a container, says.
var containerCLI = []*Signature{
	{
		ID: "container-requirement", Product: "NVIDIA container toolkit",
		Literals: []string{"unsatisfied condition:"},
		Pattern:  `unsatisfied condition: (?P<what>cuda|driver|arch|brand)\s*(?P<op>[><=!]+)\s*(?P<need>[\w.]+)`,
		Layer:    rule.Driver, Strength: Strong, ExplainedBy: []string{"CTR005"},
		Meaning: "The image's NVIDIA_REQUIRE_CUDA asks for a newer CUDA or driver than the host has.",
		Causes: causes(
			Cause{
				When:     on(Is("what", "^arch$")),
				Layer:    rule.GPUArch,
				Title:    "The image asks for a GPU of compute capability {need} or newer[; this one is {cc}]",
				Text:     "NVIDIA_REQUIRE_ARCH of the image is not met.",
				Remedies: []Remedy{fix("use an image made for this GPU")},
			},
			Cause{
				When: on(Is("what", "^brand$")), Confidence: rule.Possible,
				Title:    "The host's driver is older than the image's CUDA, and this GPU is of no brand for which that is let through ({need})",
				Text:     "NVIDIA_REQUIRE_CUDA lets older drivers in on data-centre GPUs alone (brand=tesla). The host needs the driver of the image's CUDA.",
				Remedies: []Remedy{fix("update the driver of the host, or take an image of an older CUDA", "host", "nvidia-smi")},
				Ask:      "nvidia-smi on the host and the image's tag",
			},
			Cause{
				When:  on(Is("what", "^driver$")),
				Title: "The host's driver[ {driver}] is older than what the image asks for: {op} {need}",
				Text:  "A container uses the driver of the host. Packages in the image, and a toolkit on the host, do not change it.",
				Remedies: []Remedy{
					fix("update the driver of the host to {need} or newer", "host", "nvidia-smi"),
					fix("or take an image made for an older CUDA"),
				},
			},
			Cause{
				When:  on(Has("need|cudarelease")),
				Title: "The host's driver[ {driver}][, which runs CUDA {driver_cuda}, || , which runs CUDA {driver|cuda},] is too old for the image: it asks for CUDA {need|cudarelease} or newer",
				Text: "A container uses the driver of the host, and the image's NVIDIA_REQUIRE_CUDA wants one for CUDA {need|cudarelease}[, which came with driver {need|mindriver}]. A CUDA toolkit on the host or in the image does not change the driver. " +
					"Within a major release an older driver mostly runs it all the same (minor-version compatibility), but not PTX; NVIDIA_DISABLE_REQUIRE=1 only switches the check off.",
				Remedies: []Remedy{
					fix("update the NVIDIA driver of the host[ to {need|mindriver} or newer]", "host", "nvidia-smi"),
					fix("or take an image of an older CUDA[, {driver_cuda} or older || , {driver|cuda} or older]"),
				},
				Ask: "nvidia-smi on the host",
			},
			Cause{
				Title:    "The host's driver is too old for the image: {what} {op} {need}",
				Text:     "A container uses the driver of the host.",
				Remedies: []Remedy{fix("update the driver of the host, or take an image of an older CUDA", "host", "nvidia-smi")},
			},
		),
		Samples: []string{
			"nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.6, please update your driver to a newer version, or use an earlier cuda container: unknown",
			"nvidia-container-cli: requirement error: unsatisfied condition: driver >= 525",
			"nvidia-container-cli: requirement error: unsatisfied condition: brand = tesla",
			"unsatisfied condition: cuda >= 11.8 (cuda=11.4)",
		},
		Misses: []string{"unsatisfied condition: memory >= 8"},
		Source: "https://github.com/NVIDIA/nvidia-docker/issues/1479",
	},
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
		ID: "container-cuda-init", Product: "NVIDIA container toolkit",
		Literals: []string{"initialization error: cuda error", "initialization error: driver error", "initialization error: driver rpc error", "initialization error: open failed", "initialization error: change root", "initialization error: WSL", "WSL environment detected but no adapters", "initialization error: privilege change", "initialization error: namespace association"},
		Pattern:  `(?i)initialization error: (?P<error>(?:cuda error|driver error|driver rpc error|open failed|change root failed|privilege change failed|namespace association failed|WSL[^:]*)[^\n]{0,100}?)(?:: unknown|$|\.$)|WSL environment detected but no adapters were found`,
		Layer:    rule.Driver,
		Meaning:  "The container toolkit could not start the host's driver.",
		Causes: causes(
			Cause{
				When: on(Says("no adapters were found", "WSL environment")), Layer: rule.DeviceExposure,
				Title:    "WSL shows no GPU to the container toolkit: no adapter was found",
				Text:     "The GPU of Windows is not passed into WSL: the driver of Windows, the WSL kernel or the GPU does not support it, or Docker Desktop's own distribution does not have it.",
				Remedies: []Remedy{fix("update the NVIDIA driver on Windows and WSL, restart WSL, and see that nvidia-smi works there", "powershell", "wsl --update; wsl --shutdown", "bash", "/usr/lib/wsl/lib/nvidia-smi; ls -l /dev/dxg")},
			},
			Cause{
				When: on(Says("no cuda-capable device", "no CUDA-capable")), Layer: rule.DeviceExposure,
				Title:    "The host's driver shows no GPU to the container toolkit (cuda error: no CUDA-capable device)",
				Text:     "The driver on the host finds no GPU that works: nvidia-smi on the host says the same.",
				Remedies: []Remedy{fix("make nvidia-smi work on the host first", "host", "nvidia-smi; sudo dmesg | grep -i nvrm | tail")},
			},
			Cause{
				When: on(Is("error", "(?i)privilege|namespace|permission|not permitted")), Layer: rule.ContainerRuntime,
				Title:    "The container toolkit lacks rights: {error}",
				Text:     "It runs inside another container, a user namespace or a sandbox, where it may not change namespaces or capabilities.",
				Remedies: []Remedy{fix("run it with the rights it needs, or use CDI, which needs no such steps", "shell", "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml")},
			},
			Cause{
				Title:    "The container toolkit cannot start the host's driver: {error}",
				Text:     "The fault is on the host: module and libraries of different releases, a driver that cannot start its GPU, or nodes that are missing. nvidia-smi and a CUDA program on the host fail in the same way.",
				Remedies: []Remedy{fix("make nvidia-smi and CUDA work on the host first; restart it after a driver update", "host", "nvidia-smi; cat /proc/driver/nvidia/version; sudo dmesg | grep -i nvrm | tail")},
				Ask:      "nvidia-smi on the host",
			},
		),
		Samples: []string{
			"nvidia-container-cli: initialization error: cuda error: unknown error: unknown",
			"nvidia-container-cli: initialization error: driver error: failed to process request",
			"nvidia-container-cli: initialization error: WSL environment detected but no adapters were found: unknown.",
			"nvidia-container-cli: initialization error: driver rpc error: timed out: unknown",
		},
		Misses: []string{"initialization error: cuda library loaded"},
		Source: cliSource,
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
		Source:  cliSource,
	},
	{
		ID: "container-unknown-device", Product: "NVIDIA container toolkit",
		Literals: []string{"device error:", "unknown device id", "unknown device"},
		Pattern:  `device error: (?P<device>\S+?)?:? ?unknown device(?: id: ?(?P<id>\S+))?|unknown device id: ?(?P<id>\S+)`,
		Layer:    rule.DeviceExposure, Strength: Strong, ExplainedBy: []string{"CTR007"},
		Meaning: "The container asks for a GPU by an index or UUID that the host does not have.",
		Causes: causes(Cause{
			Title:    "The container asks for a GPU that the host does not have[: {device} || : {id}]",
			Text:     "The index or UUID in --gpus, device_ids or NVIDIA_VISIBLE_DEVICES is not in nvidia-smi -L: fewer GPUs than thought, a MIG layout that was changed, or a card that dropped out.",
			Remedies: []Remedy{fix("name one that exists", "host", "nvidia-smi -L")},
			Ask:      "nvidia-smi -L on the host",
		}),
		Samples: []string{"nvidia-container-cli: device error: unknown device id: 3: unknown", "nvidia-container-cli: device error: GPU-9f3c: unknown device: unknown", "nvidia-container-cli: device error: 4: unknown device: unknown."},
		Misses:  []string{"usb 1-1: unknown device class"},
		Source:  cliSource,
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
