package triage

import (
	"strings"
	"sync"

	"strata/internal/redact"
	"strata/internal/report"
	"strata/internal/signatures"
	"strata/internal/textscan"
)

// terms are looked for where an answer is only possible, or there is none.
var terms = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{list: signatures.Terms()}
	set, err := textscan.Compile(v.list)
	if err != nil {
		panic("the terms of the field: " + err.Error()) // a test speaks of one
	}
	v.set = set
	return v
})

type vocabulary struct {
	list []string
	set  *textscan.Set
}

// maxTerms is how many terms an answer repeats: those of the lines that decide come first, and more of them tell less.
const maxTerms = 6

// speaksOf are the terms of the field that a text uses, as it writes them, first those of the lines that decide; said has
// what the answer says already, in lower case.
func (j *judge) speaksOf(said string, deciding []report.Evidence) (out []string) {
	take := func(line string) {
		for _, term := range terms().in(line) {
			low := strings.ToLower(term)
			if len(out) < maxTerms && !strings.Contains(said, low) {
				said += " " + low
				out = append(out, redact.Foreign(term))
			}
		}
	}
	for _, e := range deciding {
		take(e.Text)
	}
	for _, t := range j.scan.texts {
		for i := 0; i < len(t.Lines) && len(out) < maxTerms; i++ {
			if !logged.MatchString(t.Lines[i].Text) { // a log speaks of all that is on a machine
				take(t.Lines[i].Text)
			}
		}
	}
	return out
}

// in are the terms in a line, as words of their own, as it writes them.
func (v *vocabulary) in(line string) (out []string) {
	for _, h := range v.set.Scan([]byte(line), nil) {
		term := v.list[h.Literal]
		start := h.End - len(term)
		found := line[start:h.End]
		if start > 0 && wordly(line[start-1]) || h.End < len(line) && wordly(line[h.End]) {
			continue
		}
		if strings.ToUpper(term) == term && found != term {
			continue
		}
		out = append(out, found)
	}
	return out
}

// wordly tells whether a byte goes on with a word.
func wordly(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}
