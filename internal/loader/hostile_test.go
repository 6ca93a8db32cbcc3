package loader_test

import (
	"fmt"
	"strings"
	"testing"

	"strata/internal/loader"
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
