package machine

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"
	"syscall"
)

// maxLinks is what Linux follows in one lookup before ELOOP (MAXSYMLINKS).
const maxLinks = 40

// dirCache remembers where directories really are. Trees are read once and do
// not change under us in a way that matters, and a site-packages with two
// thousand entries would otherwise be walked component by component each time.
type dirCache struct {
	mu   sync.RWMutex
	real map[string]string
}

func (c *dirCache) get(dir string) (string, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	p, ok := c.real[dir]
	return p, ok
}

func (c *dirCache) put(dir, realDir string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.real == nil {
		c.real = map[string]string{}
	}
	c.real[dir] = realDir
}

// Resolve follows every link of a path inside the root and returns the path
// that has none. Absolute targets start again at the root and ".." stops
// there, as in a chroot. The last component need not be a link, but the path
// must exist as far as links go; a dangling link is fs.ErrNotExist.
//
// On the host the operating system follows links itself, so the path comes
// back cleaned but unresolved unless it is asked for with Real.
func (m *Machine) Resolve(name string) (string, error) {
	if m.tree.followsLinks() {
		return path.Clean("/" + name), nil
	}
	return m.walk(name)
}

// Real is Resolve, also on the host: the path with every link replaced.
func (m *Machine) Real(name string) (string, error) {
	p, err := m.walk(name)
	if err != nil {
		return "", pathErr("resolve", name, err)
	}
	return p, nil
}

func (m *Machine) walk(name string) (string, error) {
	dir, err := m.walkDir(path.Dir(path.Clean("/"+name)), 0)
	if err != nil {
		return "", err
	}
	return m.step(dir, path.Base(path.Clean("/"+name)), 0)
}

// resolveParent resolves all but the last component.
func (m *Machine) resolveParent(name string) (string, error) {
	clean := path.Clean("/" + name)
	if m.tree.followsLinks() || clean == "/" {
		return clean, nil
	}
	dir, err := m.walkDir(path.Dir(clean), 0)
	if err != nil {
		return "", err
	}
	return path.Join(dir, path.Base(clean)), nil
}

func (m *Machine) walkDir(dir string, links int) (string, error) {
	if dir == "/" {
		return "/", nil
	}
	if p, ok := m.dirs.get(dir); ok {
		return p, nil
	}
	parent, err := m.walkDir(path.Dir(dir), links)
	if err != nil {
		return "", err
	}
	p, err := m.step(parent, path.Base(dir), links)
	if err != nil {
		return "", err
	}
	m.dirs.put(dir, p)
	return p, nil
}

// step enters one name of a directory that is already resolved.
func (m *Machine) step(dir, base string, links int) (string, error) {
	p := path.Join(dir, base)
	info, err := m.tree.lstat(p)
	if err != nil {
		return "", err
	}
	if info.Mode()&fs.ModeSymlink == 0 {
		return p, nil
	}
	if links >= maxLinks {
		return "", ErrLinkLoop
	}
	target, err := m.tree.readlink(p)
	if err != nil {
		return "", err
	}
	if climbs(target) {
		return m.walkParts(dir, target, links+1)
	}
	if !strings.HasPrefix(target, "/") {
		target = path.Join(dir, target)
	}
	target = path.Clean(target)
	if target == "/" {
		return "/", nil
	}
	parent, err := m.walkDir(path.Dir(target), links+1)
	if err != nil {
		return "", err
	}
	return m.step(parent, path.Base(target), links+1)
}

// climbs tells whether ".." follows a name in a link's target. That name may
// be a link too, and then ".." leads to the parent of where it ends.
func climbs(target string) bool {
	rest := target
	for {
		after, ok := strings.CutPrefix(rest, "../")
		if !ok {
			break
		}
		rest = after
	}
	return strings.Contains("/"+rest+"/", "/../") && rest != ".."
}

// walkParts follows a link's target name by name. Each name that it enters is
// remembered, so that links which lead through each other cost no more.
func (m *Machine) walkParts(dir, target string, links int) (string, error) {
	at := dir
	if strings.HasPrefix(target, "/") {
		at = "/"
	}
	for name := range strings.SplitSeq(target, "/") {
		switch name {
		case "", ".":
		case "..":
			at = path.Dir(at)
		default:
			var err error
			if at, err = m.walkDir(path.Join(at, name), links); err != nil {
				return "", err
			}
		}
	}
	return at, nil
}

// IsMissing tells whether an error says that a path is not there: also
// where something on the way to it is no directory.
func IsMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
