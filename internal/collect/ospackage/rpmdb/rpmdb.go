// Package rpmdb reads the package database of rpm in its three formats:
// SQLite (Fedora 33, RHEL 9), ndb (SUSE) and Berkeley DB hash (RHEL 8 and
// older).
//
// The database is untrusted. The package reads pages with ReadAt, never holds
// more than one package header, and bounds every count and every walk by the
// file's size, so that a damaged file ends in an error: it cannot loop, and it
// cannot make us allocate more than maxHeader. Nothing is locked or written;
// pages changed by an rpm that runs meanwhile show as such an error.
package rpmdb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Errors of Read; all but ErrFormat come wrapped with what was wrong.
var (
	ErrFormat    = errors.New("not an rpm database: neither SQLite nor ndb nor Berkeley DB hash")
	ErrMalformed = errors.New("malformed rpm database")
)

const (
	// maxHeader bounds one package header, in bytes. Those of kernel and font
	// packages, with 10,000 files, have 2 MiB.
	maxHeader = 32 << 20
	// maxPackages bounds the headers; a full workstation has 5,000.
	maxPackages = 200_000
)

// Read calls do for every package header of the database of size bytes in r.
// An error of do ends the walk and is returned. The Header is only valid
// during the call.
func Read(r io.ReaderAt, size int64, do func(Header) error) error {
	head := make([]byte, 512)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading the rpm database: %w", err)
	}
	head = head[:n]
	w := &walk{r: r, size: size, do: do}
	switch {
	case isSQLite(head):
		return w.sqlite(head)
	case isNDB(head):
		return w.ndb(head)
	case isBDB(head):
		return w.bdb(head)
	}
	return ErrFormat
}

// walk is what the formats share.
type walk struct {
	r    io.ReaderAt
	size int64
	do   func(Header) error

	pageSize int64
	reads    int64 // pages read so far
	packages int
	blob     []byte // reused from package to package
}

// page reads one page into buf. No format needs a page more than once in a
// walk, apart from the odd shared one; more reads than that are a loop.
func (w *walk) page(buf []byte, off int64) error {
	if w.reads++; w.reads > 2*(w.size/w.pageSize)+16 {
		return malformed("pages lead in a circle")
	}
	if off < 0 || off > w.size-int64(len(buf)) {
		return malformed("a page at %d lies outside the file of %d bytes", off, w.size)
	}
	if n, err := w.r.ReadAt(buf, off); n < len(buf) {
		return fmt.Errorf("reading the rpm database at %d: %w", off, err)
	}
	return nil
}

// header hands one blob to the caller.
func (w *walk) header(blob []byte) error {
	if w.packages++; w.packages > maxPackages {
		return malformed("more than %d packages", maxPackages)
	}
	h, err := parseHeader(blob)
	if err != nil {
		return err
	}
	return w.do(h)
}

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMalformed, fmt.Sprintf(format, args...))
}

var (
	le = binary.LittleEndian
	be = binary.BigEndian
)
