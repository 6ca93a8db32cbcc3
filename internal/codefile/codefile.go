// Package codefile finds files with GPU code: those that were named, and those
// in named directories, wheels and jars. What is in them, package fatbin reads.
package codefile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"strata/internal/elfx"
	"strata/internal/fatbin"
	"strata/internal/machine"
)

// File is one file with GPU code, or one that was named and has none.
type File struct {
	Path string // as named, or below what was named
	// Member is the name inside the wheel or jar at Path; "" for a file of its own.
	Member string
	Code   *fatbin.File // nil where Err says why
	// Runtime is the CUDA major that an ELF file asks for by libcudart.so.N; "" where
	// it asks for none, or was not read because it is compressed in a wheel.
	Runtime string
	// Err is why the file could not be read. It wraps [fatbin.ErrForeign] for a file
	// of another kind, which is only told of a file that was named itself.
	Err error
}

// Found is what Find found.
type Found struct {
	Files []File
	// Looked is how many files were looked at, Without how many of them are of a
	// kind that could hold GPU code and hold none.
	Looked, Without int
	// Problems say what of a directory or wheel was not looked at, and why.
	Problems []string
}

// Bounds of one call; what lies beyond becomes a problem.
const (
	maxDepth    = 48      // of directories
	maxFiles    = 500_000 // looked at
	maxFound    = 20_000  // files with code
	maxProblems = 32
)

// Find looks at paths of m, which are absolute. Links are followed where they are
// named, not inside directories. It ends early where ctx does, with its error.
func Find(ctx context.Context, m *machine.Machine, paths []string) (*Found, error) {
	s := &search{ctx: ctx, m: m}
	for _, p := range paths {
		info, err := m.Stat(p)
		switch {
		case err != nil:
			s.Files = append(s.Files, File{Path: p, Err: err})
		case info.IsDir():
			err = s.dir(p, 0)
		default:
			err = s.file(p, true)
		}
		if stop := ctx.Err(); stop != nil {
			return nil, fmt.Errorf("looking for GPU code below %q: %w", p, stop)
		}
		if errors.Is(err, errFull) {
			s.problem("%s: stopped after %d files; name a smaller directory", p, s.Looked)
		}
	}
	return &s.Found, nil
}

type search struct {
	Found
	ctx context.Context
	m   *machine.Machine
}

var errFull = errors.New("too many files")

func (s *search) problem(format string, args ...any) {
	if len(s.Problems) < maxProblems {
		s.Problems = append(s.Problems, fmt.Sprintf(format, args...))
	}
}

func (s *search) dir(name string, depth int) error {
	if depth > maxDepth {
		s.problem("%s: more than %d directories deep, not looked at", name, maxDepth)
		return nil
	}
	entries, err := s.m.ReadDir(name)
	switch {
	case err != nil && depth == 0 && len(entries) == 0: // it was named, and nothing of it could be looked at
		s.Files = append(s.Files, File{Path: name, Err: err})
	case err != nil:
		s.problem("%v", err)
	}
	for _, e := range entries {
		p := path.Join(name, e.Name())
		switch {
		case s.ctx.Err() != nil:
			return s.ctx.Err()
		case e.IsDir():
			err = s.dir(p, depth+1)
		case e.Type().IsRegular():
			err = s.file(p, false)
		default:
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// packed are names of zip files that carry libraries.
var packed = regexp.MustCompile(`\.(whl|zip|jar|egg|conda|nupkg)$`)

// file looks at one file. Of what was not named itself only files with GPU code
// count, and those that should hold some and cannot be read.
func (s *search) file(name string, named bool) error {
	if s.Looked++; s.Looked > maxFiles || len(s.Files) >= maxFound {
		return errFull
	}
	f, err := s.m.Open(name)
	if err != nil {
		if named {
			s.Files = append(s.Files, File{Path: name, Err: err})
		} else {
			s.problem("%v", err)
		}
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && packed.MatchString(strings.ToLower(name)) {
		var ok bool
		if ok, err = s.zip(f, info.Size(), name); ok {
			return err
		}
	}
	var code *fatbin.File
	if err == nil {
		code, err = open(f, info.Size())
	}
	if err == nil && named {
		s.Files = append(s.Files, File{Path: name, Code: code, Runtime: runtime(code, f, info.Size())})
		return nil
	}
	s.keep(File{Path: name, Code: code, Err: err}, named, func() string { return runtime(code, f, info.Size()) })
	return nil
}

// keep adds a file to the list, if it is worth it.
func (s *search) keep(f File, named bool, runtime func() string) {
	foreign := errors.Is(f.Err, fatbin.ErrForeign)
	switch {
	case named:
		s.Files = append(s.Files, f)
	case foreign || errors.Is(f.Err, fatbin.ErrNoSections): // a stripped program is no library of kernels
	case f.Err != nil:
		s.problem("%s: %v", path.Join(f.Path, f.Member), f.Err)
	case f.Code.Entries == 0 && len(f.Code.Problems) == 0:
		s.Without++
	default:
		f.Runtime = runtime()
		s.Files = append(s.Files, f)
	}
}

// open looks at the first bytes before anything else, since most files of a
// directory are none of ours.
func open(r io.ReaderAt, size int64) (*fatbin.File, error) {
	head := make([]byte, min(size, fatbin.SniffLen))
	n, err := r.ReadAt(head, 0)
	if n < len(head) && err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if fatbin.Sniff(head[:n]) == "" {
		return nil, fatbin.ErrForeign
	}
	return fatbin.Open(r, size)
}

var cudart = regexp.MustCompile(`^libcudart\.so\.(\d+)`)

// runtime tells which CUDA runtime an ELF file is linked with.
func runtime(code *fatbin.File, r io.ReaderAt, size int64) string {
	if code == nil || code.Kind != fatbin.ELF {
		return ""
	}
	e, err := elfx.Read(r, size)
	if err != nil {
		return "" // its fat binaries could be read; this is a bonus
	}
	for _, lib := range e.Needed {
		if m := cudart.FindStringSubmatch(lib); m != nil {
			return m[1]
		}
	}
	return ""
}

// Name is how a file is called in reports.
func (f File) Name() string {
	if f.Member == "" {
		return f.Path
	}
	return f.Path + "/" + f.Member
}
