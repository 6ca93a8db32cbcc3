package pythonenv

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var pye001 = &rule.Rule{
	ID:       "PYE001",
	Slug:     "wheel-for-another-python",
	Layer:    rule.PythonEnv,
	Severity: rule.Broken,
	Title:    "The framework is installed for another Python than this one",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needPython, rule.NeedPackages},
	After:    []string{"PYE004"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PyPA: platform compatibility tags", URL: "https://packaging.python.org/en/latest/specifications/platform-compatibility-tags/", Date: "2026-11-30"},
	},
	Doc: `Compiled modules of a wheel tagged cp310 load into Python 3.10 and no other; only abi3 wheels serve later
ones, too. With another Python the import does not find the compiled part: "No module named 'torch._C'", or
"cannot import name …". A Requires-Python that excludes this Python means that nobody built or tested the release
for it.

pip refuses such an installation, so it comes from outside: a site-packages directory copied into an image with
another Python, pip --target, a base image whose python3 moved on. Make the environment anew with this Python, or with
the one that the wheel is for. Where no wheel of the release exists for this Python, pip may silently have chosen an
older release or a build for the CPU: take a Python that the framework supports.`,
	Check: func(in *rule.Input) rule.Verdict {
		p, ok := distribution(in)
		if !ok {
			return rule.NA()
		}
		env := in.Workload.Env
		py, err := version.ParsePEP440(env.Python.Value)
		if err != nil {
			return rule.Cannot(fmt.Sprintf("the Python version %q could not be read: %v", env.Python.Value, err), "")
		}
		found := rule.Finding{Evidence: append([]stack.Source{p.From}, env.Python.Sources...), Remedies: anew(in, p)}
		list := tags(p)
		fits := len(list) == 0
		for _, t := range list {
			fits = fits || t.runsOn(py)
		}
		if !fits {
			found.Summary = fmt.Sprintf("%s %s is a wheel for %s, and %s has Python %s", p.Name, p.Version, list[0].python, env.Prefix, py)
			found.Cause = fmt.Sprintf("Its compiled modules have %s in their names, and Python %s does not look for those. The import fails: \"No module named …\" for the compiled part.", list[0].python, short(py))
			return rule.Found(found)
		}
		if p.Python == "" {
			return rule.Clean()
		}
		spec, err := version.ParseSpecifier(p.Python)
		if err != nil || spec.Contains(py) {
			return rule.Clean() // what pip cannot read it ignores, too
		}
		found.Severity, found.Confidence = rule.AtRisk, rule.Likely
		found.Summary = fmt.Sprintf("%s %s asks for Python %s, and %s has %s", p.Name, p.Version, p.Python, env.Prefix, py)
		found.Cause = "pip would refuse to install it here. Whether it works is chance."
		return rule.Found(found)
	},
}

// anew installs the release again for the Python that is there, where the
// knowledge base does not say that there is no such wheel.
func anew(in *rule.Input, p stack.Package) []rule.Remedy {
	env := in.Workload.Env
	out := remedy.GPUBuild(in, rule.PythonEnv)
	public, _, _ := strings.Cut(p.Version, "+")
	row := in.Published(in.Framework())
	py, err := version.ParsePEP440(env.Python.Value)
	if err == nil && row.Known && (!row.Python[0].IsZero() && py.Less(row.Python[0]) || !row.Python[1].IsZero() && row.Python[1].Less(py) && short(py) != short(row.Python[1])) {
		return out
	}
	r := remedy.Install(env, rule.PythonEnv, p.Name+"=="+public, ", for Python "+env.Python.Value)
	r.Changes = []stack.Change{stack.Install{Prefix: env.Prefix, Package: p.Name, Version: p.Version}}
	r.Commands = remedy.Pip(env, "install --force-reinstall "+p.Name+"=="+p.Version)
	return append([]rule.Remedy{r}, out...)
}
