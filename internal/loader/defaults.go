package loader

import (
	"bytes"
	"path"
	"slices"

	"strata/internal/elfx"
	"strata/internal/machine"
)

// Interpreter is the dynamic loader that the machine's own programs name, as
// in NixOS and Guix, where it lies in no usual place; "" where none says.
func Interpreter(m *machine.Machine) string {
	for _, name := range []string{"/bin/sh", "/usr/bin/env"} {
		f, err := m.Open(name)
		if err != nil {
			continue
		}
		info, err := f.Stat()
		if err == nil {
			// What is wrong behind the interpreter's name does not matter here.
			if e, _ := elfx.Read(f, info.Size()); e != nil && path.IsAbs(e.Interp) {
				f.Close()
				return path.Clean(e.Interp)
			}
		}
		f.Close()
	}
	return ""
}

// places are those of glibc's dynamic loader: what programs name in
// PT_INTERP, then where distributions keep the file itself.
var places = []string{
	"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib64/ld64.so.2", "/lib/ld64.so.1",
	"/usr/lib64/ld-linux-x86-64.so.2", "/usr/lib/ld-linux-x86-64.so.2", "/usr/lib/ld-linux-aarch64.so.1",
	"/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1",
	"/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "/usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1",
}

// Candidates are where the linker of a root can be: the usual places of glibc's, then what the root's own programs name. None of them
// need exist.
func Candidates(m *machine.Machine) []string {
	list := slices.Clone(places)
	if name := Interpreter(m); name != "" {
		list = append(list, name)
	}
	return list
}

// usual returns the linker of a root at one of the usual places, "" where there is none.
func usual(m *machine.Machine) string {
	for _, name := range append(places[:len(places):len(places)], "/lib/ld-musl-x86_64.so.1", "/lib/ld-musl-aarch64.so.1") {
		if m.Exists(name) {
			return name
		}
	}
	return ""
}

// ParseDefaults finds the list of directories in a loader: the longest run of
// NUL-terminated absolute directories that end in a slash (system_dirs in
// glibc's elf/dl-load.c).
func ParseDefaults(data []byte) []string {
	var best, run []string
	for at := 0; at < len(data); {
		end := bytes.IndexByte(data[at:], 0)
		if end < 0 {
			break
		}
		if s := data[at : at+end]; isSystemDir(s) {
			run = append(run, path.Clean(string(s)))
		} else {
			run = nil
		}
		if len(run) > len(best) {
			best = run
		}
		at += end + 1
	}
	// A lone such string may be anything, /usr/lib/locale/ for one. No glibc
	// is built with fewer than two: /lib or /lib64 and the same below /usr.
	if len(best) < 2 || len(best) > 16 {
		return nil
	}
	return best
}

func isSystemDir(s []byte) bool {
	if len(s) < len("/lib/") || len(s) > 256 || s[0] != '/' || s[len(s)-1] != '/' || !bytes.Contains(s, []byte("/lib")) {
		return false
	}
	for _, c := range s {
		if c <= ' ' || c > '~' || c == '%' || c == '$' {
			return false
		}
	}
	return true
}
