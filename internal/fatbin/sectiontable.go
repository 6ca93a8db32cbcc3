package fatbin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

var le = binary.LittleEndian

const (
	elfHeader   = 64
	shEntry     = 64
	maxSections = 1 << 16
	maxNames    = 4 << 20 // bytes of section names; usual 300
)

// elfSections is the section table of a 64-bit little-endian ELF file.
type elfSections struct {
	table, names []byte
	strndx       int // the section that holds the names
}

type elfSection struct {
	typ       uint32
	off, size uint64
}

// sectionTable reads the table that header, the first 64 bytes of a file, tells
// of. It is nil for files of other widths and byte orders, which have no CUDA code.
func sectionTable(r io.ReaderAt, size int64, header []byte) (*elfSections, error) {
	h := header
	if h[4] != 2 || h[5] != 1 {
		return nil, nil
	}
	shoff, entry, num, strndx := le.Uint64(h[40:]), le.Uint16(h[58:]), int64(le.Uint16(h[60:])), int64(le.Uint16(h[62:]))
	if shoff == 0 || shoff > math.MaxInt64-maxSections*shEntry || entry != shEntry {
		return nil, ErrNoSections
	}
	if num == 0 || strndx == 0xffff { // too many for the header: in the first section
		first := make([]byte, shEntry)
		if n, err := r.ReadAt(first, int64(shoff)); n < len(first) {
			return nil, fmt.Errorf("%w: reading it: %w", ErrNoSections, cmpErr(err))
		}
		if num == 0 {
			num = int64(min(le.Uint64(first[32:]), maxSections+1))
		}
		if strndx == 0xffff {
			strndx = int64(le.Uint32(first[40:]))
		}
	}
	if num > maxSections || strndx >= num || size < 0 || int64(shoff) > size-num*shEntry {
		return nil, fmt.Errorf("%w: %d sections at %d in a file of %d bytes", ErrNoSections, num, shoff, size)
	}
	s := &elfSections{table: make([]byte, num*shEntry)}
	if got, err := r.ReadAt(s.table, int64(shoff)); got < len(s.table) {
		return nil, fmt.Errorf("reading the section table: %w", cmpErr(err))
	}
	s.strndx = int(strndx)
	return s, nil
}

// readNames reads the names of the sections, which name needs.
func (s *elfSections) readNames(r io.ReaderAt, size int64) error {
	strings := s.at(s.strndx)
	if strings.size > maxNames || strings.off > uint64(size) || strings.size > uint64(size)-strings.off {
		return fmt.Errorf("%w: section names of %d bytes at %d in a file of %d bytes", ErrNoSections, strings.size, strings.off, size)
	}
	s.names = make([]byte, strings.size)
	if got, err := r.ReadAt(s.names, int64(strings.off)); got < len(s.names) {
		return fmt.Errorf("reading the section names: %w", cmpErr(err))
	}
	return nil
}

func (s *elfSections) count() int { return len(s.table) / shEntry }

func (s *elfSections) at(i int) elfSection {
	b := s.table[i*shEntry:]
	return elfSection{typ: le.Uint32(b[4:]), off: le.Uint64(b[24:]), size: le.Uint64(b[32:])}
}

// name is "" where it lies outside the table of names. A name without an end is
// longer than any that matters.
func (s *elfSections) name(i int) string {
	at := min(int64(le.Uint32(s.table[i*shEntry:])), int64(len(s.names)))
	rest := s.names[at:]
	rest = rest[:min(len(rest), 64)]
	name, _, _ := bytes.Cut(rest, []byte{0})
	return string(name)
}
