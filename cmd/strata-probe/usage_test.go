package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"strata/internal/outcome"
	"strata/internal/probe/probetest"
)

// watched is what strata run said of a command and wrote down.
type watched struct {
	doc    outcome.Document
	out    string
	errs   string
	status int
}

// all is what a person was told, on one line.
func (w *watched) all() string { return strings.Join(strings.Fields(w.errs), " ") }

// runStrata runs a command under the real binary with the fakes on the loader's path, and looks that nothing is left.
func runStrata(t *testing.T, env, flags, argv []string) *watched {
	t.Helper()
	temp, record := t.TempDir(), filepath.Join(t.TempDir(), "record.json")
	cmd := exec.Command(probetest.Strata(t), slices.Concat([]string{"run", "--record", record}, flags, []string{"--"}, argv)...)
	cmd.Env = append(env, "TMPDIR="+temp)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	w := &watched{out: o.String(), errs: e.String(), status: cmd.ProcessState.ExitCode()}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Error("left in the temporary folder:", left, err)
	}
	data, err := os.ReadFile(record)
	if err != nil {
		t.Fatalf("%v\n%s", err, w.errs)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w.doc); err != nil {
		t.Fatal(err)
	}
	return w
}

func number(p *int) string {
	if p == nil {
		return "?"
	}
	return fmt.Sprint(*p)
}

// short is what matters of a GPU: its instance, how many processes of the command and of others, MiB, mean utilisation.
func short(g outcome.GPU) string {
	mib := "?"
	if g.PeakMemory != nil {
		mib = fmt.Sprint(*g.PeakMemory >> 20)
	}
	at := fmt.Sprint(g.Index)
	if g.Instance != nil {
		at += "." + fmt.Sprint(*g.Instance)
	}
	return fmt.Sprintf("%s: %d+%d %s %s", at, g.Processes, g.Others, mib, number(g.BusyMean))
}

func TestUsage(t *testing.T) {
	type scenario struct {
		name  string
		flags []string // of strata run, then of the fakes' compiler
		build []string
		env   []string
		argv  []string // of the program that uses GPUs
		gpus  []string // as short has them
		state string   // ok where empty
		want  []string // in what a person is told, or in the record's reason
	}
	busy := "FAKE_BUSY=64,0"
	two := "FAKE_DEVICES=2"
	for _, c := range []scenario{
		{name: "one GPU", env: []string{busy, "FAKE_SM=40"}, argv: []string{"0", "1600"}, gpus: []string{"0: 1+0 1900 64"},
			want: []string{"strata: ran on GPU 0 (Tesla T4): peak 1.9 GiB, 64 % busy, first seen", "s: on GPU 0 (Tesla T4), 1.9 GiB"}},
		{name: "the second of two", env: []string{two, "FAKE_BUSY=0,88"}, argv: []string{"1", "200"}, gpus: []string{"0: 0+0 ? 0", "1: 1+0 500 88"},
			want: []string{"ran on GPU 1 (Tesla T4): peak 500 MiB, 88 % busy"}},
		{name: "a child on the second", env: []string{two, busy}, argv: []string{"0", "200", "1+", "724"}, gpus: []string{"0: 1+0 500 64", "1: 1+0 1024 0"},
			want: []string{"ran on 2 GPUs: GPU 0 peak 500 MiB, 64 % busy; GPU 1 peak 1.0 GiB, 0 % busy at every look"}},
		{name: "two processes on one", env: []string{busy}, argv: []string{"0+", "300", "0", "200"}, gpus: []string{"0: 2+0 1100 64"}},
		{name: "shared", env: []string{busy, "FAKE_PROCESSES=2", "FAKE_SM=40"}, argv: []string{"0", "1600"}, gpus: []string{"0: 1+2 1900 64"},
			want: []string{"shared with 2 other processes, own share 40 % at most"}},
		{name: "an instance of MIG", env: []string{"FAKE_MIG=1", "FAKE_INSTANCES=2", "FAKE_ON_INSTANCE=1"}, argv: []string{"0", "200"}, gpus: []string{"0.0: 0+0 ? ?", "0.1: 1+0 500 ?"},
			want: []string{"ran on GPU 0, MIG instance 1 (Tesla T4 MIG 1g.2gb): peak 500 MiB, NVML does not tell how busy it was"}},
		{name: "NVML before driver 510", build: []string{"-DMIDDLE"}, env: []string{busy, "FAKE_PROCESSES=2"}, argv: []string{"0", "200"}, gpus: []string{"0: 1+2 500 64"}},
		{name: "NVML before driver 450", build: []string{"-DOLD"}, env: []string{busy, "FAKE_PROCESSES=2"}, argv: []string{"0", "200"}, gpus: []string{"0: 1+2 500 64"}},
		{name: "entries of driver 535", env: []string{busy, "FAKE_PROCESSES=2", "FAKE_PROCESS_SIZE=32"}, argv: []string{"0+", "200", "0", "200"}, gpus: []string{"0: 2+2 1000 64"}},
		{name: "memory is not told", env: []string{busy, "FAKE_PROCESS_MIB=unknown", "FAKE_USED_MIB=700"}, argv: []string{"0", "200"}, gpus: []string{"0: 1+0 ? 64"},
			want: []string{"NVML does not tell its memory (700 MiB of the GPU in use), 64 % busy"}},
		{name: "utilisation is not supported", env: []string{"FAKE_nvmlDeviceGetUtilizationRates=3"}, argv: []string{"0", "200"}, gpus: []string{"0: 1+0 500 ?"}},
		{name: "garbage of a process", env: []string{busy, "FAKE_SM=4000000000"}, argv: []string{"0", "200"}, gpus: []string{"0: 1+0 500 64"}},
		{name: "no permission", env: []string{busy, "FAKE_nvmlDeviceGetComputeRunningProcesses_v3=4", "FAKE_USED_MIB=700"}, argv: []string{"0", "200"}, gpus: []string{"0: 0+0 ? 64"},
			want: []string{"NVML does not tell who is on GPU 0 (nvmlDeviceGetComputeRunningProcesses_v3: NVML_ERROR_NO_PERMISSION (4)); in all, GPU 0 went from 700 MiB to 700 MiB in use, 64 % busy"}},
		{name: "a GPU is lost", env: []string{two, busy, "FAKE_nvmlDeviceGetHandleByIndex_v2=15@1"}, argv: []string{"0", "200"}, gpus: []string{"0: 1+0 500 64", "1: 0+0 ? ?"}},
		{name: "numbers of another namespace", env: []string{busy, "FAKE_PID_SHIFT=3000000", "FAKE_USED_MIB=700"}, argv: []string{"0", "200"}, gpus: []string{"0: 0+1 ? 64"},
			want: []string{"numbers that do not exist here (a container sees its own), so that nobody can tell which are the command's; in all, GPU 0 went from 700 MiB to 700 MiB in use, 64 % busy"}},
		{name: "only looked", env: []string{"FAKE_BUSY=0"}, gpus: []string{"0: 0+0 ? 0"}, want: []string{"the GPU was never touched, although libcuda.so.1 was loaded, and no process of the command was on a GPU at any of"}},
		{name: "a library that talks", env: []string{busy, "FAKE_nvmlInit_v2=print"}, argv: []string{"0", "200"}, gpus: []string{"0: 1+0 500 64"}},
		{name: "NVML does not start", env: []string{"FAKE_nvmlInit_v2=18"}, argv: []string{"0", "200"}, state: "failed",
			want: []string{"utilisation was not sampled: nvmlInit_v2: NVML_ERROR_LIB_RM_VERSION_MISMATCH (18)"}},
		{name: "a crash", env: []string{"FAKE_nvmlDeviceGetUtilizationRates=segv"}, argv: []string{"0", "200"}, state: "failed",
			want: []string{"utilisation was not sampled: strata-probe ended by SIGSEGV in the first look at the GPUs"}},
		{name: "an end", env: []string{"FAKE_load_nvml=exit:0"}, argv: []string{"0", "200"}, state: "failed",
			want: []string{"strata-probe ended with status 0 in loading libnvidia-ml.so.1"}},
		{name: "not asked for", flags: []string{"--sample", "0"}, env: []string{"FAKE_load_nvml=abort"}, argv: []string{"0", "200"}, state: "off"},
		{name: "no traces", flags: []string{"--trace=off"}, env: []string{"FAKE_load_nvml=abort"}, argv: []string{"0", "200"}, state: "off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			flags := c.flags
			if c.state != "off" {
				flags = append(flags, "--sample", "100ms")
			}
			env := append(probetest.Env(probetest.Driver(t, c.build...), c.env...), "FAKE_STATE="+t.TempDir())
			w := runStrata(t, env, flags, append([]string{probetest.User(t), "1.5"}, c.argv...))
			var got []string
			for _, g := range w.doc.GPUs {
				got = append(got, short(g))
			}
			if w.status != 0 || !slices.Equal(got, c.gpus) {
				t.Errorf("status %d, GPUs %q, want %q\n%s", w.status, got, c.gpus, w.errs)
			}
			state := c.state
			if state == "" {
				state = "ok"
			}
			if w.doc.Sampling.State != state || state == "ok" && (w.doc.Sampling.Samples < 3 || w.doc.Sampling.Driver != "550.163.01") {
				t.Errorf("sampling %+v", w.doc.Sampling)
			}
			for _, x := range c.want {
				if !strings.Contains(w.all(), x) {
					t.Errorf("no %q in\n%s", x, w.errs)
				}
			}
			if on := slices.ContainsFunc(w.doc.GPUs, func(g outcome.GPU) bool { return g.Processes > 0 }); on != (w.doc.Verdict.Status == "ok") || on != w.doc.UsedGPU() {
				t.Errorf("on a GPU: %v, and the verdict is %+v", on, w.doc.Verdict)
			}
		})
	}
}

// Without NVML there are no looks, and one note.
func TestUsageWithoutNVML(t *testing.T) {
	env := probetest.Env(probetest.Fakes(t, []string{"cuda.c"}), "FAKE_STATE="+t.TempDir())
	w := runStrata(t, env, nil, []string{probetest.User(t), "1", "0", "200"})
	if w.doc.Sampling.State != "failed" || !strings.Contains(w.all(), "utilisation was not sampled: libnvidia-ml.so.1: cannot open shared object file") {
		t.Errorf("%+v\n%s", w.doc.Sampling, w.errs)
	}
}

// A command that has nothing of the driver is not looked at: NVML would load a kernel module that nobody asked for.
func TestUsageNotNeeded(t *testing.T) {
	env := probetest.Env(probetest.Driver(t), "FAKE_load_nvml=abort")
	w := runStrata(t, env, []string{"--sample", "100ms"}, []string{"sleep", "0.5"})
	if w.doc.Sampling.State != "not-needed" || len(w.doc.Notes) > 0 {
		t.Errorf("%+v %q", w.doc.Sampling, w.doc.Notes)
	}
}

// What hangs is left behind by nobody: at the end of the command, and where strata itself is killed.
func TestUsageHangs(t *testing.T) {
	for _, call := range []string{"load_nvml", "nvmlInit_v2", "nvmlDeviceGetUtilizationRates"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			said := filepath.Join(t.TempDir(), "said")
			env := probetest.Env(probetest.Driver(t), "FAKE_"+call+"=hang", "FAKE_SAID="+said)
			began := time.Now()
			w := runStrata(t, env, []string{"--sample", "100ms"}, []string{probetest.User(t), "1", "0", "200"})
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
			if pid := waitFor(t, said); alive(pid) {
				t.Errorf("process %s lives on", pid)
			}
			if w.doc.Sampling.State != "ok" || w.doc.Sampling.Samples != 0 {
				t.Errorf("%+v", w.doc.Sampling)
			}
		})
	}
	t.Run("killed", func(t *testing.T) {
		said := filepath.Join(t.TempDir(), "said")
		cmd := exec.Command(probetest.Strata(t), "run", "--", probetest.User(t), "30", "0", "200")
		cmd.Env = probetest.Env(probetest.Driver(t), "FAKE_nvmlInit_v2=hang", "FAKE_SAID="+said, "TMPDIR="+t.TempDir())
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		pid := waitFor(t, said)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		defer syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the command itself, which strata could not end any more
		for i := 0; alive(pid); i++ {
			if i == 1000 {
				t.Fatalf("process %s lives on", pid)
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
}

// strata watch looks at the GPUs of a process that runs already, and says when its memory appears.
func TestUsageOfRunning(t *testing.T) {
	env := append(probetest.Env(probetest.Driver(t), "FAKE_BUSY=64"), "FAKE_STATE="+t.TempDir(), "TMPDIR="+t.TempDir())
	user := exec.Command(probetest.User(t), "4", "0", "1600")
	user.Env = env
	if err := user.Start(); err != nil {
		t.Fatal(err)
	}
	defer user.Wait()
	defer user.Process.Kill()
	time.Sleep(100 * time.Millisecond) // for libcuda to be mapped
	cmd := exec.Command(probetest.Strata(t), "watch", fmt.Sprint(user.Process.Pid), "--sample", "100ms", "--limit", "2s")
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := strings.Join(strings.Fields(string(out)), " ")
	for _, want := range []string{"s: on GPU 0 (Tesla T4), 1.9 GiB", "ran on GPU 0 (Tesla T4): peak 1.9 GiB, 64 % busy"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
