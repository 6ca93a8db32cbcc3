package pythonenv

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var pye005 = &rule.Rule{
	ID:       "PYE005",
	Slug:     "framework-shadowed",
	Layer:    rule.PythonEnv,
	Severity: rule.AtRisk,
	Title:    "Another copy of the framework is imported before this environment's",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedPackages, needPython},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "Python: site, user site directory and its place in sys.path", URL: "https://docs.python.org/3/library/site.html", Date: "2026-11-30"},
		{Title: "Python: PYTHONPATH and PYTHONNOUSERSITE", URL: "https://docs.python.org/3/using/cmdline.html#envvar-PYTHONPATH", Date: "2026-11-30"},
	},
	Doc: `Python imports the first copy that it finds on sys.path: first the directories of PYTHONPATH, then the user's
own site directory, ~/.local/lib/python3.X/site-packages, then the environment's packages. A torch that was once
installed with "pip install --user" therefore takes the place of the one in every conda environment and system
Python of the same minor version, whatever "pip list" in the environment is expected to show. Virtual environments made
without system site packages leave the user site out, but not PYTHONPATH.

Remove the other copy, unset PYTHONPATH, or set PYTHONNOUSERSITE=1 for the program.`,
	Check: func(in *rule.Input) rule.Verdict {
		env, f := in.Workload.Env, in.Framework()
		if env == nil || env.Kind == "user" {
			return rule.NA()
		}
		for _, dir := range pythonPath(in) {
			if slices.Contains(env.Site, dir) {
				break // found here first
			}
			if other := environmentAt(in, dir); other != nil {
				if theirs, ok := other.Framework(f.Name); ok && theirs.Version != f.Version {
					v, _ := in.Stack.Getenv("PYTHONPATH")
					return rule.Found(shadow(in, theirs, "PYTHONPATH names "+dir, v.From, []rule.Remedy{{
						Summary: "take the directory off PYTHONPATH", Layer: rule.PythonEnv,
						Changes:  []stack.Change{stack.UnsetEnv{Name: "PYTHONPATH"}},
						Commands: []rule.Command{{For: "shell", Run: "unset PYTHONPATH"}},
					}}))
				}
			}
		}
		if !usesUserSite(in, env) {
			return rule.Clean()
		}
		for i := range in.Stack.Python.Value {
			user := &in.Stack.Python.Value[i]
			if user.Kind != "user" || minorOf(user) != minorOf(env) || len(user.Site) == 0 {
				continue
			}
			if seen := user.Packages.Seen(); seen.State == stack.Denied || seen.State == stack.Failed {
				return rule.Cannot("what "+user.Site[0]+" holds could not be read: "+seen.Why, seen.Allow)
			}
			theirs, ok := user.Framework(f.Name)
			if !ok || theirs.Version == f.Version && theirs.Package == f.Package {
				continue
			}
			finding := shadow(in, theirs, user.Site[0]+" comes before the environment on sys.path", theirs.From, []rule.Remedy{
				{
					Summary: "leave the user's site directory out", Layer: rule.PythonEnv,
					Changes:  []stack.Change{stack.SetEnv{Name: "PYTHONNOUSERSITE", Value: "1"}},
					Commands: []rule.Command{{For: "shell", Run: "export PYTHONNOUSERSITE=1"}},
				},
				withoutUser(user, theirs.Package),
			})
			finding.Confidence = rule.Likely // of the user whose home it is
			return rule.Found(finding)
		}
		return rule.Clean()
	},
}

// withoutUser takes a package out of a user's site directory, which has no
// interpreter of its own; pip finds the package there by itself.
func withoutUser(user *stack.Environment, pkg string) rule.Remedy {
	r := remedy.Uninstall(user, rule.PythonEnv, pkg, "")
	r.Commands = []rule.Command{{For: "pip", Run: fmt.Sprintf("python%s -m pip uninstall -y %s", minorOf(user), pkg)}}
	return r
}

func shadow(in *rule.Input, theirs *stack.Framework, how string, from stack.Source, remedies []rule.Remedy) rule.Finding {
	f := in.Framework()
	finding := rule.Finding{
		Summary:  fmt.Sprintf("%s %s hides %s %s of %s: %s", theirs.Package, theirs.Version, f.Package, f.Version, in.Workload.Env.Prefix, how),
		Cause:    "Python takes the first copy on sys.path. What is installed in the environment is not what runs.",
		Evidence: []stack.Source{from, theirs.From, f.From},
		Remedies: remedies,
	}
	if f.Variant.Or("") == "cuda" && theirs.Variant.Known() && theirs.Variant.Value != "cuda" {
		finding.Severity = rule.Broken
		finding.Cause += fmt.Sprintf(" The other copy is built for %s and does not use the GPU.", theirs.Variant.Value)
	}
	return finding
}

// pythonPath are the absolute directories of PYTHONPATH.
func pythonPath(in *rule.Input) []string {
	v, _ := in.Stack.Getenv("PYTHONPATH")
	var dirs []string
	for d := range strings.SplitSeq(v.Value, ":") {
		if path.IsAbs(d) {
			dirs = append(dirs, path.Clean(d))
		}
	}
	return dirs
}

// environmentAt finds the environment that a directory of packages belongs to.
func environmentAt(in *rule.Input, dir string) *stack.Environment {
	for i := range in.Stack.Python.Value {
		if e := &in.Stack.Python.Value[i]; len(e.Site) > 0 && e.Site[0] == dir {
			return e
		}
	}
	return nil
}

// usesUserSite: a venv does so only together with the system's packages.
func usesUserSite(in *rule.Input, env *stack.Environment) bool {
	if v, ok := in.Stack.Getenv("PYTHONNOUSERSITE"); ok && v.Value != "" {
		return false
	}
	switch env.Kind {
	case "conda", "system", "pyenv":
		return true
	case "venv", "uv", "poetry":
		return slices.ContainsFunc(env.Site, func(dir string) bool { return !strings.HasPrefix(dir, env.Prefix+"/") })
	}
	return false
}

func minorOf(env *stack.Environment) string {
	if len(env.Site) > 0 {
		for part := range strings.SplitSeq(env.Site[0], "/") {
			if v, ok := strings.CutPrefix(part, "python3."); ok && v != "" {
				return "3." + v
			}
		}
	}
	parts := strings.SplitN(env.Python.Or(""), ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}
