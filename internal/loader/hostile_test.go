package loader_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"strata/internal/elfx/elftest"
	"strata/internal/loader"
	"strata/internal/machine"
)

// TestSearchIsBounded has a chain of libraries with long search paths and many missing names, whose product is some 10^9 places.
func TestSearchIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("\n-- elf --\n/lib64/ld-linux-x86-64.so.2 soname=ld-linux-x86-64.so.2\n")
	var dirs []string
	for i := range 100 {
		dirs = append(dirs, "/opt"+strings.Repeat("/.", i))
	}
	for i := range 200 {
		fmt.Fprintf(&b, "/opt/lib%d.so rpath=%s needs=lib%d.so", i, strings.Join(dirs, ":"), i+1)
		for k := range 30 {
			fmt.Fprintf(&b, ",libmiss%d_%d.so", i, k)
		}
		b.WriteString("\n")
	}
	l, err := loader.New(open(t, b.String()), loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := l.Start("/opt/lib0.so", loader.Environment{})
	if n := len(p.Failures); n == 0 || !strings.Contains(p.Failures[n-1].Reason, "given up") {
		t.Errorf("%d failures, the last does not say that the search was given up", n)
	}
}

// TestOpenIsUndone has a library that answers to its soname too; when the load of which it is part fails, nothing answers to it any more.
func TestOpenIsUndone(t *testing.T) {
	l, err := loader.New(open(t, `
-- elf --
/lib64/ld-linux-x86-64.so.2 soname=ld-linux-x86-64.so.2
/lib64/libc.so.6 soname=libc.so.6
/opt/app needs=libc.so.6
/opt/liba.so needs=/opt/b-file.so,libb.so.1,libnone.so
/opt/b-file.so soname=libb.so.1
`), loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := l.Start("/opt/app", loader.Environment{})
	if _, err := p.Open("/opt/liba.so", nil); err == nil {
		t.Fatal("a library without what it needs was loaded")
	}
	if o, err := p.Open("libb.so.1", nil); err == nil {
		t.Errorf("libb.so.1 is %s, which did not stay loaded", o.Path)
	}
}

// TestLongSearchPath has 100,000 directories to search, of which the last holds the library: it is found, and a name that is nowhere is
// given up with a reason where there are many such names.
func TestLongSearchPath(t *testing.T) {
	var needs []string
	for i := range 40 {
		needs = append(needs, fmt.Sprintf("libnone%d.so", i))
	}
	l, err := loader.New(open(t, `
-- elf --
/lib64/ld-linux-x86-64.so.2 soname=ld-linux-x86-64.so.2
/lib64/libc.so.6 soname=libc.so.6
/opt/one needs=liblast.so
/opt/many needs=`+strings.Join(needs, ",")+`
/opt/last/liblast.so
`), loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var dirs strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&dirs, "/d%d:", i)
	}
	env := loader.Environment{LibraryPath: dirs.String() + "/opt/last", Dir: "/"}
	if p := l.Start("/opt/one", env); len(p.Failures) > 0 || p.Objects[1].Path != "/opt/last/liblast.so" {
		t.Errorf("%v, %v", p.Failures, p.Objects)
	}
	p := l.Start("/opt/many", env)
	if n := len(p.Failures); n == 0 || n == len(needs) || !strings.Contains(p.Failures[n-1].Reason, "given up") {
		t.Errorf("%d failures of %d names: %v", n, len(needs), p.Failures)
	}
}

// TestLongRPath has a file whose RPATH has 100,000 elements, more than is read of one: that is said, and nothing else loaded.
func TestLongRPath(t *testing.T) {
	for _, key := range []string{"rpath", "runpath"} {
		l, err := loader.New(open(t, `
-- elf --
/lib64/ld-linux-x86-64.so.2 soname=ld-linux-x86-64.so.2
/opt/app needs=libx.so
/lib64/libx.so needs=liby.so `+key+`=`+strings.Repeat("/x:", 100_000)+`/y
/lib64/liby.so
`), loader.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := l.Start("/opt/app", loader.Environment{})
		if len(p.Failures) != 1 || !p.Failures[0].Fatal || !strings.Contains(p.Failures[0].Reason, "the "+key+" has no end within 65536 bytes") {
			t.Errorf("%s: %v", key, p.Failures)
		}
	}
}

// TestLargeCircle has 400 libraries each of which needs the 20 after it, around a circle.
func TestLargeCircle(t *testing.T) {
	const n, each = 400, 20
	var b strings.Builder
	b.WriteString("\n-- elf --\n/lib64/ld-linux-x86-64.so.2 soname=ld-linux-x86-64.so.2\n")
	for i := range n {
		var needs []string
		for k := range each {
			needs = append(needs, fmt.Sprintf("lib%d.so", (i+1+k)%n))
		}
		fmt.Fprintf(&b, "/lib64/lib%d.so needs=%s\n", i, strings.Join(needs, ","))
	}
	l, err := loader.New(open(t, b.String()), loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := l.Start("/lib64/lib0.so", loader.Environment{})
	if len(p.Failures) > 0 || len(p.Objects) != n || len(p.Edges) != n*each {
		t.Errorf("%d objects, %d edges, failures %v", len(p.Objects), len(p.Edges), p.Failures)
	}
}

// TestNoLibraries has files that are none where a library is looked for, first on the path: each ends the load, with the linker's words.
func TestNoLibraries(t *testing.T) {
	l, err := loader.New(open(t, `
-- sparse --
0 /bad/libempty.so
20000000000 /bad/libhuge.so
-- rootfs/bad/libscript.so --
/* GNU ld script */ INPUT ( -lreal ) and enough of it to be longer than a header is
-- elf --
/lib64/ld-linux-x86-64.so.2 soname=ld-linux-x86-64.so.2
/opt/empty needs=libempty.so rpath=/bad
/opt/huge needs=libhuge.so rpath=/bad
/opt/script needs=libscript.so rpath=/bad
/lib64/libempty.so
/lib64/libhuge.so
/lib64/libscript.so
`), loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, reason := range map[string]string{"empty": "file too short", "huge": "invalid ELF header", "script": "invalid ELF header"} {
		p := l.Start("/opt/"+name, loader.Environment{})
		if len(p.Failures) != 1 || !p.Failures[0].Fatal || p.Failures[0].Reason != reason || p.Failures[0].Name != "/bad/lib"+name+".so" {
			t.Errorf("%s: %v", name, p.Failures)
		}
	}
}

// TestSparseLibrary has a sound library of 20 GB on disk, nearly all of it a hole: little of it is read.
func TestSparseLibrary(t *testing.T) {
	dir := t.TempDir()
	for name, spec := range map[string]elftest.Spec{
		"ld-linux-x86-64.so.2": {Soname: "ld-linux-x86-64.so.2"},
		"app":                  {Needed: []elftest.Need{{Library: "libhuge.so"}}, Rpath: "/"},
		"libhuge.so":           {Soname: "libhuge.so"},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), elftest.Build(spec), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Truncate(filepath.Join(dir, "libhuge.so"), 20_000_000_000); err != nil {
		t.Skipf("no file of 20 GB can be made here: %v", err)
	}
	m, c, err := machine.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	l, err := loader.New(m, loader.Options{Linker: "/ld-linux-x86-64.so.2"})
	if err != nil {
		t.Fatal(err)
	}
	p := l.Start("/app", loader.Environment{})
	runtime.ReadMemStats(&after)
	if len(p.Failures) > 0 || len(p.Objects) != 2 {
		t.Errorf("%v, %v", p.Objects, p.Failures)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("%d bytes of memory for three small files and a hole", used)
	}
}
