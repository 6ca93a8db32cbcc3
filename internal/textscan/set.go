// Package textscan finds many literals in a stream of bytes in one pass, at the
// speed of memory rather than of patterns: an automaton over classes of bytes,
// blind to the case of ASCII letters. What a hit means is for a pattern to say.
package textscan

import (
	"errors"
	"fmt"
	"slices"
)

// MinLength is the least number of bytes of a literal. A shorter one would be
// found on so many lines that the patterns behind it, not the scan, set the speed.
const MinLength = 5

// Set is an automaton for a list of literals. It is safe for concurrent use.
type Set struct {
	class   [256]uint8 // of each byte; 0 is every byte that stands in no literal
	classes int
	next    []uint32 // [state*classes + class]: the next state, times classes
	// firstFinal is the first state, times classes, at which a literal ends; final ones are numbered last.
	firstFinal uint32
	found      [][]int // by final state: the literals that end there
	longest    int
}

// Compile makes the automaton. A literal's place in the list is its number in a
// hit. It fails where one is too short, or holds a newline.
func Compile(literals []string) (*Set, error) {
	b := builder{trie: []node{{}}}
	s := &Set{}
	var errs []error
	for i, l := range literals {
		if len(l) < MinLength {
			errs = append(errs, fmt.Errorf("literal %q is shorter than %d bytes and would be found on too many lines", l, MinLength))
			continue
		}
		if slices.Contains([]byte(l), '\n') {
			errs = append(errs, fmt.Errorf("literal %q spans lines", l))
			continue
		}
		s.longest = max(s.longest, len(l))
		b.add(s, l, i)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	b.finish(s)
	return s, nil
}

// Longest is the number of bytes of the longest literal.
func (s *Set) Longest() int { return s.longest }

// Hit is a literal in a block.
type Hit struct {
	Literal int // its number
	End     int // the offset in the block behind its last byte
}

// Scan appends the hits of a block to a list, in order of their ends. A literal
// that spans two blocks is not found: cut blocks at line ends.
func (s *Set) Scan(block []byte, hits []Hit) []Hit {
	var state uint32
	next, class, final := s.next, &s.class, s.firstFinal
	for i := 0; i < len(block); i++ {
		state = next[state+uint32(class[block[i]])]
		if state >= final {
			for _, l := range s.found[(state-final)/uint32(s.classes)] {
				hits = append(hits, Hit{l, i + 1})
			}
		}
	}
	return hits
}

func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
