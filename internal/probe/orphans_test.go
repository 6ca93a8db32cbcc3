package probe

import (
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
)

// TestSweepWaits holds that an orphan is reaped whose mark cannot be read any more, as in the moment in which a process
// ends: one without an environment stands for it.
func TestSweepWaits(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	adopt()
	orphan, err := os.StartProcess(sleep, []string{"sleep", "0.2"}, &os.ProcAttr{Env: []string{}, Sys: &syscall.SysProcAttr{Setsid: true}})
	if err != nil {
		t.Fatal(err)
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	(&process{pid: orphan.Pid, stdin: out}).sweep("MARK=none", true)
	if slices.Contains(children(), orphan.Pid) {
		t.Errorf("process %d is left", orphan.Pid)
	}
}
