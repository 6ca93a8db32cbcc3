package dump

import "strata/internal/transcript"

// reader reads one form. It goes through the whole text, takes what has its
// form and leaves the rest; it never fails.
type reader struct {
	name string
	read func(*transcript.Text, *Facts)
	// messages is true for a reader that is to see what a program wrote without
	// its logger's words and without indentation.
	messages bool
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
	containers, banner, kubernetesFacts, slurm, jetsonFacts,
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
	bare := messagesOf(t)
	for _, r := range readers {
		f.sentences = r.name == prose.name
		if r.messages {
			r.read(bare, f)
			continue
		}
		r.read(t, f)
	}
	f.sentences = false
}

// messagesOf is a text as transcript.Message leaves its lines.
func messagesOf(t *transcript.Text) *transcript.Text {
	out := &transcript.Text{Name: t.Name, Partial: t.Partial, Lines: make([]transcript.Line, len(t.Lines))}
	for i, l := range t.Lines {
		out.Lines[i] = transcript.Line{N: l.N, Text: transcript.Message(l.Text)}
	}
	return out
}
