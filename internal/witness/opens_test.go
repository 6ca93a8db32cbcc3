package witness

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"strata/internal/lddebug"
	"strata/internal/opentrace"
)

// openRun runs a command with its opens seen, or skips the test where the machine forbids that.
func openRun(t *testing.T, o Options) *Record {
	t.Helper()
	o.In, o.Out, o.Err = files(t)
	o.Trace, o.Opens = true, true
	o.Known = func(name string) bool { return strings.HasPrefix(name, "libcu") }
	rec, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Opens.Why != "" && os.Getenv("STRATA_MUST_TRACE_OPENS") == "" {
		t.Skipf("OPENS CANNOT BE TRACED ON THIS MACHINE: %s", rec.Opens.Why)
	}
	if rec.Opens.Why != "" || !rec.Opens.Asked || rec.Opens.Opens == 0 {
		t.Fatalf("%+v", rec.Opens)
	}
	return rec
}

const opener = `
#include <fcntl.h>
#include <unistd.h>
#include <stdlib.h>
int main(int argc, char **argv) {
	for (int i = 2; i < argc; i++) { int fd = open(argv[i], O_RDONLY); usleep(atoi(argv[1])); if (fd >= 0) close(fd); }
	return 0;
}`

// TestOpensOfStatic sees what no linker tells of: a static program's libraries, found and missing.
func TestOpensOfStatic(t *testing.T) {
	p := program(t, opener, "-static")
	there := filepath.Join(t.TempDir(), "libcudart.so.12")
	if err := os.WriteFile(there, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	rec := openRun(t, Options{Argv: []string{p, "0", "/nowhere/libcuda.so.1", "/nowhere/libcudart.so.12", there, "/nowhere/python.cpython-311-x86_64-linux-gnu.so", "/proc/driver/nvidia/no-such-file", "/usr/share/nvidia/no-such-file"}})
	want := []string{"libcuda.so.1 library lacks", "libcudart.so.12 library", "python.cpython-311-x86_64-linux-gnu.so plain lacks", "/proc/driver/nvidia/no-such-file file lacks", "/usr/share/nvidia/no-such-file file lacks"}
	if got := summary(rec.Opens.Names); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if pid := rec.Opens.Names[0].PID; !rec.Mute || !rec.Opens.Mute[pid] {
		t.Errorf("mute %v, %v", rec.Mute, rec.Opens.Mute)
	}
}

func summary(names []opentrace.Name) (out []string) {
	for _, n := range names {
		s := n.Name + " " + map[opentrace.Kind]string{opentrace.Plain: "plain", opentrace.Library: "library", opentrace.Node: "node", opentrace.File: "file"}[n.Kind]
		if n.Lacks() {
			s += " lacks"
		}
		out = append(out, s)
	}
	return out
}

// TestOpensOfSpeaker knows of which processes the linker spoke.
func TestOpensOfSpeaker(t *testing.T) {
	p := program(t, `
#include <dlfcn.h>
int main() { dlopen("/nowhere/libcuda.so.1", RTLD_NOW); return 0; }`, "-ldl")
	rec := openRun(t, Options{Argv: shell(p + "; true")})
	i := slices.IndexFunc(rec.Opens.Names, func(n opentrace.Name) bool { return n.Name == "libcuda.so.1" })
	if i < 0 || !rec.Opens.Names[i].Lacks() || rec.Opens.Names[i].By != p || rec.Opens.Mute[rec.Opens.Names[i].PID] {
		t.Errorf("%d of %+v", i, rec.Opens)
	}
	if slices.ContainsFunc(rec.Misses, func(m lddebug.Miss) bool { return strings.Contains(m.Name, "libcuda") }) {
		t.Error("the linker tells of a path by now: opens are needed less")
	}
}

// TestDeviceBetweenLooks sees a device that is opened and closed between two looks, and says of one that was refused that nobody was seen to
// have it.
func TestDeviceBetweenLooks(t *testing.T) {
	if os.Geteuid() != 0 || exec.Command("unshare", "-m", "true").Run() != nil {
		t.Skip("A DEVICE FILE FOR ONE PROCESS NEEDS A NAMESPACE OF MOUNTS, WHICH IS NOT ALLOWED HERE")
	}
	p := program(t, opener, "-static")
	// No driver has the number 510: the node is there, and the kernel refuses it.
	script := "mount -t tmpfs none /dev && touch /dev/nvidia0 /dev/nvidiactl && mknod /dev/nvidia1 c 510 77 || exit 77; sleep 0.2; " + p + " 150000 /dev/nvidiactl /dev/nvidia0 /dev/nvidia2; " + p + " 0 /dev/nvidia1"
	var mu sync.Mutex
	var saw []string
	rec := openRun(t, Options{Argv: []string{"unshare", "-m", "sh", "-c", script}, Interval: time.Hour, Saw: func(s Seen) {
		mu.Lock()
		defer mu.Unlock()
		if s.Kind == "opened" {
			saw = append(saw, s.Path)
		}
	}})
	if rec.Exit == 77 {
		t.Skip("A DEVICE FILE CANNOT BE MADE HERE; EPERM")
	}
	if rec.Exit != 0 {
		t.Fatalf("exit %d", rec.Exit)
	}
	if !slices.Contains(rec.Devices, "/dev/nvidia0") || !slices.Contains(rec.Devices, "/dev/nvidiactl") || !slices.Equal(saw, []string{"/dev/nvidiactl", "/dev/nvidia0"}) {
		t.Errorf("devices %v, told %v", rec.Devices, saw)
	}
	if rec.Touched < 350*time.Millisecond || rec.Touched > rec.Wall-150*time.Millisecond {
		t.Errorf("touched after %v of %v", rec.Touched, rec.Wall)
	}
	if !slices.Equal(rec.Opens.Brief, []string{"/dev/nvidia1"}) || slices.Contains(rec.Devices, "/dev/nvidia1") {
		t.Errorf("refused: %v, devices %v", rec.Opens.Brief, rec.Devices)
	}
	if !slices.Contains(summary(rec.Opens.Names), "/dev/nvidia2 node lacks") {
		t.Errorf("%q", summary(rec.Opens.Names))
	}
}
