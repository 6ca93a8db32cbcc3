package cudalib

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

var cul005 = &rule.Rule{
	ID:       "CUL005",
	Slug:     "cuda-library-damaged",
	Layer:    rule.CUDALibraries,
	Severity: rule.Broken,
	Title:    "A CUDA library that would be loaded is empty or no library",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	Since:    "0.1",
	Cites:    []rule.Cite{linker},
	Doc: `A download or a disk that was full, an image layer that was cut off, or a text file where Git LFS or a package
should have put a library: the name is there, the content is not. The dynamic linker takes the first file of the right
name and stops with "file too short" or "invalid ELF header"; it does not look for a good copy further on.

Install the package that owns the file again. A file that nobody owns can be removed, so that the next directory on the
search path is used.`,
	Check: func(in *rule.Input) rule.Verdict {
		wants, _ := in.Wants(in.Workload)
		found := false
		var bad []derive.Want
		for _, w := range wants {
			if w.Winner == nil || derive.Optional(in.Workload, w) {
				continue
			}
			found = true
			switch fault := w.Winner.Fault; {
			case fault == "":
			case fault == "permission denied":
				return rule.Cannot("permission denied reading "+w.Winner.Path, "run as a user who may read it")
			default:
				bad = append(bad, w)
			}
		}
		switch {
		case !found:
			return rule.NA()
		case len(bad) == 0:
			return rule.Clean()
		}
		return rule.Found(damaged(in, bad))
	},
}

// damaged is about all damaged libraries at once: mending one of them mends nothing.
func damaged(in *rule.Input, bad []derive.Want) rule.Finding {
	f := in.Framework()
	var texts, owners []string
	finding := rule.Finding{}
	for _, w := range bad {
		lib := w.Winner
		texts = append(texts, fmt.Sprintf("%s: %s (%s)", path.Base(lib.Path), lib.Fault, lib.Path))
		finding.Evidence = append(finding.Evidence, stack.From("file", lib.Real, 0, lib.Fault))
		if !slices.Contains(owners, lib.Owner) {
			owners = append(owners, lib.Owner)
		}
	}
	w := bad[0]
	finding.Summary = fmt.Sprintf("%s %s would load a damaged %s", f.Package, f.Version, strings.Join(texts, ", and "))
	finding.Cause = fmt.Sprintf("The dynamic linker finds it first (%s) and stops with %q; it does not look for another copy.", w.Why, path.Base(w.Winner.Path)+": "+linkerSays(w.Winner.Fault))
	env := in.Workload.Env
	inEnv := env != nil && !slices.ContainsFunc(owners, func(o string) bool { name, _, _ := strings.Cut(o, " "); return !has(env, name) })
	if owner, _, _ := strings.Cut(w.Winner.Owner, " "); inEnv {
		finding.Remedies = append(finding.Remedies, remedy.Reinstall(env, rule.CUDALibraries, owners...))
	} else if owner != "" {
		finding.Remedies = append(finding.Remedies, rule.Remedy{
			Summary:  "install " + owner + " again",
			Layer:    rule.CUDALibraries,
			Commands: remedy.ForDistribution(in, "sudo apt install --reinstall "+owner, "sudo dnf reinstall "+owner),
		})
	}
	if others := good(in, w); others != "" && len(bad) == 1 {
		finding.Remedies = append(finding.Remedies, rule.Remedy{
			Summary:  fmt.Sprintf("remove the damaged file, so that %s is used", others),
			Layer:    rule.CUDALibraries,
			Changes:  []stack.Change{stack.RemoveLibrary{Path: w.Winner.Path}},
			Commands: []rule.Command{{For: "shell", Run: "rm " + remedy.Quote(w.Winner.Path)}},
		})
	}
	return finding
}

// linkerSays is what the dynamic linker prints about a fault.
func linkerSays(fault string) string {
	if fault == "empty file" || strings.HasPrefix(fault, "truncated") {
		return "file too short"
	}
	return "invalid ELF header"
}

func has(env *stack.Environment, name string) bool { _, ok := env.Find(name); return ok }

// good is a sound copy in a place that is searched later.
func good(in *rule.Input, w derive.Want) string {
	for _, l := range in.Copies(in.Workload, w.Soname) {
		for _, d := range in.SearchFor(in.Workload, w.By) {
			if path.Dir(l.Path) == d.Dir {
				return l.Path
			}
		}
	}
	return ""
}
