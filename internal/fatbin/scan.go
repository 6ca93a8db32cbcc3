package fatbin

import (
	"errors"
	"fmt"
	"io"
)

const (
	magic        = 0xBA55ED50
	magicOld     = 0x1EE55A01 // before CUDA 4; never met
	containerLen = 16
	// maxPadding bounds the zeros skipped between containers: they are 8-aligned,
	// but a linker may align an object's section to more.
	maxPadding = 4096
	// maxEntries bounds the time for a section made of empty entries. The largest
	// library measured has about 5,000.
	maxEntries = 1 << 20
)

// Scan walks the section of size bytes at off in r and counts what it holds.
// It reads headers only. The error says that nothing could be examined: the
// section does not lie in r, or reading failed. What is wrong inside the
// section goes into Problems, with what was counted before it.
func Scan(r io.ReaderAt, off, size int64) (*Summary, error) {
	t := newTally()
	if err := t.scan(r, off, size); err != nil {
		return nil, err
	}
	return t.summary(), nil
}

func (t *tally) scan(r io.ReaderAt, off, size int64) error {
	if off < 0 || size < 0 || off > off+size {
		return fmt.Errorf("scanning %d bytes of fat binaries at %d: not a place in a file", size, off)
	}
	w := &walk{tally: t, window: window{r: r}, start: off, end: off + size}
	err := w.containers(off)
	if errors.Is(err, errEnd) {
		t.problem("the file ends inside its fat binaries, before byte %d", w.end)
		return nil
	}
	if err != nil {
		return fmt.Errorf("scanning fat binaries: %w", err)
	}
	return nil
}

// walk moves over one section. Every step goes forward by at least eight
// bytes, so it ends.
type walk struct {
	*tally
	window
	start, end int64
}

func (w *walk) containers(pos int64) error {
	padding := int64(0)
	for w.end-pos >= containerLen {
		b, err := w.at(pos, containerLen)
		if err != nil {
			return err
		}
		if le.Uint64(b) == 0 {
			if padding += 8; padding > maxPadding {
				w.problem("more than %d zero bytes between fat binaries, at %d; the %d bytes after them were not read", maxPadding, pos, w.end-pos)
				return nil
			}
			pos += 8
			continue
		}
		padding = 0
		head, size := int64(le.Uint16(b[6:])), le.Uint64(b[8:])
		switch m := le.Uint32(b); {
		case m == magicOld:
			w.problem("fat binary of the format before CUDA 4 at %d; it and the %d bytes after it were not read", pos, w.end-pos)
			return nil
		case m != magic:
			w.problem("no fat binary at %d (it starts with %#08x); %d bytes were not read", pos, m, w.end-pos)
			return nil
		case head < containerLen || size > uint64(w.end-pos) || head > w.end-pos-int64(size):
			w.problem("the fat binary at %d says it has %d bytes, its section has %d left", pos, size, w.end-pos)
			size = uint64(max(0, w.end-pos-max(head, containerLen))) // its entries may still be sound
			head = max(head, containerLen)
		}
		w.Containers++
		next := pos + head + int64(size)
		ok, err := w.entries(pos+head, next)
		w.closeContainer()
		if err != nil || !ok {
			return err
		}
		pos = next + (w.start-next)&7 // sections of COFF objects lie at any place
	}
	return nil
}

// entries walks one container and reports whether to go on with the next. A
// broken entry ends only its own container.
func (w *walk) entries(pos, end int64) (ok bool, err error) {
	for pos < end {
		if end-pos < entrySize {
			w.problem("%d bytes left over in the fat binary that ends at %d", end-pos, end)
			return true, nil
		}
		if w.Entries >= maxEntries {
			w.problem("more than %d entries, the rest was not read", maxEntries)
			return false, nil
		}
		b, err := w.at(pos, entrySize)
		if err != nil {
			return false, err
		}
		e := parseEntry(b)
		if e.header < entrySize || e.header > maxHeader || e.payload > uint64(end-pos) || int64(e.header) > end-pos-int64(e.payload) {
			w.problem("the entry at %d (header %d, payload %d bytes) leaves its fat binary, which has %d left", pos, e.header, e.payload, end-pos)
			return true, nil
		}
		switch {
		case e.version != entryVersion:
			w.problem("the entry at %d has format version %#x, only %#x is understood", pos, e.version, entryVersion)
		case e.kind == kindGroup:
			if err := w.group(pos, e); err != nil {
				return false, err
			}
		case !e.plausible():
			w.problem("the entry at %d (kind %d) is for sm_%d, version %d.%d: not plausible", pos, e.kind, e.arch, e.major, e.minor)
		default:
			w.add(e, e.compression())
			w.peek(pos, e)
		}
		pos += int64(e.header) + int64(e.payload)
	}
	return true, nil
}
