package container

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var ctr004 = &rule.Rule{
	ID:       "CTR004",
	Slug:     "cdi-specification-stale",
	Layer:    rule.ContainerRuntime,
	Severity: rule.AtRisk,
	Title:    "A CDI specification describes another driver or files that are gone",
	Scope:    rule.PerMachine,
	Needs:    []rule.Need{rule.NeedCDI, needHost},
	After:    []string{"KRN004"},
	Since:    "0.1",
	Cites: []rule.Cite{
		docsCDI,
		{Title: "nvidia-container-toolkit issue 450: stale CDI specification", URL: "https://github.com/NVIDIA/nvidia-container-toolkit/issues/450", Date: "2026-11-30"},
	},
	Doc: `A CDI specification is a list of files: device nodes and the driver's libraries, with the driver's version in
their names. It is written once, by nvidia-ctk cdi generate, and goes stale when the driver is upgraded or MIG is set up anew.
Containers then fail to start because a file does not exist, or get libraries of the old driver and end in a version
mismatch.

Generate it again. Since toolkit 1.18 the service nvidia-cdi-refresh does that by itself, into /var/run/cdi; a file left in
/etc/cdi from before has the same device names and gets in the way.`,
	Check: func(in *rule.Input) rule.Verdict {
		module := in.Stack.Kernel.Version
		asked := false
		var unread string
		for _, s := range in.Stack.Container.CDI.Value {
			if s.Fault != "" {
				unread = fmt.Sprintf("%s could not be read: %s", s.Path, s.Fault)
				continue
			}
			if !strings.HasPrefix(s.Kind, "nvidia.com/") {
				continue
			}
			asked = true
			if len(s.Missing) > 0 {
				return rule.Found(stale(in, s, fmt.Sprintf("names files that do not exist, such as %s", s.Missing[0]), len(s.Missing)))
			}
			if len(s.Drivers) == 0 {
				continue
			}
			if !module.Known() {
				unread = "whether " + s.Path + " is of the driver that is loaded: its version is not known"
				continue
			}
			if !has(s.Drivers, module.Value) {
				return rule.Found(stale(in, s, fmt.Sprintf("mounts driver %s, and %s is loaded", s.Drivers[len(s.Drivers)-1], module.Value), 0))
			}
		}
		switch {
		case unread != "":
			return rule.Cannot(unread, "")
		case !asked:
			return rule.NA()
		}
		return rule.Clean()
	},
}

func has(list []version.Driver, v version.Driver) bool {
	for _, d := range list {
		if d.Compare(v) == 0 {
			return true
		}
	}
	return false
}

func stale(in *rule.Input, s stack.CDISpec, what string, missing int) rule.Finding {
	summary := s.Path + " " + what
	if missing > 1 {
		summary += fmt.Sprintf(" (%d are gone)", missing)
	}
	return rule.Finding{
		Summary:  summary,
		Cause:    "Containers that ask for a device of this specification fail to start, or get libraries that do not fit the loaded module. Programs on the host are not affected.",
		Evidence: append([]stack.Source{s.From}, in.Stack.Kernel.Version.Sources...),
		Remedies: []rule.Remedy{{
			Summary:  "generate " + s.Path + " again",
			Layer:    rule.ContainerRuntime,
			Changes:  []stack.Change{stack.RenewCDI{}},
			Commands: []rule.Command{{For: "shell", Run: "sudo nvidia-ctk cdi generate --output=" + remedy.Quote(s.Path)}},
		}},
	}
}
