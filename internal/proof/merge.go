package proof

import (
	"slices"

	"strata/internal/report"
	"strata/internal/rule"
)

// Merge puts what happened into a report of check about the same machine, beside what was predicted. Where the two differ, what happened decides.
func Merge(doc *report.Document, d *Document) {
	differs := false
	for i := range doc.Workloads {
		w := &doc.Workloads[i]
		for _, h := range d.Workloads {
			if h.ID == w.Name+" in "+w.Environment {
				w.Probe = &report.Probed{Verdict: h.Verdict, Agrees: h.Agrees, GPU: h.GPU}
				differs = differs || h.Agrees == "no"
			}
		}
	}
	doc.Probe = &report.Probed{Verdict: d.Verdict, Agrees: "yes"}
	switch {
	case d.Verdict.Status == report.Unsure || doc.Verdict.Status == report.Unsure:
		doc.Probe.Agrees = "unknown"
	case differs, doc.Verdict.Status == report.OK && d.broke():
		doc.Probe.Agrees = "no"
	case doc.Verdict.Status == report.Broken && d.Verdict.Status == report.OK:
		doc.Probe.Agrees = "unknown" // what is broken may be about what was not tried
	}
	for _, f := range d.Findings {
		known := func(k report.Finding) bool { return k.ID == f.ID && slices.Equal(k.Workloads, f.Workloads) }
		if !slices.ContainsFunc(doc.Findings, known) {
			doc.Findings = append(doc.Findings, f)
		}
	}
	if doc.Probe.Agrees == "no" {
		if !differs { // the fault lies below all workloads
			doc.Findings = append(doc.Findings, report.Finding{
				ID: kindDiffers.ID, Layer: d.Verdict.Layer, Severity: rule.AtRisk.String(), Confidence: rule.Certain.String(), Title: kindDiffers.Title,
				Summary:   "strata check found nothing broken; trying it shows that " + d.Verdict.Layer.Name() + " is",
				Cause:     "What happened is what counts. Where a file could have told it, this is a fault of Strata, which read something wrong or did not know it.",
				Workloads: []string{}, References: []report.Reference{}, Blocks: []rule.Layer{}, Remedies: []report.Remedy{},
				Evidence: []report.Evidence{{Source: "check", Locator: "verdict", Text: outcome(doc.Verdict)}, {Source: "probe", Locator: "verdict", Text: outcome(d.Verdict)}},
			})
		}
		doc.Verdict = d.Verdict
	}
}

// broke tells whether trying it showed something of the software stack to be broken.
func (d *Document) broke() bool { return d.Verdict.Status == report.Broken }
