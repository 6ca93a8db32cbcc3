package elfx

import (
	"math"
	"strings"
)

// dynamic is the dynamic section with its string table found.
type dynamic struct {
	im             *image
	needed         []uint64
	soname         uint64
	rpath, runpath uint64 // offset+1 in the string table, 0 when absent
	flags1         uint64
	verneed        uint64
	verneednum     uint64
	verdef         uint64
	verdefnum      uint64
	symtab, versym uint64
	hash, gnuhash  uint64
	strtab, strsz  uint64
	strOff, strEnd int64 // the string table in the file
}

const (
	dtNull       = 0
	dtNeeded     = 1
	dtHash       = 4
	dtStrtab     = 5
	dtSymtab     = 6
	dtStrsz      = 10
	dtSoname     = 14
	dtRpath      = 15
	dtRunpath    = 29
	dtGnuHash    = 0x6ffffef5
	dtVersym     = 0x6ffffff0
	dtFlags1     = 0x6ffffffb
	dtVerdef     = 0x6ffffffc
	dtVerdefnum  = 0x6ffffffd
	dtVerneed    = 0x6ffffffe
	dtVerneednum = 0x6fffffff

	df1NoDefLib = 0x800
)

// readDynamic returns nil when the file has no dynamic section.
func (im *image) readDynamic() (*dynamic, error) {
	for _, p := range im.progs {
		if p.typ != ptDynamic || p.filesz == 0 {
			continue
		}
		if p.off > math.MaxInt64/2 || p.filesz > math.MaxInt64/2 {
			return nil, malformed("dynamic section of %d bytes at %d", p.filesz, p.off)
		}
		return im.parseDynamic(int64(p.off), int64(p.filesz))
	}
	return nil, nil
}

func (im *image) parseDynamic(off, size int64) (*dynamic, error) {
	entry := int64(im.pick(16, 8))
	// ld.so stops at DT_NULL whatever the size says; padding follows it.
	size = min(size, maxDynamic*entry)
	b, err := im.bytes(off, size-size%entry, "the dynamic section")
	if err != nil {
		return nil, err
	}
	d := &dynamic{im: im}
	ended := false
	for ; int64(len(b)) >= entry; b = b[entry:] {
		tag, val := im.word(b, 0, 0), im.word(b, 8, 4)
		if tag == dtNull {
			ended = true
			break
		}
		if err := d.set(tag, val); err != nil {
			return nil, err
		}
	}
	if !ended {
		return nil, malformed("the dynamic section has no end within %d entries", maxDynamic)
	}
	if d.strtab == 0 {
		return d, nil
	}
	at, left, ok := im.offset(d.strtab)
	if !ok {
		return nil, malformed("the dynamic string table is in no loaded segment")
	}
	if d.strsz > uint64(left) {
		return nil, malformed("the dynamic string table of %d bytes leaves its segment", d.strsz)
	}
	d.strOff, d.strEnd = at, at+int64(d.strsz)
	return d, nil
}

func (d *dynamic) set(tag, val uint64) error {
	switch tag {
	case dtNeeded:
		if len(d.needed) == maxNeeded {
			return malformed("more than %d needed libraries", maxNeeded)
		}
		d.needed = append(d.needed, val)
	case dtSoname:
		d.soname = val + 1
	case dtRpath:
		d.rpath = val + 1
	case dtRunpath:
		d.runpath = val + 1
	case dtStrtab:
		d.strtab = val
	case dtStrsz:
		d.strsz = val
	case dtSymtab:
		d.symtab = val
	case dtVersym:
		d.versym = val
	case dtHash:
		d.hash = val
	case dtGnuHash:
		d.gnuhash = val
	case dtFlags1:
		d.flags1 = val
	case dtVerneed:
		d.verneed = val
	case dtVerneednum:
		d.verneednum = val
	case dtVerdef:
		d.verdef = val
	case dtVerdefnum:
		d.verdefnum = val
	}
	return nil
}

// str returns a string of the dynamic string table.
func (d *dynamic) str(i uint64, limit int, what string) (string, error) {
	if i >= uint64(d.strEnd-d.strOff) {
		return "", malformed("%s lies outside its string table", what)
	}
	return d.im.cstring(d.strOff+int64(i), d.strEnd, limit, what)
}

func (d *dynamic) fill(f *File) error {
	f.NoDefaultLib = d.flags1&df1NoDefLib != 0
	var err error
	if d.soname != 0 {
		if f.Soname, err = d.str(d.soname-1, maxString, "the soname"); err != nil {
			return err
		}
	}
	if len(d.needed) > 0 {
		f.Needed = make([]string, 0, len(d.needed))
	}
	for _, n := range d.needed {
		s, err := d.str(n, maxString, "a needed library's name")
		if err != nil {
			return err
		}
		f.Needed = append(f.Needed, s)
	}
	if f.Rpath, err = d.searchPath(d.rpath, "the rpath"); err != nil {
		return err
	}
	if f.Runpath, err = d.searchPath(d.runpath, "the runpath"); err != nil {
		return err
	}
	needs, err := d.readNeeds()
	if err != nil {
		return err
	}
	for _, n := range needs {
		f.Needs = append(f.Needs, n.VersionNeed)
	}
	defs, err := d.readDefs()
	if err != nil {
		return err
	}
	f.Versioned = len(defs) > 0
	for _, v := range defs {
		if !v.base {
			f.Defines = append(f.Defines, v.name)
		}
	}
	return nil
}

func (d *dynamic) searchPath(index uint64, what string) ([]string, error) {
	if index == 0 {
		return nil, nil
	}
	s, err := d.str(index-1, maxSearchPath, what)
	if err != nil || s == "" {
		return nil, err
	}
	return strings.Split(s, ":"), nil
}
