package triage

import (
	"cmp"
	"slices"

	"strata/internal/textscan"
	"strata/internal/transcript"
)

// beside is how many lines before and behind one that tells something belong to it: a message may go on for three.
const beside = following

// Telling are the lines of all texts from which messages and facts are read, with those around them, up to so many bytes; cut
// tells that there were more. Of a long text those in its middle that only repeat are left out.
func (s *Scan) Telling(most int) (lines []transcript.Line, cut bool) {
	l := the()
	for _, t := range s.texts {
		last := -1 // of those taken
		for i, line := range t.Lines {
			tells := slices.ContainsFunc(l.set.Scan([]byte(line.Text), nil), func(h textscan.Hit) bool { return l.keep[h.Literal] || len(l.sigs[h.Literal]) > 0 })
			if !tells {
				continue
			}
			for j := max(last+1, i-beside); j <= min(i+beside, len(t.Lines)-1); j++ {
				if most -= len(t.Lines[j].Text) + 1; most < 0 {
					return lines, true
				}
				lines, last = append(lines, t.Lines[j]), j
			}
		}
	}
	for _, o := range s.occurrences { // those behind what is kept
		if slices.ContainsFunc(lines, func(x transcript.Line) bool { return x.N == o.Line }) {
			continue
		}
		if most -= len(o.Text) + 1; most < 0 {
			cut = true
			break
		}
		lines = append(lines, transcript.Line{N: o.Line, Text: o.Text})
	}
	slices.SortStableFunc(lines, func(a, b transcript.Line) int { return cmp.Compare(a.N, b.N) })
	return lines, cut
}
