package triage

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/diagnose"
	"strata/internal/dump"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/signature"
)

// judge puts symptoms and the rules' findings into one order of events.
type judge struct {
	scan   *Scan
	record *dump.Record
	res    *diagnose.Result
	doc    *report.Document
	opts   Options
}

// candidate is a finding that could be the first cause.
type candidate struct {
	report.Finding
	role     signature.Role
	strength signature.Strength
	order    int // of appearance in the text
	rule     bool
	// explains are the symptoms that this finding of a rule accounts for.
	explains []string
}

// decide fills the document's findings and verdict.
func (j *judge) decide() {
	symptoms := j.symptoms()
	facts := j.facts(symptoms)
	first := j.first(symptoms, facts)
	if first == nil {
		first = j.lastResort()
	}

	all := slices.Concat(symptoms, facts)
	j.doc.Findings = []report.Finding{}
	if first == nil {
		j.doc.Verdict = j.nothing(all)
	} else {
		first.Cause = j.withFacts(&first.Finding, behind(all, first)...)
		j.doc.Verdict = verdictOf(first)
		j.doc.Findings = append(j.doc.Findings, first.Finding)
	}
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.Layer.Height(), b.Layer.Height()), cmp.Compare(a.order, b.order))
	})
	for _, c := range all {
		if c == first {
			continue
		}
		if first != nil && follows(c, first) {
			c.Because = first.ID
			c.Severity = rule.Note.String()
		}
		j.doc.Findings = append(j.doc.Findings, c.Finding)
	}
	j.doc.Unknowns = j.unknowns()
}

// first chooses the finding that all others follow from: a rule's that accounts for what
// the log says, else the failure that proves most, in the lowest layer, the
// earliest; else what the facts alone break; else what a person tells of it; else
// the last resort, a fall-back whose reason the text does not have.
func (j *judge) first(symptoms, facts []*candidate) *candidate {
	var explaining, failures, other, told, consequences []*candidate
	for _, c := range facts {
		switch {
		case c.Severity != rule.Broken.String():
		case len(c.explains) > 0:
			explaining = append(explaining, c)
		default:
			other = append(other, c)
		}
	}
	for _, c := range symptoms {
		switch c.role {
		case signature.Consequence:
			consequences = append(consequences, c)
		case signature.Told:
			told = append(told, c)
		default:
			failures = append(failures, c)
		}
	}
	lowest := func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.strength.Order(), a.strength.Order()), cmp.Compare(a.Layer.Height(), b.Layer.Height()), cmp.Compare(a.order, b.order))
	}
	for _, list := range [][]*candidate{explaining, failures, other, told, consequences} {
		if len(list) > 0 {
			return slices.MinFunc(list, lowest)
		}
	}
	return nil
}

// behind are the lines of what follows from the first finding. Where that is the same failure of another file, it
// speaks for itself.
func behind(all []*candidate, first *candidate) (out []report.Evidence) {
	for _, c := range all {
		if c.ID != first.ID && follows(c, first) {
			out = append(out, c.Evidence...)
		}
	}
	return out
}

// follows tells whether a finding is a consequence of the first one.
func follows(c, first *candidate) bool {
	if c.role == signature.Consequence || c.role == signature.Told || slices.Contains(first.explains, c.ID) {
		return true
	}
	return !c.rule && c.Layer.Height() >= first.Layer.Height() && (c.strength == signature.Weak || c.order > first.order)
}

// facts are the findings of the rules, with the symptoms that each accounts for.
func (j *judge) facts(symptoms []*candidate) []*candidate {
	var out []*candidate
	for _, f := range j.doc.Findings {
		if f.Severity == rule.Note.String() {
			continue
		}
		c := &candidate{Finding: f, rule: true, strength: signature.Strong}
		for _, s := range symptoms {
			sig := j.scan.signature(s.ID)
			if sig != nil && slices.Contains(sig.ExplainedBy, f.ID) {
				c.explains = append(c.explains, s.ID)
			}
		}
		out = append(out, c)
	}
	return out
}

func (s *Scan) signature(id string) *signature.Signature {
	for _, o := range s.occurrences {
		if o.ID == id {
			return o.Signature
		}
	}
	return nil
}

func verdictOf(c *candidate) report.Verdict {
	v := report.Verdict{Status: report.Broken, Layer: c.Layer, Finding: c.ID, Summary: c.Summary, Confidence: c.Confidence}
	if c.Layer == rule.Hardware || c.Layer == rule.Application {
		v.Status = report.NotStack
	}
	return v
}

// nothing is the verdict where neither a message nor a rule found anything.
func (j *judge) nothing(all []*candidate) report.Verdict {
	if i := slices.IndexFunc(all, func(c *candidate) bool { return c.Severity == rule.AtRisk.String() }); i >= 0 {
		c := all[i]
		return report.Verdict{Status: report.AtRisk, Layer: c.Layer, Finding: c.ID, Summary: c.Summary, Confidence: c.Confidence}
	}
	read := j.understood()
	switch {
	case j.scan.Bytes == 0:
		return report.Verdict{Status: report.Unsure, Summary: "the input is empty; paste a log, or say strata triage FILE", Confidence: "certain"}
	case j.record.GPUAvailable.Text == "true" || j.record.Driver.Known() && len(j.record.GPUs) > 0:
		return report.Verdict{Status: report.OK, Summary: "nothing that was read is broken: " + read, Confidence: "possible"}
	}
	if about := strings.Join(j.speaksOf("", nil), ", "); about != "" && read != "" {
		read += " and speaks of " + about
	} else if about != "" {
		read = about
	}
	if read != "" {
		return report.Verdict{Status: report.Unsure, Summary: "no known failure is in this text, which tells of " + read + "; add the error message with the lines before it, and the output of nvidia-smi", Confidence: "possible"}
	}
	return report.Verdict{Status: report.Unsure, Summary: "nothing in this text is known; add the error message with the lines before it, and the output of nvidia-smi", Confidence: "possible"}
}

// understood is what was read, in a few words.
func (j *judge) understood() string {
	var parts []string
	r := j.record
	if n := len(r.GPUs); n > 0 {
		parts = append(parts, cmp.Or(r.GPUs[0].Name, "a GPU"))
		if n > 1 {
			parts[0] = fmt.Sprintf("%d GPUs, the first a %s", n, parts[0])
		}
	}
	if r.Driver.Known() {
		parts = append(parts, "driver "+r.Driver.Text)
	}
	for _, w := range j.res.View.Workloads {
		parts = append(parts, strings.TrimSpace(w.Framework.Package+" "+w.Framework.Version))
		if len(parts) == 5 {
			break
		}
	}
	if len(parts) == 0 && r.OS.Known() {
		parts = append(parts, r.OS.Text)
	}
	return strings.Join(parts, ", ")
}

// unknowns keeps to what the text was expected to tell. That a text is no
// machine needs no list of every rule.
func (j *judge) unknowns() []report.Unknown {
	out := []report.Unknown{}
	for _, n := range j.scan.Notes {
		out = append(out, report.Unknown{What: "the rest of the input", Why: n, Rules: []string{}})
	}
	for _, t := range j.scan.texts {
		if t.Partial {
			out = append(out, report.Unknown{What: "facts in the middle of " + path.Base(t.Name), Rules: []string{},
				Why: "the text is long: all of it was searched for messages, but facts were read in its beginning and around known words alone"})
		}
	}
	return out
}
