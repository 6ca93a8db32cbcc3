package triage

import (
	"maps"
	"slices"
	"sync"

	"strata/internal/dump"
	"strata/internal/redact"
	"strata/internal/signature"
	"strata/internal/signatures"
	"strata/internal/stack"
	"strata/internal/textscan"
	"strata/internal/transcript"
)

// lookout looks for all signatures at once, and knows what each literal is for.
type lookout struct {
	set      *textscan.Set
	literals []string
	sigs     [][]*signature.Signature // by literal
	isWord   []bool                   // by literal: a condition asks for it
	keep     []bool                   // by literal: lines around it have facts
}

// the lookout is made once, when it is first needed.
var the = sync.OnceValue(func() *lookout {
	const enough = 8 << 10 // literals, more than there are: what is not filled costs nothing
	l := &lookout{sigs: make([][]*signature.Signature, 0, enough), isWord: make([]bool, 0, enough), keep: make([]bool, 0, enough)}
	var list textscan.List
	number := func(literal string) int {
		i, fresh := list.Add(literal)
		if fresh {
			l.sigs, l.isWord, l.keep = append(l.sigs, nil), append(l.isWord, false), append(l.keep, false)
		}
		return i
	}
	for _, s := range signatures.All() {
		for _, lit := range s.Literals {
			i := number(lit)
			l.sigs[i] = append(l.sigs[i], s)
		}
		for w := range s.Words {
			l.isWord[number(w)] = true
		}
	}
	for _, w := range factWords {
		l.keep[number(w)] = true
	}
	l.literals = list.Literals()
	set, err := textscan.Compile(l.literals)
	if err != nil {
		panic("the catalogue's literals: " + err.Error()) // signatures' own test keeps this out
	}
	l.set = set
	return l
})

// prepare makes ready for a long text. That there are too many literals for it is for a test to find.
func (l *lookout) prepare() { _ = l.set.Prepare() }

// Literals are all that a scan looks out for, in lower case.
func Literals() []string { return slices.Clone(the().literals) }

// factWords stand in lines that tell facts. Of a text that is too long to keep,
// the lines around them are kept.
var factWords = []string{
	"NVIDIA-SMI", "Driver Version", "NVRM version", "PyTorch version", "CUDA used to build", "Cuda compilation tools", "Kernel Module",
	"GPU models and config", "Python version", "onnxruntime-gpu", "compute capability", "release 1", "cudnn version", "Linux version",
}

// Occurrence is one signature with one set of values, and how often it came.
type Occurrence struct {
	*signature.Signature
	Groups map[string]string
	File   string
	// Line is the first one's, from 1; Last the last one's.
	Line, Last int
	Text       string // the first line, as it stands in the text
	Count      int
	order      int // of appearance over all files
}

// at is where it stands first, in words that may be shown.
func (o *Occurrence) at() stack.Source {
	return stack.From("text", o.File, o.Line, redact.Foreign(o.Text))
}

// Scan is what was found so far in one or several texts.
type Scan struct {
	occurrences []*Occurrence
	index       map[string]*Occurrence
	kinds       map[string]int // how many occurrences a signature has
	words, ids  map[string]bool
	texts       []*transcript.Text
	early       chan *dump.Facts // those of the first text, while they are read
	// Bytes and Lines count what was read.
	Bytes int64
	Lines int
	// Notes are what of the input could not be read, and why.
	Notes []string
	// Ahead, where set, are the options of the report to come: what it will need is made while the text is read.
	Ahead *Options
	// Found, where set, is called for each new occurrence, as it is found.
	Found func(*Occurrence)
}

// New begins a scan.
func New() *Scan {
	return &Scan{index: map[string]*Occurrence{}, kinds: map[string]int{}, words: map[string]bool{}, ids: map[string]bool{}}
}

// maxKinds bounds how many occurrences with different values are kept of one
// signature; what comes later is counted with the last.
const maxKinds = 64

// see notes that a signature stands on a line.
func (s *Scan) see(sig *signature.Signature, groups map[string]string, file string, line int, text string) {
	s.ids[sig.ID] = true
	key := sig.ID + "\x00" + file
	if len(groups) > 0 {
		for _, k := range slices.Sorted(maps.Keys(groups)) {
			key += "\x00" + k + "=" + groups[k]
		}
	}
	o := s.index[key]
	if o == nil && s.kinds[sig.ID] >= maxKinds {
		o = s.index[sig.ID]
	}
	if o != nil {
		o.Count++
		o.Last = line
		return
	}
	o = &Occurrence{Signature: sig, Groups: groups, File: file, Line: line, Last: line, Text: text, Count: 1, order: len(s.occurrences)}
	s.index[key], s.index[sig.ID] = o, o
	s.kinds[sig.ID]++
	s.occurrences = append(s.occurrences, o)
	if s.Found != nil {
		s.Found(o)
	}
}

// Occurrences are what was found, in order of appearance.
func (s *Scan) Occurrences() []*Occurrence { return s.occurrences }
