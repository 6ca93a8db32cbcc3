package elfx

import (
	"bytes"
	"errors"
	"io"
)

// pages reads small pieces of a file through a few cached blocks. A library's
// strings lie close together, so some fifty names cost two or three reads.
type pages struct {
	r      io.ReaderAt
	size   int64
	blocks [nBlocks]block
	next   int // the block to replace next: round robin is good enough
}

const (
	blockSize = 4096
	nBlocks   = 6 // headers, dynamic, two of strings, versions, section names
)

type block struct {
	off  int64
	data []byte
}

// at returns up to n bytes at off, fewer at the end of the file or of a block.
// The slice is valid until the next call.
func (p *pages) at(off int64, n int) ([]byte, error) {
	if off < 0 || off >= p.size || n <= 0 {
		return nil, nil
	}
	start := off - off%blockSize
	for i := range p.blocks {
		if b := &p.blocks[i]; b.data != nil && b.off == start {
			return clip(b.data, int(off-start), n), nil
		}
	}
	b := &p.blocks[p.next]
	p.next = (p.next + 1) % nBlocks
	if b.data == nil {
		b.data = make([]byte, 0, blockSize)
	}
	want := min(blockSize, p.size-start)
	got, err := p.r.ReadAt(b.data[:want], start)
	if int64(got) < want {
		b.data = nil
		if err == nil || errors.Is(err, io.EOF) {
			// The file is shorter than the size we were told.
			return nil, truncated("it ends at byte %d, not %d", start+int64(got), p.size)
		}
		return nil, err
	}
	b.off, b.data = start, b.data[:want]
	return clip(b.data, int(off-start), n), nil
}

func clip(b []byte, from, n int) []byte {
	if from >= len(b) {
		return nil
	}
	return b[from:min(len(b), from+n)]
}

// bytes returns exactly n bytes at off in a fresh slice. The caller has
// checked n against a limit.
func (p *pages) bytes(off, n int64, what string) ([]byte, error) {
	if !p.inside(off, n) {
		return nil, truncated("%s (%d bytes at %d) lies outside the file of %d bytes", what, n, off, p.size)
	}
	out := make([]byte, 0, n)
	if n > 2*blockSize { // a long piece would only flush the cache
		out = out[:n]
		got, err := p.r.ReadAt(out, off)
		if int64(got) < n {
			if err == nil || errors.Is(err, io.EOF) {
				return nil, truncated("it ends inside %s", what)
			}
			return nil, err
		}
		return out, nil
	}
	for int64(len(out)) < n {
		b, err := p.at(off+int64(len(out)), int(n)-len(out))
		if err != nil {
			return nil, err
		}
		if len(b) == 0 {
			return nil, truncated("it ends inside %s", what)
		}
		out = append(out, b...)
	}
	return out, nil
}

// cstring returns the NUL-terminated string at off, which must end before end
// and within limit bytes.
func (p *pages) cstring(off, end int64, limit int, what string) (string, error) {
	if off < 0 || off >= end || off >= p.size {
		return "", malformed("%s lies outside its string table", what)
	}
	var out []byte
	for at := off; ; {
		n := min(int64(limit+1-len(out)), end-at)
		b, err := p.at(at, int(n))
		if err != nil {
			return "", err
		}
		if len(b) == 0 {
			return "", malformed("%s has no end within %d bytes", what, limit)
		}
		if i := bytes.IndexByte(b, 0); i >= 0 {
			if out == nil {
				return string(b[:i]), nil
			}
			return string(append(out, b[:i]...)), nil
		}
		out = append(out, b...)
		at += int64(len(b))
	}
}

// inside reports whether n bytes at off lie in the file.
func (p *pages) inside(off, n int64) bool {
	return off >= 0 && n >= 0 && off <= p.size && n <= p.size-off
}
