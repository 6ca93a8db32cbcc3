package fatbintest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Cubin returns a stand-alone cubin without code, "sm_90a", made by a toolkit
// "12.4". Before sm_100 and CUDA 13 it has the old form, else the new one.
func Cubin(arch, toolkit string) []byte {
	sm, specific, family := Code{Arch: arch}.arch()
	major, minor := version(toolkit)
	if sm < 100 && major < 13 {
		flags := uint32(sm<<16 | 0x500 | sm)
		if specific {
			flags |= 1 << 11
		}
		return cubin(51, 7, uint32(major*10+minor), flags, nil)
	}
	suffix := map[bool]string{specific: "a", family: "f"}[true]
	words := fmt.Sprintf("\x02\x00\x00\x00ptxas\x00Cuda compilation tools, release %s, V%s.1\x00-arch sm_%d%s \x00", toolkit, toolkit, sm, suffix)
	note := le.AppendUint32(le.AppendUint32(le.AppendUint32(nil, 12), uint32(len(words))), 2000)
	note = append(append(note, "NVIDIA Corp\x00"...), words...)
	return cubin(65, 8, 1, uint32(0x6000002|sm<<8), note)
}

// cubin writes an ELF file of machine 190 with three sections: none, the names, the note.
func cubin(osabi, abi byte, version, flags uint32, note []byte) []byte {
	names := "\x00.shstrtab\x00.note.nv.tkinfo\x00"
	const header, entry = 64, 64
	table := header + len(names) + len(note)
	b := append([]byte("\x7fELF\x02\x01\x01"), osabi, abi, 0, 0, 0, 0, 0, 0, 0)
	b = le.AppendUint16(le.AppendUint16(b, 2), 190)
	b = le.AppendUint32(b, version)
	b = le.AppendUint64(le.AppendUint64(le.AppendUint64(b, 0), 0), uint64(table))
	b = le.AppendUint32(b, flags)
	for _, v := range []uint16{header, 56, 0, entry, 3, 1} {
		b = le.AppendUint16(b, v)
	}
	b = append(append(b, names...), note...)
	for _, s := range []struct{ name, typ, off, size int }{{}, {1, 3, header, len(names)}, {11, 7, header + len(names), len(note)}} {
		e := le.AppendUint32(le.AppendUint32(nil, uint32(s.name)), uint32(s.typ))
		e = le.AppendUint64(le.AppendUint64(append(e, make([]byte, 16)...), uint64(s.off)), uint64(s.size))
		b = append(b, append(e, make([]byte, entry-len(e))...)...)
	}
	return b
}

// PTX returns PTX text for a target "compute_90a" in an ISA "8.4".
func PTX(arch, isa string) []byte {
	return fmt.Appendf(nil, "//\n// made for a test\n/* no code */\n.version %s\n.target sm_%s\n.address_size 64\n\n.visible .entry k() { ret; }\n", isa, strings.TrimPrefix(arch, "compute_"))
}

// Member is a member of a static library.
type Member struct {
	Name string
	Data []byte
}

// Archive returns a static library as GNU ar makes it.
func Archive(members ...Member) []byte {
	var names, body []byte
	for _, m := range members {
		name := m.Name + "/"
		if len(name) > 16 {
			name, names = "/"+strconv.Itoa(len(names)), append(names, m.Name+"/\n"...)
		}
		body = append(body, member(name, m.Data)...)
	}
	out := append([]byte("!<arch>\n"), member("/", make([]byte, 4))...) // a symbol table without symbols
	if names != nil {
		out = append(out, member("//", names)...)
	}
	return append(out, body...)
}

func member(name string, data []byte) []byte {
	b := fmt.Appendf(nil, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", name, 0, 0, 0, 0o644, len(data))
	b = append(b, data...)
	if len(data)%2 == 1 {
		b = append(b, '\n')
	}
	return b
}

// PE returns a Windows library with fat binaries, its sections padded as a linker does.
func PE(fatbin []byte) []byte {
	const at, raw = 128, 1024
	b := append([]byte("MZ"), make([]byte, at-2)...)
	le.PutUint32(b[60:], at)
	b = append(b, "PE\x00\x00"...)
	b = append(b, coff(0, []coffSection{{".text", 0x200 - 9, raw - 0x200}, {".nv_fatb", len(fatbin), raw}})...)
	b = append(b, make([]byte, raw-len(b))...)
	b = append(b, fatbin...)
	return append(b, bytes.Repeat([]byte{0}, -len(b)&511)...)
}

// COFF returns an object file, as in a .lib, with relocatable fat binaries: at an
// odd place, and under a name that is in the string table.
func COFF(fatbin []byte) []byte {
	const place = 20 + 40 + 1
	b := append(coff(place+len(fatbin), []coffSection{{"/4", 0, place}}), 0)
	le.PutUint32(b[20+16:], uint32(len(fatbin)))
	b = append(b, fatbin...)
	return append(le.AppendUint32(b, 4+15), "__nv_relfatbin\x00"...)
}

type coffSection struct {
	name     string
	size, at int
}

func coff(symbols int, sections []coffSection) []byte {
	b := le.AppendUint16(le.AppendUint16(nil, 0x8664), uint16(len(sections)))
	b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, 0), uint32(symbols)), 0)
	b = le.AppendUint16(le.AppendUint16(b, 0), 0)
	for _, s := range sections {
		name := make([]byte, 8)
		copy(name, s.name)
		b = append(b, name...)
		for _, v := range []int{s.size, 0x1000, (s.size + 511) &^ 511, s.at} {
			b = le.AppendUint32(b, uint32(v))
		}
		b = append(b, make([]byte, 16)...)
	}
	return b
}
