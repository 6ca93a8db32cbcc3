package loader

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// CacheEntry is one line of `ldconfig -p`.
type CacheEntry struct {
	Name  string
	Path  string
	Flags uint32
	// Hwcap is the subdirectory of glibc-hwcaps that the entry is for: x86-64-v3; "" for all processors.
	Hwcap string
	// LegacyHwcap are the processor bits that glibc before 2.37 wants; 0 for all processors.
	LegacyHwcap uint64
}

// The three formats of ld.so.cache are those of glibc's
// sysdeps/generic/dl-cache.h: the old one (ld.so-1.7.0), the new one
// (glibc-ld.so.cache1.1, alone since 2.32), and the old one with the new one
// behind it (the default before 2.32).
const (
	oldMagic = "ld.so-1.7.0"
	newMagic = "glibc-ld.so.cache1.1"

	oldHeader, oldEntry = 16, 12
	newHeader, newEntry = 48, 24

	// A workstation with everything installed has some 5,000 entries.
	maxCacheEntries = 200_000
	// Names in the cache are file names and paths: PATH_MAX.
	maxCacheString = 4096
)

// ParseCache reads the contents of ld.so.cache in any of its formats. The
// entries come in the file's order, which is the loader's order of preference
// for one name.
func ParseCache(data []byte) ([]CacheEntry, error) {
	s := string(data) // strings of entries are slices of this one
	switch {
	case strings.HasPrefix(s, newMagic):
		return parseNew(s)
	case strings.HasPrefix(s, oldMagic):
		return parseOld(s)
	case s == "":
		return nil, errors.New("empty file; run ldconfig to write it anew")
	}
	return nil, fmt.Errorf("unknown format %.20q; known are %q and %q", s, oldMagic, newMagic)
}

func parseNew(s string) ([]CacheEntry, error) {
	if len(s) < newHeader {
		return nil, fmt.Errorf("truncated: %d bytes are less than the header", len(s))
	}
	// The low two bits of the flags say the byte order since glibc 2.33;
	// before, only little-endian and a few big-endian machines wrote 0.
	var order binary.ByteOrder = binary.LittleEndian
	if s[28]&3 == 3 {
		order = binary.BigEndian
	}
	n := word(order, s, len(newMagic))
	if order == binary.LittleEndian && s[28] == 0 && n > maxCacheEntries {
		order = binary.BigEndian
		n = word(order, s, len(newMagic))
	}
	// Strings are counted from the start of this header.
	list, err := entries(order, s, newHeader, newEntry, n, s)
	if err != nil {
		return list, err
	}
	names := hwcapNames(order, s)
	for i := range list {
		bits := order.Uint64([]byte(s[newHeader+i*newEntry+16 : newHeader+(i+1)*newEntry]))
		switch index := bits & 0xffffffff; {
		case bits>>32&^hwcapISALevel != hwcapExtension:
			list[i].LegacyHwcap = bits
		case index < uint64(len(names)):
			list[i].Hwcap = names[index]
		default:
			list[i].Hwcap = "unknown" // no processor has it, so that the entry is passed over as ld.so does
		}
	}
	return list, nil
}

// An entry for a subdirectory of glibc-hwcaps has bit 62 set, its number in the low half, and the level of the x86-64 psABI in ten
// bits between (DL_CACHE_HWCAP_EXTENSION and its neighbours in glibc's elf/dl-cache.h).
const (
	hwcapExtension = 1 << (62 - 32)
	hwcapISALevel  = 1<<10 - 1

	extensionMagic   = 0xeaa42174
	hwcapsSection    = 1
	maxHwcapSections = 64 // there are two kinds
	maxHwcapNames    = 256
)

// hwcapNames reads the subdirectories that entries refer to by number, from the extension at the end of the file; none where
// there is no usable extension.
func hwcapNames(order binary.ByteOrder, s string) (names []string) {
	at := uint64(word(order, s, 32))
	if at == 0 || at+8 > uint64(len(s)) || word(order, s, int(at)) != extensionMagic {
		return nil
	}
	sections := min(uint64(word(order, s, int(at)+4)), maxHwcapSections)
	for i := range sections {
		h := at + 8 + 16*i
		if h+16 > uint64(len(s)) {
			return nil
		}
		off, size := uint64(word(order, s, int(h)+8)), uint64(word(order, s, int(h)+12))
		if word(order, s, int(h)) != hwcapsSection || off+size > uint64(len(s)) {
			continue
		}
		for j := uint64(0); j+4 <= size && len(names) < maxHwcapNames; j += 4 {
			name, err := cstring(s, word(order, s, int(off+j)))
			if err != nil {
				return nil
			}
			names = append(names, name)
		}
	}
	return names
}

func parseOld(s string) ([]CacheEntry, error) {
	if len(s) < oldHeader {
		return nil, fmt.Errorf("truncated: %d bytes are less than the header", len(s))
	}
	var order binary.ByteOrder = binary.LittleEndian
	n := word(order, s, 12)
	if n > maxCacheEntries { // the old format does not tell its byte order
		order = binary.BigEndian
		n = word(order, s, 12)
	}
	if uint64(n)*oldEntry+oldHeader > uint64(len(s)) {
		return nil, fmt.Errorf("truncated: %d entries do not fit into %d bytes", n, len(s))
	}
	end := oldHeader + int(n)*oldEntry
	// The new format follows at the alignment of its structure: 8, on i386 4.
	for _, align := range []int{8, 4} {
		if at := (end + align - 1) &^ (align - 1); at < len(s) && strings.HasPrefix(s[at:], newMagic) {
			return parseNew(s[at:])
		}
	}
	// Strings are counted from behind the last entry.
	return entries(order, s, oldHeader, oldEntry, n, s[end:])
}

// entries reads n entries of size bytes each from offset at of s. Both formats
// start an entry with flags, name and path.
func entries(order binary.ByteOrder, s string, at, size int, n uint32, text string) ([]CacheEntry, error) {
	if n > maxCacheEntries {
		return nil, fmt.Errorf("%d entries, more than %d", n, maxCacheEntries)
	}
	if at+int(n)*size > len(s) {
		return nil, fmt.Errorf("truncated: %d entries do not fit into %d bytes", n, len(s))
	}
	out := make([]CacheEntry, 0, n)
	for i := range int(n) {
		e := at + i*size
		name, err := cstring(text, word(order, s, e+4))
		if err != nil {
			return out, fmt.Errorf("name of entry %d: %w", i, err)
		}
		path, err := cstring(text, word(order, s, e+8))
		if err != nil {
			return out, fmt.Errorf("path of entry %d: %w", i, err)
		}
		out = append(out, CacheEntry{Name: name, Path: path, Flags: word(order, s, e)})
	}
	return out, nil
}

func word(order binary.ByteOrder, s string, at int) uint32 {
	return order.Uint32([]byte(s[at : at+4]))
}

func cstring(text string, at uint32) (string, error) {
	if uint64(at) >= uint64(len(text)) {
		return "", fmt.Errorf("offset %d lies outside the strings", at)
	}
	t := text[at:]
	end := strings.IndexByte(t[:min(len(t), maxCacheString)], 0)
	if end < 0 {
		return "", fmt.Errorf("string at %d has no end", at)
	}
	return t[:end], nil
}
