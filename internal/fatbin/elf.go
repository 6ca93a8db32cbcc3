package fatbin

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// ErrNoSections says that an ELF file has no usable section table, so its fat
// binaries, if any, could not be found.
var ErrNoSections = errors.New("no section table to find fat binaries with")

// Names of the sections that hold fat binaries. With relocatable device code
// (nvcc -rdc=true) a library has both: the second one holds what the device
// linker made the first one's code from, PTX included, and nothing loads it.
const (
	sectionLinked      = ".nv_fatbin"
	sectionRelocatable = "__nv_relfatbin"
)

const (
	shEntry     = 64
	maxSections = 1 << 16
	maxScanned  = 64      // sections that hold fat binaries; usual 1 or 2
	maxNames    = 4 << 20 // bytes of section names; usual 300
)

// ScanELF finds the sections with fat binaries in the ELF file of size bytes
// in r and scans them: those of linked code or, if there is none, those of
// relocatable code, as cuobjdump does. A file without such sections has a
// Summary without containers. The error wraps ErrNoSections when the file has
// no section table to look in. CUDA code is only in 64-bit little-endian
// files; others are not looked at.
func ScanELF(r io.ReaderAt, size int64) (*Summary, error) {
	linked, relocatable, err := find(r, size)
	if err != nil {
		return nil, err
	}
	t := &tally{codes: map[codeKey]*count{}}
	if err := t.sections(r, size, linked); err != nil {
		return nil, err
	}
	if t.Containers == 0 && len(relocatable) > 0 {
		t.Relocatable = true
		if err := t.sections(r, size, relocatable); err != nil {
			return nil, err
		}
	}
	return t.summary(), nil
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
		if err := t.scan(r, s.off, s.size); err != nil {
			return err
		}
	}
	return nil
}

type section struct{ off, size int64 }

func find(r io.ReaderAt, size int64) (linked, relocatable []section, err error) {
	w := &window{r: r}
	h, err := w.at(0, 64)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the ELF header: %w", err)
	}
	le := binary.LittleEndian
	switch {
	case string(h[:4]) != "\x7fELF":
		return nil, nil, errors.New("looking for fat binaries: not an ELF file")
	case h[4] != 2 || h[5] != 1:
		return nil, nil, nil
	}
	shoff, entry, num, strndx := le.Uint64(h[40:]), le.Uint16(h[58:]), int64(le.Uint16(h[60:])), int64(le.Uint16(h[62:]))
	if shoff == 0 || shoff > math.MaxInt64-maxSections*shEntry || entry != shEntry {
		return nil, nil, ErrNoSections
	}
	if num == 0 || strndx == 0xffff { // too many for the header: in the first section
		first, err := w.at(int64(shoff), shEntry)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: it lies outside the file", ErrNoSections)
		}
		if num == 0 {
			num = int64(min(le.Uint64(first[32:]), maxSections+1))
		}
		if strndx == 0xffff {
			strndx = int64(le.Uint32(first[40:]))
		}
	}
	if num > maxSections || strndx >= num || size < 0 || int64(shoff) > size-num*shEntry {
		return nil, nil, fmt.Errorf("%w: %d sections at %d in a file of %d bytes", ErrNoSections, num, shoff, size)
	}
	table := make([]byte, num*shEntry)
	if got, err := r.ReadAt(table, int64(shoff)); got < len(table) {
		return nil, nil, fmt.Errorf("reading the section table: %w", err)
	}
	names, err := nameTable(r, size, table[strndx*shEntry:])
	if err != nil {
		return nil, nil, err
	}
	for ; len(table) > 0; table = table[shEntry:] {
		const progbits = 1
		if le.Uint32(table[4:]) != progbits {
			continue
		}
		at := min(int64(le.Uint32(table)), int64(len(names)))
		name, _, _ := bytes.Cut(names[at:], []byte{0})
		if s := string(name); s != sectionLinked && s != sectionRelocatable {
			continue
		}
		off, n := le.Uint64(table[24:]), le.Uint64(table[32:])
		if off > math.MaxInt64 || n > math.MaxInt64 {
			return nil, nil, fmt.Errorf("%w: a section with fat binaries at %#x", ErrNoSections, off)
		}
		if s := (section{int64(off), int64(n)}); string(name) == sectionLinked {
			linked = append(linked, s)
		} else {
			relocatable = append(relocatable, s)
		}
	}
	return linked, relocatable, nil
}

// nameTable reads the section names; header is the header of their section.
func nameTable(r io.ReaderAt, size int64, header []byte) ([]byte, error) {
	off, n := binary.LittleEndian.Uint64(header[24:]), binary.LittleEndian.Uint64(header[32:])
	if n > maxNames || off > uint64(size) || n > uint64(size)-off {
		return nil, fmt.Errorf("%w: section names of %d bytes at %d in a file of %d bytes", ErrNoSections, n, off, size)
	}
	names := make([]byte, n)
	if got, err := r.ReadAt(names, int64(off)); got < len(names) {
		return nil, fmt.Errorf("reading the section names: %w", err)
	}
	return names, nil
}
