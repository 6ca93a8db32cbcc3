package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

const (
	dockerSetup   = "sudo apt-get install nvidia-container-toolkit && sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker"
	dockerTest    = "docker run --rm --gpus all ubuntu nvidia-smi"
	toolkitGuide  = "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/install-guide.html"
	specialised   = "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html"
	otherDockerOf = "Docker from snap, Docker Desktop for Linux and rootless Docker have daemons and configurations of their own"
)

// docker is what the Docker daemon says where it has no way to give a container GPUs.
func docker() []*Signature {
	return []*Signature{
		{
			ID: "docker-no-gpu-driver", Product: "docker",
			Literals: []string{"could not select device driver"},
			Pattern:  `could not select device driver (?:\\?["'](?P<name>\w*)\\?["'])? ?with capabilities: \[\[(?P<caps>[^\]]*)\]`,
			Layer:    rule.ContainerRuntime, Strength: Strong, ExplainedBy: []string{"CTR002", "CTR003"},
			Meaning: "Docker was asked for GPUs and has no NVIDIA runtime that could give them.",
			Causes: causes(
				cdiRefused,
				Cause{
					When:     on(Says("/snap/", "snap install docker", "snap.docker", "docker snap", "snap version", "snap list")),
					Title:    "Docker from snap does not know the NVIDIA container toolkit of the system (could not select device driver with capabilities gpu)",
					Text:     "The snap has a configuration of its own and does not see what nvidia-ctk wrote to /etc/docker/daemon.json.",
					Remedies: []Remedy{fix("replace the snap by Docker Engine from Docker's own packages, then install and configure the toolkit", "ubuntu", "sudo snap remove docker", "then", dockerSetup)},
				},
				Cause{
					When:     on(Says("desktop-linux", "docker desktop", "docker-desktop"), Not(OnWSL), Not(OnWindows)),
					Title:    "Docker Desktop for Linux runs containers in a VM that has no GPU",
					Text:     "Docker Desktop passes GPUs in on Windows with WSL 2 alone. The toolkit on the host does not reach into its VM.",
					Remedies: []Remedy{fix("use Docker Engine on the host: switch the context and configure the toolkit", "shell", "docker context use default", "then", dockerSetup)},
				},
				Cause{
					When:     on(Says("rootless", "/run/user/", ".config/docker/daemon.json")),
					Title:    "Rootless Docker has no NVIDIA runtime configured",
					Text:     "It reads ~/.config/docker/daemon.json, and cannot set up cgroups.",
					Remedies: []Remedy{fix("configure it for the user, and let the toolkit leave cgroups alone", "shell", "nvidia-ctk runtime configure --runtime=docker --config=$HOME/.config/docker/daemon.json; systemctl --user restart docker; sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups --in-place")},
				},
				Cause{
					When:     on(OnWindows, Not(OnWSL)),
					Title:    "This Docker cannot give GPUs to containers: on Windows it needs Docker Desktop with the WSL 2 backend",
					Text:     "With the Hyper-V backend or with Windows containers there is no GPU for Linux containers.",
					Remedies: []Remedy{fix("switch Docker Desktop to the WSL 2 backend, update WSL and the NVIDIA driver of Windows", "powershell", "wsl --update", "test", dockerTest)},
				},
				Cause{
					When: on(Says("/etc/docker/daemon.json", "nvidia-ctk", "nvidia-container-toolkit is already", "dpkg -l", "systemctl restart docker"), Not(Says("Unable to locate package", "command not found"))), Confidence: rule.Possible,
					Title:    "Docker does not use the NVIDIA container toolkit (could not select device driver with capabilities gpu)",
					Text:     "The toolkit is missing, or it is there and the daemon that runs does not know it: it was not restarted since, or it is another one. " + otherDockerOf + ".",
					Remedies: []Remedy{fix("install the toolkit, register it with Docker, and restart Docker", "ubuntu and debian", dockerSetup, "test", dockerTest)},
					Ask:      "docker info | grep -i -e runtimes -e context -e rootless; which docker; nvidia-ctk --version",
				},
				Cause{
					Title: "The NVIDIA container toolkit is not installed on the Docker host, or Docker was not restarted since (could not select device driver with capabilities gpu)",
					Text:  "Docker's --gpus needs the NVIDIA container toolkit on the host. Nothing in the image mends that, and the driver is not the reason. " + otherDockerOf + ".",
					Remedies: []Remedy{
						fix("install the NVIDIA container toolkit from NVIDIA's repository, register it with Docker, and restart Docker", "ubuntu and debian", dockerSetup, "fedora and rhel", "sudo dnf install nvidia-container-toolkit && sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker", "test", dockerTest),
						fix("on a machine without an NVIDIA GPU, leave --gpus or the reservation of devices out of the command or compose file"),
					},
					Ask: "docker info | grep -i runtimes; nvidia-ctk --version",
				},
			),
			Samples: []string{
				`docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].`,
				`Error response from daemon: could not select device driver "nvidia" with capabilities: [[gpu utility compute]]`,
				`could not select device driver with capabilities: [[gpu]]`,
				`Cannot start service app: could not select device driver \"\" with capabilities: [[gpu]]`,
			},
			Misses: []string{"could not select device driver for the printer"},
			Source: "https://github.com/NVIDIA/nvidia-docker/issues/1034",
		},
		{
			ID: "docker-runtime-unknown", Product: "docker",
			Literals: []string{"invalid runtime name", "Unknown runtime specified", "unknown runtime", "runtime \"nvidia\" not found", "runtime nvidia not found"},
			Pattern:  `(?i)unknown or invalid runtime name: \\?"?(?P<runtime>nvidia[\w.-]*)|Unknown runtime specified:? (?P<runtime>nvidia[\w.-]*)|unknown runtime:? \\?"?(?P<runtime>nvidia[\w.-]*)|runtime \\?"?(?P<runtime>nvidia)\\?"? not found`,
			Layer:    rule.ContainerRuntime, Strength: Strong, ExplainedBy: []string{"CTR002", "CTR003"},
			Meaning: "The engine was told to use the runtime nvidia and does not have it.",
			Causes: causes(
				Cause{
					When:     on(OnJetson),
					Title:    "Docker on this Jetson has no runtime {runtime}: the NVIDIA container toolkit is missing or not registered",
					Text:     "JetPack brings it as nvidia-container; a newer Docker or a replaced daemon.json loses the entry.",
					Remedies: []Remedy{fix("install and register it, and restart Docker", "jetson", "sudo apt-get install nvidia-container && sudo nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker")},
				},
				Cause{
					Title: "Docker has no runtime {runtime}: the NVIDIA container toolkit is not installed or not registered",
					Text:  "--runtime=nvidia (in Compose, runtime: nvidia) needs an entry under runtimes in /etc/docker/daemon.json, which nvidia-ctk writes, and a restart of the daemon. " + otherDockerOf + ".",
					Remedies: []Remedy{
						fix("install the toolkit, register it and restart Docker", "ubuntu and debian", dockerSetup, "check", "docker info | grep -i runtimes"),
						fix("or ask for GPUs with --gpus all in place of the runtime"),
					},
					Ask: "docker info | grep -i runtimes; cat /etc/docker/daemon.json",
				},
			),
			Samples: []string{"docker: Error response from daemon: unknown or invalid runtime name: nvidia.", "docker: Error response from daemon: Unknown runtime specified nvidia.", `Error: runtime "nvidia" not found`},
			Misses:  []string{"unknown or invalid runtime name: kata"},
			Source:  "https://github.com/moby/moby/blob/master/daemon/runtime_unix.go",
		},
	}
}
