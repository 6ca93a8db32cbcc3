package loader

import (
	"context"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/collect/collecttest"
	"strata/internal/machine"
	"strata/internal/stack"
)

func TestCollector(t *testing.T) {
	s := collecttest.Read(t, Collector, collecttest.Open(t, "full.txtar"))
	var dirs []string
	for _, c := range s.Loader.Conf.Value {
		dirs = append(dirs, c.Dir+" "+c.From.String())
	}
	want := []string{
		"/usr/local/cuda/targets/x86_64-linux/lib /etc/ld.so.conf.d/cuda.conf:1",
		"/lib/x86_64-linux-gnu /etc/ld.so.conf.d/x86_64-linux-gnu.conf:1",
		"/usr/lib/x86_64-linux-gnu /etc/ld.so.conf.d/x86_64-linux-gnu.conf:2",
		"/opt/extra/lib /etc/ld.so.conf:5",
	}
	if diff := cmp.Diff(want, dirs); diff != "" {
		t.Errorf("conf (-want +got):\n%s", diff)
	}
	if !strings.Contains(s.Loader.Conf.Why, "nest deeper") {
		t.Errorf("the include loop is not reported: %q", s.Loader.Conf.Why)
	}
	if diff := cmp.Diff([]string{"/lib/libfake.so", "/lib/libother.so", "/lib/third.so"}, s.Loader.Preload.Value); diff != "" {
		t.Errorf("preload (-want +got):\n%s", diff)
	}
	if got := s.Loader.Cache.State; got != stack.Absent {
		t.Errorf("missing cache: %v", got)
	}
	d := s.Loader.Defaults
	if !d.Known() || d.Sources[0].Kind != "derived" || !slices.Equal(d.Value, []string{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib", "/usr/lib"}) {
		t.Errorf("defaults: %+v", d)
	}
}

func TestScratch(t *testing.T) {
	s := collecttest.Read(t, Collector, collecttest.Open(t, "scratch.txtar"))
	if s.Loader.Defaults.State != stack.Absent || s.Loader.Conf.State != stack.Absent || s.Loader.Preload.State != stack.Absent {
		t.Errorf("an image without a loader: %+v", s.Loader)
	}
}

func TestDirectories(t *testing.T) {
	var got []string
	for _, d := range Directories(context.Background(), collecttest.Open(t, "full.txtar")) {
		got = append(got, d.Path+" "+d.Place+" "+d.From.Kind)
	}
	want := []string{
		"/opt/mine/lib ldpath env",
		"/usr/local/cuda/lib64/stubs stubs env",
		"/closed/lib ldpath env",
		"/usr/local/cuda/targets/x86_64-linux/lib toolkit file",
		"/lib/x86_64-linux-gnu system file",
		"/opt/extra/lib system file",
		"/lib system derived",
		"/usr/lib/wsl/lib wsl derived",
		"/usr/local/cuda/compat compat derived",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Directories (-want +got):\n%s", diff)
	}
}

func TestPlace(t *testing.T) {
	for dir, want := range map[string]string{
		"/usr/local/cuda-12.4/compat":                           "compat",
		"/usr/local/cuda/lib64":                                 "toolkit",
		"/usr/local/cuda-12.4/targets/x86_64-linux/lib/stubs":   "stubs",
		"/opt/conda/lib":                                        "conda",
		"/home/u/miniconda3/envs/x/lib":                         "conda",
		"/v/lib/python3.11/site-packages/nvidia/cublas/lib":     "wheel",
		"/opt/nvidia/hpc_sdk/Linux_x86_64/24.5/cuda/12.4/lib64": "hpc",
		"/usr/lib/wsl/lib":                                      "wsl",
		"/usr/lib64":                                            "",
		"/opt/compat/lib":                                       "",
	} {
		if got := Place(dir); got != want {
			t.Errorf("Place(%q) = %q, want %q", dir, got, want)
		}
	}
}

// cacheFile builds a cache in one of the three formats.
func cacheFile(format string, order binary.AppendByteOrder, list []stack.CacheEntry) []byte {
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

var cacheEntries = []stack.CacheEntry{
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

func FuzzConf(f *testing.F) {
	f.Add("include *.conf\n/lib\n", "/usr/lib=libc6\ninclude ../ld.so.conf\n")
	f.Fuzz(func(t *testing.T, main, sub string) {
		dir := t.TempDir()
		if err := os.MkdirAll(dir+"/etc/ld.so.conf.d", 0o755); err != nil {
			t.Fatal(err)
		}
		os.WriteFile(dir+"/etc/ld.so.conf", []byte(main), 0o644)
		os.WriteFile(dir+"/etc/ld.so.conf.d/a.conf", []byte(sub), 0o644)
		m, c, err := machine.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		dirs, _ := Conf(context.Background(), m)
		for _, d := range dirs {
			if !strings.HasPrefix(d.Dir, "/") {
				t.Errorf("directory %q", d.Dir)
			}
		}
	})
}
