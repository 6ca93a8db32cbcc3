package pythonenv

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var pye006 = &rule.Rule{
	ID:       "PYE006",
	Slug:     "wheel-for-another-machine",
	Layer:    rule.PythonEnv,
	Severity: rule.Broken,
	Title:    "The framework is built for another machine architecture",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needArch, rule.NeedPackages},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PyPA: platform compatibility tags", URL: "https://packaging.python.org/en/latest/specifications/platform-compatibility-tags/", Date: "2026-11-30"},
	},
	Doc: `Libraries for x86_64 do not load on aarch64 (Grace, Jetson, Graviton), and the other way round. pip installs
only what fits, so this comes from copying an environment from another machine, from an image layer of another
platform, or from pip --platform. The dynamic linker passes over such files as if they were not there: "cannot open
shared object file", or says "wrong ELF class".

Install the framework on the machine, or for the platform of the image, that will run it.`,
	Check: func(in *rule.Input) rule.Verdict {
		arch := in.Stack.OS.Arch
		p, ok := distribution(in)
		found := rule.Finding{Evidence: arch.Sources}
		checked := false
		for _, l := range in.Framework().Libraries {
			if l.Machine == "" {
				continue
			}
			checked = true
			if l.Machine != arch.Value {
				found.Evidence = append([]stack.Source{l.From}, found.Evidence...)
				return rule.Found(wrongMachine(in, found, l.Machine))
			}
		}
		if list := tags(p); ok && len(list) > 0 {
			fits, other := false, ""
			for _, t := range list {
				if m := t.machine(); m == "" || m == arch.Value {
					fits = true
				} else {
					other = m
				}
			}
			checked = true
			if !fits {
				found.Evidence = append([]stack.Source{stack.From("file", strings.TrimSuffix(p.From.Locator, "METADATA")+"WHEEL", 0, "Tag: "+p.Tags[0])}, found.Evidence...)
				return rule.Found(wrongMachine(in, found, other))
			}
		}
		if !checked {
			return rule.NA()
		}
		return rule.Clean()
	},
}

func wrongMachine(in *rule.Input, f rule.Finding, other string) rule.Finding {
	fw := in.Framework()
	f.Summary = fmt.Sprintf("%s %s is built for %s, and this system is %s", fw.Package, fw.Version, other, in.Stack.OS.Arch.Value)
	f.Cause = "None of its libraries can be loaded here: \"cannot open shared object file\", or \"invalid ELF header\"."
	if in.Workload.Env != nil {
		f.Remedies = []rule.Remedy{remedy.ReinstallFramework(in, rule.PythonEnv, ", on a machine of this architecture")}
	}
	return f
}

var needArch = rule.Need{Name: "the machine's architecture", Seen: func(in *rule.Input) stack.Seen {
	seen := in.Stack.OS.Arch.Seen()
	if seen.State == stack.Absent {
		seen.State, seen.Why = stack.NotCollected, "none of the system's programs could be looked at"
	}
	return seen
}}
