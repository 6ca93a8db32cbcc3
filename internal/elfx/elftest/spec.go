// Package elftest builds small ELF files for tests: shared libraries that
// debug/elf, readelf and the real dynamic loader accept, with exactly the
// names, versions, sections and notes that a test asks for.
package elftest

// Spec describes a file. The zero Spec is an empty x86-64 shared library.
type Spec struct {
	Class   string // "ELF64" (default) or "ELF32"
	Machine string // as uname -m prints it; default "x86_64"
	Type    string // "dyn" (default) or "exec"; an "exec" is for reading, its addresses cannot be mapped

	Soname       string
	Needed       []Need
	Rpath        string // DT_RPATH as written, elements separated by ':'
	Runpath      string // DT_RUNPATH
	Interp       string // PT_INTERP
	NoDefaultLib bool

	Defines   []string // version definitions; the base version is the Soname
	Defined   []Symbol
	Undefined []Symbol

	Fatbin    []byte // contents of .nv_fatbin, see fatbintest.Build
	RelFatbin []byte // contents of __nv_relfatbin
	Compat    string // JSON of .note.cuda.fwd_compatibility
	BuildID   []byte

	NoSections bool // leave the section header table out
	Pad        int  // bytes of zeros in a further section, to make the file larger
}

// Need is one needed library and the symbol versions wanted from it.
type Need struct {
	Library  string
	Versions []string
	Weak     []string // versions whose absence is only a warning
}

// Symbol is a dynamic symbol. A Version must be one of Spec.Defines (defined
// symbols) or one that some Need lists (undefined ones).
type Symbol struct {
	Name    string
	Version string
	Weak    bool
}
