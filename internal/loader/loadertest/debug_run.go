package loadertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"strata/internal/lddebug"
	"strata/internal/machine"
)

// Private runs this program again in a mount name space of its own, with the same arguments, and reports its exit status. In the
// second run it returns false at once: from there on Furnish may mount what no one else sees. It takes root.
func Private() (code int, again bool, err error) {
	const mark = "STRATA_PRIVATE_MOUNTS"
	if os.Getenv(mark) != "" {
		return 0, false, nil
	}
	self, err := os.Executable()
	if err != nil {
		return 1, true, fmt.Errorf("finding this program: %w", err)
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Env = append(os.Environ(), mark+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	// The Go runtime makes the mounts of the new name space private.
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), true, nil
	}
	if err != nil {
		return 1, true, fmt.Errorf("starting in a mount name space of its own: %w", err)
	}
	return 0, true, nil
}

// Furnish makes a root fit to run programs in and safe from them: nothing in it can be written, and over it lie /proc, a /dev with the
// few devices that programs want, and an empty /tmp. devices are plain files to put into /dev. It is for use after Private.
func Furnish(root string, devices ...string) error {
	if err := unix.Mount(root, root, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mounting %q on itself: %w", root, err)
	}
	if err := unix.Mount("", root, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("making %q read-only: %w", root, err)
	}
	if err := unix.Mount("proc", filepath.Join(root, "proc"), "proc", 0, ""); err != nil {
		// A container's /proc has parts that are covered, and the kernel then allows no fresh one.
		if err := unix.Mount("/proc", filepath.Join(root, "proc"), "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("mounting /proc in %q: %w", root, err)
		}
	}
	for _, dir := range []string{"dev", "tmp"} {
		if err := unix.Mount("tmpfs", filepath.Join(root, dir), "tmpfs", 0, "mode=1777"); err != nil {
			return fmt.Errorf("mounting /%s in %q: %w", dir, root, err)
		}
	}
	if err := os.Mkdir(filepath.Join(root, "dev", "shm"), 0o777); err != nil {
		return err
	}
	for _, name := range devices {
		if err := os.WriteFile(filepath.Join(root, "dev", name), nil, 0o666); err != nil {
			return err
		}
	}
	for _, name := range []string{"null", "zero", "random", "urandom"} {
		if err := bindFile("/dev/"+name, filepath.Join(root, "dev", name)); err != nil {
			return err
		}
	}
	return nil
}

func bindFile(from, to string) error {
	if err := os.WriteFile(to, nil, 0o666); err != nil {
		return err
	}
	if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mounting %q on %q: %w", from, to, err)
	}
	return nil
}

// Debug runs a program in a furnished root, which m reads, and returns what the linker said and what the program did. The program's own failure is no
// error: a framework that does not start is what is to be seen.
func Debug(ctx context.Context, m *machine.Machine, root string, argv, env []string) (*lddebug.Trace, string, error) {
	const words = "/tmp/ld.debug" // the linker appends the number of the process
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = "/"
	cmd.Env = append(env, "LD_DEBUG=libs,files", "LD_DEBUG_OUTPUT="+words)
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Pdeathsig: syscall.SIGKILL, Setpgid: true}
	cmd.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return nil, "", fmt.Errorf("starting %q in %q: %w", argv[0], root, err)
	}
	err := cmd.Wait()
	if ctx.Err() != nil {
		return nil, out.String(), fmt.Errorf("running %q in %q: %w", argv[0], root, ctx.Err())
	}
	log := filepath.Join(root, fmt.Sprintf("%s.%d", words, cmd.Process.Pid))
	f, openErr := os.Open(log)
	if openErr != nil {
		return nil, out.String(), fmt.Errorf("the linker said nothing (%v): %w", err, openErr)
	}
	defer os.Remove(log)
	defer f.Close()
	t, err := lddebug.Parse(f, func(a, b string) bool {
		one, err1 := m.Real(a)
		two, err2 := m.Real(b)
		return err1 == nil && err2 == nil && one == two
	})
	return t, out.String(), err
}
