package machine

import (
	"bytes"
	"encoding/binary"
	"path"
	"slices"
	"strings"

	"strata/internal/elfx"
)

// usualDirs are what ldconfig looks into after ld.so.conf; those of other processors are not there.
var usualDirs = []string{
	"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib",
}

// runLdconfig makes /etc/ld.so.cache as ldconfig does: the libraries in the
// directories of ld.so.conf and in the usual ones, by soname and, for a link,
// by its name too. Root runs it, so what is denied to the user is read.
func (a *Archived) runLdconfig() error {
	t := a.tree
	if _, ok := t.nodes["/etc/ld.so.cache"]; ok {
		return nil // one of its own
	}
	denied, hanging := t.denied, t.hanging
	t.denied, t.hanging = nil, nil
	defer func() { t.denied, t.hanging = denied, hanging }()
	var list []cacheLine
	seen, inodes := map[string]bool{}, map[string]bool{}
	for _, dir := range append(a.confDirs("/etc/ld.so.conf", 0), usualDirs...) {
		real, err := a.Real(dir)
		if err != nil || inodes[real] {
			continue
		}
		inodes[real] = true
		files, err := a.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, f := range files {
			if !strings.HasPrefix(f.Name(), "lib") && !strings.HasPrefix(f.Name(), "ld-") || !strings.Contains(f.Name(), ".so") {
				continue
			}
			name, soname, machine := path.Join(dir, f.Name()), "", ""
			if soname, machine = a.soname(name); machine == "" {
				continue
			}
			for _, n := range []string{soname, f.Name()} {
				p := path.Join(dir, n)
				if n == "" || n == f.Name() && f.Type().IsRegular() && soname != "" && soname != n || seen[p] {
					continue
				}
				if !a.Exists(p) {
					p = name // ldconfig would make the link
				}
				seen[path.Join(dir, n)] = true
				list = append(list, cacheLine{n, p, cacheFlags[machine]})
			}
		}
	}
	// By name, and within one in the order of the directories.
	slices.SortStableFunc(list, func(x, y cacheLine) int { return strings.Compare(y.name, x.name) })
	return t.addFile("/etc/ld.so.cache", cacheOf(list))
}

// soname reads a library's own name; machine is "" for what is none.
func (a *Archived) soname(name string) (soname, machine string) {
	f, err := a.Open(name)
	if err != nil {
		return "", ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", ""
	}
	e, err := elfx.Read(f, info.Size())
	if e == nil || err != nil || e.Class != "ELF64" {
		return "", ""
	}
	return e.Soname, e.Machine
}

// confDirs are the directories of a configuration and its includes.
func (a *Archived) confDirs(name string, depth int) (dirs []string) {
	data, err := a.ReadFile(name, 1<<20)
	if err != nil || depth > maxIncludes {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 2 && fields[0] == "include":
			pattern := fields[1]
			if !path.IsAbs(pattern) {
				pattern = path.Join(path.Dir(name), pattern)
			}
			found, _ := a.Glob(pattern)
			slices.Sort(found)
			for _, f := range found {
				dirs = append(dirs, a.confDirs(f, depth+1)...)
			}
		case len(fields) > 0 && path.IsAbs(fields[0]):
			dirs = append(dirs, path.Clean(fields[0]))
		}
	}
	return dirs
}

// cacheLine is one entry of ld.so.cache.
type cacheLine struct {
	name, path string
	flags      uint32
}

// cacheFlags are FLAG_ELF_LIBC6 with the bits of 64-bit libraries.
var cacheFlags = map[string]uint32{"x86_64": 0x303, "aarch64": 0xa03}

// cacheOf writes entries in the format that ldconfig writes since glibc 2.32
// (sysdeps/generic/dl-cache.h: a header of 48 bytes, entries of 24, then the
// strings).
func cacheOf(lines []cacheLine) []byte {
	const header, entry = 48, 24
	le := binary.LittleEndian
	var entries, strs bytes.Buffer
	base := uint32(header + entry*len(lines))
	put := func(s string) uint32 {
		at := base + uint32(strs.Len())
		strs.WriteString(s + "\x00")
		return at
	}
	for _, l := range lines {
		e := make([]byte, entry)
		le.PutUint32(e, l.flags)
		le.PutUint32(e[4:], put(l.name))
		le.PutUint32(e[8:], put(l.path))
		entries.Write(e)
	}
	out := make([]byte, header)
	copy(out, "glibc-ld.so.cache1.1")
	le.PutUint32(out[20:], uint32(len(lines)))
	le.PutUint32(out[24:], uint32(strs.Len()))
	out[28] = 2 // little-endian
	return append(append(out, entries.Bytes()...), strs.Bytes()...)
}
