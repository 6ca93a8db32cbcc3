package outcome

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/redact"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/triage"
)

// Recall has the output that a record kept read by a scan, beside other texts or alone, under the record's name.
func (d *Document) Recall(s *triage.Scan, name string) error {
	var text strings.Builder
	if d.Record != nil {
		for _, l := range d.Record.Output {
			text.WriteString(strings.ReplaceAll(l.Text, "\n", " ") + "\n")
		}
	}
	if text.Len() == 0 {
		return nil
	}
	return s.Stream(name, strings.NewReader(text.String()), false)
}

// Judge puts what a record says happened into the report of a text that it was found in. The record saw what a text can only
// tell of: its verdict stands, unless the rest of the text has a failure in a layer below. alone tells that there is no other text.
func (d *Document) Judge(doc *report.Document, name string, alone bool, opts triage.Options) {
	d.lines(doc, name)
	v := d.Verdict
	lower := doc.Verdict.Status == report.Broken && (v.Status != report.Broken || doc.Verdict.Layer.Height() < v.Layer.Height())
	if need := d.cause(); need != nil {
		id := d.show(doc, need, name, opts)
		if v.Layer == need.Layer {
			v.Finding = cmp.Or(v.Finding, id)
		}
	}
	if i := slices.IndexFunc(doc.Findings, func(f report.Finding) bool { return f.ID == v.Finding }); i >= 0 {
		first := doc.Findings[i]
		v.Summary = first.Summary // how it came to that is in Run
		doc.Findings = slices.Insert(slices.Delete(doc.Findings, i, i+1), 0, first)
	} else {
		v.Finding = "" // of another release
	}
	if alone || !lower {
		doc.Verdict = v
	}
	doc.Run = &report.Probed{Verdict: d.Verdict, Agrees: "unknown"}
	if d.UsedGPU() {
		doc.Run.GPU = "used"
	}
	if d.Sampling.Driver != "" && doc.Environment.DriverVersion == "" {
		doc.Environment.DriverVersion, doc.Environment.DriverCUDA = redact.Foreign(d.Sampling.Driver), redact.Foreign(d.Sampling.CUDA)
	}
	if len(doc.Environment.GPUs) == 0 {
		for _, g := range d.GPUs {
			if g.Name != "" && g.Instance == nil {
				doc.Environment.GPUs = append(doc.Environment.GPUs, report.GPU{Name: redact.Foreign(g.Name), MemoryMiB: int(g.MemoryTotal >> 20)})
			}
		}
	}
}

// lines gives evidence from the record the numbers that its lines have in the command's output.
func (d *Document) lines(doc *report.Document, name string) {
	if d.Record == nil {
		return
	}
	for i := range doc.Findings {
		for j := range doc.Findings[i].Evidence {
			e := &doc.Findings[i].Evidence[j]
			if e.Locator == name && e.Line > 0 && e.Line <= len(d.Record.Output) {
				e.Locator, e.Line = name+" (the command's output)", d.Record.Output[e.Line-1].Line
			}
		}
	}
}

// cause is the library for want of which it did without the GPU or failed; nil where none is known to be.
func (d *Document) cause() *Missing {
	if d.Verdict.Status != report.Broken {
		return nil
	}
	return cause(d, &report.Document{Findings: d.Findings})
}

// about is the finding that names a library: by what it says first of all, or else beside other things.
func about(list []report.Finding, name string) *report.Finding {
	for _, text := range []func(*report.Finding) string{func(f *report.Finding) string { return f.Summary }, func(f *report.Finding) string { return f.Cause }} {
		for i := range list {
			if strings.Contains(text(&list[i]), name) {
				return &list[i]
			}
		}
	}
	return nil
}

// show adds what the linker missed to the finding that is about it, and makes one where there is none. It gives its ID.
func (d *Document) show(doc *report.Document, m *Missing, name string, opts triage.Options) string {
	f := about(doc.Findings, m.Name)
	if f == nil {
		made, ok := missed(m, opts)
		if !ok {
			return ""
		}
		made.Evidence = nil
		doc.Findings = slices.Insert(doc.Findings, 0, made)
		f = &doc.Findings[0]
	}
	f.Evidence = append(f.Evidence, report.Evidence{Source: "run", Locator: name, Text: m.words()})
	return f.ID
}

// words say how a library was missed.
func (m *Missing) words() string {
	verb := "opened by name by"
	if m.Needed {
		verb = "needed by"
	}
	where := "found nowhere"
	if n := len(m.Searched); n > 0 {
		where = "not in " + directories(n)
	}
	return fmt.Sprintf("%s, %s %s, was %s", m.Name, verb, path.Base(m.By), where)
}

// missed is the finding of a library that the linker missed and of which the program said nothing: what the linker
// itself would have said, with its remedies.
func missed(m *Missing, opts triage.Options) (report.Finding, bool) {
	doc, err := triage.Text("the dynamic linker", path.Base(m.Name)+": cannot open shared object file: No such file or directory\n", opts)
	if err != nil {
		return report.Finding{}, false
	}
	for _, f := range doc.Findings {
		if f.Severity == rule.Broken.String() && strings.Contains(f.Summary, path.Base(m.Name)) {
			f.Evidence = []report.Evidence{{Source: "run", Locator: "the dynamic linker", Text: m.words()}}
			return f, true
		}
	}
	return report.Finding{}, false
}
