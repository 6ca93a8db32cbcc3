package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// cdiRefused is the answer of a Docker that was asked for the device driver cdi.
var cdiRefused = Cause{
	When:  on(Is("name", "^cdi$")),
	Title: "Docker has no device driver cdi: the CDI specification (/etc/cdi or /var/run/cdi) was not there when Docker started, the feature is switched off, or Docker is older than 25",
	Text:  "CDI came with Docker 25 and is on without a setting from 28.3; before that it needs features.cdi in daemon.json. Where it works by hand and fails at boot, Docker started before the service that makes the specification (nvidia-container-toolkit-cdi-generator on NixOS, nvidia-cdi-refresh elsewhere).",
	Remedies: []Remedy{
		fix("switch it on, make the specification and restart Docker", "host", "sudo nvidia-ctk runtime configure --runtime=docker --cdi.enabled && sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml && sudo systemctl restart docker"),
		fix("where it fails after a restart of the machine alone, let docker.service come after the CDI generator (systemd: After= and Wants= in a drop-in)", "host", "systemctl list-units '*cdi*'; ls /etc/cdi /var/run/cdi"),
	},
}

// cdi is what engines and the toolkit say about CDI, and Podman about GPUs.
func cdi() []*Signature {
	return []*Signature{
		{
			ID: "cdi-unresolvable", Product: "CDI",
			Literals: []string{"unresolvable CDI devices", "unresolvable CDI device", "could not resolve CDI device"},
			Pattern:  `(?i)(?:unresolvable|could not resolve) CDI devices?:? \[?(?P<device>[\w./-]+=?[\w.:-]*)`,
			Layer:    rule.ContainerRuntime, Strength: Strong, ExplainedBy: []string{"CTR004", "CTR002"},
			Meaning: "No CDI specification has the device that was asked for.",
			Causes: causes(
				Cause{
					When:     on(Says("kubectl", "kubelet", "kubernetes", "device-plugin", "gpu-operator", "RuntimeClass", "management.nvidia.com")),
					Title:    "The node's runtime knows no CDI device {device}",
					Text:     "No specification in /etc/cdi or /var/run/cdi has it: it was not generated, is from before a change of driver, GPU or MIG layout, or the runtime's CDI is switched off. Management devices (management.nvidia.com/gpu) come from the operator.",
					Remedies: []Remedy{fix("generate it on the node, and see that the runtime has CDI switched on (containerd: enable_cdi = true)", "node", "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml; nvidia-ctk cdi list"), fix("restart the operator's toolkit pods, which make their own", "kubectl", "kubectl -n gpu-operator rollout restart daemonset nvidia-container-toolkit-daemonset")},
				},
				Cause{
					Title: "There is no CDI device {device}: the CDI specification is missing or older than this driver or MIG layout",
					Text:  "nvidia.com/gpu=all comes from /etc/cdi/nvidia.yaml (or /var/run/cdi), which nvidia-ctk makes from what the machine has at that time. After a change of driver, GPUs or MIG it has to be made anew.",
					Remedies: []Remedy{
						fix("install the NVIDIA container toolkit and generate the specification", "shell", "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml && nvidia-ctk cdi list"),
						fix("for rootless engines it must be readable by the user", "shell", "ls -l /etc/cdi /var/run/cdi"),
					},
					Ask: "nvidia-ctk cdi list; ls /etc/cdi /var/run/cdi",
				},
			),
			Samples: []string{
				"Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all",
				"CDI device injection failed: unresolvable CDI devices nvidia.com/gpu=1: unknown",
				"could not resolve CDI devices: [management.nvidia.com/gpu=all]",
			},
			Misses: []string{"resolved CDI devices nvidia.com/gpu=all"},
			Source: "https://github.com/cncf-tags/container-device-interface/blob/main/pkg/cdi/cache.go",
		},
		{
			ID: "cdi-stale", Product: "CDI",
			Literals: []string{"failed to stat CDI host device", "CDI host device", "failed to apply edits for device", "failed to inject CDI devices", "CDI device injection failed"},
			Pattern:  `(?i)failed to stat CDI host device "?(?P<node>/dev/[\w/-]+)|(?:failed to (?:inject|apply)|injection failed)[^\n]{0,120}?(?P<node>/dev/nvidia[\w/-]*|/dev/dri/[\w-]+)[^\n]{0,40}no such file`,
			Layer:    rule.ContainerRuntime, Strength: Strong, ExplainedBy: []string{"CTR004", "DEV001", "DEV004"},
			Meaning: "The CDI specification names a device node that is not there.",
			Causes: causes(
				Cause{
					When: on(Is("node", "uvm|modeset")), Layer: rule.DeviceExposure,
					Title:    "{node} is not there yet, and the CDI specification asks for it",
					Text:     "The node is made when nvidia_uvm (or nvidia_modeset) is loaded, which nothing has done since the start of the machine.",
					Remedies: []Remedy{fix("load the module and make its nodes at every start", "host", "sudo modprobe nvidia_uvm; sudo nvidia-modprobe -u -c=0; sudo nvidia-modprobe -m; ls -l /dev/nvidia*")},
				},
				Cause{
					Title:    "The CDI specification is stale: it names {node}, which is not there",
					Text:     "Driver, GPUs or their numbering changed since it was made, or the driver is not loaded.",
					Remedies: []Remedy{fix("see that nvidia-smi works, and make the specification anew", "host", "nvidia-smi -L; sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml")},
				},
			),
			Samples: []string{"Error: failed to inject CDI devices: failed to inject devices: failed to stat CDI host device \"/dev/nvidia-uvm\": no such file or directory", "error creating container: failed to stat CDI host device \"/dev/dri/card2\": no such file or directory"},
			Misses:  []string{"found CDI host device /dev/nvidia0"},
			Source:  "https://github.com/NVIDIA/nvidia-container-toolkit/issues/450",
		},
		{
			ID: "cdi-disabled", Product: "CDI",
			Literals: []string{"CDI support is not enabled", "CDI is not enabled", "driver is not registered for CDI", "unknown device driver \"cdi\"", "\"cdi\" with capabilities", "nvidia.com/gpu=all"},
			Pattern:  `(?i)CDI (?:support )?is not enabled|could not select device driver \\?"cdi|unknown device driver "?cdi|(?:stat(?:ing)?(?: file)?|no such file or directory|error gathering device information[^\n]*|Error: (?:invalid|stat)[^\n]*)[^\n]{0,40}nvidia\.com/gpu=\w+[^\n]{0,60}(?:no such file|invalid|not an absolute)`,
			Layer:    rule.ContainerRuntime, Strength: Strong,
			Meaning: "The engine does not take CDI devices.",
			Causes: causes(
				Cause{
					When:     on(Says("podman")),
					Title:    "This Podman is older than CDI (4.1): it takes nvidia.com/gpu=all for a path",
					Text:     "Podman names CDI devices from 4.1 on.",
					Remedies: []Remedy{fix("update Podman, or use the NVIDIA OCI hook of the container toolkit with the older one", "check", "podman --version; nvidia-ctk cdi list")},
				},
				Cause{
					Title:    "Docker takes no CDI devices: the feature is switched off, or Docker is older than 25",
					Text:     "CDI came with Docker 25 and is on without a setting from 28.3; before that it needs features.cdi in daemon.json. Where it works by hand and fails at boot, Docker started before the service that makes the CDI specification (nvidia-container-toolkit-cdi-generator on NixOS, nvidia-cdi-refresh elsewhere).",
					Remedies: []Remedy{fix("switch it on and restart Docker", "host", "sudo nvidia-ctk runtime configure --runtime=docker --cdi.enabled && sudo systemctl restart docker", "check", "docker version; docker info | grep -i cdi"), fix("where it fails after a restart of the machine alone, let docker.service come after the CDI generator (systemd: After= and Wants= in a drop-in of docker.service)", "host", "systemctl list-units '*cdi*'; ls /etc/cdi /var/run/cdi"), fix("or use --gpus all with the NVIDIA runtime")},
				},
			),
			Samples: []string{
				`docker: Error response from daemon: could not select device driver "cdi" with capabilities: []`,
				"Error: stat nvidia.com/gpu=all: no such file or directory",
			},
			Misses: []string{"podman run --device nvidia.com/gpu=all ubuntu nvidia-smi -L"},
			Source: "https://github.com/moby/moby/blob/master/daemon/errors.go",
		},
		{
			ID: "cdi-generate-failed", Product: "nvidia-ctk",
			Literals: []string{"failed to generate CDI spec", "failed to create device CDI specs", "failed to generate CDI", "failed to create CDI"},
			Pattern:  `(?i)failed to (?:generate|create|genereate) (?:edits for |device |common )?CDI[^\n:]{0,60}: (?P<error>[^\n]{1,200})`,
			Layer:    rule.Driver,
			Meaning:  "nvidia-ctk could not describe the machine's GPUs.",
			Causes: causes(
				Cause{
					When: on(OnWSL), Layer: rule.DeviceExposure,
					Title:    "nvidia-ctk finds no driver of Windows in WSL[: {error}]",
					Text:     "It looks for /dev/dxg and the driver store below /usr/lib/wsl.",
					Remedies: []Remedy{fix("update the driver of Windows and WSL, restart WSL", "powershell", "wsl --update; wsl --shutdown", "bash", "ls /usr/lib/wsl/lib /usr/lib/wsl/drivers /dev/dxg")},
				},
				Cause{
					When: on(Says("ERROR_NO_PERMISSION", "Insufficient Permissions", "permission denied")), Layer: rule.DeviceExposure,
					Title:    "nvidia-ctk may not read the GPUs or write the specification: {error}",
					Text:     "It needs root for /etc/cdi, and for MIG capabilities.",
					Remedies: []Remedy{fix("run it with sudo", "shell", "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml")},
				},
				Cause{
					Title:    "nvidia-ctk cannot describe the GPUs: {error}",
					Text:     "The driver on the host does not answer, or a part of it is missing. nvidia-smi on the host is the first thing to look at.",
					Remedies: []Remedy{fix("make nvidia-smi work on the host, and generate the specification anew", "host", "nvidia-smi -L; sudo nvidia-ctk --debug cdi generate --output=/etc/cdi/nvidia.yaml")},
				},
			),
			Samples: []string{"ERRO[0000] failed to generate CDI spec: failed to create device CDI specs: failed to initialize NVML: ERROR_LIBRARY_NOT_FOUND"},
			Misses:  []string{"INFO[0000] Generated CDI spec with version 0.8.0"},
			Source:  "https://github.com/NVIDIA/nvidia-container-toolkit/blob/main/cmd/nvidia-ctk/cdi/generate/generate.go",
		},
		{
			ID: "podman-gpu", Product: "podman",
			Literals: []string{"oci-nvidia-hook.json", "OCI runtime error", "error executing hook", "crun: mount", "crun: error", "runc: error"},
			Pattern:  `(?i)error (?:executing|running) hook[^\n]{0,40}nvidia[\w-]*[^\n]{0,200}oci-nvidia-hook|error executing hook[^\n]{0,40}nvidia[\w-]*|(?:crun|runc|OCI runtime error)[^\n]{0,120}(?:/dev/nvidia\S*: (?:Permission denied|No such file)|error executing hook[^\n]{0,60}nvidia)`,
			Layer:    rule.ContainerRuntime,
			Meaning:  "Podman's runtime failed at the GPU's device nodes or at NVIDIA's hook.",
			Causes: causes(Cause{
				Title:    "Podman could not set the GPU up: a hook of NVIDIA or a device node failed",
				Text:     "The old OCI hook (oci-nvidia-hook.json) beside CDI, a rootless container whose toolkit wants to set cgroups, SELinux, or /dev/nvidia* that are missing on the host.",
				Remedies: []Remedy{fix("remove the hook and use CDI", "shell", "sudo rm -f /usr/share/containers/oci/hooks.d/oci-nvidia-hook.json; sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml; podman run --rm --security-opt=label=disable --device nvidia.com/gpu=all ubuntu nvidia-smi")},
			}),
			Samples: []string{"Error: error executing hook `/usr/bin/nvidia-container-runtime-hook` (exit code: 1): OCI runtime error", "Error: OCI runtime error: crun: error executing hook `/usr/bin/nvidia-container-toolkit` (exit code: 1)", "Error: OCI runtime error: crun: mount /dev/nvidia0: Permission denied"},
			Misses:  []string{"crun: started container"},
			Source:  "https://github.com/podman-container-tools/podman/issues/16094",
		},
		{
			ID: "container-exclusive-options", Product: "docker",
			Literals: []string{"cannot set both Count and DeviceIDs", "conflicting options: ", "--gpus requires", "for \"--gpus\" flag", "cannot set both device IDs"},
			Pattern:  `(?i)cannot set both Count and DeviceIDs|conflicting options: [^\n]{0,40}gpu|invalid argument "[^"]*" for "--gpus"`,
			Layer:    rule.ContainerRuntime,
			Meaning:  "The way in which the GPUs are asked for is not valid.",
			Causes: causes(Cause{
				Title:    "The GPUs are asked for in a form that is not valid: a count and a list of devices exclude each other, or the quotes are missing",
				Text:     "A list of devices needs quotes inside quotes: --gpus '\"device=0,1\"'.",
				Remedies: []Remedy{fix("name either a count or the devices", "docker", "docker run --rm --gpus '\"device=0,1\"' ubuntu nvidia-smi -L")},
			}),
			Samples: []string{"docker: Error response from daemon: cannot set both Count and DeviceIDs on device request.", `invalid argument "device=0,1" for "--gpus" flag: unexpected key '1' in '1'`},
			Misses:  []string{"conflicting options: --net and --ip"},
			Source:  "https://github.com/moby/moby/blob/master/daemon/devices_nvidia_linux.go",
		},
	}
}
