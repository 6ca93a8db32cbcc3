package main

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// mounts are those of one setting, which covers parts of a root: the root itself, whose files other roots share, is never written to.
type mounts []string

// undo takes them off again, the last one first.
func (m *mounts) undo() {
	for i := len(*m) - 1; i >= 0; i-- {
		_ = unix.Unmount((*m)[i], unix.MNT_DETACH)
	}
	*m = nil
}

func (m *mounts) mount(source, target, kind string, flags uintptr) error {
	if err := unix.Mount(source, target, kind, flags, ""); err != nil {
		return fmt.Errorf("mounting over %q: %w", target, err)
	}
	*m = append(*m, target)
	return nil
}

// take covers a directory below base by an empty one, or the directory of a file by one without that file.
func (m *mounts) take(base, name string) error {
	full := filepath.Join(base, name)
	info, err := os.Stat(full)
	if err != nil {
		return fmt.Errorf("taking away what is not there: %w", err)
	}
	if info.IsDir() {
		return m.mount("tmpfs", full, "tmpfs", 0)
	}
	dir := filepath.Dir(full)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	copies, err := os.MkdirTemp("", "probecheck-without-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(copies) // what is mounted stays
	if err := m.mount("tmpfs", copies, "tmpfs", 0); err != nil {
		return err
	}
	for _, e := range entries {
		to, from := filepath.Join(copies, e.Name()), filepath.Join(dir, e.Name())
		switch {
		case e.Name() == filepath.Base(full):
			continue
		case e.Type()&os.ModeSymlink != 0:
			target, err := os.Readlink(from)
			if err == nil {
				err = os.Symlink(target, to)
			}
			if err != nil {
				return err
			}
			continue
		case e.IsDir():
			err = os.Mkdir(to, 0o755)
		default:
			err = os.WriteFile(to, nil, 0o644)
		}
		if err != nil {
			return err
		}
		if err := m.mount(from, to, "", unix.MS_BIND); err != nil {
			return err
		}
	}
	return m.mount(copies, dir, "", unix.MS_BIND|unix.MS_REC)
}

// bring shows the libraries of another root in a folder of this one.
func (m *mounts) bring(root, other, folder string) error {
	to := filepath.Join(root, folder)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	from, err := filepath.Abs(filepath.Join(".realroots", "roots", other, packages))
	if err != nil {
		return err
	}
	if err := m.mount(from, to, "", unix.MS_BIND); err != nil {
		return err
	}
	if err := unix.Mount("", to, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("making %q read-only: %w", to, err)
	}
	return nil
}
