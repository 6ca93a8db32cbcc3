package fatbin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The format of static libraries (ar), in the variants of GNU, Microsoft and BSD:
// https://learn.microsoft.com/windows/win32/debug/pe-format and ar(5).
const (
	archiveMagic  = "!<arch>\n"
	thinMagic     = "!<thin>\n"
	memberHeader  = 60
	maxMembers    = 1 << 17 // libcublasLt_static.a has some 3,000
	maxNamesTable = 4 << 20
	maxName       = 255 // of a member, in messages
)

// archive walks a static library. Every step goes forward by at least the
// header of a member, so it ends.
func (t *tally) archive(r io.ReaderAt, size int64) error {
	var h [memberHeader]byte
	if n, err := r.ReadAt(h[:8], 0); n < 8 {
		return fmt.Errorf("reading a static library: %w", err)
	}
	if string(h[:8]) == thinMagic {
		return errors.New("reading a static library: it is thin, its members are files of their own; give those")
	}
	var names []byte
	pos := int64(8)
	for count := 0; size-pos >= memberHeader; count++ {
		if count == maxMembers {
			t.problem("more than %d members, the others were not read", maxMembers)
			break
		}
		if n, err := r.ReadAt(h[:], pos); n < memberHeader {
			if err != nil && !errors.Is(err, io.EOF) {
				return fmt.Errorf("reading a static library: %w", err)
			}
			t.problem("the file ends inside the header of a member at %d", pos)
			break
		}
		n, err := strconv.ParseInt(strings.TrimRight(string(h[48:58]), " "), 10, 64)
		if err != nil || n < 0 || string(h[58:]) != "`\n" {
			t.problem("no member at %d; %d bytes were not read", pos, size-pos)
			break
		}
		start := pos + memberHeader
		if n > size-start {
			t.problem("the member at %d says it has %d bytes, the file has %d left", pos, n, size-start)
			n = size - start
		}
		name := strings.TrimRight(string(h[:16]), " ")
		switch {
		case name == "/" || name == "/SYM64/" || strings.HasPrefix(name, "__.SYMDEF"): // symbol tables
		case name == "//":
			names = make([]byte, min(n, maxNamesTable))
			if got, _ := r.ReadAt(names, start); got < len(names) {
				names = names[:got]
			}
		default:
			skip := int64(0)
			name, skip = memberName(r, name, names, start, n)
			if err := t.member(io.NewSectionReader(r, start+skip, n-skip), n-skip, name); err != nil {
				return err
			}
		}
		pos = start + n + n&1
	}
	return nil
}

// memberName resolves a name: "a.o/" of GNU, "/17" for a place in the table of
// long names, "#1/20" of BSD for one in front of the contents, which then start
// skip bytes later.
func memberName(r io.ReaderAt, name string, names []byte, start, size int64) (full string, skip int64) {
	if digits, bsd := strings.CutPrefix(name, "#1/"); bsd {
		n, err := strconv.ParseInt(digits, 10, 32)
		if err != nil || n < 0 || n > size {
			return name, 0
		}
		b := make([]byte, min(n, maxName))
		got, _ := r.ReadAt(b, start)
		return string(bytes.TrimRight(b[:got], "\x00")), n
	}
	if digits, long := strings.CutPrefix(name, "/"); long {
		at, err := strconv.Atoi(digits)
		if err != nil || at < 0 || at > len(names) {
			return name, 0
		}
		rest := names[at:]
		if end := bytes.IndexAny(rest, "\n\x00"); end >= 0 {
			rest = rest[:end]
		}
		name = string(rest[:min(len(rest), maxName)])
	}
	return strings.TrimSuffix(name, "/"), 0
}

// member counts one member, if it is of a kind that holds GPU code. What is
// wrong with it is said with its name and does not stop the others.
func (t *tally) member(r io.ReaderAt, size int64, name string) error {
	head := make([]byte, min(size, 64))
	n, err := r.ReadAt(head, 0)
	if n < len(head) {
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading the member %q of a static library: %w", name, err)
		}
		t.problem("%s: the file ends in its header", name)
		return nil
	}
	before := t.Entries
	t.where = name + ": "
	switch Sniff(head) {
	case ELF:
		err = t.elf(r, size)
	case Cubin:
		err = t.cubin(r, size)
	case Fatbin:
		err = t.scan(r, 0, size)
	case PE:
		err = t.pe(r, size)
	default:
		if isCOFF(head) {
			err = t.coff(r, size, 0)
		}
	}
	if err != nil {
		t.problem("%v", err)
	}
	t.where = ""
	if t.Entries > before {
		t.members++
	}
	return nil
}
