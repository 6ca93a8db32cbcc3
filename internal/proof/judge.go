package proof

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"strata/internal/probe"
	"strata/internal/report"
	"strata/internal/rule"
)

// said is what a judge makes of a failure; the rest of the finding follows from it.
type said struct {
	kind       Kind
	layer      rule.Layer
	severity   rule.Severity // Broken where zero
	confidence rule.Confidence
	summary    string
	cause      string
	remedies   []report.Remedy
	references []report.Reference
	// apart tells that what check reads from files cannot be the reason.
	apart bool
}

// judges are asked in turn; the first that knows the kind of failure answers.
var judges = []func(*builder, *failure) (said, bool){
	judgeCutShort, judgeNoGPU, judgeEnd, judgeWrong, judgeLoad, judgeNVML, judgeHidden, judgeLibrary, judgeCUDA,
}

// judge makes the finding of a failure.
func (b *builder) judge(f *failure) report.Finding {
	var s said
	for _, ask := range judges {
		if x, ok := ask(b, f); ok {
			s = x
			break
		}
	}
	if s.kind.ID == "" { // a step of a kind that is new here: what it said still counts
		s = said{kind: kindCUDA, layer: layerOf(f.run), confidence: rule.Possible, summary: f.call() + f.on() + ": " + f.said(), cause: "What it said is all that is known of it."}
	}
	if f.run.Part == "nvml" && s.severity == 0 && b.cudaWorks() {
		s.severity = rule.AtRisk
		s.cause += " CUDA starts all the same, so frameworks work; nvidia-smi and monitoring do not."
	}
	out := report.Finding{
		ID: s.kind.ID, Layer: s.layer, Severity: rule.Broken.String(), Confidence: cmp.Or(s.confidence, rule.Certain).String(), Title: s.kind.Title,
		Summary: s.summary, Cause: s.cause, Workloads: []string{}, Evidence: f.evidence(),
		Remedies: orEmpty(s.remedies), References: orEmpty(s.references), Blocks: []rule.Layer{},
	}
	if s.severity != 0 {
		out.Severity = s.severity.String()
	}
	if r := b.reason(f); r != nil && !s.apart && s.severity == 0 {
		// The files show why. That finding has its proof and its checked remedies; this one follows from it.
		out.Because, out.Layer, out.Confidence = r.ID, r.Layer, r.Confidence
		out.Cause = fmt.Sprintf("The machine's files show the reason: %s (strata explain %s). %s", r.Summary, r.ID, r.Cause)
		out.Remedies, out.References = r.Remedies, append(out.References, r.References...)
	}
	return out
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// reason is what check found broken in the layers below all workloads, worst
// and lowest first. A crash, a hang or a wrong number of CUDA's libraries has
// no reason there except in the hardware.
func (b *builder) reason(f *failure) *report.Finding {
	if b.Machine == nil {
		return nil
	}
	for i := range b.Machine.Findings {
		r := &b.Machine.Findings[i]
		if r.Severity != rule.Broken.String() || !r.Layer.Shared() || r.Layer == rule.Toolkit || len(r.Workloads) > 0 {
			continue
		}
		if f.run.Rung != probe.Driver && r.Layer != rule.Hardware {
			continue // the driver has started, so nothing below it keeps it from that
		}
		return r
	}
	return nil
}

// evidence is the step that failed, the library's file, and what else the child said.
func (f *failure) evidence() []report.Evidence {
	where := f.run.Part
	if f.step != nil {
		where = f.step.Name
		if f.step.Subject != "" {
			where += " " + f.step.Subject
		}
	}
	out := []report.Evidence{{Source: "probe", Locator: where + f.on(), Text: f.said()}}
	for _, s := range f.run.Steps {
		if p := s.Values["path"]; p != "" && &s != f.step {
			out = append(out, report.Evidence{Source: "file", Locator: p})
		}
	}
	if f.step != nil {
		for _, k := range slices.Sorted(maps.Keys(f.step.Values)) {
			if k != "path" {
				out = append(out, report.Evidence{Source: "probe", Locator: where, Text: k + "=" + f.step.Values[k]})
			}
		}
	}
	if f.run.End.Stderr != "" && !f.run.InOrder() {
		line, _, _ := strings.Cut(f.run.End.Stderr, "\n")
		out = append(out, report.Evidence{Source: "probe", Locator: "standard error", Text: line})
	}
	return out
}

// layerOf is the layer of the library that a part calls.
func layerOf(r *probe.Run) rule.Layer {
	switch r.Part {
	case "cudart":
		return rule.CUDARuntime
	case "cublas", "cufft":
		return rule.CUDALibraries
	case "cudnn":
		return rule.CUDNN
	case "nccl":
		return rule.NCCL
	}
	return rule.Driver
}

// remedy is one with a command to look or to act.
func remedy(layer rule.Layer, summary string, commands ...string) report.Remedy {
	r := report.Remedy{Summary: summary, Layer: layer, Commands: []rule.Command{}}
	for _, c := range commands {
		r.Commands = append(r.Commands, rule.Command{For: "shell", Run: c})
	}
	return r
}
