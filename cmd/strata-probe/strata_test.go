package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"strata/internal/probe/probetest"
	"strata/internal/proof"
)

func TestMain(m *testing.M) { probetest.Main(m) }

// strata runs the real binary with the fakes on the loader's path.
func strata(t *testing.T, dir string, settings []string, args ...string) (out, errs string, status int) {
	t.Helper()
	temp := t.TempDir()
	if !slices.Contains(args, "--rung") { // without the frameworks of the machine that the test runs on
		args = append(args, "--rung", "driver,compute,libraries")
	}
	cmd := exec.Command(probetest.Strata(t), append([]string{"probe"}, args...)...)
	cmd.Env = append(probetest.Env(dir, settings...), "TMPDIR="+temp)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Error("left in the temporary folder:", left, err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

func TestCommand(t *testing.T) {
	dir := probetest.All(t)
	two := []string{"FAKE_DEVICES=2", "FAKE_NAMES=Tesla T4,NVIDIA RTX PRO 6000 Blackwell Server Edition", "FAKE_CC=7.5,12.0"}
	for _, c := range []struct {
		name     string
		settings []string
		args     []string
		status   int
		want     []string // in this order, in the output or, with status 2, in the error
	}{
		{"all works", two, nil, 0, []string{"GPU 0  ", "Tesla T4", "NVML  ", "driver 550.163.01", "libcuda  ", "CUDA 12.4 · 2 GPUs", "kernels GPU 1", "cuBLAS", "NCCL", "✓ 2 GPUs: kernels run on each"}},
		{"an error", []string{"FAKE_cuInit=804"}, nil, 1, []string{"✗ libcuda", "probe-cuda-error", "First broken layer: CUDA runtime", "cuInit: CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE (804)", "strata explain probe-cuda-error"}},
		{"a crash", append(two, "FAKE_cuLaunchKernel=abort@1"), []string{"-v"}, 1, []string{"cuLaunchKernel strata_add", "First broken layer: driver", "ended by SIGABRT"}},
		{"wrong numbers", append(two, "FAKE_WRONG=kernels@1"), nil, 1, []string{"✓ kernels GPU 0", "✗ kernels GPU 1", "Not the software stack: GPU", "element 17 is 137 instead of 136"}},
		{"a risk", []string{"FAKE_nvmlInit_v2=18"}, nil, 0, []string{"! NVML", "At risk: kernel module"}},
		{"cut short", []string{"FAKE_cuInit=kill"}, nil, 3, []string{"? libcuda", "Somebody ended the probe with SIGKILL in cuInit"}},
		{"a rung", two, []string{"--rung", "driver"}, 0, []string{"whether a kernel runs was not tried"}},
		{"a GPU", append(two, "FAKE_cuLaunchKernel=719@0"), []string{"--gpu", "1"}, 0, []string{"✓ 1 GPU"}},
		{"no such GPU", append(two, "CUDA_VISIBLE_DEVICES=1"), []string{"--gpu", "1"}, 2, []string{"there is no GPU 1 here: CUDA_VISIBLE_DEVICES=1 shows 1"}},
		{"two GPUs as one", nil, []string{"--gpu", "0,1"}, 2, []string{`--gpu "0,1" is not one GPU`}},
		{"no such rung", nil, []string{"--rung", "moon"}, 2, []string{`unknown --rung "moon"; there are driver, compute, libraries`}},
		{"no such form", nil, []string{"--format", "xml"}, 2, []string{`unknown --format "xml"`}},
		{"no time", nil, []string{"--timeout", "0s"}, 2, []string{"--timeout 0s leaves no time"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, errs, status := strata(t, dir, c.settings, c.args...)
			if status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			text := out
			if status == 2 {
				text = errs
			} else if errs != "" {
				t.Errorf("standard error: %s", errs)
			}
			rest := text
			for _, w := range c.want {
				_, after, ok := strings.Cut(rest, w)
				if !ok {
					t.Fatalf("no %q in its place in\n%s", w, text)
				}
				rest = after
			}
			for line := range strings.Lines(out) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 && !strings.Contains(line, "/") {
					t.Errorf("%d columns: %s", n, line)
				}
			}
		})
	}
}

func TestCommandJSON(t *testing.T) {
	out, errs, status := strata(t, probetest.Driver(t), []string{"FAKE_DEVICES=2", "FAKE_cuLaunchKernel=719@1"}, "--format", "json", "--timeout", "5s")
	if status != 1 || errs != "" {
		t.Fatalf("status %d: %s", status, errs)
	}
	var d proof.Document
	dec := json.NewDecoder(strings.NewReader(out))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		t.Fatal(err)
	}
	if d.Schema != "strata.probe/1" || d.Asked.LimitMillis != 5000 || len(d.Asked.Rungs) != 3 || len(d.Devices) != 2 || len(d.Runs) != 4 || d.Verdict.Layer != "hardware" {
		t.Errorf("%+v %+v", d.Asked, d.Verdict)
	}
	for i, x := range d.Devices {
		if x.Ordinal == nil || *x.Ordinal != i || x.Index == nil || *x.Index != i || x.ComputeCapability != "7.5" || x.MemoryMiB != 15360 || x.Persistence != "on" {
			t.Errorf("device %d: %+v", i, x)
		}
	}
}

// Without strata-probe there is a clear answer.
func TestCommandWithoutProgram(t *testing.T) {
	alone := filepath.Join(t.TempDir(), "strata")
	if err := os.Link(probetest.Strata(t), alone); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(alone, "probe")
	cmd.Env = []string{"PATH=/nowhere"}
	out, err := cmd.CombinedOutput()
	if err == nil || cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "go build ./cmd/strata-probe") {
		t.Errorf("%v: %s", err, out)
	}
}

// The build of a release carries strata-probe and needs no other file.
func TestCommandEmbedded(t *testing.T) {
	dir := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, "internal", "probe", "strata-probe"): probetest.Program(t).Path}})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "strata")
	build := exec.Command("go", "build", "-overlay", list, "-tags", "embedprobe", "-o", exe, "strata/cmd/strata")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	temp := t.TempDir()
	cmd := exec.Command(exe, "probe", "--rung", "driver,compute")
	cmd.Env = append(probetest.Env(probetest.Driver(t)), "PATH=/nowhere", "TMPDIR="+temp)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "✓ 1 GPU: kernels run on it") {
		t.Errorf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Error("left:", left, err)
	}
}

// An interrupted probe clears up and says so; one that is killed takes its child with it.
func TestCommandIsEnded(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		clean  bool
	}{{syscall.SIGINT, true}, {syscall.SIGTERM, true}, {syscall.SIGKILL, false}} {
		t.Run(c.signal.String(), func(t *testing.T) {
			temp := t.TempDir()
			cmd := exec.Command(probetest.Strata(t), "probe", "--rung", "driver", "--timeout", "60s")
			said := filepath.Join(temp, "said")
			cmd.Env = append(probetest.Env(probetest.Driver(t), "FAKE_cuInit=hang", "FAKE_SAID="+said), "TMPDIR="+temp)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pid := waitFor(t, said)
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			_, _ = bufio.NewReader(out).WriteTo(&text)
			_ = cmd.Wait()
			for i := 0; alive(pid); i++ {
				if i == 1000 {
					t.Fatalf("process %s lives on", pid)
				}
				time.Sleep(5 * time.Millisecond)
			}
			if !c.clean {
				return
			}
			// NVML is asked beside it, and may be what was stopped first.
			if cmd.ProcessState.ExitCode() != 3 || !strings.Contains(strings.ToLower(text.String()), "the probe was stopped in cuinit") {
				t.Errorf("%s\n%s", cmd.ProcessState, text.String())
			}
			os.Remove(said)
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Error("left:", left, err)
			}
		})
	}
}

// waitFor waits until the fake has written its process's number.
func waitFor(t *testing.T, path string) string {
	t.Helper()
	for range 2000 {
		if data, err := os.ReadFile(path); err == nil && len(data) > 0 {
			return strings.TrimSpace(string(data))
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the fake did not come to where it hangs")
	return ""
}

// alive tells whether a process runs; one that is dead and not reaped does not.
func alive(pid string) bool {
	data, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && !strings.Contains(string(data), ") Z ")
}
