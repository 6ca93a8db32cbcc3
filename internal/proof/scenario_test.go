package proof_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"strata/internal/collect"
	"strata/internal/collect/all"
	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/machine"
	"strata/internal/plan"
	"strata/internal/probe"
	"strata/internal/probe/probetest"
	"strata/internal/proof"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/rules"
)

func TestMain(m *testing.M) { probetest.Main(m) }

// Machines of the corpus that the fakes are set beside: what files tell, and what the driver does.
const (
	gpuHost   = "l40s-ubuntu2204-580-driver-only"
	noGPU     = "cpu-ubuntu2404-torch-cpu"
	container = "l4-docker-550-no-gpus-flag"
)

// scenario is a fake driver, a machine, and what the probe must say.
type scenario struct {
	name    string
	machine string   // gpuHost where empty
	env     []string // FAKE_cuInit=100
	// libraries makes the directory on the loader's path; nil means libcuda and NVML.
	libraries func(testing.TB) string
	rungs     []probe.Rung // driver and compute where empty
	all       bool
	gpu       string
	// hang is the step that does not return. Children have a short limit then, and a longer one where that was too short for another step.
	hang string

	want    string // status and layer: "ok", "broken driver", "not-stack hardware", "unknown"
	finding string // ID that decides
	says    string // a part of the verdict's summary
	also    string // ID of another finding that must be there
}

func TestScenarios(t *testing.T) {
	if n := len(scenarios); n < 40 {
		t.Errorf("only %d scenarios", n)
	}
	seen := map[string]bool{}
	for _, sc := range scenarios {
		if seen[sc.name] {
			t.Errorf("two scenarios have the name %q", sc.name)
		}
		seen[sc.name] = true
		t.Run(sc.name, func(t *testing.T) {
			d := sc.run(t)
			got := strings.TrimSpace(string(d.Verdict.Status) + " " + string(d.Verdict.Layer))
			if got != sc.want || d.Verdict.Finding != sc.finding || !strings.Contains(d.Verdict.Summary, sc.says) {
				t.Errorf("got %q by %q: %s\nwant %q by %q: …%s…", got, d.Verdict.Finding, d.Verdict.Summary, sc.want, sc.finding, sc.says)
				for _, l := range d.Ladder {
					t.Logf("%s %s: %s", l.Name, l.Status, l.Summary)
				}
				for _, f := range d.Findings {
					t.Logf("%s %s %s because %s: %s", f.ID, f.Layer, f.Severity, f.Because, f.Summary)
				}
			}
			if sc.also != "" && !slices.ContainsFunc(d.Findings, func(f report.Finding) bool { return f.ID == sc.also }) {
				t.Errorf("no finding %s", sc.also)
			}
			sane(t, d)
		})
	}
}

// run climbs with the fakes, and checks that nothing is left.
func (sc scenario) run(t *testing.T) *proof.Document {
	t.Helper()
	program := probetest.Program(t)
	if sc.libraries == nil {
		sc.libraries = func(t testing.TB) string { return probetest.Driver(t) }
	}
	if len(sc.rungs) == 0 {
		sc.rungs = []probe.Rung{probe.Driver, probe.Compute}
	}
	dir, temp := sc.libraries(t), t.TempDir()
	t.Setenv("TMPDIR", temp)
	before := offspring(t)
	l := probe.Ladder{Program: program, Rungs: sc.rungs, All: sc.all, GPU: sc.gpu, Memory: 64 << 20, Env: probetest.Env(dir, sc.env...)}
	l.Limit = time.Minute
	if sc.hang != "" {
		l.Limit = short
	}
	runs, err := l.Climb(t.Context())
	for ; err == nil && sc.hang != "" && tooShort(runs, sc.hang) && l.Limit < time.Minute; l.Limit *= 4 {
		runs, err = l.Climb(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range offspring(t) {
		if !slices.Contains(before, pid) {
			t.Errorf("process %d is left", pid)
		}
	}
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Error("left in the temporary folder:", left, err)
	}
	asked := proof.Asked{Rungs: l.Rungs, GPU: l.GPU, All: l.All}
	name := sc.machine
	if name == "" {
		name = gpuHost
	}
	return proof.Build(proof.Input{Base: kb.Default(), Asked: asked, Runs: runs, Machine: read(t, name)})
}

// short is the first limit where a call is meant not to return.
const short = 300 * time.Millisecond

// tooShort tells whether the limit ended a child elsewhere than in the step that hangs, as on a busy machine.
func tooShort(runs []probe.Run, hang string) bool {
	return slices.ContainsFunc(runs, func(r probe.Run) bool { return r.End.Timeout && (r.Died() == nil || r.Died().Name != hang) })
}

// read is what check says of a machine of the corpus, below the workloads.
func read(t *testing.T, name string) *report.Document {
	t.Helper()
	a, err := machine.OpenArchive(os.DirFS(filepath.Join("..", "corpus", "machines")), name+".txtar")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	list := slices.DeleteFunc(all.Collectors(all.Options{}), func(c collect.Collector) bool {
		return slices.Contains([]string{"python", "program", "ospackage"}, c.Name)
	})
	res := diagnose.Run(collect.Run(context.Background(), a.Machine, list), kb.Default(), rules.All(), diagnose.Options{})
	return report.Build(res, &plan.Planner{Base: kb.Default(), Rules: rules.All()}, report.Tool{})
}

// sane checks what must hold for every document.
func sane(t *testing.T, d *proof.Document) {
	t.Helper()
	if len(d.Ladder) != len(d.Runs) {
		t.Errorf("%d lines for %d runs", len(d.Ladder), len(d.Runs))
	}
	for _, f := range d.Findings {
		if f.Summary == "" || f.Cause == "" || f.Title == "" || f.Layer == "" || len(f.Evidence) == 0 || f.Confidence == "" {
			t.Errorf("finding %s is incomplete: %+v", f.ID, f)
		}
		if !slices.ContainsFunc(proof.Kinds(), func(k proof.Kind) bool { return k.ID == f.ID }) && !slices.ContainsFunc(rules.All(), func(r *rule.Rule) bool { return r.ID == f.ID }) {
			t.Errorf("finding %s is of no kind that is documented", f.ID)
		}
	}
	for _, r := range d.Runs {
		for i, s := range r.Steps {
			if s.State == probe.Begin && i != len(r.Steps)-1 {
				t.Errorf("%s: step %s has no end and is not the last", r.Part, s.Name)
			}
		}
	}
}

// offspring are the children of this process, by what the kernel says.
func offspring(t *testing.T) []int {
	t.Helper()
	files, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil || len(files) == 0 {
		t.Fatal("the kernel does not list the children of a process", err)
	}
	var out []int
	for _, f := range files {
		data, _ := os.ReadFile(f) // a thread may be gone
		for p := range strings.FieldsSeq(string(data)) {
			pid, err := strconv.Atoi(p)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, pid)
		}
	}
	return out
}

// needy puts a library into dir that needs another one, which is not there.
func needy(t testing.TB, dir, name, other string) {
	t.Helper()
	src, stub := filepath.Join(t.TempDir(), "a.c"), filepath.Join(t.TempDir(), other)
	if err := os.WriteFile(src, []byte("int cublasCreate_v2(void) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-shared", "-fPIC", "-Wl,-soname," + other, "-o", stub, src},
		{"-shared", "-fPIC", "-Wl,--no-as-needed", "-o", filepath.Join(dir, name+".new"), src, stub},
	} {
		if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
			t.Fatalf("cc: %v\n%s", err, out)
		}
	}
	if err := os.Rename(filepath.Join(dir, name+".new"), filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}
