package elftest

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
)

func (b *builder) ehsize() int { return b.pick(64, 52) }
func (b *builder) phsize() int { return b.pick(56, 32) }

func (b *builder) pick(n64, n32 int) int {
	if b.is64 {
		return n64
	}
	return n32
}

// sectionTable appends the section names and headers.
func (b *builder) sectionTable() (off, num int) {
	names := newStrings()
	for _, s := range b.sections {
		names.add(s.name)
	}
	names.add(".shstrtab")
	b.add(sect{name: ".shstrtab", typ: elf.SHT_STRTAB, align: 1}, names.data)
	index := map[string]int{"": 0}
	for i, s := range b.sections {
		index[s.name] = i + 1
	}
	b.pad(8)
	off = b.out.Len()
	for _, s := range append([]sect{{}}, b.sections...) {
		addr := 0
		if s.flags&elf.SHF_ALLOC != 0 {
			addr = s.off
		}
		if b.is64 {
			binary.Write(&b.out, b.order, elf.Section64{
				Name: uint32(names.add(s.name)), Type: uint32(s.typ), Flags: uint64(s.flags), Addr: uint64(addr), Off: uint64(s.off),
				Size: uint64(s.size), Link: uint32(index[s.link]), Info: uint32(s.info), Addralign: uint64(s.align), Entsize: uint64(s.entsize),
			})
		} else {
			binary.Write(&b.out, b.order, elf.Section32{
				Name: uint32(names.add(s.name)), Type: uint32(s.typ), Flags: uint32(s.flags), Addr: uint32(addr), Off: uint32(s.off),
				Size: uint32(s.size), Link: uint32(index[s.link]), Info: uint32(s.info), Addralign: uint32(s.align), Entsize: uint32(s.entsize),
			})
		}
	}
	return off, len(b.sections) + 1
}

// header writes the ELF and program headers over the space left for them.
func (b *builder) header(shoff, shnum int) {
	var w bytes.Buffer
	var ident [elf.EI_NIDENT]byte
	copy(ident[:], elf.ELFMAG)
	ident[elf.EI_CLASS], ident[elf.EI_DATA], ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1
	if !b.is64 {
		ident[elf.EI_CLASS] = byte(elf.ELFCLASS32)
	}
	if b.order == binary.BigEndian {
		ident[elf.EI_DATA] = byte(elf.ELFDATA2MSB)
	}
	typ := elf.ET_DYN
	if b.spec.Type == "exec" {
		typ = elf.ET_EXEC
	}
	entry := 0
	for _, s := range b.sections {
		if s.name == ".text" {
			entry = s.off
		}
	}
	shstrndx := max(shnum-1, 0)
	if b.is64 {
		binary.Write(&w, b.order, elf.Header64{
			Ident: ident, Type: uint16(typ), Machine: uint16(b.machine), Version: 1, Entry: uint64(entry), Phoff: uint64(b.ehsize()), Shoff: uint64(shoff),
			Ehsize: uint16(b.ehsize()), Phentsize: uint16(b.phsize()), Phnum: uint16(len(b.progs)), Shentsize: 64, Shnum: uint16(shnum), Shstrndx: uint16(shstrndx),
		})
	} else {
		binary.Write(&w, b.order, elf.Header32{
			Ident: ident, Type: uint16(typ), Machine: uint16(b.machine), Version: 1, Entry: uint32(entry), Phoff: uint32(b.ehsize()), Shoff: uint32(shoff),
			Ehsize: uint16(b.ehsize()), Phentsize: uint16(b.phsize()), Phnum: uint16(len(b.progs)), Shentsize: 40, Shnum: uint16(shnum), Shstrndx: uint16(shstrndx),
		})
	}
	for _, p := range b.progs {
		if b.is64 {
			binary.Write(&w, b.order, elf.Prog64{
				Type: uint32(p.typ), Flags: uint32(p.flags), Off: uint64(p.off), Vaddr: uint64(p.off), Paddr: uint64(p.off),
				Filesz: uint64(p.size), Memsz: uint64(p.size), Align: uint64(p.align),
			})
		} else {
			binary.Write(&w, b.order, elf.Prog32{
				Type: uint32(p.typ), Flags: uint32(p.flags), Off: uint32(p.off), Vaddr: uint32(p.off), Paddr: uint32(p.off),
				Filesz: uint32(p.size), Memsz: uint32(p.size), Align: uint32(p.align),
			})
		}
	}
	copy(b.out.Bytes(), w.Bytes())
}
