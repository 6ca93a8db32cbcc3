package elftest

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
)

// Build returns the file that s describes. It panics if s contradicts itself,
// for example when a symbol asks for a version nobody lists: a test's mistake.
func Build(s Spec) []byte {
	b := &builder{spec: s, is64: s.Class != "ELF32", order: binary.LittleEndian, strs: newStrings()}
	b.machine = machineOf(s.Machine)
	if b.machine == elf.EM_S390 || b.machine == elf.EM_PPC64 && s.Machine == "ppc64" {
		b.order = binary.BigEndian
	}
	return b.build()
}

// Addresses equal file offsets. The first page (headers, notes, code) is
// mapped read and execute, the rest read and write, because the loader writes
// into the dynamic section.
const page = 0x1000

type builder struct {
	spec     Spec
	is64     bool
	order    binary.ByteOrder
	machine  elf.Machine
	strs     *stringTable
	out      bytes.Buffer
	sections []sect
	progs    []prog
}

type sect struct {
	name           string
	typ            elf.SectionType
	flags          elf.SectionFlag
	off, size      int
	link           string
	info           int
	align, entsize int
}

type prog struct {
	typ       elf.ProgType
	flags     elf.ProgFlag
	off, size int
	align     int
}

func (b *builder) build() []byte {
	// Every name goes into the string table first, so that it can be placed.
	dyn := b.tables()

	b.out.Write(make([]byte, b.ehsize()+8*b.phsize())) // filled in at the end
	if b.spec.Interp != "" {
		off := b.add(sect{name: ".interp", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC, align: 1}, []byte(b.spec.Interp+"\x00"))
		b.progs = append(b.progs, prog{elf.PT_INTERP, elf.PF_R, off, len(b.spec.Interp) + 1, 1})
	}
	b.notes()
	b.add(sect{name: ".text", typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, align: 16}, []byte{0x31, 0xc0, 0xc3}) // xor eax,eax; ret
	if b.out.Len() > page {
		panic("elftest: interpreter and notes do not fit the first page")
	}
	textEnd := b.out.Len()
	b.pad(page)

	b.dynamic(dyn)
	const data = elf.SHF_ALLOC
	if b.spec.Fatbin != nil {
		b.add(sect{name: ".nv_fatbin", typ: elf.SHT_PROGBITS, flags: data, align: 8}, b.spec.Fatbin)
	}
	if b.spec.RelFatbin != nil {
		b.add(sect{name: "__nv_relfatbin", typ: elf.SHT_PROGBITS, flags: data, align: 8}, b.spec.RelFatbin)
	}
	if b.spec.Pad > 0 {
		b.add(sect{name: ".pad", typ: elf.SHT_PROGBITS, flags: data, align: 8}, make([]byte, b.spec.Pad))
	}
	end := b.out.Len()
	loads := []prog{
		{elf.PT_LOAD, elf.PF_R | elf.PF_X, 0, textEnd, page},
		{elf.PT_LOAD, elf.PF_R | elf.PF_W, page, end - page, page},
	}
	stack := prog{elf.PT_GNU_STACK, elf.PF_R | elf.PF_W, 0, 0, 16}
	first := 0
	if b.spec.Interp != "" {
		first = 1 // PT_INTERP comes before any PT_LOAD
	}
	b.progs = append(slices.Insert(b.progs, first, loads...), stack)
	shoff, shnum := 0, 0
	if !b.spec.NoSections {
		shoff, shnum = b.sectionTable()
	}
	b.header(shoff, shnum)
	return b.out.Bytes()
}

// add appends a section's contents and returns its offset.
func (b *builder) add(s sect, data []byte) int {
	b.pad(s.align)
	s.off, s.size = b.out.Len(), len(data)
	b.out.Write(data)
	b.sections = append(b.sections, s)
	return s.off
}

func (b *builder) pad(align int) {
	for b.out.Len()%align != 0 {
		b.out.WriteByte(0)
	}
}

func (b *builder) notes() {
	start := -1
	note := func(section, owner string, typ uint32, desc []byte) {
		var n bytes.Buffer
		owner += "\x00"
		binary.Write(&n, b.order, []uint32{uint32(len(owner)), uint32(len(desc)), typ})
		n.WriteString(owner)
		n.Write(make([]byte, -len(owner)&3))
		n.Write(desc)
		n.Write(make([]byte, -len(desc)&3))
		off := b.add(sect{name: section, typ: elf.SHT_NOTE, flags: elf.SHF_ALLOC, align: 4}, n.Bytes())
		if start < 0 {
			start = off
		}
	}
	if b.spec.BuildID != nil {
		note(".note.gnu.build-id", "GNU", 3, b.spec.BuildID)
	}
	if b.spec.Compat != "" {
		note(".note.cuda.fwd_compatibility", "NVIDIA Corporation", 0, []byte(b.spec.Compat))
	}
	if start >= 0 {
		b.progs = append(b.progs, prog{elf.PT_NOTE, elf.PF_R, start, b.out.Len() - start, 4})
	}
}

func machineOf(name string) elf.Machine {
	switch name {
	case "", "x86_64":
		return elf.EM_X86_64
	case "i686":
		return elf.EM_386
	case "aarch64":
		return elf.EM_AARCH64
	case "armv7l":
		return elf.EM_ARM
	case "ppc64", "ppc64le":
		return elf.EM_PPC64
	case "riscv64":
		return elf.EM_RISCV
	case "s390x":
		return elf.EM_S390
	}
	panic(fmt.Sprintf("elftest: unknown machine %q", name))
}

// stringTable is a string table in the making.
type stringTable struct {
	data []byte
	at   map[string]int
}

func newStrings() *stringTable {
	return &stringTable{data: []byte{0}, at: map[string]int{"": 0}}
}

func (t *stringTable) add(s string) int {
	if i, ok := t.at[s]; ok {
		return i
	}
	i := len(t.data)
	t.data = append(append(t.data, s...), 0)
	t.at[s] = i
	return i
}
