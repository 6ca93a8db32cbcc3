package proof

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"strata/internal/probe"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/triage"
)

// judgeFramework says what a failure is. why is what strata triage would say of the framework's words, nil where it knows none of them.
func (b *builder) judgeFramework(f *failure, w *Workload, why *report.Finding) said {
	if s, ok := judgeCutShort(b, f); ok {
		return s
	}
	s := said{kind: kindFramework, layer: rule.FrameworkBuild, confidence: rule.Possible}
	switch {
	case f.step == nil || f.step.State == probe.Begin:
		s.kind = kindCrash
		if f.run.End.Timeout || f.run.End.Stuck {
			s.kind = kindHang
		}
		s.cause = "The last line of the probe names the step in which the process ended. "
	case f.step.State == probe.Wrong:
		return b.wrongFramework(f, w)
	case f.step.Name == "start" || f.step.Name == "import":
		s.kind, s.layer = kindImport, rule.PythonEnv
	case f.step.Name == "session" && f.step.Subject != cpuProvider, f.step.Name == "placement":
		s.kind = kindFellBack
		s.cause = "The session was made and ran all the same, on the CPU. "
	case f.step.Name == "devices":
		s.kind = kindNoDevice
		if b.driverWorks() {
			s.cause = "The driver starts and shows a GPU to a program of Strata's own, so what keeps this framework from it is its build, its libraries or its environment. "
		}
	}
	s.summary = fmt.Sprintf("%s %s", w.name(), f.outcome())
	if f.tensorRT() {
		s.layer, s.severity = rule.TensorRT, rule.AtRisk
	}
	if why != nil {
		s.layer, s.summary = why.Layer, fmt.Sprintf("%s %s: %s", w.name(), f.verb(s.kind), why.Summary)
		s.cause += why.Cause
		s.remedies, s.references = why.Remedies, why.References
		s.confidence = confidenceOf(why.Confidence)
		if f.tensorRT() {
			s.severity = rule.AtRisk
		}
	} else if s.cause == "" {
		s.cause = "What it said is all that is known of it."
	}
	if preloaded(f.run) {
		s.kind, s.layer, s.severity, s.confidence = kindPreload, cmp.Or(s.layer, rule.CUDALibraries), rule.AtRisk, rule.Certain
		s.summary = w.name() + " uses the GPU only after onnxruntime.preload_dlls()"
		s.remedies = []report.Remedy{{Summary: "call it in the program before the first session", Layer: s.layer, Commands: []rule.Command{{For: "python", Run: "onnxruntime.preload_dlls()"}}}}
	}
	return s
}

const (
	cpuProvider = "CPUExecutionProvider"
	tensorRT    = "TensorrtExecutionProvider"
)

func (f *failure) tensorRT() bool { return f.step != nil && f.step.Subject == tensorRT }

// preloaded tells whether a session that failed was made after ONNX Runtime had loaded its libraries itself.
func preloaded(r *probe.Run) bool {
	tried, worked := false, false
	for _, s := range r.Steps {
		tried = tried || s.Name == "preload"
		worked = worked || tried && s.Name == "placement" && s.State == probe.OK && s.Device != nil
	}
	return worked
}

// said is what triage makes of the failing step's words; nil where it knows none of them.
func (b *builder) said(f *failure) *report.Finding {
	text := f.run.End.Stderr
	if f.step != nil {
		text = f.step.Said + "\n" + f.step.Detail
	}
	d, err := triage.Text("what "+f.run.Part+" said", text, triage.Options{Tool: b.Tool, Base: b.Base, Rules: b.Rules, Workload: f.run.Part})
	if err != nil || d.Verdict.Finding == "" {
		return nil
	}
	for i := range d.Findings {
		if d.Findings[i].ID == d.Verdict.Finding {
			return &d.Findings[i]
		}
	}
	return nil
}

// wrongFramework knows results that are not those of plain loops.
func (b *builder) wrongFramework(f *failure, w *Workload) said {
	s := said{kind: kindWrong, layer: rule.FrameworkBuild, confidence: rule.Likely, summary: fmt.Sprintf("%s gives a wrong %s: %s", w.name(), f.step.Subject, f.step.Detail), apart: true}
	switch {
	case f.step.Device == nil:
		s.cause = "It is wrong on the CPU, without any GPU: the framework's build, or a library that it computes with there, is at fault."
	case strings.HasPrefix(f.step.Subject, "convolution"):
		s.layer = rule.CUDNN
		s.cause = "Convolutions are cuDNN's; the same operation on the CPU is right."
	default:
		s.layer = rule.CUDALibraries
		s.cause = "Every call succeeded, and the same operation on the CPU is right."
	}
	if f.step.Device != nil && b.kernelsRight() {
		s.cause += " Kernels of Strata's own gave right results on this GPU, so the library or its code for this GPU is what is wrong."
	} else if f.step.Device != nil {
		s.cause += " Whether the GPU itself computes rightly was not tried: strata probe --rung compute does."
	}
	s.remedies = append(s.remedies, remedy(s.layer, "do not trust its results on this GPU; see which libraries it loads", "strata libs --workload "+f.run.Part))
	return s
}

// frameworkFinding makes a finding of it. What lies below a framework and is broken, or not there, is the reason for what a framework says of
// devices and drivers; what check has from the environment's files has proof and checked remedies.
func (b *builder) frameworkFinding(f *failure, s said, why *report.Finding, w *Workload) report.Finding {
	out := report.Finding{
		ID: s.kind.ID, Layer: s.layer, Severity: rule.Broken.String(), Confidence: cmp.Or(s.confidence, rule.Certain).String(), Title: s.kind.Title, Summary: s.summary,
		Cause: strings.TrimSpace(s.cause), Workloads: []string{w.ID}, Evidence: f.evidence(), Remedies: orEmpty(s.remedies), References: orEmpty(s.references), Blocks: []rule.Layer{},
	}
	if s.severity != 0 {
		out.Severity = s.severity.String()
	}
	switch {
	case why != nil && s.kind != kindWrong:
		out.Because = why.ID
		for _, e := range why.Evidence {
			out.Evidence = append(out.Evidence, report.Evidence{Source: "probe", Locator: "standard error", Text: e.Text})
		}
	case f.step != nil && f.step.Said != "":
		out.Evidence = append(out.Evidence, report.Evidence{Source: "probe", Locator: "standard error", Text: telling(f.step.Said)})
	}
	if s.apart || s.severity == rule.Note {
		return out
	}
	// A framework that finds no GPU and does not say why has as its reason what is below, too.
	if below := b.below(); below != nil && (s.layer.Shared() || s.kind == kindNoDevice && why == nil) {
		out.Because, out.Layer, out.Confidence = below.ID, below.Layer, below.Confidence
		out.Cause = "It follows from what is below: " + below.Summary + "."
		out.Remedies, out.References = below.Remedies, below.References
		if below.ID == kindNoGPU.ID {
			out.ID, out.Title, out.Severity, out.Because = kindNoGPU.ID, kindNoGPU.Title, rule.Note.String(), ""
			out.Summary = fmt.Sprintf("%s %s: %s", w.name(), f.verb(s.kind), below.Summary)
			out.Cause = "The framework's own words, among the evidence, follow from that."
		}
		return out
	}
	silent := why == nil && (f.step == nil || f.step.State == probe.Begin) // it ended without a word that means something: what files show is all there is
	if p := b.predicted(w.ID); p != nil && p.Status == report.Broken && (p.Layer == out.Layer || silent) {
		out.Layer = p.Layer
		for i := range b.Machine.Findings {
			if r := &b.Machine.Findings[i]; r.ID == p.Finding {
				out.Because, out.Remedies = r.ID, r.Remedies
				out.References = append(out.References, r.References...)
				out.Confidence = rule.Certain.String()
				out.Cause = strings.TrimSpace(fmt.Sprintf("%s The files show the reason: %s (strata explain %s).", out.Cause, r.Summary, r.ID))
			}
		}
	}
	return out
}

// telling is the line of a text that says most: the last of a traceback, else the first that speaks of an error.
func telling(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if strings.Contains(text, "Traceback (most recent call last)") {
		return lines[len(lines)-1]
	}
	i := slices.IndexFunc(lines, func(l string) bool {
		l = strings.ToLower(l)
		return strings.Contains(l, "error") || strings.Contains(l, "fail") || strings.Contains(l, "cannot") || strings.Contains(l, "could not")
	})
	return lines[max(i, 0)]
}

// below is what is broken, or not there, on the rungs below the frameworks.
func (b *builder) below() *report.Finding {
	for i := range b.findings {
		f := &b.findings[i]
		if len(f.Workloads) == 0 && (f.Severity == rule.Broken.String() || f.ID == kindNoGPU.ID) {
			return f
		}
	}
	if !b.noGPU() {
		return nil
	}
	return &report.Finding{ID: kindNoGPU.ID, Layer: rule.Hardware, Confidence: rule.Certain.String(), Summary: "there is no GPU of NVIDIA on the bus", Remedies: []report.Remedy{}, References: []report.Reference{}}
}

// driverWorks tells whether the driver rung was climbed and shows a device.
func (b *builder) driverWorks() bool { return b.shown() > 0 && b.below() == nil }

// kernelsRight tells whether the compute rung compared right results.
func (b *builder) kernelsRight() bool {
	return slices.ContainsFunc(b.Runs, func(r probe.Run) bool { return r.Rung == probe.Compute && computes(&r) && !r.Failed() })
}

// outcome is the failure in words.
func (f *failure) outcome() string {
	switch {
	case f.step == nil || f.step.State == probe.Begin:
		return fmt.Sprintf("does not come through %s: %s", f.call(), ending(&f.run.End))
	case f.step.Name == "devices":
		return "finds no GPU: " + f.step.Detail
	case f.step.Name == "import":
		return "cannot be imported: " + f.step.Detail
	case f.step.Name == "start":
		return "cannot be tried, its interpreter does not start: " + f.step.Detail
	case f.step.Name == "session" || f.step.Name == "placement":
		return "computes on the CPU: " + f.step.Detail
	}
	return "fails in " + f.call() + ": " + f.step.Detail
}

// verb is the failure as a short predicate.
func (f *failure) verb(k Kind) string {
	switch k.ID {
	case kindImport.ID:
		return "cannot be imported"
	case kindNoDevice.ID:
		return "finds no GPU"
	case kindFellBack.ID:
		if f.tensorRT() {
			return "does not use TensorRT"
		}
		return "computes on the CPU although it was asked for the GPU"
	case kindHang.ID:
		return "hangs in " + f.call()
	case kindCrash.ID:
		return "ended in " + f.call()
	}
	return "fails in " + f.call()
}

func confidenceOf(name string) rule.Confidence {
	for _, c := range []rule.Confidence{rule.Certain, rule.Likely} {
		if c.String() == name {
			return c
		}
	}
	return rule.Possible
}
