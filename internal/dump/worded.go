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
	l := &lookout{}
	var words []string
	index := map[string]int{}
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

// wanted gives, for each line of a text, the readers that are to see it.
func (l *lookout) wanted(t *transcript.Text) []uint64 {
	n := 0
	for i := range t.Lines {
		n += len(t.Lines[i].Text) + 1
	}
	all := make([]byte, 0, n) // one scan of a text is several times as fast as one of each line
	for i := range t.Lines {
		all = append(append(all, t.Lines[i].Text...), '\n')
	}
	out := make([]uint64, len(t.Lines))
	line, end := 0, 0
	if len(t.Lines) > 0 {
		end = len(t.Lines[0].Text)
	}
	for _, h := range l.set.Scan(all, nil) {
		for h.End > end {
			line++
			end += len(t.Lines[line].Text) + 1
		}
		out[line] |= l.of[h.Literal]
	}
	return out
}

// pick is a text with the lines alone that one reader is to see; with whole, all of them if there is one.
func pick(t *transcript.Text, wanted []uint64, reader int, whole bool) *transcript.Text {
	out := &transcript.Text{Name: t.Name, Partial: t.Partial}
	for i, w := range wanted {
		if w>>reader&1 != 0 {
			if whole {
				return t
			}
			out.Lines = append(out.Lines, t.Lines[i])
		}
	}
	return out
}
