package container

import (
	"fmt"

	"strata/internal/rule"
	"strata/internal/stack"
)

var ctr008 = &rule.Rule{
	ID:       "CTR008",
	Slug:     "daemon-reload-takes-gpu-away",
	Layer:    rule.ContainerRuntime,
	Severity: rule.AtRisk,
	Title:    "Running containers lose the GPU when systemd reloads",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedEngines, needHost, rule.NeedGPUs},
	After:    []string{"CTR002", "CTR003"},
	Since:    "0.1",
	Cites: []rule.Cite{
		docsTrouble,
		{Title: "nvidia-container-toolkit issue 48: Failed to initialize NVML: Unknown Error", URL: "https://github.com/NVIDIA/nvidia-container-toolkit/issues/48", Date: "2026-11-30"},
		{Title: "nvidia-docker issue 1730: containers lose access to the GPU", URL: "https://github.com/NVIDIA/nvidia-docker/issues/1730", Date: "2026-11-30"},
	},
	Doc: `Where systemd manages the control groups of containers, every "systemctl daemon-reload" (which package updates
run) writes their device rules anew. systemd knows a device only by its link in /dev/char; the NVIDIA driver's device files
are made without such links. The rules for the GPU are then lost, and a container that has run for days says "Failed to
initialize NVML: Unknown Error".

Create the links (and a udev rule, so that they come back at boot), or hand GPUs out by CDI, which is not affected. Containers
that have lost the GPU must be started again.`,
	Check: func(in *rule.Input) rule.Verdict {
		if len(in.GPUs) == 0 {
			return rule.NA()
		}
		var systemd stack.Engine
		for _, e := range in.Stack.Container.Engines.Value {
			if e.CgroupDriver == "systemd" && e.NVIDIA {
				systemd = e
			}
		}
		if systemd.Name == "" {
			return rule.NA()
		}
		t := in.Stack.Container.Toolkit.Value
		links := in.Stack.Devices.CharLinks
		switch {
		case t.Mode == "cdi":
			return rule.Clean()
		case !links.Known():
			why := "whether /dev/char has links for the NVIDIA devices"
			if links.Why != "" {
				why += ": " + links.Why
			}
			return rule.Cannot(why, links.Allow)
		case links.Value:
			return rule.Clean()
		}
		return rule.Found(rule.Finding{
			Confidence: rule.Likely,
			Summary:    fmt.Sprintf("a daemon-reload takes the GPU from running containers: %s leaves control groups to systemd, and /dev/char has no links for the NVIDIA devices", systemd.Name),
			Cause: `systemd writes the device rules of containers anew at every daemon-reload and can name a device by its link in /dev/char only. ` +
				`Containers then say "Failed to initialize NVML: Unknown Error".`,
			Evidence: append([]stack.Source{systemd.From}, links.Sources...),
			Remedies: []rule.Remedy{{
				Summary: "create the links, now and by a udev rule at every boot",
				Layer:   rule.ContainerRuntime,
				Changes: []stack.Change{stack.LinkNodes{}},
				Commands: []rule.Command{
					{For: "shell", Run: "sudo nvidia-ctk system create-dev-char-symlinks --create-all"},
					{For: "shell", Run: `echo 'ACTION=="add", DEVPATH=="/bus/pci/drivers/nvidia", RUN+="/usr/bin/nvidia-ctk system create-dev-char-symlinks --create-all"' | sudo tee /lib/udev/rules.d/71-nvidia-dev-char.rules`},
				},
			}},
		})
	},
}
