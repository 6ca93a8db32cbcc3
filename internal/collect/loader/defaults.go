package loader

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"strata/internal/elfx"
	"strata/internal/machine"
	"strata/internal/stack"
)

// loaders are the places of glibc's dynamic loader: what programs name in
// PT_INTERP, then where distributions keep the file itself.
var loaders = []string{
	"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib64/ld64.so.2", "/lib/ld64.so.1",
	"/usr/lib64/ld-linux-x86-64.so.2", "/usr/lib/ld-linux-x86-64.so.2", "/usr/lib/ld-linux-aarch64.so.1",
	"/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1",
	"/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "/usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1",
}

// maxLoader bounds how much of a loader is searched. It has 150 to 250 KB;
// with its debugging information, some 1.5 MB.
const maxLoader = 4 << 20

// Defaults returns the directories built into the machine's own dynamic
// loader, in search order and without trailing slashes. glibc keeps them as a
// list of NUL-terminated strings, so no table of distributions is needed.
// Where no loader can be read they are guessed from the distribution, and the
// source says derived.
func Defaults(m *machine.Machine) stack.Fact[[]string] {
	for _, name := range append(loaders[:len(loaders):len(loaders)], Interpreter(m)) {
		if name == "" {
			continue
		}
		data, _, err := m.ReadHead(name, maxLoader)
		if err != nil {
			continue
		}
		if dirs := ParseDefaults(data); len(dirs) > 0 {
			return stack.Know(dirs, stack.From("elf", name, 0, strings.Join(dirs, ":")))
		}
	}
	for _, arch := range []string{"x86_64", "aarch64"} {
		if name := "/lib/ld-musl-" + arch + ".so.1"; m.Exists(name) {
			return stack.Know([]string{"/lib", "/usr/local/lib", "/usr/lib"}, stack.From("derived", name, 0, "musl's built-in path"))
		}
	}
	return guess(m)
}

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

// guess stands in for a loader that is missing or unreadable.
func guess(m *machine.Machine) stack.Fact[[]string] {
	const osRelease = "/etc/os-release"
	data, _, err := m.ReadHead(osRelease, 64<<10)
	ids := ""
	for line := range strings.Lines(string(data)) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok && (k == "ID" || k == "ID_LIKE") {
			ids += " " + strings.ToLower(strings.Trim(v, `"'`))
		}
	}
	var dirs []string
	switch has := func(id string) bool { return strings.Contains(ids+" ", " "+id+" ") }; {
	case has("debian"), has("ubuntu"):
		triplet := "x86_64-linux-gnu"
		if m.Exists("/usr/lib/aarch64-linux-gnu") && !m.Exists("/usr/lib/x86_64-linux-gnu") {
			triplet = "aarch64-linux-gnu"
		}
		dirs = []string{"/lib/" + triplet, "/usr/lib/" + triplet, "/lib", "/usr/lib"}
	case has("fedora"), has("rhel"), has("centos"), has("suse"), has("sles"), has("amzn"):
		dirs = []string{"/lib64", "/usr/lib64"}
	case err == nil:
		dirs = []string{"/lib", "/usr/lib"}
	default:
		why := "no glibc loader was found and the distribution is not known"
		if m.Exists("/lib") || m.Exists("/usr/lib") || m.Exists("/lib64") {
			return stack.Broken[[]string](why, stack.File(osRelease))
		}
		return stack.None[[]string](stack.File("/lib"), stack.File("/lib64"), stack.File("/usr/lib"))
	}
	return stack.Know(dirs, stack.From("derived", osRelease, 0, fmt.Sprintf("usual for%s; no loader could be read", ids)))
}
