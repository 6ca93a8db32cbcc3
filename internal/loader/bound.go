package loader

import (
	"io"

	"strata/internal/elfx"
	"strata/internal/machine"
)

// Bound looks the symbols of one loaded object up that carry a version of a library which library chooses, and returns those that this
// library does not have: a version names its library, so no other would do. It reads the
// symbol tables of the object and of those libraries alone, where Symbols reads all. Every caller on one machine chooses the same libraries.
func (p *Process) Bound(o *Object, library func(soname string) bool) (list []Mismatch) {
	wanted := false
	for _, need := range o.File.Needs {
		wanted = wanted || library(need.Library)
	}
	if !wanted {
		return nil
	}
	for _, s := range p.wanted(o, library) {
		if s.Weak {
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

// wanted are the undefined symbols of an object with a version of a library that is chosen. Environments share files, which are read once.
func (p *Process) wanted(o *Object, library func(soname string) bool) []elfx.Symbol {
	return once(p, "undefined", o, func() []elfx.Symbol {
		list, err := p.symbols(o, func(r io.ReaderAt, size int64) ([]elfx.Symbol, error) { return elfx.UndefinedOf(r, size, library) })
		if err != nil {
			return nil // Symbols says it; here the linker's own check of versions has passed
		}
		return list
	})
}

// once makes something of an object's file, for all processes where the file can be told from others.
func once[T any](p *Process, purpose string, o *Object, make func() T) T {
	if o.id == (machine.FileID{}) {
		return make()
	}
	return machine.Once(p.linker.m, "loader: "+purpose, o.id, make)
}

// definedBy are the symbols of an object as NAME@VERSION, and those without a version as NAME too; nil where they cannot be told.
func (p *Process) definedBy(o *Object) map[string]bool {
	if have, ok := p.defined[o]; ok {
		return have
	}
	have := once(p, "defined", o, func() map[string]bool {
		symbols, err := p.symbols(o, elfx.DefinedSymbols)
		if err != nil {
			return nil
		}
		have := map[string]bool{}
		for _, d := range symbols {
			have[d.Name+"@"+d.Version] = true
			if d.Version == "" {
				have[d.Name] = true
			}
		}
		return have
	})
	if p.defined == nil {
		p.defined = map[*Object]map[string]bool{}
	}
	p.defined[o] = have
	return have
}
