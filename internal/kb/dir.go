package kb

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/tools/txtar"
)

// Bounds of a directory. The embedded base has some 40 files, 1 MB, in folders one deep; a directory that is no knowledge base, such as
// a home or a file system, must be refused before all of it was read.
const (
	maxFiles   = 400
	maxTotal   = 64 << 20 // bytes
	maxFolders = 2        // below the directory
)

// ReadDir takes in the knowledge base in the directory dir, without checking it: for [Base.Lint] and [Diff]. It follows no link inside
// and reads nothing but regular files: the error is a [*BrokenError] that names what else is there, and one that wraps
// the reason where dir itself cannot be read.
func ReadDir(dir string) (*Base, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening knowledge base %q: %w", dir, reason(err))
	}
	defer root.Close()
	r := &dirReader{root: root}
	r.folder(".", 0)
	if r.problems != nil {
		return nil, &BrokenError{dir, r.problems}
	}
	if !slices.ContainsFunc(r.files, func(f txtar.File) bool { return f.Name == versionFile }) {
		return nil, &BrokenError{dir, []Problem{{versionFile, 0, "is not there; a knowledge base is a directory like internal/kb/data of Strata's source"}}}
	}
	fsys, err := txtar.FS(&txtar.Archive{Files: r.files})
	if err != nil {
		return nil, fmt.Errorf("opening knowledge base %q: %w", dir, err)
	}
	return &Base{fsys: fsys, dir: dir}, nil
}

// OpenDir is [ReadDir] and [Open].
func OpenDir(dir string) (*Base, error) {
	b, err := ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if problems := b.Lint(); problems != nil {
		return nil, &BrokenError{dir, problems}
	}
	return b, nil
}

// Dir returns the directory that b was read from, "" for the embedded base.
func (b *Base) Dir() string { return b.dir }

type dirReader struct {
	root     *os.Root
	files    []txtar.File
	total    int
	full     bool // a bound was met; nothing more is read
	problems []Problem
}

func (r *dirReader) report(name, format string, args ...any) {
	r.problems = append(r.problems, Problem{name, 0, fmt.Sprintf(format, args...)})
}

// folder reads the folder name, depth below the directory.
func (r *dirReader) folder(name string, depth int) {
	f, err := r.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		r.report(name, "opening: %v", reason(err))
		return
	}
	defer f.Close()
	entries, err := f.ReadDir(maxFiles + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		r.report(name, "reading: %v", reason(err))
		return
	}
	if len(entries) > maxFiles {
		r.report(name, "has more than %d entries: this is no knowledge base", maxFiles)
		return
	}
	slices.SortFunc(entries, func(x, y fs.DirEntry) int { return strings.Compare(x.Name(), y.Name()) })
	for _, e := range entries {
		full := path.Join(name, e.Name())
		switch {
		case r.full:
			return
		case e.IsDir() && depth == maxFolders:
			r.report(full, "lies deeper than %d folders: this is no knowledge base", maxFolders)
			r.full = true
		case e.IsDir():
			r.folder(full, depth+1)
		case !e.Type().IsRegular():
			r.report(full, "is %s; only regular files are read", kindOf(e.Type()))
		default:
			r.file(full)
		}
	}
}

// file reads one file. It was a regular one when the folder was listed, and may be another by now.
func (r *dirReader) file(name string) {
	f, err := r.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		r.report(name, "opening: %v", reason(err))
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		r.report(name, "is no regular file")
		return
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	r.total += len(data)
	switch {
	case err != nil:
		r.report(name, "reading: %v", reason(err))
	case len(data) > maxFileSize:
		r.report(name, "larger than %d bytes", maxFileSize)
	case len(r.files) == maxFiles || r.total > maxTotal:
		r.report(name, "is one too many: a knowledge base has at most %d files and %d bytes", maxFiles, maxTotal)
		r.full = true
	default:
		r.files = append(r.files, txtar.File{Name: name, Data: data})
	}
}

func kindOf(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "no file"
}

// reason is err without the path, which the message around it names.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
