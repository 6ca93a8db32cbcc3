package loads

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"strata/internal/loader"
	"strata/internal/machine"
	"strata/internal/recipe"
	"strata/internal/stack"
)

// Of turns an outcome into what the stack keeps of it.
func Of(m *machine.Machine, out *recipe.Outcome) stack.Loads {
	l := stack.Loads{Loaded: []stack.Loaded{}, Missing: Missing(out), Mismatches: Mismatches(out), Stopped: out.Stopped}
	if out.First != nil {
		l.Fails = out.First.Error()
	}
	names, preloaded := map[*loader.Object][]string{}, map[*loader.Object]string{}
	for _, e := range out.Process.Edges {
		if e.To == nil {
			continue
		}
		if !slices.Contains(names[e.To], e.Name) {
			names[e.To] = append(names[e.To], e.Name)
		}
		if e.From == nil && e.To.By == nil && e.Via != loader.ViaLoaded {
			preloaded[e.To] = out.Process.PreloadedBy(e.Name)
		}
	}
	later := map[*loader.Object]bool{}
	for _, r := range out.Results {
		for _, o := range r.Loaded {
			later[o] = r.Later
		}
	}
	for _, o := range out.Process.Objects {
		if o.Via == loader.ViaAssumed || o.Via == loader.ViaProgram {
			continue
		}
		x := stack.Loaded{Name: o.Name, Names: names[o], Soname: o.File.Soname, Path: path.Clean(o.Path), Via: cmp.Or(preloaded[o], string(o.Via)), By: pathOf(o.By), Later: later[o]}
		if recipe.IsCUDA(x.Soname) && !strings.Contains(x.Path, "-packages/") {
			x.Needed, x.RPath, x.RunPath = o.File.Needed, o.File.Rpath, o.File.Runpath
		}
		if len(x.Names) == 1 && x.Names[0] == x.Name {
			x.Names = nil
		}
		x.Real = x.Path
		if real, err := m.Real(o.Path); err == nil {
			x.Real = real
		}
		l.Loaded = append(l.Loaded, x)
	}
	return l
}

func pathOf(o *loader.Object) string {
	if o == nil {
		return ""
	}
	return path.Clean(o.Path)
}

// Missing are the failures of an outcome, each name of each asker once, those that matter first.
func Missing(out *recipe.Outcome) []stack.Missing {
	list := []stack.Missing{}
	seen := map[[2]string]bool{}
	add := func(f *loader.Failure, need recipe.Need, why string, later bool) {
		x := stack.Missing{Name: f.Name, By: pathOf(f.By), Need: string(need), Why: why, Reason: f.Reason, Later: later}
		if seen[[2]string{x.Name, x.By}] {
			return
		}
		seen[[2]string{x.Name, x.By}] = true
		if f.Fatal {
			x.Path = path.Clean(f.Name)
		}
		x.Searched = searched(out.Process, f)
		list = append(list, x)
	}
	for _, f := range out.Process.Failures {
		add(f, recipe.Must, "", false)
	}
	for _, r := range out.Results {
		if r.Failure == nil {
			continue
		}
		if r.Failure == out.First && r.Need != recipe.GPU {
			r.Need = recipe.Must // a way round it was tried in vain
		}
		add(r.Failure, r.Need, r.Why, r.Later)
		for _, f := range r.Failure.Rest {
			add(f, r.Need, r.Why, r.Later)
		}
	}
	slices.SortStableFunc(list, func(x, y stack.Missing) int { return cmp.Compare(weight[x.Need], weight[y.Need]) })
	return list
}

var weight = map[string]int{string(recipe.Must): 0, string(recipe.GPU): 1, string(recipe.Part): 2, string(recipe.Optional): 3}

// searched are the directories that were searched for what failed, each once.
func searched(p *loader.Process, f *loader.Failure) []stack.Searched {
	list := []stack.Searched{}
	seen := map[string]bool{}
	for _, place := range p.Places(path.Base(f.Name), f.By) {
		d := path.Dir(place.Path)
		if place.Via == loader.ViaCache && path.Base(place.Path) == "ld.so.cache" {
			d = place.Path // it names no such library, and so no directory
		}
		if !seen[d] {
			seen[d] = true
			list = append(list, stack.Searched{Dir: d, Via: string(place.Via)})
		}
	}
	return list
}

// Mismatches are the symbol versions and symbols that are wanting: those that failed a load, and those among what is loaded.
func Mismatches(out *recipe.Outcome) []stack.Mismatch {
	list := []stack.Mismatch{}
	add := func(m loader.Mismatch, need recipe.Need) {
		x := stack.Mismatch{By: pathOf(m.By), From: pathOf(m.From), Version: m.Version, Symbol: m.Symbol, Need: string(need), Reason: m.String()}
		if m.From != nil {
			x.Library, x.Via = cmp.Or(m.From.File.Soname, path.Base(m.From.Path)), string(m.From.Via)
		}
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	for _, r := range out.Results {
		if r.Failure != nil && r.Failure.Mismatch != nil {
			add(*r.Failure.Mismatch, r.Need)
		}
	}
	for _, m := range out.Process.Versions() {
		if !m.Warning {
			add(m, recipe.Must)
		}
	}
	return list
}
