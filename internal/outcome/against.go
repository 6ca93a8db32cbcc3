package outcome

import (
	"fmt"
	"path"
	"strings"

	"strata/internal/report"
	"strata/internal/rule"
)

// Kind is a kind of finding that a record makes beside what check predicts.
type Kind struct {
	ID, Title, Doc string
}

var kindDiffers = Kind{"run-differs", "What strata check predicts is not what happened when it ran",
	`strata check --run reads a machine and holds it against a record of strata run. Where the two differ, one of three things is so: the machine was changed
after the run, the command ran in another environment than the one that was read (another container, another LD_LIBRARY_PATH), or Strata read something
wrong. The command and the variables that it had are in the record.`}

// FindKind is the kind with an ID.
func FindKind(id string) (Kind, bool) { return kindDiffers, id == kindDiffers.ID }

// Against holds a report of check about a machine against a record of a command that ran there. The verdict stays what files
// predict; what happened is evidence for it, or a difference that is said.
func (d *Document) Against(doc *report.Document, name string) {
	doc.Run = &report.Probed{Verdict: d.Verdict, Agrees: "unknown"}
	if d.UsedGPU() {
		doc.Run.GPU = "used"
	}
	need := d.cause()
	switch {
	case need != nil:
		if f := about(doc.Findings, need.Name); f != nil {
			f.Evidence = append(f.Evidence, report.Evidence{Source: "run", Locator: name, Text: "when it ran: " + need.words() + "; it " + d.course()})
			doc.Run.Agrees = "yes"
			return
		}
		d.differ(doc, name, fmt.Sprintf("when it ran, %s; strata check does not find that it is missing", need.words()), need.Layer)
	case d.Verdict.Status == report.Broken && d.Verdict.Layer == doc.Verdict.Layer && doc.Verdict.Status == report.Broken:
		doc.Run.Agrees = "yes"
	case d.Verdict.Status == report.Broken && doc.Verdict.Status == report.OK:
		d.differ(doc, name, "strata check finds nothing broken, and when it ran it "+d.course(), d.Verdict.Layer)
	case d.Verdict.Status == report.Broken && doc.Verdict.Status == report.Broken && doc.Verdict.Layer.Height() > d.Verdict.Layer.Height():
		d.differ(doc, name, fmt.Sprintf("strata check finds everything below %s in order, and when it ran it %s in %s", doc.Verdict.Layer.Name(), d.course(), d.Verdict.Layer.Name()), d.Verdict.Layer)
	case d.UsedGPU() && doc.Verdict.Status == report.OK:
		doc.Run.Agrees = "yes"
	case d.UsedGPU():
		d.contradict(doc, name)
	}
}

// contradict says of each finding that a library is missing whether it was loaded all the same, of a command that used the GPU.
func (d *Document) contradict(doc *report.Document, name string) {
	for _, f := range doc.Findings {
		if f.Severity != rule.Broken.String() {
			continue
		}
		for _, l := range d.Libraries {
			if soname := path.Base(l.Name); strings.Contains(f.Summary, soname) {
				d.differ(doc, name, fmt.Sprintf("strata check predicts with %s that %s is missing or wrong; when it ran, it was loaded from %s and the GPU was used", f.ID, soname, l.Path), f.Layer)
				return
			}
		}
	}
	if doc.Verdict.Status == report.Broken {
		d.differ(doc, name, fmt.Sprintf("strata check finds %s broken, and when it ran it %s", doc.Verdict.Layer.Name(), d.course()), doc.Verdict.Layer)
	}
}

// course is what came of the command, as the rest of a sentence.
func (d *Document) course() string {
	switch {
	case d.FellBack:
		return "fell back to the CPU"
	case d.Verdict.Status == report.Broken:
		return fmt.Sprintf("failed: %s", d.Verdict.Summary)
	case len(d.on()) > 0:
		return ranOn(d.on())
	}
	return "used the GPU"
}

func (d *Document) differ(doc *report.Document, name, what string, layer rule.Layer) {
	doc.Run.Agrees = "no"
	doc.Findings = append(doc.Findings, report.Finding{
		ID: kindDiffers.ID, Layer: layer, Severity: rule.AtRisk.String(), Confidence: rule.Certain.String(), Title: kindDiffers.Title, Summary: what,
		Cause:     "The machine was changed after the run, or the command ran in another environment than the one that was read, or Strata read something wrong.",
		Workloads: []string{}, References: []report.Reference{}, Blocks: []rule.Layer{}, Remedies: []report.Remedy{},
		Evidence: []report.Evidence{{Source: "run", Locator: name, Text: "strata run -- " + strings.Join(d.Command, " ") + ": " + d.Verdict.Summary}},
	})
}
