// Package transcript reads text that people paste or programs wrote: plain,
// compressed, in UTF-16, coloured, quoted, with a logger's words before each
// line. It yields blocks of whole lines for a scan and clean lines for readers.
package transcript

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is the most memory that a zstd frame may ask for its window. The
// tool's own levels up to 19 need 8 MiB; --long asks for 128 MiB and more.
const maxWindow = 16 << 20

// Open gives the plain text behind a reader: gzip and zstd are told by their
// first bytes, UTF-16 by its byte-order mark. The result must be closed.
func Open(r io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading the beginning: %w", err)
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("unpacking gzip: %w", err)
		}
		return z, nil
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, fmt.Errorf("unpacking zstd: %w", err)
		}
		return z.IOReadCloser(), nil
	case bytes.HasPrefix(head, []byte{0xff, 0xfe}), bytes.HasPrefix(head, []byte{0xfe, 0xff}):
		return io.NopCloser(&utf16Reader{r: b, big: head[0] == 0xfe}), nil
	case bytes.HasPrefix(head, []byte{0xef, 0xbb, 0xbf}):
		_, _ = b.Discard(3)
	}
	return io.NopCloser(b), nil
}

// utf16Reader turns UTF-16, as PowerShell redirects it, into UTF-8.
type utf16Reader struct {
	r    *bufio.Reader
	big  bool
	out  []byte
	high rune // the first half of a pair that is waiting for its second
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		var pair [2]byte
		if _, err := io.ReadFull(u.r, pair[:]); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				err = io.EOF
			}
			return 0, err
		}
		c := rune(pair[0]) | rune(pair[1])<<8
		if u.big {
			c = rune(pair[1]) | rune(pair[0])<<8
		}
		switch {
		case c == 0xfeff: // the mark
			continue
		case utf16.IsSurrogate(c) && u.high == 0:
			u.high = c
			continue
		case u.high != 0:
			c = utf16.DecodeRune(u.high, c)
			u.high = 0
		}
		u.out = append(u.out, string(c)...)
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}
