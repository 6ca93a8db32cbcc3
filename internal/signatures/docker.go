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

// docker is what the Docker daemon, its client and Compose say about GPUs.
var docker = []*Signature{
	{
		ID: "docker-no-gpu-driver", Product: "docker",
		Literals: []string{"could not select device driver"},
		Pattern:  `could not select device driver (?:\\?["'](?P<name>\w*)\\?["'])? ?with capabilities: \[\[(?P<caps>[^\]]*)\]`,
		Layer:    rule.ContainerRuntime, Strength: Strong, ExplainedBy: []string{"CTR002", "CTR003"},
		Meaning: "Docker was asked for GPUs and has no NVIDIA runtime that could give them.",
		Causes: causes(
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
		Source:  toolkitGuide,
	},
	{
		ID: "docker-gpus-flag", Product: "docker",
		Literals: []string{"unknown flag: --gpus", "'gpus' is not", "Additional property gpus", "unknown shorthand flag: 'g' in -gpus"},
		Layer:    rule.ContainerRuntime, Strength: Strong,
		Meaning: "This engine or Compose does not know the option gpus.",
		Causes: causes(
			Cause{
				When:     on(Says("podman")),
				Title:    "This Podman does not know --gpus",
				Text:     "Podman takes GPUs as CDI devices.",
				Remedies: []Remedy{fix("generate a CDI specification and name the device", "podman", "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml && podman run --rm --device nvidia.com/gpu=all ubuntu nvidia-smi")},
			},
			Cause{
				When:     on(Says("Additional property")),
				Title:    "This Docker Compose does not know the key gpus",
				Text:     "The short form gpus: all is of Compose 2.30 and newer.",
				Remedies: []Remedy{fix("use deploy.resources.reservations.devices (driver nvidia, count all, capabilities gpu), or update Compose", "check", "docker compose version")},
			},
			Cause{
				Title:    "This Docker is older than --gpus (19.03)",
				Text:     "The option came with Docker 19.03.",
				Remedies: []Remedy{fix("update Docker and install the NVIDIA container toolkit", "check", "docker version", "then", dockerSetup), fix("or use the runtime nvidia", "docker", "docker run --rm --runtime=nvidia -e NVIDIA_VISIBLE_DEVICES=all ubuntu nvidia-smi")},
			},
		),
		Samples: []string{"unknown flag: --gpus", "services.app Additional property gpus is not allowed"},
		Misses:  []string{"docker run --gpus all"},
		Source:  specialised,
	},
	{
		ID: "compose-gpu-syntax", Product: "docker compose",
		Literals: []string{"Unsupported config option for services", "Additional property runtime is not", "Additional property devices is not", "Additional property deploy", "devices.0 must be", "reservations value", "capabilities is required"},
		Pattern:  `(?i)(?:Unsupported config option for services\.?\S*: '(?P<key>runtime|deploy|device_requests)'|(?:Additional property|value) (?P<key>runtime|devices|device_requests|deploy) (?:is )?not allowed|resources\.reservations value Additional properties are not allowed \('?(?P<key>devices)'?|reservations\.devices.{0,40}(?:capabilities is required|must be))`,
		Layer:    rule.ContainerRuntime,
		Meaning:  "Compose does not take a key of the GPU reservation.",
		Causes: causes(Cause{
			Title: "The compose file asks for the GPU in a form that this Compose does not take[: {key}]",
			Text:  "runtime: nvidia is of file versions 2.3 and 2.4 and of Compose v2; deploy.resources.reservations.devices of Compose 1.28 and newer, and there capabilities is a must.",
			Remedies: []Remedy{
				fix("use Compose v2 (docker compose) and, under the service: deploy, resources, reservations, devices, with driver nvidia, count all and capabilities gpu", "check", "docker compose version; docker compose config"),
			},
		}),
		Samples: []string{"Unsupported config option for services.app: 'runtime'", "services.worker.deploy.resources.reservations value Additional properties are not allowed ('devices' was unexpected)", "services.app.deploy.resources.reservations.devices.0 capabilities is required"},
		Misses:  []string{"Unsupported config option for services.app: 'prots'"},
		Source:  "https://docs.docker.com/compose/how-tos/gpu-support/",
	},
	{
		ID: "docker-gpu-vendor-cdi", Product: "docker",
		Literals: []string{"failed to discover GPU vendor", "no known GPU vendor found", "AMD CDI spec not found"},
		Layer:    rule.ContainerRuntime, Strength: Strong, ExplainedBy: []string{"CTR002", "CTR003", "CTR004"},
		Meaning: "This Docker gives GPUs by CDI and found no specification of a vendor.",
		Causes: causes(Cause{
			Title:    "Docker finds no CDI specification of NVIDIA: the container toolkit is missing, or the specification was not generated",
			Text:     "Newer releases of Docker turn --gpus into CDI devices, for which /etc/cdi or /var/run/cdi must have nvidia.yaml.",
			Remedies: []Remedy{fix("install the toolkit and generate the specification", "ubuntu and debian", "sudo apt-get install nvidia-container-toolkit && sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml && sudo systemctl restart docker", "check", "nvidia-ctk cdi list; nvidia-smi")},
		}),
		Samples: []string{"docker: Error response from daemon: failed to discover GPU vendor from CDI: no known GPU vendor found."},
		Misses:  []string{"discovered GPU vendor nvidia from CDI"},
		Source:  "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/cdi-support.html",
	},
	{
		ID: "docker-hook-missing", Product: "docker",
		Literals: []string{"nvidia-container-runtime-hook", "nvidia-container-runtime", "nvidia-container-toolkit\\\": executable", "nvidia-container-toolkit\": executable", "nvidia-ctk"},
		Pattern:  `(?i)(?:exec: \\?"|fork/exec |stat |exec )?\S*(?P<program>nvidia-(?:container-(?:runtime-hook|runtime|toolkit|cli)|ctk|cdi-hook))\\?"?: (?:executable file not found|no such file or directory)|cannot (?:find|access)[^\n]{0,40}(?P<program>nvidia-container-runtime)`,
		Layer:    rule.ContainerRuntime, Strength: Strong, ExplainedBy: []string{"CTR002"},
		Meaning: "The engine is configured for a program of the container toolkit that is not there.",
		Causes: causes(Cause{
			Title: "The container engine calls {program}, which is not installed: the NVIDIA container toolkit is missing or half removed",
			Text:  "Its configuration (daemon.json, config.toml, an OCI hook or a CDI specification) still names the program. Where the PATH of the daemon leaves /usr/bin out, or the toolkit lies in a container of the GPU operator, the same comes.",
			Remedies: []Remedy{
				fix("install the toolkit again and register it", "ubuntu and debian", dockerSetup),
				fix("without a need for GPUs, take the runtime out of the configuration and restart the engine", "check", "cat /etc/docker/daemon.json; ls -l /usr/bin/nvidia-c*"),
			},
		}),
		Samples: []string{
			`exec: "nvidia-container-runtime-hook": executable file not found in $PATH`,
			`fork/exec /usr/bin/nvidia-container-runtime: no such file or directory: unknown`,
			`OCI runtime create failed: exec: \"nvidia-container-runtime\": executable file not found in $PATH`,
			`error running createContainer hook #0: fork/exec /usr/bin/nvidia-ctk: no such file or directory`,
		},
		Misses: []string{"/usr/bin/nvidia-container-runtime-hook prestart"},
		Source: toolkitGuide,
	},
	{
		ID: "docker-daemon-config", Product: "docker",
		Literals: []string{"directives are specified both as a flag", "unable to configure the Docker daemon with file"},
		Pattern:  `(?i)unable to configure the Docker daemon with file \S*daemon\.json: (?P<why>.{0,120})`,
		Layer:    rule.ContainerRuntime, Strength: Strong,
		Meaning: "The daemon does not start because its configuration is not valid.",
		Causes: causes(Cause{
			Title:    "Docker does not start: daemon.json is not valid ({why})",
			Text:     "Edits for the NVIDIA runtime by hand break it easily: a comma too many, a second runtimes key, or what a flag sets already.",
			Remedies: []Remedy{fix("mend the JSON, or let nvidia-ctk write it", "shell", "python3 -m json.tool /etc/docker/daemon.json; sudo nvidia-ctk runtime configure --runtime=docker; sudo systemctl restart docker")},
		}),
		Samples: []string{"unable to configure the Docker daemon with file /etc/docker/daemon.json: invalid character '}' looking for beginning of object key string"},
		Misses:  []string{"configured the Docker daemon with file /etc/docker/daemon.json"},
		Source:  "https://docs.docker.com/engine/daemon/",
	},
	{
		ID: "docker-not-reachable", Product: "docker",
		Literals: []string{"Cannot connect to the Docker daemon", "connect to the Docker daemon socket", "error during connect:"},
		Pattern:  `Cannot connect to the Docker daemon at|permission denied while trying to connect to the Docker daemon socket|error during connect: .{0,80}(?:docker|pipe)`,
		Layer:    rule.Application,
		Meaning:  "The client does not reach the Docker daemon.",
		Causes: causes(Cause{
			Title:    "The Docker daemon is not running, or this user may not use it; the GPU stack is not the reason",
			Text:     "Not the stack.",
			Remedies: []Remedy{fix("start Docker, or join the group docker and log in anew", "shell", "sudo systemctl start docker; sudo usermod -aG docker $USER")},
		}),
		Samples: []string{"Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock"},
		Misses:  []string{"connected to the Docker daemon"},
		Source:  "https://docs.docker.com/engine/daemon/troubleshoot/",
	},
	{
		ID: "docker-pull-failed", Product: "docker",
		Literals: []string{"manifest for ", "manifest unknown", "no matching manifest for", "exec format error", "pull access denied"},
		Pattern:  `(?i)manifest for (?P<image>\S*(?:nvidia|cuda|nvcr|jax|torch|tensorflow)\S*) not found|no matching manifest for (?P<platform>\S+)|exec (?:user process caused[: "]*|/\S+: )exec format error|manifest unknown`,
		Layer:    rule.Application,
		Meaning:  "The image, or its build for this processor, does not exist.",
		Causes: causes(
			Cause{
				When:     on(Says("no matching manifest", "exec format error")),
				Title:    "The image is not built for this processor[ ({platform})]",
				Text:     "An image for x86-64 does not run on Arm (Jetson, Grace, Apple) and the other way round.",
				Remedies: []Remedy{fix("take the image's build for this processor; on Jetson one of L4T (l4t-*, or -igpu)", "check", "uname -m; docker image inspect --format '{{.Architecture}}' IMAGE")},
			},
			Cause{
				Title:    "This image or tag does not exist[: {image}]",
				Text:     "Old tags of nvidia/cuda were removed, and the short forms (latest, 11.0-base) never come back.",
				Remedies: []Remedy{fix("take a tag that exists, with its whole version, such as nvidia/cuda:12.4.1-base-ubuntu22.04")},
			},
		),
		Samples: []string{"Error response from daemon: manifest for nvidia/cuda:11.0-base not found: manifest unknown", "no matching manifest for linux/arm64/v8 in the manifest list entries", "exec /usr/bin/bash: exec format error"},
		Misses:  []string{"wrote the manifest for 12 files"},
		Source:  "https://hub.docker.com/r/nvidia/cuda",
	},
}
