package triage

import (
	"slices"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/signature"
	"strata/internal/signatures"
)

// A person's report is short; a text beyond this is a log, where a word of trouble says nothing of the GPU. What is
// shorter than the other has no room for a report.
const (
	longestReport  = 64 << 10
	shortestReport = 120
	// A line of fewer words is a heading or a key.
	fewestWords = 4
)

// lastResort is what a report is about where nothing in it is known: which part of the stack it speaks of, as possible
// and with the question that decides. nil where it tells of no trouble, or of nothing that belongs here.
func (j *judge) lastResort() *candidate {
	if j.scan.Bytes < shortestReport || j.scan.Bytes > longestReport || j.record.GPUAvailable.Text == "true" {
		return nil
	}
	lines := j.trouble()
	if len(lines) == 0 {
		return nil
	}
	f := j.symptom(&lines[0])
	if f != nil {
		for _, o := range lines[1:] {
			at := o.at()
			f.Evidence = append(f.Evidence, report.Evidence{Source: at.Kind, Locator: at.Locator, Line: at.Line, Text: at.Text})
		}
		f.Confidence = rule.Possible.String()
		f.role = signature.Told
	}
	return f
}

// logged begins lines of logs, tables and lists of keys, in which a word of trouble is as often none.
var logged = lazyregexp.New(`^\W*(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\d+\.\d+\]|[A-Z]\d{4}\b|[A-Z][a-z]{2} +\d+ \d\d:|[A-Z][a-z]{2} [A-Z][a-z]{2} )|^\s*[|+]| : |: ?\d+\s*$`)

// trouble are the first lines in which a person, or a program that does not log, tells of it.
func (j *judge) trouble() (out []Occurrence) {
	for _, t := range j.scan.texts {
		for _, l := range t.Lines {
			low := strings.ToLower(l.Text)
			if len(strings.Fields(low)) < fewestWords && strings.IndexFunc(low, wide) < 0 {
				continue
			}
			if slices.ContainsFunc(signatures.Trouble, func(w string) bool { return strings.Contains(low, w) }) && !logged.MatchString(l.Text) {
				out = append(out, Occurrence{Signature: signatures.LastResort(), File: t.Name, Line: l.N, Last: l.N, Text: l.Text, Count: 1})
				if len(out) == maxEvidence {
					return out
				}
			}
		}
	}
	return out
}

// wide are the letters of languages that put no spaces between words.
func wide(r rune) bool { return r >= 0x3000 }
