package elfx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// File is what Strata needs to know of one ELF file. Strings are as written in
// the file: they are untrusted and may hold control characters.
type File struct {
	Class   string // "ELF64" or "ELF32"
	Machine string // the word uname -m prints: "x86_64", "aarch64", …; "em-N" when unknown
	Type    string // "dyn", "exec", "rel" or "core"; "et-N" when unknown

	Soname       string   // DT_SONAME
	Needed       []string // DT_NEEDED, in file order
	Rpath        []string // DT_RPATH split at ':', $ORIGIN and empty elements kept as written
	Runpath      []string // DT_RUNPATH, likewise; when there is one ld.so ignores DT_RPATH
	Interp       string   // PT_INTERP, the program loader
	NoDefaultLib bool     // DF_1_NODEFLIB: the default directories are not searched
	Static       bool     // no dynamic section: nothing for a dynamic loader to do
	DebugOnly    bool     // separate debug information: has the headers of a program, but not its contents

	Needs     []VersionNeed // symbol versions wanted, per library
	Defines   []string      // symbol versions provided, such as "V12_4" or "GLIBCXX_3.4.30"; without the base version
	Versioned bool          // there are version definitions; if not, ld.so only warns about a missing version

	Sections       []Section // empty when SectionProblem says why
	SectionProblem string    // why Sections is missing or incomplete; "" when it is complete

	BuildID    string     // GNU build ID in hex, "" if there is none
	CompatNote *FwdCompat // forward-compatibility note of NVIDIA's compat libcuda, nil if there is none
}

// VersionNeed lists the symbol versions that a file wants from one library.
type VersionNeed struct {
	Library  string
	Versions []string // a missing one is an error at load time
	Weak     []string // a missing one is only a warning (VER_FLG_WEAK)
}

// Section is one section header. Size counts bytes in the file, so it is 0
// for a section without contents such as .bss.
type Section struct {
	Name         string
	Offset, Size int64
}

// Errors of Read. All but ErrNotELF and ErrTooShort come wrapped with what was
// wrong. They are kept apart because the loader treats them differently: it
// stops at an empty or foreign file on its path, but skips a file of another
// machine or class.
var (
	ErrNotELF    = errors.New("not an ELF file")
	ErrTooShort  = errors.New("file too short to be an ELF file")
	ErrTruncated = errors.New("ELF file is truncated")
	ErrMalformed = errors.New("malformed ELF file")
)

// Limits on what one file may make us read. Each is far above anything met in
// 2,000 files of a Linux distribution and in NVIDIA's own libraries, and far
// below what could hurt.
const (
	maxProgs       = 256     // usual 7–14
	maxSections    = 8192    // usual 25–45; objects built with -ffunction-sections have thousands
	maxDynamic     = 4096    // usual 25–40
	maxNeeded      = 1024    // usual 1–40
	maxString      = 4096    // PATH_MAX; C++ symbol names have their own limit
	maxSearchPath  = 1 << 16 // a whole DT_RPATH
	maxVersions    = 4096    // usual 1–80; libc.so.6 defines about 50
	maxNote        = 1 << 16 // one note segment or section
	maxSectionName = 256
)

// Read reads the headers, the dynamic section, the version sections and the
// notes of the ELF file of size bytes in r. It returns ErrTooShort (also for
// an empty file), ErrNotELF, or an error that wraps ErrTruncated or
// ErrMalformed. With the last two the File holds what was read until then and
// is nil only if the ELF header itself is unusable. An error of r is returned
// wrapped.
func Read(r io.ReaderAt, size int64) (*File, error) {
	im, err := open(r, size)
	if err != nil {
		return nil, err
	}
	f := &File{
		Class:   im.className(),
		Machine: machineName(im.machine, im.class64, im.order),
		Type:    typeName(im.typ),
	}
	if err := im.readProgs(); err != nil {
		return f, err
	}
	sections := im.readSections(f)
	if err := im.readNotes(f, sections); err != nil {
		return f, err
	}
	if f.DebugOnly = debugOnly(sections); f.DebugOnly {
		return f, nil
	}
	if f.Interp, err = im.interp(); err != nil {
		return f, err
	}
	d, err := im.readDynamic()
	if err != nil {
		return f, err
	}
	if d == nil {
		f.Static = true
		return f, im.checkLoads()
	}
	if err := d.fill(f); err != nil {
		return f, err
	}
	return f, im.checkLoads()
}

func truncated(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrTruncated, fmt.Sprintf(format, args...))
}

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMalformed, fmt.Sprintf(format, args...))
}

func typeName(t uint16) string {
	switch t {
	case 1:
		return "rel"
	case 2:
		return "exec"
	case 3:
		return "dyn"
	case 4:
		return "core"
	}
	return fmt.Sprintf("et-%d", t)
}

// machineName gives the word uname -m prints on the machine that runs such
// files (e_machine numbers: the System V ABI's registry).
func machineName(m uint16, class64 bool, order binary.ByteOrder) string {
	little := order == binary.LittleEndian
	switch m {
	case 3:
		return "i686"
	case 21:
		if little {
			return "ppc64le"
		}
		return "ppc64"
	case 22:
		return "s390x"
	case 40:
		return "armv7l"
	case 62:
		return "x86_64"
	case 183:
		return "aarch64"
	case 190:
		return "cuda" // a cubin: GPU code outside its fat binary
	case 243:
		if class64 {
			return "riscv64"
		}
		return "riscv32"
	case 258:
		return "loongarch64"
	}
	return fmt.Sprintf("em-%d", m)
}
