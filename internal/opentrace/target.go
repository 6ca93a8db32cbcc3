package opentrace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// target is one open of one thread.
type target struct {
	pid   int    // of the thread
	dir   int32  // the descriptor that a relative path starts from, or AT_FDCWD
	path  string // as the program wrote it; absolute after look
	flags uint64
	real  string // the file behind it
}

// state is what is behind a path.
type state uint8

const (
	missing state = iota + 1
	denied        // there, or maybe there, but not for this process
	found
	unknown
)

// maxPath is the kernel's own bound (PATH_MAX).
const maxPath = 4096

// target reads what a call is about to open; ok is false where its memory cannot be read.
func (n *notification) target() (t target, ok bool) {
	a := abis[runtime.GOARCH]
	t.pid, t.dir = int(n.PID), int32(n.Args[0])
	at := n.Args[1]
	switch nr := uint32(n.Nr); {
	case nr == a.openat:
		t.flags = n.Args[2]
	case nr == a.openat2:
		var flags [8]byte
		if readMemory(t.pid, n.Args[2], flags[:]) == len(flags) {
			for i, b := range flags {
				t.flags |= uint64(b) << (8 * i)
			}
		}
	default: // open
		t.dir, at, t.flags = unix.AT_FDCWD, n.Args[0], n.Args[1]
	}
	t.path, ok = readString(t.pid, at)
	return t, ok
}

// readString reads text up to its end, page by page: what follows may not be there.
func readString(pid int, at uint64) (string, bool) {
	const page = 4096 // the smallest there is; larger ones are whole numbers of it
	var buf [maxPath]byte
	for n := 0; n < maxPath; {
		step := min(maxPath-n, int(page-at%page))
		if n == 0 {
			step = min(step, 256) // most paths are shorter
		}
		got := readMemory(pid, at, buf[n:n+step])
		if i := bytes.IndexByte(buf[n:n+got], 0); i >= 0 {
			return string(buf[:n+i]), true
		}
		if got < step {
			return "", false
		}
		n, at = n+got, at+uint64(got)
	}
	return "", false
}

// readMemory reads a process's memory and gives how much it could.
func readMemory(pid int, at uint64, buf []byte) int {
	local := []unix.Iovec{{Base: &buf[0], Len: uint64(len(buf))}}
	n, err := unix.ProcessVMReadv(pid, local, []unix.RemoteIovec{{Base: uintptr(at), Len: len(buf)}}, 0)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) { // as in a container whose profile forbids it
		f, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
		if err != nil {
			return 0
		}
		defer f.Close()
		n, _ = f.ReadAt(buf, int64(at))
		return n
	}
	return max(n, 0)
}

func (t *target) proc(name string) string { return "/proc/" + strconv.Itoa(t.pid) + "/" + name }

// absolute makes the path one from the root of the process; false where its directory is not known.
func (t *target) absolute() bool {
	if !strings.HasPrefix(t.path, "/") {
		dir := t.proc("cwd")
		if t.dir != unix.AT_FDCWD {
			dir = t.proc("fd/" + strconv.Itoa(int(t.dir)))
		}
		base, err := os.Readlink(dir)
		if err != nil || !strings.HasPrefix(base, "/") {
			return false
		}
		// The link says where the directory is for us; the process may have another root.
		if root, err := os.Readlink(t.proc("root")); err == nil && root != "/" {
			base = strings.TrimPrefix(base, root)
		}
		t.path = base + "/" + t.path
	}
	t.path = path.Clean("/" + t.path)
	return true
}

// look says what is behind the path, as the process sees it. It opens nothing but the place itself, which has no effect on a device.
func (t *target) look() state {
	if !t.absolute() {
		return unknown
	}
	root, err := unix.Open(t.proc("root"), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return unknown
	}
	defer unix.Close(root)
	// Links and ".." are followed as in a chroot: from the process's root, not ours.
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_IN_ROOT}
	fd, err := unix.Openat2(root, t.path, &how)
	for range 3 {
		if err != unix.EAGAIN && err != unix.EINTR { // something was renamed meanwhile
			break
		}
		fd, err = unix.Openat2(root, t.path, &how)
	}
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) { // as where a profile is older than openat2
		fd, err = unix.Open(t.proc("root")+t.path, unix.O_PATH|unix.O_CLOEXEC, 0)
	}
	switch {
	case err == nil:
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ENAMETOOLONG):
		return missing
	case errors.Is(err, unix.EACCES):
		return denied
	default:
		return unknown
	}
	defer unix.Close(fd)
	t.real, _ = os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	return t.access(fd)
}

// access tells whether the process may open what it asks for. Only of a process of our own user do we know.
func (t *target) access(fd int) state {
	var s unix.Stat_t
	if unix.Stat("/proc/"+strconv.Itoa(t.pid), &s) != nil || int(s.Uid) != unix.Geteuid() {
		return found
	}
	mode := uint32(unix.R_OK)
	switch t.flags & unix.O_ACCMODE {
	case unix.O_WRONLY:
		mode = unix.W_OK
	case unix.O_RDWR:
		mode = unix.R_OK | unix.W_OK
	}
	err := unix.Faccessat2(fd, "", mode, unix.AT_EMPTY_PATH|unix.AT_EACCESS)
	if errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) {
		return denied
	}
	return found
}

// process is the process of the thread; the thread's own number where it is gone.
func (t *target) process() int {
	status, err := os.ReadFile(t.proc("status"))
	if err == nil {
		if _, rest, ok := bytes.Cut(status, []byte("\nTgid:")); ok {
			line, _, _ := bytes.Cut(rest, []byte("\n"))
			if pid, err := strconv.Atoi(string(bytes.TrimSpace(line))); err == nil {
				return pid
			}
		}
	}
	return t.pid
}

// setuid tells whether the process's program would run as another user.
func (t *target) setuid() (string, bool) {
	info, err := os.Stat(t.proc("exe"))
	if err != nil || info.Mode()&(os.ModeSetuid|os.ModeSetgid) == 0 {
		return "", false
	}
	exe, err := os.Readlink(t.proc("exe"))
	return exe, err == nil
}
