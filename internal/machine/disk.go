package machine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// OpenHost returns the running system.
func OpenHost() *Machine {
	name, err := os.Hostname()
	if err != nil {
		name = "this host"
	}
	env := map[string]string{}
	for _, kv := range os.Environ() {
		if k, v, ok := strings.Cut(kv, "="); ok {
			env[k] = v
		}
	}
	gids, _ := os.Getgroups() // a failure leaves the primary group, which is what is then known
	return &Machine{
		Kind: Host, Name: name, Now: time.Now,
		User: &Identity{UID: os.Geteuid(), GIDs: append([]int{os.Getegid()}, gids...)},
		tree: hostTree{}, env: env, envSeen: true,
	}
}

// OpenRoot returns a directory tree read as a machine. Nothing outside the
// directory is ever read, whatever its links say. Close releases it.
func OpenRoot(dir string) (*Machine, io.Closer, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("opening root %q: %w", dir, errors.Unwrap(err))
	}
	if !info.IsDir() {
		return nil, nil, fmt.Errorf("opening root %q: not a directory; give an unpacked tree or a .txtar machine", dir)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("opening root %q: %w; run as a user who may read it", dir, errors.Unwrap(err))
	}
	t, err := openTree(root)
	if err == nil {
		_, err = t.readdir("/", 1)
	}
	if err != nil {
		root.Close()
		return nil, nil, fmt.Errorf("listing root %q: %w; run as a user who may read it", dir, err)
	}
	return &Machine{Kind: Root, Name: filepath.Clean(dir), Now: time.Now, tree: t}, t, nil
}

// directory makes opening anything but a directory fail at once, where opening
// a FIFO to list it would wait for a writer.
const directory = syscall.O_DIRECTORY | syscall.O_NONBLOCK

type hostTree struct{}

func (hostTree) followsLinks() bool                   { return true }
func (hostTree) readlink(name string) (string, error) { return os.Readlink(name) }

func (hostTree) lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }
func (hostTree) stat(name string) (fs.FileInfo, error)  { return os.Stat(name) }

func (hostTree) open(name string) (File, error) {
	return openRegular(os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0))
}

func (hostTree) readdir(name string, max int) ([]fs.DirEntry, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|directory, 0)
	if err != nil {
		return nil, err
	}
	return readdir(f, max)
}

// openRegular checks again after opening: between lstat and open a FIFO may
// have taken the name. O_NONBLOCK keeps such an open from waiting.
func openRegular(f *os.File, err error) (File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	if !info.Mode().IsRegular() {
		f.Close()
		return nil, ErrNotRegular
	}
	return f, nil
}

func readdir(f *os.File, max int) ([]fs.DirEntry, error) {
	defer f.Close()
	var all []fs.DirEntry
	for len(all) < max {
		// In portions: a directory of a million names must not be held whole.
		entries, err := f.ReadDir(min(max-len(all), 4096))
		all = append(all, entries...)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
	}
	return all, nil
}
