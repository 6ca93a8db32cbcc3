package elfx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// image is an ELF file with its header understood and its program headers at
// hand.
type image struct {
	pages
	order   binary.ByteOrder
	class64 bool
	typ     uint16
	machine uint16

	phoff, shoff         int64
	phentsize, phnum     int
	shentsize, shnum     int
	shstrndx             int
	progs                []prog
	sectionsNeedExtended bool // the counts did not fit and are in section 0
}

// prog is one program header.
type prog struct {
	typ                 uint32
	off, vaddr          uint64
	filesz, memsz, algn uint64
}

const (
	ptLoad    = 1
	ptDynamic = 2
	ptInterp  = 3
	ptNote    = 4
)

func open(r io.ReaderAt, size int64) (*image, error) {
	im := &image{pages: pages{r: r, size: size}}
	if size < 16 {
		return nil, ErrTooShort
	}
	b, err := im.at(0, 64)
	if err != nil {
		if errors.Is(err, ErrTruncated) {
			return nil, err
		}
		return nil, fmt.Errorf("reading the ELF header: %w", err)
	}
	if string(b[:4]) != "\x7fELF" {
		return nil, ErrNotELF
	}
	need := 64
	switch b[4] {
	case 1:
		need = 52
	case 2:
		im.class64 = true
	default:
		return nil, malformed("class %d", b[4])
	}
	if len(b) < need {
		return nil, ErrTooShort
	}
	switch b[5] {
	case 1:
		im.order = binary.LittleEndian
	case 2:
		im.order = binary.BigEndian
	default:
		return nil, malformed("byte order %d", b[5])
	}
	o := im.order
	im.typ, im.machine = o.Uint16(b[16:]), o.Uint16(b[18:])
	var ph, sh uint64
	tail := b[42:] // e_phentsize and what follows
	if im.class64 {
		ph, sh, tail = o.Uint64(b[32:]), o.Uint64(b[40:]), b[54:]
	} else {
		ph, sh = uint64(o.Uint32(b[28:])), uint64(o.Uint32(b[32:]))
	}
	if ph > math.MaxInt64 || sh > math.MaxInt64 {
		return nil, malformed("header tables at offsets beyond 2^63")
	}
	im.phoff, im.shoff = int64(ph), int64(sh)
	im.phentsize, im.phnum = int(o.Uint16(tail)), int(o.Uint16(tail[2:]))
	im.shentsize, im.shnum = int(o.Uint16(tail[4:])), int(o.Uint16(tail[6:]))
	im.shstrndx = int(o.Uint16(tail[8:]))
	im.sectionsNeedExtended = im.shoff != 0 && (im.shnum == 0 || im.shstrndx == 0xffff)
	return im, nil
}

func (im *image) className() string {
	if im.class64 {
		return "ELF64"
	}
	return "ELF32"
}

// pick returns the first number in an ELF64 file and the second in an ELF32.
func (im *image) pick(n64, n32 int) int {
	if im.class64 {
		return n64
	}
	return n32
}

// word reads an address-sized number: n64 and n32 are its offsets in b.
func (im *image) word(b []byte, n64, n32 int) uint64 {
	if im.class64 {
		return im.order.Uint64(b[n64:])
	}
	return uint64(im.order.Uint32(b[n32:]))
}

func (im *image) readProgs() error {
	if im.phnum == 0 || im.phoff == 0 {
		return nil
	}
	want := im.pick(56, 32)
	if im.phentsize != want {
		return malformed("program headers of %d bytes, want %d", im.phentsize, want)
	}
	if im.phnum > maxProgs {
		return malformed("%d program headers, more than %d", im.phnum, maxProgs)
	}
	b, err := im.bytes(im.phoff, int64(im.phnum*want), "the program header table")
	if err != nil {
		return err
	}
	im.progs = make([]prog, im.phnum)
	for i := range im.progs {
		h := b[i*want:]
		im.progs[i] = prog{
			typ:    im.order.Uint32(h),
			off:    im.word(h, 8, 4),
			vaddr:  im.word(h, 16, 8),
			filesz: im.word(h, 32, 16),
			memsz:  im.word(h, 40, 20),
			algn:   im.word(h, 48, 28),
		}
	}
	return nil
}

// checkLoads reports a segment that the file is too short to hold. ld.so maps
// such a file without complaint and the process dies of SIGBUS later.
func (im *image) checkLoads() error {
	for _, p := range im.progs {
		if p.typ == ptLoad && (p.off > math.MaxInt64 || p.filesz > math.MaxInt64 || !im.inside(int64(p.off), int64(p.filesz))) {
			return truncated("a loaded segment (%d bytes at %d) lies outside the file of %d bytes", p.filesz, p.off, im.size)
		}
	}
	return nil
}

// offset translates an address to a place in the file and says how many bytes
// the segment has from there.
func (im *image) offset(addr uint64) (off, left int64, ok bool) {
	for _, p := range im.progs {
		if p.typ != ptLoad || addr < p.vaddr || addr-p.vaddr >= p.filesz {
			continue
		}
		d := addr - p.vaddr
		if p.off > math.MaxInt64/2 || d > math.MaxInt64/2 || p.filesz > math.MaxInt64/2 {
			return 0, 0, false
		}
		return int64(p.off + d), int64(p.filesz - d), true
	}
	return 0, 0, false
}

func (im *image) interp() (string, error) {
	for _, p := range im.progs {
		if p.typ != ptInterp {
			continue
		}
		if p.off > math.MaxInt64/2 || p.filesz > maxString {
			return "", malformed("interpreter name of %d bytes at %d", p.filesz, p.off)
		}
		if !im.inside(int64(p.off), int64(p.filesz)) {
			return "", truncated("the interpreter name lies outside the file")
		}
		return im.cstring(int64(p.off), int64(p.off+p.filesz), maxString, "the interpreter name")
	}
	return "", nil
}
