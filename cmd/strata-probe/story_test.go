package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"strata/internal/outcome"
	"strata/internal/probe/probetest"
	"strata/internal/report"
)

// service is a server that prefers the GPU, with the libraries of its engine and of CUDA, each in the directory where a distribution would have it.
type service struct {
	dir, python string
	driver      string // libcuda and NVML
	cudnn       string // where cuDNN is, which nothing searches
	state       string
}

// newService builds it with the system's compiler.
func newService(t *testing.T) *service {
	t.Helper()
	s := &service{dir: t.TempDir(), driver: probetest.Driver(t), state: t.TempDir()}
	s.cudnn = filepath.Join(s.dir, "site-packages", "nvidia", "cudnn", "lib")
	// The interpreter itself: what stands on PATH may be a script that starts others.
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Fatal("the server is a script of Python 3, which is not here: ", err)
	}
	s.python = strings.TrimSpace(string(out))
	sources, err := filepath.Abs(filepath.Join("testdata", "server"))
	if err != nil {
		t.Fatal(err)
	}
	cuda, capi := filepath.Join(s.dir, "cuda", "lib64"), filepath.Join(s.dir, "onnxruntime", "capi")
	build := func(source, dir, name string, args ...string) {
		t.Helper()
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		args = append([]string{"-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-Wl,-soname," + name, "-o", filepath.Join(dir, name), filepath.Join(sources, source)}, args...)
		if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
			t.Fatalf("building %s, which needs a C compiler as cc: %v\n%s", name, err, out)
		}
	}
	build("cudart.c", cuda, "libcudart.so.12", "-ldl")
	build("parts.c", cuda, "libcublasLt.so.12", "-DCUBLASLT")
	build("parts.c", s.cudnn, "libcudnn.so.9", "-DCUDNN")
	build("parts.c", capi, "libonnxruntime_providers_shared.so", "-DSHARED")
	build("provider.c", capi, "libonnxruntime_providers_cuda.so", "-L"+cuda, "-L"+s.cudnn, "-l:libcublasLt.so.12", "-l:libcudnn.so.9", "-l:libcudart.so.12")
	return s
}

// configure writes the server's configuration.
func (s *service) configure(t *testing.T, provider string) {
	t.Helper()
	text := "# how the service runs\nport: 0\nexecutionProvider: " + provider + "   # gpu or cpu\n"
	if err := os.WriteFile(filepath.Join(s.dir, "service.conf"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s *service) argv(t *testing.T) []string {
	t.Helper()
	script, err := filepath.Abs(filepath.Join("testdata", "server", "server.py"))
	if err != nil {
		t.Fatal(err)
	}
	return []string{s.python, script, filepath.Join(s.dir, "service.conf"), filepath.Join(s.dir, "onnxruntime", "capi")}
}

// env has further directories on the library path.
func (s *service) env(more ...string) []string {
	path := strings.Join(append([]string{s.driver, filepath.Join(s.dir, "cuda", "lib64")}, more...), ":")
	return append(probetest.Env(path, "FAKE_BUSY=64", "FAKE_NAMES=NVIDIA L4"), "FAKE_STATE="+s.state, "PYTHONDONTWRITEBYTECODE=1")
}

var listening = regexp.MustCompile(`listening on (http://127\.0\.0\.1:\d+)`)

// served is one life of the server under strata run: what it answered, and what strata said.
type served struct {
	Provider string `json:"provider"`
	Result   int    `json:"result"`
	watched
	record string
}

// serve starts the server, asks it, leaves it some time to be looked at, and has it end.
func (s *service) serve(t *testing.T, env []string, flags ...string) *served {
	t.Helper()
	x := &served{record: filepath.Join(t.TempDir(), "run.json")}
	args := slices.Concat([]string{"run", "--sample", "200ms", "--record", x.record}, flags, []string{"--"}, s.argv(t))
	cmd := exec.Command(probetest.Strata(t), args...)
	cmd.Env = env
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stuck := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer stuck.Stop()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		x.out += lines.Text() + "\n"
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			x.ask(t, m[1])
		}
	}
	err = cmd.Wait()
	x.errs, x.status = errs.String(), cmd.ProcessState.ExitCode()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	data, err := os.ReadFile(x.record)
	if err != nil {
		t.Fatalf("%v\n%s%s", err, x.out, x.errs)
	}
	if err := json.Unmarshal(data, &x.doc); err != nil {
		t.Fatal(err)
	}
	return x
}

func (x *served) ask(t *testing.T, address string) {
	t.Helper()
	for i, path := range []string{"/", "/quit"} {
		if i > 0 {
			time.Sleep(1200 * time.Millisecond) // for the looks at the GPU
		}
		resp, err := http.Get(address + path)
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil {
			err = json.Unmarshal(body, x)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// strataSays runs another command of strata over what was recorded.
func strataSays(t *testing.T, want int, args ...string) string {
	t.Helper()
	cmd := exec.Command(probetest.Strata(t), args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
		t.Errorf("strata %s: %v, want status %d\n%s", strings.Join(args, " "), err, want, out)
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// TestStory goes the way of somebody whose service answers from the CPU although its configuration says gpu: what is wrong and who says so, whether the
// program itself is in order, the remedy as it was given, and the proof that the GPU is used.
func TestStory(t *testing.T) {
	s := newService(t)
	s.configure(t, "gpu")

	// It serves, from the CPU. Strata names the library, who asked for it, the layer, and a remedy.
	before := s.serve(t, s.env(), "--require-gpu")
	if before.Provider != "CPUExecutionProvider" || before.Result != 10000 {
		t.Fatalf("the server answered %q %d\n%s%s", before.Provider, before.Result, before.out, before.errs)
	}
	d := before.doc
	if before.status != 1 || d.Exit != 0 || !d.FellBack || d.Verdict.Layer != "cudnn" || d.Verdict.Status != report.Broken || d.UsedGPU() {
		t.Errorf("status %d, %+v", before.status, d.Verdict)
	}
	if len(d.Missing) != 1 || d.Missing[0].Name != "libcudnn.so.9" || filepath.Base(d.Missing[0].By) != "libonnxruntime_providers_cuda.so" || !d.Missing[0].Needed ||
		!slices.Contains(d.Missing[0].Searched, filepath.Join(s.dir, "cuda", "lib64")) || slices.Contains(d.Missing[0].Searched, s.cudnn) {
		t.Errorf("missing %+v", d.Missing)
	}
	for _, want := range []string{"fell back to the CPU", "libonnxruntime_providers_cuda.so needs libcudnn.so.9", "Missing libcudnn.so.9, asked for by libonnxruntime_providers_cuda.so", "Remedy"} {
		if !strings.Contains(before.all(), want) {
			t.Errorf("no %q in\n%s", want, before.errs)
		}
	}
	if d.Sampling.State != outcome.SamplingNotNeeded {
		t.Errorf("nothing of the driver was loaded, and sampling is %+v", d.Sampling)
	}
	if text := strataSays(t, 1, "triage", before.record); !strings.Contains(text, "First broken layer: cuDNN") || !strings.Contains(text, "libcudnn.so.9, needed by libonnxruntime_providers_cuda.so") {
		t.Errorf("triage of the record says %s", text)
	}

	// On the CPU alone it works as well: the program is in order.
	both := strings.Join(strings.Fields(s.sideBySide(t)), " ")
	if !strings.Contains(both, "The program works both times, and with the GPU it fell back to the CPU: the program is in order, and the fault is in the GPU's software stack.") ||
		!strings.Contains(both, "needs libcudnn.so.9") {
		t.Errorf("side by side: %s", both)
	}

	// As its configuration alone says, it is the CPU, and nobody calls that a fall-back.
	s.configure(t, "cpu")
	if x := s.serve(t, s.env()); x.status != 0 || x.doc.FellBack || x.doc.Verdict.Status == report.Broken || x.Provider != "CPUExecutionProvider" {
		t.Errorf("with the CPU configured: status %d, %+v", x.status, x.doc.Verdict)
	}
	s.configure(t, "gpu")

	// The remedy as it is given: the directory of the library on the search path.
	i := slices.IndexFunc(d.Findings, func(f report.Finding) bool { return f.ID == d.Verdict.Finding })
	if i < 0 || !slices.ContainsFunc(d.Findings[i].Remedies, func(r report.Remedy) bool {
		return strings.Contains(r.Summary, "put cuDNN's lib directory on LD_LIBRARY_PATH")
	}) {
		t.Fatalf("no remedy puts cuDNN on LD_LIBRARY_PATH: %+v", d.Findings)
	}

	// It uses the GPU: NVML lists the process, which is the proof without a device's file.
	after := s.serve(t, s.env(s.cudnn), "--require-gpu")
	d = after.doc
	if after.Provider != "CUDAExecutionProvider" || after.Result != before.Result {
		t.Fatalf("the server answered %q %d\n%s%s", after.Provider, after.Result, after.out, after.errs)
	}
	if after.status != 0 || d.FellBack || d.Verdict.Status != report.OK || !d.UsedGPU() || len(d.Missing) > 0 || len(d.Findings) > 0 {
		t.Errorf("status %d, %+v, missing %+v, findings %+v", after.status, d.Verdict, d.Missing, d.Findings)
	}
	if len(d.GPUs) != 1 || short(d.GPUs[0]) != "0: 1+0 1900 64" || d.GPUs[0].Samples < 3 {
		t.Errorf("%+v", d.GPUs)
	}
	for _, want := range []string{"strata: ran on GPU 0 (NVIDIA L4): peak 1.9 GiB, 64 % busy, first seen", "s: on GPU 0 (NVIDIA L4), 1.9 GiB"} {
		if !strings.Contains(after.all(), want) {
			t.Errorf("no %q in\n%s", want, after.errs)
		}
	}
	if text := strataSays(t, 0, "triage", after.record); !strings.Contains(text, "by the record: ran on GPU 0 (NVIDIA L4)") {
		t.Errorf("triage of the record says %s", text)
	}

	// With the library in place and the GPU hidden it is the program's wish: the engine says so, and nothing is missing.
	hidden := s.serve(t, append(s.env(s.cudnn), "CUDA_VISIBLE_DEVICES="))
	if hidden.Provider != "CPUExecutionProvider" || hidden.doc.UsedGPU() || len(hidden.doc.Missing) > 0 || hidden.doc.Verdict.Layer == "cudnn" {
		t.Errorf("hidden: %+v %+v", hidden.doc.Verdict, hidden.doc.Missing)
	}
}

// sideBySide compares without and with the GPU; the server does not end by itself.
func (s *service) sideBySide(t *testing.T) string {
	t.Helper()
	record := filepath.Join(t.TempDir(), "both.json")
	cmd := exec.Command(probetest.Strata(t), slices.Concat([]string{"run", "--compare-cpu", "--limit", "2s", "--record", record, "--"}, s.argv(t))...)
	cmd.Env = s.env()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	_ = cmd.Run() // its status is that of a server that was ended
	var c outcome.Comparison
	data, err := os.ReadFile(record)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil || c.CPU == nil || c.GPU == nil || !c.CPU.Worked() || !c.GPU.FellBack {
		t.Error(err, fmt.Sprintf("%+v", c))
	}
	return errs.String()
}
