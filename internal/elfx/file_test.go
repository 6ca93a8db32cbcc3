package elfx_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/elfx"
	"strata/internal/elfx/elftest"
)

func read(b []byte) (*elfx.File, error) { return elfx.Read(bytes.NewReader(b), int64(len(b))) }

var library = elftest.Spec{
	Soname: "libnvJitLink.so.12", Runpath: "$ORIGIN/../lib::/opt/lib", Rpath: "/old", NoDefaultLib: true,
	Needed:    []elftest.Need{{Library: "libc.so.6", Versions: []string{"GLIBC_2.2.5", "GLIBC_2.34"}, Weak: []string{"GLIBC_9.9"}}, {Library: "libdl.so.2"}},
	Undefined: []elftest.Symbol{{Name: "dlopen", Version: "GLIBC_2.34"}, {Name: "maybe", Weak: true}},
	Defines:   []string{"V12_3", "V12_4"},
	Defined:   []elftest.Symbol{{Name: "nvJitLinkCreate", Version: "V12_4"}, {Name: "plain"}},
	BuildID:   []byte{0xab, 0xcd}, Interp: "/lib64/ld-linux-x86-64.so.2",
	Compat: `{"format":1,"CUDA version":"12.9","driver":[535,550],"device":[1,14]}`,
}

func TestRead(t *testing.T) {
	want := elfx.File{
		Class: "ELF64", Machine: "x86_64", Type: "dyn",
		Soname: "libnvJitLink.so.12", Needed: []string{"libc.so.6", "libdl.so.2"},
		Rpath: []string{"/old"}, Runpath: []string{"$ORIGIN/../lib", "", "/opt/lib"},
		Interp: "/lib64/ld-linux-x86-64.so.2", NoDefaultLib: true,
		Needs:   []elfx.VersionNeed{{Library: "libc.so.6", Versions: []string{"GLIBC_2.2.5", "GLIBC_2.34"}, Weak: []string{"GLIBC_9.9"}}},
		Defines: []string{"V12_3", "V12_4"}, Versioned: true, BuildID: "abcd",
		CompatNote: &elfx.FwdCompat{Format: 1, CUDAVersion: "12.9", Drivers: []int{535, 550}, Devices: []int{1, 14}},
	}
	for _, tc := range []struct{ class, machine string }{
		{"ELF64", "x86_64"}, {"ELF64", "aarch64"}, {"ELF64", "ppc64le"}, {"ELF64", "s390x"}, {"ELF64", "riscv64"}, {"ELF32", "i686"}, {"ELF32", "armv7l"},
	} {
		for _, bare := range []bool{false, true} {
			s := library
			s.Class, s.Machine, s.NoSections = tc.class, tc.machine, bare
			want := want
			want.Class, want.Machine = tc.class, tc.machine
			got, err := read(elftest.Build(s))
			if err != nil {
				t.Fatalf("%v, no sections %t: %v", tc, bare, err)
			}
			if bare != (got.SectionProblem != "") || bare != (len(got.Sections) == 0) {
				t.Errorf("%v, no sections %t: %d sections, problem %q", tc, bare, len(got.Sections), got.SectionProblem)
			}
			got.Sections, got.SectionProblem = nil, ""
			if d := cmp.Diff(&want, got); d != "" {
				t.Errorf("%v, no sections %t: (-want +got)\n%s", tc, bare, d)
			}
		}
	}
}

func TestReadPlain(t *testing.T) {
	got, err := read(elftest.Build(elftest.Spec{Needed: []elftest.Need{{Library: "libc.so.6"}}}))
	if err != nil {
		t.Fatal(err)
	}
	if got.Versioned || got.Defines != nil || got.Needs != nil || got.Soname != "" || got.Runpath != nil || got.Static || got.CompatNote != nil {
		t.Errorf("a library without versions: %+v", got)
	}
}

func TestSections(t *testing.T) {
	b := elftest.Build(elftest.Spec{Fatbin: []byte("12345678")})
	got, err := read(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range got.Sections {
		if s.Name == ".nv_fatbin" {
			if string(b[s.Offset:s.Offset+s.Size]) != "12345678" {
				t.Errorf("section %+v is elsewhere", s)
			}
			return
		}
	}
	t.Errorf("no .nv_fatbin in %+v", got.Sections)
}

func TestReadErrors(t *testing.T) {
	good := elftest.Build(library)
	patch := func(off int, v byte) []byte {
		b := bytes.Clone(good)
		b[off] = v
		return b
	}
	for _, tc := range []struct {
		name string
		data []byte
		want error
	}{
		{"empty file", nil, elfx.ErrTooShort},
		{"15 bytes", good[:15], elfx.ErrTooShort},
		{"half a header", good[:40], elfx.ErrTooShort},
		{"linker script", []byte("/* GNU ld script */ INPUT(libfoo.so)"), elfx.ErrNotELF},
		{"git-lfs pointer", []byte("version https://git-lfs.github.com/spec/v1\n"), elfx.ErrNotELF},
		{"class 9", patch(4, 9), elfx.ErrMalformed},
		{"byte order 9", patch(5, 9), elfx.ErrMalformed},
		{"program headers of 57 bytes", patch(54, 57), elfx.ErrMalformed},
		{"60,000 program headers", patch(57, 234), elfx.ErrMalformed},
		{"cut behind the header", good[:64], elfx.ErrTruncated},
		{"cut in the first page", good[:0x800], elfx.ErrTruncated},
		{"cut in the tables", good[:0x1100], elfx.ErrTruncated},
	} {
		if _, err := read(tc.data); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, err, tc.want)
		}
	}
}

// TestReadTruncatedTail cuts a library behind its dynamic section, as an
// interrupted download does: everything is still read, and the error says so.
func TestReadTruncatedTail(t *testing.T) {
	s := library
	s.Pad = 1 << 16
	b := elftest.Build(s)
	got, err := read(b[:0x3000])
	if !errors.Is(err, elfx.ErrTruncated) {
		t.Fatalf("error %v, want ErrTruncated", err)
	}
	if got == nil || got.Soname != s.Soname || got.SectionProblem == "" {
		t.Errorf("nothing kept: %+v", got)
	}
}

// TestReadStaleSize gives a size larger than the file, as when a file shrinks
// between stat and read.
func TestReadStaleSize(t *testing.T) {
	b := elftest.Build(library)
	if _, err := elfx.Read(bytes.NewReader(b[:100]), int64(len(b))); !errors.Is(err, elfx.ErrTruncated) {
		t.Errorf("error %v, want ErrTruncated", err)
	}
}

func TestReadNoDynamic(t *testing.T) {
	b := elftest.Build(elftest.Spec{})
	for i := range 16 { // PT_DYNAMIC becomes PT_NULL
		if p := b[64+56*i:]; binary.LittleEndian.Uint32(p) == 2 {
			binary.LittleEndian.PutUint32(p, 0)
			break
		}
	}
	got, err := read(b)
	if err != nil || !got.Static {
		t.Errorf("static file: %+v, %v", got, err)
	}
}

// TestReadDebugOnly makes .text a section without contents, as objcopy
// --only-keep-debug does, and cuts the contents off the segments.
func TestReadDebugOnly(t *testing.T) {
	b := elftest.Build(elftest.Spec{Soname: "libx.so.1", BuildID: []byte{1, 2}})
	shoff := binary.LittleEndian.Uint64(b[40:])
	for h := b[shoff:]; len(h) >= 64; h = h[64:] {
		const progbits, executable = 1, 4
		if binary.LittleEndian.Uint32(h[4:]) == progbits && h[8]&executable != 0 {
			h[4] = 8 // SHT_NOBITS
		}
	}
	got, err := read(b)
	if err != nil || !got.DebugOnly || got.Soname != "" || got.BuildID != "0102" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReadSurvivesDamage(t *testing.T) {
	for _, class := range []string{"ELF64", "ELF32"} {
		s := library
		s.Class = class
		good := elftest.Build(s)
		for n := range good {
			if n > 0x600 && n < 0x1000 { // zeros
				continue
			}
			for _, v := range []byte{0, 1, 0x7f, 0x80, 0xff} {
				b := bytes.Clone(good)
				b[n] = v
				use(b)
			}
			use(good[:n])
		}
	}
}

// use calls everything that reads a file; it must only return.
func use(b []byte) {
	r, n := bytes.NewReader(b), int64(len(b))
	_, _ = elfx.Read(r, n)
	_, _ = elfx.UndefinedSymbols(r, n)
	_, _ = elfx.DefinedSymbols(r, n)
}

func FuzzRead(f *testing.F) {
	f.Add(elftest.Build(elftest.Spec{}))
	f.Add(elftest.Build(library))
	s := library
	s.Class, s.Machine, s.NoSections = "ELF32", "i686", true
	f.Add(elftest.Build(s))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		r, n := bytes.NewReader(b), int64(len(b))
		if file, err := elfx.Read(r, n); err == nil && file == nil {
			t.Fatal("neither file nor error")
		}
		use(b)
	})
}

func BenchmarkRead(b *testing.B) {
	r := bytes.NewReader(elftest.Build(library))
	for b.Loop() {
		if _, err := elfx.Read(r, r.Size()); err != nil {
			b.Fatal(err)
		}
	}
}
