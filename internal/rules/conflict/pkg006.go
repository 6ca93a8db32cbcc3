package conflict

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var pkg006 = &rule.Rule{
	ID:       "PKG006",
	Slug:     "leftover-distribution",
	Layer:    rule.PackageConflict,
	Severity: rule.AtRisk,
	Title:    "A framework is registered twice, or an interrupted update left parts of it",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedPackages},
	After:    []string{"PYE005"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PyPA: recording installed projects", URL: "https://packaging.python.org/en/latest/specifications/recording-installed-packages/", Date: "2026-11-30"},
	},
	Doc: `Each installed distribution has one metadata directory, torch-2.7.1.dist-info. Two of one name mean that
an update was copied over an older installation, in a container layer or by an interrupted pip; which version pip
and other tools see is then chance, and files of the old release may lie among those of the new one. While it
replaces a package, pip renames the old directory to ~orch-2.6.0.dist-info; one that is still there shows that it was
interrupted ("WARNING: Ignoring invalid distribution ~orch").

Uninstall the distribution until pip finds none, remove what is left by hand, and install it once.`,
	Check: func(in *rule.Input) rule.Verdict {
		env := in.Workload.Env
		if env == nil {
			return rule.NA()
		}
		name := in.Framework().Package
		if at := in.Framework().Plugin.Value.Name; at != "" && len(registered(env, name)) < 2 {
			if twice := registered(env, at); len(twice) > 1 {
				name = at
			}
		}
		twice := registered(env, name)
		var left []string
		for _, l := range env.Leftovers {
			if isLeftoverOf(path.Base(l), name) {
				left = append(left, l)
			}
		}
		if len(twice) < 2 && len(left) == 0 {
			return unlessPartial(env)
		}
		f := rule.Finding{Confidence: rule.Likely}
		if len(twice) > 1 {
			var versions []string
			for _, p := range twice {
				versions = append(versions, p.Version)
				f.Evidence = append(f.Evidence, p.From)
			}
			f.Summary = fmt.Sprintf("%s is installed %d times over in %s: %s", name, len(twice), env.Prefix, strings.Join(versions, " and "))
			f.Cause = fmt.Sprintf("Its own files say that it is %s. Tools that ask the metadata may see the other one, and files of both releases may be mixed.", in.Framework().Version)
			r := remedy.ReinstallFramework(in, rule.PackageConflict, ", after uninstalling it until none is left")
			un := remedy.Pip(env, "uninstall -y "+name)
			r.Commands = remedy.Then(remedy.Then(un, un), r.Commands)
			r.Changes = append([]stack.Change{stack.Uninstall{Prefix: env.Prefix, Package: name}}, r.Changes...)
			f.Remedies = []rule.Remedy{r}
			return rule.Found(f)
		}
		f.Severity = rule.Note
		f.Summary = fmt.Sprintf("an interrupted update of %s left %s", name, strings.Join(left, ", "))
		f.Cause = `pip warns "Ignoring invalid distribution". The renamed directory itself does no harm; the installation beside it may be incomplete.`
		for _, l := range left {
			f.Evidence = append(f.Evidence, stack.From("directory", l, 0, ""))
		}
		f.Remedies = []rule.Remedy{{
			Summary: "remove what is left, and install " + name + " again if it does not work", Layer: rule.PackageConflict,
			Commands: []rule.Command{{For: "shell", Run: "rm -r " + strings.Join(left, " ")}},
		}}
		return rule.Found(f)
	},
}

// registered are the metadata directories of one distribution in one site
// directory. A second one in another directory of sys.path is shadowed, not mixed.
func registered(env *stack.Environment, name string) []stack.Package {
	byDir := map[string][]stack.Package{}
	for _, p := range env.Packages.Value {
		if p.Name != name || p.Manager == "conda" {
			continue // conda registers what pip's metadata registers, too
		}
		dir := path.Dir(strings.TrimSuffix(p.From.Locator, "/METADATA"))
		byDir[dir] = append(byDir[dir], p)
	}
	var most []stack.Package
	for _, list := range byDir {
		if len(list) > len(most) {
			most = list
		}
	}
	slices.SortFunc(most, func(a, b stack.Package) int { return strings.Compare(a.From.Locator, b.From.Locator) })
	return most
}

// isLeftoverOf tells whether "~orch-2.1.dist-info" was torch's: pip puts a
// tilde in place of the first letter, and one more for each that is taken.
func isLeftoverOf(entry, name string) bool {
	rest := strings.TrimLeft(entry, "~")
	gone := len(entry) - len(rest)
	rest, _, _ = strings.Cut(rest, "-")
	rest = version.NormalName(rest)
	return gone > 0 && gone < len(name) && rest != "" && (name[gone:] == rest || rest == name)
}
