package opentrace

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// notification is struct seccomp_notif: a call that the kernel holds.
type notification struct {
	ID    uint64
	PID   uint32 // of the thread, 0 where it is in no PID namespace that we see
	Flags uint32
	Nr    int32
	Arch  uint32
	IP    uint64
	Args  [6]uint64
}

// response is struct seccomp_notif_resp.
type response struct {
	ID    uint64
	Val   int64
	Error int32
	Flags uint32
}

// seccompNotifIDValid is SECCOMP_IOCTL_NOTIF_ID_VALID, _IOW('!', 2, __u64); the numbers of the other two are in x/sys.
const seccompNotifIDValid = 0x40082102

// receive waits for the next call. The kernel wants the place for it to be zero.
func receive(fd int, n *notification) error {
	*n = notification{}
	return ioctl(fd, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(n))
}

// letGo answers a call in the only way that we ever do: go on as if nobody had looked. A process that is gone meanwhile needs no answer.
func letGo(fd int, id uint64) {
	_ = ioctl(fd, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&response{ID: id, Flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}))
}

// valid tells whether the call is still held: what was read of its process before is then the process's own, and not
// that of another one that got its number.
func valid(fd int, id uint64) bool {
	return ioctl(fd, seccompNotifIDValid, unsafe.Pointer(&id)) == nil
}

func ioctl(fd int, request uintptr, arg unsafe.Pointer) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(arg)); errno != 0 {
		return errno
	}
	return nil
}

// hungUp tells whether no process with the filter is left, waiting for it for some milliseconds.
func hungUp(fd, millis int) bool {
	p := []unix.PollFd{{Fd: int32(fd)}}
	n, err := unix.Poll(p, millis)
	return err == nil && n > 0 && p[0].Revents&(unix.POLLHUP|unix.POLLNVAL) != 0
}
