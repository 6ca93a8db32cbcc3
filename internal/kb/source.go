package kb

import (
	"fmt"
	"io/fs"
	"strings"
	"time"
)

// Source is where a fact was read: a published page, a repository, or an artefact that was measured.
type Source struct {
	Line      int    `kb:"-" json:"-"` // of the file that has it
	ID        string `kb:"id,key" json:"id"`
	Title     string `kb:"title,required" json:"title"`
	Publisher string `kb:"publisher,required" json:"publisher"`
	URL       string `kb:"url" json:"url"`                      // "" only for what has no public address
	Retrieved string `kb:"retrieved,required" json:"retrieved"` // day it was read, YYYY-MM-DD
	Measured  bool   `kb:"measured,required" json:"measured"`   // read from the artefact itself, not from a text about it
}

func (s *Source) setLine(n int) { s.Line = n }

// sourcesFile is read in data and in each folder of it, so that a folder of tables carries its own sources.
const sourcesFile = "sources.csv"

type sourceSet struct {
	byID     map[string]Source
	problems []Problem
}

// sourcesIndex holds the sources of all folders: their ids share one name space.
var sourcesIndex = &index[sourceSet]{func(b *Base) sourceSet {
	set := sourceSet{byID: map[string]Source{}}
	for _, pattern := range []string{sourcesFile, "*/" + sourcesFile} {
		names, err := fs.Glob(b.fsys, pattern)
		if err != nil {
			set.problems = append(set.problems, Problem{pattern, 0, err.Error()})
		}
		for _, name := range names {
			set.add(b.fsys, name)
		}
	}
	return set
}}

// add reads the source file name into the set.
func (set *sourceSet) add(fsys fs.FS, name string) {
	table, problems := decode[Source](fsys, name, nil)
	set.problems = append(set.problems, problems...)
	for _, s := range table.Rows {
		if _, ok := set.byID[s.ID]; ok {
			set.problems = append(set.problems, Problem{name, s.Line, fmt.Sprintf("source %q is defined elsewhere too", s.ID)})
		}
		for _, msg := range s.check() {
			set.problems = append(set.problems, Problem{name, s.Line, fmt.Sprintf("source %q %s", s.ID, msg)})
		}
		set.byID[s.ID] = s
	}
}

func (s Source) check() (msgs []string) {
	if s.URL != "" && !strings.HasPrefix(s.URL, "https://") {
		msgs = append(msgs, fmt.Sprintf("has %q, which is not an https address", s.URL))
	}
	if _, err := time.Parse(time.DateOnly, s.Retrieved); err != nil {
		msgs = append(msgs, fmt.Sprintf("has %q in retrieved, which is not a day", s.Retrieved))
	}
	return msgs
}
