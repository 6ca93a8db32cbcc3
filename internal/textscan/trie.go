package textscan

import (
	"fmt"
	"math"
	"slices"
)

// node is a state while the automaton is made: its first child, and the next
// one of its parent's. 0, the root, is nobody's child.
type node struct {
	child, sibling int32
	fail           int32
	class          uint8
	found          []int32
}

type builder struct{ trie []node }

// shift is the width of a row of the table: 64 classes. A constant one makes a step of the scan half as
// long as one that is computed, and 63 characters are all that most literals have.
const shift, classes = 6, 1 << 6

// newAutomaton makes the automaton for folded literals.
func newAutomaton(literals []string) (*automaton, error) {
	b := builder{trie: []node{{}}}
	s := &automaton{literals: literals}
	s.classify(literals)
	for i, l := range literals {
		b.add(s, l, i)
	}
	return s, b.finish(s)
}

// classify gives the most frequent bytes of the literals a class of their own.
func (s *automaton) classify(literals []string) {
	var count [256]int
	for _, l := range literals {
		for i := range min(len(l), head) {
			count[l[i]]++
		}
	}
	var used []int
	for c, n := range count {
		if n > 0 {
			used = append(used, c)
		}
	}
	slices.SortStableFunc(used, func(a, b int) int { return count[b] - count[a] })
	for i, c := range used {
		if i+1 >= classes {
			s.inexact = true
			break
		}
		s.class[c] = uint8(i + 1)
		if 'a' <= c && c <= 'z' {
			s.class[c-'a'+'A'] = uint8(i + 1)
		}
	}
}

func (b *builder) add(s *automaton, literal string, number int) {
	at := int32(0)
	for i := 0; i < min(len(literal), head); i++ {
		class := s.class[literal[i]]
		to := b.trie[at].child
		for to != 0 && b.trie[to].class != class {
			to = b.trie[to].sibling
		}
		if to == 0 {
			to = int32(len(b.trie))
			b.trie = append(b.trie, node{class: class, sibling: b.trie[at].child})
			b.trie[at].child = to
		}
		at = to
	}
	b.trie[at].found = append(b.trie[at].found, int32(number))
}

// finish turns the trie into a table without failure links (Aho and Corasick,
// 1975, algorithm 4), final states last.
func (b *builder) finish(s *automaton) error {
	if len(b.trie) > math.MaxUint16 {
		return fmt.Errorf("the literals need %d states, and %d can be told apart; have fewer, or shorter ones", len(b.trie), math.MaxUint16)
	}
	order := b.order()
	// What ends at a failure link's state ends at the state, too.
	for _, at := range order[1:] {
		if f := b.trie[b.trie[at].fail].found; len(f) > 0 {
			own := b.trie[at].found
			b.trie[at].found = append(own[:len(own):len(own)], f...)
		}
	}
	name := make([]uint16, len(b.trie))
	count := 0
	for _, final := range []bool{false, true} {
		if final {
			s.firstFinal = uint16(count)
		}
		for _, at := range order {
			if len(b.trie[at].found) > 0 == final {
				name[at] = uint16(count)
				count++
				if final {
					s.found = append(s.found, b.trie[at].found)
				}
			}
		}
	}
	s.next = make([]uint16, len(b.trie)*classes)
	for _, at := range order {
		row := s.next[int(name[at])*classes:][:classes]
		if at != 0 {
			copy(row, s.next[int(name[b.trie[at].fail])*classes:][:classes])
		}
		for to := b.trie[at].child; to != 0; to = b.trie[to].sibling {
			row[b.trie[to].class] = name[to]
		}
	}
	return nil
}

// order lists the states breadth first, so that a state's failure link stands before it, and sets those links.
func (b *builder) order() []int32 {
	order := make([]int32, 1, len(b.trie))
	for i := 0; i < len(order); i++ {
		at := order[i]
		for to := b.trie[at].child; to != 0; to = b.trie[to].sibling {
			order = append(order, to)
			if at == 0 {
				continue
			}
			for f := b.trie[at].fail; ; f = b.trie[f].fail {
				next := b.trie[f].child
				for next != 0 && b.trie[next].class != b.trie[to].class {
					next = b.trie[next].sibling
				}
				if next != 0 {
					b.trie[to].fail = next
					break
				}
				if f == 0 {
					break
				}
			}
		}
	}
	return order
}
