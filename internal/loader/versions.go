package loader

import (
	"fmt"
	"io"
	"slices"

	"strata/internal/elfx"
)

// Mismatch is something that one loaded object wants from the others and does not get: a symbol version, or a symbol.
type Mismatch struct {
	By *Object
	// From is the object that should have it; nil for a symbol without a version, which any could have.
	From    *Object
	Version string // V12_4, GLIBC_2.38; "" for a symbol without one
	Symbol  string // __nvJitLinkComplete_12_4; "" where a whole version is missing
	// Warning is true where the linker goes on: the version is wanted weakly, or the library has no versions at all.
	Warning bool
}

func (m Mismatch) String() string {
	switch {
	case m.Symbol == "" && m.Warning && !m.From.File.Versioned:
		return fmt.Sprintf("%s: no version information available (required by %s)", m.From.Path, m.By.Path)
	case m.Symbol == "":
		return fmt.Sprintf("%s: version `%s' not found (required by %s)", m.From.Path, m.Version, m.By.Path)
	case m.Version != "":
		return fmt.Sprintf("%s: undefined symbol: %s, version %s", m.By.Path, m.Symbol, m.Version)
	}
	return fmt.Sprintf("%s: undefined symbol: %s", m.By.Path, m.Symbol)
}

// Versions compares the symbol versions that each loaded object wants with those that the object it got them from defines
// (elf/dl-version.c). What was not loaded at all is a Failure and not said again. musl has no such check.
func (p *Process) Versions() (list []Mismatch) {
	if p.linker.Libc == "musl" {
		return nil
	}
	for _, o := range p.Objects {
		for _, need := range o.File.Needs {
			from := p.byName[need.Library]
			if from == nil {
				from = p.loaded(need.Library)
			}
			if from == nil {
				continue
			}
			if !from.File.Versioned {
				list = append(list, Mismatch{By: o, From: from, Warning: true})
				continue
			}
			for _, v := range need.Versions {
				if !slices.Contains(from.File.Defines, v) {
					list = append(list, Mismatch{By: o, From: from, Version: v})
				}
			}
			for _, v := range need.Weak {
				if !slices.Contains(from.File.Defines, v) {
					list = append(list, Mismatch{By: o, From: from, Version: v, Warning: true})
				}
			}
		}
	}
	return list
}

// Symbols looks every symbol that an object of chosen leaves undefined up among all that is loaded, as the linker does with
// LD_BIND_NOW; without it, functions are looked up when they are first called. It reads whole symbol tables. A nil chosen is every object.
func (p *Process) Symbols(chosen func(*Object) bool) (list []Mismatch, err error) {
	defined := map[string][]string{} // symbol → versions
	for _, o := range p.Objects {
		symbols, err := p.symbols(o, elfx.DefinedSymbols)
		if err != nil {
			return nil, err
		}
		for _, s := range symbols {
			defined[s.Name] = append(defined[s.Name], s.Version)
		}
	}
	for _, o := range p.Objects {
		if chosen != nil && !chosen(o) {
			continue
		}
		symbols, err := p.symbols(o, elfx.UndefinedSymbols)
		if err != nil {
			return nil, err
		}
		for _, s := range symbols {
			if have, ok := defined[s.Name]; s.Weak || ok && satisfies(have, s.Version) {
				continue
			}
			list = append(list, Mismatch{By: o, From: p.byName[s.Library], Version: s.Version, Symbol: s.Name})
		}
	}
	return list, nil
}

// satisfies reports whether one of the versions that a symbol is defined with serves a reference: any for one without a version, and
// a definition without a version serves all.
func satisfies(have []string, want string) bool {
	return want == "" || slices.Contains(have, want) || slices.Contains(have, "")
}

func (p *Process) symbols(o *Object, read func(r io.ReaderAt, size int64) ([]elfx.Symbol, error)) ([]elfx.Symbol, error) {
	if o.Via == ViaAssumed {
		return nil, nil
	}
	f, err := p.linker.m.Open(o.Path)
	if err != nil {
		return nil, fmt.Errorf("reading the symbols of %q: %w", o.Path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading the symbols of %q: %w", o.Path, err)
	}
	list, err := read(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("reading the symbols of %q: %w", o.Path, err)
	}
	return list, nil
}
