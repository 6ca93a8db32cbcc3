// Package textscan finds many literals in a text in one pass, at the speed of
// memory rather than of patterns, and blind to the case of ASCII letters. What a
// hit means is for a pattern to say.
//
// There are two ways to do it, which find the same. A sieve is made in a tenth of
// the time of an automaton: a report of some hundred KiB is sifted before that
// would exist. With the catalogue's 5,900 literals, many of which have common
// words, the automaton scans half as fast again.
package textscan

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// MinLength is the least number of bytes of a literal. A shorter one would be
// found so often that its hits, not the scan, set the speed.
const MinLength = 3

// Set is a list of literals to look for. It is safe for concurrent use.
type Set struct {
	literals  []string // folded
	sieve     *sieve
	once      sync.Once
	automaton atomic.Pointer[automaton]
	err       error // of making it
}

// Compile makes a set. A literal's place in the list is its number in a hit. It
// fails where one is too short, or holds a newline.
func Compile(literals []string) (*Set, error) {
	s := &Set{literals: make([]string, len(literals))}
	var errs []error
	for i, l := range literals {
		switch {
		case len(l) < MinLength:
			errs = append(errs, fmt.Errorf("literal %q is shorter than %d bytes and would be found on too many lines", l, MinLength))
		case strings.Contains(l, "\n"):
			errs = append(errs, fmt.Errorf("literal %q spans lines", l))
		}
		s.literals[i] = folded(l)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var err error
	s.sieve, err = newSieve(s.literals)
	return s, err
}

// Hit is a literal in a block.
type Hit struct {
	Literal int // its number
	End     int // the offset in the block behind its last byte
}

// Scan appends the hits of a block to a list, in order of their ends. A literal
// that spans two blocks, or two lines, is not found: cut blocks at line ends.
func (s *Set) Scan(block []byte, hits []Hit) []Hit {
	if a := s.automaton.Load(); a != nil {
		return a.scan(block, hits)
	}
	return s.sieve.scan(block, hits)
}

// Prepare makes ready for a long text; whoever scans meanwhile does not wait. It
// fails where the literals are too many, and Scan goes on as it did.
func (s *Set) Prepare() error {
	s.once.Do(func() {
		a, err := newAutomaton(s.literals)
		if err != nil {
			s.err = err
			return
		}
		s.automaton.Store(a)
	})
	return s.err
}

func folded(l string) string {
	if !strings.ContainsFunc(l, func(r rune) bool { return 'A' <= r && r <= 'Z' }) {
		return l
	}
	b := []byte(l)
	for i := range b {
		b[i] = fold(b[i])
	}
	return string(b)
}

func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// equal tells whether a text is a folded literal of the same length, case aside.
func equal(text []byte, literal string) bool {
	for i := range text {
		if fold(text[i]) != literal[i] {
			return false
		}
	}
	return true
}
