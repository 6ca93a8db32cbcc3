package proof

import (
	"fmt"

	"strata/internal/report"
	"strata/internal/rule"
)

// predicted is what check says of a workload; nil where it was not asked or does not know it.
func (b *builder) predicted(id string) *report.Verdict {
	if b.Machine == nil {
		return nil
	}
	for i := range b.Machine.Workloads {
		if w := &b.Machine.Workloads[i]; w.Name+" in "+w.Environment == id {
			return &w.Verdict
		}
	}
	return nil
}

// predict holds what happened against what check had said. A difference is a finding about Strata.
func (b *builder) predict(w *Workload) {
	p := b.predicted(w.ID)
	if p == nil {
		return
	}
	w.Predicted = p
	var why string
	w.Agrees, why = agree(*p, w)
	if w.Agrees != "no" {
		return
	}
	layer := w.Verdict.Layer
	if layer == "" {
		layer = p.Layer
	}
	evidence := []report.Evidence{{Source: "check", Locator: w.ID, Text: outcome(*p)}, {Source: "probe", Locator: w.ID, Text: outcome(w.Verdict)}}
	b.findings = append(b.findings, report.Finding{
		ID: kindDiffers.ID, Layer: layer, Severity: rule.AtRisk.String(), Confidence: rule.Certain.String(), Title: kindDiffers.Title,
		Summary: fmt.Sprintf("%s: %s", w.name(), why),
		Cause:   "What happened is what counts. This is a fault of Strata, which read something wrong or did not know it, and not one of this machine.", Workloads: []string{w.ID},
		Evidence: evidence, References: []report.Reference{}, Blocks: []rule.Layer{},
		Remedies: []report.Remedy{remedy(layer, "report it to the makers of Strata, with this document", "strata check --probe --format json > strata-differs.json")},
	})
}

// outcome is a verdict in short: broken in cuDNN: …
func outcome(v report.Verdict) string {
	text := string(v.Status)
	if v.Layer != "" {
		text += " (" + v.Layer.Name() + ")"
	}
	return text + ": " + v.Summary
}

// agree holds a prediction against what happened: "yes", "no" with what differs, or "unknown" where one of them says nothing.
func agree(p report.Verdict, w *Workload) (answer, why string) {
	h := w.Verdict
	works := h.Status == report.OK && w.GPU == gpuUsed
	switch {
	// What a GPU or a program does wrong no file tells.
	case p.Status == report.NotStack && h.Status == report.NotStack && p.Layer == h.Layer:
		return "yes", ""
	case p.Status == report.Unsure || p.Status == report.NotStack || h.Status == report.Unsure || h.Status == report.NotStack || h.Status == report.OK && w.GPU == gpuUnknown:
		return "unknown", ""
	case p.Status == report.AtRisk:
		return "yes", "" // it works, or what was named breaks it
	case w.GPU == gpuNotBuilt && (p.Status == report.OK || p.Layer == rule.FrameworkBuild || p.Layer == rule.PackageConflict):
		return "yes", "" // check says so, or has nothing against it
	case p.Status == report.OK && (works || h.Status == report.AtRisk):
		return "yes", ""
	case p.Status == report.OK:
		return "no", fmt.Sprintf("strata check found nothing broken; trying it shows %s to be", h.Layer.Name())
	case works:
		return "no", fmt.Sprintf("strata check said that %s is broken, and it works", p.Layer.Name())
	case h.Layer == p.Layer:
		return "yes", ""
	case h.Layer.Shared() && !p.Layer.Shared():
		return "unknown", "" // what is broken below keeps the probe from getting to it
	}
	return "no", fmt.Sprintf("strata check said that %s is broken; trying it shows %s to be", p.Layer.Name(), h.Layer.Name())
}
