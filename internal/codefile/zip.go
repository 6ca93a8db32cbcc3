package codefile

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
)

// zip looks into a wheel or jar. ok is false where it is none.
func (s *search) zip(r io.ReaderAt, size int64, name string) (ok bool, err error) {
	z, err := zip.NewReader(r, size)
	if errors.Is(err, zip.ErrFormat) {
		return false, nil
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are shown, never opened
		s.Files = append(s.Files, File{Path: name, Err: fmt.Errorf("reading the zip file: %w", err)})
		return true, nil
	}
	budget := int64(maxInflated)
	for _, f := range z.File {
		if s.ctx.Err() != nil {
			return true, s.ctx.Err()
		}
		if s.Looked++; s.Looked > maxFiles || len(s.Files) >= maxFound {
			return true, errFull
		}
		if f.FileInfo().IsDir() || f.UncompressedSize64 == 0 || f.UncompressedSize64 > maxMember {
			continue
		}
		at, done, err := s.member(r, f, &budget)
		if err != nil {
			s.problem("%s/%s: %v", name, f.Name, err)
			continue
		}
		code, err := open(at, int64(f.UncompressedSize64))
		done()
		s.keep(File{Path: name, Member: f.Name, Code: code, Err: err}, false, func() string {
			if f.Method != zip.Store {
				return "" // it would be unpacked once more
			}
			return runtime(code, at, int64(f.UncompressedSize64))
		})
	}
	return true, nil
}

// Bounds of what is unpacked.
const (
	maxMember   = 64 << 30 // bytes of one file
	maxInflated = 64 << 30 // bytes unpacked of one wheel, repetitions included; the largest wheels have 5 GB
)

// member opens one member for reading at any place: in the file itself where it
// is stored, else unpacked on the way.
func (s *search) member(r io.ReaderAt, f *zip.File, budget *int64) (at io.ReaderAt, done func(), err error) {
	if f.Method == zip.Store {
		off, err := f.DataOffset()
		if err != nil {
			return nil, nil, err
		}
		return io.NewSectionReader(r, off, int64(f.UncompressedSize64)), func() {}, nil
	}
	u := &unpacked{open: f.Open, budget: budget, stop: s.ctx.Err}
	return u, u.close, nil
}

// unpacked is a compressed member read as if it lay in a file. It remembers the
// last piece; what lies before that is unpacked again from the start. Readers of
// GPU code go forward but for one step: the section table of an ELF file is at its end.
type unpacked struct {
	open   func() (io.ReadCloser, error)
	budget *int64
	stop   func() error
	r      io.ReadCloser
	base   int64  // offset of the remembered piece
	piece  []byte // what was unpacked last
	starts int
}

const (
	remembered = 1 << 20
	step       = 256 << 10
	maxStarts  = 64 // usual 2
)

var errStarts = errors.New("its headers lead back and forth too often")

// ReadAt implements io.ReaderAt.
func (u *unpacked) ReadAt(p []byte, off int64) (int, error) {
	if u.r == nil || off < u.base {
		if err := u.restart(); err != nil {
			return 0, err
		}
	}
	var end error
	for end == nil && u.base+int64(len(u.piece)) < off+int64(len(p)) {
		end = u.more(off)
	}
	if end != nil && !errors.Is(end, io.EOF) {
		return 0, end
	}
	from := off - u.base
	if from >= int64(len(u.piece)) {
		return 0, io.EOF
	}
	n := copy(p, u.piece[from:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (u *unpacked) restart() error {
	u.close()
	if u.starts++; u.starts > maxStarts {
		return errStarts
	}
	r, err := u.open()
	if err != nil {
		return fmt.Errorf("unpacking: %w", err)
	}
	u.r, u.base, u.piece = r, 0, u.piece[:0]
	return nil
}

// more unpacks one step further. What lies more than the remembered length before
// the end is dropped, unless it is wanted from keep on.
func (u *unpacked) more(keep int64) error {
	if err := u.stop(); err != nil {
		return err
	}
	if *u.budget -= step; *u.budget < 0 {
		return fmt.Errorf("more than %d bytes to unpack", int64(maxInflated))
	}
	if len(u.piece) >= 2*remembered {
		drop := len(u.piece) - remembered
		drop = int(min(int64(drop), max(keep-u.base, 0)))
		u.piece = append(u.piece[:0], u.piece[drop:]...)
		u.base += int64(drop)
	}
	n := len(u.piece)
	u.piece = append(u.piece, make([]byte, step)...)
	got, err := io.ReadFull(u.r, u.piece[n:])
	u.piece = u.piece[:n+got]
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return io.EOF
	case errors.Is(err, io.EOF):
		return io.EOF
	case err != nil:
		return fmt.Errorf("unpacking: %w", err)
	}
	return nil
}

func (u *unpacked) close() {
	if u.r != nil {
		u.r.Close()
		u.r = nil
	}
}

var _ io.ReaderAt = (*unpacked)(nil)
