package probe

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// memfd puts a program into a file without a name. The kernel may want to hear
// that it is to be run (vm.memfd_noexec=1), or know no such flag (before 6.3);
// it may also forbid it (vm.memfd_noexec=2).
func memfd(program []byte) (*Program, error) {
	fd, err := unix.MemfdCreate(ProgramName, unix.MFD_CLOEXEC|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) {
		fd, err = unix.MemfdCreate(ProgramName, unix.MFD_CLOEXEC)
	}
	if err != nil {
		return nil, fmt.Errorf("memfd_create: %w", err)
	}
	f := os.NewFile(uintptr(fd), ProgramName)
	if _, err := f.Write(program); err != nil {
		return nil, fmt.Errorf("writing a memfd: %w", errors.Join(err, f.Close()))
	}
	path := fmt.Sprintf("/proc/self/fd/%d", fd)
	// In a container without /proc it exists and cannot be named.
	if _, err := os.Stat(path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &Program{Path: path, Found: "within strata, run from memory", close: f.Close}, nil
}
