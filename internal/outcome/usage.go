package outcome

import (
	"fmt"
	"time"

	"strata/internal/probe"
	"strata/internal/redact"
)

// usage gathers the looks at the GPUs while a command runs.
type usage struct {
	sampling Sampling
	gpus     []*gathered
	// matched tells that NVML listed a process of the command, strange that it listed one that does not exist here.
	matched, strange bool
}

// gathered is one GPU.
type gathered struct {
	GPU
	pids        map[int]bool
	busy, looks int // of the looks since the command's first, a sum and their number
	all, rounds int // of all looks
	max         int // since the command's first
	allMax      int
	looked      bool
}

// Here tells what is known of a process by its number: whether it is one of the command's, and whether there is one at all.
type Here func(pid int) (own, exists bool)

// Sampled takes one look at the GPUs. say gets a line where the command's memory first appears on one.
func (w *Watch) Sampled(x probe.Sample, every time.Duration, here Here) {
	w.mu.Lock()
	defer w.mu.Unlock()
	u := &w.usage
	s := &u.sampling
	s.State, s.IntervalMillis = SamplingOK, every.Milliseconds()
	s.Samples++
	if x.Driver != "" {
		s.Driver, s.CUDA = redact.Foreign(x.Driver), redact.Foreign(x.CUDA)
	}
	for i := range x.GPUs {
		u.look(&x.GPUs[i], time.Since(w.began), here, w.say)
	}
}

// maxGPUs bounds what is kept; no host has as many instances.
const maxGPUs = 256

func (u *usage) find(x *probe.GPUSample) *gathered {
	for _, g := range u.gpus {
		if g.Index == x.Index && (g.Instance == nil) == (x.Instance == nil) && (x.Instance == nil || *g.Instance == *x.Instance) {
			return g
		}
	}
	if len(u.gpus) >= maxGPUs {
		return nil
	}
	g := &gathered{GPU: GPU{Index: x.Index, Instance: x.Instance, Name: redact.Foreign(x.Name)}, pids: map[int]bool{}}
	u.gpus = append(u.gpus, g)
	return g
}

func (u *usage) look(x *probe.GPUSample, at time.Duration, here Here, say func(string)) {
	g := u.find(x)
	if g == nil {
		return
	}
	if x.Processes == nil {
		g.Why = redact.Foreign(x.Why)
	}
	if x.Total != nil {
		g.MemoryTotal = *x.Total
	}
	if x.Used != nil {
		if !g.looked {
			g.MemoryFirst, g.looked = *x.Used, true
		}
		g.MemoryMax = max(g.MemoryMax, *x.Used)
	}
	u.processes(g, x, at, here, say)
	if x.Busy == nil {
		return
	}
	g.all, g.rounds, g.allMax = g.all+*x.Busy, g.rounds+1, max(g.allMax, *x.Busy)
	if len(g.pids) > 0 {
		g.busy, g.looks, g.max = g.busy+*x.Busy, g.looks+1, max(g.max, *x.Busy)
	}
}

func (u *usage) processes(g *gathered, x *probe.GPUSample, at time.Duration, here Here, say func(string)) {
	var memory uint64
	known, others, now := false, 0, 0
	for _, p := range x.Processes {
		own, exists := here(p.PID)
		u.matched = u.matched || own
		if !own {
			u.strange = u.strange || !exists
			others++
			continue
		}
		now++
		g.pids[p.PID] = true
		if p.Memory != nil {
			memory, known = memory+*p.Memory, true
		}
		if p.Busy != nil && (g.OwnBusyMax == nil || *p.Busy > *g.OwnBusyMax) {
			g.OwnBusyMax = p.Busy
		}
	}
	g.Others = max(g.Others, others)
	if now > 0 && g.FirstSeenMillis == 0 {
		g.FirstSeenMillis = max(at.Milliseconds(), 1)
		if say != nil {
			text := fmt.Sprintf("%.1f s: on %s", at.Seconds(), g.label())
			if g.Name != "" {
				text += " (" + g.Name + ")"
			}
			if known {
				text += ", " + bytesText(memory)
			}
			say(text)
		}
	}
	if known && (g.PeakMemory == nil || memory > *g.PeakMemory) {
		g.PeakMemory = &memory
	}
}

// NotSampled says why nobody looks at the GPUs, or why it ended before the command did.
func (w *Watch) NotSampled(state, why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.usage.sampling.State, w.usage.sampling.Why = state, redact.Foreign(why)
}

// fill puts what was gathered into a document. contained tells that this process sees only a part of the host's processes.
func (u *usage) fill(d *Document, contained bool) {
	d.Sampling = u.sampling
	if d.Sampling.State == "" {
		d.Sampling.State, d.Sampling.Why = SamplingOK, "it ended before the first look"
	}
	d.GPUs = []GPU{}
	for _, x := range u.gpus {
		g := x.GPU
		g.Processes, g.Samples = len(x.pids), x.looks
		sum, n, most := x.busy, x.looks, x.max
		if n == 0 {
			sum, n, most = x.all, x.rounds, x.allMax
			g.Samples = n
		}
		if n > 0 {
			mean := (sum + n/2) / n
			g.BusyMean, g.BusyMax = &mean, &most
		}
		d.GPUs = append(d.GPUs, g)
	}
	switch {
	case u.sampling.Samples == 0:
	case u.matched:
		d.Sampling.PIDs = pidsOurs
	case u.strange:
		d.Sampling.PIDs = pidsOthers
	case contained:
		d.Sampling.PIDs = pidsUnknown
	default:
		d.Sampling.PIDs = pidsOurs
	}
}
