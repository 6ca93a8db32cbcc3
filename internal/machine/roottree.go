package machine

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// rootTree confines every step to a directory. Machine hands it link-free
// paths; a link that appears in between is refused rather than followed.
//
// With openat2 the kernel walks a path in one call and refuses links and
// everything outside (RESOLVE_BENEATH). Before Linux 5.6, or where a seccomp
// filter hides the call, os.Root does the same component by component, which
// costs about four times as much.
type rootTree struct {
	root *os.Root
	dir  *os.File // of the root, for openat2; nil where the kernel lacks it
}

func openTree(root *os.Root) (*rootTree, error) {
	t := &rootTree{root: root}
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	t.dir = dir
	if f, err := t.openat2(".", unix.O_PATH); err != nil {
		dir.Close()
		t.dir = nil
	} else {
		f.Close()
	}
	return t, nil
}

func (t *rootTree) Close() error {
	if t.dir != nil {
		t.dir.Close()
	}
	return t.root.Close()
}

// maxRetries is how often a walk that a rename elsewhere disturbed is tried
// again. EAGAIN also means that the file has a lease, which may stay.
const maxRetries = 32

func (t *rootTree) openat2(name string, flags uint64) (*os.File, error) {
	for try := 0; ; try++ {
		fd, err := unix.Openat2(int(t.dir.Fd()), name, &unix.OpenHow{
			Flags:   flags | unix.O_CLOEXEC | unix.O_NOFOLLOW,
			Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
		})
		switch {
		case try < maxRetries && (errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN)):
			continue
		case err != nil:
			return nil, err
		}
		return os.NewFile(uintptr(fd), name), nil
	}
}

func (t *rootTree) followsLinks() bool { return false }

func rel(name string) string {
	if name == "/" {
		return "."
	}
	return strings.TrimPrefix(name, "/")
}

func (t *rootTree) lstat(name string) (fs.FileInfo, error) {
	if t.dir == nil {
		return t.root.Lstat(rel(name))
	}
	// O_PATH with O_NOFOLLOW opens a link itself; NO_SYMLINKS would refuse it,
	// so the directory is opened and the last name looked at in it.
	dir, err := t.openat2(rel(path.Dir(name)), unix.O_PATH|unix.O_DIRECTORY)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	base := path.Base(name)
	if name == "/" {
		base = "."
	}
	var st unix.Stat_t
	if err := unix.Fstatat(int(dir.Fd()), base, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return nil, err
	}
	return statInfo{path.Base(name), st}, nil
}

func (t *rootTree) stat(name string) (fs.FileInfo, error) { return t.lstat(name) }

func (t *rootTree) readlink(name string) (string, error) {
	return t.root.Readlink(rel(name))
}

func (t *rootTree) open(name string) (File, error) {
	const flags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY
	if t.dir == nil {
		return openRegular(t.root.OpenFile(rel(name), flags, 0))
	}
	return openRegular(t.openat2(rel(name), flags))
}

func (t *rootTree) readdir(name string, max int) ([]fs.DirEntry, error) {
	if t.dir == nil {
		f, err := t.root.OpenFile(rel(name), os.O_RDONLY|directory, 0)
		if err != nil {
			return nil, err
		}
		return readdir(f, max)
	}
	f, err := t.openat2(rel(name), unix.O_RDONLY|directory)
	if err != nil {
		return nil, err
	}
	return readdir(f, max)
}

// statInfo is a FileInfo made of the kernel's answer, since os has no fstatat.
type statInfo struct {
	name string
	st   unix.Stat_t
}

func (i statInfo) Name() string       { return i.name }
func (i statInfo) Size() int64        { return i.st.Size }
func (i statInfo) IsDir() bool        { return i.Mode().IsDir() }
func (i statInfo) ModTime() time.Time { return time.Unix(i.st.Mtim.Unix()) }

func (i statInfo) Mode() fs.FileMode {
	mode := fileMode(i.st.Mode)
	switch i.st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFBLK:
		mode |= fs.ModeDevice
	case unix.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	}
	return mode
}

// fileMode translates the lower twelve bits of a Unix mode.
func fileMode(unixMode uint32) fs.FileMode {
	mode := fs.FileMode(unixMode & 0o777)
	for bit, m := range map[uint32]fs.FileMode{unix.S_ISUID: fs.ModeSetuid, unix.S_ISGID: fs.ModeSetgid, unix.S_ISVTX: fs.ModeSticky} {
		if unixMode&bit != 0 {
			mode |= m
		}
	}
	return mode
}

// Sys is what Owner and ID read, in the form that os gives for other trees.
func (i statInfo) Sys() any {
	return &syscall.Stat_t{Dev: i.st.Dev, Ino: i.st.Ino, Mode: i.st.Mode, Uid: i.st.Uid, Gid: i.st.Gid, Rdev: i.st.Rdev, Size: i.st.Size}
}
