package outcome

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"strata/internal/kb"
	"strata/internal/probe"
	"strata/internal/report"
	"strata/internal/rules"
	"strata/internal/triage"
	"strata/internal/witness"
)

func at[T any](x T) *T { return &x }

// looks makes a watch that has seen the same n times.
func looks(t *testing.T, n int, gpus ...probe.GPUSample) *Watch {
	t.Helper()
	w := NewWatch(triage.Options{Base: kb.Default(), Rules: rules.All()}, nil)
	for range n {
		w.Sampled(probe.Sample{GPUs: gpus}, time.Second, func(pid int) (own, exists bool) { return pid < 100, pid < 1000 })
	}
	return w
}

func process(pid int) []probe.ProcessSample {
	return []probe.ProcessSample{{PID: pid, Memory: at(uint64(1900 << 20))}}
}

// TestUsageDecides holds the verdict against what the device's file and NVML show together.
func TestUsageDecides(t *testing.T) {
	opened := []string{"/dev/nvidia0", "/dev/nvidiactl"}
	mapped := []string{"/usr/lib/libcuda.so.1", "/usr/lib/libcudart.so.12"}
	idle := probe.GPUSample{Busy: at(0), Used: at(uint64(500 << 20)), Processes: []probe.ProcessSample{}}
	for _, c := range []struct {
		name   string
		n      int
		gpu    probe.GPUSample
		rec    witness.Processes
		status report.Status
		used   bool
		want   string
	}{
		{"on it without the device's file", 3, probe.GPUSample{Busy: at(64), Processes: process(7)}, witness.Processes{Mapped: mapped, NoGPU: true}, report.OK, true, "ran on GPU 0: peak 1.9 GiB, 64 % busy"},
		{"opened and idle", 3, idle, witness.Processes{Mapped: mapped, Devices: opened}, report.AtRisk, false, "no process of the command ever appeared on a GPU and utilisation stayed at 0 %"},
		{"opened, and few looks", 2, idle, witness.Processes{Mapped: mapped, Devices: opened}, report.OK, true, "/dev/nvidia0 was open"},
		{"opened, in a container where nothing is listed", 3, idle, witness.Processes{Mapped: mapped, Devices: opened, Contained: true}, report.OK, true, "/dev/nvidia0 was open"},
		{"opened, and somebody computes", 3, probe.GPUSample{Busy: at(5), Processes: []probe.ProcessSample{}}, witness.Processes{Mapped: mapped, Devices: opened}, report.OK, true, "/dev/nvidia0 was open"},
		{"opened, and nobody tells", 3, probe.GPUSample{Busy: at(0), Why: "not supported"}, witness.Processes{Mapped: mapped, Devices: opened}, report.OK, true, "/dev/nvidia0 was open"},
		{"another's process", 3, probe.GPUSample{Busy: at(64), Processes: process(500)}, witness.Processes{Mapped: mapped}, report.AtRisk, false, "never touched although the CUDA runtime was loaded: no /dev/nvidiaN was open at any look, and no process of the command was on a GPU at any of 3 looks"},
		{"numbers of the host", 3, probe.GPUSample{Busy: at(64), Processes: process(5000)}, witness.Processes{Mapped: mapped, Devices: opened, Contained: true}, report.OK, true, "/dev/nvidia0 was open"},
		{"no GPU", 0, probe.GPUSample{}, witness.Processes{Mapped: mapped, NoGPU: true}, report.NotStack, false, "no GPU was there"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := looks(t, c.n, c.gpu).Document(&witness.Record{Processes: c.rec})
			if d.Verdict.Status != c.status || d.UsedGPU() != c.used || !strings.Contains(d.Verdict.Summary, c.want) {
				t.Errorf("used %v, %+v", d.UsedGPU(), d.Verdict)
			}
		})
	}
}

// Notes say what the looks cannot tell, and nothing where they tell all.
func TestUsageNotes(t *testing.T) {
	w := looks(t, 3, probe.GPUSample{Busy: at(64), Used: at(uint64(700 << 20)), Processes: process(5000)})
	if d := w.Document(&witness.Record{}); !slices.ContainsFunc(d.Notes, func(n string) bool { return strings.Contains(n, "numbers that do not exist here") }) {
		t.Errorf("%q", d.Notes)
	}
	w = looks(t, 3, probe.GPUSample{Busy: at(64), Processes: process(7)})
	w.NotSampled(SamplingFailed, "it crashed")
	if d := w.Document(&witness.Record{}); len(d.Notes) != 1 || d.Notes[0] != "utilisation was sampled 3 times and then no more: it crashed" || !d.UsedGPU() {
		t.Errorf("%q", d.Notes)
	}
	w = looks(t, 3, probe.GPUSample{Busy: at(0), Used: at(uint64(700 << 20)), Processes: []probe.ProcessSample{}})
	if d := w.Document(&witness.Record{Processes: witness.Processes{Contained: true}}); len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "lists no process in this container") {
		t.Errorf("%q", d.Notes)
	}
}

// Mean and maximum are of the time in which the command was on the GPU.
func TestUsageMean(t *testing.T) {
	w := looks(t, 0)
	for i, busy := range []int{0, 0, 40, 60, 81} {
		g := probe.GPUSample{Busy: at(busy), Used: at(uint64(i) << 30), Processes: []probe.ProcessSample{}}
		if i >= 2 {
			g.Processes = []probe.ProcessSample{{PID: 7, Memory: at(uint64(i) << 30)}, {PID: 8, Busy: at(busy / 2)}, {PID: 500}}
		}
		w.Sampled(probe.Sample{GPUs: []probe.GPUSample{g}}, time.Second, func(pid int) (own, exists bool) { return pid < 100, true })
	}
	g := w.Document(&witness.Record{}).GPUs[0]
	if *g.BusyMean != 60 || *g.BusyMax != 81 || g.Samples != 3 || *g.PeakMemory != 4<<30 || g.Processes != 2 || g.Others != 1 || *g.OwnBusyMax != 40 || g.MemoryFirst != 0 || g.MemoryMax != 4<<30 {
		t.Errorf("%+v", g)
	}
}

// What a record or a child says is bounded.
func TestUsageBounds(t *testing.T) {
	var gpus []probe.GPUSample
	for i := range 2 * maxGPUs {
		gpus = append(gpus, probe.GPUSample{Index: i, Name: fmt.Sprint("GPU-fafafafa-fafa-fafa-fafa-fafafafafa01 ", i), Processes: process(7)})
	}
	d := looks(t, 1, gpus...).Document(&witness.Record{})
	if len(d.GPUs) != maxGPUs || strings.Contains(d.GPUs[0].Name, "fafa") || len(d.Verdict.Summary) > 500 {
		t.Errorf("%d GPUs, %q, %s", len(d.GPUs), d.GPUs[0].Name, d.Verdict.Summary)
	}
}
