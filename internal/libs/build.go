package libs

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"strata/internal/collect/loads"
	"strata/internal/coverage"
	"strata/internal/derive"
	"strata/internal/loader"
	"strata/internal/machine"
	"strata/internal/recipe"
	"strata/internal/report"
	"strata/internal/stack"
)

// Options narrow what is looked at.
type Options struct {
	Workload string            // only this framework
	Program  string            // this executable instead of what was found
	Env      map[string]string // variables that replace those of the machine
	// All lists every library, not only those of CUDA and the framework.
	All bool
	Why string // the library whose search is shown
}

// Build follows every workload of a view on machine m.
func Build(m *machine.Machine, v *derive.View, tool report.Tool, opts Options) (*Document, error) {
	l, err := loads.Linker(m)
	if err != nil {
		return nil, err
	}
	b := &builder{m: m, v: v, linker: l, opts: opts, env: loads.Environment(v.Stack, opts.Env)}
	d := &Document{
		Schema: Schema, Tool: tool, Subject: v.Stack.Subject, Environment: map[string]string{}, Workloads: []Workload{}, GPUs: []coverage.GPU{},
		Linker: Linker{Libc: l.Libc, Version: l.Version.String(), Path: l.Path, Defaults: l.Defaults, CacheProblem: l.CacheProblem, NoLibc: l.NoLibc},
	}
	for name, value := range map[string]string{"LD_LIBRARY_PATH": b.env.LibraryPath, "LD_PRELOAD": b.env.Preload} {
		if value != "" {
			d.Environment[name] = value
		}
	}
	b.index()
	for _, t := range b.targets() {
		d.Workloads = append(d.Workloads, b.workload(t))
	}
	return d, nil
}

type builder struct {
	m      *machine.Machine
	v      *derive.View
	linker *loader.Linker
	env    loader.Environment
	opts   Options
	// known are the libraries that were collected, by path and by real path.
	known map[string]*stack.Library
	// named are the same by soname and file name, for copies that no search reaches.
	named map[string][]*stack.Library
}

// target is a workload to follow and how to start it.
type target struct {
	id, version string
	recipe      recipe.Workload
}

func (b *builder) targets() (list []target) {
	if b.opts.Program != "" {
		return []target{{id: b.opts.Program, recipe: recipe.Workload{Program: b.opts.Program}}}
	}
	for _, w := range b.v.Workloads {
		if b.opts.Workload != "" && w.Name != b.opts.Workload {
			continue
		}
		list = append(list, target{w.ID(), w.Framework.Version, Recipe(w)})
	}
	return list
}

// Recipe is a workload in the words of package recipe.
func Recipe(w *derive.Workload) recipe.Workload {
	if w.Program != nil {
		return loads.Native(w.Program)
	}
	return loads.InPython(w.Env, w.Framework)
}

// index makes the collected libraries findable.
func (b *builder) index() {
	b.known, b.named = map[string]*stack.Library{}, map[string][]*stack.Library{}
	add := func(list []stack.Library) {
		for i := range list {
			l := &list[i]
			for _, p := range []string{l.Path, l.Real} {
				// Who knows the version and the package says more of a file that is listed twice.
				if was := b.known[p]; was == nil || was.Version == "" {
					b.known[p] = l
				}
			}
			for _, n := range slices.Compact([]string{l.Soname, path.Base(l.Path)}) {
				b.named[n] = append(b.named[n], l)
			}
		}
	}
	add(b.v.Stack.Driver.Libraries.Value)
	add(b.v.Stack.CUDA.Libraries.Value)
	for _, e := range b.v.Stack.Python.Value {
		add(e.Libraries.Value)
		for _, f := range e.Frameworks {
			add(f.Libraries)
		}
	}
	for _, p := range b.v.Stack.Programs.Value {
		add(p.Framework.Libraries)
	}
}

func (b *builder) workload(t target) Workload {
	out := recipe.Run(b.m, b.linker, b.env, t.recipe)
	w := Workload{
		ID: t.id, Framework: cmp.Or(t.recipe.Framework, "program"), Version: t.version, Stopped: out.Stopped,
		Libraries: []Library{}, Missing: []Missing{}, Mismatches: []Mismatch{}, Searches: []Search{}, Code: []coverage.File{},
	}
	depth := map[*loader.Object]int{}
	for _, o := range out.Process.Objects {
		if o.By != nil {
			depth[o] = depth[o.By] + 1
		}
		if o.Via != loader.ViaAssumed {
			w.loaded = append(w.loaded, path.Clean(o.Path))
		}
		if l, ok := b.library(out.Process, o); ok {
			l.Depth = depth[o]
			w.Libraries = append(w.Libraries, l)
		}
	}
	w.Missing = append(w.Missing, b.missing(out)...)
	for _, m := range loads.Mismatches(out) {
		w.Mismatches = append(w.Mismatches, Mismatch{By: m.By, From: m.From, Version: m.Version, Symbol: m.Symbol, Need: m.Need})
	}
	w.Searches = b.searches(out)
	w.Status, w.Summary = judge(&w, out)
	return w
}

// library describes a loaded object, false for one that is not of interest: neither CUDA's nor the framework's.
func (b *builder) library(p *loader.Process, o *loader.Object) (Library, bool) {
	if o.Via == loader.ViaAssumed {
		return Library{}, false
	}
	component := b.v.KB.Component(path.Base(o.Name))
	inSite := strings.Contains(o.Path, "/site-packages/") || strings.Contains(o.Path, "/dist-packages/")
	if !b.opts.All && !component.Known && !inSite {
		return Library{}, false
	}
	l := Library{Name: o.Name, Component: component.Value.Name, Path: path.Clean(o.Path), Via: o.Via, Hidden: []Copy{}, Code: []stack.DeviceCode{}}
	l.Real = l.Path
	if real, err := b.m.Real(o.Path); err == nil {
		l.Real = real
	}
	if o.By != nil {
		l.By = path.Clean(o.By.Path)
	}
	if k := cmp.Or(b.known[l.Real], b.known[l.Path]); k != nil {
		l.Version, l.Owner = k.Version, k.Owner
		if k.Code.Known() {
			l.Code = k.Code.Value
		}
	}
	if component.Known {
		l.Hidden = append(l.Hidden, b.hidden(p, o, l.Real)...)
	}
	return l, true
}

// hidden are the copies that the search would reach after the one it takes, each file once.
func (b *builder) hidden(p *loader.Process, o *loader.Object, winner string) (list []Copy) {
	seen := map[string]bool{winner: true}
	for _, place := range p.Places(path.Base(o.Name), o.By) {
		if place.Why != "" {
			continue
		}
		real, err := b.m.Real(place.Path)
		if err != nil || seen[real] {
			continue
		}
		seen[real] = true
		list = append(list, b.copy(place.Path, real, place.Via))
	}
	return list
}

// searches are those for the name of Options.Why, one for each object that asks.
func (b *builder) searches(out *recipe.Outcome) []Search {
	p, list := out.Process, []Search{}
	if b.opts.Why == "" {
		return list
	}
	seen := map[*loader.Object]bool{}
	add := func(by *loader.Object, loaded string) {
		s := Search{Name: b.opts.Why, Loaded: loaded, Steps: []Step{}}
		if by != nil {
			s.By = path.Clean(by.Path)
		}
		for _, place := range p.Places(b.opts.Why, by) {
			step := Step{Via: place.Via, Path: path.Clean(place.Path), Why: place.Why}
			if place.From != nil {
				step.From = path.Base(place.From.Path)
			}
			s.Steps = append(s.Steps, step)
		}
		list = append(list, s)
	}
	for _, e := range p.Edges {
		if path.Base(e.Name) != b.opts.Why || seen[e.From] {
			continue
		}
		seen[e.From] = true
		loaded := ""
		if e.Via == loader.ViaLoaded && e.To != nil {
			loaded = path.Clean(e.To.Path)
		}
		add(e.From, loaded)
	}
	failures := p.Failures
	for _, r := range out.Results {
		if r.Failure != nil {
			failures = append(failures, r.Failure)
		}
	}
	for _, f := range failures {
		if path.Base(f.Name) == b.opts.Why && !seen[f.By] {
			seen[f.By] = true
			add(f.By, "")
		}
	}
	if len(list) == 0 { // nobody asks: what a plain dlopen would find
		add(nil, "")
	}
	return list
}

func (b *builder) copy(name, real string, via loader.Via) Copy {
	c := Copy{Path: path.Clean(name), Via: via}
	if k := b.known[real]; k != nil {
		c.Version = k.Version
	}
	return c
}

// Variables are the names that Options.Env may hold: those that the dynamic linker heeds.
var Variables = []string{"LD_LIBRARY_PATH", "LD_PRELOAD"}
