package opentrace

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sortForTest takes what has ".so" for a library, libcuda's for one of interest, and what is called nvidiaN for a device.
func sortForTest(p string) Kind {
	base := filepath.Base(p)
	switch {
	case strings.HasPrefix(base, "libcuda"):
		return Library
	case strings.Contains(base, ".so"):
		return Plain
	case strings.HasPrefix(base, "nvidia"):
		return Node
	}
	return Ignored
}

// program compiles a C program.
func program(t testing.TB, source string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	file, out := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if msg, err := exec.Command("cc", append([]string{"-O1", "-o", out, file}, flags...)...).CombinedOutput(); err != nil {
		t.Fatalf("compiling a program for the test: %v\n%s", err, msg)
	}
	return out
}

// start starts a command and has its opens seen. Where the machine does not let
// us, the test is skipped with what the kernel said: nothing else can be tested there.
func start(t testing.TB, o Options, cmd *exec.Cmd) *Trace {
	t.Helper()
	if o.Sort == nil {
		o.Sort = sortForTest
	}
	tr, err := Start(o, cmd.Start)
	var no *Unavailable
	if errors.As(err, &no) && os.Getenv("STRATA_MUST_TRACE_OPENS") == "" {
		t.Skipf("OPENS CANNOT BE TRACED ON THIS MACHINE: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tr.Stop() })
	return tr
}

// run runs a command to its end.
func run(t testing.TB, cmd *exec.Cmd) Result {
	t.Helper()
	tr := start(t, Options{}, cmd)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	return tr.Stop()
}

func find(t testing.TB, r Result, name string) Name {
	t.Helper()
	i := slices.IndexFunc(r.Names, func(n Name) bool { return n.Name == name })
	if i < 0 {
		t.Fatalf("%s is not among %+v", name, r.Names)
	}
	return r.Names[i]
}

const opens = `
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <stdlib.h>
int main(int argc, char **argv) {
	for (int i = 1; i < argc; i++) { int fd = open(argv[i], O_RDONLY); printf("%d ", fd < 0 ? -1 : fd); if (fd >= 0) close(fd); }
	return 0;
}`

// TestStatic sees what a static program looks for: in vain, and at the second place.
func TestStatic(t *testing.T) {
	p := program(t, opens, "-static")
	dir := t.TempDir()
	there := filepath.Join(dir, "libcudart.so.12")
	if err := os.WriteFile(there, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("libcudart.so.12", filepath.Join(dir, "libcudalink.so")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(p, "/nowhere/libcuda.so.1", "/nowhere/else/../libcuda.so.1", "/nowhere/libcudart.so.12", "libcudart.so.12", "libcudalink.so", "../nowhere/libcuda.so.1", there+"/libcuda.so.1", "plain.so", "/etc/passwd")
	cmd.Dir = dir
	var out strings.Builder
	cmd.Stdout = &out
	r := run(t, cmd)
	if out.String() != "-1 -1 -1 3 3 -1 -1 -1 3 " {
		t.Errorf("the program saw %q", out.String())
	}
	cuda := find(t, r, "libcuda.so.1")
	want := []string{"/nowhere/libcuda.so.1", filepath.Join(filepath.Dir(dir), "nowhere/libcuda.so.1"), there + "/libcuda.so.1"}
	if !cuda.Lacks() || !slices.Equal(cuda.Missing, want) || cuda.By != p || cuda.PID != cmd.Process.Pid || cuda.Kind != Library {
		t.Errorf("%+v, want missing %v by %s", cuda, want, p)
	}
	if n := find(t, r, "libcudart.so.12"); n.Lacks() || n.Found != there || !slices.Equal(n.Missing, []string{"/nowhere/libcudart.so.12"}) {
		t.Errorf("%+v", n)
	}
	if n := find(t, r, "libcudalink.so"); n.Found != filepath.Join(dir, "libcudalink.so") || n.Real != there {
		t.Errorf("%+v", n)
	}
	if n := find(t, r, "plain.so"); !n.Lacks() || n.Kind != Plain {
		t.Errorf("%+v", n)
	}
	if r.Opens < 9 || r.Unread != 0 || r.Late != 0 || r.Alive {
		t.Errorf("%+v", r)
	}
}

// TestSameForTheProgram runs a program with and without: arguments, environment, descriptors, signal mask, process group, limits.
func TestSameForTheProgram(t *testing.T) {
	script := `echo "$0 $*"; env | grep -v '^_='; ls -l /proc/self/fd | sed 's/.* [0-9:]* \([0-9]*\) ->/\1 ->/; s/:\[.*//' ; grep -E 'Sig|Shd|Cap|NSpid:|Groups|Uid' /proc/self/status | grep -v SigQ | cut -f1-2; cut -d' ' -f5-8 /proc/self/stat | sed "s/^$$ /own /"; ulimit -a; pwd; umask`
	output := func(traced bool) string {
		cmd := exec.Command("sh", "-c", script, "name", "a b", "c")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "X=1"}
		var out strings.Builder
		cmd.Stdout = &out
		if traced {
			run(t, cmd)
		} else if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	without, with := output(false), output(true)
	mask := func(s string) string { // numbers of processes and pipes differ
		var out []string
		for l := range strings.Lines(s) {
			if !strings.Contains(l, "/proc/") && !strings.HasPrefix(l, "NSpid") {
				out = append(out, l)
			}
		}
		return strings.Join(out, "")
	}
	if mask(without) != mask(with) || len(mask(with)) < 500 {
		t.Errorf("without:\n%s\nwith:\n%s", without, with)
	}
}
