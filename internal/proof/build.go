package proof

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/probe"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/stack"
)

// Input is what a document is made of.
type Input struct {
	Tool  report.Tool
	Base  *kb.Base
	Asked Asked
	Runs  []probe.Run
	// Machine is what strata check says of the same machine, at least of its layers below the workloads; nil where nobody looked.
	Machine *report.Document
	// Rules are all rules: what frameworks say is judged as strata triage does.
	Rules []*rule.Rule
}

// Build judges what the children did.
func Build(in Input) *Document {
	b := &builder{Input: in}
	d := &Document{
		Schema: Schema, Tool: in.Tool, Asked: in.Asked, Ladder: []Line{}, Devices: []Device{}, Findings: []report.Finding{}, Runs: in.Runs,
		Workloads: []Workload{},
	}
	if in.Machine != nil {
		d.Subject, d.Environment = in.Machine.Subject, in.Machine.Environment
	}
	d.Devices = append(d.Devices, devices(in.Runs)...)
	b.devices = d.Devices
	for i := range in.Runs {
		r := &in.Runs[i]
		if r.Rung == probe.Framework {
			w, l := b.workload(r)
			d.Workloads, d.Ladder = append(d.Workloads, w), append(d.Ladder, l)
			continue
		}
		l := b.line(r)
		if f := b.failure(r); f != nil {
			found := b.judge(f)
			l.Status, l.Summary, l.Finding = statusOf(found), f.gist(), found.ID
			b.add(found)
		}
		d.Ladder = append(d.Ladder, l)
	}
	b.findings = append(b.findings, b.health()...)
	d.Verdict = b.verdict()
	d.Findings = append(d.Findings, b.findings...)
	return d
}

type builder struct {
	Input
	devices  []Device
	findings []report.Finding
}

// add keeps a finding once where several parts came to the same.
func (b *builder) add(f report.Finding) {
	for i := range b.findings {
		if x := &b.findings[i]; x.ID == f.ID && x.Summary == f.Summary {
			x.Evidence = append(x.Evidence, f.Evidence...)
			return
		}
	}
	b.findings = append(b.findings, f)
}

func statusOf(f report.Finding) report.LayerStatus {
	if f.ID == kindNoGPU.ID {
		return report.LayerAbsent
	}
	switch f.Severity {
	case rule.Broken.String():
		return report.LayerBroken
	case rule.AtRisk.String():
		return report.LayerAtRisk
	}
	return report.LayerUnknown
}

// verdict is the first failure from the ground up: that is the order of the
// runs. What the machine's own files show to be broken below it is the reason.
func (b *builder) verdict() report.Verdict {
	var worst *report.Finding
	for i := range b.findings {
		f := &b.findings[i]
		if worst == nil || rank(f) > rank(worst) {
			worst = f
		}
	}
	switch {
	case len(b.Runs) == 0:
		return report.Verdict{Status: report.Unsure, Summary: "nothing was probed", Confidence: rule.Possible.String()}
	case worst == nil || worst.Severity == rule.Note.String() && worst.ID != kindNoGPU.ID && worst.ID != kindEnded.ID:
		return b.works()
	}
	if r := b.because(worst); r != nil {
		worst = r
	}
	v := report.Verdict{Status: report.Broken, Layer: worst.Layer, Finding: worst.ID, Summary: worst.Summary, Confidence: worst.Confidence}
	switch {
	case worst.ID == kindEnded.ID:
		v.Status, v.Layer = report.Unsure, ""
	case worst.Severity == rule.AtRisk.String():
		v.Status = report.AtRisk
	case worst.Layer == rule.Hardware || worst.Layer == rule.Application:
		v.Status = report.NotStack
	}
	return v
}

// because is the finding of check that a finding of the probe follows from. It
// joins the probe's own: it has the proof from files and the checked remedies.
func (b *builder) because(f *report.Finding) *report.Finding {
	if f.Because == "" || b.Machine == nil {
		return nil
	}
	for i := range b.Machine.Findings {
		if r := b.Machine.Findings[i]; r.ID == f.Because {
			r.Evidence = append(slices.Clone(r.Evidence), f.Evidence[0])
			b.findings = append([]report.Finding{r}, b.findings...)
			return &b.findings[0]
		}
	}
	return nil
}

// rank orders findings by what decides: no GPU, without which the rest does
// not matter, what breaks something, then what was cut short, then risks, then notes.
func rank(f *report.Finding) int {
	switch {
	case f.ID == kindNoGPU.ID:
		return 4
	case f.Severity == rule.Broken.String():
		return 3
	case f.ID == kindEnded.ID:
		return 2
	case f.Severity == rule.AtRisk.String():
		return 1
	}
	return 0
}

// works is the verdict where nothing failed: what was proved, and no more.
func (b *builder) works() report.Verdict {
	if slices.ContainsFunc(b.Runs, func(r probe.Run) bool { return r.End.Stopped }) {
		return report.Verdict{Status: report.Unsure, Summary: "the probe was stopped before its end", Confidence: rule.Certain.String()}
	}
	v := report.Verdict{Status: report.OK, Confidence: rule.Certain.String()}
	computed, libraries, frameworks := 0, []string{}, []string{}
	for i := range b.Runs {
		r := &b.Runs[i]
		switch {
		case r.Rung == probe.Compute && computes(r):
			computed++
		case r.Rung == probe.Libraries && computes(r):
			libraries = append(libraries, partName(r.Part))
		case r.Rung == probe.Framework && computes(r):
			frameworks = append(frameworks, r.Workload)
		}
	}
	switch {
	case !slices.ContainsFunc(b.Runs, func(r probe.Run) bool { return r.Rung != probe.Framework }):
		v.Summary = "nothing failed"
	case computed == 0:
		v.Summary = fmt.Sprintf("the driver starts and shows %s; whether a kernel runs was not tried", gpus(b.shown()))
	default:
		v.Summary = fmt.Sprintf("%s: kernels run on %s and their results are those of the CPU", gpus(b.shown()), each(computed))
	}
	if len(libraries) > 0 {
		v.Summary += "; so are those of " + strings.Join(libraries, ", ")
	}
	if len(frameworks) > 0 {
		v.Summary += "; these compute rightly: " + strings.Join(frameworks, ", ")
	}
	return v
}

// computes tells whether a run compared a result.
func computes(r *probe.Run) bool {
	for _, s := range r.Steps {
		if s.Name == "compare" && s.State == probe.OK {
			return true
		}
	}
	return false
}

func gpus(n int) string {
	if n == 1 {
		return "1 GPU"
	}
	return fmt.Sprintf("%d GPUs", n)
}

func each(n int) string {
	if n == 1 {
		return "it"
	}
	return "each"
}

// shown is how many devices CUDA shows.
func (b *builder) shown() int {
	n := 0
	for _, d := range b.devices {
		if d.Ordinal != nil {
			n++
		}
	}
	return n
}

// noGPU tells whether it is known that the bus has no GPU of NVIDIA.
func (b *builder) noGPU() bool {
	m := b.Machine
	if m == nil {
		return false
	}
	return slices.ContainsFunc(m.Layers, func(l report.Layer) bool {
		return l.ID == rule.Hardware && (l.Status == report.LayerAbsent || l.Finding == "HWR001")
	})
}

// moduleLoaded tells whether the kernel says that the driver's module is loaded.
func (b *builder) moduleLoaded() bool {
	return b.Machine != nil && b.Machine.Stack != nil && b.Machine.Stack.Kernel.Version.Known()
}

// container tells whether this is one.
func (b *builder) container() bool {
	return b.Machine != nil && b.Machine.Stack != nil && b.Machine.Stack.Container.Inside.State == stack.Known
}
