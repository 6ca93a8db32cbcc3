package machine

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// memTree is a file tree in memory: what an archive describes.
type memTree struct {
	nodes    map[string]*memNode
	children map[string][]string
	denied   []string
	hanging  []string
	closed   chan struct{}
	once     sync.Once
}

type memNode struct {
	name     string
	mode     fs.FileMode
	size     int64
	content  io.ReaderAt
	target   string
	uid, gid int
	rdev     uint64
	mtime    time.Time
}

// maxPath is PATH_MAX of Linux.
const maxPath = 4096

func newMemTree() *memTree {
	t := &memTree{nodes: map[string]*memNode{}, children: map[string][]string{}, closed: make(chan struct{})}
	t.nodes["/"] = &memNode{name: "/", mode: fs.ModeDir | 0o755, mtime: archiveNow}
	return t
}

func (t *memTree) close() { t.once.Do(func() { close(t.closed) }) }

func (t *memTree) put(name string, n *memNode) error {
	name = path.Clean(name)
	if !path.IsAbs(name) || name == "/" {
		return fmt.Errorf("%q is not an absolute path", name)
	}
	if len(name) > maxPath {
		return fmt.Errorf("a path of %d bytes, more than %d: %.40q…", len(name), maxPath, name)
	}
	n.name, n.mtime = path.Base(name), archiveNow
	dir := path.Dir(name)
	if parent, ok := t.nodes[dir]; !ok {
		if err := t.put(dir, &memNode{mode: fs.ModeDir | 0o755}); err != nil {
			return err
		}
	} else if !parent.mode.IsDir() {
		return fmt.Errorf("%q lies below %q, which is not a directory", name, dir)
	}
	if _, ok := t.nodes[name]; !ok {
		t.children[dir] = append(t.children[dir], n.name)
	}
	t.nodes[name] = n
	return nil
}

func (t *memTree) addFile(name string, data []byte) error {
	return t.put(name, &memNode{mode: 0o644, size: int64(len(data)), content: bytes.NewReader(data)})
}

func (t *memTree) addLink(name, target string) error {
	return t.put(name, &memNode{mode: fs.ModeSymlink | 0o777, target: target})
}

func (t *memTree) addSparse(line string) error {
	sizeText, name, _ := strings.Cut(line, " ")
	size, err := strconv.ParseInt(sizeText, 10, 64)
	if err != nil {
		return fmt.Errorf("%q: want SIZE PATH: %w", line, err)
	}
	return t.put(strings.TrimSpace(name), &memNode{mode: 0o644, size: size, content: sparse(size)})
}

// addMode reads "MODE [dir|fifo|char MAJ:MIN] [uid=N] [gid=N] PATH".
func (t *memTree) addMode(line string) error {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return fmt.Errorf("%q: want MODE [dir|fifo|char MAJ:MIN] [uid=N] [gid=N] PATH", line)
	}
	perm, err := strconv.ParseUint(fields[0], 8, 32)
	if err != nil {
		return fmt.Errorf("%q: reading the mode: %w", line, err)
	}
	name := path.Clean(fields[len(fields)-1])
	n, ok := t.nodes[name]
	if !ok {
		n = &memNode{content: bytes.NewReader(nil)}
	}
	kind := n.mode.Type()
	options := fields[1 : len(fields)-1]
	for i := 0; i < len(options); i++ {
		key, value, _ := strings.Cut(options[i], "=")
		switch key {
		case "dir":
			kind = fs.ModeDir
		case "fifo":
			kind = fs.ModeNamedPipe
		case "char":
			kind = fs.ModeDevice | fs.ModeCharDevice
			if i+1 == len(options) {
				return fmt.Errorf("%q: char wants MAJ:MIN", line)
			}
			i++
			var major, minor uint64
			if _, err := fmt.Sscanf(options[i], "%d:%d", &major, &minor); err != nil {
				return fmt.Errorf("%q: reading the device number: %w", line, err)
			}
			n.rdev = major<<8 | minor&0xff | (minor&^0xff)<<12
		case "uid", "gid":
			id, err := strconv.Atoi(value)
			if err != nil {
				return fmt.Errorf("%q: reading %q: %w", line, options[i], err)
			}
			if key == "uid" {
				n.uid = id
			} else {
				n.gid = id
			}
		default:
			return fmt.Errorf("%q: unknown word %q", line, options[i])
		}
	}
	n.mode = kind | fileMode(uint32(perm))
	return t.put(name, n)
}

func (t *memTree) remove(name string) error {
	name = path.Clean(name)
	if _, ok := t.nodes[name]; !ok {
		return fmt.Errorf("%q is not there to be removed", name)
	}
	for _, child := range slices.Clone(t.children[name]) {
		if err := t.remove(path.Join(name, child)); err != nil {
			return err
		}
	}
	dir := path.Dir(name)
	t.children[dir] = slices.DeleteFunc(t.children[dir], func(c string) bool { return c == path.Base(name) })
	delete(t.nodes, name)
	delete(t.children, name)
	return nil
}

// find is every access: it applies deny and hang before it looks.
func (t *memTree) find(name string) (*memNode, error) {
	for _, h := range t.hanging {
		if within(name, h) {
			<-t.closed
			return nil, fs.ErrClosed
		}
	}
	for _, d := range t.denied {
		if name != d && within(name, d) {
			return nil, fs.ErrPermission
		}
	}
	n, ok := t.nodes[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return n, nil
}

func (t *memTree) readable(name string) (*memNode, error) {
	n, err := t.find(name)
	if err == nil && slices.Contains(t.denied, name) {
		return nil, fs.ErrPermission
	}
	return n, err
}

func within(name, dir string) bool { return name == dir || strings.HasPrefix(name, dir+"/") }

func (t *memTree) followsLinks() bool { return false }

func (t *memTree) lstat(name string) (fs.FileInfo, error) {
	n, err := t.find(name)
	if err != nil {
		return nil, err
	}
	return memInfo{n}, nil
}

func (t *memTree) stat(name string) (fs.FileInfo, error) { return t.lstat(name) }

func (t *memTree) readlink(name string) (string, error) {
	n, err := t.readable(name)
	if err != nil {
		return "", err
	}
	if n.mode&fs.ModeSymlink == 0 {
		return "", syscall.EINVAL
	}
	return n.target, nil
}

func (t *memTree) open(name string) (File, error) {
	n, err := t.readable(name)
	if err != nil {
		return nil, err
	}
	return &memFile{SectionReader: io.NewSectionReader(n.content, 0, n.size), info: memInfo{n}}, nil
}

func (t *memTree) readdir(name string, max int) ([]fs.DirEntry, error) {
	n, err := t.readable(name)
	if err != nil {
		return nil, err
	}
	if !n.mode.IsDir() {
		return nil, syscall.ENOTDIR
	}
	var entries []fs.DirEntry
	for _, c := range t.children[name] {
		if len(entries) == max {
			break
		}
		entries = append(entries, fs.FileInfoToDirEntry(memInfo{t.nodes[path.Join(name, c)]}))
	}
	return entries, nil
}

type memFile struct {
	*io.SectionReader
	info memInfo
}

func (f *memFile) Close() error               { return nil }
func (f *memFile) Stat() (fs.FileInfo, error) { return f.info, nil }

type memInfo struct{ n *memNode }

func (i memInfo) Name() string       { return i.n.name }
func (i memInfo) Size() int64        { return i.n.size }
func (i memInfo) Mode() fs.FileMode  { return i.n.mode }
func (i memInfo) ModTime() time.Time { return i.n.mtime }
func (i memInfo) IsDir() bool        { return i.n.mode.IsDir() }

// Sys carries owner and device number in the form the operating system uses,
// so that Owner reads both kinds of tree alike.
func (i memInfo) Sys() any {
	return &syscall.Stat_t{Uid: uint32(i.n.uid), Gid: uint32(i.n.gid), Rdev: i.n.rdev}
}
