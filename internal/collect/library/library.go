// Package library reads shared libraries of the GPU stack from a machine:
// one file, or the CUDA family in one directory. It reads ELF headers only,
// never whole libraries, and loads nothing.
package library

import (
	"path"
	"slices"

	"strata/internal/elfx"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Read reads the library at a path of the machine. place is the kind of
// directory it lies in, see stack.Library. There is no error: what keeps the
// file from being loaded (a broken link, an empty file, no rights, …) is in
// the result's Fault, and what could be read until then is filled in.
func Read(m *machine.Machine, name, place string) stack.Library {
	l, _ := read(m, name, place)
	return l
}

// read is Read that also tells whether the soname is the ELF's own.
func read(m *machine.Machine, name, place string) (l stack.Library, named bool) {
	l = stack.Library{Path: name, Soname: path.Base(name), Place: place, From: stack.From("elf", name, 0, "")}
	real, err := m.Real(name)
	if err != nil {
		l.Fault = linkFault(m, name, err)
		return l, false
	}
	l.Real = real
	f, err := m.Open(name)
	if err != nil {
		l.Fault = openFault(err)
		return l, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		l.Fault = openFault(err)
		return l, false
	}
	l.Size = info.Size()
	parse := func() parsed {
		e, err := elfx.Read(f, l.Size)
		if e == nil {
			return parsed{err: err}
		}
		return parsed{e, jitLink(f, l.Size, e.Needed), err}
	}
	var got parsed
	if id, ok := machine.ID(info); ok {
		got = machine.Once(m, "elf", id, parse)
	} else {
		got = parse()
	}
	e, err := got.file, got.err
	if err != nil {
		l.Fault = contentFault(f, l.Size, err)
	}
	if e != nil {
		fill(&l, e)
		l.JitLink = got.jitLink
	}
	named = e != nil && e.Soname != ""
	soname := ""
	if named {
		soname = l.Soname // not the stand-in, which is the file's whole name
	}
	l.Version = fileVersion(path.Base(l.Real), soname)
	return l, named
}

type parsed struct {
	file    *elfx.File
	jitLink string
	err     error
}

func fill(l *stack.Library, e *elfx.File) {
	if e.Soname != "" {
		l.Soname = e.Soname
	}
	l.Machine, l.Needed, l.RPath, l.RunPath, l.Defines = e.Machine, e.Needed, e.Rpath, e.Runpath, e.Defines
	for _, n := range e.Needs {
		// Weak versions stay out: the loader only warns when one is missing.
		for _, v := range n.Versions {
			l.Needs = append(l.Needs, stack.SymbolVersion{Library: n.Library, Version: v})
		}
	}
	if c := e.CompatNote; c != nil {
		l.Compat = &stack.CompatNote{CUDA: c.CUDAVersion, Branches: c.Drivers}
	}
}

// NeedsCUDA tells whether a library or program pulls in one of the CUDA family.
func NeedsCUDA(l stack.Library) bool { return slices.ContainsFunc(l.Needed, IsCUDA) }
