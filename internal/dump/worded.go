package dump

import (
	"sync"

	"strata/internal/textscan"
	"strata/internal/transcript"
)

// lookout finds the lines that readers with words are to see.
type lookout struct {
	set *textscan.Set
	// of has the readers that a word is for, a bit for each place in the list.
	of []uint64
}

// the lookout is made once, when it is first needed.
var the = sync.OnceValue(func() *lookout {
	n := 0
	for _, r := range readers {
		n += len(r.words)
	}
	l := &lookout{of: make([]uint64, 0, n)}
	words, index := make([]string, 0, n), make(map[string]int, n)
	for i, r := range readers {
		for _, w := range r.words {
			w = lowerASCII(w)
			n, ok := index[w]
			if !ok {
				n = len(words)
				index[w] = n
				words, l.of = append(words, w), append(l.of, 0)
			}
			l.of[n] |= 1 << i
		}
	}
	set, err := textscan.Compile(words)
	if err != nil {
		panic("the words of package dump's readers: " + err.Error()) // a test reads a text
	}
	l.set = set
	return l
})

// unindented is a line without the white space before it.
func unindented(line string) string {
	for line != "" && (line[0] == ' ' || '\t' <= line[0] && line[0] <= '\r') {
		line = line[1:]
	}
	return line
}

// sight is a text as readers see it.
type sight struct {
	text *transcript.Text
	// bare is the text without what loggers put before its lines; nil until a reader needs all of it.
	bare *transcript.Text
	// wanted are, for each line, the readers that have a word of it, and any is all of them.
	wanted []uint64
	any    uint64
}

// look finds the words of all readers in a text.
func (l *lookout) look(t *transcript.Text) *sight {
	n := 0
	for i := range t.Lines {
		n += len(t.Lines[i].Text) + 1
	}
	all := make([]byte, 0, n) // one scan of a text is several times as fast as one of each line
	for i := range t.Lines {
		all = append(append(all, t.Lines[i].Text...), '\n')
	}
	s := &sight{text: t, wanted: make([]uint64, len(t.Lines))}
	line, end := 0, 0
	if len(t.Lines) > 0 {
		end = len(t.Lines[0].Text)
	}
	for _, h := range l.set.Scan(all, nil) {
		for h.End > end {
			line++
			end += len(t.Lines[line].Text) + 1
		}
		s.wanted[line] |= l.of[h.Literal]
		s.any |= l.of[h.Literal]
	}
	return s
}

// of is what a reader is to see of the text; i is its place in the list. It has no lines where there is nothing.
func (s *sight) of(i int) *transcript.Text {
	r := &readers[i]
	if r.words == nil && r.form == nil {
		return s.all(r)
	}
	out := &transcript.Text{Name: s.text.Name, Partial: s.text.Partial}
	if r.form == nil && s.any>>i&1 == 0 {
		return out
	}
	if r.whole && s.any>>i&1 != 0 {
		return s.all(r)
	}
	next := 0 // the first line that out does not have yet
	for k := range s.text.Lines {
		if s.wanted[k]>>i&1 == 0 && (r.form == nil || !r.form(&s.text.Lines[k])) {
			continue
		}
		if r.whole {
			return s.all(r)
		}
		for next = max(next, k-r.around); next <= min(k+r.around, len(s.text.Lines)-1); next++ {
			l := s.text.Lines[next]
			if r.messages {
				l.Text = l.Message
			}
			out.Lines = append(out.Lines, l)
		}
	}
	return out
}

// all is the whole text, as a reader sees it.
func (s *sight) all(r *reader) *transcript.Text {
	if !r.messages {
		return s.text
	}
	if s.bare == nil {
		s.bare = messagesOf(s.text)
	}
	return s.bare
}
