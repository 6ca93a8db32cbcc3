package conflict

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

// clash is a set of NVIDIA's wheels that claim the same libraries.
type clash struct {
	stem     string   // nvidia-nccl
	packages []string // nvidia-nccl-cu12, nvidia-nccl-cu13
	won      map[string][]string
	file     string // one of the files, for the sentence
	sources  []stack.Source
}

// clashes are the sets of an environment: what RECORD files show to overlap,
// and, where no RECORD could be compared, packages of one component for two
// CUDA majors, of which the knowledge base says that they share files.
func clashes(env *stack.Environment) []clash {
	var all []clash
	for _, o := range env.Overlaps.Value {
		if !isLibrary(o.Path) || len(o.Packages) < 2 {
			continue
		}
		stem, _ := cudaSuffix(o.Packages[0])
		if !strings.HasPrefix(stem, "nvidia-") && !strings.HasPrefix(stem, "tensorrt") {
			continue
		}
		i := slices.IndexFunc(all, func(c clash) bool { return c.stem == stem })
		if i < 0 {
			all = append(all, clash{stem: stem, won: map[string][]string{}, file: path.Base(o.Path)})
			i = len(all) - 1
		}
		c := &all[i]
		for _, p := range o.Packages {
			if !slices.Contains(c.packages, p) {
				c.packages = append(c.packages, p)
			}
		}
		if o.Winner != "" && len(c.won[o.Winner]) < maxNamed {
			c.won[o.Winner] = append(c.won[o.Winner], path.Base(o.Path))
		}
		if len(c.sources) < maxNamed {
			c.sources = append(c.sources, o.From)
		}
	}
	for i := range all {
		slices.Sort(all[i].packages)
	}
	return all
}

// judge makes the finding of one clash for one workload.
func judge(in *rule.Input, c clash) rule.Finding {
	env := in.Workload.Env
	want := in.BuildCUDA(in.Workload).Major()
	f := rule.Finding{
		Evidence: append(packageSources(env, c.packages), c.sources...),
		Remedies: []rule.Remedy{keep(in, c, want)},
	}
	who := "whose files are on disk is not known"
	names := sorted(c.won)
	switch len(names) {
	case 0:
		f.Confidence = rule.Likely
	case 1:
		who = fmt.Sprintf("%s on disk is that of %s", c.file, names[0])
		if _, major := cudaSuffix(names[0]); want > 0 && major == want {
			f.Severity = rule.AtRisk
		}
	default:
		who = "files of both are on disk"
	}
	f.Summary = fmt.Sprintf("%s are %s installed in %s; %s", strings.Join(withVersions(env, c.packages), " and "), allOf(c.packages), env.Prefix, who)
	f.Cause = fmt.Sprintf("They hold the same files, and the one installed last wins. %s %s is built for CUDA %d.", in.Framework().Package, in.Framework().Version, want)
	if f.Severity == rule.AtRisk {
		f.Cause += " It finds its own now; the next update of the other one replaces it, and uninstalling the other one removes it."
	}
	return f
}

// allOf is the word for so many.
func allOf(names []string) string {
	if len(names) == 2 {
		return "both"
	}
	return "all"
}

// keep takes out every package of a clash and installs the wanted one anew:
// uninstalling one removes files that the other needs.
func keep(in *rule.Input, c clash, major int) rule.Remedy {
	env := in.Workload.Env
	stay := c.packages[0]
	for _, p := range c.packages {
		if _, m := cudaSuffix(p); m == major {
			stay = p
		}
	}
	p, _ := env.Find(stay)
	ver := p.Version
	if pin := pinned(in.Workload.Env, in.Framework().Package, stay); pin != "" {
		ver = pin
	}
	r := rule.Remedy{
		Summary:  fmt.Sprintf("uninstall %s, then install %s %s in %s", strings.Join(c.packages, " and "), stay, ver, env.Prefix),
		Layer:    rule.PackageConflict,
		Commands: remedy.Then(remedy.Pip(env, "uninstall -y "+strings.Join(c.packages, " ")), remedy.Pip(env, "install --no-deps "+stay+"=="+ver)),
	}
	for _, n := range c.packages {
		r.Changes = append(r.Changes, stack.Uninstall{Prefix: env.Prefix, Package: n})
	}
	r.Changes = append(r.Changes, stack.Install{Prefix: env.Prefix, Package: stay, Version: ver})
	return r
}

// pinned is the exact version of a library that a framework requires; empty
// where it does not.
func pinned(env *stack.Environment, framework, library string) string {
	p, _ := env.Find(framework)
	for _, r := range p.Requires {
		name, spec := derive.Requirement(r)
		if exact, ok := strings.CutPrefix(spec, "=="); ok && name == library && !strings.ContainsAny(exact, ",*") {
			return exact
		}
	}
	return ""
}

// rivals are packages of one component for several CUDA majors, by component.
func rivals(env *stack.Environment, wanted func(stem string) bool) []string {
	byStem := map[string][]string{}
	for _, p := range env.Packages.Value {
		stem, major := cudaSuffix(p.Name)
		if major > 0 && wanted(stem) && !slices.Contains(byStem[stem], p.Name) {
			byStem[stem] = append(byStem[stem], p.Name)
		}
	}
	var all []string
	for _, names := range byStem {
		if len(names) > 1 {
			all = append(all, names...)
		}
	}
	slices.Sort(all)
	return all
}

// unread is the answer where rivals are installed and what they claim could
// not be compared.
func unread(env *stack.Environment, names []string) (rule.Verdict, bool) {
	seen := env.Overlaps.Seen()
	if len(names) == 0 || seen.State == stack.Known && seen.Why == "" || seen.State == stack.Absent {
		return rule.Verdict{}, false
	}
	return rule.Cannot(fmt.Sprintf("which files of %s are on disk could not be told: %s", strings.Join(names, " and "), seen.Why), seen.Allow), true
}

// needEnvironment is the packages beside a framework that stands alone and uses
// CUDA; what extends it shares them.
var needEnvironment = rule.Need{Name: "the environment's packages", Seen: func(in *rule.Input) stack.Seen {
	w := in.Workload
	if w.Env == nil || w.On != nil || w.Framework.Variant.Or("cuda") != "cuda" {
		return stack.Seen{State: stack.Absent}
	}
	return w.Env.Packages.Seen()
}}
