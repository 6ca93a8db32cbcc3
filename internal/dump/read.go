package dump

import "strata/internal/transcript"

// reader reads one form. It goes through the whole text, takes what has its
// form and leaves the rest; it never fails.
type reader struct {
	name string
	read func(*transcript.Text, *Facts)
}

// readers are all forms, in the order in which they are asked. To add one: a
// file with its reader, and a line here. Rank, not order, decides between them.
var readers = []reader{
	nvidiaSMI,
	keyValue,
}

// Read collects the facts of a text.
func Read(t *transcript.Text) *Record {
	f := NewFacts(t.Name)
	ReadInto(t, f)
	return f.Record()
}

// ReadInto adds the facts of a text to others.
func ReadInto(t *transcript.Text, f *Facts) {
	f.name = t.Name
	for _, r := range readers {
		r.read(t, f)
	}
}
