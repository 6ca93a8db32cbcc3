package codefile_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/internal/codefile"
	"strata/internal/elfx/elftest"
	"strata/internal/fatbin"
	"strata/internal/fatbin/fatbintest"
	"strata/internal/machine"
)

// library is an ELF file with code, larger than what an unpacked member remembers.
func library() []byte {
	return elftest.Build(elftest.Spec{
		Needed: []elftest.Need{{Library: "libcudart.so.12"}},
		Fatbin: fatbintest.Build(fatbintest.Container{{Arch: "80"}}, fatbintest.Container{{Kind: "ptx", Arch: "90", ISA: "8.7"}}),
		Pad:    5 << 20,
	})
}

// root is a directory with files, opened as a machine.
func root(t *testing.T, files map[string][]byte) *machine.Machine {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, c, err := machine.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return m
}

func find(t *testing.T, m *machine.Machine, paths ...string) *codefile.Found {
	t.Helper()
	found, err := codefile.Find(context.Background(), m, paths)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func wheel(t *testing.T, method uint16) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, data := range map[string][]byte{"pkg/lib.so": library(), "pkg/__init__.py": []byte("import os\n"), "pkg/plain.so": elftest.Build(elftest.Spec{})} {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = f.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFind(t *testing.T) {
	m := root(t, map[string][]byte{
		"lib/a.so":       library(),
		"lib/plain.so":   elftest.Build(elftest.Spec{}),
		"lib/deep/b.ptx": fatbintest.PTX("compute_80", "8.4"),
		"lib/note.txt":   []byte("nothing here"),
		"lib/empty":      nil,
	})
	found := find(t, m, "/lib")
	var names []string
	for _, f := range found.Files {
		names = append(names, f.Name()+" "+string(f.Code.Kind)+" "+f.Runtime)
	}
	if got, want := strings.Join(names, "; "), "/lib/a.so elf 12; /lib/deep/b.ptx ptx "; got != want || found.Looked != 5 || found.Without != 1 || len(found.Problems) > 0 {
		t.Errorf("%q, want %q; %d looked at, %d without, problems %q", got, want, found.Looked, found.Without, found.Problems)
	}
}

// TestFindNamed: what was named is told about, whatever it is.
func TestFindNamed(t *testing.T) {
	m := root(t, map[string][]byte{"note.txt": []byte("nothing here"), "plain.so": elftest.Build(elftest.Spec{})})
	found := find(t, m, "/note.txt", "/plain.so", "/missing.so")
	if len(found.Files) != 3 {
		t.Fatalf("%+v", found.Files)
	}
	if err := found.Files[0].Err; !errors.Is(err, fatbin.ErrForeign) {
		t.Errorf("a text: %v", err)
	}
	if f := found.Files[1]; f.Err != nil || f.Code.Entries != 0 {
		t.Errorf("a library without code: %+v", f)
	}
	if err := found.Files[2].Err; !machine.IsMissing(err) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestFindWheel(t *testing.T) {
	for name, method := range map[string]uint16{"stored": zip.Store, "deflated": zip.Deflate} {
		m := root(t, map[string][]byte{"w/a.whl": wheel(t, method)})
		for _, arg := range []string{"/w", "/w/a.whl"} {
			found := find(t, m, arg)
			if len(found.Files) != 1 || len(found.Problems) > 0 {
				t.Fatalf("%s: %+v", name, found)
			}
			f := found.Files[0]
			if f.Path != "/w/a.whl" || f.Member != "pkg/lib.so" || f.Code.Entries != 2 || len(f.Code.Problems) > 0 || found.Without != 1 {
				t.Errorf("%s: %s with %+v, %d without", name, f.Name(), f.Code, found.Without)
			}
		}
	}
}

// TestFindBroken: a wheel that is cut off, or whose member is, ends in an error or a problem.
func TestFindBroken(t *testing.T) {
	w := wheel(t, zip.Deflate)
	damaged := bytes.Clone(w)
	for i := 200; i < 4000; i += 7 {
		damaged[i] ^= 0x5a
	}
	m := root(t, map[string][]byte{"cut.whl": w[:len(w)/2], "damaged.whl": damaged, "fake.whl": []byte("PK\x03\x04 no zip file at all, and long enough for it")})
	if f := find(t, m, "/cut.whl").Files; len(f) != 1 || f[0].Err == nil {
		t.Errorf("cut: %+v", f)
	}
	if f := find(t, m, "/fake.whl").Files; len(f) != 1 || f[0].Err == nil {
		t.Errorf("fake: %+v", f)
	}
	if found := find(t, m, "/damaged.whl"); len(found.Files)+len(found.Problems)+found.Without == 0 {
		t.Errorf("damaged: nothing said: %+v", found)
	}
}

func TestFindStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := root(t, map[string][]byte{"lib/a.so": library()})
	if _, err := codefile.Find(ctx, m, []string{"/lib"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func FuzzZip(f *testing.F) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		part, _ := w.CreateHeader(&zip.FileHeader{Name: "lib.fatbin", Method: method})
		part.Write(fatbintest.Build(fatbintest.Container{{Arch: "80"}}))
	}
	w.Close()
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.whl"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		m, c, err := machine.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := codefile.Find(context.Background(), m, []string{"/a.whl"}); err != nil {
			t.Fatal(err)
		}
	})
}
