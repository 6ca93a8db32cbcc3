package fatbin_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/fatbin"
	"strata/internal/fatbin/fatbintest"
)

type (
	container = fatbintest.Container
	code      = fatbintest.Code
)

func scan(t testing.TB, b []byte) *fatbin.Summary {
	t.Helper()
	s, err := fatbin.Scan(bytes.NewReader(b), 0, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var sample = []container{
	{{Arch: "80"}, {Arch: "90a"}, {Kind: "ptx", Arch: "90a", ISA: "8.4", Compression: "lz4"}},
	{{Arch: "80"}, {Arch: "80"}, {Arch: "90", Compression: "zstd"}, {Arch: "100f", Compression: "zstd"}, {Kind: "ptx", Arch: "80", ISA: "9.0"}},
	{},
	{{Compression: "zstd", Group: []code{{Arch: "80"}, {Arch: "120a"}}}, {Compression: "zstd", Group: []code{{Kind: "ptx", Arch: "100f", ISA: "9.5"}, {Kind: "ptx", Arch: "75", ISA: "9.5"}}}},
}

func TestScan(t *testing.T) {
	want := &fatbin.Summary{
		Containers: 4, Entries: 12, Grouped: 4,
		Codes: []fatbin.Code{
			{Kind: "cubin", Arch: "sm_80", Compression: "none", Containers: 2, Entries: 3},
			{Kind: "cubin", Arch: "sm_80", Compression: "zstd", Containers: 1, Entries: 1},
			{Kind: "cubin", Arch: "sm_90", Compression: "zstd", Containers: 1, Entries: 1},
			{Kind: "cubin", Arch: "sm_90a", Compression: "none", Containers: 1, Entries: 1},
			{Kind: "cubin", Arch: "sm_100f", Compression: "zstd", Containers: 1, Entries: 1},
			{Kind: "cubin", Arch: "sm_120a", Compression: "zstd", Containers: 1, Entries: 1},
			{Kind: "ptx", Arch: "compute_75", ISA: "9.5", Compression: "zstd", Containers: 1, Entries: 1},
			{Kind: "ptx", Arch: "compute_80", ISA: "9.0", Compression: "none", Containers: 1, Entries: 1},
			{Kind: "ptx", Arch: "compute_90a", ISA: "8.4", Compression: "lz4", Containers: 1, Entries: 1},
			{Kind: "ptx", Arch: "compute_100f", ISA: "9.5", Compression: "zstd", Containers: 1, Entries: 1},
		},
		Mixes: []fatbin.Mix{
			{Codes: []int{}, Containers: 1},
			{Codes: []int{0, 2, 4, 7}, Containers: 1},
			{Codes: []int{0, 3, 8}, Containers: 1},
			{Codes: []int{1, 5, 6, 9}, Containers: 1},
		},
	}
	b := fatbintest.Build(sample...)
	if d := cmp.Diff(want, scan(t, b)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	// Somewhere in a file, and with a linker's padding between containers.
	half := fatbintest.Build(sample[:2]...)
	padded := append(append(append(make([]byte, 72), half...), make([]byte, 120)...), fatbintest.Build(sample[2:]...)...)
	s, err := fatbin.Scan(bytes.NewReader(padded), 72, int64(len(padded)-72))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, s); d != "" {
		t.Errorf("with padding: (-want +got)\n%s", d)
	}
}

func TestScanDamage(t *testing.T) {
	good := fatbintest.Build(container{{Arch: "80"}, {Arch: "90"}}, container{{Arch: "100"}})
	const first, second = 16, 16 + 80 // entries
	const last = 16 + 2*80            // container
	for _, tc := range []struct {
		name       string
		edit       func(b []byte) []byte
		entries    int
		problem    string
		containers int
	}{
		{"nothing", func(b []byte) []byte { return b }, 3, "", 2},
		{"foreign magic", func(b []byte) []byte { b[last] = 0; return b }, 2, "no fat binary at 176", 1},
		{"old magic", func(b []byte) []byte { binary.LittleEndian.PutUint32(b, 0x1EE55A01); return b }, 0, "before CUDA 4", 0},
		{"container longer than its section", func(b []byte) []byte { binary.LittleEndian.PutUint64(b[last+8:], 1<<40); return b }, 3, "section has 96 left", 2},
		{"container of 2^64-1 bytes", func(b []byte) []byte { binary.LittleEndian.PutUint64(b[last+8:], math.MaxUint64); return b }, 3, "section has", 2},
		{"header of 0 bytes", func(b []byte) []byte { binary.LittleEndian.PutUint32(b[second+4:], 0); return b }, 2, "leaves its fat binary", 2},
		{"payload of 2^64-1 bytes", func(b []byte) []byte { binary.LittleEndian.PutUint64(b[second+8:], math.MaxUint64); return b }, 2, "leaves its fat binary", 2},
		{"payload into the next container", func(b []byte) []byte { binary.LittleEndian.PutUint64(b[second+8:], 24); return b }, 2, "leaves its fat binary", 2},
		{"sm_0", func(b []byte) []byte { b[first+28] = 0; return b }, 2, "not plausible", 2},
		{"format version 2", func(b []byte) []byte { b[first+2] = 2; return b }, 2, "format version", 2},
		{"group without list", func(b []byte) []byte { b[first], b[first+1] = 0, 1; return b }, 2, "no list of members", 2},
		{"only zeros behind", func(b []byte) []byte { return append(b, make([]byte, 1<<16)...) }, 3, "zero bytes", 2},
	} {
		s := scan(t, tc.edit(bytes.Clone(good)))
		if s.Entries != tc.entries || s.Containers != tc.containers {
			t.Errorf("%s: %d containers, %d entries, want %d, %d", tc.name, s.Containers, s.Entries, tc.containers, tc.entries)
		}
		got := strings.Join(s.Problems, "\n")
		if (tc.problem == "") != (got == "") || !strings.Contains(got, tc.problem) {
			t.Errorf("%s: problems %q, want %q", tc.name, got, tc.problem)
		}
	}
}

func TestScanTruncated(t *testing.T) {
	b := fatbintest.Build(sample...)
	for n := range b {
		s, err := fatbin.Scan(bytes.NewReader(b[:n]), 0, int64(len(b)))
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if len(s.Problems) == 0 && n < len(b)-16 { // the last payload is skipped, not read
			t.Errorf("%d of %d bytes: no problem reported", n, len(b))
		}
	}
}

func TestScanLyingGroup(t *testing.T) {
	b := fatbintest.Build(container{{Compression: "zstd", Group: []code{{Arch: "80"}, {Arch: "90"}}}})
	binary.LittleEndian.PutUint32(b[16+64:], math.MaxUint32)
	s := scan(t, b)
	if s.Entries != 2 || len(s.Problems) != 1 {
		t.Errorf("%+v", s)
	}
}

func TestScanBadRange(t *testing.T) {
	for _, r := range [][2]int64{{-1, 10}, {0, -1}, {1, math.MaxInt64}} {
		if _, err := fatbin.Scan(bytes.NewReader(nil), r[0], r[1]); err == nil {
			t.Errorf("%v: no error", r)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add(fatbintest.Build(sample...))
	f.Add(fatbintest.Build(container{{Arch: "80"}}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := fatbin.Scan(bytes.NewReader(b), 0, int64(len(b)))
		if err != nil {
			t.Fatalf("a reader that never fails: %v", err)
		}
		if s.Entries*8 > len(b) || len(s.Problems) > 16 {
			t.Fatalf("%d entries, %d problems from %d bytes", s.Entries, len(s.Problems), len(b))
		}
	})
}

func BenchmarkScan(b *testing.B) {
	data := fatbintest.Build(sample...)
	data = bytes.Repeat(data, 1000) // 12,000 entries
	r := bytes.NewReader(data)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := fatbin.Scan(r, 0, r.Size()); err != nil {
			b.Fatal(err)
		}
	}
}
