// Package textscan finds many literals in a stream of bytes in one pass, at the
// speed of memory rather than of patterns: an automaton over classes of bytes,
// blind to the case of ASCII letters. What a hit means is for a pattern to say.
package textscan

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// MinLength is the least number of bytes of a literal. A shorter one would be
// found so often that its hits, not the scan, set the speed.
const MinLength = 3

// Set is an automaton for a list of literals. It is safe for concurrent use.
type Set struct {
	// class of each byte; 0 is every byte that stands in no literal, and the rarest
	// of those that do where there are more than fit.
	class [256]uint8
	// next is the next state by state and class: [state<<shift | class]. Two bytes a
	// state keep the part of the table that is in use in a core's cache.
	next []uint16
	// literals are kept, folded, where class 0 stands for some of their bytes, so that a hit has to be looked at again.
	literals []string
	// firstFinal is the first state at which a literal ends; final ones are numbered last.
	firstFinal uint16
	found      [][]int32 // by final state: the literals that end there
	longest    int
}

// Compile makes the automaton. A literal's place in the list is its number in a
// hit. It fails where one is too short, or holds a newline.
func Compile(literals []string) (*Set, error) {
	b := builder{trie: []node{{}}}
	s := &Set{}
	s.classify(literals)
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
	return s, b.finish(s)
}

// Longest is the number of bytes of the longest literal.
func (s *Set) Longest() int { return s.longest }

// Hit is a literal in a block.
type Hit struct {
	Literal int // its number
	End     int // the offset in the block behind its last byte
}

// Scan appends the hits of a block to a list, in order of their ends. A literal
// that spans two blocks, or two lines, is not found: cut blocks at line ends.
func (s *Set) Scan(block []byte, hits []Hit) []Hit {
	// A step waits for the one before it, most of the time for memory. Parts that
	// do not depend on each other, scanned in turn, wait together: three of
	// them give 1.7 times the speed of one (BenchmarkScan).
	third := len(block) / ways
	one := bytes.IndexByte(block[third:], '\n') + 1
	two := 0
	if one > 0 {
		two = bytes.IndexByte(block[min(2*third, len(block)):], '\n') + 1
	}
	if len(block) < minSplit || one == 0 || two == 0 {
		return s.scan(block, block, 0, 0, hits)
	}
	one, two = third+one, 2*third+two
	if two <= one {
		return s.scan(block, block, 0, 0, hits)
	}
	a, b, c := block[:one], block[one:two], block[two:]
	n := min(len(a), len(b), len(c))
	var x, y, z uint16
	var second, last []Hit
	next, class, final := s.next, &s.class, s.firstFinal
	pa, pb, pc := a[:n], b[:n], c[:n]
	for i := range pa {
		x = next[int(x)<<shift|int(class[pa[i]])]
		y = next[int(y)<<shift|int(class[pb[i]])]
		z = next[int(z)<<shift|int(class[pc[i]])]
		if x >= final {
			hits = s.final(block, x, i+1, hits)
		}
		if y >= final {
			second = s.final(block, y, one+i+1, second)
		}
		if z >= final {
			last = s.final(block, z, two+i+1, last)
		}
	}
	hits = s.scan(block, a[n:], x, n, hits)
	second = s.scan(block, b[n:], y, one+n, second)
	last = s.scan(block, c[n:], z, two+n, last)
	return append(append(hits, second...), last...)
}

// ways is how many parts of a block are scanned in turn; of one below minSplit
// bytes that is not worth while.
const ways, minSplit = 3, 4 << 10

// scan goes on from a state; offset is where the piece begins in its block.
func (s *Set) scan(block, piece []byte, state uint16, offset int, hits []Hit) []Hit {
	next, class, final := s.next, &s.class, s.firstFinal
	for i, c := range piece {
		state = next[int(state)<<shift|int(class[c])]
		if state >= final {
			hits = s.final(block, state, offset+i+1, hits)
		}
	}
	return hits
}

// final appends the literals that end in a state.
func (s *Set) final(block []byte, state uint16, end int, hits []Hit) []Hit {
	for _, l := range s.found[state-s.firstFinal] {
		if s.literals == nil || ends(block[:end], s.literals[l]) {
			hits = append(hits, Hit{int(l), end})
		}
	}
	return hits
}

// ends tells whether a text ends with a folded literal, case aside.
func ends(text []byte, literal string) bool {
	if len(text) < len(literal) {
		return false
	}
	text = text[len(text)-len(literal):]
	for i, c := range text {
		if fold(c) != literal[i] {
			return false
		}
	}
	return true
}

func fold(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
