package opentrace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestCannotStart gives the error of a program that is not there, and leaves nothing behind.
func TestCannotStart(t *testing.T) {
	start(t, Options{}, exec.Command("true")) // or skip
	before := keepers()
	_, err := Start(Options{Sort: sortForTest}, exec.Command("/no/such/program").Start)
	var no *Unavailable
	if !errors.Is(err, fs.ErrNotExist) || errors.As(err, &no) {
		t.Errorf("error %v", err)
	}
	noKeeper(t, before)
}

// TestAbsoluteDlopen sees what the linker's own words do not tell.
func TestAbsoluteDlopen(t *testing.T) {
	p := program(t, `
#include <dlfcn.h>
int main() { dlopen("/nowhere/libcuda.so.1", RTLD_NOW); return dlopen("libm.so.6", RTLD_NOW) == 0; }`, "-ldl")
	r := run(t, exec.Command(p))
	if n := find(t, r, "libcuda.so.1"); !n.Lacks() || !slices.Equal(n.Missing, []string{"/nowhere/libcuda.so.1"}) {
		t.Errorf("%+v", n)
	}
	if n := find(t, r, "libm.so.6"); n.Found == "" {
		t.Errorf("%+v", n)
	}
}

// TestManyThreads has 16 threads open at once; each gets its own answer.
func TestManyThreads(t *testing.T) {
	p := program(t, `
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *work(void *p) {
	char name[64]; long wrong = 0;
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof name, "/nowhere/libcuda%ld.so.%d", (long)p, i % 10);
		int a = open(name, O_RDONLY), e = errno, b = open("/etc/passwd", O_RDONLY), c = open("/", O_RDONLY|O_DIRECTORY), d = open("/dev/null", O_RDWR|O_CREAT, 0600);
		if (a >= 0 || e != ENOENT || b < 0 || c < 0 || d < 0) wrong++;
		close(b); close(c); close(d);
	}
	return (void *)wrong;
}
int main() {
	pthread_t t[16]; void *r; long wrong = 0;
	for (long i = 0; i < 16; i++) pthread_create(&t[i], 0, work, (void *)i);
	for (int i = 0; i < 16; i++) { pthread_join(t[i], &r); wrong += (long)r; }
	return wrong != 0;
}`, "-pthread")
	cmd := exec.Command(p)
	r := run(t, cmd)
	for i := range 16 {
		for j := range 10 {
			if n := find(t, r, fmt.Sprintf("libcuda%d.so.%d", i, j)); !n.Lacks() || n.PID != cmd.Process.Pid {
				t.Fatalf("%+v", n)
			}
		}
	}
	// What makes a file, and directories, are not held: 16 × 300 × 2, and some of the start.
	if r.Opens < 9600 || r.Opens > 9650 || r.Dropped+r.Unread+r.Late != 0 {
		t.Errorf("%d opens held, dropped %d, unread %d, late %d", r.Opens, r.Dropped, r.Unread, r.Late)
	}
}

// TestChildren has 50 children at once, each with its own name.
func TestChildren(t *testing.T) {
	p := program(t, `
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main() {
	char name[64];
	for (int i = 0; i < 50; i++) if (!fork()) { snprintf(name, sizeof name, "/nowhere/libcuda%d.so", i); for (int j = 0; j < 20; j++) open(name, O_RDONLY); return 0; }
	while (wait(0) > 0);
	return 0;
}`)
	r := run(t, exec.Command(p))
	for i := range 50 {
		if n := find(t, r, fmt.Sprintf("libcuda%d.so", i)); !n.Lacks() || n.By != p {
			t.Fatalf("%+v", n)
		}
	}
	if r.Alive {
		t.Error("processes are said to live on")
	}
}

// TestManyPaths keeps a bounded number of names, and what matters although the rest is full.
func TestManyPaths(t *testing.T) {
	p := program(t, `
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
int main() {
	char name[4200]; memset(name, 'x', sizeof name);
	for (int i = 0; i < 100000; i++) { snprintf(name, sizeof name, "/nowhere/lib%d.so", i); open(name, O_RDONLY); snprintf(name, sizeof name, "/nowhere/%d", i); open(name, O_RDONLY); }
	for (int i = 0; i < 3000; i++) { memset(name, 'x', sizeof name); sprintf(name + 4000, "/libcuda%d.so", i % 1500); name[0] = name[3800] = '/'; open(name, O_RDONLY); }
	for (int i = 0; i < 1000; i++) { snprintf(name, sizeof name, "/nowhere%d/libcuda0.so", i); open(name, O_RDONLY); }
	open("/nowhere/nvidia0", O_RDWR);
	return 0;
}`)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := run(t, exec.Command(p))
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 16<<20 {
		t.Errorf("%d bytes kept", grown)
	}
	if r.Opens < 204_000 || r.Dropped < 97_000 || len(r.Names) > 2000+1000+1 {
		t.Errorf("%d opens, %d names, %d dropped", r.Opens, len(r.Names), r.Dropped)
	}
	if n := find(t, r, "libcuda0.so"); len(n.Missing) != maxPlaces {
		t.Errorf("%d places", len(n.Missing))
	}
	if n := find(t, r, "/nowhere/nvidia0"); !n.Lacks() || n.Kind != Node {
		t.Errorf("%+v", n)
	}
}

// TestTimer has a program whose timer's signals come faster than an answer: no call starts for ever anew.
func TestTimer(t *testing.T) {
	p := program(t, `
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
static volatile long n;
static void tick(int s) { n++; }
int main() {
	struct sigaction a = {.sa_handler = tick, .sa_flags = SA_RESTART}; sigaction(SIGALRM, &a, 0);
	struct itimerval v = {{0, 200}, {0, 200}}; setitimer(ITIMER_REAL, &v, 0);
	for (int i = 0; i < 2000; i++) if (open("/nowhere/libcuda.so.1", O_RDONLY) >= 0 || errno != ENOENT) return 1;
	return n == 0;
}`)
	if n := find(t, run(t, exec.Command(p)), "libcuda.so.1"); !n.Lacks() {
		t.Errorf("%+v", n)
	}
}

// TestKilledWhileHeld kills a program whose open is in our hands.
func TestKilledWhileHeld(t *testing.T) {
	p := program(t, opens, "-static")
	held, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	tr := start(t, Options{Sort: func(path string) Kind {
		if path == "/hold" {
			once.Do(func() { close(held); <-goOn })
		}
		return sortForTest(path)
	}}, exec.Command("true"))
	tr.Stop()
	cmd := exec.Command(p, "/hold", "/nowhere/libcuda.so.1")
	tr = start(t, tr.o, cmd)
	<-held
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	close(goOn)
	r := tr.Stop()
	if r.Alive || len(r.Names) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestSlowLook goes on without a look that takes too long, and where many do reads no names any more; afterwards it does again.
func TestSlowLook(t *testing.T) {
	p := program(t, opens, "-static")
	script := ""
	for i := range 12 {
		script += fmt.Sprintf("%s /slow/%d & ", p, i)
	}
	goOn := make(chan struct{})
	var slow atomic.Int32
	began := time.Now()
	cmd := exec.Command("sh", "-c", script+"wait; "+p+" /nowhere/libcuda.so.1; touch $0; sleep 0.5; "+p+" /nowhere/libcuda.so.2", filepath.Join(t.TempDir(), "done"))
	tr := start(t, Options{Sort: func(path string) Kind {
		if strings.HasPrefix(path, "/slow/") {
			slow.Add(1)
			<-goOn
		}
		return sortForTest(path)
	}}, cmd)
	waitFor2(t, cmd.Args[3])
	close(goOn)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	r := tr.Stop()
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("took %v", took)
	}
	if slow.Load() < maxStuck || r.Late < uint64(maxStuck) {
		t.Errorf("%d looks hung, %d were late", slow.Load(), r.Late)
	}
	if slices.ContainsFunc(r.Names, func(n Name) bool { return n.Name == "libcuda.so.1" }) {
		t.Error("a name was read although so many looks hung")
	}
	find(t, r, "libcuda.so.2")
}

func waitFor2(t *testing.T, file string) {
	t.Helper()
	for range 1000 {
		if _, err := os.Stat(file); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the program stands still")
}

// TestOtherRoot looks from the root of the process: also through links, and out of it by none.
func TestOtherRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("ONLY ROOT MAY CHANGE A PROCESS'S ROOT; EPERM")
	}
	root := t.TempDir()
	for _, d := range []string{"dev", "lib", "sub"} {
		if err := os.Mkdir(filepath.Join(root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"dev/nvidia0", "lib/libcudart.so.12.1", "lib/libcuda.txt"} {
		if err := os.WriteFile(filepath.Join(root, f), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"lib/libcudart.so.12": "/lib/libcudart.so.12.1", "lib/libcudaout.so": "../../../../../../../../etc/passwd", "lib/libcudaabs.so": "/etc/passwd"} {
		if err := os.Symlink(to, filepath.Join(root, from)); err != nil {
			t.Fatal(err)
		}
	}
	p := program(t, opens, "-static")
	data, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "p"), data, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/p", "/lib/libcudart.so.12", "/lib/libcudaout.so", "/lib/libcudaabs.so", "../dev/nvidia0", "/dev/nvidia1", "../lib/libcuda.so.1")
	cmd.Dir = "/sub"
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	var mu sync.Mutex
	var reached []string
	by := 0
	tr := start(t, Options{Reached: func(pid int, path string, at time.Time) {
		mu.Lock()
		defer mu.Unlock()
		reached, by = append(reached, path), pid
		if time.Since(at) > time.Minute {
			t.Errorf("%s at %v", path, at)
		}
	}}, cmd)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	r := tr.Stop()
	if n := find(t, r, "libcudart.so.12"); n.Found != "/lib/libcudart.so.12" {
		t.Errorf("%+v", n)
	}
	for name, place := range map[string]string{"libcudaout.so": "/lib/libcudaout.so", "libcudaabs.so": "/lib/libcudaabs.so", "/dev/nvidia1": "/dev/nvidia1", "libcuda.so.1": "/lib/libcuda.so.1"} {
		if n := find(t, r, name); !n.Lacks() || !slices.Equal(n.Missing, []string{place}) {
			t.Errorf("%+v", n)
		}
	}
	if !slices.Equal(reached, []string{"/dev/nvidia0"}) || by != cmd.Process.Pid {
		t.Errorf("reached %v, by %d", reached, by)
	}
}

// TestBadPointers gives a program the same errors as ever for a path that cannot be read, is too long, or ends at the end of memory.
func TestBadPointers(t *testing.T) {
	p := program(t, `
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int main() {
	if (open((char *)8, O_RDONLY) != -1 || errno != EFAULT) return 1;
	static char name[8192]; memset(name, 'a', 8191); strcpy(name + 8100, "/libcuda.so.1");
	if (open(name, O_RDONLY) != -1 || errno != ENAMETOOLONG) return 2;
	char *m = mmap(0, 8192, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0); munmap(m + 4096, 4096);
	char *s = m + 4096 - 22; memcpy(s, "/nowhere/libcuda.so.1", 22);
	if (open(s, O_RDONLY) != -1 || errno != ENOENT) return 3;
	s[21] = 'x';
	if (open(s, O_RDONLY) != -1 || errno != EFAULT) return 4;
	if (open("", O_RDONLY) != -1 || errno != ENOENT) return 5;
	struct open_how how = {.flags = O_RDWR};
	if (syscall(SYS_openat2, AT_FDCWD, "/nowhere/libcuda2.so", &how, sizeof how) != -1) return 6;
	if (syscall(SYS_openat2, AT_FDCWD, "/nowhere/libcuda3.so", (void *)8, sizeof how) != -1 || errno != EFAULT) return 7;
	if (openat(99, "libcuda4.so", O_RDONLY) != -1 || errno != EBADF) return 8;
	return 0;
}`, "-static")
	r := run(t, exec.Command(p))
	if n := find(t, r, "libcuda.so.1"); !n.Lacks() || !slices.Equal(n.Missing, []string{"/nowhere/libcuda.so.1"}) {
		t.Errorf("%+v", n)
	}
	find(t, r, "libcuda2.so")
	if n := find(t, r, "libcuda4.so"); n.Lacks() || !n.Unsure {
		t.Errorf("%+v", n)
	}
	if r.Unread != 3 {
		t.Errorf("%d unread, want 3", r.Unread)
	}
}
