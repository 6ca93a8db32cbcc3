// Package rpmdbtest builds small rpm databases for tests, in the formats that
// can be written in a few lines. They agree with what rpm itself writes as far
// as package rpmdb reads it.
package rpmdbtest

import (
	"encoding/binary"
	"path"
	"slices"
)

// Package is what a header says.
type Package struct {
	Name, Version, Release, Arch string
	Epoch                        uint32 // 0 for none
	Files                        []string
}

var (
	le = binary.LittleEndian
	be = binary.BigEndian
)

// Header is a package header as rpm stores it.
func Header(p Package) []byte {
	var index, data []byte
	entries := 0
	add := func(tag, typ uint32, count int, value []byte) {
		for typ == 4 && len(data)%4 != 0 {
			data = append(data, 0) // integers are aligned
		}
		index = be.AppendUint32(index, tag)
		index = be.AppendUint32(index, typ)
		index = be.AppendUint32(index, uint32(len(data)))
		index = be.AppendUint32(index, uint32(count))
		data = append(data, value...)
		entries++
	}
	text := func(tag uint32, s string) { add(tag, 6, 1, append([]byte(s), 0)) }
	text(1000, p.Name)
	text(1001, p.Version)
	text(1002, p.Release)
	if p.Epoch > 0 {
		add(1003, 4, 1, be.AppendUint32(nil, p.Epoch))
	}
	text(1022, p.Arch)
	var dirs []string
	var indexes, bases, names []byte
	for _, f := range p.Files {
		dir := path.Dir(f) + "/"
		i := slices.Index(dirs, dir)
		if i < 0 {
			i = len(dirs)
			dirs = append(dirs, dir)
			names = append(append(names, dir...), 0)
		}
		indexes = be.AppendUint32(indexes, uint32(i))
		bases = append(append(bases, path.Base(f)...), 0)
	}
	if len(p.Files) > 0 {
		add(1116, 4, len(p.Files), indexes)
		add(1117, 8, len(p.Files), bases)
		add(1118, 8, len(dirs), names)
	}
	head := be.AppendUint32(nil, uint32(entries))
	head = be.AppendUint32(head, uint32(len(data)))
	return slices.Concat(head, index, data)
}

// NDB is a database in SUSE's format, of at most 254 packages.
func NDB(packages ...Package) []byte {
	out := make([]byte, 4096)
	copy(out, "RpmP")
	le.PutUint32(out[12:], 1) // one page of slots
	for i := range 254 {
		slot := out[32+16*i:]
		copy(slot, "Slot")
		if i >= len(packages) {
			continue
		}
		blob := Header(packages[i])
		le.PutUint32(slot[4:], uint32(i+1))
		le.PutUint32(slot[8:], uint32(len(out)/16))
		le.PutUint32(slot[12:], uint32(len(blob)/16+2))
		out = append(out, "BlbS"...)
		out = le.AppendUint32(out, uint32(i+1))
		out = le.AppendUint32(out, 0)
		out = le.AppendUint32(out, uint32(len(blob)))
		out = append(out, blob...)
		out = append(out, make([]byte, 16+(16-len(out)%16)%16)...)
	}
	return out
}

// BDB is a Berkeley DB hash database with all packages on one hash page.
func BDB(packages ...Package) []byte {
	const size = 1024
	meta, hash := make([]byte, size), make([]byte, size)
	le.PutUint32(meta[12:], 0x00061561)
	le.PutUint32(meta[20:], size)
	meta[25] = 8
	hash[25] = 13
	le.PutUint16(hash[20:], uint16(2*len(packages)))
	out := slices.Concat(meta, hash)
	end := size
	item := func(i int, b []byte) {
		end -= len(b)
		copy(out[size+end:], b)
		le.PutUint16(out[size+26+2*i:], uint16(end))
	}
	for i, p := range packages {
		blob := Header(p)
		item(2*i, []byte{1, byte(i), 0, 0, 0})
		off := le.AppendUint32([]byte{3, 0, 0, 0}, uint32(len(out)/size))
		item(2*i+1, le.AppendUint32(off, uint32(len(blob))))
		for len(blob) > 0 {
			page := make([]byte, size)
			n := copy(page[26:], blob)
			blob = blob[n:]
			page[25] = 7
			le.PutUint16(page[22:], uint16(n))
			if len(blob) > 0 {
				le.PutUint32(page[16:], uint32(len(out)/size+1))
			}
			out = append(out, page...)
		}
	}
	le.PutUint32(out[32:], uint32(len(out)/size-1))
	return out
}
