package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// toolkitParts is about the container toolkit's own files, and what it brings into containers of a Jetson.
func toolkitParts() []*Signature {
	return []*Signature{
		{
			ID: "container-toolkit-library", Product: "NVIDIA container toolkit",
			Literals: []string{"libnvidia-container.so", "libnvidia-container-go.so"},
			Pattern:  `(?P<lib>libnvidia-container(?:-go)?\.so[.\d]*): (?:cannot open shared object|undefined symbol|version)`,
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "nvidia-container-cli does not find its own library.",
			Causes: causes(
				Cause{
					When:     on(OnJetson),
					Title:    "nvidia-container-cli does not start: its own library {lib} is not found (on a Jetson libnvidia-container.so.0 is the one of JetPack 4 and 5, libnvidia-container.so.1 that of newer toolkits)",
					Text:     "The command and the library come from packages of different releases, or the package with the library (libnvidia-container0, libnvidia-container1) is missing. Driver and CUDA are not at fault.",
					Remedies: []Remedy{fix("install both from one source, JetPack's repository or the distribution's own module for Jetson, or use CDI with nvidia-ctk, which needs no such library", "jetson", "dpkg -l | grep nvidia-container; sudo apt-get install --reinstall nvidia-container libnvidia-container0 libnvidia-container1", "jetson", "sudo nvidia-ctk cdi generate --mode=csv --output=/etc/cdi/nvidia.yaml")},
				},
				Cause{
					Title:    "nvidia-container-cli does not start: its own library {lib} is not found or is of another release",
					Text:     "libnvidia-container1, libnvidia-container-tools and nvidia-container-toolkit belong together and have to be of one release. Driver and CUDA are not at fault.",
					Remedies: []Remedy{fix("install the three of one release", "ubuntu and debian", "sudo apt-get install --reinstall libnvidia-container1 libnvidia-container-tools nvidia-container-toolkit && sudo ldconfig", "fedora and rhel", "sudo dnf reinstall libnvidia-container1 libnvidia-container-tools nvidia-container-toolkit && sudo ldconfig")},
				},
			),
			Samples: []string{"nvidia-container-cli: error while loading shared libraries: libnvidia-container.so.1: cannot open shared object file: No such file or directory", "nvidia-container-cli: error while loading shared libraries: libnvidia-container-go.so.1: cannot open shared object file: No such file or directory"},
			Misses:  []string{"libnvidia-container.so.1 => /usr/lib/x86_64-linux-gnu/libnvidia-container.so.1"},
			Source:  "https://github.com/anduril/jetpack-nixos/issues/126",
		},
	}
}

// jetsonContainerLibrary is why a container on a Jetson lacks a library of CUDA.
func jetsonContainerLibrary() Cause {
	return Cause{
		When: on(OnJetson, InContainer, Is("lib", `^lib(?:cu|nv)`), Not(Is("l4t", `^3[5-9]`))), Layer: rule.ContainerRuntime,
		Title: "{lib|base} is not in the container: on a Jetson[ (L4T {l4t})] the NVIDIA runtime mounts CUDA, cuDNN and TensorRT from the host, and here it did not",
		Text:  "Images for JetPack 4 (L4T r32) hold no CUDA: --runtime nvidia brings in what the CSV files of the host list. The runtime was not used, an update of docker or nvidia-container replaced it, or the host lacks the JetPack packages that bring {lib|base}. Images for JetPack 5 and newer have CUDA in them.",
		Remedies: []Remedy{
			fix("start it with --runtime nvidia, and see that the host has the library and its CSV files", "jetson", "cat /etc/nv_tegra_release; ls /etc/nvidia-container-runtime/host-files-for-container.d; find /usr -name '{lib|base}*' 2>/dev/null; docker info | grep -i runtime"),
			fix("after an update of docker, install JetPack's container packages again (nvidia-docker2, nvidia-container, nvidia-jetpack) or go back to the docker.io of before"),
		},
		Ask: "cat /etc/nv_tegra_release; the docker run line; docker info | grep -i runtime",
	}
}
