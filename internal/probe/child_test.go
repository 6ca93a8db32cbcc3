package probe

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shell is a child that runs a script.
func shell(script string) Child {
	return Child{Rung: Driver, Part: "script", Path: "/bin/sh", Argv: []string{"sh", "-c", script}}
}

func (c Child) mustExec(t *testing.T) Run {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	run, err := c.Exec(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Error("left in the temporary folder:", left, err)
	}
	return run
}

const begun = `{"rung":"driver","step":"one","state":"begin"}`

func TestChildEnds(t *testing.T) {
	for _, c := range []struct {
		name, script string
		limit        time.Duration
		memory       int64
		want         End
		died         string
		order        bool
	}{
		{name: "in order", script: `echo '` + begun + `'; echo '{"rung":"driver","step":"one","state":"ok","micros":3}'`, order: true},
		{name: "with a status", script: "exit 7", want: End{Exit: 7}},
		{name: "with a status in a step", script: `echo '` + begun + `'; exit 0`, died: "one"},
		{name: "by a signal", script: `echo '` + begun + `'; kill -SEGV $$`, want: End{Exit: -1, Signal: "SIGSEGV"}, died: "one"},
		{name: "as Go reports a crash", script: `echo 'SIGBUS: bus error' >&2; exit 2`, want: End{Exit: -1, Signal: "SIGBUS", Stderr: "SIGBUS: bus error"}},
		{name: "as Go reports a crash behind other words", script: `echo 'lib: bad' >&2; echo 'SIGABRT: abort' >&2; exit 2`, want: End{Exit: -1, Signal: "SIGABRT", Stderr: "lib: bad\nSIGABRT: abort"}},
		{name: "not as Go reports a crash", script: `echo 'SIGNAL lost: try again' >&2; exit 2`, want: End{Exit: 2, Stderr: "SIGNAL lost: try again"}},
		{name: "too late", script: `echo '` + begun + `'; sleep 100`, limit: time.Second, want: End{Exit: -1, Signal: "SIGKILL", Timeout: true}, died: "one"},
		{name: "too late, with children", script: `sleep 100 & sleep 100 & wait`, limit: time.Second, want: End{Exit: -1, Signal: "SIGKILL", Timeout: true}},
		{name: "and leaves a process that holds its output", script: `sleep 100 & exit 0`, order: true},
		{name: "and leaves a process in a session of its own", script: `setsid sleep 100 & sleep 0.1; exit 0`, order: true},
		{name: "and waits for input that never comes", script: `read x; exit 0`, limit: time.Second, want: End{Exit: -1, Signal: "SIGKILL", Timeout: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			child := shell(c.script)
			child.Limit, child.Memory = c.limit, c.memory
			before := children()
			run := child.mustExec(t)
			for _, pid := range children() {
				if !slices.Contains(before, pid) {
					t.Errorf("process %d is left", pid)
				}
			}
			run.End.Micros = 0
			if run.End != c.want {
				t.Errorf("ended %+v, want %+v", run.End, c.want)
			}
			died := ""
			if s := run.Died(); s != nil {
				died = s.Name
			}
			if died != c.died || run.InOrder() != c.order {
				t.Errorf("died in %q, in order %v; want %q, %v", died, run.InOrder(), c.died, c.order)
			}
		})
	}
}

// A child that is stopped by whoever asked for it is no failure of its own.
func TestChildIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := shell(`echo '` + begun + `'; sleep 100`)
	c.Saw = func(Step) { cancel() }
	t.Setenv("TMPDIR", t.TempDir())
	run, err := c.Exec(ctx)
	if err != nil || !run.End.Stopped || run.End.Timeout || run.Died() == nil {
		t.Errorf("%+v %v", run.End, err)
	}
}

// What is no step is kept as an excerpt, bounded, and without what must not be passed on.
func TestChildTalks(t *testing.T) {
	run := shell(`echo first; i=0; while [ $i -lt 3000 ]; do echo "line $i of some words that a library prints"; i=$((i+1)); done
printf '{"rung":"driver","step":"one","state":"begin"}\n{"rung":"driver","step":"one","state":"ok"}\n{"rung":"driver"}\nnot json {\n'
printf 'a \033[31mred\033[0m word\n' >&2; echo last`).mustExec(t)
	if len(run.Steps) != 1 || run.Steps[0].State != OK {
		t.Errorf("steps %+v", run.Steps)
	}
	text := run.End.Stderr
	if len(text) > maxHead+maxTail+100 || !strings.HasPrefix(text, "first\n") || !strings.Contains(text, "…") || strings.Contains(text, "\x1b") {
		t.Errorf("%d bytes: %.60q…%q", len(text), text, text[max(0, len(text)-60):])
	}
}

// A step without end, a line without end, and more steps than anybody keeps.
func TestChildFloods(t *testing.T) {
	run := shell(fmt.Sprintf(`head -c 3000000 /dev/zero | tr '\0' x; echo; yes '%s' | head -n 20000`, begun)).mustExec(t)
	if n := len(run.Steps); n != maxSteps {
		t.Errorf("%d steps kept, want %d", n, maxSteps)
	}
	if len(run.End.Stderr) > maxHead+maxTail+100 {
		t.Errorf("%d bytes kept", len(run.End.Stderr))
	}
}

func TestChildCannotStart(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c := shell("")
	c.Path = filepath.Join(t.TempDir(), "nothing")
	if _, err := c.Exec(t.Context()); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
	// A program whose dynamic linker is not here, as in a container without a C library.
	src, exe := filepath.Join(t.TempDir(), "m.c"), filepath.Join(t.TempDir(), "m")
	if err := os.WriteFile(src, []byte("int main(void) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", "-Wl,--dynamic-linker=/nowhere/ld.so", "-o", exe, src).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.Path = exe
	if _, err := c.Exec(t.Context()); err == nil || !strings.Contains(err.Error(), "dynamic linker that it names is not here") {
		t.Error(err)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Error("left in the temporary folder:", left)
	}
}

// The environment of a child sends elsewhere what libraries write to a user's home.
func TestChildEnvironment(t *testing.T) {
	c := shell(`printf '{"rung":"driver","step":"env","state":"ok","values":{"tmp":"%s","cache":"%s","own":"%s"}}\n' "$TMPDIR" "$CUDA_CACHE_DISABLE" "$OWN"`)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "OWN=1", "TMPDIR=/elsewhere", "CUDA_CACHE_DISABLE=0"}
	v := c.mustExec(t).Steps[0].Values
	if !strings.HasPrefix(v["tmp"], os.TempDir()+"/strata-probe-") || v["cache"] != "1" || v["own"] != "1" {
		t.Errorf("%v", v)
	}
}

func TestVisible(t *testing.T) {
	for _, c := range []struct{ gpu, env, want string }{
		{"", "", ""},
		{"1", "", "CUDA_VISIBLE_DEVICES=1"},
		{"1", "CUDA_VISIBLE_DEVICES=4,6", "CUDA_VISIBLE_DEVICES=6"},
		{"2", "CUDA_VISIBLE_DEVICES=4,6", "there is no GPU 2 here: CUDA_VISIBLE_DEVICES=4,6 shows 2, counted from 0"},
		{"GPU-1234", "CUDA_VISIBLE_DEVICES=4,6", "CUDA_VISIBLE_DEVICES=GPU-1234"},
	} {
		list, err := Ladder{GPU: c.gpu, Env: []string{c.env}}.Visible()
		got := strings.Join(list, " ")
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("--gpu %q with %q: %q, want %q", c.gpu, c.env, got, c.want)
		}
	}
}
