package loader

import (
	"io/fs"
	"strings"

	"strata/internal/elfx"
	"strata/internal/machine"
)

// Object is a file that the linker has loaded.
type Object struct {
	// Name is what it was first asked for as: libcudnn.so.9, or a path.
	Name string
	Path string // where it was found, links not resolved
	File *elfx.File
	// By is what it was first loaded for; nil for the program and what is preloaded.
	By *Object
	// Via is why the place was searched.
	Via Via

	id     machine.FileID
	real   string          // path without links, to tell files apart where there are no inodes
	names  map[string]bool // what it answers to besides its soname
	origin string
	rpath  []string // of RPATH, expanded; nil until asked for
	run    []string // likewise of RUNPATH
	asked  bool
}

// Via is the part of the linker's search that led to a file.
type Via string

// The parts, in the order of glibc's search.
const (
	ViaProgram     Via = "program" // the program itself
	ViaPath        Via = "path"    // the name has a slash
	ViaLoaded      Via = "loaded"  // under this name or soname
	ViaRPath       Via = "RPATH"
	ViaLibraryPath Via = "LD_LIBRARY_PATH"
	ViaRunPath     Via = "RUNPATH"
	ViaCache       Via = "ld.so.cache"
	ViaDefault     Via = "default"
	ViaAssumed     Via = "assumed" // see Linker.NoLibc; there is no file
)

// file is what lies at a path, as the linker sees it.
type file struct {
	elf  *elfx.File
	id   machine.FileID
	real string
	err  error // why elf is nil, or what is wrong behind the ELF header
	// absent is true where the linker goes on to the next place without a word: nothing there, or no right to read it.
	absent bool
}

// file reads what lies at a path, once.
func (l *Linker) file(name string) *file {
	if f, ok := l.files.Load(name); ok {
		return f.(*file)
	}
	var fresh *file
	if l.listed(name) {
		fresh = l.read(name)
	} else {
		fresh = &file{err: &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}, absent: true}
	}
	f, _ := l.files.LoadOrStore(name, fresh)
	return f.(*file)
}

func (l *Linker) read(name string) *file {
	r, err := l.m.Open(name)
	if err != nil {
		// open(2) succeeds on a directory, a device or a FIFO, and the read of its header then ends the load.
		if info, statErr := l.m.Stat(name); statErr == nil && !info.Mode().IsRegular() {
			return &file{err: err}
		}
		return &file{err: err, absent: true}
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return &file{err: err, absent: true}
	}
	f := &file{}
	var hasID bool
	if f.id, hasID = machine.ID(info); !hasID {
		if f.real, err = l.m.Real(name); err != nil {
			f.real = name
		}
	}
	parse := func() *parsed {
		elf, err := elfx.Read(r, info.Size())
		return &parsed{elf, err}
	}
	p := (*parsed)(nil)
	if hasID {
		p = machine.Once(l.m, "loader", f.id, parse)
	} else {
		p = parse()
	}
	f.elf, f.err = p.elf, p.err
	return f
}

type parsed struct {
	elf *elfx.File
	err error
}

// same reports whether a file is the one that o was loaded from.
func (o *Object) same(f *file) bool {
	if f.id != (machine.FileID{}) {
		return o.id == f.id
	}
	return f.real != "" && o.real == f.real
}

// answers reports whether o is what name asks for, by a name that it has already or by its soname.
func (o *Object) answers(name string) bool {
	return o.names[name] || o.File.Soname != "" && o.File.Soname == name
}

// originOf is what $ORIGIN stands for in an object that was found at name: its directory, links not resolved.
func originOf(name string) string {
	dir, _, _ := strings.Cut(name, "\x00") // a name cannot hold one, a file's text can
	if i := strings.LastIndexByte(dir, '/'); i > 0 {
		return dir[:i]
	}
	return "/"
}
