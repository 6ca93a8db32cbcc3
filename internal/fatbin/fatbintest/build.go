// Package fatbintest builds fat binary sections for tests, in the layout that
// package fatbin documents. The payloads are a few filler bytes: no GPU could
// run them, and nothing that reads headers can tell.
package fatbintest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Container is one fat binary.
type Container []Code

// Code is one entry.
type Code struct {
	Kind        string // "cubin" (default) or "ptx"
	Arch        string // "sm_90a", "compute_80"; "90a" is enough
	ISA         string // PTX ISA version of PTX, default "8.4"
	Compression string // "none" (default), "lz4" or "zstd"
	Payload     []byte // instead of filler, padded to 8
	Group       []Code // instead of all other fields but Compression: a group of codes, as of fatbinary --concat
}

// Build returns the contents of a section with these containers. It panics on
// a Code that it cannot write, a mistake of the test.
func Build(containers ...Container) []byte {
	var out []byte
	for _, c := range containers {
		var body []byte
		for _, code := range c {
			body = append(body, code.build()...)
		}
		out = le.AppendUint32(out, 0xBA55ED50)
		out = le.AppendUint16(out, 1)
		out = le.AppendUint16(out, 16)
		out = le.AppendUint64(out, uint64(len(body)))
		out = append(out, body...)
	}
	return out
}

var le = binary.LittleEndian

// payload is what every entry holds: recognisable filler, not code.
var payload = []byte("not GPU code....")

func (c Code) build() []byte {
	if c.Group != nil {
		return c.group()
	}
	data := payload
	if c.Payload != nil {
		data = append(bytes.Clone(c.Payload), make([]byte, -len(c.Payload)&7)...)
	}
	h := c.header(c.flags(), uint32(len(c.extension())+64), len(data))
	return append(append(h, c.extension()...), data...)
}

// header writes the fixed 64 bytes. word is the length of the whole header, or
// the offset of a group's member.
func (c Code) header(flags uint64, word uint32, size int) []byte {
	sm, _, _ := c.arch()
	kind, major, minor := uint16(2), 1, 7
	if sm >= 100 {
		minor = 8
	}
	if c.Kind == "ptx" {
		kind = 1
		major, minor = version(c.ISA)
	}
	var b bytes.Buffer
	for _, v := range []any{
		kind, uint16(0x101), word, uint64(size),
		uint32(0), c.extensionAt(), uint16(minor), uint16(major), uint32(sm),
		uint64(0), flags, uint64(0), uint64(0),
	} {
		binary.Write(&b, le, v)
	}
	return b.Bytes()
}

// extension is what the compiler appends to the header of PTX: its options.
func (c Code) extension() []byte {
	if c.Kind != "ptx" {
		return nil
	}
	return []byte{0x48, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
}

func (c Code) extensionAt() uint32 {
	if c.Kind != "ptx" {
		return 0
	}
	return 64
}

func (c Code) flags() uint64 {
	_, arch, family := c.arch()
	f := uint64(0x11) // 64-bit, Linux
	if arch {
		f |= 1 << 20
	}
	if family {
		f |= 1 << 21
	}
	return f | compression(c.Compression)
}

func compression(name string) uint64 {
	switch name {
	case "", "none":
		return 0
	case "lz4":
		return 1 << 13
	case "zstd":
		return 1 << 15
	}
	panic(fmt.Sprintf("fatbintest: unknown compression %q", name))
}

func (c Code) arch() (sm int, specific, family bool) {
	s := strings.TrimPrefix(strings.TrimPrefix(c.Arch, "sm_"), "compute_")
	s, specific = strings.CutSuffix(s, "a")
	s, family = strings.CutSuffix(s, "f")
	sm, err := strconv.Atoi(s)
	if err != nil {
		panic(fmt.Sprintf("fatbintest: unknown architecture %q", c.Arch))
	}
	return sm, specific, family
}

func version(isa string) (major, minor int) {
	if isa == "" {
		isa = "8.4"
	}
	if _, err := fmt.Sscanf(isa, "%d.%d", &major, &minor); err != nil {
		panic(fmt.Sprintf("fatbintest: PTX ISA %q: %v", isa, err))
	}
	return major, minor
}

// group writes one entry of kind 256 that lists its members.
func (c Code) group() []byte {
	var list []byte
	for i, m := range c.Group {
		if m.Compression != "" || m.Group != nil {
			panic("fatbintest: a member of a group has no compression and no group of its own")
		}
		list = append(append(list, m.header(m.flags(), uint32(i*len(payload)), len(payload))...), m.extension()...)
	}
	var b bytes.Buffer
	for _, v := range []any{
		uint16(256), uint16(0x101), uint32(64 + 8 + len(list)), uint64(len(payload)),
		uint32(0), uint32(64), uint16(1), uint16(0), uint32(0),
		uint64(0), 0x11 | compression(c.Compression), uint64(0), uint64(len(c.Group) * len(payload)),
		uint32(len(c.Group)), uint32(8 + len(list)),
	} {
		binary.Write(&b, le, v)
	}
	b.Write(list)
	b.Write(payload)
	return b.Bytes()
}
