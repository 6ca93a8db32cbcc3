package probe

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// glance is the time between two looks at the memory of a child.
const glance = 20 * time.Millisecond

// watch waits until the child has ended or is to be ended; it tells which.
func (p *process) watch(ctx context.Context, c Child, e *End) bool {
	limit := time.NewTimer(c.Limit)
	defer limit.Stop()
	look := time.NewTicker(glance)
	defer look.Stop()
	for {
		select {
		case <-p.exited:
			return true
		case <-ctx.Done():
			e.Stopped = true
			return false
		case <-limit.C:
			e.Timeout = true
			return false
		case <-look.C:
			if used := private(p.pid); used > c.Memory {
				e.MemoryMiB = used >> 20
				return false
			}
		}
	}
}

// private is the memory that a process holds for itself, in bytes: what is
// resident without what is shared, such as the pages of a library's file. An
// address-space limit would be of no use: CUDA reserves terabytes.
func private(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	f := strings.Fields(string(data))
	if len(f) < 3 {
		return 0
	}
	resident, err1 := strconv.ParseInt(f[1], 10, 64)
	shared, err2 := strconv.ParseInt(f[2], 10, 64)
	if err1 != nil || err2 != nil {
		return 0
	}
	return (resident - shared) * int64(os.Getpagesize())
}

// end kills the child's group, with what it started within it.
func (p *process) end() {
	_ = syscall.Kill(-p.pid, syscall.SIGKILL) // ESRCH: all gone already
}

// signalNames are those by which a library ends its process, or somebody else does.
var signalNames = map[syscall.Signal]string{
	syscall.SIGSEGV: "SIGSEGV", syscall.SIGABRT: "SIGABRT", syscall.SIGBUS: "SIGBUS", syscall.SIGILL: "SIGILL", syscall.SIGFPE: "SIGFPE",
	syscall.SIGKILL: "SIGKILL", syscall.SIGTERM: "SIGTERM", syscall.SIGINT: "SIGINT", syscall.SIGHUP: "SIGHUP", syscall.SIGQUIT: "SIGQUIT",
	syscall.SIGTRAP: "SIGTRAP", syscall.SIGSYS: "SIGSYS", syscall.SIGPIPE: "SIGPIPE", syscall.SIGXCPU: "SIGXCPU",
}

func signalName(s syscall.Signal) string {
	if name, ok := signalNames[s]; ok {
		return name
	}
	return "signal " + strconv.Itoa(int(s))
}
