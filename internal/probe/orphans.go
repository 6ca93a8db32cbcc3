package probe

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of what its children leave behind, so
// that a process in a session of its own, which no signal to a group reaches,
// can still be found and ended.
var adopt = sync.OnceFunc(func() {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // Linux 3.4; without it such a process stays, as with any other tool
})

// sweep ends and reaps what a child left behind: the rest of its group, and
// processes outside of it that carry its mark in their environment.
func (p *process) sweep(mark string, stuck bool) {
	defer p.stdin.Close()
	var ws syscall.WaitStatus
	for begin := time.Now(); !stuck && time.Since(begin) < grace; {
		pid, err := syscall.Wait4(-p.pid, &ws, syscall.WNOHANG, nil)
		if err != nil { // ECHILD: the group is empty
			break
		}
		if pid == 0 { // killed, and not gone yet
			time.Sleep(time.Millisecond)
		}
	}
	const rounds = 8 // a process that forks faster than that is beyond us
	for round, begin := 0, time.Now(); round < rounds; {
		killed, going := false, false
		for _, pid := range children() {
			switch s := state(pid); {
			case s == "Z":
				_, _ = syscall.Wait4(pid, &ws, syscall.WNOHANG, nil)
			case carries(pid, mark):
				killed = true
				_ = syscall.Kill(pid, syscall.SIGKILL)
				_, _ = syscall.Wait4(pid, &ws, 0, nil)
			case s != "" && faded(pid):
				going = true
			}
		}
		switch {
		case killed:
			round++
		case going && time.Since(begin) < grace:
			time.Sleep(time.Millisecond)
		default:
			return
		}
	}
}

// children are the processes whose parent is this one.
func children() []int {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return nil
	}
	var out []int
	for _, t := range tasks {
		data, err := os.ReadFile("/proc/self/task/" + t.Name() + "/children")
		if err != nil {
			continue
		}
		for f := range strings.FieldsSeq(string(data)) {
			if pid, err := strconv.Atoi(f); err == nil {
				out = append(out, pid)
			}
		}
	}
	return out
}

// faded tells whether a process's memory is gone, and its mark with it: it is about to end, which takes a while on a busy machine.
func faded(pid int) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return len(env) == 0 && !errors.Is(err, fs.ErrPermission) // of one that is gone by now the file cannot be read
}

// state is the letter of the state of a process in a session of its own, Z where it only waits to be reaped; "" for any
// other. This process starts none like that, so it is an orphan.
func state(pid int) string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	f := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:])) // behind the name: state, parent, group, session
	if own, err := unix.Getsid(0); err != nil || len(f) <= 3 || f[3] == strconv.Itoa(own) {
		return ""
	}
	return f[0]
}

// carries tells whether a process has the mark in its environment.
func carries(pid int, mark string) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && bytes.Contains(append(append([]byte{0}, env...), 0), []byte("\x00"+mark+"\x00"))
}
