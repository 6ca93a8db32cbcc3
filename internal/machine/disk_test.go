package machine

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// tree writes a directory for OpenRoot beside a secret that no link may reach.
func root(t *testing.T) (dir string, m *Machine) {
	t.Helper()
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("outside"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, d := range []string{"etc", "usr/lib", "opt"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "etc/os-release"), []byte("ID=test\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"lib":         "usr/lib",
		"opt/abs":     "/etc/os-release",
		"opt/escape":  filepath.Join(outside, "secret"),
		"opt/climb":   "../../../../../../../../../.." + filepath.Join(outside, "secret"),
		"opt/outdir":  outside,
		"opt/loop":    "loop",
		"opt/hostetc": "/../../etc/os-release",
		"opt/lib":     "../usr/lib",
		"opt/through": "lib/../../etc/os-release", // opt/lib is usr/lib, and its parent usr
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "opt/fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "opt/sparse"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(4 << 30); err != nil {
		t.Fatal(err)
	}
	f.Close()
	m, c, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return dir, m
}

func TestRoot_neverLeaves(t *testing.T) {
	_, m := root(t)
	for _, p := range []string{"/opt/abs", "/opt/hostetc", "/opt/through"} {
		if data, err := m.ReadFile(p, 100); err != nil || string(data) != "ID=test\n" {
			t.Errorf("ReadFile(%s) = %q, %v; want the root's own file", p, data, err)
		}
	}
	for _, p := range []string{"/opt/escape", "/opt/climb", "/opt/outdir/secret"} {
		if data, err := m.ReadFile(p, 100); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("ReadFile(%s) = %q, %v; it must not exist inside the root", p, data, err)
		}
	}
	if entries, err := m.ReadDir("/opt/outdir"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadDir of a link out of the root = %v, %v", entries, err)
	}
	if _, err := m.ReadFile("/opt/loop", 100); !errors.Is(err, ErrLinkLoop) {
		t.Errorf("a link loop: %v", err)
	}
}

func TestRoot_badFiles(t *testing.T) {
	_, m := root(t)
	done := make(chan error, 2)
	go func() { _, err := m.ReadFile("/opt/fifo", 100); done <- err }()
	go func() { _, err := m.ReadDir("/opt/fifo"); done <- err }()
	for range 2 {
		select {
		case err := <-done:
			if err == nil {
				t.Error("a FIFO was read")
			}
		case <-time.After(5 * time.Second):
			t.Fatal("reading a FIFO waits for a writer")
		}
	}
	if _, err := m.ReadFile("/opt/sparse", 1<<20); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a 4 GiB file: %v", err)
	}
	if data, more, err := m.ReadHead("/opt/sparse", 10); err != nil || !more || len(data) != 10 {
		t.Errorf("ReadHead = %d bytes, more %v, %v", len(data), more, err)
	}
	if _, err := m.Open("/etc"); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("opening a directory: %v", err)
	}
}

func TestRoot_modes(t *testing.T) {
	dir, m := root(t)
	if err := os.Chmod(filepath.Join(dir, "etc/os-release"), fs.ModeSetuid|0o755); err != nil {
		t.Fatal(err)
	}
	if info, err := m.Stat("/etc/os-release"); err != nil || info.Mode() != fs.ModeSetuid|0o755 {
		t.Errorf("Stat = %v, %v; want a set-uid file", info, err)
	}
}

// TestRoot_leased: with O_NONBLOCK the kernel refuses a file that has a write
// lease by EAGAIN, for as long as the lease stays.
func TestRoot_leased(t *testing.T) {
	dir, m := root(t)
	f, err := os.OpenFile(filepath.Join(dir, "etc/os-release"), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	signal.Ignore(syscall.SIGIO) // by which the kernel asks for the lease back
	if _, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_WRLCK); err != nil {
		t.Skipf("no leases here: %v", err)
	}
	done := make(chan error, 1)
	go func() { _, err := m.ReadFile("/etc/os-release", 100); done <- err }()
	select {
	case err := <-done:
		if err == nil {
			t.Error("read a leased file")
		}
	case <-time.After(5 * time.Second):
		t.Fatal("opening a leased file is tried for ever")
	}
}

func TestHost(t *testing.T) {
	dir, _ := root(t)
	m := OpenHost()
	if _, err := m.ReadFile(filepath.Join(dir, "opt/fifo"), 10); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a FIFO on the host: %v", err)
	}
	real, err := m.Real(filepath.Join(dir, "lib"))
	if err != nil || filepath.Base(real) != "lib" || !strings.HasSuffix(real, "usr/lib") {
		t.Errorf("Real = %q, %v", real, err)
	}
	if !m.EnvKnown() || m.User == nil {
		t.Error("the host's environment and user are known")
	}
}

func TestOpenRoot_errorsSayWhatToDo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"/no/such/root": "no such file", file: "not a directory"} {
		if _, _, err := OpenRoot(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("OpenRoot(%s): %v, want %q", dir, err, want)
		}
	}
}

func TestReadDir_isBounded(t *testing.T) {
	tree := newMemTree()
	for i := range MaxDirEntries + 5 {
		if err := tree.addFile("/big/"+itoa(i), nil); err != nil {
			t.Fatal(err)
		}
	}
	m := &Machine{tree: tree}
	entries, err := m.ReadDir("/big")
	if !errors.Is(err, ErrTooLarge) || len(entries) != MaxDirEntries {
		t.Errorf("%d entries, %v; want %d and ErrTooLarge", len(entries), err, MaxDirEntries)
	}
}

func itoa(i int) string {
	return string([]byte{byte('a' + i/676/26%26), byte('a' + i/676%26), byte('a' + i/26%26), byte('a' + i%26), byte('0' + i/17576/26)})
}

func TestGlob(t *testing.T) {
	_, m := root(t)
	got, err := m.Glob("/*/os-rel*")
	if err != nil || len(got) != 1 || got[0] != "/etc/os-release" {
		t.Errorf("Glob = %v, %v", got, err)
	}
}
