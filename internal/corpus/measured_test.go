package corpus

import (
	"context"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"strata/internal/collect/all"
	"strata/internal/collect/assume"
	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/machine"
	"strata/internal/report"
	"strata/internal/rules"
	"strata/internal/stack"
)

const (
	// fewestWheels is how many measured wheels of frameworks there are at least: tables that were not read must not pass.
	fewestWheels = 25
	// batch is how many environments share a machine. Together they show that neighbours do not matter; the work of asking all
	// rules grows faster than their number.
	batch = 8
)

// TestMeasuredWheels installs every measured wheel of a framework, each in an environment of its own and with the libraries and the
// GPU code that were found in it, and holds its verdict on every GPU and with the drivers around every limit to what follows from
// NVIDIA's documents alone (see reference).
func TestMeasuredWheels(t *testing.T) {
	list, skipped := installations(kb.Default())
	wheels := map[string]bool{}
	for _, in := range list {
		if in.linked < 11 || in.linked > 13 {
			t.Fatalf("%s: neither its links nor its build tell a CUDA major release (%d)", in.name(), in.linked)
		}
		if in.containers > 0 {
			wheels[in.wheels[0].File] = true
		}
	}
	t.Logf("%d measured wheels with GPU code in %d environments, %d GPUs, %d drivers at most", len(wheels), len(list), len(chips), len(aroundEveryLimit(list)))
	if len(skipped) > 0 {
		t.Logf("left out, since what they go with was not measured: %s", strings.Join(skipped, ", "))
	}
	if len(wheels) < fewestWheels {
		t.Fatalf("%d measured wheels with GPU code, want at least %d", len(wheels), fewestWheels)
	}
	old := debug.SetGCPercent(400) // much is made and thrown away; a fifth of the time was for that
	defer debug.SetGCPercent(old)
	var compared, allowed atomic.Int64
	t.Run("on", func(t *testing.T) {
		for some := range slices.Chunk(list, batch) {
			s, drivers := read(t, measuredMachine(some)), aroundEveryLimit(some)
			for _, c := range chips {
				t.Run(some[0].name()+"…/"+c.String(), func(t *testing.T) {
					t.Parallel()
					got := make([]map[string]report.Verdict, len(drivers))
					for n, d := range drivers {
						got[n] = assumed(t, s, c, d)
					}
					for i, in := range some {
						var wrong differences
						for n, d := range drivers {
							want := in.verdict(c, d)
							v, ok := got[n][in.workload+"@"+place(i)]
							if !ok {
								t.Fatalf("%s: no workload %s", in.name(), in.workload)
							}
							compared.Add(1)
							switch {
							case !want.differs(v):
							case in.allowed(c, d, v, want):
								allowed.Add(1)
							default:
								wrong.add(n, d, v, want)
							}
						}
						wrong.report(t, in.name(), c)
					}
				})
			}
		}
	})
	t.Logf("%d verdicts compared; %d of them differ in what is allowed on top", compared.Load(), allowed.Load())
	if compared.Load() == 0 {
		t.Error("nothing was compared")
	}
}

// onTop are findings in layers, or of a kind, that the documents of this test do not speak of.
var onTop = []struct {
	workload, finding string
	from, below       string // releases
	blackwell         bool   // only there
}{
	// The advisory rests on reports: TensorFlow keeps most kernels outside of its fat binaries, as PTX for sm_90a.
	{"tensorflow", "ARC002", "2.16", "2.21", true},
	// cuDNN 8 has no code for Blackwell, and these load it.
	{"tensorflow", "DNN006", "2.12", "2.18", true},
	{"ctranslate2", "DNN006", "4.0", "4.5", true},
	{"onnxruntime", "DNN006", "1.16", "1.19", true},
	// Its Python module links the CUDA runtime and has no search path.
	{"onnxruntime", "FRM008", "1.27", "1.28", false},
}

// silent are releases that link nothing of CUDA and open it by names that Strata does not know: it says so and that it cannot tell.
var silent = map[string]string{"paddle": "3.0", "onnxruntime": "1.16"}

// allowed tells whether a verdict is one of those that the documents have nothing against: a known defect where they say ok, or in a
// layer below code that does not fit; silence, and numbers that no driver has, only where they say ok.
func (in *installation) allowed(c chip, d driver, v report.Verdict, want judgement) bool {
	release := in.wheels[0].Version
	switch {
	case v.Status == report.OK || want.status != "ok" && want.layer != "gpu_arch":
		return false
	case v.Status == report.Unsure:
		below, known := silent[in.workload]
		return want.status == "ok" && (d.unpublished || known && release.Less(parse(below)) && strings.Contains(v.Summary, "native libraries"))
	}
	for _, o := range onTop {
		if o.workload == in.workload && o.finding == v.Finding && (c.major >= 10 || !o.blackwell) && !release.Less(parse(o.from)) && release.Less(parse(o.below)) {
			return true
		}
	}
	return false
}

// read collects a machine once; what changes between the verdicts is only assumed.
func read(t *testing.T, text string) *stack.Stack {
	t.Helper()
	m, err := machine.OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte(text)}}, "m.txtar")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	return all.Run(context.Background(), m.Machine, all.Options{})
}

// assumed is the report about a machine with one GPU and one driver that the user vouches for.
func assumed(t *testing.T, s *stack.Stack, c chip, d driver) map[string]report.Verdict {
	t.Helper()
	put, err := assume.Parse([]string{"gpu=" + c.String(), "driver=" + d.String()})
	if err != nil {
		t.Fatal(err)
	}
	with := *s // assumptions replace facts and change none
	put(&with)
	res := diagnose.Run(&with, kb.Default(), rules.All(), diagnose.Options{Trial: true})
	return byPlace(report.Build(res, nil, report.Tool{Version: "test"}))
}

// differences are those of one installation on one GPU, as runs of drivers that have the same.
type differences []difference

type difference struct {
	first, last driver
	index       int // of last
	got         report.Verdict
	want        judgement
}

func (list *differences) add(index int, d driver, got report.Verdict, want judgement) {
	if k := len(*list) - 1; k >= 0 {
		if e := &(*list)[k]; e.index == index-1 && e.want.expected == want.expected && e.got.Status == got.Status && e.got.Finding == got.Finding {
			e.last, e.index = d, index
			return
		}
	}
	*list = append(*list, difference{d, d, index, got, want})
}

func (list differences) report(t *testing.T, name string, c chip) {
	t.Helper()
	for _, e := range list {
		t.Errorf("%s on a GPU of %s with drivers %s to %s: Strata says %s; by the documents %s, since %s", name, c, e.first, e.last, said(e.got), e.want, e.want.why)
	}
}

// name is the wheel that an installation is about.
func (in installation) name() string {
	name := strings.TrimSuffix(in.wheels[0].File, ".whl")
	if in.on != nil {
		name += " on " + in.on.name()
	}
	if in.repacked {
		name += " packed with zstd"
	}
	return name
}
