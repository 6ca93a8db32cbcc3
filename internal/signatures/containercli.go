package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const cliSource = "https://github.com/NVIDIA/libnvidia-container"

// containerCLI is what nvidia-container-cli, the toolkit's part that puts the driver into a container, says.
func containerCLI() []*Signature {
	return []*Signature{
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
					When:  on(Has("need|cudarelease"), OnJetson),
					Title: "The image is for a newer JetPack: it asks for CUDA {need|cudarelease} or newer, and this Jetson's L4T[ {l4t}] has an older one[ ({driver_cuda})]",
					Text:  "On a Jetson driver and CUDA come with JetPack (L4T): CUDA 11.4 with JetPack 5, 12.2 to 12.6 with JetPack 6. Installing a CUDA toolkit does not change what the container toolkit checks.",
					Remedies: []Remedy{
						fix("take an image, or a release of the project, for this JetPack", "jetson", "cat /etc/nv_tegra_release; dpkg -l nvidia-jetpack"),
						fix("or flash the JetPack that the image is for"),
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
					When:  on(OnJetson),
					Title: "The container toolkit finds no GPU on this Jetson[ (L4T {l4t})]: {error}",
					Text:  "On a Jetson the driver is L4T: its libraries in /usr/lib/aarch64-linux-gnu/tegra, device nodes /dev/nvhost-* and /dev/nvmap, and the GPU's firmware. A minimal or own image (Yocto, core-image-minimal, an own root file system) can lack some of them, or their packages are of another L4T than the kernel; a toolkit that is not JetPack's looks for a desktop driver. nvidia-smi is not the test there.",
					Remedies: []Remedy{
						fix("see whether CUDA works on the host, and which parts of L4T are missing beside an image that works", "jetson", "ls -l /dev/nvhost-gpu /dev/nvmap; ldconfig -p | grep libcuda; sudo dmesg | grep -i -e nvgpu -e firmware | tail; cat /etc/nv_tegra_release"),
						fix("start the container with --runtime nvidia (without --gpus all), and take nvidia-container from JetPack or the layer of that release"),
					},
					Ask: "deviceQuery on the host; sudo dmesg | grep -i nvgpu",
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
			Source: "https://github.com/NVIDIA/libnvidia-container/blob/main/src/nvc.c",
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
			Source:  "https://github.com/NVIDIA/libnvidia-container/blob/main/src/cli/common.c",
		},
	}
}
