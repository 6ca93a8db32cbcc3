// Package procmaps tells which libraries a running process has mapped, and
// whether the files are still those on disk. It reads /proc/PID/maps of a
// machine and nothing of the process itself.
package procmaps

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"strata/internal/machine"
)

// File is one file that a process has mapped.
type File struct {
	Path   string // as the process sees it, in its own root
	Device string // major:minor, hexadecimal, as the kernel writes it
	Inode  uint64
	// Code is true where a part is mapped executable: a library or program, not data.
	Code bool
	Now  State
}

// State is what is at the path of a mapped file now.
type State string

// The states. A file that was replaced, as package managers and pip do it, is still mapped with its old contents.
const (
	Same     State = "same"
	Replaced State = "replaced" // another file lies there
	Gone     State = "gone"     // nothing lies there
	Unknown  State = "unknown"  // the path could not be looked at
)

const (
	// maxMaps bounds the file; a process with 20,000 mappings has 2 MB.
	maxMaps = 64 << 20
	// maxFiles bounds the distinct files; the largest real processes have some thousands.
	maxFiles = 50_000
)

// Read returns the files that process pid has mapped, in the order of their first mapping. It fails where the process does not exist, or
// belongs to somebody else.
func Read(m *machine.Machine, pid int) ([]File, error) {
	proc := "/proc/" + strconv.Itoa(pid)
	text, err := m.ReadFile(proc+"/maps", maxMaps)
	if err != nil {
		if machine.IsMissing(err) {
			return nil, fmt.Errorf("reading the mappings of process %d: no such process", pid)
		}
		return nil, fmt.Errorf("reading the mappings of process %d: %w; run Strata as its user or as root", pid, err)
	}
	files, err := Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("reading the mappings of process %d: %w", pid, err)
	}
	for i := range files {
		files[i].Now = now(m, proc+"/root", &files[i])
	}
	return files, nil
}

// deleted is what the kernel appends to the path of a file whose name is gone.
const deleted = " (deleted)"

// Parse reads the text of /proc/PID/maps: address, rights, offset, device, inode and path. Anonymous memory and what has no file
// ("[heap]", "/dev/…", "/memfd:…") is left out. A file whose path the kernel marks as deleted has the state Gone.
func Parse(text string) ([]File, error) {
	var files []File
	seen := map[string]int{}
	for line := range strings.Lines(text) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), " ", 6)
		if len(fields) < 6 || len(fields[1]) < 4 {
			continue
		}
		name := unescape(strings.TrimLeft(fields[5], " "))
		inode, err := strconv.ParseUint(fields[4], 10, 64)
		if err != nil || inode == 0 || !path.IsAbs(name) || strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/memfd:") || strings.HasPrefix(name, "/SYSV") {
			continue
		}
		key := fields[3] + " " + fields[4] + " " + name
		i, ok := seen[key]
		if !ok {
			if len(files) == maxFiles {
				return files, fmt.Errorf("more than %d files", maxFiles)
			}
			i = len(files)
			seen[key] = i
			f := File{Path: name, Device: fields[3], Inode: inode, Now: Unknown}
			if rest, ok := strings.CutSuffix(name, deleted); ok {
				f.Path, f.Now = rest, Gone
			}
			files = append(files, f)
		}
		files[i].Code = files[i].Code || fields[1][2] == 'x'
	}
	return files, nil
}

// unescape undoes the one escape of the kernel: a line feed in a path is written \012.
func unescape(s string) string { return strings.ReplaceAll(s, `\012`, "\n") }

// now looks at what lies at the path of a mapped file in the root of its process. Device and inode are no help: overlay file systems show
// other ones in maps than in stat. The kernel's mark is.
func now(m *machine.Machine, root string, f *File) State {
	_, err := m.Stat(root + f.Path)
	switch {
	case err == nil && f.Now == Gone:
		return Replaced
	case err == nil:
		return Same
	case machine.IsMissing(err) && f.Now == Gone:
		return Gone
	}
	// Without the mark the file has its name still, wherever that is; without rights nobody knows.
	if f.Now == Gone {
		return Gone
	}
	return Unknown
}

// Duplicates returns the libraries that are mapped from more than one file under one name, which is what two copies of cuDNN in one process
// look like.
func Duplicates(files []File) map[string][]File {
	byName := map[string][]File{}
	for _, f := range files {
		if name := path.Base(f.Path); f.Code && strings.Contains(name, ".so") && !module(name) {
			byName[name] = append(byName[name], f)
		}
	}
	for name, list := range byName {
		if len(list) < 2 {
			delete(byName, name)
		}
	}
	return byName
}

// module reports whether a file is an extension module of Python, which is found by its package: torch and functorch both have a _C.
func module(name string) bool {
	return !strings.HasPrefix(name, "lib") || strings.Contains(name, ".cpython-") || strings.Contains(name, ".abi3.")
}
