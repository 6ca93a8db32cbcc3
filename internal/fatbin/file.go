package fatbin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Kind is the sort of file that GPU code was found in. The names are part of
// the output contract.
type Kind string

// The kinds.
const (
	ELF     Kind = "elf"     // a shared library, program or object file
	Archive Kind = "archive" // a static library, of ELF or COFF objects
	PE      Kind = "pe"      // a Windows library or program, or a COFF object
	Fatbin  Kind = "fatbin"  // fat binaries alone (nvcc -fatbin)
	Cubin   Kind = "cubin"   // one stand-alone cubin
	PTX     Kind = "ptx"     // PTX text
)

// File is the GPU code of one file.
type File struct {
	Kind Kind
	Summary
	// Toolkits are the CUDA releases that made the cubins, "12.8", oldest first,
	// where the file says so: a cubin carries it, and only cubins that are not
	// compressed are read. "13" alone means CUDA 13 or newer, by the form of the entries.
	Toolkits []string
	// Members is how many members of an archive hold GPU code.
	Members int
}

// ErrForeign says that a file is of no kind that holds GPU code.
var ErrForeign = errors.New("not an ELF or PE file, static library, fat binary, cubin or PTX")

// SniffLen is how many bytes of a file's start Sniff wants.
const SniffLen = 4096

// Sniff tells the kind of a file by its first bytes, "" for none. A file shorter
// than SniffLen is given whole.
func Sniff(head []byte) Kind {
	switch {
	case len(head) >= 20 && string(head[:4]) == "\x7fELF":
		if head[5] == 1 && head[18] == machineCUDA && head[19] == 0 {
			return Cubin
		}
		return ELF
	case bytes.HasPrefix(head, []byte(archiveMagic)), bytes.HasPrefix(head, []byte(thinMagic)):
		return Archive
	case len(head) >= dosHeader && string(head[:2]) == "MZ":
		return PE
	case len(head) >= 4 && (le.Uint32(head) == magic || le.Uint32(head) == magicOld):
		return Fatbin
	case startsPTX(head):
		return PTX
	}
	return ""
}

// Open finds the GPU code in the file of size bytes in r, whatever kind of file
// it is. Like [Scan] it reads headers only. The error wraps ErrForeign or
// ErrNoSections, or says what could not be read; what is wrong inside goes into
// Problems.
func Open(r io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, min(max(size, 0), SniffLen))
	n, err := r.ReadAt(head, 0)
	if n < len(head) && err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading the start of the file: %w", err)
	}
	kind := Sniff(head[:n])
	t := newTally()
	t.origins = map[string]bool{}
	switch kind {
	case ELF:
		err = t.elf(r, size)
	case Archive:
		err = t.archive(r, size)
	case PE:
		err = t.pe(r, size)
	case Fatbin:
		err = t.scan(r, 0, size)
	case Cubin:
		err = t.cubin(r, size)
	case PTX:
		err = t.ptx(head[:n])
	default:
		err = ErrForeign
	}
	if err != nil {
		return nil, err
	}
	f := &File{Kind: kind, Summary: *t.summary(), Toolkits: t.toolkits(), Members: t.members}
	return f, nil
}
