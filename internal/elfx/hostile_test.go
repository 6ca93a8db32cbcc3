package elfx_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"strata/internal/elfx"
	"strata/internal/elfx/elftest"
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

// TestReadHole has libraries of 20 GB that are nearly all hole, sound and with a table that says that it fills the file: no more than a few
// MB is read of any.
func TestReadHole(t *testing.T) {
	const size = 20_000_000_000
	le := binary.LittleEndian
	// segment is the last program header of a type.
	segment := func(b []byte, typ uint32) (p []byte) {
		for i := range le.Uint16(b[56:]) {
			if h := b[64+56*int(i):]; le.Uint32(h) == typ {
				p = h
			}
		}
		return p
	}
	for name, tc := range map[string]struct {
		change func(b []byte)
		err    error
	}{
		"sound":                       {func([]byte) {}, nil},
		"all sections counted":        {func(b []byte) { le.PutUint16(b[60:], 0xffff) }, nil},
		"sections in the hole":        {func(b []byte) { le.PutUint64(b[40:], size/2) }, nil},
		"program headers in the hole": {func(b []byte) { le.PutUint64(b[32:], size/2) }, nil},
		"a segment of 20 G":           {func(b []byte) { le.PutUint64(segment(b, 1)[32:], size) }, elfx.ErrTruncated},
		"a dynamic section of 20 G": {func(b []byte) {
			le.PutUint64(segment(b, 2)[32:], size/2)
			le.PutUint64(segment(b, 2)[8:], size/4)
		}, nil},
	} {
		b := elftest.Build(library)
		tc.change(b)
		h := &hole{head: b, size: size}
		f, err := elfx.Read(h, size)
		if f == nil || !errors.Is(err, tc.err) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
		_, _ = elfx.UndefinedSymbols(h, size)
		_, _ = elfx.DefinedSymbols(h, size)
		if h.read > 16<<20 {
			t.Errorf("%s: %d bytes were read", name, h.read)
		}
	}
}

// TestReadNoLibrary has files that are none, and tells which kind of none.
func TestReadNoLibrary(t *testing.T) {
	for name, tc := range map[string]struct {
		hole
		err error
	}{
		"nothing":       {hole{}, elfx.ErrTooShort},
		"one byte":      {hole{head: []byte{0x7f}, size: 1}, elfx.ErrTooShort},
		"text":          {hole{head: []byte("INPUT ( -lcublas -lcudart )\n"), size: 28}, elfx.ErrNotELF},
		"20 G of zeros": {hole{size: 20_000_000_000}, elfx.ErrNotELF},
	} {
		if f, err := elfx.Read(&tc.hole, tc.size); !errors.Is(err, tc.err) || f != nil {
			t.Errorf("%s: %v, %v, want %v", name, f, err, tc.err)
		}
	}
}

// TestLongSearchPath has an RPATH of 100,000 elements, which is more than is read, and one that is just short enough.
func TestLongSearchPath(t *testing.T) {
	for n, want := range map[int]string{100_000: "the rpath has no end within 65536 bytes", 20_000: ""} {
		b := elftest.Build(elftest.Spec{Rpath: strings.Repeat("/x:", n) + "/y"})
		h := &hole{head: b, size: int64(len(b))}
		f, err := elfx.Read(h, h.size)
		switch {
		case want != "" && (err == nil || !errors.Is(err, elfx.ErrMalformed) || !strings.Contains(fmt.Sprint(err), want)):
			t.Errorf("%d elements: error %v, want %q", n, err, want)
		case want == "" && (err != nil || len(f.Rpath) != n+1):
			t.Errorf("%d elements: %v", n, err)
		}
	}
}
