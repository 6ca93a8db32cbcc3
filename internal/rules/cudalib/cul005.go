package cudalib

import (
	"fmt"
	"path"
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
				return rule.Found(damaged(in, w))
			}
		}
		if !found {
			return rule.NA()
		}
		return rule.Clean()
	},
}

func damaged(in *rule.Input, w derive.Want) rule.Finding {
	f, lib := in.Framework(), w.Winner
	says := "invalid ELF header"
	if lib.Fault == "empty file" || strings.HasPrefix(lib.Fault, "truncated") {
		says = "file too short"
	}
	finding := rule.Finding{
		Summary:  fmt.Sprintf("%s %s would load a damaged %s: %s (%s)", f.Package, f.Version, path.Base(lib.Path), lib.Fault, lib.Path),
		Cause:    fmt.Sprintf("The dynamic linker finds it first (%s) and stops with %q; it does not look for another copy.", w.Why, path.Base(lib.Path)+": "+says),
		Evidence: []stack.Source{stack.From("file", lib.Real, 0, lib.Fault)},
	}
	owner, _, _ := strings.Cut(lib.Owner, " ")
	switch {
	case in.Workload.Env != nil && owner != "" && has(in.Workload.Env, owner):
		finding.Remedies = append(finding.Remedies, remedy.Reinstall(in.Workload.Env, rule.CUDALibraries, lib.Owner))
	case owner != "":
		finding.Remedies = append(finding.Remedies, rule.Remedy{
			Summary:  "install " + owner + " again",
			Layer:    rule.CUDALibraries,
			Commands: remedy.ForDistribution(in, "sudo apt install --reinstall "+owner, "sudo dnf reinstall "+owner),
		})
	}
	if others := good(in, w); others != "" {
		finding.Remedies = append(finding.Remedies, rule.Remedy{
			Summary:  fmt.Sprintf("remove the damaged file, so that %s is used", others),
			Layer:    rule.CUDALibraries,
			Changes:  []stack.Change{stack.RemoveLibrary{Path: lib.Path}},
			Commands: []rule.Command{{For: "shell", Run: "rm " + lib.Path}},
		})
	}
	return finding
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
