package dump

import (
	"slices"

	"strata/internal/transcript"
)

// reader reads one form. It goes through the whole text, takes what has its
// form and leaves the rest; it never fails.
type reader struct {
	name string
	read func(*transcript.Text, *Facts)
	// messages is true for a reader that is to see what a program wrote without
	// its logger's words and without indentation.
	messages bool
	// words are what a line must have one of for the reader to see it, case aside: whatever the reader does, it does
	// at such a line. A word that ordinary logs have saves nothing.
	words []string
	// form finds lines in which no word is needed: those that begin with a certain mark, or are parted in a certain
	// way. The reader sees them as well. It is asked of every line, and so must be quick.
	form func(*transcript.Line) bool
	// around is how many lines before and behind such a line the reader needs.
	around int
	// whole is true for a reader that needs all lines: it sees a text in which one of its words or forms stands anywhere.
	whole bool
}

// readers are all forms, in the order in which they are asked. To add one: a
// file with its reader, and a line here. Rank, not order, decides between them.
var readers = []reader{
	nvidiaSMI, gpuLists,
	nvcc,
	debian, otherPackages,
	pythonPackages,
	prompt,
	logs,
	julia,
	kernelModule, builtModule, procGPUs, installer,
	system, devicesOfBus, graphics, cards, fetch,
	libraryFiles,
	containers, engineConfig, banner, kubernetesFacts, slurm, modules, jetsonFacts,
	variables, surroundings,
	keyValue,
	prose,
}

// Read collects the facts of a text.
func Read(t *transcript.Text) *Record {
	f := NewFacts(t.Name)
	ReadInto(t, f)
	return f.Record()
}

// ReadInto adds the facts of a text to others.
func ReadInto(t *transcript.Text, f *Facts) {
	if f.name != t.Name {
		f.name, f.quoted = t.Name, nil
	}
	f.used = map[int]bool{}
	s := the().look(t)
	for i, r := range readers {
		f.sentences = r.name == prose.name
		if from := s.of(i); len(from.Lines) > 0 {
			r.read(from, f)
		}
	}
	f.sentences = false
}

// messagesOf is a text without what loggers put before its lines.
func messagesOf(t *transcript.Text) *transcript.Text {
	out := &transcript.Text{Name: t.Name, Partial: t.Partial, Lines: slices.Clone(t.Lines)}
	for i := range out.Lines {
		out.Lines[i].Text = out.Lines[i].Message
	}
	return out
}
