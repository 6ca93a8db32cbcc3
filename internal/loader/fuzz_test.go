package loader_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"strata/internal/loader"
	"strata/internal/machine"
)

// FuzzStart follows the linker through machines in words, files as in the section elf of an archive. It holds the outcome to what any
// process can be: each edge ends at an object that is loaded, no file is loaded twice, and an Open that fails leaves everything as it was.
func FuzzStart(f *testing.F) {
	const linker = "/lib64/ld-linux-x86-64.so.2 soname=ld-linux-x86-64.so.2\n"
	f.Add(linker+"/a needs=b,c rpath=$ORIGIN/x:/y\n/x/b soname=b needs=c\n/y/c runpath=${ORIGIN}\n/y/d needs=/a", "/x:$LIB", "d")
	f.Add(linker+"/a type=exec needs=b,b,a\n/lib64/b soname=c needs=c,d\n/usr/lib64/d needs=libnone.so", "", "b")
	f.Add("/lib/ld-musl-x86_64.so.1\n/a needs=b,libm.so.6 rpath=$ORIGIN\n/b needs=/b,a runpath=/x", "/:/lib", "/b")
	f.Fuzz(func(t *testing.T, files, libraryPath, name string) {
		if len(files) > 4096 || strings.Contains(files, "pad=") || strings.Contains(files, "code=") {
			return
		}
		a, err := machine.OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte("-- elf --\n" + files)}}, "m.txtar")
		if err != nil {
			return
		}
		defer a.Close()
		l, err := loader.New(a.Machine, loader.Options{})
		if err != nil {
			return
		}
		p := l.Start("/a", loader.Environment{LibraryPath: libraryPath, Preload: name, Dir: "/"})
		sound(t, l, p)
		objects, edges, failures := len(p.Objects), len(p.Edges), len(p.Failures)
		if _, err := p.Open(name, nil); err != nil && (len(p.Objects) != objects || len(p.Edges) != edges || len(p.Failures) != failures) {
			t.Fatalf("opening %q failed and left %d objects of %d, %d edges of %d", name, len(p.Objects), objects, len(p.Edges), edges)
		}
		sound(t, l, p)
		p.Places(name, nil)
		p.Versions()
	})
}

func sound(t *testing.T, l *loader.Linker, p *loader.Process) {
	t.Helper()
	paths := map[string]bool{}
	for i, o := range p.Objects {
		if o.File == nil {
			t.Fatalf("%q is loaded and was not read", o.Path)
		}
		if i == 0 && l.Libc == "musl" { // which loads a program again that is asked for as a library
			continue
		}
		if paths[o.Path] {
			t.Fatalf("%q is loaded twice", o.Path)
		}
		paths[o.Path] = true
	}
	for _, e := range p.Edges {
		if e.To != nil && !slices.Contains(p.Objects, e.To) {
			t.Fatalf("%q, asked for by %v, is %q, which is not loaded", e.Name, e.From, e.To.Path)
		}
	}
}
