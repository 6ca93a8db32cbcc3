package fatbin

import (
	"errors"
	"io"
)

// windowSize is one page: a smaller read costs the disk as much, and headers
// of small codes next to each other share it.
const windowSize = 4096

// errEnd says that the file is shorter than its headers say.
var errEnd = errors.New("end of file")

// window reads small pieces at growing offsets.
type window struct {
	r    io.ReaderAt
	off  int64
	data []byte
	buf  []byte
}

// at returns n bytes at off, valid until the next call. n is at most
// maxHeader.
func (w *window) at(off int64, n int) ([]byte, error) {
	if d := off - w.off; d >= 0 && d <= int64(len(w.data)-n) {
		return w.data[d : d+int64(n)], nil
	}
	want := max(n, windowSize)
	if cap(w.buf) < want {
		w.buf = make([]byte, want)
	}
	got, err := w.r.ReadAt(w.buf[:want], off)
	w.off, w.data = off, w.buf[:got]
	if got >= n {
		return w.data[:n], nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return nil, errEnd
	}
	return nil, err
}
