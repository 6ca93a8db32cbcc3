package container

import (
	"fmt"

	"strata/internal/kb"
	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

var ctr011 = &rule.Rule{
	ID:       "CTR011",
	Slug:     "toolkit-security-bulletins",
	Layer:    rule.ContainerRuntime,
	Severity: rule.Note,
	Title:    "The NVIDIA container toolkit lacks the fixes of security bulletins",
	Scope:    rule.PerMachine,
	Needs: []rule.Need{needHost, {Name: "the NVIDIA container toolkit", Seen: func(in *rule.Input) stack.Seen {
		return in.Stack.Container.Toolkit.Seen()
	}}},
	Since: "0.1",
	Cites: []rule.Cite{
		{Title: "Security bulletin 5659: NVIDIA Container Toolkit, July 2025", URL: "https://github.com/NVIDIA/product-security/blob/main/2025/5659/5659.md", Date: "2026-11-30"},
		{Title: "Security bulletin 5582: NVIDIA Container Toolkit, September 2024", URL: "https://github.com/NVIDIA/product-security/blob/main/2024/5582/5582.md", Date: "2026-11-30"},
		{Title: "NVIDIA GPU Operator: security considerations", URL: "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/security.html", Date: "2026-11-30"},
	},
	Doc: `The container toolkit runs as root while a container starts, and reads what lies in the image. In several of its releases
a crafted image could use that to leave the container: CVE-2024-0132 (before 1.16.2), CVE-2025-23359 (before 1.17.4), CVE-2025-23266
(before 1.17.8), CVE-2026-24260 (before 1.19.1). For some a working image has been published.

It is a risk where images of strangers run, which is what a node of a cluster is for: there Strata rates releases with a score of 9.0
or more as at-risk. Beside Docker or Podman it is a note: who may start containers there is root already, or starts them without. GPUs work
either way. Some bulletins hold outside CDI mode only, and are left out where the toolkit is set to cdi.

Install the newest toolkit. In a cluster with the GPU operator, the operator brings it: upgrade the operator.`,
	Check: func(in *rule.Input) rule.Verdict {
		t := in.Stack.Container.Toolkit
		if len(t.Value.Programs) == 0 {
			return rule.NA()
		}
		v, err := version.ParseLib(t.Value.Version)
		switch {
		case t.Value.Version == "":
			return rule.Cannot("the version of the NVIDIA container toolkit", "run nvidia-ctk --version")
		case err != nil:
			return rule.Cannot(fmt.Sprintf("the version of the NVIDIA container toolkit: %v", err), "")
		case t.Value.Fault != "":
			return rule.Cannot("the mode of the NVIDIA container toolkit: "+t.Value.Fault, "run as root")
		}
		mode := kb.ModeNotCDI
		if t.Value.Mode == "cdi" {
			mode = kb.ModeCDI
		}
		a := in.KB.ToolkitSecurity(kb.ContainerToolkit, v, mode)
		switch {
		case !a.Known:
			return rule.FromAnswer(a)
		case len(a.Value.Lacks) == 0:
			return rule.Clean()
		}
		worst := a.Value.Lacks[0]
		f := rule.Finding{Evidence: t.Sources, Severity: rule.Note}
		for _, b := range a.Value.Lacks {
			f.Refs = append(f.Refs, in.KB.CiteBulletin(b))
			if b.CVSS > worst.CVSS {
				worst = b
			}
		}
		f.Summary = fmt.Sprintf("NVIDIA container toolkit %s lacks a security update; %s has it", v, a.Value.Fixed)
		if n := len(a.Value.Lacks); n > 1 {
			f.Summary = fmt.Sprintf("NVIDIA container toolkit %s lacks %d security updates; %s has them", v, n, a.Value.Fixed)
		}
		f.Cause = fmt.Sprintf("The gravest is bulletin %s of %s (%s, score %s of 10, %s): a crafted image can act on the host while its container starts. Programs in containers are not affected.",
			worst.ID, worst.Date, worst.CVEs[0], worst.CVSS, worst.CVSS.Severity())
		if runsImagesOfOthers(in) && worst.CVSS.Severity() == "critical" {
			f.Severity = rule.AtRisk
		}
		f.Remedies = []rule.Remedy{{
			Summary:  fmt.Sprintf("install NVIDIA container toolkit %s or newer", a.Value.Fixed),
			Layer:    rule.ContainerRuntime,
			Changes:  []stack.Change{stack.SetContainerToolkit{Version: a.Value.Fixed.String()}},
			Commands: newerToolkit(in),
		}}
		return rule.Found(f)
	},
}

// runsImagesOfOthers tells whether this host is a node of a cluster: what starts there was not chosen by the one who runs it.
// containerd beside Docker is Docker's own.
func runsImagesOfOthers(in *rule.Input) bool {
	if in.Stack.Container.Kubernetes.Or(false) {
		return true
	}
	node := false
	for _, e := range in.Stack.Container.Engines.Value {
		switch e.Name {
		case "docker", "podman":
			return false
		case "containerd", "cri-o":
			node = true
		}
	}
	return node
}
