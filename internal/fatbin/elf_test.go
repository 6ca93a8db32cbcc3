package fatbin_test

import (
	"bytes"
	"errors"
	"testing"

	"strata/internal/elfx/elftest"
	"strata/internal/fatbin"
	"strata/internal/fatbin/fatbintest"
)

func TestScanELF(t *testing.T) {
	linked := fatbintest.Build(container{{Arch: "80"}}, container{{Arch: "90a"}})
	relocatable := fatbintest.Build(container{{Kind: "ptx", Arch: "75"}})
	for _, tc := range []struct {
		name        string
		spec        elftest.Spec
		containers  int
		relocatable bool
		err         error
	}{
		{"no GPU code", elftest.Spec{}, 0, false, nil},
		{"linked", elftest.Spec{Fatbin: linked}, 2, false, nil},
		{"both: what was linked counts", elftest.Spec{Fatbin: linked, RelFatbin: relocatable}, 2, false, nil},
		{"relocatable", elftest.Spec{RelFatbin: relocatable}, 1, true, nil},
		{"relocatable, nothing linked", elftest.Spec{Fatbin: []byte{}, RelFatbin: relocatable}, 1, true, nil},
		{"another machine", elftest.Spec{Machine: "aarch64", Fatbin: linked}, 2, false, nil},
		{"32 bits", elftest.Spec{Class: "ELF32", Machine: "i686"}, 0, false, nil},
		{"no section table", elftest.Spec{Fatbin: linked, NoSections: true}, 0, false, fatbin.ErrNoSections},
	} {
		b := elftest.Build(tc.spec)
		s, err := fatbin.ScanELF(bytes.NewReader(b), int64(len(b)))
		if !errors.Is(err, tc.err) {
			t.Errorf("%s: error %v, want %v", tc.name, err, tc.err)
			continue
		}
		if err == nil && (s.Containers != tc.containers || s.Relocatable != tc.relocatable || len(s.Problems) > 0) {
			t.Errorf("%s: %+v, want %d containers", tc.name, s, tc.containers)
		}
	}
}

// TestLinkable has PTX in the relocatable objects behind linked code: all must hold it for the driver to link anew.
func TestLinkable(t *testing.T) {
	linked := fatbintest.Build(container{{Arch: "80"}})
	object := container{{Arch: "80"}, {Kind: "ptx", Arch: "80", ISA: "8.4"}}
	for _, tc := range []struct {
		name    string
		objects []byte
		want    int
	}{
		{"in all", fatbintest.Build(object, object), 1},
		{"in one of two", fatbintest.Build(object, container{{Arch: "80"}}), 0},
		{"none", fatbintest.Build(container{{Arch: "80"}}), 0},
	} {
		b := elftest.Build(elftest.Spec{Fatbin: linked, RelFatbin: tc.objects})
		s, err := fatbin.ScanELF(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Linkable) != tc.want || len(s.Codes) != 1 || s.Containers != 1 {
			t.Errorf("%s: linkable %v of codes %v", tc.name, s.Linkable, s.Codes)
		}
		if tc.want == 1 && (s.Linkable[0].Arch != "compute_80" || s.Linkable[0].ISA != "8.4") {
			t.Errorf("%s: %+v", tc.name, s.Linkable[0])
		}
	}
}

func TestScanELFErrors(t *testing.T) {
	b := elftest.Build(elftest.Spec{Fatbin: fatbintest.Build(container{{Arch: "80"}})})
	for _, data := range [][]byte{nil, []byte("no ELF"), bytes.Repeat([]byte("text"), 100), b[:100], b[:len(b)-1]} {
		if s, err := fatbin.ScanELF(bytes.NewReader(data), int64(len(data))); err == nil {
			t.Errorf("%d bytes: %+v and no error", len(data), s)
		}
	}
}

func TestScanELFSurvivesDamage(t *testing.T) {
	good := elftest.Build(elftest.Spec{Fatbin: fatbintest.Build(sample...), RelFatbin: fatbintest.Build(sample[3])})
	for n := range good {
		if n >= 0x200 && n < 0x1000 {
			continue // zeros
		}
		for _, v := range []byte{0, 1, 0x7f, 0xff} {
			b := bytes.Clone(good)
			b[n] = v
			_, _ = fatbin.ScanELF(bytes.NewReader(b), int64(len(b))) // must only return
		}
	}
}

func FuzzScanELF(f *testing.F) {
	f.Add(elftest.Build(elftest.Spec{Fatbin: fatbintest.Build(sample...)}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := fatbin.ScanELF(bytes.NewReader(b), int64(len(b))); (s == nil) == (err == nil) {
			t.Fatalf("%v, %v", s, err)
		}
	})
}
