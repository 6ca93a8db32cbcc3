package signatures

import (
	"strata/internal/rule"
	. "strata/internal/signature"
)

// laptop is about two GPUs in one machine, and which of them is used or switched off.
func laptop() []*Signature {
	return []*Signature{
		{
			ID: "prime-select-off", Product: "nvidia-prime",
			Literals: []string{"prime-select", "envycontrol", "supergfxctl", "optimus-manager", "system76-power graphics"},
			Pattern:  `(?i)prime-select(?: query)?:? *(?:is |says |shows |set to |=)? *['"]?(?P<mode>intel|on-demand|nvidia)\b|(?P<tool>envycontrol|supergfxctl|optimus-manager|system76-power)\b[^\n]{0,60}?\b(?P<mode>integrated|intel|hybrid|vfio|compute)\b`,
			Layer:    rule.KernelModule, Role: Context, Strength: Strong,
			Meaning: "The profile of a laptop with two GPUs is named.",
			Causes: causes(Cause{
				When:     on(Is("mode", "(?i)^(?:intel|integrated|vfio)$"), Says("couldn't communicate", "No devices", "not found", "not detect", "no nvidia", "not load", "not work", "no GPU", "not available", "NVML")),
				Title:    "The NVIDIA GPU is switched off by the graphics profile {mode}: the nvidia module is kept from loading (prime-select, envycontrol and the like)",
				Text:     "In that profile a blacklist and udev rules take the card away to save power. Driver and CUDA are not at fault, and installing them again does not help.",
				Remedies: []Remedy{fix("choose a profile with the NVIDIA GPU, and restart", "ubuntu", "sudo prime-select on-demand", "envycontrol", "sudo envycontrol -s hybrid", "asus", "supergfxctl -m Hybrid", "pop", "sudo system76-power graphics hybrid")},
			}),
			Samples: []string{"prime-select query: intel", "envycontrol -s integrated"},
			Misses:  []string{"prime-select is installed"},
			Source:  "https://github.com/canonical/nvidia-prime",
		},
		{
			ID: "bbswitch-off", Product: "bumblebee",
			Literals: []string{"bbswitch", "bumblebeed", "optirun", "Cannot access secondary GPU"},
			Pattern:  `(?i)\bbbswitch\b|bumblebeed?\b|\boptirun\b|Cannot access secondary GPU`,
			Layer:    rule.KernelModule, Role: Context, Strength: Strong,
			Meaning: "Bumblebee switches the NVIDIA GPU of a laptop on and off.",
			Causes: causes(Cause{
				When:     on(Says("disabling discrete", "No devices were found", "couldn't communicate", "OFF", "secondary GPU", "not found", "not detect", "could not", "refuses", "cannot switch", "can't switch", "unable to"), Not(Says("fallen off"))),
				Title:    "Bumblebee (bbswitch) has switched the NVIDIA GPU off, or cannot start it: the driver finds no GPU until it is on",
				Text:     "bumblebeed and bbswitch are of a time before PRIME offload and keep the card off outside of optirun. CUDA programs then find nothing.",
				Remedies: []Remedy{fix("switch it on for now", "shell", "echo ON | sudo tee /proc/acpi/bbswitch; sudo modprobe nvidia; nvidia-smi"), fix("remove bumblebee and bbswitch and use PRIME render offload", "shell", "sudo apt-get purge bumblebee bbswitch-dkms && sudo prime-select on-demand")},
			}),
			Samples: []string{"bbswitch: disabling discrete graphics", "optirun: Cannot access secondary GPU"},
			Misses:  []string{"a switch board"},
			Source:  "https://github.com/Bumblebee-Project/Bumblebee",
		},
		{
			ID: "told-prime-offload", Product: "PRIME",
			Literals: []string{"optimus", "prime-run", "PRIME_RENDER_OFFLOAD", "prime offload", "hybrid graphics", "dual gpu", "dual-gpu", "integrated gpu", "integrated graphics", "glxinfo", "discrete gpu", "dedicated gpu", "prime-select on-demand"},
			Pattern:  `(?i)\boptimus\b|prime-run|PRIME_RENDER_OFFLOAD|prime offload|hybrid graphics|dual[- ]gpu|integrated (?:gpu|graphics)|\bglxinfo\b|d(?:iscrete|edicated) gpu|\bdgpu\b|prime-select on-demand`,
			Layer:    rule.Driver, Role: Told, Strength: Strong,
			Where:   on(Says("nvidia"), Says("glxinfo", "opengl", "game", "steam", "vulkan", "renderer", "mesa", "desktop", "external monitor", "hdmi", "blender", "prime", "optimus"), Not(Says("torch", "tensorflow", "onnx", "ollama", "docker", "CUDA error"))),
			Meaning: "A laptop with two GPUs renders on the integrated one.",
			Causes: causes(Cause{
				When:     on(Says("intel", "amd", "mesa", "llvmpipe", "radeon", "integrated", "igpu"), Says("not used", "not use", "instead of", "shows intel", "uses intel", "uses the", "shows mesa", "how do i", "run on", "slow", "only the", "not detected", "not recognized", "always", "vendor")),
				Title:    "Programs render on the integrated GPU: with PRIME a program uses the NVIDIA GPU where __NV_PRIME_RENDER_OFFLOAD=1 and __GLX_VENDOR_LIBRARY_NAME=nvidia are set (prime-run)",
				Text:     "In on-demand mode that is how it is meant to be; the driver is well where nvidia-smi works. CUDA programs need no variable.",
				Remedies: []Remedy{fix("start the program with the variables, or make the NVIDIA GPU the first one", "shell", "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia __VK_LAYER_NV_optimus=NVIDIA_only glxinfo -B", "ubuntu", "sudo prime-select nvidia", "nixos", "hardware.nvidia.prime.offload.enable = true;")},
			}),
			Samples: []string{"Optimus laptop, games run on Intel", "glxinfo shows Mesa"},
			Misses:  []string{"an optimal solution"},
			Source:  "https://github.com/canonical/nvidia-prime/issues/20",
		},
	}
}
