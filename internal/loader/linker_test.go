package loader_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"strata/internal/loader"
	"strata/internal/machine"
)

// open returns a machine in words.
func open(t *testing.T, text string) *machine.Machine {
	t.Helper()
	m, err := machine.OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte(text)}}, "m.txtar")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m.Machine
}

func TestNew(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		libc       string
		release    string
		noLibc     bool
		hwcaps     []string
		err        string
	}{
		{"a release in the name, subdirectories of old", `
-- links --
/lib64/ld-linux-x86-64.so.2 -> /lib64/ld-2.31.so
-- elf --
/lib64/ld-2.31.so soname=ld-linux-x86-64.so.2
/lib64/libc.so.6 soname=libc.so.6
`, "glibc", "2.31", false, []string{"tls/haswell/x86_64", "tls/haswell", "tls/x86_64", "tls", "haswell/x86_64", "haswell", "x86_64"}, ""},
		{"no release: taken for a new one", "\n-- elf --\n/lib64/ld-linux-x86-64.so.2\n", "glibc", "", true, []string{"glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v2"}, ""},
		{"musl", "\n-- elf --\n/lib/ld-musl-x86_64.so.1\n", "musl", "", false, nil, ""},
		{"nothing", "\n-- rootfs/etc/os-release --\nID=x\n", "", "", false, nil, "no dynamic linker found"},
		{"not an ELF file", "\n-- rootfs/lib64/ld-linux-x86-64.so.2 --\ntext that is long enough to be no stub: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", "", "", false, nil, "not an ELF file"},
	} {
		l, err := loader.New(open(t, tc.text), loader.Options{CPU: loader.CPU{Level: 3, Platform: "haswell"}})
		if err != nil || tc.err != "" {
			if err == nil || tc.err == "" || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%s: error %v, want %q", tc.name, err, tc.err)
			}
			continue
		}
		if l.Libc != tc.libc || l.Version.String() != tc.release || l.NoLibc != tc.noLibc || !slices.Equal(l.Hwcaps, tc.hwcaps) {
			t.Errorf("%s: %s %s, without a C library: %v, %v", tc.name, l.Libc, l.Version, l.NoLibc, l.Hwcaps)
		}
	}
}

// TestNoLibc has a part of a machine: what every system has is taken as present, and nothing else.
func TestNoLibc(t *testing.T) {
	l, err := loader.New(open(t, `
-- elf --
/lib64/ld-linux-x86-64.so.2 soname=ld-linux-x86-64.so.2
/bin/prog type=exec interp=/lib64/ld-linux-x86-64.so.2 needs=libc.so.6(GLIBC_2.17),libstdc++.so.6,libcudart.so.12
`), loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := l.Start("/bin/prog", loader.Environment{Dir: "/"})
	if len(p.Failures) != 1 || p.Failures[0].Name != "libcudart.so.12" {
		t.Errorf("missing: %v", p.Failures)
	}
	for _, m := range p.Versions() {
		if !m.Warning {
			t.Errorf("version: %v", m)
		}
	}
	if _, err := p.Symbols(nil); err != nil {
		t.Error(err)
	}
}

// TestHostile has circles, a very long search path and a very deep tree: bounded, and said.
func TestHostile(t *testing.T) {
	var text strings.Builder
	text.WriteString("hostile\n-- elf --\n/lib64/ld-linux-x86-64.so.2\n/lib64/libc.so.6\n")
	text.WriteString("/bin/circle needs=liba.so rpath=" + strings.Repeat("/x:", 10000) + "/lib\n/lib/liba.so needs=libb.so,liba.so rpath=$ORIGIN\n/lib/libb.so needs=liba.so,libb.so rpath=$ORIGIN\n")
	l, err := loader.New(open(t, text.String()), loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := l.Start("/bin/circle", loader.Environment{LibraryPath: strings.Repeat("/y:;", 50000), Dir: "/"})
	if len(p.Objects) != 3 || len(p.Failures) > 0 {
		t.Errorf("%d objects, missing %v", len(p.Objects), p.Failures)
	}
}
