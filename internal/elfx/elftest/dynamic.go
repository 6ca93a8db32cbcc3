package elftest

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// dynamicTables holds the contents of the sections that symbols and versions
// need.
type dynamicTables struct {
	syms, versym, needs, defs []byte
	needCount, defCount       int
	names                     []string // of the symbols, for the hash table
	textRelative              []int    // where in syms a defined symbol's address goes
}

func (b *builder) tables() *dynamicTables {
	t := &dynamicTables{}
	for _, n := range b.spec.Needed {
		b.strs.add(n.Library)
	}
	for _, s := range []string{b.spec.Soname, b.spec.Rpath, b.spec.Runpath} {
		b.strs.add(s)
	}
	next := uint16(2) // 0 is local, 1 global without version
	defined := map[string]uint16{}
	if len(b.spec.Defines) > 0 {
		t.defs, t.defCount = b.verdef(defined, &next)
	}
	wanted := map[string]uint16{}
	t.needs, t.needCount = b.verneed(wanted, &next)

	b.symbol(t, Symbol{}, 0, 0)
	for _, s := range b.spec.Undefined {
		b.symbol(t, s, 0, lookup(wanted, s))
	}
	for _, s := range b.spec.Defined {
		b.symbol(t, s, 1, lookup(defined, s))
	}
	return t
}

func lookup(versions map[string]uint16, s Symbol) uint16 {
	if s.Version == "" {
		return 1
	}
	i, ok := versions[s.Version]
	if !ok {
		panic(fmt.Sprintf("elftest: symbol %q has version %q, which is not listed", s.Name, s.Version))
	}
	return i
}

func (b *builder) symbol(t *dynamicTables, s Symbol, shndx uint16, version uint16) {
	var w bytes.Buffer
	info := byte(elf.STB_GLOBAL)<<4 | byte(elf.STT_FUNC)
	if s.Weak {
		info = byte(elf.STB_WEAK)<<4 | byte(elf.STT_FUNC)
	}
	if s == (Symbol{}) {
		info = 0
	}
	name, size := uint32(b.strs.add(s.Name)), uint64(0)
	if shndx != 0 {
		size = 3
		shndx = uint16(elf.SHN_ABS) // replaced when .text has its place
		t.textRelative = append(t.textRelative, len(t.syms))
	}
	if b.is64 {
		binary.Write(&w, b.order, elf.Sym64{Name: name, Info: info, Shndx: shndx, Size: size})
	} else {
		binary.Write(&w, b.order, elf.Sym32{Name: name, Info: info, Shndx: shndx, Size: uint32(size)})
	}
	t.syms = append(t.syms, w.Bytes()...)
	t.versym = append(t.versym, 0, 0)
	b.order.PutUint16(t.versym[len(t.versym)-2:], version)
	t.names = append(t.names, s.Name)
}

func (b *builder) verdef(index map[string]uint16, next *uint16) ([]byte, int) {
	var w bytes.Buffer
	names := append([]string{b.spec.Soname}, b.spec.Defines...)
	for i, n := range names {
		flags, id, follow := uint16(0), *next, uint32(28)
		if i == 0 {
			flags, id = 1, 1 // the base version always has index 1
		} else {
			index[n] = id
			*next++
		}
		if i == len(names)-1 {
			follow = 0
		}
		binary.Write(&w, b.order, []uint16{1, flags, id, 1})
		binary.Write(&w, b.order, []uint32{sysvHash(n), 20, follow})
		binary.Write(&w, b.order, []uint32{uint32(b.strs.add(n)), 0})
	}
	return w.Bytes(), len(names)
}

func (b *builder) verneed(index map[string]uint16, next *uint16) ([]byte, int) {
	var w bytes.Buffer
	var with []Need
	for _, n := range b.spec.Needed {
		if len(n.Versions)+len(n.Weak) > 0 {
			with = append(with, n)
		}
	}
	for i, n := range with {
		count := len(n.Versions) + len(n.Weak)
		follow := uint32(16 + 16*count)
		if i == len(with)-1 {
			follow = 0
		}
		binary.Write(&w, b.order, []uint16{1, uint16(count)})
		binary.Write(&w, b.order, []uint32{uint32(b.strs.add(n.Library)), 16, follow})
		for j, v := range append(append([]string{}, n.Versions...), n.Weak...) {
			flags, follow := uint16(0), uint32(16)
			if j >= len(n.Versions) {
				flags = 2
			}
			if j == count-1 {
				follow = 0
			}
			index[v] = *next
			binary.Write(&w, b.order, sysvHash(v))
			binary.Write(&w, b.order, []uint16{flags, *next})
			binary.Write(&w, b.order, []uint32{uint32(b.strs.add(v)), follow})
			*next++
		}
	}
	return w.Bytes(), len(with)
}

// dynamic writes the tables and the dynamic section that points to them.
func (b *builder) dynamic(t *dynamicTables) {
	text := b.sections[len(b.sections)-1]
	for _, at := range t.textRelative {
		if b.is64 {
			b.order.PutUint16(t.syms[at+6:], uint16(len(b.sections)))
			b.order.PutUint64(t.syms[at+8:], uint64(text.off))
		} else {
			b.order.PutUint16(t.syms[at+14:], uint16(len(b.sections)))
			b.order.PutUint32(t.syms[at+4:], uint32(text.off))
		}
	}
	var d []uint64
	entry := func(tag elf.DynTag, v int) { d = append(d, uint64(tag), uint64(v)) }
	for _, n := range b.spec.Needed {
		entry(elf.DT_NEEDED, b.strs.add(n.Library))
	}
	for _, s := range []struct {
		tag elf.DynTag
		v   string
	}{{elf.DT_SONAME, b.spec.Soname}, {elf.DT_RPATH, b.spec.Rpath}, {elf.DT_RUNPATH, b.spec.Runpath}} {
		if s.v != "" {
			entry(s.tag, b.strs.add(s.v))
		}
	}
	const ro = elf.SHF_ALLOC
	symsize, word := 24, 8
	if !b.is64 {
		symsize, word = 16, 4
	}
	entry(elf.DT_HASH, b.add(sect{name: ".hash", typ: elf.SHT_HASH, flags: ro, align: 8, entsize: 4, link: ".dynsym"}, b.hash(t.names)))
	entry(elf.DT_SYMTAB, b.add(sect{name: ".dynsym", typ: elf.SHT_DYNSYM, flags: ro, align: 8, entsize: symsize, link: ".dynstr", info: 1}, t.syms))
	entry(elf.DT_STRTAB, b.add(sect{name: ".dynstr", typ: elf.SHT_STRTAB, flags: ro, align: 1}, b.strs.data))
	entry(elf.DT_STRSZ, len(b.strs.data))
	entry(elf.DT_SYMENT, symsize)
	if t.needCount+t.defCount > 0 {
		entry(elf.DT_VERSYM, b.add(sect{name: ".gnu.version", typ: elf.SHT_GNU_VERSYM, flags: ro, align: 2, entsize: 2, link: ".dynsym"}, t.versym))
	}
	if t.defCount > 0 {
		entry(elf.DT_VERDEF, b.add(sect{name: ".gnu.version_d", typ: elf.SHT_GNU_VERDEF, flags: ro, align: 8, link: ".dynstr", info: t.defCount}, t.defs))
		entry(elf.DT_VERDEFNUM, t.defCount)
	}
	if t.needCount > 0 {
		entry(elf.DT_VERNEED, b.add(sect{name: ".gnu.version_r", typ: elf.SHT_GNU_VERNEED, flags: ro, align: 8, link: ".dynstr", info: t.needCount}, t.needs))
		entry(elf.DT_VERNEEDNUM, t.needCount)
	}
	if b.spec.NoDefaultLib {
		entry(elf.DT_FLAGS_1, int(elf.DF_1_NODEFLIB))
	}
	entry(elf.DT_NULL, 0)

	var w bytes.Buffer
	for _, v := range d {
		if b.is64 {
			binary.Write(&w, b.order, v)
		} else {
			binary.Write(&w, b.order, uint32(v))
		}
	}
	off := b.add(sect{name: ".dynamic", typ: elf.SHT_DYNAMIC, flags: ro | elf.SHF_WRITE, align: 8, entsize: 2 * word, link: ".dynstr"}, w.Bytes())
	b.progs = append(b.progs, prog{elf.PT_DYNAMIC, elf.PF_R | elf.PF_W, off, w.Len(), 8})
}

// hash returns a System V hash table with one bucket.
func (b *builder) hash(names []string) []byte {
	n := uint32(len(names))
	words := []uint32{1, n, 0}
	if n > 1 {
		words[2] = 1
	}
	words = append(words, 0)
	for i := uint32(1); i < n; i++ {
		words = append(words, (i+1)%n)
	}
	var w bytes.Buffer
	binary.Write(&w, b.order, words)
	return w.Bytes()
}

func sysvHash(name string) uint32 {
	var h uint32
	for i := range len(name) {
		h = h<<4 + uint32(name[i])
		g := h & 0xf0000000
		h ^= g>>24 ^ g
	}
	return h
}
