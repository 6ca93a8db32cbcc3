package proof

import (
	"strings"

	"strata/internal/probe"
	"strata/internal/report"
	"strata/internal/rule"
)

// Workload is a framework in an environment: what happened when it was tried.
type Workload struct {
	ID        string         `json:"id"` // as check names it: pytorch in /opt/venv
	Framework string         `json:"framework"`
	Python    string         `json:"python"` // the interpreter
	Version   string         `json:"version,omitempty"`
	CUDA      string         `json:"cuda,omitempty"` // that it is built with
	Verdict   report.Verdict `json:"verdict"`
	// GPU is "used" where results of the GPU were compared, "not-built" where the build has no CUDA, "failed" where it was asked for and
	// not used, "unknown" where the probe did not come that far.
	GPU string `json:"gpu"`
	// CPU tells whether it computed rightly on the CPU; nil where that was not reached, or it cannot.
	CPU *bool `json:"cpu,omitempty"`
	// Predicted is what check says of it from files, Agrees whether that came to be: yes, no, or unknown.
	Predicted *report.Verdict `json:"predicted,omitempty"`
	Agrees    string          `json:"agrees"`
}

// What a workload's GPU came to.
const (
	gpuUsed     = "used"
	gpuNotBuilt = "not-built"
	gpuFailed   = "failed"
	gpuUnknown  = "unknown"
)

// workload judges the run of a framework.
func (b *builder) workload(r *probe.Run) (Workload, Line) {
	w := Workload{ID: r.Workload, Framework: r.Part, GPU: gpuUnknown, Agrees: "unknown"}
	if len(r.Argv) > 0 {
		w.Python = r.Argv[0]
	}
	l := Line{Rung: r.Rung, Part: r.Part, Workload: r.Workload, Name: partName(r.Part), Status: report.LayerOK, Micros: r.End.Micros, Source: w.Python}
	w.describe(r)
	if w.Version == "" && b.Machine != nil { // it could not be imported to be asked
		for _, m := range b.Machine.Workloads {
			if m.Name+" in "+m.Environment == w.ID {
				w.Version = m.Version
			}
		}
	}
	f := frameworkFailure(r)
	if f == nil {
		w.Verdict = report.Verdict{Status: report.OK, Confidence: rule.Certain.String(), Summary: w.works(r)}
	} else {
		why := b.said(f)
		found := b.frameworkFinding(f, b.judgeFramework(f, &w, why), why, &w)
		b.findings = append(b.findings, found)
		w.Verdict = verdictOf(&found)
		if found.Severity == rule.Broken.String() {
			w.GPU = gpuFailed
		}
		l.Status, l.Finding = statusOf(found), found.ID
	}
	if w.GPU == gpuNotBuilt {
		l.Status = report.LayerAbsent
	}
	l.Summary = strings.TrimPrefix(w.Verdict.Summary, w.name()+" ")
	if w.Version != "" {
		l.Summary = w.Version + " · " + l.Summary
	}
	b.predict(&w)
	return w, l
}

// describe takes from the steps what is known however it ended.
func (w *Workload) describe(r *probe.Run) {
	for i := range r.Steps {
		s := &r.Steps[i]
		switch {
		case s.Name == "import" && w.Version == "":
			w.Version = s.Values["version"]
		case s.Name == "build":
			w.CUDA = s.Values["cuda"]
		case s.Name == "devices" && s.State == probe.Skipped:
			w.GPU = gpuNotBuilt
		case s.Name == "compare" && s.Device == nil:
			right := s.State == probe.OK && (w.CPU == nil || *w.CPU)
			w.CPU = &right
		case s.Name == "compare" && s.State == probe.OK:
			w.GPU = gpuUsed
		}
	}
}

// works says what was proved where nothing failed.
func (w *Workload) works(r *probe.Run) string {
	switch w.GPU {
	case gpuUsed:
		var right []string
		for _, s := range r.Steps {
			if s.Name == "compare" && s.Device != nil && s.State == probe.OK {
				right = append(right, s.Subject)
			}
		}
		return "right: " + strings.Join(right, ", ")
	case gpuNotBuilt:
		for _, s := range r.Steps {
			if s.Name == "devices" {
				return "works on the CPU; " + s.Detail
			}
		}
	}
	return "is imported, and nothing was computed"
}

// frameworkFailure is what went wrong first: what fails without the GPU before what fails with it, and an end that was not in order in its place.
func frameworkFailure(r *probe.Run) *failure {
	var with *failure
	for i := range r.Steps {
		s := &r.Steps[i]
		if s.State != probe.Failed && s.State != probe.Wrong {
			continue
		}
		f := &failure{r, s}
		if s.Name != "devices" && s.Device == nil {
			return f
		}
		if with == nil {
			with = f
		}
	}
	if !r.InOrder() {
		return &failure{r, r.Died()}
	}
	return with
}

// name is the workload as a person says it: ONNX Runtime in /opt/venv.
func (w *Workload) name() string {
	if place, ok := strings.CutPrefix(w.ID, w.Framework+" "); ok {
		return partName(w.Framework) + " " + place
	}
	return w.ID
}

// verdictOf is the verdict that a finding of a workload means.
func verdictOf(f *report.Finding) report.Verdict {
	v := report.Verdict{Status: report.Broken, Layer: f.Layer, Finding: f.ID, Summary: f.Summary, Confidence: f.Confidence}
	switch {
	case f.ID == kindEnded.ID:
		v.Status, v.Layer = report.Unsure, ""
	case f.Severity == rule.AtRisk.String():
		v.Status = report.AtRisk
	case f.Layer == rule.Hardware || f.Layer == rule.Application:
		v.Status = report.NotStack
	}
	return v
}
