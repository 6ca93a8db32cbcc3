package loader

import "strata/internal/elfx"

// Bound looks the symbols of one loaded object up that carry a version of a library which library chooses, and returns those that this
// library does not have: a version names its library, so no other would do. It reads the symbol tables of the object and of those libraries alone, where Symbols reads all.
func (p *Process) Bound(o *Object, library func(soname string) bool) (list []Mismatch) {
	wanted := false
	for _, need := range o.File.Needs {
		wanted = wanted || library(need.Library)
	}
	if !wanted {
		return nil
	}
	undefined, err := p.symbols(o, elfx.UndefinedSymbols)
	if err != nil {
		return nil // Symbols says it; here the linker's own check of versions has passed
	}
	for _, s := range undefined {
		if s.Weak || s.Version == "" || !library(s.Library) {
			continue
		}
		from := p.loaded(s.Library)
		if from == nil || !from.File.Versioned {
			continue
		}
		have := p.definedBy(from)
		if have != nil && !have[s.Name+"@"+s.Version] && !have[s.Name] {
			list = append(list, Mismatch{By: o, From: from, Version: s.Version, Symbol: s.Name})
		}
	}
	return list
}

// definedBy are the symbols of an object as NAME@VERSION, and those without a version as NAME too; read once.
func (p *Process) definedBy(o *Object) map[string]bool {
	if have, ok := p.defined[o]; ok {
		return have
	}
	have := map[string]bool{}
	symbols, err := p.symbols(o, elfx.DefinedSymbols)
	if err != nil {
		have = nil // cannot be told
	}
	for _, d := range symbols {
		have[d.Name+"@"+d.Version] = true
		if d.Version == "" {
			have[d.Name] = true
		}
	}
	if p.defined == nil {
		p.defined = map[*Object]map[string]bool{}
	}
	p.defined[o] = have
	return have
}
