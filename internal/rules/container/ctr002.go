package container

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var ctr002 = &rule.Rule{
	ID:       "CTR002",
	Slug:     "no-container-toolkit",
	Layer:    rule.ContainerRuntime,
	Severity: rule.AtRisk,
	Title:    "There are a container engine and a GPU, but no NVIDIA container toolkit",
	Scope:    rule.PerMachine,
	Needs: []rule.Need{rule.NeedEngines, needHost, rule.NeedGPUs, {Name: "the NVIDIA container toolkit", AbsentIsFine: true, Seen: func(in *rule.Input) stack.Seen {
		return in.Stack.Container.Toolkit.Seen()
	}}},
	Since: "0.1",
	Cites: []rule.Cite{
		docsInstall,
		{Title: "nvidia-docker issue 1034: could not select device driver", URL: "https://github.com/NVIDIA/nvidia-docker/issues/1034", Date: "2026-11-30"},
	},
	Doc: `Container engines know nothing of GPUs. The NVIDIA container toolkit adds the device files and the host's driver
libraries when a container starts. Without it "docker run --gpus all" ends in 'could not select device driver "" with
capabilities: [[gpu]]', and Kubernetes' device plugin finds no NVML. Programs on the host are not affected.

On a Kubernetes node this is a risk, on a workstation with Docker a note: not every container is meant for the GPU.

Install the toolkit, register it with the engine (nvidia-ctk runtime configure) and restart the engine.`,
	Check: func(in *rule.Input) rule.Verdict {
		if len(in.GPUs) == 0 {
			return rule.NA()
		}
		t := in.Stack.Container.Toolkit
		if t.Known() && len(t.Value.Programs) > 0 {
			return rule.Clean()
		}
		if t.Known() && t.Value.Fault != "" {
			return rule.Cannot("whether the NVIDIA container toolkit is installed: "+t.Value.Fault, "run as root")
		}
		names, e := engines(in)
		severity := rule.AtRisk
		if e.Name == "docker" || e.Name == "podman" {
			severity = rule.Note // on a workstation they often have nothing to do with the GPU
		}
		return rule.Found(rule.Finding{
			Severity: severity,
			Summary:  fmt.Sprintf("%s and a GPU (%s) are here, but no NVIDIA container toolkit: containers get no GPU", names, in.GPUs[0].Name),
			Cause:    `A container that asks for a GPU does not start: 'could not select device driver "" with capabilities: [[gpu]]'. Programs on the host are not affected.`,
			Evidence: append([]stack.Source{e.From, in.GPUs[0].From}, t.Sources...),
			Remedies: []rule.Remedy{configure(in, e, true)},
		})
	},
}

// engines names what is installed, and returns the first.
func engines(in *rule.Input) (string, stack.Engine) {
	var names []string
	for _, e := range in.Stack.Container.Engines.Value {
		names = append(names, e.Name)
	}
	return strings.Join(names, ", "), in.Stack.Container.Engines.Value[0]
}

// configure registers the toolkit with an engine.
func configure(in *rule.Input, e stack.Engine, installToo bool) rule.Remedy {
	r := rule.Remedy{
		Summary: "register the NVIDIA container toolkit with " + e.Name,
		Layer:   rule.ContainerRuntime,
		Changes: []stack.Change{stack.Configure{Engine: e.Name}},
	}
	run := fmt.Sprintf("sudo nvidia-ctk runtime configure --runtime=%s && sudo systemctl restart %s", engineArgument(e.Name), e.Name)
	if e.Name == "podman" {
		run = "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml"
	}
	if e.Rootless && e.Name == "docker" {
		run = "nvidia-ctk runtime configure --runtime=docker --config=$HOME/.config/docker/daemon.json && systemctl --user restart docker"
	}
	if installToo {
		r.Summary = "install the NVIDIA container toolkit and register it with " + e.Name
		r.Commands = remedy.ForDistribution(in, "sudo apt install nvidia-container-toolkit", "sudo dnf install nvidia-container-toolkit")
	}
	r.Commands = append(r.Commands, rule.Command{For: "shell", Run: run})
	return r
}

func engineArgument(name string) string {
	if name == "cri-o" {
		return "crio"
	}
	return name
}
