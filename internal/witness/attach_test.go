package witness

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestAttach sees what a running process has mapped, and its end.
func TestAttach(t *testing.T) {
	cmd := exec.Command("sleep", "0.4")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = cmd.Wait() }()
	time.Sleep(100 * time.Millisecond) // for its libraries to be mapped
	var told []Seen
	p, ended, err := Attach(context.Background(), cmd.Process.Pid, 20*time.Millisecond, func(s Seen) { told = append(told, s) })
	if err != nil || !ended {
		t.Fatalf("ended %v, %v", ended, err)
	}
	if len(p.Mapped) == 0 || len(told) != len(p.Mapped) || !strings.Contains(p.Mapped[0], ".so") {
		t.Errorf("mapped %v, told %v", p.Mapped, told)
	}
}

func TestAttachRefuses(t *testing.T) {
	if _, _, err := Attach(context.Background(), 1<<22+7, 0, nil); err == nil || !strings.Contains(err.Error(), "no such process") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, ended, err := Attach(ctx, os.Getpid(), time.Hour, nil); err != nil || ended {
		t.Errorf("ended %v, %v", ended, err)
	}
}
