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

var cul008 = &rule.Rule{
	ID:       "CUL008",
	Slug:     "symbol-not-in-the-copy-loaded",
	Layer:    rule.CUDALibraries,
	Severity: rule.Broken,
	Title:    "A library is loaded that lacks a symbol which another one needs of it",
	Scope:    rule.PerWorkload,
	Needs:    []rule.Need{rule.NeedWants},
	After:    []string{"CUL001", "CUL006", "NCC002", "DNN004", "PYE002", "PYE003"},
	Since:    "0.1",
	Cites: []rule.Cite{
		linker,
		{Title: "Ulrich Drepper: How To Write Shared Libraries, symbol versioning", URL: "https://www.akkadia.org/drepper/dsohowto.pdf", Date: "2026-11-30"},
	},
	Doc: `A soname says which interface a library has, and a newer release of the same soname may have more of it. A library that was linked
against the newer one writes down which symbol versions, and which symbols, it needs. Where the dynamic linker has found an older copy
before, it loads that, compares, and gives up: "version 'X' not found (required by …)" or "undefined symbol: …, version …".

Strata follows the dynamic linker of the machine for each workload, reads both lists in the files that win, and names the copy that was
loaded, what made the linker look there, and who needs more. What hangs on it is what hangs on the library that asks: an import that fails,
a GPU that is not used, or a function that fails when it is first called.

Take the older copy out of the way, or bring the library that asks and the one that is asked to the same release.`,
	Check: func(in *rule.Input) rule.Verdict {
		if wants, _ := in.Wants(in.Workload); len(wants) == 0 {
			return rule.NA()
		}
		list := in.Mismatches(in.Workload)
		// The C and C++ libraries have rules of their own.
		list = slices.DeleteFunc(list, func(m derive.Mismatch) bool {
			return strings.HasPrefix(m.Version, "GLIBC") || strings.HasPrefix(m.Version, "CXXABI")
		})
		if len(list) == 0 {
			return rule.Clean()
		}
		return rule.Found(lacking(in, list[0]))
	},
}

func lacking(in *rule.Input, m derive.Mismatch) rule.Finding {
	f := in.Framework()
	what := "the symbol version " + m.Version
	if m.Symbol != "" {
		what = m.Symbol
	}
	found := ""
	if m.Found != "" {
		found = " (" + m.Found + ")"
	}
	finding := rule.Finding{
		Summary: fmt.Sprintf("%s %s loads %s from %s%s, which lacks %s that %s needs", f.Package, f.Version, m.Library, path.Dir(m.Has.Path), found, what, path.Base(m.By)),
		Cause:   fmt.Sprintf("The dynamic linker says %q.", m.Reason),
		Evidence: []stack.Source{
			stack.From("elf", m.By, 0, "needs "+strings.TrimPrefix(what, "the symbol version ")+" of "+m.Library),
			stack.From("elf", m.Has.Path, 0, strings.TrimSpace(m.Library+" "+m.Has.Version)),
		},
	}
	if m.Need == "part" {
		finding.Severity = rule.AtRisk
	}
	for _, name := range []string{"LD_LIBRARY_PATH", "LD_PRELOAD"} {
		if v, ok := in.Stack.Getenv(name); ok && m.Found == name {
			finding.Evidence = append(finding.Evidence, v.From)
		}
	}
	if r, ok := remedy.Unshadow(in, rule.CUDALibraries, m.Has, m.Found); ok {
		finding.Remedies = append(finding.Remedies, r)
	}
	return finding
}
