package opentrace

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// installed is a filter on the calling thread and the descriptor by which we hear of its calls.
type installed struct {
	fd int
	// noNewPrivs tells that the thread had to give up gaining rights, so that set-uid programs below it gain none.
	noNewPrivs bool
	err        error
}

// install puts the filter on the calling thread, for as long as the thread lives and for all that it starts.
func install() (i installed) {
	prog := filter(abis[runtime.GOARCH])
	i.fd, i.err = seccomp(prog)
	if errors.Is(i.err, unix.EACCES) {
		// Without CAP_SYS_ADMIN the kernel wants this promise first (seccomp(2)).
		if i.err = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); i.err == nil {
			i.noNewPrivs = true
			i.fd, i.err = seccomp(prog)
		}
	}
	return i
}

func seccomp(prog []unix.SockFilter) (int, error) {
	f := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	// Where a call that we hold is interrupted by a signal, it starts again and
	// is held again: a timer's signals could keep it from ever ending. Since
	// Linux 5.19 a call that we have received can only be killed.
	for _, flags := range []uintptr{unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER} {
		fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&f)))
		if errno == 0 {
			return int(fd), nil
		}
		if errno != unix.EINVAL {
			return -1, errno
		}
	}
	return -1, unix.EINVAL
}

// supported says what is missing here, before anything is changed.
func supported() error {
	if _, ok := abis[runtime.GOARCH]; !ok {
		return &Unavailable{Why: "opens are traced on amd64 and arm64 only"}
	}
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return &Unavailable{"the kernel does not tell its release", err}
	}
	// 5.5 lets a call go on; 5.9 tells when the last process is gone, without which we could not end.
	if release := unix.ByteSliceToString(u.Release[:]); older(release, 5, 9) {
		return &Unavailable{Why: "Linux 5.9 or newer is needed, this is " + release}
	}
	var sizes struct{ notification, response, data uint16 }
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_NOTIF_SIZES, 0, uintptr(unsafe.Pointer(&sizes))); errno != 0 {
		return refused(errno)
	}
	if sizes.notification != uint16(unsafe.Sizeof(notification{})) || sizes.response != uint16(unsafe.Sizeof(response{})) {
		return &Unavailable{Why: "this kernel's notifications have another form than is known"}
	}
	return nil
}

// older tells whether a release such as 5.15.0-91-generic is before major.minor. One that cannot be read is not.
func older(release string, major, minor int) bool {
	parts := strings.SplitN(release, ".", 3)
	if len(parts) < 2 {
		return false
	}
	a, err1 := strconv.Atoi(parts[0])
	b, err2 := strconv.Atoi(strings.TrimRightFunc(parts[1], func(r rune) bool { return r < '0' || r > '9' }))
	return err1 == nil && err2 == nil && (a < major || a == major && b < minor)
}

// refused says in words why the kernel did not take the filter.
func refused(err error) *Unavailable {
	switch {
	case errors.Is(err, unix.EBUSY):
		return &Unavailable{"another program listens to the system calls of this one already: an outer strata run --trace=full, or the container's runtime", err}
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.EACCES):
		return &Unavailable{"it is not allowed here, by the seccomp profile of the container, for one", err}
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EINVAL):
		return &Unavailable{"the kernel, or the sandbox around this process, has no seccomp user notification", err}
	}
	return &Unavailable{"the kernel refused the filter", err}
}
