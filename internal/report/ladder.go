package report

import (
	"strata/internal/derive"
	"strata/internal/rule"
	"strata/internal/stack"
)

// ladder is one line a layer, bottom to top: the layers that all workloads
// share for nil, the layers of its own for a workload.
func (b *builder) ladder(w *derive.Workload) []Layer {
	first := b.r.First(w)
	out := []Layer{}
	for _, id := range rule.Layers() {
		if id == rule.Application || w == nil && !id.Shared() {
			continue
		}
		// A shared layer shows in a workload's own ladder only where it fails
		// just this workload: a driver too old for one of twelve environments.
		if w != nil && id.Shared() && !b.failsOnly(w, id) {
			continue
		}
		l := Layer{ID: id, Name: id.Name()}
		said := b.describe(id, w)
		l.Status, l.Summary, l.Source = said.status, said.summary, said.source
		b.judge(&l, w, first)
		out = append(out, l)
	}
	return out
}

// judge puts the findings over what was merely seen.
func (b *builder) judge(l *Layer, w *derive.Workload, first *answer) {
	for _, a := range b.r.Findings() {
		if a.Rule.Layer != l.ID || a.Severity() < rule.AtRisk {
			continue
		}
		if w == nil && a.Workload != nil || w != nil && !a.Concerns(w) {
			continue
		}
		l.Finding, l.Summary = a.Rule.ID, a.Finding.Summary
		if a.Severity() == rule.Broken {
			l.Status = LayerBroken
		} else {
			l.Status = LayerAtRisk
		}
		return // findings come worst first
	}
	// What the machine shows of its shared layers stays true; only workloads wait.
	if w != nil && first != nil && first.Severity() == rule.Broken && waits(l.ID, first.Rule.Layer) && l.Status != LayerAbsent {
		l.Status, l.Summary, l.Source = LayerBlocked, "waits for "+first.Rule.Layer.Name(), ""
	}
}

// failsOnly tells whether a finding of the workload itself lies in a shared layer.
func (b *builder) failsOnly(w *derive.Workload, id rule.Layer) bool {
	for _, a := range b.r.Findings() {
		if a.Rule.Layer == id && a.Workload != nil && a.Concerns(w) && a.Severity() >= rule.AtRisk {
			return true
		}
	}
	return false
}

// said is what a layer says of itself where nothing is wrong with it.
type said struct {
	status  LayerStatus
	summary string
	source  string
}

func ok(summary string, sources ...stack.Source) said {
	s := said{status: LayerOK, summary: summary}
	if len(sources) > 0 {
		s.source = sources[0].String()
	}
	return s
}

func absent(summary string) said { return said{status: LayerAbsent, summary: summary} }

func unknown(seen stack.Seen, what string) said {
	if seen.State == stack.Absent {
		return absent("no " + what)
	}
	why := seen.Why
	if why == "" {
		why = "not read"
	}
	return said{status: LayerUnknown, summary: "not known: " + why}
}
