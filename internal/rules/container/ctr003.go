package container

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

var ctr003 = &rule.Rule{
	ID:       "CTR003",
	Slug:     "engine-not-configured",
	Layer:    rule.ContainerRuntime,
	Severity: rule.AtRisk,
	Title:    "The NVIDIA container toolkit is installed, but no container engine uses it",
	Scope:    rule.PerMachine,
	Needs: []rule.Need{rule.NeedEngines, needHost, rule.NeedGPUs, {Name: "the NVIDIA container toolkit", Seen: func(in *rule.Input) stack.Seen {
		return in.Stack.Container.Toolkit.Seen()
	}}},
	Since: "0.1",
	Cites: []rule.Cite{
		docsInstall,
		{Title: "k8s-device-plugin issue 1220: incompatible strategy detected auto", URL: "https://github.com/NVIDIA/k8s-device-plugin/issues/1220", Date: "2026-11-30"},
	},
	Doc: `Installing the toolkit changes nothing yet. containerd and CRI-O have to be told of the nvidia runtime, Docker
either of that or of the toolkit's hook, Podman of a CDI specification; and the engine has to be restarted. Until then
containers start without a GPU or not at all, and Kubernetes' device plugin says "Incompatible strategy detected auto".

Run nvidia-ctk runtime configure for the engine. In Kubernetes the runtime must also be the default, or the pod must name a
RuntimeClass.`,
	Check: func(in *rule.Input) rule.Verdict {
		if len(in.GPUs) == 0 || len(in.Stack.Container.Toolkit.Value.Programs) == 0 {
			return rule.NA()
		}
		for _, e := range in.Stack.Container.Engines.Value {
			if ready(in, e) {
				return rule.Clean()
			}
		}
		for _, e := range in.Stack.Container.Engines.Value {
			if cdi := in.KB.CDIEngine(e.Name); e.Name == "docker" && cdi.Known && hasSpec(in) && dockerVersion(in).IsZero() {
				return rule.Cannot(fmt.Sprintf("not known: Docker's version, and from %s on it reads CDI specifications without being told", cdi.Value.ByDefault), "run docker info and look for CDI")
			}
			if e.Fault != "" {
				return rule.Cannot(fmt.Sprintf("the configuration of %s in %s could not be read: %s", e.Name, e.Config, e.Fault), "run as a user who may read "+e.Config)
			}
		}
		names, e := engines(in)
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("%s does not use the NVIDIA container toolkit that is installed: containers get no GPU", names),
			Cause:    fmt.Sprintf("No nvidia runtime is registered with %s, and no CDI specification is there that it would read.", names),
			Evidence: []stack.Source{e.From, in.Stack.Container.Toolkit.Value.From},
			Remedies: []rule.Remedy{configure(in, e, false)},
		})
	},
}

// ready tells whether an engine can give a GPU to a container.
func ready(in *rule.Input, e stack.Engine) bool {
	if e.NVIDIA {
		return true
	}
	if (e.CDI || e.Name == "docker" && readsCDI(in)) && hasSpec(in) {
		return true
	}
	// Docker's --gpus needs the hook program alone, found on its PATH.
	if e.Name == "docker" && !e.Snap {
		for _, p := range in.Stack.Container.Toolkit.Value.Programs {
			if name := path.Base(p); name == "nvidia-container-runtime-hook" || name == "nvidia-container-toolkit" {
				return true
			}
		}
	}
	return false
}

// hasSpec tells whether there is a CDI specification for NVIDIA's devices.
func hasSpec(in *rule.Input) bool {
	return slices.ContainsFunc(in.Stack.Container.CDI.Value, func(s stack.CDISpec) bool { return strings.HasPrefix(s.Kind, "nvidia.com/") })
}

// readsCDI tells whether this Docker reads CDI specifications without the
// features.cdi switch.
func readsCDI(in *rule.Input) bool {
	cdi := in.KB.CDIEngine("docker")
	return cdi.Known && !dockerVersion(in).Less(cdi.Value.ByDefault)
}

// dockerVersion is that of the installed package, zero where none tells.
func dockerVersion(in *rule.Input) version.Lib {
	for _, p := range in.Stack.Packages.Value {
		switch p.Name {
		case "docker-ce", "docker.io", "moby-engine", "docker":
			// 5:28.3.2-1~ubuntu.22.04~jammy, 28.5.1-1.el9: epoch and revision aside.
			text := p.Version
			if _, rest, ok := strings.Cut(text, ":"); ok {
				text = rest
			}
			text = text[:len(text)-len(strings.TrimLeft(text, "0123456789."))]
			if v, err := version.ParseLib(strings.Trim(text, ".")); err == nil {
				return v
			}
		}
	}
	return version.Lib{}
}
