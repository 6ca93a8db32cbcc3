package witness

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// sink keeps what it is given.
type sink struct {
	mu     sync.Mutex
	buf    bytes.Buffer
	closed bool
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *sink) Close() error { s.closed = true; return nil }

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// files are a command's streams: an empty input, and files that are read afterwards.
func files(t *testing.T) (in, out, errs *os.File) {
	t.Helper()
	open := func(name string, flag int) *os.File {
		f, err := os.OpenFile(name, flag, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	dir := t.TempDir()
	return open(os.DevNull, os.O_RDONLY), open(filepath.Join(dir, "out"), os.O_CREATE|os.O_RDWR), open(filepath.Join(dir, "err"), os.O_CREATE|os.O_RDWR)
}

func content(t *testing.T, f *os.File) string {
	t.Helper()
	data, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func shell(script string) []string { return []string{"sh", "-c", script} }

func TestPassesEverythingOn(t *testing.T) {
	in, out, errs := files(t)
	seen := &sink{}
	rec, err := Run(context.Background(), Options{Argv: shell("echo one; echo two >&2; printf three; exit 7"), In: in, Out: out, Err: errs, Output: seen})
	if err != nil {
		t.Fatal(err)
	}
	if rec.Exit != 7 || content(t, out) != "one\nthree" || content(t, errs) != "two\n" {
		t.Errorf("exit %d, output %q, errors %q", rec.Exit, content(t, out), content(t, errs))
	}
	got := seen.String()
	for _, want := range []string{"one\n", "two\n", "three\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the reader got %q, without %q", got, want)
		}
	}
	if !seen.closed {
		t.Error("the reader's end was not closed")
	}
}

func TestStatus(t *testing.T) {
	in, out, errs := files(t)
	for script, want := range map[string]int{"exit 0": 0, "exit 255": 255, "kill -TERM $$": 143, "kill -SEGV $$": 139} {
		rec, err := Run(context.Background(), Options{Argv: shell(script), In: in, Out: out, Err: errs})
		if err != nil {
			t.Fatal(err)
		}
		if rec.Exit != want || (want > 128 && want < 255) != (rec.Signal != "") {
			t.Errorf("%s: exit %d with signal %q, want %d", script, rec.Exit, rec.Signal, want)
		}
	}
}

func TestCannotStart(t *testing.T) {
	in, out, errs := files(t)
	_, err := Run(context.Background(), Options{Argv: []string{"/no/such/program"}, In: in, Out: out, Err: errs, Trace: true})
	if err == nil || !strings.Contains(err.Error(), "/no/such/program") {
		t.Errorf("error %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), "strata-run-*"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestGrandchildKeepsOutputOpen ends although a process that lives on holds the pipe.
func TestGrandchildKeepsOutputOpen(t *testing.T) {
	in, out, errs := files(t)
	rec, err := Run(context.Background(), Options{Argv: shell("sleep 600 & echo $!; exit 0"), In: in, Out: out, Err: errs, Output: &sink{}})
	if err != nil || rec.Exit != 0 {
		t.Fatalf("%v, %+v", err, rec)
	}
	_ = exec.Command("kill", strings.TrimSpace(content(t, out))).Run()
}

// TestSignals passes on what is sent to us, and ends with the command's status.
func TestSignals(t *testing.T) {
	in, out, errs := files(t)
	ready := &sink{}
	done := make(chan *Record)
	go func() {
		rec, err := Run(context.Background(), Options{Argv: shell(`trap 'echo got it; exit 3' TERM; echo ready; while :; do sleep 0.05; done`), In: in, Out: out, Err: errs, Output: ready})
		if err != nil {
			t.Error(err)
		}
		done <- rec
	}()
	for !strings.Contains(ready.String(), "ready") {
		time.Sleep(5 * time.Millisecond)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if rec := <-done; rec == nil || rec.Exit != 3 || !strings.Contains(content(t, out), "got it") {
		t.Errorf("%+v, output %q", rec, content(t, out))
	}
}

// TestTerminal gives the command a terminal of the same size where we have one.
func TestTerminal(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	defer slave.Close()
	if err := pty.Setsize(slave, &pty.Winsize{Rows: 33, Cols: 101}); err != nil {
		t.Fatal(err)
	}
	var shown bytes.Buffer
	read := make(chan struct{})
	go func() { _, _ = io.Copy(&shown, master); close(read) }()
	in, _, _ := files(t)
	seen := &sink{}
	rec, err := Run(context.Background(), Options{Argv: shell("test -t 1 && test -t 2 && stty size <&1; echo done"), In: in, Out: slave, Err: slave, Output: seen})
	if err != nil || rec.Exit != 0 {
		t.Fatalf("%v, %+v", err, rec)
	}
	if got := seen.String(); got != "33 101\ndone\n" {
		t.Errorf("the reader got %q", got)
	}
	slave.Close()
	master.Close()
	<-read
	if got := shown.String(); got != "33 101\r\ndone\r\n" {
		t.Errorf("the terminal shows %q", got)
	}
}

// program compiles a C program.
func program(t *testing.T, source string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	file, out := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if msg, err := exec.Command("cc", append([]string{"-o", out, file}, flags...)...).CombinedOutput(); err != nil {
		t.Fatalf("compiling a program for the test: %v\n%s", err, msg)
	}
	return out
}

// TestLinker hears of a library that a child process looks for in vain, and of one that it finds.
func TestLinker(t *testing.T) {
	p := program(t, `
#include <dlfcn.h>
#include <unistd.h>
int main() { dlopen("libnothing-of-this-name.so.9", RTLD_NOW); dlopen("libm.so.6", RTLD_NOW); usleep(300000); return 0; }
`, "-ldl")
	in, out, errs := files(t)
	rec, err := Run(context.Background(), Options{Argv: shell(p + "; true"), In: in, Out: out, Err: errs, Trace: true, Interval: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, m := range rec.Misses {
		found = found || m.Name == "libnothing-of-this-name.so.9" && m.Opened && len(m.Places) > 1
	}
	if !found {
		t.Errorf("the miss is not among %+v", rec.Misses)
	}
	loaded := false
	for _, l := range rec.Loads {
		loaded = loaded || l.Name == "libm.so.6"
	}
	if !loaded || rec.Mute {
		t.Errorf("libm.so.6 is not among %d loads; mute: %v", len(rec.Loads), rec.Mute)
	}
	mapped := false
	for _, m := range rec.Mapped {
		mapped = mapped || strings.HasPrefix(filepath.Base(m), "libm")
	}
	if !mapped || rec.Count < 2 {
		t.Errorf("libm is not among what was mapped, %v, of %d processes", rec.Mapped, rec.Count)
	}
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), "strata-run-*"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestStaticProgramIsMute(t *testing.T) {
	p := program(t, `int main() { return 0; }`, "-static")
	in, out, errs := files(t)
	rec, err := Run(context.Background(), Options{Argv: []string{p}, In: in, Out: out, Err: errs, Trace: true})
	if err != nil {
		t.Fatal(err)
	}
	if !rec.Mute {
		t.Errorf("the linker of a static program said %+v", rec.Loads)
	}
}

func TestGPUNodes(t *testing.T) {
	for path, want := range map[string][2]bool{
		"/dev/nvidia0": {true, true}, "/dev/nvidia12": {true, true}, "/dev/dxg": {true, true}, "/dev/nvidiactl": {true, false},
		"/dev/nvidia-uvm": {true, false}, "/dev/nvidia-caps/nvidia-cap1": {true, false}, "/dev/null": {false, false},
	} {
		if got := [2]bool{IsGPUNode(path), IsGPU(path)}; got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
