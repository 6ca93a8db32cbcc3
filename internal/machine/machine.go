// Package machine gives everything above it one way to read something that
// can be read: this host, a root directory, or an archive that describes a
// machine in a test.
//
// Promises: paths are absolute and slash-separated as seen inside the machine;
// a link never leads out of the root; only regular files are opened, so a FIFO
// or a device cannot block or have effects; every read has a limit; nothing is
// written, executed or fetched.
package machine

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Kind says what sort of machine is read. It is part of the output contract.
type Kind string

const (
	Host    Kind = "host"    // the running system
	Root    Kind = "root"    // a directory tree: unpacked image, mounted disk, captured machine
	Archive Kind = "archive" // a txtar file that describes a whole machine
)

var (
	// ErrNotRegular is returned instead of opening a FIFO, socket or device.
	ErrNotRegular = errors.New("not a regular file")
	// ErrTooLarge is returned when a file exceeds the limit its reader set.
	ErrTooLarge = errors.New("larger than the limit for this kind of file")
	// ErrLinkLoop is returned when a path takes more links than the kernel would follow.
	ErrLinkLoop = errors.New("too many levels of symbolic links")
)

// Machine is something that can be read. Its methods are safe for concurrent use.
type Machine struct {
	Kind Kind
	// Name is what reports call the machine: host name, directory or archive.
	Name string
	// Now is the clock, so that a test machine has a fixed date.
	Now func() time.Time
	// User is who would use the GPU; nil where that cannot be known (a root directory).
	User *Identity

	tree    tree
	env     map[string]string
	envSeen bool
	dirs    dirCache
	memo    sync.Map
}

// Identity is a Unix user as the kernel sees one.
type Identity struct {
	UID  int   `json:"uid"`
	GIDs []int `json:"gids"` // primary and supplementary
}

// tree is what an implementation must offer: single steps that never follow a
// link in the last component. Machine does the walking, so that confinement
// is written once.
type tree interface {
	lstat(name string) (fs.FileInfo, error)
	// stat is lstat where Machine resolves links, and follows them where the
	// operating system does.
	stat(name string) (fs.FileInfo, error)
	readlink(name string) (string, error)
	open(name string) (File, error)
	readdir(name string, max int) ([]fs.DirEntry, error)
	// followsLinks is true where the operating system may walk links itself:
	// only for the host, whose root is the real one.
	followsLinks() bool
}

// File is an open regular file.
type File interface {
	io.Reader
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

// Getenv returns an environment variable of the machine and whether it is set.
// It is always unset where the environment is not known; see EnvKnown.
func (m *Machine) Getenv(name string) (string, bool) {
	v, ok := m.env[name]
	return v, ok
}

// EnvKnown tells whether the environment of the machine could be read at all.
func (m *Machine) EnvKnown() bool { return m.envSeen }

// EnvNames lists the variables that are set, sorted.
func (m *Machine) EnvNames() []string {
	names := make([]string, 0, len(m.env))
	for k := range m.env {
		names = append(names, k)
	}
	slices.Sort(names)
	return names
}

// SetEnv replaces one variable of the machine's environment as Strata sees it.
func (m *Machine) SetEnv(name, value string) {
	if m.env == nil {
		m.env = map[string]string{}
	}
	m.env[name] = value
	m.envSeen = true
}

// Open opens a regular file for reading, links followed inside the root.
func (m *Machine) Open(name string) (File, error) {
	p, err := m.Resolve(name)
	if err != nil {
		return nil, pathErr("open", name, err)
	}
	info, err := m.tree.stat(p)
	if err != nil {
		return nil, pathErr("open", name, err)
	}
	if !info.Mode().IsRegular() {
		if info.IsDir() {
			return nil, pathErr("open", name, errors.New("is a directory"))
		}
		return nil, pathErr("open", name, ErrNotRegular)
	}
	f, err := m.tree.open(p)
	if err != nil {
		return nil, pathErr("open", name, err)
	}
	return f, nil
}

// ReadFile reads a whole file of at most limit bytes; a larger one is
// ErrTooLarge and nothing of it is returned.
func (m *Machine) ReadFile(name string, limit int64) ([]byte, error) {
	data, more, err := m.ReadHead(name, limit)
	if err == nil && more {
		return nil, pathErr("read", name, fmt.Errorf("%w (%d bytes)", ErrTooLarge, limit))
	}
	return data, err
}

// ReadHead reads at most limit bytes from the start of a file and tells
// whether there was more.
func (m *Machine) ReadHead(name string, limit int64) (data []byte, more bool, err error) {
	f, err := m.Open(name)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	// One read of the right size; /proc files say 0 and grow as they are read.
	var buf bytes.Buffer
	if info, err := f.Stat(); err == nil {
		buf.Grow(int(min(max(info.Size(), 0), limit) + bytes.MinRead + 1))
	}
	if _, err = buf.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, false, pathErr("read", name, err)
	}
	data = buf.Bytes()
	if int64(len(data)) > limit {
		return data[:limit], true, nil
	}
	return data, false, nil
}

// ReadTail reads at most limit bytes from the end of a file, from the start of
// a line on, and tells at which byte the part that was read starts: 0 for the
// whole file. Line numbers are only true of a whole file.
func (m *Machine) ReadTail(name string, limit int64) (text string, from int64, err error) {
	f, err := m.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", 0, pathErr("read", name, err)
	}
	from = max(0, info.Size()-limit)
	data := make([]byte, info.Size()-from)
	n, err := f.ReadAt(data, from)
	if err != nil && !errors.Is(err, io.EOF) { // a log may have been rotated meanwhile
		return "", 0, pathErr("read", name, err)
	}
	text = string(data[:n])
	if from > 0 {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text, from, nil
}

// Stat describes what a path leads to, links followed inside the root.
func (m *Machine) Stat(name string) (fs.FileInfo, error) {
	p, err := m.Resolve(name)
	if err != nil {
		return nil, pathErr("stat", name, err)
	}
	info, err := m.tree.stat(p)
	if err != nil {
		return nil, pathErr("stat", name, err)
	}
	return info, nil
}

// Lstat describes the path itself; only its directory is resolved.
func (m *Machine) Lstat(name string) (fs.FileInfo, error) {
	p, err := m.resolveParent(name)
	if err == nil {
		var info fs.FileInfo
		if info, err = m.tree.lstat(p); err == nil {
			return info, nil
		}
	}
	return nil, pathErr("lstat", name, err)
}

// ReadLink returns the target of a link as written.
func (m *Machine) ReadLink(name string) (string, error) {
	p, err := m.resolveParent(name)
	if err == nil {
		var target string
		if target, err = m.tree.readlink(p); err == nil {
			return target, nil
		}
	}
	return "", pathErr("readlink", name, err)
}

// MaxDirEntries bounds one directory listing. A site-packages of a very large
// installation has a few thousand entries; a listing beyond this is somebody's
// mistake or attack, and the caller reports it as partial.
const MaxDirEntries = 200_000

// ReadDir lists a directory in name order. At most MaxDirEntries entries are
// returned; when there were more the error is ErrTooLarge and the entries are
// still valid.
func (m *Machine) ReadDir(name string) ([]fs.DirEntry, error) {
	p, err := m.Resolve(name)
	if err != nil {
		return nil, pathErr("readdir", name, err)
	}
	entries, err := m.tree.readdir(p, MaxDirEntries+1)
	if err != nil {
		return nil, pathErr("readdir", name, err)
	}
	if len(entries) > MaxDirEntries {
		entries = entries[:MaxDirEntries]
		err = pathErr("readdir", name, fmt.Errorf("%w: more than %d entries", ErrTooLarge, MaxDirEntries))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// Glob lists the paths matching a pattern with wildcards in any component, in
// name order. A directory that cannot be listed ends its branch; the first
// such error other than "does not exist" is returned beside the matches.
func (m *Machine) Glob(pattern string) ([]string, error) {
	paths := []string{"/"}
	var firstErr error
	for part := range strings.SplitSeq(strings.Trim(pattern, "/"), "/") {
		var next []string
		for _, base := range paths {
			if !strings.ContainsAny(part, "*?[") {
				p := path.Join(base, part)
				if _, err := m.Lstat(p); err == nil {
					next = append(next, p)
				}
				continue
			}
			entries, err := m.ReadDir(base)
			if err != nil && firstErr == nil && !IsMissing(err) {
				firstErr = err
			}
			for _, e := range entries {
				ok, err := path.Match(part, e.Name())
				if err != nil {
					return nil, fmt.Errorf("matching %q: %w", pattern, err)
				}
				if ok {
					next = append(next, path.Join(base, e.Name()))
				}
			}
		}
		paths = next
	}
	return paths, firstErr
}

// Live tells whether the machine runs, or is a root that captured one that
// did: only then does it mean something that a device or a process is missing.
func (m *Machine) Live() bool {
	return m.Kind == Host || m.Exists("/proc/modules") || m.Exists("/proc/self/status") || m.Exists("/proc/driver/nvidia")
}

// Exists tells whether a path leads to something that can be described.
func (m *Machine) Exists(name string) bool {
	_, err := m.Stat(name)
	return err == nil
}

// pathErr names the path as the caller wrote it, once, whatever the operating
// system put around the cause.
func pathErr(op, name string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}
