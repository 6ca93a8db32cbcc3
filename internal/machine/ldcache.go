package machine

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// ldCache makes /etc/ld.so.cache out of lines "NAME PATH", in the format that
// ldconfig writes since glibc 2.32 (sysdeps/generic/dl-cache.h: a header of 48
// bytes, entries of 24, then the strings).
func ldCache(text string) ([]byte, error) {
	const header, entry = 48, 24
	// FLAG_ELF_LIBC6 with the bits of 64-bit libraries on x86-64.
	const flags = 0x303
	var lines [][2]string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, path, ok := strings.Cut(line, " ")
		if !ok {
			return nil, fmt.Errorf("%q: want NAME PATH", line)
		}
		lines = append(lines, [2]string{name, strings.TrimSpace(path)})
	}
	le := binary.LittleEndian
	var entries, strs bytes.Buffer
	base := uint32(header + entry*len(lines))
	put := func(s string) uint32 {
		at := base + uint32(strs.Len())
		strs.WriteString(s + "\x00")
		return at
	}
	for _, l := range lines {
		e := make([]byte, entry)
		le.PutUint32(e, flags)
		le.PutUint32(e[4:], put(l[0]))
		le.PutUint32(e[8:], put(l[1]))
		entries.Write(e)
	}
	out := make([]byte, header)
	copy(out, "glibc-ld.so.cache1.1")
	le.PutUint32(out[20:], uint32(len(lines)))
	le.PutUint32(out[24:], uint32(strs.Len()))
	out[28] = 2 // little-endian
	return append(append(out, entries.Bytes()...), strs.Bytes()...), nil
}
