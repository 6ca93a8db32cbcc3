package fatbin_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/internal/elfx/elftest"
	"strata/internal/fatbin"
	"strata/internal/fatbin/fatbintest"
)

func member(name string, data []byte) fatbintest.Member {
	return fatbintest.Member{Name: name, Data: data}
}

func open(t testing.TB, b []byte) *fatbin.File {
	t.Helper()
	f, err := fatbin.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// inContainer puts a real cubin behind an entry's header.
func inContainer(cubin []byte, arch string) []byte {
	return fatbintest.Build(container{{Arch: arch, Payload: cubin}})
}

func TestOpen(t *testing.T) {
	linked := fatbintest.Build(container{{Arch: "80"}, {Kind: "ptx", Arch: "90", ISA: "8.7"}}, container{{Arch: "90a"}})
	object := elftest.Build(elftest.Spec{RelFatbin: fatbintest.Build(container{{Arch: "75"}})})
	for _, tc := range []struct {
		name     string
		data     []byte
		kind     fatbin.Kind
		codes    string
		members  int
		toolkits []string
	}{
		{"ELF", elftest.Build(elftest.Spec{Fatbin: linked}), fatbin.ELF, "sm_80 sm_90a compute_90@8.7", 0, nil},
		{"ELF without code", elftest.Build(elftest.Spec{}), fatbin.ELF, "", 0, nil},
		{"ELF, toolkit", elftest.Build(elftest.Spec{Fatbin: inContainer(fatbintest.Cubin("80", "12.4"), "80")}), fatbin.ELF, "sm_80", 0, []string{"12.4"}},
		{"ELF, new toolkit", elftest.Build(elftest.Spec{Fatbin: inContainer(fatbintest.Cubin("120f", "12.9"), "120f")}), fatbin.ELF, "sm_120f", 0, []string{"12.9"}},
		{"PE", fatbintest.PE(linked), fatbin.PE, "sm_80 sm_90a compute_90@8.7", 0, nil},
		{"fatbin", linked, fatbin.Fatbin, "sm_80 sm_90a compute_90@8.7", 0, nil},
		{"archive", fatbintest.Archive(member("a.o", object), member("readme.txt", []byte("odd")), member("a name beyond sixteen.o", object)), fatbin.Archive, "sm_75", 2, nil},
		{"archive of COFF", fatbintest.Archive(member("a.obj", fatbintest.COFF(linked))), fatbin.Archive, "sm_80 sm_90a compute_90@8.7", 1, nil},
		{"archive without code", fatbintest.Archive(member("a.o", elftest.Build(elftest.Spec{}))), fatbin.Archive, "", 0, nil},
		{"cubin, old form", fatbintest.Cubin("90a", "12.4"), fatbin.Cubin, "sm_90a", 0, []string{"12.4"}},
		{"cubin, plain", fatbintest.Cubin("90", "11.8"), fatbin.Cubin, "sm_90", 0, []string{"11.8"}},
		{"cubin, new form", fatbintest.Cubin("100f", "12.9"), fatbin.Cubin, "sm_100f", 0, []string{"12.9"}},
		{"cubin of CUDA 13", fatbintest.Cubin("75", "13.0"), fatbin.Cubin, "sm_75", 0, []string{"13.0"}},
		{"PTX", fatbintest.PTX("compute_120a", "8.7"), fatbin.PTX, "compute_120a@8.7", 0, nil},
	} {
		f := open(t, tc.data)
		var codes []string
		for _, c := range f.Codes {
			if c.ISA != "" {
				c.Arch += "@" + c.ISA
			}
			codes = append(codes, c.Arch)
		}
		if got := strings.Join(codes, " "); f.Kind != tc.kind || got != tc.codes || f.Members != tc.members || !slices.Equal(f.Toolkits, tc.toolkits) || len(f.Problems) > 0 {
			t.Errorf("%s: %s with %q, %d members, toolkits %q, problems %q; want %s with %q, %d, %q", tc.name, f.Kind, got, f.Members, f.Toolkits, f.Problems, tc.kind, tc.codes, tc.members, tc.toolkits)
		}
	}
}

// TestOpenMixes: how many fat binaries hold code for a GPU is counted, not guessed.
func TestOpenMixes(t *testing.T) {
	f := open(t, fatbintest.Build(container{{Arch: "80"}, {Arch: "90"}}, container{{Arch: "90"}, {Arch: "90"}}, container{{Arch: "80"}, {Arch: "90"}}, container{}))
	want := []fatbin.Mix{{Codes: []int{0, 1}, Containers: 2}, {Codes: []int{}, Containers: 1}, {Codes: []int{1}, Containers: 1}}
	if d := cmp.Diff(want, f.Mixes); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestOpenErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		data []byte
		err  error
		text string
	}{
		"empty":              {nil, fatbin.ErrForeign, ""},
		"text":               {[]byte("hello, this is a note\n"), fatbin.ErrForeign, ""},
		"an MZ file of DOS":  {append([]byte("MZ"), make([]byte, 200)...), fatbin.ErrForeign, "no PE header"},
		"thin archive":       {[]byte("!<thin>\n"), nil, "thin"},
		"cubin for sm_0":     {fatbintest.Cubin("0", "12.4"), nil, "sm_0"},
		"PTX without target": {[]byte(".version 8.4\n.address_size 64\n"), nil, "no .target"},
		"stripped":           {elftest.Build(elftest.Spec{NoSections: true}), fatbin.ErrNoSections, ""},
	} {
		f, err := fatbin.Open(bytes.NewReader(tc.data), int64(len(tc.data)))
		if err == nil || tc.err != nil && !errors.Is(err, tc.err) || !strings.Contains(err.Error(), tc.text) {
			t.Errorf("%s: %+v, %v; want %v with %q", name, f, err, tc.err, tc.text)
		}
	}
}

// TestOpenLies: what a header claims beyond the file is a problem, and what came
// before it is counted.
func TestOpenLies(t *testing.T) {
	object := elftest.Build(elftest.Spec{Fatbin: fatbintest.Build(container{{Arch: "80"}})})
	archive := fatbintest.Archive(member("a.o", object), member("b.o", object))
	second := bytes.LastIndex(archive, []byte("b.o/"))
	for name, tc := range map[string]struct {
		data    []byte
		entries int
		problem string
	}{
		"member beyond the file":     {edit(archive, second+48, "9999999999"), 2, "says it has 9999999999 bytes"},
		"member of negative size":    {edit(archive, second+48, "-1        "), 1, "no member at"},
		"member without end":         {archive[:second+30], 1, ""},
		"sections over each other":   {twice(elftest.Build(elftest.Spec{Fatbin: fatbintest.Build(container{{Arch: "80"}}), RelFatbin: []byte{}})), 1, "lies over another"},
		"PE section beyond the file": {edit(fatbintest.PE(fatbintest.Build(container{{Arch: "80"}})), 128+4+20+40+20, "\xff\xff\xff\x7f"), 0, "lies outside the file"},
	} {
		f := open(t, tc.data)
		if got := strings.Join(f.Problems, "; "); f.Entries != tc.entries || !strings.Contains(got, tc.problem) {
			t.Errorf("%s: %d entries, problems %q; want %d, %q", name, f.Entries, got, tc.entries, tc.problem)
		}
	}
}

func edit(b []byte, at int, with string) []byte {
	b = bytes.Clone(b)
	copy(b[at:], with)
	return b
}

// twice makes the header of __nv_relfatbin a second one of .nv_fatbin.
func twice(b []byte) []byte {
	const entry = 64
	table := int(binary.LittleEndian.Uint64(b[40:]))
	var first []byte
	names := b[binary.LittleEndian.Uint64(b[table+entry*int(binary.LittleEndian.Uint16(b[62:]))+24:]):]
	for ; table+entry <= len(b); table += entry {
		h := b[table : table+entry]
		switch name, _, _ := bytes.Cut(names[binary.LittleEndian.Uint32(h):], []byte{0}); string(name) {
		case ".nv_fatbin":
			first = h
		case "__nv_relfatbin":
			copy(h, first)
		}
	}
	return b
}
