package library

import (
	"context"
	"fmt"
	"path"
	"strings"

	"strata/internal/machine"
	"strata/internal/stack"
)

// maxScan bounds the CUDA-family names read in one directory. A complete
// toolkit with cuDNN and TensorRT beside it has some 150.
const maxScan = 2000

// Scan reads the CUDA-family libraries of one directory, without going deeper,
// in name order.
//
// A library has several names there: libcudnn.so for the linker, libcudnn.so.9
// for the loader, libcudnn.so.9.1.0 for the file. One Library is returned for
// each name a program can ask the loader for: the soname, and any further
// number somebody linked (libcudnn.so.8 -> libcudnn.so.9). The file's own name
// is returned when no such name is there, and the bare name only when nothing
// else is. A link that leads nowhere is returned with its Fault.
//
// The error says why the directory, or a part of it, could not be read; the
// libraries returned beside it are good.
func Scan(ctx context.Context, m *machine.Machine, dir, place string) ([]stack.Library, error) {
	entries, err := m.ReadDir(dir)
	if err != nil && len(entries) == 0 {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && IsCUDA(e.Name()) {
			names = append(names, e.Name())
		}
	}
	if len(names) > maxScan {
		err = fmt.Errorf("scanning %q: %d CUDA libraries, only the first %d read", dir, len(names), maxScan)
		names = names[:maxScan]
	}
	s := scan{m: m, dir: dir, place: place, found: map[string]*entry{}, files: map[string]*entry{}}
	for _, name := range names {
		if ctx.Err() != nil {
			return s.pick(names), fmt.Errorf("scanning %q: %w", dir, ctx.Err())
		}
		s.read(name)
	}
	return s.pick(names), err
}

// scan holds what each name of a directory turned out to be.
type scan struct {
	m          *machine.Machine
	dir, place string
	found      map[string]*entry // by name
	files      map[string]*entry // by the path without links
}

type entry struct {
	stack.Library
	stem, number string // of the name
	named        bool   // the soname is the ELF's own
	chosen       bool
}

// read reads a name; a file that another name led to is not read again.
func (s *scan) read(name string) {
	p := path.Join(s.dir, name)
	e := &entry{}
	e.stem, e.number, _ = cut(name)
	s.found[name] = e
	if real, err := s.m.Real(p); err == nil {
		if known := s.files[real]; known != nil {
			e.Library, e.named = known.Library, known.named
			e.Path, e.From.Locator = p, p
			if !e.named {
				e.Soname = name
			}
			return
		}
	}
	e.Library, e.named = read(s.m, p, s.place)
	if e.Real != "" {
		s.files[e.Real] = e
	}
}

// pick chooses the names to return: three passes, from the names that count
// most to those that only stand in for missing ones.
func (s *scan) pick(names []string) []stack.Library {
	files, stems := map[string]bool{}, map[string]bool{} // that have a name in the result
	for _, wanted := range []func(string, *entry) bool{
		isAskedFor,
		func(_ string, e *entry) bool { return e.number != "" && (e.Real == "" || !files[e.Real]) },
		func(_ string, e *entry) bool { return !stems[e.stem] },
	} {
		for _, name := range names {
			if e := s.found[name]; e != nil {
				e.chosen = e.chosen || wanted(name, e)
			}
		}
		// Only after the pass, so that the names of one do not exclude each other.
		for _, e := range s.found {
			if e.chosen {
				stems[e.stem], files[e.Real] = true, true
			}
		}
	}
	var out []stack.Library
	for _, name := range names {
		if e := s.found[name]; e != nil && e.chosen {
			out = append(out, e.Library)
		}
	}
	return out
}

// isAskedFor tells whether programs ask the loader for a library by this name.
func isAskedFor(name string, e *entry) bool {
	if !e.named {
		// Nothing but the name to go by; sonames mostly have one number.
		return e.number != "" && !strings.Contains(e.number, ".")
	}
	if name == e.Soname {
		return true
	}
	// A link of another number than the file's and the soname's is somebody's
	// own; libcublas.so.12.4 between libcublas.so.12 and libcublas.so.12.4.5.8 is not.
	file := path.Base(e.Real)
	return e.number != "" && name != file && !strings.HasPrefix(name, e.Soname+".") && !strings.HasPrefix(file, name+".")
}
