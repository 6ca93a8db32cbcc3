package elfx

import (
	"fmt"
	"io"
	"strings"
)

// Symbol is one entry of the dynamic symbol table.
type Symbol struct {
	Name    string
	Version string // "" if it has none
	Library string // undefined symbols: the library the version is wanted from
	Weak    bool   // may stay unresolved
	Hidden  bool   // defined symbols: not the default version (name@version, not name@@version)
}

const (
	maxSymbols     = 1 << 20  // usual up to some 100,000
	maxSymbolNames = 64 << 20 // bytes of the string table kept while reading
	maxSymbolName  = 1 << 16  // mangled C++ names pass 4 KiB
)

// UndefinedSymbols returns the dynamic symbols that the file of size bytes in
// r expects from other libraries. Errors are as for Read. It reads the whole
// symbol and string tables, which Read never does.
func UndefinedSymbols(r io.ReaderAt, size int64) ([]Symbol, error) {
	return symbols(r, size, false)
}

// DefinedSymbols returns the dynamic symbols that the file provides to others.
func DefinedSymbols(r io.ReaderAt, size int64) ([]Symbol, error) {
	return symbols(r, size, true)
}

// UndefinedOf returns those undefined symbols whose version is one of a library
// that wanted chooses. Only their own names are read.
func UndefinedOf(r io.ReaderAt, size int64, wanted func(library string) bool) ([]Symbol, error) {
	t, err := table(r, size, false)
	if err != nil || t == nil || t.versyms == nil {
		return nil, err
	}
	return t.list(false, func(index uint16) bool {
		library := t.versions[index].Library
		return library != "" && wanted(library)
	})
}

func symbols(r io.ReaderAt, size int64, defined bool) ([]Symbol, error) {
	t, err := table(r, size, true)
	if err != nil || t == nil {
		return nil, err
	}
	return t.list(defined, func(uint16) bool { return true })
}

// table reads the dynamic symbol table; nil where the file has none. names says whether all names are read with it.
func table(r io.ReaderAt, size int64, names bool) (*symbolTable, error) {
	im, err := open(r, size)
	if err != nil {
		return nil, err
	}
	if err := im.readProgs(); err != nil {
		return nil, err
	}
	sections, _ := im.sections() // the loader does without; so can we
	if debugOnly(sections) {
		return nil, nil
	}
	d, err := im.readDynamic()
	if err != nil || d == nil || d.symtab == 0 {
		return nil, err
	}
	return d.symbolTable(sections, names)
}

// symbolTable is the dynamic symbol table in memory.
type symbolTable struct {
	d        *dynamic
	syms     []byte
	versyms  []byte
	strs     string            // "" where names are read one by one
	scanned  int               // bytes of names read
	versions map[uint16]Symbol // index to version and library
}

func (d *dynamic) symbolTable(sections []section, names bool) (*symbolTable, error) {
	im := d.im
	at, left, ok := im.offset(d.symtab)
	if !ok {
		return nil, malformed("the symbol table is in no loaded segment")
	}
	n, err := d.countSymbols(sections)
	if err != nil {
		return nil, err
	}
	entry := int64(im.pick(24, 16))
	if n > maxSymbols {
		return nil, malformed("%d dynamic symbols, more than %d", n, maxSymbols)
	}
	if n*entry > left {
		return nil, malformed("%d dynamic symbols do not fit their segment", n)
	}
	t := &symbolTable{d: d, versions: map[uint16]Symbol{}}
	if t.syms, err = im.bytes(at, n*entry, "the symbol table"); err != nil {
		return nil, err
	}
	if d.versym != 0 {
		at, left, ok := im.offset(d.versym)
		if !ok || n*2 > left {
			return nil, malformed("the symbol versions leave their segment")
		}
		if t.versyms, err = im.bytes(at, n*2, "the symbol versions"); err != nil {
			return nil, err
		}
	}
	if d.strEnd-d.strOff > maxSymbolNames {
		return nil, malformed("symbol names of %d bytes, more than %d", d.strEnd-d.strOff, maxSymbolNames)
	}
	if names {
		all, err := im.bytes(d.strOff, d.strEnd-d.strOff, "the symbol names")
		if err != nil {
			return nil, err
		}
		t.strs = string(all) // names are parts of it, so a million of them cost no more
	}
	return t, t.readVersions()
}

func (t *symbolTable) readVersions() error {
	needs, err := t.d.readNeeds()
	if err != nil {
		return err
	}
	for _, n := range needs {
		for _, v := range n.index {
			t.versions[v.index] = Symbol{Version: v.name, Library: n.Library}
		}
	}
	defs, err := t.d.readDefs()
	if err != nil {
		return err
	}
	for _, v := range defs {
		if !v.base {
			t.versions[v.index] = Symbol{Version: v.name}
		}
	}
	return nil
}

// list returns the symbols of one side whose version's index is chosen.
func (t *symbolTable) list(defined bool, chosen func(version uint16) bool) ([]Symbol, error) {
	im := t.d.im
	o, entry := im.order, im.pick(24, 16)
	var out []Symbol
	for i := entry; i+entry <= len(t.syms); i += entry { // the first symbol is reserved
		b := t.syms[i:]
		info, shndx := b[im.pick(4, 12)], o.Uint16(b[im.pick(6, 14):])
		bind, typ := info>>4, info&15
		// Sections and files are not for linking; local symbols neither.
		if (shndx != 0) != defined || typ == 3 || typ == 4 || bind == 0 {
			continue
		}
		version := uint16(0)
		if t.versyms != nil {
			version = o.Uint16(t.versyms[2*(i/entry):])
		}
		if !chosen(version & 0x7fff) {
			continue
		}
		name, err := t.name(o.Uint32(b))
		if err != nil {
			return nil, err
		}
		s := Symbol{Name: name, Weak: bind == 2}
		if t.versyms != nil {
			known := t.versions[version&0x7fff]
			s.Version, s.Library = known.Version, known.Library
			s.Hidden = defined && version&0x8000 != 0
		}
		out = append(out, s)
	}
	return out, nil
}

func (t *symbolTable) name(at uint32) (string, error) {
	if d := t.d; t.strs == "" && d.strEnd > d.strOff {
		name, err := d.im.cstring(d.strOff+int64(at), d.strEnd, maxSymbolName, "a symbol name")
		if t.scanned += len(name); err == nil && t.scanned > maxSymbolNames {
			return "", malformed("symbol names of more than %d bytes", maxSymbolNames)
		}
		return name, err
	}
	if uint64(at) >= uint64(len(t.strs)) {
		return "", malformed("a symbol name lies outside its string table")
	}
	s := t.strs[at:]
	i := strings.IndexByte(s[:min(len(s), maxSymbolName)], 0)
	if i < 0 {
		return "", malformed("a symbol name has no end within %d bytes", maxSymbolName)
	}
	// Names may share their ends, but not so much that reading them takes long.
	if t.scanned += i; t.scanned > 4*maxSymbolNames {
		return "", malformed("symbol names of more than %d bytes", 4*maxSymbolNames)
	}
	return s[:i], nil
}

// countSymbols finds the number of dynamic symbols, which no dynamic entry
// states: from the section table, the older hash table, or the GNU one.
func (d *dynamic) countSymbols(sections []section) (int64, error) {
	entry := int64(d.im.pick(24, 16))
	for _, s := range sections {
		if s.typ == shtDynsym && s.addr == d.symtab {
			return s.size / entry, nil
		}
	}
	if d.hash != 0 {
		at, end, err := d.table(d.hash, "the hash table's buckets")
		if err != nil {
			return 0, err
		}
		b, err := d.record(at, end, 8, "the hash table")
		if err != nil {
			return 0, err
		}
		return int64(d.im.order.Uint32(b[4:])), nil
	}
	if d.gnuhash != 0 {
		return d.countGNU()
	}
	return 0, fmt.Errorf("counting dynamic symbols: no hash table and no section headers")
}

// countGNU walks the chain of the highest bucket of DT_GNU_HASH to its end.
func (d *dynamic) countGNU() (int64, error) {
	at, end, err := d.table(d.gnuhash, "the GNU hash table's buckets")
	if err != nil {
		return 0, err
	}
	o := d.im.order
	b, err := d.record(at, end, 16, "the GNU hash table")
	if err != nil {
		return 0, err
	}
	buckets, first, bloom := int64(o.Uint32(b)), int64(o.Uint32(b[4:])), int64(o.Uint32(b[8:]))
	if buckets > maxSymbols || bloom > maxSymbols {
		return 0, malformed("a GNU hash table with %d buckets", buckets)
	}
	at += 16 + bloom*int64(d.im.pick(8, 4))
	if at < 0 || buckets*4 > end-at {
		return 0, malformed("the GNU hash table leaves its segment")
	}
	table, err := d.im.bytes(at, buckets*4, "the GNU hash table's buckets")
	if err != nil {
		return 0, err
	}
	last := int64(0)
	for i := int64(0); i < buckets; i++ {
		last = max(last, int64(o.Uint32(table[4*i:])))
	}
	if last < first {
		// Nothing is exported, so nothing is hashed; what is imported is not counted here.
		if gap := int64(d.strtab) - int64(d.symtab); gap > 0 {
			return gap / int64(d.im.pick(24, 16)), nil // ld puts the strings right behind the symbols
		}
		return first, nil
	}
	for at += buckets * 4; last < maxSymbols; last++ {
		b, err := d.record(at+4*(last-first), end, 4, "a GNU hash chain")
		if err != nil {
			return 0, err
		}
		if o.Uint32(b)&1 != 0 {
			return last + 1, nil
		}
	}
	return 0, malformed("more than %d dynamic symbols", maxSymbols)
}
