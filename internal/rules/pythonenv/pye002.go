package pythonenv

import (
	"fmt"
	"strings"

	"strata/internal/rule"
	"strata/internal/stack"
	"strata/internal/version"
)

var pye002 = &rule.Rule{
	ID:       "PYE002",
	Slug:     "glibc-too-old",
	Layer:    rule.PythonEnv,
	Severity: rule.Broken,
	Title:    "The system's C library is older than the framework needs",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{needLibc, rule.NeedPackages},
	After:    []string{"PYE006"},
	Since:    "0.1",
	Cites: []rule.Cite{
		{Title: "PEP 600: future manylinux platform tags", URL: "https://peps.python.org/pep-0600/", Date: "2026-11-30"},
	},
	Doc: `A wheel tagged manylinux_2_28 needs glibc 2.28 or newer, and its libraries name the symbol versions they
use. On an older system the dynamic linker refuses them: "/lib64/libc.so.6: version 'GLIBC_2.28' not found". Alpine and
other systems with musl have no glibc at all and take musllinux wheels only, which hardly any GPU framework has.

pip looks at the tag and would not install such a wheel, so this comes from copying an environment into an older
base image, or from a build on a newer system. There is no way to add a newer glibc to a system. Take a newer base
image, or a release of the framework whose wheels still fit: those of PyTorch have been manylinux_2_28 since 2.7.`,
	Check: func(in *rule.Input) rule.Verdict {
		p, ok := distribution(in)
		if !ok && len(in.Framework().Libraries) == 0 {
			return rule.NA()
		}
		libc := in.Stack.OS.Libc
		need, from, measured := glibcNeed(in, p)
		if libc.Value == "musl" {
			if need == "" {
				return rule.NA()
			}
			return rule.Found(rule.Finding{
				Summary:  fmt.Sprintf("%s %s is built for glibc, and this system has musl", in.Framework().Package, in.Framework().Version),
				Cause:    fmt.Sprintf("It needs glibc %s. musl loads none of its libraries: \"Error loading shared library ld-linux-x86-64.so.2\".", need),
				Evidence: append([]stack.Source{from}, libc.Sources...),
				Remedies: []rule.Remedy{{Summary: "take a base image with glibc, such as Debian's or Ubuntu's", Layer: rule.PythonEnv}},
			})
		}
		have, err := version.ParseGlibc(in.Stack.OS.Glibc.Value)
		switch {
		case need == "":
			return rule.NA()
		case !in.Stack.OS.Glibc.Known() || err != nil:
			return rule.Cannot("the version of glibc is not known", in.Stack.OS.Glibc.Allow)
		}
		want, err := version.ParseGlibc(need)
		if err != nil || !have.Less(want) {
			return rule.Clean()
		}
		f := rule.Finding{
			Summary:  fmt.Sprintf("%s %s needs glibc %s, and this system has %s", in.Framework().Package, in.Framework().Version, need, have),
			Cause:    fmt.Sprintf("The dynamic linker refuses its libraries: \"version `GLIBC_%s' not found\".", need),
			Evidence: append([]stack.Source{from}, in.Stack.OS.Glibc.Sources...),
			Remedies: []rule.Remedy{{Summary: fmt.Sprintf("take a base image with glibc %s or newer, or a release of %s whose wheels are tagged manylinux_%s or lower", need, in.Framework().Package, strings.ReplaceAll(have.String(), ".", "_")), Layer: rule.PythonEnv}},
		}
		if !measured {
			f.Confidence = rule.Likely // a tag is what was promised, not what is used
		}
		return rule.Found(f)
	},
}

// glibcNeed is the newest glibc that the framework's libraries name, or, where
// none was read, the one of the wheel's tag.
func glibcNeed(in *rule.Input, p stack.Package) (need string, from stack.Source, measured bool) {
	var newest version.Glibc
	for _, l := range in.Framework().Libraries {
		for _, n := range l.Needs {
			v, err := version.ParseGlibc(strings.TrimPrefix(n.Version, "GLIBC_"))
			if strings.HasPrefix(n.Version, "GLIBC_") && err == nil && newest.Less(v) {
				newest, from = v, stack.From("elf", l.Path, 0, "needs "+n.Version+" of "+n.Library)
			}
		}
	}
	if !newest.IsZero() {
		return newest.String(), from, true
	}
	var oldest version.Glibc
	for _, t := range tags(p) {
		v, err := version.ParseGlibc(t.glibc())
		if err == nil && (oldest.IsZero() || v.Less(oldest)) {
			oldest, from = v, stack.From("file", strings.TrimSuffix(p.From.Locator, "METADATA")+"WHEEL", 0, "Tag: "+strings.Join([]string{t.python, t.abi, t.platform}, "-"))
		}
	}
	if oldest.IsZero() {
		return "", stack.Source{}, false
	}
	return oldest.String(), from, false
}

var needLibc = rule.Need{Name: "the system's C library", Seen: func(in *rule.Input) stack.Seen {
	seen := in.Stack.OS.Libc.Seen()
	if seen.State == stack.Absent { // a C library there is; it was only not found
		seen.State, seen.Why = stack.NotCollected, "no libc.so.6 and no musl was found"
	}
	return seen
}}
