package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// dockerDaemon is what Docker says of its own setup: hook, configuration, socket, images.
func dockerDaemon() []*Signature {
	return []*Signature{
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
			Source:  "https://github.com/moby/moby/blob/master/daemon/command/daemon.go",
		},
		{
			ID: "docker-not-reachable", Product: "docker",
			Literals: []string{"Cannot connect to the Docker daemon", "connect to the Docker daemon socket", "connect to the docker API at", "error during connect:"},
			Pattern:  `Cannot connect to the Docker daemon at|permission denied while trying to connect to the (?:Docker daemon socket|docker API)|failed to connect to the docker API at|error during connect: .{0,80}(?:docker|pipe)`,
			Layer:    rule.Application,
			Meaning:  "The client does not reach the Docker daemon.",
			Causes: causes(Cause{
				Title:    "The Docker daemon is not running, or this user may not use it; the GPU stack is not the reason",
				Text:     "Not the stack.",
				Remedies: []Remedy{fix("start Docker, or join the group docker and log in anew", "shell", "sudo systemctl start docker; sudo usermod -aG docker $USER")},
			}),
			Samples: []string{"Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?", "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock", "permission denied while trying to connect to the docker API at unix:///var/run/docker.sock", "failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is correct and if the daemon is running: dial unix /var/run/docker.sock: connect: no such file or directory"},
			Misses:  []string{"connected to the Docker daemon"},
			Source:  "https://github.com/moby/moby/blob/master/client/errors.go",
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
			Source:  "https://github.com/moby/moby/blob/master/daemon/internal/distribution/pull_v2.go",
		},
	}
}
