package fatbin

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A cubin is an ELF file of machine 190. There are two forms, told apart by
// EI_OSABI and EI_ABIVERSION; LLVM publishes the flags of both in
// BinaryFormat/ELF.h, and all fields were compared with cubins made by ptxas of
// CUDA 13.5 for fifteen targets and with those in NVIDIA's libraries:
//
//	            OSABI 51, ABI version 7             OSABI 65, ABI version 8
//	used for    targets before sm_100, to CUDA 12   sm_100 and later, and all from CUDA 13
//	sm          e_flags bits 0-7                    e_flags bits 8-15
//	suffix a    e_flags bit 11, from sm_90          -arch in .note.nv.tkinfo
//	suffix f    none has one                        -arch in .note.nv.tkinfo
//	toolkit     e_version, 124 for CUDA 12.4        "release 13.5" in .note.nv.tkinfo
const (
	machineCUDA = 190
	osabiOld    = 51
	osabiNew    = 65
	flagOldArch = 1 << 11
	// noteHead starts .note.nv.tkinfo: length of the owner, of the rest (any), type 2000, owner.
	noteHead = "\x0c\x00\x00\x00....\xd0\x07\x00\x00NVIDIA Corp\x00"
	maxNote  = 1 << 20 // usual 160 bytes; 25 KB where the device linker joined many objects
)

// cubinInfo is what a cubin says about itself.
type cubinInfo struct {
	arch    uint32
	suffix  string // only where known
	toolkit string // "12.4"; "" where the cubin does not say
}

var errNotCubin = errors.New("not a cubin of a known form")

// readCubin reads the headers of the cubin of size bytes in r.
func readCubin(r io.ReaderAt, size int64) (c cubinInfo, err error) {
	h := make([]byte, elfHeader)
	if n, err := r.ReadAt(h, 0); n < len(h) {
		return c, fmt.Errorf("reading the header of a cubin: %w", cmpErr(err))
	}
	if string(h[:4]) != "\x7fELF" || h[4] != 2 || h[5] != 1 || le.Uint16(h[18:]) != machineCUDA {
		return c, errNotCubin
	}
	flags := le.Uint32(h[48:])
	switch h[7] {
	case osabiOld:
		c.arch = flags & 0xff
		if flags&flagOldArch != 0 && c.arch >= 90 { // five cubins of cuBLAS 12.8 for sm_50 to sm_61 have it too, and there is no sm_50a
			c.suffix = "a"
		}
		if v := le.Uint32(h[20:]); v >= 20 && v < 1000 { // before CUDA 2 there were no ELF cubins
			c.toolkit = fmt.Sprintf("%d.%d", v/10, v%10)
		}
	case osabiNew:
		c.arch = flags >> 8 & 0xff
		note, err := readNote(r, size, h)
		if err != nil {
			return c, err
		}
		if m := releaseWord.FindSubmatch(note); m != nil {
			c.toolkit = string(m[1])
		}
		if m := archWord.FindSubmatch(note); m != nil {
			if n, _ := strconv.Atoi(string(m[1])); uint32(n) == c.arch {
				c.suffix = string(m[2])
			}
		}
	default:
		return c, fmt.Errorf("%w: OSABI %d", errNotCubin, h[7])
	}
	if c.arch == 0 {
		return c, fmt.Errorf("%w: it is for sm_0", errNotCubin)
	}
	return c, nil
}

var (
	releaseWord = regexp.MustCompile(`release (\d{1,2}\.\d{1,2})\b`)
	archWord    = regexp.MustCompile(`-arch[ =]sm_(\d{2,3})([af]?)\b`)
)

// readNote returns the contents of the note about the tools; nil where there is
// none. It goes by the note's type, since the names of the sections have a few
// megabytes where there are many kernels.
func readNote(r io.ReaderAt, size int64, header []byte) ([]byte, error) {
	secs, err := sectionTable(r, size, header)
	if err != nil || secs == nil {
		return nil, err
	}
	looked := 0
	for i := range secs.count() {
		const note, most = 7, 16
		s := secs.at(i)
		if s.typ != note || s.size < uint64(len(noteHead)) {
			continue
		}
		if looked++; looked > most {
			break
		}
		if s.size > maxNote || s.off > uint64(size) || s.size > uint64(size)-s.off {
			return nil, fmt.Errorf("a note of %d bytes at %d does not fit the cubin", s.size, s.off)
		}
		b := make([]byte, s.size)
		if n, err := r.ReadAt(b, int64(s.off)); n < len(b) {
			return nil, fmt.Errorf("reading a note: %w", cmpErr(err))
		}
		if string(b[:4]) == noteHead[:4] && string(b[8:len(noteHead)]) == noteHead[8:] {
			return b, nil
		}
	}
	return nil, nil
}

// cubin is a file that is one cubin.
func (t *tally) cubin(r io.ReaderAt, size int64) error {
	c, err := readCubin(r, size)
	if err != nil {
		return fmt.Errorf("reading a cubin: %w", err)
	}
	t.Containers++
	t.addNamed(codeKey{kind: kindCubin, arch: c.arch, suffix: c.suffix, compression: "none"})
	t.closeContainer()
	t.origin(c.toolkit)
	return nil
}

// peek reads which toolkit made an entry: of the first entry of each kind, since
// a file of one build repeats itself.
func (w *walk) peek(pos int64, e entry) {
	switch {
	case w.origins == nil || e.kind != kindCubin:
	case e.major == 1 && e.minor >= 8 && e.arch < 100:
		w.origin("13") // see the package documentation
	}
	if w.origins == nil || e.kind != kindCubin || e.compression() != "none" || w.peeked >= maxPeeks || e.payload < elfHeader {
		return
	}
	key := codeKey{arch: e.arch, suffix: e.suffix()}
	if w.peeks[key] >= 2 {
		return
	}
	w.peeks[key]++
	w.peeked++
	size := int64(min(e.payload, 1<<40))
	if c, err := readCubin(io.NewSectionReader(w.r, pos+int64(e.header), size), size); err == nil && c.arch == e.arch {
		w.origin(c.toolkit)
	}
}

// maxPeeks bounds the cubins whose own headers are read; a library has some 10 to 15 targets.
const maxPeeks = 64

// origin notes the toolkit that made some code.
func (t *tally) origin(toolkit string) {
	if t.origins != nil && toolkit != "" && len(t.origins) < maxPeeks {
		t.origins[toolkit] = true
	}
}

// toolkits lists the origins, oldest first. What is only known as "13 or newer"
// is left out where a cubin says more.
func (t *tally) toolkits() []string {
	var list []string
	for v := range t.origins {
		list = append(list, v)
	}
	number := func(v string) int {
		major, minor, _ := strings.Cut(v, ".")
		a, _ := strconv.Atoi(major)
		b, _ := strconv.Atoi(minor)
		return a*100 + b
	}
	slices.SortFunc(list, func(a, b string) int { return number(a) - number(b) })
	if len(list) > 1 && number(list[len(list)-1]) >= number("13.0") {
		list = slices.DeleteFunc(list, func(v string) bool { return v == "13" })
	}
	return list
}
