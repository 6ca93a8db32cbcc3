package loader

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"strata/internal/elfx"
)

// Process is a program under construction: what is loaded, in order, and who asked for what.
type Process struct {
	// Objects are loaded, in the order of the linker's own list.
	Objects []*Object
	// Edges are all askings, in order: each name that each object needs, and those of Open.
	Edges []Edge
	// Failures are what could not be loaded. The program does not start with any of its needs among them.
	Failures []*Failure
	// Warnings are what the linker says and then ignores.
	Warnings []string

	linker  *Linker
	env     Environment
	program *Object
	self    *Object // the linker
	envPath []string
	byName  map[string]*Object
	defined map[*Object]map[string]bool // of Bound
	spent   int                         // see spend
}

// Edge is one name that one object asks for.
type Edge struct {
	From *Object // nil for LD_PRELOAD and for Open without a caller
	Name string
	To   *Object // nil where it is not found
	Via  Via
}

// maxObjects bounds a process. The largest real ones have some hundreds of libraries.
const maxObjects = 4096

// Start loads a program with all that it needs, as the linker does before main: a library can stand in for a program, which is what ldd
// does with it. Everything missing is a Failure, and the rest is loaded all the same, as in the linker's trace mode.
func (l *Linker) Start(program string, env Environment) *Process {
	p := &Process{linker: l, env: env, byName: map[string]*Object{}}
	f := l.file(program)
	why, err := l.verdict(f)
	if why != "" || err != nil {
		if why == notThere {
			why = f.err.Error()
		}
		p.Failures = append(p.Failures, &Failure{Name: program, Reason: why, Fatal: true})
		return p
	}
	p.program = p.add(program, f, Place{Path: program, Via: ViaProgram}, nil)
	p.loadLinker()
	for _, list := range [][]string{env.preloads(), l.Preload} {
		for _, name := range list {
			p.preload(name)
		}
	}
	p.closure(0)
	return p
}

// preload loads one name of LD_PRELOAD or ld.so.preload. A failure is a warning.
func (p *Process) preload(name string) {
	n := len(p.Objects)
	o, via, err := p.ask(name, p.program)
	if err != nil {
		p.Warnings = append(p.Warnings, fmt.Sprintf("object %q from LD_PRELOAD or ld.so.preload cannot be preloaded (%s): ignored", name, err.Reason))
		return
	}
	if len(p.Objects) > n {
		o.By = nil
	}
	p.Edges = append(p.Edges, Edge{nil, name, o, via})
}

// PreloadedBy says where a name that is loaded before all others stands: LD_PRELOAD, or ld.so.preload.
func (p *Process) PreloadedBy(name string) string {
	if slices.Contains(p.env.preloads(), name) {
		return "LD_PRELOAD"
	}
	return preloadPath
}

// Open does what dlopen does for a caller, which gives its search paths: it loads name and what that needs. On an error nothing stays
// loaded. The error is a *Failure that names the first library that is missing.
func (p *Process) Open(name string, caller *Object) (*Object, error) {
	return p.OpenIf(name, caller, nil)
}

// OpenIf is Open with a last word: accept sees the objects that came in, and where it returns a Failure, none of them stays.
func (p *Process) OpenIf(name string, caller *Object, accept func(loaded []*Object) *Failure) (*Object, error) {
	if caller == nil {
		caller = p.program
	}
	objects, edges, failures := len(p.Objects), len(p.Edges), len(p.Failures)
	o, via, failure := p.ask(name, caller)
	if failure == nil {
		p.Edges = append(p.Edges, Edge{caller, name, o, via})
		p.closure(objects)
	}
	if failure == nil && len(p.Failures) > failures {
		failure = p.Failures[failures]
		failure.Rest = slices.Clone(p.Failures[failures+1:])
	}
	if failure == nil && accept != nil && len(p.Objects) > objects {
		failure = accept(p.Objects[objects:])
	}
	if failure != nil {
		gone := p.Objects[objects:]
		// By value: an object is also known by its soname, once something asked for it so.
		maps.DeleteFunc(p.byName, func(_ string, o *Object) bool { return slices.Contains(gone, o) })
		p.Objects, p.Edges, p.Failures = p.Objects[:objects:objects], p.Edges[:edges:edges], p.Failures[:failures:failures]
		return nil, failure
	}
	return o, nil
}

// closure loads what the objects from number first on need, breadth first.
func (p *Process) closure(first int) {
	for i := first; i < len(p.Objects); i++ {
		o := p.Objects[i]
		for _, name := range o.File.Needed {
			to, via, err := p.ask(name, o)
			if err != nil {
				p.Failures = append(p.Failures, err)
				if err.Fatal && p.linker.Libc == "glibc" { // musl says it and goes on
					return
				}
			}
			p.Edges = append(p.Edges, Edge{o, name, to, via})
		}
	}
}

// ask resolves one name for an object: what is loaded already, or a file.
func (p *Process) ask(name string, by *Object) (*Object, Via, *Failure) {
	if o := p.loaded(name); o != nil {
		return o, ViaLoaded, nil
	}
	if len(p.Objects) >= maxObjects {
		return nil, "", &Failure{Name: name, By: by, Reason: fmt.Sprintf("more than %d libraries", maxObjects), Fatal: true}
	}
	if p.spend(1 + len(p.Objects)/64) {
		return nil, "", &Failure{Name: name, By: by, Reason: tooFar, Fatal: true}
	}
	var (
		f     *file
		place Place
		err   error
	)
	if strings.Contains(name, "/") {
		place = Place{Path: p.absolute(name, by), Via: ViaPath}
		f, place, err = p.try(place, nil)
	} else {
		f, place, err = p.find(name, by, nil)
	}
	if err != nil {
		var failure *Failure
		if !errors.As(err, &failure) {
			failure = &Failure{Name: name, Reason: err.Error(), Fatal: true}
		}
		failure.By = by
		return nil, place.Via, failure
	}
	if stem, _, _ := strings.Cut(name, ".so"); f == nil && p.linker.NoLibc && everywhere[stem] {
		standIn := &file{elf: &elfx.File{Class: p.linker.Class, Machine: p.linker.Machine, Type: "dyn", Soname: name}, real: name}
		return p.add(name, standIn, Place{Path: name, Via: ViaAssumed}, by), ViaAssumed, nil
	}
	if f == nil {
		return nil, "", &Failure{Name: name, By: by, Reason: cannotOpen}
	}
	for _, o := range p.candidates() {
		if o.same(f) {
			o.names[name] = true
			p.byName[name] = o
			return o, place.Via, nil
		}
	}
	return p.add(name, f, place, by), place.Via, nil
}

// candidates are the objects that a file can turn out to be. musl does not look at the program.
func (p *Process) candidates() []*Object {
	if p.linker.Libc == "musl" && p.program != nil {
		return p.Objects[1:]
	}
	return p.Objects
}

// loadLinker makes the linker known: it is loaded before everything else and listed where something first needs it.
func (p *Process) loadLinker() {
	f := p.linker.file(p.linker.Path)
	if f.elf == nil || p.linker.Libc == "glibc" && p.program.same(f) {
		return
	}
	p.self = p.object(p.linker.Path, f, Place{Path: p.linker.Path, Via: ViaProgram}, nil)
	if interp := p.program.File.Interp; interp != "" {
		p.self.names[interp] = true
	}
	if p.linker.Libc == "musl" { // it is the C library too
		p.Objects = append(p.Objects, p.self)
	}
}

// loaded returns what is loaded under a name already, nil where nothing is.
func (p *Process) loaded(name string) *Object {
	if o := p.byName[name]; o != nil {
		return o
	}
	if p.self != nil && p.linker.Libc == "glibc" && p.self.answers(name) {
		p.byName[name] = p.self
		p.Objects = append(p.Objects, p.self)
		return p.self
	}
	if p.linker.Libc == "musl" {
		return nil
	}
	for _, o := range p.Objects {
		if o.answers(name) {
			p.byName[name] = o
			return o
		}
	}
	return nil
}

// add appends a file to what is loaded.
func (p *Process) add(name string, f *file, place Place, by *Object) *Object {
	o := p.object(name, f, place, by)
	p.Objects = append(p.Objects, o)
	if p.linker.Libc == "musl" {
		if !strings.Contains(name, "/") { // musl knows a library by the name that it was searched for alone
			p.byName[name] = o
		}
		return o
	}
	for n := range o.names {
		p.byName[n] = o
	}
	return o
}

func (p *Process) object(name string, f *file, place Place, by *Object) *Object {
	return &Object{
		Name: name, Path: place.Path, File: f.elf, By: by, Via: place.Via,
		id: f.id, real: f.real, names: map[string]bool{name: true, place.Path: true}, origin: originOf(place.Path),
	}
}

// absolute returns the path for a name with a slash, tokens replaced.
func (p *Process) absolute(name string, by *Object) string {
	if p.linker.Libc == "musl" {
		return p.muslName(name)
	}
	origin := ""
	if by != nil {
		origin = by.origin
	}
	if e, ok := p.expand(name, origin); ok {
		name = e
	}
	if !path.IsAbs(name) {
		name = join(p.env.Dir, "", name)
	}
	return name
}
