package loader

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cacheFile builds a cache in one of the three formats.
func cacheFile(format string, order binary.AppendByteOrder, list []CacheEntry) []byte {
	build := func(newFormat bool, base int) (entries, text []byte) {
		for _, e := range list {
			entries = order.AppendUint32(entries, e.Flags)
			entries = order.AppendUint32(entries, uint32(base+len(text)))
			text = append(text, e.Name+"\x00"...)
			entries = order.AppendUint32(entries, uint32(base+len(text)))
			text = append(text, e.Path+"\x00"...)
			if newFormat {
				entries = append(entries, make([]byte, 12)...)
			}
		}
		return entries, text
	}
	modern := func(flags byte) []byte {
		b := order.AppendUint32([]byte(newMagic), uint32(len(list)))
		entries, text := build(true, newHeader+newEntry*len(list))
		b = order.AppendUint32(b, uint32(len(text)))
		b = append(b, flags, 0, 0, 0)
		b = append(b, make([]byte, newHeader-len(b))...)
		return append(append(b, entries...), text...)
	}
	old := func() []byte {
		b := order.AppendUint32([]byte(oldMagic+"\x00"), uint32(len(list)))
		entries, text := build(false, 0)
		return append(append(b, entries...), text...)
	}
	switch format {
	case "new":
		return modern(2)
	case "big-endian":
		return modern(3)
	case "old":
		return old()
	}
	b := order.AppendUint32([]byte(oldMagic+"\x00"), uint32(len(list)))
	entries, _ := build(false, 0)
	b = append(b, entries...)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return append(b, modern(0)...)
}

var cacheEntries = []CacheEntry{
	{Name: "libcuda.so.1", Path: "/usr/lib/x86_64-linux-gnu/libcuda.so.1", Flags: 0x303},
	{Name: "libc.so.6", Path: "/lib/x86_64-linux-gnu/glibc-hwcaps/x86-64-v3/libc.so.6", Flags: 0x303},
	{Name: "libc.so.6", Path: "/lib/i386-linux-gnu/libc.so.6", Flags: 0x3},
}

func TestParseCache(t *testing.T) {
	for _, format := range []string{"new", "old", "both"} {
		got, err := ParseCache(cacheFile(format, binary.LittleEndian, cacheEntries))
		if err != nil {
			t.Errorf("%s: %v", format, err)
		}
		if diff := cmp.Diff(cacheEntries, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
	got, err := ParseCache(cacheFile("big-endian", binary.BigEndian, cacheEntries))
	if diff := cmp.Diff(cacheEntries, got); err != nil || diff != "" {
		t.Errorf("big-endian: %v\n%s", err, diff)
	}
}

func TestParseCacheBroken(t *testing.T) {
	good := cacheFile("new", binary.LittleEndian, cacheEntries)
	many := slices.Clone(good)
	binary.LittleEndian.PutUint32(many[20:], 1<<31)
	outside := slices.Clone(good)
	binary.LittleEndian.PutUint32(outside[newHeader+4:], 1<<30)
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("hello"), "header only": good[:30], "cut in entries": good[:60], "cut in strings": good[:len(good)-3],
		"too many": many, "name outside": outside,
	} {
		if _, err := ParseCache(data); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestParseDefaults(t *testing.T) {
	loader := []byte("\x7fELFx\x00/usr/lib/locale/\x00%s\x00/lib64/\x00/usr/lib64/\x00tail")
	if got := ParseDefaults(loader); !slices.Equal(got, []string{"/lib64", "/usr/lib64"}) {
		t.Errorf("got %q", got)
	}
	for _, data := range []string{"", "/lib/\x00", "/lib\x00/usr/lib\x00", strings.Repeat("/lib/\x00", 30)} {
		if got := ParseDefaults([]byte(data)); got != nil {
			t.Errorf("%.20q: got %q, want nothing", data, got)
		}
	}
}

func FuzzParseCache(f *testing.F) {
	for _, format := range []string{"new", "old", "both"} {
		f.Add(cacheFile(format, binary.LittleEndian, cacheEntries))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _ := ParseCache(data)
		for _, e := range list {
			if len(e.Name) > maxCacheString || len(e.Path) > maxCacheString {
				t.Errorf("a string of %d and %d bytes", len(e.Name), len(e.Path))
			}
		}
	})
}

func FuzzParseDefaults(f *testing.F) {
	f.Add([]byte("/lib64/\x00/usr/lib64/\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, d := range ParseDefaults(data) {
			if d == "" || d[0] != '/' {
				t.Errorf("directory %q", d)
			}
		}
	})
}

func FuzzParsePreload(f *testing.F) {
	f.Add([]byte("/a.so:/b.so # c\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, n := range ParsePreload(data) {
			if strings.ContainsAny(n, " \t\n:#") || n == "" {
				t.Errorf("name %q", n)
			}
		}
	})
}
