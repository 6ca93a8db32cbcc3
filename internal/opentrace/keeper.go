package opentrace

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// keeper is a child of ours that answers when we are gone: killed, or at our
// end while processes of the command live on. A filter cannot be taken back, and
// where nobody listens the kernel fails each open with ENOSYS.
type keeper struct {
	cmd    *exec.Cmd
	alive  *os.File // the keeper reads its end when we close it, or are gone
	gone   chan struct{}
	shared []byte // the calls in our hands, which only we know of: the keeper lets them go
}

// KeeperName is how the process is called that answers for processes that live on.
const KeeperName = "strata-keeper"

// placeSize is the room for one notification, which has 80 bytes, in a cache line's multiple.
const placeSize = 128

// The keeper's descriptors.
const (
	keeperListener = 3 + iota
	keeperShared
	keeperAlive
	keeperFirstOther
)

// init is the keeper's whole program. It stands here and not in a main so that whatever can start a keeper can be one: a test's
// binary that was started again would else run its tests.
func init() {
	if len(os.Args) == 1 && os.Args[0] == KeeperName {
		keep()
		os.Exit(0)
	}
}

func startKeeper(listener *os.File) (*keeper, error) {
	fd, err := unix.MemfdCreate("strata-opens", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("making memory to share: %w", err)
	}
	memory := os.NewFile(uintptr(fd), "shared memory")
	defer memory.Close()
	if err := memory.Truncate(maxWorkers * placeSize); err != nil {
		return nil, fmt.Errorf("making memory to share: %w", err)
	}
	k := &keeper{}
	if k.shared, err = unix.Mmap(fd, 0, maxWorkers*placeSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return nil, fmt.Errorf("making memory to share: %w", err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	defer r.Close()
	k.alive = w
	// It leaves our session, so that what the terminal sends to the command's group does not end it.
	k.cmd = &exec.Cmd{Path: "/proc/self/exe", Args: []string{KeeperName}, Env: []string{}, Dir: "/", ExtraFiles: []*os.File{listener, memory, r}, SysProcAttr: &unix.SysProcAttr{Setsid: true}}
	if err := k.cmd.Start(); err != nil {
		w.Close()
		return nil, err
	}
	k.gone = make(chan struct{})
	go func() {
		_ = k.cmd.Wait()
		close(k.gone)
	}()
	return k, nil
}

// handOver lets the keeper begin; where no process is left it ends at once, and is waited for. all tells that nobody here has a
// call in hand any more.
func (k *keeper) handOver(all, alive bool) {
	k.alive.Close()
	if !alive {
		select {
		case <-k.gone: // or a container whose first process collects no children would keep it
		case <-time.After(time.Second):
		}
	}
	if all {
		_ = unix.Munmap(k.shared)
	}
}

// keep waits until strata is gone, then answers until the last process is.
func keep() {
	signal.Ignore(unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGPIPE, unix.SIGUSR1, unix.SIGUSR2, unix.SIGTSTP)
	name := append([]byte(KeeperName), 0)
	_ = unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0)
	// What strata inherited from others must not be held open by somebody who may stay for days.
	_ = unix.CloseRange(keeperFirstOther, math.MaxUint32, 0)
	shared, err := unix.Mmap(keeperShared, 0, maxWorkers*placeSize, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return
	}
	for {
		if n, err := unix.Read(keeperAlive, make([]byte, 1)); n == 0 && err == nil || err != nil && err != unix.EINTR {
			break
		}
	}
	go func() {
		for !hungUp(keeperListener, -1) {
		}
		os.Exit(0)
	}()
	k := &keeper{shared: shared}
	for i := range maxWorkers {
		letGo(keeperListener, k.place(i).ID) // one that was answered is unknown to the kernel by now
	}
	var n notification
	for {
		switch receive(keeperListener, &n) {
		case nil:
			letGo(keeperListener, n.ID)
		case unix.EINTR, unix.ENOENT:
		default:
			return
		}
	}
}
