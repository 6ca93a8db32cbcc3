package fatbin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// A PE file has its section names cut to eight bytes; in a COFF object (the
// member of a .lib) a longer name is "/" and its place in the string table
// behind the symbols. https://learn.microsoft.com/windows/win32/debug/pe-format
const (
	dosHeader     = 64
	coffHeader    = 20
	coffSection   = 40
	coffSymbol    = 18
	maxPESections = 1 << 13 // Windows loads 96; an object has one per function
)

// machinesCOFF are the processors that CUDA for Windows is made for: x64 and Arm64.
var machinesCOFF = []uint16{0x8664, 0xaa64}

func isCOFF(head []byte) bool {
	return len(head) >= coffHeader && slices.Contains(machinesCOFF, le.Uint16(head))
}

// pe is a Windows library or program.
func (t *tally) pe(r io.ReaderAt, size int64) error {
	dos := make([]byte, dosHeader)
	if n, err := r.ReadAt(dos, 0); n < len(dos) {
		return fmt.Errorf("reading a PE file: %w", cmpErr(err))
	}
	at := int64(le.Uint32(dos[60:]))
	var sign [4]byte
	if n, err := r.ReadAt(sign[:], at); n < len(sign) || string(sign[:]) != "PE\x00\x00" {
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading a PE file: %w", err)
		}
		return fmt.Errorf("reading a PE file: no PE header at %d: %w", at, ErrForeign)
	}
	return t.coff(r, size, at+4)
}

// coff reads the section table behind the COFF header at pos.
func (t *tally) coff(r io.ReaderAt, size, pos int64) error {
	h := make([]byte, coffHeader)
	if n, err := r.ReadAt(h, pos); n < len(h) {
		return fmt.Errorf("reading a COFF header: %w", cmpErr(err))
	}
	count := int64(le.Uint16(h[2:]))
	start := pos + coffHeader + int64(le.Uint16(h[16:]))
	if count > maxPESections || start > size-count*coffSection {
		return fmt.Errorf("%w: %d sections at %d in a file of %d bytes", ErrNoSections, count, start, size)
	}
	table := make([]byte, count*coffSection)
	if n, err := r.ReadAt(table, start); n < len(table) {
		return fmt.Errorf("reading the section table: %w", cmpErr(err))
	}
	strings := int64(le.Uint32(h[8:])) + coffSymbol*int64(le.Uint32(h[12:]))
	var linked, relocatable []section
	for ; len(table) > 0; table = table[coffSection:] {
		name := string(bytes.TrimRight(table[:8], "\x00"))
		if len(name) > 1 && name[0] == '/' {
			name = longName(r, strings, name[1:])
		}
		s := section{int64(le.Uint32(table[20:])), int64(le.Uint32(table[16:]))}
		if used := int64(le.Uint32(table[8:])); used > 0 { // without the padding to a page; 0 in objects
			s.size = min(s.size, used)
		}
		switch name {
		case sectionLinked, sectionLinked[:8]:
			linked = append(linked, s)
		case sectionRelocatable, sectionRelocatable[:8]:
			relocatable = append(relocatable, s)
		}
	}
	return t.either(r, size, linked, relocatable)
}

// longName reads a section's name from the string table of an object; "" where
// that is not possible. Only the names of fat binaries matter.
func longName(r io.ReaderAt, table int64, digits string) string {
	at, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		return ""
	}
	b := make([]byte, len(sectionRelocatable)+1)
	n, _ := r.ReadAt(b, table+int64(at))
	name, _, ended := bytes.Cut(b[:n], []byte{0})
	if !ended {
		return ""
	}
	return string(name)
}

// cmpErr names the end of a file that is too short.
func cmpErr(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return errEnd
	}
	return err
}
