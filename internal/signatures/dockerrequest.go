package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// dockerRequest is what Docker and Compose say of the way in which GPUs are asked for.
func dockerRequest() []*Signature {
	return []*Signature{
		{
			ID: "docker-gpus-flag", Product: "docker",
			Literals: []string{"unknown flag: --gpus", "'gpus' is not", "Additional property gpus", "unknown shorthand flag: 'g' in -gpus"},
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "This engine or Compose does not know the option gpus.",
			Causes: causes(
				Cause{
					When: on(Says("unknown flag: --gpus all", "unknown flag: --gpus \"", "unknown flag: --gpus device")), Layer: rule.Application,
					Title:    "docker got \"--gpus all\" as one word with a space in it, which is no option",
					Text:     "In a list of arguments (runArgs of devcontainer.json, a command in YAML, JSON or Python) each word stands by itself: \"--gpus\", \"all\", or \"--gpus=all\". Docker and the NVIDIA runtime are not at fault.",
					Remedies: []Remedy{fix("write \"--gpus=all\", or the two words as two arguments")},
				},
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
					When:     on(Says("service create", "swarm", "docker stack")),
					Title:    "Docker Swarm has no --gpus for services: nvidia has to be the nodes' default runtime (default-runtime in daemon.json), or the GPUs generic resources of the nodes",
					Text:     "docker service create knows no device requests. With nvidia as default runtime and NVIDIA_VISIBLE_DEVICES=all in the service the containers get the GPU; node-generic-resources and swarm-resource let the scheduler count them.",
					Remedies: []Remedy{fix("make nvidia the default runtime on every node", "node", "sudo nvidia-ctk runtime configure --runtime=docker --set-as-default && sudo systemctl restart docker", "then", "docker service create --env NVIDIA_VISIBLE_DEVICES=all --generic-resource NVIDIA-GPU=1 IMAGE"), fix("name the GPUs in daemon.json (node-generic-resources: NVIDIA-GPU=UUID) and switch swarm-resource on in /etc/nvidia-container-runtime/config.toml")},
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
			Source:  "https://github.com/moby/moby/blob/master/daemon/devices.go",
		},
	}
}
