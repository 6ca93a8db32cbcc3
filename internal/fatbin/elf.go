package fatbin

import (
	"errors"
	"fmt"
	"io"
)

// ErrNoSections says that a file has no usable section table, so its fat
// binaries, if any, could not be found.
var ErrNoSections = errors.New("no section table to find fat binaries with")

// Names of the sections that hold fat binaries. With relocatable device code
// (nvcc -rdc=true) a library has both: the second one holds what the device
// linker made the first one's code from, PTX included, which the driver links
// anew where no cubin fits.
const (
	sectionLinked      = ".nv_fatbin"
	sectionRelocatable = "__nv_relfatbin"
)

const maxScanned = 64 // sections that hold fat binaries; usual 1 or 2

// ScanELF finds the sections with fat binaries in the ELF file of size bytes
// in r and scans them: those of linked code or, if there is none, those of
// relocatable code, as cuobjdump does. A file without such sections has a
// Summary without containers. The error wraps ErrNoSections when the file has
// no section table to look in. CUDA code is only in 64-bit little-endian
// files; others are not looked at.
func ScanELF(r io.ReaderAt, size int64) (*Summary, error) {
	t := newTally()
	if err := t.elf(r, size); err != nil {
		return nil, err
	}
	return t.summary(), nil
}

func (t *tally) elf(r io.ReaderAt, size int64) error {
	linked, relocatable, err := find(r, size)
	if err != nil {
		return err
	}
	return t.either(r, size, linked, relocatable)
}

// section is a place in a file.
type section struct{ off, size int64 }

// either scans linked code or, where there is none, relocatable code.
func (t *tally) either(r io.ReaderAt, size int64, linked, relocatable []section) error {
	before := t.Containers
	if err := t.sections(r, size, linked); err != nil {
		return err
	}
	if len(relocatable) == 0 {
		return nil
	}
	if t.Containers == before {
		t.Relocatable = true
		return t.sections(r, size, relocatable)
	}
	objects := newTally()
	objects.where = t.where
	if err := objects.sections(r, size, relocatable); err != nil {
		return err
	}
	for _, p := range objects.Problems {
		t.problem("%s", p)
	}
	for _, c := range objects.summary().Codes {
		if c.Kind == "ptx" && c.Containers == objects.Containers {
			t.Linkable = append(t.Linkable, c)
		}
	}
	return nil
}

func (t *tally) sections(r io.ReaderAt, size int64, list []section) error {
	for i, s := range list {
		if i == maxScanned {
			t.problem("more than %d sections with fat binaries, the others were not read", maxScanned)
			break
		}
		if s.off > size || s.size > size-s.off {
			t.problem("a section with fat binaries (%d bytes at %d) lies outside the file of %d bytes", s.size, s.off, size)
			s.size = max(0, size-s.off)
		}
		if overlaps(s, list[:i]) {
			t.problem("a section with fat binaries (%d bytes at %d) lies over another one and was not read again", s.size, s.off)
			continue
		}
		if err := t.scan(r, s.off, s.size); err != nil {
			return err
		}
	}
	return nil
}

func overlaps(s section, others []section) bool {
	for _, o := range others {
		if s.size > 0 && o.size > 0 && s.off < o.off+o.size && o.off < s.off+s.size {
			return true
		}
	}
	return false
}

// find returns the sections of an ELF file that hold fat binaries.
func find(r io.ReaderAt, size int64) (linked, relocatable []section, err error) {
	h := make([]byte, elfHeader)
	if n, err := r.ReadAt(h, 0); n < len(h) {
		return nil, nil, fmt.Errorf("reading the ELF header: %w", cmpErr(err))
	}
	if string(h[:4]) != "\x7fELF" {
		return nil, nil, errors.New("looking for fat binaries: not an ELF file")
	}
	table, err := sectionTable(r, size, h)
	if err != nil || table == nil {
		return nil, nil, err
	}
	if err := table.readNames(r, size); err != nil {
		return nil, nil, err
	}
	for i := range table.count() {
		const progbits = 1
		s := table.at(i)
		if s.typ != progbits {
			continue
		}
		name := table.name(i)
		if name != sectionLinked && name != sectionRelocatable {
			continue
		}
		const most = 1 << 62
		if s.off > most || s.size > most {
			return nil, nil, fmt.Errorf("%w: a section with fat binaries at %#x", ErrNoSections, s.off)
		}
		if place := (section{int64(s.off), int64(s.size)}); name == sectionLinked {
			linked = append(linked, place)
		} else {
			relocatable = append(relocatable, place)
		}
	}
	return linked, relocatable, nil
}
