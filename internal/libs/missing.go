package libs

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/collect/loads"
	"strata/internal/recipe"
)

// missing are what was asked for in vain, with the copies on this machine that the search does not reach.
func (b *builder) missing(out *recipe.Outcome) []Missing {
	var list []Missing
	for _, x := range loads.Missing(out) {
		m := Missing{Name: x.Name, By: x.By, Need: x.Need, Reason: x.Reason, Why: x.Why, Searched: len(x.Searched), Elsewhere: []Copy{}}
		files := map[string]bool{}
		for _, k := range b.named[path.Base(x.Name)] {
			if !files[k.Real] && k.Fault == "" {
				files[k.Real] = true
				m.Elsewhere = append(m.Elsewhere, Copy{Path: k.Path, Version: k.Version})
			}
		}
		list = append(list, m)
	}
	return list
}

// judge says in a sentence what the libraries come to.
func judge(w *Workload, out *recipe.Outcome) (Status, string) {
	needs := map[string][]string{}
	for _, m := range w.Missing {
		needs[m.Need] = append(needs[m.Need], m.Name)
	}
	var mismatches []Mismatch
	for _, m := range w.Mismatches {
		if m.Need == string(recipe.Must) || m.Need == string(recipe.GPU) {
			mismatches = append(mismatches, m)
		}
	}
	name := w.Framework
	switch {
	case out.First != nil:
		f := out.First
		what := "does not start"
		if len(needs[string(recipe.Must)]) == 0 {
			what = "starts, and will not use the GPU"
		}
		by := ""
		if f.By != nil {
			by = fmt.Sprintf(", which %s needs", path.Base(f.By.Path))
		}
		return Broken, fmt.Sprintf("%s %s: %s%s: %s", name, what, f.Name, by, f.Reason)
	case len(mismatches) > 0:
		m := mismatches[0]
		what := "version " + m.Version
		if m.Symbol != "" {
			what = m.Symbol
		}
		return Broken, fmt.Sprintf("%s gets a %s that does not have %s, which %s needs", name, path.Base(m.From), what, path.Base(m.By))
	case len(needs[string(recipe.Part)]) > 0:
		return Partial, fmt.Sprintf("%s starts; some functions fail without %s", name, strings.Join(needs[string(recipe.Part)], ", "))
	case out.Stopped != "":
		return Unknown, fmt.Sprintf("%s is not followed further: %s", name, out.Stopped)
	}
	return Complete, fmt.Sprintf("%s finds every library that it needs", name)
}
