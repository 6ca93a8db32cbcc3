package container

import (
	"fmt"
	"strings"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var ctr012 = &rule.Rule{
	ID:       "CTR012",
	Slug:     "toolkit-known-bad",
	Layer:    rule.ContainerRuntime,
	Severity: rule.AtRisk,
	Title:    "This release of the NVIDIA container toolkit is known to fail here",
	Scope:    rule.PerMachine,
	Needs: []rule.Need{needHost, {Name: "the NVIDIA container toolkit", Seen: func(in *rule.Input) stack.Seen {
		return in.Stack.Container.Toolkit.Seen()
	}}},
	Since: "0.1",
	Cites: []rule.Cite{
		{Title: "NVIDIA Container Toolkit: release notes", URL: "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/release-notes.html", Date: "2026-11-30"},
		{Title: "nvidia-container-toolkit issue 1940: 1.19.1 with podman 4", URL: "https://github.com/NVIDIA/nvidia-container-toolkit/issues/1940", Date: "2026-11-30"},
		{Title: "PyTorch test-infra pull request 5852: 1.17.0 does not start containers", URL: "https://github.com/pytorch/test-infra/pull/5852", Date: "2026-11-30"},
	},
	Doc: `Some releases of the container toolkit do not start containers that the one before started: 1.17.0 ends in "unsupported
IMEX channel value", and 1.19.1 writes CDI specifications of version 0.7.0, which podman 4 cannot read: it says "unresolvable CDI
devices", although nvidia-ctk cdi list shows them.

Strata knows these releases with what else must be there, by the packages of the system. Programs on the host are not affected.
Install the release that mends it, or the newer engine.`,
	Check: func(in *rule.Input) rule.Verdict {
		t := in.Stack.Container.Toolkit
		if len(t.Value.Programs) == 0 {
			return rule.NA()
		}
		v, err := version.ParsePEP440(t.Value.Version)
		if err != nil || t.Value.Version == "" {
			return rule.Cannot("the version of the NVIDIA container toolkit", "run nvidia-ctk --version")
		}
		unsure := ""
		for _, m := range in.KB.AdvisoriesFor(string(kb.ContainerToolkit), v, kb.Circumstances{Packages: systemPackages(in)}) {
			switch {
			case m.Severity == kb.AdvisoryNote:
			case m.Applies == kb.MayApply:
				unsure = m.Title
			default:
				return rule.Found(knownBad(in, v, m.Advisory))
			}
		}
		if unsure != "" {
			return rule.Cannot("whether this holds here could not be decided: "+unsure, "")
		}
		return rule.Clean()
	},
}

func knownBad(in *rule.Input, v version.PEP440, a kb.Advisory) rule.Finding {
	t := in.Stack.Container.Toolkit
	f := rule.Finding{
		Confidence: rule.Likely, // that containers are started in the way that fails
		Summary:    fmt.Sprintf("%s (%s is installed)", a.Title, v),
		Cause:      a.Effect,
		Evidence:   append([]stack.Source{}, t.Sources...),
		Refs:       []kb.Ref{in.KB.Cite(a)},
	}
	if a.FixedIn.IsZero() {
		f.Remedies = []rule.Remedy{{Summary: strings.TrimSuffix(a.Fix, "."), Layer: rule.ContainerRuntime}}
		return f
	}
	f.Remedies = []rule.Remedy{{
		Summary:  fmt.Sprintf("install NVIDIA container toolkit %s or newer", a.FixedIn),
		Layer:    rule.ContainerRuntime,
		Changes:  []stack.Change{stack.SetContainerToolkit{Version: a.FixedIn.String()}},
		Commands: newerToolkit(in),
	}}
	return f
}

// newerToolkit installs the newest toolkit; its packages must be of one version.
func newerToolkit(in *rule.Input) []rule.Command {
	const packages = "nvidia-container-toolkit nvidia-container-toolkit-base libnvidia-container-tools libnvidia-container1"
	return remedy.ForDistribution(in, "sudo apt update && sudo apt install "+packages, "sudo dnf upgrade "+packages)
}

// systemPackages are the packages and engines of this host by name, nil where the packages are not known. Versions are those of
// the software, without epoch and revision.
func systemPackages(in *rule.Input) map[string]version.PEP440 {
	if !in.Stack.Packages.Known() {
		return nil
	}
	out := map[string]version.PEP440{}
	for _, e := range in.Stack.Container.Engines.Value {
		out[e.Name] = version.PEP440{} // there, even if no package brought it
	}
	for _, p := range in.Stack.Packages.Value {
		if v := upstream(p.Version); !v.IsZero() {
			out[p.Name] = v
		}
	}
	return out
}

// upstream reads the leading numbers of a distribution's version: 4.9.3 of 4.9.3+ds1-1ubuntu0.2 and of 2:4.9.3-1.el9.
func upstream(text string) version.PEP440 {
	if _, rest, ok := strings.Cut(text, ":"); ok {
		text = rest
	}
	text = text[:len(text)-len(strings.TrimLeft(text, "0123456789."))]
	v, err := version.ParsePEP440(strings.Trim(text, "."))
	if err != nil {
		return version.PEP440{}
	}
	return v
}
