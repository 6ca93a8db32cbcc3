package witness

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// initialPIDs is the link of the PID namespace that a host starts with: its number is fixed in the kernel (PROC_PID_INIT_INO).
const initialPIDs = "pid:[4026531836]"

// Contained tells whether this process is in a PID namespace below the host's. The driver may number processes as the host does.
func Contained() bool {
	to, err := os.Readlink("/proc/self/ns/pid")
	return err == nil && to != initialPIDs
}

// Exists tells whether there is a process of a number here, also one that /proc hides.
func Exists(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// IsDriver tells whether something that was seen means that the driver is in use: its library is mapped, or a device of it is open.
func (s Seen) IsDriver() bool {
	if s.Kind == "opened" {
		return true
	}
	name := path.Base(s.Path)
	return strings.HasPrefix(name, "libcuda.so") || strings.HasPrefix(name, "libnvidia-") || strings.HasPrefix(name, "libnvcuvid.so")
}

// HasDriver tells whether a process has the driver's library mapped or a device of it open, as each has that computes on a GPU.
// In a container another process of the host can have its number by chance.
func HasDriver(pid int) bool {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err == nil && bytes.Contains(maps, []byte("/libcuda.so")) {
		return true
	}
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if to, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil && IsGPUNode(to) {
			return true
		}
	}
	return false
}
