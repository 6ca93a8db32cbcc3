package opentrace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// supervised is what the test's own binary says where it runs as a supervisor of its own.
type supervised struct {
	Result Result
	Output string
	Why    string // Unavailable's
	Errno  int
}

// TestMain lets the test's binary be a supervisor that can be killed, or that is another user's.
func TestMain(m *testing.M) {
	if os.Getenv("STRATA_TEST_SUPERVISE") == "" {
		os.Exit(m.Run())
	}
	_ = os.Unsetenv("STRATA_TEST_SUPERVISE")
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	var out strings.Builder
	cmd.Stdout = &out
	var s supervised
	t, err := Start(Options{Sort: sortForTest}, cmd.Start)
	var no *Unavailable
	switch {
	case errors.As(err, &no):
		s.Why = no.Error()
		var e syscall.Errno
		if errors.As(no.Err, &e) {
			s.Errno = int(e)
		}
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	default:
		_ = cmd.Wait()
		s.Result, s.Output = t.Stop(), out.String()
	}
	_ = json.NewEncoder(os.Stdout).Encode(s)
	os.Exit(0)
}

// supervisor is a command that runs another one under a supervisor of its own. Its binary lies where any user can start it.
func supervisor(t *testing.T, argv ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "supervisor")
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bin, data, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, argv...)
	cmd.Env = append(os.Environ(), "STRATA_TEST_SUPERVISE=1")
	cmd.Stderr = os.Stderr
	return cmd
}

func answer(t *testing.T, cmd *exec.Cmd) (s supervised) {
	t.Helper()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &s); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	return s
}

// busy opens a file from several threads until another file is there, then says how often it failed in another way than it should.
const busy = `
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile int stop; static volatile long wrong, done;
static void *work(void *p) {
	while (!stop) { int fd = open("/nowhere/libcuda.so.1", O_RDONLY); if (fd >= 0 || errno != ENOENT) __sync_fetch_and_add(&wrong, 1); __sync_fetch_and_add(&done, 1); }
	return 0;
}
int main(int argc, char **argv) {
	int daemon = argc > 4;
	if (daemon && fork()) return 0;
	if (daemon) setsid();
	pthread_t t[8];
	for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, work, 0);
	while (done < 50) usleep(1000);
	FILE *f = fopen(argv[1], "w"); fprintf(f, "%d", getpid()); fclose(f);
	while (access(argv[2], F_OK)) usleep(2000);
	long before = done;
	for (int i = 0; i < 500 && done < before + 200; i++) usleep(10000);
	stop = 1;
	for (int i = 0; i < 8; i++) pthread_join(t[i], 0);
	f = fopen(argv[3], "w"); fprintf(f, "%ld wrong, %s", wrong, done >= before + 200 ? "went on" : "stood still"); fclose(f);
	return 0;
}`

func waitFor(t *testing.T, file string) string {
	t.Helper()
	for range 1000 {
		if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
			return string(data)
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("%s was never written", file)
	return ""
}

// keepers counts processes that answer for us.
func keepers() (n int) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range all {
		if data, err := os.ReadFile(f); err == nil && string(data) == KeeperName+"\x00" {
			n++
		}
	}
	return n
}

// noKeeper waits until those that a test has made are gone.
func noKeeper(t *testing.T, before int) {
	t.Helper()
	for range 500 {
		if keepers() <= before {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%d processes of ours stay for ever", keepers()-before)
}

// TestSupervisorKilled kills the supervisor while eight threads are in the middle of opens: none of them hangs or fails.
func TestSupervisorKilled(t *testing.T) {
	start(t, Options{}, exec.Command("true")) // or skip
	p := program(t, busy, "-pthread")
	for range 5 {
		before, dir := keepers(), t.TempDir()
		ready, goOn, result := filepath.Join(dir, "ready"), filepath.Join(dir, "go"), filepath.Join(dir, "result")
		cmd := supervisor(t, p, ready, goOn, result)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, ready)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if err := os.WriteFile(goOn, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := waitFor(t, result); got != "0 wrong, went on" {
			t.Errorf("the program says: %s", got)
		}
		noKeeper(t, before)
	}
}

// TestOutlives has a process in the background that lives longer than the command and the watching.
func TestOutlives(t *testing.T) {
	p := program(t, busy, "-pthread")
	before, dir := keepers(), t.TempDir()
	ready, goOn, result := filepath.Join(dir, "ready"), filepath.Join(dir, "go"), filepath.Join(dir, "result")
	held, inherited, err := os.Pipe() // what we have from others must not be held open by the process that stays
	if err != nil {
		t.Fatal(err)
	}
	if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, inherited.Fd(), syscall.F_SETFD, 0); errno != 0 {
		t.Fatal(errno)
	}
	cmd := exec.Command(p, ready, goOn, result, "daemon")
	tr := start(t, Options{}, cmd)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, ready)
	r := tr.Stop()
	if !r.Alive || !(&r.Names[len(r.Names)-1]).Lacks() {
		t.Errorf("%+v", r)
	}
	if keepers() != before+1 {
		t.Errorf("%d processes stay to answer, want 1", keepers()-before)
	}
	if err := os.WriteFile(goOn, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := waitFor(t, result); got != "0 wrong, went on" {
		t.Errorf("the program says: %s", got)
	}
	noKeeper(t, before)
	inherited.Close()
	_ = held.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := held.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("somebody holds what we inherited: %v", err)
	}
}

// TestAnotherUser is without root's rights: a set-uid program gains none and is named, and a file that may not be read is no missing one.
func TestAnotherUser(t *testing.T) {
	start(t, Options{}, exec.Command("true")) // or skip
	if os.Geteuid() != 0 {
		t.Skip("ONLY ROOT CAN MAKE A SET-UID PROGRAM AND START ONE AS ANOTHER USER; EPERM")
	}
	if err := os.Chmod(filepath.Dir(t.TempDir()), 0o755); err != nil {
		t.Fatal(err)
	}
	p := program(t, strings.Replace(opens, "return 0;", `printf("as %d", geteuid()); return 0;`, 1))
	if err := os.Chmod(p, 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	closed := filepath.Join(dir, "libcudart.so.12")
	if err := os.WriteFile(closed, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	hidden := filepath.Join(dir, "hidden")
	if err := os.Mkdir(hidden, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(hidden, "libcudabc.so"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := supervisor(t, p, closed, filepath.Join(hidden, "libcudabc.so"), "/nowhere/libcuda.so.1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	s := answer(t, cmd)
	if s.Output != "-1 -1 -1 as 65534" || !s.Result.NoNewPrivs || len(s.Result.Setuid) != 1 || s.Result.Setuid[0] != p {
		t.Errorf("%+v", s)
	}
	for _, name := range []string{"libcudart.so.12", "libcudabc.so"} {
		if n := find(t, s.Result, name); len(n.Denied) != 1 || len(n.Missing) != 0 || !n.Lacks() {
			t.Errorf("%+v", n)
		}
	}
	if n := find(t, s.Result, "libcuda.so.1"); len(n.Missing) != 1 || len(n.Denied) != 0 {
		t.Errorf("%+v", n)
	}
	if r := run(t, exec.Command(p)); r.NoNewPrivs || len(r.Setuid) != 0 {
		t.Errorf("root needs no promise: %+v", r)
	}
}

// forbid starts a program for which the system call seccomp fails with an error.
const forbid = `
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
	struct sock_filter f[] = {
		{0x20, 0, 0, offsetof(struct seccomp_data, nr)}, {0x15, 0, 1, SYS_seccomp}, {0x06, 0, 0, SECCOMP_RET_ERRNO | atoi(argv[1])}, {0x06, 0, 0, SECCOMP_RET_ALLOW}};
	struct sock_fprog p = {4, f};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &p)) { perror("filter"); return 9; }
	execv(argv[2], argv + 2);
	return 9;
}`

// TestRefused says why it cannot, and has started nothing: a kernel or profile without seccomp, and a listener that is there already.
func TestRefused(t *testing.T) {
	start(t, Options{}, exec.Command("true")) // or skip
	p := program(t, forbid)
	for errno, want := range map[syscall.Errno]string{
		syscall.EPERM: "not allowed here", syscall.ENOSYS: "has no seccomp user notification", syscall.EINVAL: "has no seccomp user notification", syscall.EBUSY: "another program listens", syscall.ENOMEM: "refused",
	} {
		mark := filepath.Join(t.TempDir(), "started")
		cmd := supervisor(t, "touch", mark)
		cmd.Args = append([]string{p, fmt.Sprint(int(errno)), cmd.Path}, cmd.Args[1:]...)
		cmd.Path = p
		s := answer(t, cmd)
		if _, err := os.Stat(mark); err == nil || s.Errno != int(errno) || !strings.Contains(s.Why, want) {
			t.Errorf("%v: %+v, started: %v", errno, s, err == nil)
		}
	}
	// Inside another one, of which the kernel allows one.
	inner := supervisor(t, "true")
	var out strings.Builder
	inner.Stdout = &out
	run(t, inner)
	if !strings.Contains(out.String(), "an outer strata run") {
		t.Errorf("the inner one says %s", out.String())
	}
}
