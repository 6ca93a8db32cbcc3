package libs

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/loader"
	"strata/internal/recipe"
)

// missing are the failures of an outcome, each name of each asker once, those that matter first.
func (b *builder) missing(out *recipe.Outcome) []Missing {
	var list []Missing
	seen := map[string]bool{}
	add := func(f *loader.Failure, need, why string) {
		m := Missing{Name: f.Name, Need: need, Reason: f.Reason, Why: why, Elsewhere: []Copy{}}
		if f.By != nil {
			m.By = path.Clean(f.By.Path)
		}
		if seen[m.Name+"\x00"+m.By] {
			return
		}
		seen[m.Name+"\x00"+m.By] = true
		name := path.Base(f.Name)
		dirs := map[string]bool{}
		for _, place := range out.Process.Places(name, f.By) {
			dirs[path.Dir(place.Path)] = true
		}
		m.Searched = len(dirs)
		files := map[string]bool{}
		for _, k := range b.named[name] {
			if !files[k.Real] && k.Fault == "" {
				files[k.Real] = true
				m.Elsewhere = append(m.Elsewhere, Copy{Path: k.Path, Version: k.Version})
			}
		}
		list = append(list, m)
	}
	for _, f := range out.Process.Failures {
		add(f, string(recipe.Must), "")
	}
	for _, r := range out.Results {
		if r.Failure != nil {
			add(r.Failure, string(r.Need), r.Why)
		}
	}
	slices.SortStableFunc(list, func(x, y Missing) int { return cmp.Compare(weight[x.Need], weight[y.Need]) })
	return list
}

var weight = map[string]int{string(recipe.Must): 0, string(recipe.GPU): 1, string(recipe.Part): 2, string(recipe.Optional): 3}

// judge says in a sentence what the libraries come to.
func judge(w *Workload, out *recipe.Outcome) (Status, string) {
	needs := map[string][]string{}
	for _, m := range w.Missing {
		needs[m.Need] = append(needs[m.Need], m.Name)
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
	case len(w.Mismatches) > 0:
		m := w.Mismatches[0]
		return Broken, fmt.Sprintf("%s gets a %s that does not have version %s, which %s needs", name, path.Base(m.From), m.Version, path.Base(m.By))
	case len(needs[string(recipe.Part)]) > 0:
		return Partial, fmt.Sprintf("%s starts; some functions fail without %s", name, strings.Join(needs[string(recipe.Part)], ", "))
	case out.Stopped != "":
		return Unknown, fmt.Sprintf("%s is not followed further: %s", name, out.Stopped)
	}
	return Complete, fmt.Sprintf("%s finds every library that it needs", name)
}
