package proof_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"strata/internal/kb"
	"strata/internal/probe"
	"strata/internal/probe/framework"
	"strata/internal/proof"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/rules"
)

const torchID = "pytorch in /opt/venv"

// tryTorch runs the probe's script for PyTorch in the real interpreter with a torch of the test's.
func tryTorch(t *testing.T, mode string, limit time.Duration) []probe.Run {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal("the test needs python3:", err)
	}
	dir, err := filepath.Abs(filepath.Join("testdata", "frameworks"))
	if err != nil {
		t.Fatal(err)
	}
	temp, home := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + temp, "PYTHONPATH=" + dir, "FAKE_TORCH=" + mode}
	runs := framework.Climb(t.Context(), []framework.Workload{{ID: torchID, Framework: "pytorch", Python: python}}, framework.Options{Env: env, Limit: limit})
	for _, d := range []string{temp, home} {
		if left, err := os.ReadDir(d); err != nil || len(left) > 0 {
			t.Error("the probe left something behind:", left, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "__pycache__")); len(left) > 0 {
		t.Error("the probe wrote beside the framework:", left)
	}
	return runs
}

func judgeTorch(runs []probe.Run, machine *report.Document) *proof.Document {
	return proof.Build(proof.Input{Base: kb.Default(), Rules: rules.All(), Runs: runs, Machine: machine, Asked: proof.Asked{Rungs: []probe.Rung{probe.Framework}}})
}

func TestFrameworks(t *testing.T) {
	for _, c := range []struct {
		mode    string
		limit   time.Duration
		status  report.Status
		layer   rule.Layer
		finding string
		gpu     string
		says    string
	}{
		{mode: "ok", status: report.OK, gpu: "used", says: "convolution on the GPU"},
		{mode: "write", status: report.OK, gpu: "used"},
		{mode: "cpu", status: report.OK, gpu: "not-built", says: "has no CUDA"},
		{mode: "import", status: report.Broken, layer: rule.CUDNN, finding: "probe-framework-import", gpu: "failed", says: "libcudnn.so.9"},
		{mode: "exit-import", status: report.Broken, layer: rule.PythonEnv, finding: "probe-framework-import", gpu: "failed", says: "SystemExit: 3"},
		{mode: "no-device", status: report.Broken, layer: rule.DeviceExposure, finding: "probe-framework-no-gpu", gpu: "failed"},
		{mode: "quiet", status: report.Broken, layer: rule.FrameworkBuild, finding: "probe-framework-no-gpu", gpu: "failed", says: "cannot use CUDA"},
		{mode: "no-kernel", status: report.Broken, layer: rule.GPUArch, finding: "probe-framework-error", gpu: "failed"},
		{mode: "wrong-cpu", status: report.Broken, layer: rule.FrameworkBuild, finding: "probe-wrong-result", gpu: "failed", says: "matrix product on the CPU: element 5"},
		{mode: "wrong-gpu", status: report.Broken, layer: rule.CUDALibraries, finding: "probe-wrong-result", gpu: "failed", says: "1 of 768"},
		{mode: "nan", status: report.Broken, layer: rule.CUDALibraries, finding: "probe-wrong-result", gpu: "failed", says: "element 7 is nan"},
		{mode: "wrong-convolution", status: report.Broken, layer: rule.CUDNN, finding: "probe-wrong-result", gpu: "failed", says: "convolution on the GPU: element 100"},
		{mode: "crash", status: report.Broken, layer: rule.FrameworkBuild, finding: "probe-crash", gpu: "failed", says: "ended by SIGSEGV"},
		{mode: "abort", status: report.Broken, layer: rule.CUDNN, finding: "probe-crash", gpu: "failed", says: "libcudnn_ops_infer.so.8"},
		{mode: "hang", limit: 3 * time.Second, status: report.Broken, layer: rule.FrameworkBuild, finding: "probe-hang", gpu: "failed", says: "devices (torch.cuda)"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			d := judgeTorch(tryTorch(t, c.mode, c.limit), nil)
			w := d.Workloads[0]
			if w.Verdict.Status != c.status || w.Verdict.Layer != c.layer || w.Verdict.Finding != c.finding || w.GPU != c.gpu || !strings.Contains(w.Verdict.Summary, c.says) {
				t.Errorf("got %+v\nGPU %s, want %s %s by %q, GPU %s, …%s…", w.Verdict, w.GPU, c.status, c.layer, c.finding, c.gpu, c.says)
				for _, s := range d.Runs[0].Steps {
					t.Logf("%+v", s)
				}
			}
			sane(t, d)
		})
	}
}

// TestSaid holds that what a framework prints is kept with the step that it printed it in, and is taken for no step.
func TestSaid(t *testing.T) {
	run := tryTorch(t, "no-device", 0)[0]
	for i, want := range map[int]string{0: "a framework may print", 1: ""} {
		if got := run.Steps[i].Said; got != want {
			t.Errorf("step %s: said %q, want %q", run.Steps[i].Name, got, want)
		}
	}
	last := run.Steps[len(run.Steps)-1]
	if !strings.Contains(last.Said, "Traceback") || strings.Contains(last.Said, "a framework may print") {
		t.Errorf("the last step's words are %q", last.Said)
	}
}

// TestPredicted holds that a difference between what was predicted and what happened is a finding, and that only a difference is.
func TestPredicted(t *testing.T) {
	predicted := func(status report.Status, layer rule.Layer) *report.Document {
		v := report.Verdict{Status: status, Layer: layer, Finding: "DNN001", Summary: "predicted"}
		return &report.Document{Verdict: v, Workloads: []report.Workload{{Name: "pytorch", Environment: "/opt/venv", Verdict: v}}}
	}
	for _, c := range []struct {
		mode   string
		status report.Status
		layer  rule.Layer
		agrees string
		merged report.Status
	}{
		{"ok", report.OK, "", "yes", report.OK},
		{"ok", report.AtRisk, rule.CUDNN, "yes", report.AtRisk},
		{"ok", report.Broken, rule.CUDNN, "no", report.AtRisk},
		{"ok", report.Unsure, "", "unknown", report.Unsure},
		{"import", report.Broken, rule.CUDNN, "yes", report.Broken},
		{"import", report.Broken, rule.GPUArch, "no", report.Broken},
		{"import", report.OK, "", "no", report.Broken},
		{"no-device", report.Broken, rule.CUDNN, "unknown", report.Broken},
		{"crash", report.Broken, rule.CUDNN, "yes", report.Broken}, // it said nothing, and the files do
		{"cpu", report.OK, "", "yes", report.OK},
		{"cpu", report.Broken, rule.FrameworkBuild, "yes", report.Broken},
	} {
		t.Run(c.mode+" "+string(c.status)+" "+string(c.layer), func(t *testing.T) {
			doc := predicted(c.status, c.layer)
			d := judgeTorch(tryTorch(t, c.mode, 0), doc)
			if w := d.Workloads[0]; w.Agrees != c.agrees || w.Predicted == nil || w.Predicted.Status != c.status {
				t.Errorf("agrees: %q, want %q; %+v", w.Agrees, c.agrees, w)
			}
			differs := slices.ContainsFunc(d.Findings, func(f report.Finding) bool { return f.ID == "probe-differs" })
			if differs != (c.agrees == "no") {
				t.Errorf("a finding about Strata: %v", differs)
			}
			proof.Merge(doc, d)
			if p := doc.Workloads[0].Probe; p == nil || p.Agrees != c.agrees || doc.Probe == nil || doc.Verdict.Status != c.merged {
				t.Errorf("merged: %+v, %+v, want %s", doc.Verdict, p, c.merged)
			}
			if doc.Workloads[0].Verdict.Status != c.status {
				t.Error("what was predicted has changed")
			}
		})
	}
}
