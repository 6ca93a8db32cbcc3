package textscan

// node is a state while the automaton is made.
type node struct {
	children []edge
	fail     int
	found    []int
}

type edge struct {
	class uint8
	to    int
}

func (n *node) child(class uint8) int {
	for _, e := range n.children {
		if e.class == class {
			return e.to
		}
	}
	return 0
}

type builder struct {
	trie []node
	last uint8 // the last class given away
}

func (b *builder) add(s *Set, literal string, number int) {
	at := 0
	for i := 0; i < len(literal); i++ {
		c := fold(literal[i])
		if s.class[c] == 0 {
			b.last++
			s.class[c] = b.last
			if 'a' <= c && c <= 'z' {
				s.class[c-'a'+'A'] = b.last
			}
		}
		to := b.trie[at].child(s.class[c])
		if to == 0 {
			to = len(b.trie)
			b.trie = append(b.trie, node{})
			b.trie[at].children = append(b.trie[at].children, edge{s.class[c], to})
		}
		at = to
	}
	b.trie[at].found = append(b.trie[at].found, number)
}

// finish turns the trie into a table without failure links (Aho and Corasick,
// 1975, algorithm 4), final states last.
func (b *builder) finish(s *Set) {
	s.classes = int(b.last) + 1
	order := []int{0} // breadth first: a node's failure link is done before it
	for i := 0; i < len(order); i++ {
		for _, e := range b.trie[order[i]].children {
			order = append(order, e.to)
		}
	}
	table := make([]int, len(b.trie)*s.classes)
	for _, at := range order {
		row := table[at*s.classes : (at+1)*s.classes]
		fail := table[b.trie[at].fail*s.classes:]
		if at != 0 {
			copy(row, fail[:s.classes])
			b.trie[at].found = append(b.trie[at].found, b.trie[b.trie[at].fail].found...)
		}
		for _, e := range b.trie[at].children {
			if at != 0 {
				b.trie[e.to].fail = row[e.class]
			}
			row[e.class] = e.to
		}
	}
	number := make([]uint32, len(b.trie)) // the new name of each state, times classes
	count := uint32(0)
	name := func(final bool) {
		for _, at := range order {
			if len(b.trie[at].found) > 0 == final {
				number[at] = count * uint32(s.classes)
				count++
				if final {
					s.found = append(s.found, b.trie[at].found)
				}
			}
		}
	}
	name(false)
	s.firstFinal = count * uint32(s.classes)
	name(true)
	s.next = make([]uint32, len(table))
	for at := range b.trie {
		for c, to := range table[at*s.classes : (at+1)*s.classes] {
			s.next[int(number[at])+c] = number[to]
		}
	}
}
