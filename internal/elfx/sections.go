package elfx

import (
	"fmt"
	"math"
)

// section is one section header as far as this package uses it.
type section struct {
	name     string
	typ      uint32
	addr     uint64
	off      int64
	size     int64
	entsize  uint64
	link     uint32
	nameOff  uint32
	contents bool // the size is in the file
}

const (
	shtNote   = 7
	shtNobits = 8
	shtDynsym = 11
)

// readSections fills f.Sections and f.SectionProblem. A bad section table is
// no error: the loader does not read it either.
func (im *image) readSections(f *File) []section {
	list, err := im.sections()
	if err != nil {
		f.SectionProblem = err.Error()
	}
	f.Sections = make([]Section, 0, len(list))
	for _, s := range list {
		size := s.size
		if !s.contents {
			size = 0
		}
		f.Sections = append(f.Sections, Section{Name: s.name, Offset: s.off, Size: size})
	}
	return list
}

// debugOnly recognises files made by objcopy --only-keep-debug: they keep the
// program headers, and the sections those describe, without contents.
func debugOnly(sections []section) bool {
	for _, s := range sections {
		if s.typ == shtNobits && (s.name == ".dynamic" || s.name == ".interp" || s.name == ".text") {
			return true
		}
	}
	return false
}

func (im *image) sections() ([]section, error) {
	if im.shoff == 0 {
		return nil, fmt.Errorf("no section headers")
	}
	want := im.pick(64, 40)
	if im.shentsize != want {
		return nil, fmt.Errorf("section headers of %d bytes, want %d", im.shentsize, want)
	}
	num, strndx := int64(im.shnum), int64(im.shstrndx)
	if im.sectionsNeedExtended {
		b, err := im.bytes(im.shoff, int64(want), "the first section header")
		if err != nil {
			return nil, err
		}
		first, _ := im.section(b)
		if im.shnum == 0 {
			num = first.size
		}
		if im.shstrndx == 0xffff {
			strndx = int64(first.link)
		}
	}
	var problem error
	keep := num
	if num > maxSections {
		problem = fmt.Errorf("%d section headers, only the first %d read", num, maxSections)
		keep = maxSections
	}
	table, err := im.bytes(im.shoff, keep*int64(want), "the section header table")
	if err != nil {
		return nil, err
	}
	list := make([]section, 0, keep)
	for i := range keep {
		s, err := im.section(table[i*int64(want):])
		if err != nil {
			return nil, fmt.Errorf("section %d: %w", i, err)
		}
		list = append(list, s)
	}
	if err := im.nameSections(list, strndx); err != nil {
		return list, err
	}
	if len(list) > 0 && list[0].typ == 0 {
		list = list[1:] // the reserved first entry describes nothing
	}
	return list, problem
}

func (im *image) section(b []byte) (section, error) {
	s := section{
		nameOff: im.order.Uint32(b),
		typ:     im.order.Uint32(b[4:]),
		addr:    im.word(b, 16, 12),
		entsize: im.word(b, 56, 36),
		link:    im.order.Uint32(b[im.pick(40, 24):]),
	}
	off, size := im.word(b, 24, 16), im.word(b, 32, 20)
	if off > math.MaxInt64 || size > math.MaxInt64 {
		return s, malformed("offset or size beyond 2^63")
	}
	s.off, s.size = int64(off), int64(size)
	s.contents = s.typ != shtNobits && s.typ != 0
	return s, nil
}

func (im *image) nameSections(list []section, strndx int64) error {
	if strndx <= 0 || strndx >= int64(len(list)) {
		return fmt.Errorf("section names: table %d of %d", strndx, len(list))
	}
	names := list[strndx]
	if !names.contents || !im.inside(names.off, names.size) {
		return fmt.Errorf("section names lie outside the file")
	}
	for i := range list {
		if list[i].nameOff == 0 {
			continue
		}
		at := names.off + int64(list[i].nameOff)
		name, err := im.cstring(at, names.off+names.size, maxSectionName, "a section name")
		if err != nil {
			return err
		}
		list[i].name = name
	}
	return nil
}
