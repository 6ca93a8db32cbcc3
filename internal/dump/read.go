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
	// words are, where there are any, what a line must have one of for the
	// reader to see it, case aside: one that looks at single lines needs no others.
	words []string
	// whole is true for a reader that needs the lines around as well: it sees all of a text in which one of its words stands anywhere.
	whole bool
}

// readers are all forms, in the order in which they are asked. To add one: a
// file with its reader, and a line here. Rank, not order, decides between them.
var readers = []reader{
	nvidiaSMI,
	nvcc,
	debian, otherPackages,
	pythonPackages,
	prompt,
	logs,
	julia,
	kernelModule, builtModule, procGPUs, installer,
	system, devicesOfBus, graphics, fetch,
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
	f.name, f.used, f.quoted = t.Name, map[int]bool{}, [512]quotation{}
	bare, wanted := messagesOf(t), the().wanted(t)
	for i, r := range readers {
		f.sentences = r.name == prose.name
		from := t
		if r.messages {
			from = bare
		}
		if r.words != nil {
			from = pick(from, wanted, i, r.whole)
		}
		if len(from.Lines) > 0 {
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
