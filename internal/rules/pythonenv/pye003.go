package pythonenv

import (
	"fmt"
	"strconv"
	"strings"

	"strata/internal/rule"
	"strata/internal/rules/remedy"
	"strata/internal/stack"
	"strata/internal/version"
)

var pye003 = &rule.Rule{
	ID:       "PYE003",
	Slug:     "libstdcxx-too-old",
	Layer:    rule.PythonEnv,
	Severity: rule.Broken,
	Title:    "libstdc++ lacks a version that the framework needs",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needSymbols, needLibstdcxx},
	After:    []string{"PYE002", "PYE006"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "The GNU C++ Library manual: ABI policy and guidelines", URL: "https://gcc.gnu.org/onlinedocs/libstdc++/manual/abi.html", Date: "2026-11-30"},
	},
	Doc: `Libraries written in C++ name the newest GLIBCXX symbol version of libstdc++ that they use: GLIBCXX_3.4.29 is
of GCC 11, 3.4.30 of GCC 12, 3.4.32 of GCC 13. Where the libstdc++.so.6 that is loaded is older, the import fails with
"libstdc++.so.6: version 'GLIBCXX_3.4.30' not found".

Extensions built on this machine with a newer compiler bring it about, and conda environments: their Python loads the
environment's own libstdc++, which may be older than the system's. Update libstdcxx-ng (conda), install a newer
libstdc++6 (the system), or take a wheel, whose needs are kept low.`,
	Check: func(in *rule.Input) rule.Verdict {
		have, from, ok := libstdcxx(in)
		if !ok {
			return rule.Cannot("the version of libstdc++ is not known", "")
		}
		for _, l := range in.Framework().Libraries {
			for _, n := range l.Needs {
				text, is := strings.CutPrefix(n.Version, "GLIBCXX_")
				want, err := version.ParseGlibc(text)
				if !is || err != nil || !have.Less(want) {
					continue
				}
				return rule.Found(rule.Finding{
					Summary:  fmt.Sprintf("%s needs GLIBCXX_%s, and libstdc++ has versions up to %s", l.Path, want, have),
					Cause:    fmt.Sprintf("The import fails: \"libstdc++.so.6: version `GLIBCXX_%s' not found (required by %s)\".", want, l.Path),
					Evidence: []stack.Source{stack.From("elf", l.Path, 0, "needs "+n.Version+" of "+n.Library), from},
					Remedies: newerLibstdcxx(in, want),
				})
			}
		}
		return rule.Clean()
	},
}

// libstdcxx is the newest version in the libstdc++ that the workload loads:
// conda's own in an environment of conda's, else the system's.
func libstdcxx(in *rule.Input) (version.Glibc, stack.Source, bool) {
	env := in.Workload.Env
	if env != nil && env.Kind == "conda" {
		for _, name := range []string{"libstdcxx", "libstdcxx-ng"} {
			p, ok := env.Find(name)
			if !ok {
				continue
			}
			major, _, _ := strings.Cut(p.Version, ".")
			n, err := strconv.Atoi(major)
			gcc := in.KB.LibstdcxxOfGCC(n)
			return gcc.Value.Last, p.From, err == nil && gcc.Known
		}
	}
	v, err := version.ParseGlibc(in.Stack.OS.Libstdcxx.Value)
	var from stack.Source
	if s := in.Stack.OS.Libstdcxx.Sources; len(s) > 0 {
		from = s[0]
	}
	return v, from, err == nil && in.Stack.OS.Libstdcxx.Known()
}

func newerLibstdcxx(in *rule.Input, want version.Glibc) []rule.Remedy {
	gcc := in.KB.GCCOfLibstdcxx(want).Value.GCC // 0: newer than what is known
	env := in.Workload.Env
	if env != nil && env.Kind == "conda" && gcc > 0 {
		return []rule.Remedy{{
			Summary:  fmt.Sprintf("install libstdcxx-ng %d or newer in %s", gcc, env.Prefix),
			Layer:    rule.PythonEnv,
			Changes:  []stack.Change{stack.Install{Prefix: env.Prefix, Package: condaName(env), Version: strconv.Itoa(gcc)}},
			Commands: []rule.Command{{For: "conda", Run: fmt.Sprintf("conda install -p %s -c conda-forge 'libstdcxx-ng>=%d'", remedy.Quote(env.Prefix), gcc)}},
		}}
	}
	out := []rule.Remedy{{Summary: "use a system whose libstdc++ has GLIBCXX_" + want.String(), Layer: rule.PythonEnv}}
	if gcc > 0 {
		out[0].Summary = fmt.Sprintf("use a system whose libstdc++ is of GCC %d or newer", gcc)
	}
	if env != nil {
		pkg := in.Framework().Package
		out = append(out, rule.Remedy{
			Summary:  "install " + pkg + " as a wheel instead of building it here",
			Layer:    rule.PythonEnv,
			Commands: remedy.Pip(env, "install --force-reinstall --only-binary "+pkg+" "+pkg+"=="+in.Framework().Version),
		})
	}
	return out
}

func condaName(env *stack.Environment) string {
	if _, ok := env.Find("libstdcxx"); ok {
		return "libstdcxx"
	}
	return "libstdcxx-ng"
}

var needSymbols = rule.Need{Name: "the symbol versions that the framework's libraries need", Seen: func(in *rule.Input) stack.Seen {
	for _, l := range in.Framework().Libraries {
		for _, n := range l.Needs {
			if strings.HasPrefix(n.Version, "GLIBCXX_") {
				return stack.Seen{State: stack.Known}
			}
		}
	}
	return stack.Seen{State: stack.Absent}
}}

var needLibstdcxx = rule.Need{Name: "the system's libstdc++", Seen: func(in *rule.Input) stack.Seen {
	if in.Workload.Env != nil && in.Workload.Env.Kind == "conda" {
		return stack.Seen{State: stack.Known}
	}
	return in.Stack.OS.Libstdcxx.Seen()
}}
