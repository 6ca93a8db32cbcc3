package fatbin_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"strata/internal/elfx/elftest"
	"strata/internal/fatbin"
	"strata/internal/fatbin/fatbintest"
)

// hole is a file of size bytes that begins with head and holds nothing but zeros behind it, as a sparse file reads. It counts what is read.
type hole struct {
	head []byte
	size int64
	read int64
}

func (h *hole) ReadAt(p []byte, off int64) (int, error) {
	if off >= h.size {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), h.size-off))
	h.read += int64(n)
	clear(p[:n])
	if off < int64(len(h.head)) {
		copy(p[:n], h.head[off:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// TestOpenHole has files of 20 GB of each kind that are nearly all hole: no more than a few MB of any is read.
func TestOpenHole(t *testing.T) {
	const size = 20_000_000_000
	code := fatbintest.Build(container{{Arch: "80"}})
	library := elftest.Build(elftest.Spec{Fatbin: code})
	// The section of fat binaries goes to the end of the file: its size stands in the table of sections, found by its present one.
	stretched := bytes.Clone(library)
	le := binary.LittleEndian
	table := stretched[le.Uint64(stretched[40:]):]
	changed := 0
	for i := range le.Uint16(stretched[60:]) {
		if h := table[64*int(i):]; le.Uint64(h[32:]) == uint64(len(code)) && bytes.HasPrefix(stretched[le.Uint64(h[24:]):], code) {
			le.PutUint64(h[32:], size-le.Uint64(h[24:]))
			changed++
		}
	}
	if changed != 1 {
		t.Fatalf("%d sections changed", changed)
	}
	// A container that says that it goes to the end, and an entry in it that does.
	long := bytes.Clone(code)
	le.PutUint64(long[8:], size-16)
	longer := bytes.Clone(long)
	le.PutUint64(longer[16+8:], size-16-64)
	for name, tc := range map[string]struct {
		head    []byte
		entries int
		problem string
	}{
		"a library with a tail":            {library, 1, ""},
		"a library with a section of 20 G": {stretched, 1, "bytes were not read"},
		"a fat binary file":                {code, 1, "zero bytes between fat binaries"},
		"a container of 20 G":              {long, 1, "the entry at"},
		"an entry of 20 G":                 {longer, 1, ""},
		"a static library":                 {[]byte("!<arch>\n"), 0, "no member at 8"},
		"PTX text":                         {[]byte(".version 8.4\n.target sm_90\n"), 1, ""},
		"a cubin":                          {fatbintest.Cubin("90a", "12.4"), 1, ""},
	} {
		h := &hole{head: tc.head, size: size}
		f, err := fatbin.Open(h, size)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.Entries != tc.entries || tc.problem != "" && !strings.Contains(strings.Join(f.Problems, "; "), tc.problem) {
			t.Errorf("%s: %d entries, problems %q; want %d, %q", name, f.Entries, f.Problems, tc.entries, tc.problem)
		}
		if h.read > 4<<20 {
			t.Errorf("%s: %d bytes were read", name, h.read)
		}
	}
}

// TestOpenNoLibrary has files that are none: text, nothing, zeros.
func TestOpenNoLibrary(t *testing.T) {
	for name, h := range map[string]*hole{
		"nothing":       {},
		"one byte":      {head: []byte{0}, size: 1},
		"text":          {head: []byte("INPUT ( -lcublas )\n"), size: 19},
		"20 G of zeros": {size: 20_000_000_000},
	} {
		if f, err := fatbin.Open(h, h.size); !errors.Is(err, fatbin.ErrForeign) || f != nil {
			t.Errorf("%s: %v, %v", name, f, err)
		}
		if h.read > 1<<20 {
			t.Errorf("%s: %d bytes were read", name, h.read)
		}
	}
}
