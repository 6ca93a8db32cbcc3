package witness

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

func TestIsDriver(t *testing.T) {
	for s, want := range map[Seen]bool{
		{"opened", "/dev/nvidiactl"}: true, {"opened", "/dev/dxg"}: true, {"mapped", "/usr/lib/libcuda.so.550.54.15"}: true, {"mapped", "/usr/lib/wsl/lib/libcuda.so.1"}: true,
		{"mapped", "/usr/lib/libnvidia-ml.so.1"}: true, {"mapped", "/usr/local/cuda/lib64/libcudart.so.12"}: false, {"mapped", "/usr/lib/libc.so.6"}: false, {"mapped", "/opt/libcuda.so/x.so"}: false,
	} {
		if s.IsDriver() != want {
			t.Errorf("%+v: %v", s, !want)
		}
	}
}

func TestExists(t *testing.T) {
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if !Exists(os.Getpid()) || !Exists(1) || Exists(cmd.Process.Pid) || Exists(0) || Exists(-1) {
		t.Error("a process is there that is not, or the other way round")
	}
	if HasDriver(os.Getpid()) || HasDriver(cmd.Process.Pid) {
		t.Error("this test has no driver")
	}
}

// A new thing is told once, and by the kind that it is.
func TestSaw(t *testing.T) {
	told := map[Seen]int{}
	w := newWatcher(os.Getpid(), time.Now(), func(s Seen) { told[s]++ })
	w.look()
	w.mapped["/usr/lib/libnew.so"] = true
	w.look()
	w.look()
	if told[Seen{"mapped", "/usr/lib/libnew.so"}] != 0 { // not by a look
		t.Error("what is known already is told")
	}
	for s, n := range told {
		if n != 1 || s.Kind != "mapped" && s.Kind != "opened" {
			t.Errorf("%+v was told %d times", s, n)
		}
	}
}
