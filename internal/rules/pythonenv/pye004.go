package pythonenv

import (
	"fmt"
	"path"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
)

var pye004 = &rule.Rule{
	ID:       "PYE004",
	Slug:     "interpreter-gone",
	Layer:    rule.PythonEnv,
	Severity: rule.Broken,
	Title:    "The environment's Python interpreter is gone",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needExecutable},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "Python: venv, creation of virtual environments", URL: "https://docs.python.org/3/library/venv.html", Date: "2026-11-30"},
	},
	Doc: `A virtual environment has no Python of its own: bin/python is a link to the one it was made from, and
pyvenv.cfg names its directory. When that Python is removed or updated to another minor release, or when the
environment is copied to a machine or image that has it elsewhere, the link leads nowhere: "No such file or
directory", or "bad interpreter" from pip and other scripts. What is installed in it is intact and useless.

Install that Python again, or make the environment anew from a list of its packages.`,
	Check: func(in *rule.Input) rule.Verdict {
		env := in.Workload.Env
		if env.Executable.Known() {
			return rule.Clean()
		}
		home := env.Base
		if home == "" {
			home = "another directory"
		}
		return rule.Found(rule.Finding{
			Summary:  fmt.Sprintf("%s is a link that leads nowhere: the Python it was made from, of %s, is gone", env.Interpreter, home),
			Cause:    "Nothing in this environment can be started: \"No such file or directory\".",
			Evidence: append([]stack.Source{env.From}, env.Executable.Sources...),
			Remedies: []rule.Remedy{{
				Summary: fmt.Sprintf("make the environment anew with a Python that is there, and install its packages again; or install Python %s in %s again", env.Python.Or(""), home),
				Layer:   rule.PythonEnv,
				Commands: []rule.Command{
					{For: "shell", Run: "python3 -m venv --clear " + remedy.Quote(env.Prefix)},
					{For: "uv", Run: fmt.Sprintf("uv venv --clear --python %s %s", remedy.Quote(orAny(env.Python.Or(""))), remedy.Quote(env.Prefix))},
				},
			}},
		})
	},
}

func orAny(v string) string {
	if v == "" {
		return "3"
	}
	return v
}

// needExecutable is known, too, where the interpreter's links lead nowhere:
// that is the finding.
var needExecutable = rule.Need{Name: "the environment's interpreter", Seen: func(in *rule.Input) stack.Seen {
	env := in.Workload.Env
	if env == nil || env.Interpreter == "" || env.Kind == "system" {
		return stack.Seen{State: stack.Absent} // packages of a user or of the system, whose Python nothing links to
	}
	seen := env.Executable.Seen()
	if seen.State == stack.Absent && path.IsAbs(env.Interpreter) {
		seen.State = stack.Known
	}
	return seen
}}
