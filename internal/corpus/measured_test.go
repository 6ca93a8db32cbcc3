package corpus

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"strata/internal/collect"
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
		for _, w := range in.wheels {
			wheels[w.File] = true
		}
	}
	t.Logf("%d measured wheels in %d environments, %d GPUs, %d drivers at most", len(wheels), len(list), len(chips), len(aroundEveryLimit(list)))
	if len(skipped) > 0 {
		t.Logf("left out, since what they go with was not measured: %s", strings.Join(skipped, ", "))
	}
	if len(wheels) < fewestWheels {
		t.Fatalf("%d measured wheels, want at least %d", len(wheels), fewestWheels)
	}
	var compared, known atomic.Int64
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
							case want.status == "ok" && slices.Contains(knownDefects, in.workload+" "+v.Finding):
								known.Add(1)
							case want.status == "ok" && d.unpublished && v.Status == report.Unsure:
							case want.differs(v):
								wrong.add(n, d, v, want)
							}
						}
						wrong.report(t, in.name(), c)
					}
				})
			}
		}
	})
	t.Logf("%d verdicts compared; in %d a known defect of the release came on top", compared.Load(), known.Load())
	if compared.Load() == 0 {
		t.Error("nothing was compared")
	}
}

// knownDefects are findings that come on top of what the code and the driver say: a release that is known to fail there, for a
// reason that is in no table of this test.
var knownDefects = []string{}

// read collects a machine once; what changes between the verdicts is only assumed.
func read(t *testing.T, text string) *stack.Stack {
	t.Helper()
	m, err := machine.OpenArchive(fstest.MapFS{"m.txtar": {Data: []byte(text)}}, "m.txtar")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	return collect.Run(context.Background(), m.Machine, all.Collectors(all.Options{}))
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
