package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// schedulers is about other schedulers than Kubernetes and Slurm, and the order in which services start.
func schedulers() []*Signature {
	return []*Signature{
		{
			ID: "told-nomad-plugin", Product: "nomad",
			Literals: []string{"nomad node status", "nomad-device-nvidia", "nomad client", "nomad node", "nomad job", "plugin_dir"},
			Pattern:  `(?i)\bnomad (?:node|client|job)\b|nomad-device-nvidia|plugin_dir`,
			Layer:    rule.ContainerRuntime, Role: Told, Strength: Strong,
			Where:   on(Says("nomad"), Says("gpu", "nvidia")),
			Meaning: "Nomad offers no GPU.",
			Causes: causes(Cause{
				When:     on(Says("no GPU", "not getting discovered", "not fingerprint", "not detect", "has no", "not set", "not working", "does not", "doesn't", "not see", "fails", "not show")),
				Title:    "Nomad fingerprints no GPU: the device plugin nomad-device-nvidia is not in plugin_dir, not switched on in the client's configuration, or cannot load libnvidia-ml.so.1",
				Text:     "The plugin is a download of its own since Nomad 1.2. Where it runs and its log says that it failed to fingerprint, it is older than the driver's NVML.",
				Remedies: []Remedy{fix("put the plugin into plugin_dir, add plugin \"nomad-device-nvidia\" with enabled = true, and restart the client", "client", "nomad node status -verbose -self | grep -i -A3 nvidia; journalctl -u nomad | grep -i nvidia"), fix("update the plugin to its newest release")},
			}),
			Samples: []string{"nomad node status shows no GPU"},
			Misses:  []string{"a nomad tribe"},
			Source:  "https://developer.hashicorp.com/nomad/plugins/devices/nvidia",
		},
		{
			ID: "told-service-too-early", Product: "systemd",
			Literals: []string{"starts before", "started before", "start before", "starts too early", "started too early", "starting before", "before the GPU", "before the driver", "before nvidia"},
			Pattern:  `(?i)(?:start(?:s|ed|ing)?|comes up|runs) (?:too early|before)[^\n.]{0,60}|before (?:the )?(?:gpu|nvidia)[^\n.]{0,30}(?:ready|initiali[sz]ed|loaded|there|up)`,
			Layer:    rule.DeviceExposure, Role: Context, Strength: Strong,
			Where:   on(Says("nvidia", "gpu"), Says("service", "systemd", "boot", "restart", "reboot")),
			Meaning: "A service starts before the GPU is ready.",
			Causes: causes(Cause{
				When: on(InKubernetes, Says("toolkit", "device plugin", "device-plugin", "runtime")), Layer: rule.ContainerRuntime,
				Title:    "Pods that start before the operator's toolkit (nvidia-container-toolkit) has configured the node's runtime have no GPU: they run without the NVIDIA runtime until they are created anew",
				Text:     "After a restart of the node nothing orders the pods. With the runtime class nvidia a pod waits, since its handler is not there yet; a default runtime lets it start without the GPU.",
				Remedies: []Remedy{fix("set runtimeClassName: nvidia in the pods, or taint the node at its start until the operator's validator is done; install toolkit and driver on the node (toolkit.enabled=false) where the order matters"), fix("delete the pods that came too early", "kubectl", "kubectl delete pod POD; kubectl -n gpu-operator get pods -o wide")},
			}, Cause{
				When:     on(Says("cpu", "no gpu", "not used", "not found", "fails", "failed", "not detect", "after a minute", "restart")),
				Title:    "The service starts before the driver and its device nodes are ready at boot, and keeps to the CPU: let it start after nvidia-persistenced (After=, Wants=) and load nvidia_uvm early",
				Text:     "The GPU's nodes are made when the first program of root uses them. A restart of the service later finds them. Nothing of the driver is broken.",
				Remedies: []Remedy{fix("give the unit a drop-in, with the modules loaded at boot", "shell", "printf '[Unit]\\nAfter=nvidia-persistenced.service\\nWants=nvidia-persistenced.service\\n[Service]\\nExecStartPre=+/usr/bin/nvidia-modprobe -c0 -u\\n' | sudo systemctl edit --stdin ollama; echo nvidia_uvm | sudo tee /etc/modules-load.d/nvidia-uvm.conf")},
			}),
			Samples: []string{"the service starts before the GPU is initialized"},
			Misses:  []string{"before breakfast"},
			Source:  "https://github.com/ollama/ollama/issues/7669",
		},
	}
}
