package pythonenv

import (
	"fmt"
	"path"

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
		found := rule.Finding{Evidence: append([]stack.Source{p.From}, env.Python.Sources...)}
		list := tags(p)
		fits := len(list) == 0
		for _, t := range list {
			fits = fits || t.runsOn(py)
		}
		if !fits {
			found.Summary = fmt.Sprintf("%s %s is a wheel for %s, and %s has Python %s", p.Name, p.Version, list[0].python, env.Prefix, py)
			found.Cause = fmt.Sprintf("Its compiled modules have %s in their names, and Python %s does not look for those. The import fails: \"No module named …\" for the compiled part.", list[0].python, short(py))
			found.Remedies = anew(in, py)
			return rule.Found(found)
		}
		if p.Python == "" && len(list) == 0 && p.Manager == "pip" && p.From.Kind == "directory" {
			return rule.Cannot("neither the tags nor the Requires-Python of "+p.Name+" could be read", "run as a user who may read "+path.Dir(p.From.Locator))
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
		found.Remedies = remedy.GPUBuild(in, rule.PythonEnv)
		return rule.Found(found)
	},
}

// anew installs the release again for the Python that is there, or, where the
// knowledge base says that it has no wheel for it, a release that does.
func anew(in *rule.Input, py version.PEP440) []rule.Remedy {
	row := in.Published(in.Framework())
	first, last := row.Python[0], row.Python[1]
	if row.Known && (!first.IsZero() && py.Less(first) || !last.IsZero() && last.Less(py) && short(py) != short(last)) {
		return remedy.GPUBuild(in, rule.PythonEnv)
	}
	return []rule.Remedy{remedy.ReinstallFramework(in, rule.PythonEnv, ", for Python "+short(py))}
}
