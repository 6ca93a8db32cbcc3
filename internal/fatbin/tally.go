package fatbin

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// tally builds a Summary.
type tally struct {
	Summary
	codes map[codeKey]*count
	open  []uint16 // ids of the codes in the current container, each once
	mixes map[string]int
	// where names the member of an archive in front of a problem.
	where   string
	members int
	// origins are the toolkits that made the code; nil where nobody asks.
	origins map[string]bool
	peeks   map[codeKey]int
	peeked  int
}

type codeKey struct {
	kind        uint16
	arch        uint32
	suffix      string
	major       uint16 // of the PTX ISA
	minor       uint16
	compression string
}

type count struct {
	id                  uint16
	containers, entries int
	last                int // the last container that held it
}

const (
	maxProblems = 16
	maxCodes    = 1024 // distinct ones; the largest libraries have about 30
	maxMixes    = 4096 // distinct ones; the largest libraries have about 100
)

func newTally() *tally {
	return &tally{codes: map[codeKey]*count{}, mixes: map[string]int{}, peeks: map[codeKey]int{}}
}

func (t *tally) problem(format string, args ...any) {
	if len(t.Problems) < maxProblems {
		t.Problems = append(t.Problems, t.where+fmt.Sprintf(format, args...))
	}
}

// add counts one entry of the current container.
func (t *tally) add(e entry, compression string) {
	k := codeKey{kind: e.kind, arch: e.arch, suffix: e.suffix(), compression: compression}
	if e.kind == kindPTX {
		k.major, k.minor = e.major, e.minor
	}
	t.addNamed(k)
}

func (t *tally) addNamed(k codeKey) {
	t.Entries++
	c := t.codes[k]
	if c == nil {
		if len(t.codes) == maxCodes {
			t.problem("more than %d different codes, the others are not counted", maxCodes)
			return
		}
		c = &count{id: uint16(len(t.codes))}
		t.codes[k] = c
	}
	c.entries++
	if c.last != t.Containers {
		c.last = t.Containers
		c.containers++
		t.open = append(t.open, c.id)
	}
}

// closeContainer counts what the current container held.
func (t *tally) closeContainer() {
	slices.Sort(t.open)
	key := make([]byte, 0, 2*len(t.open))
	for _, id := range t.open {
		key = binary.BigEndian.AppendUint16(key, id)
	}
	t.open = t.open[:0]
	if _, known := t.mixes[string(key)]; !known && len(t.mixes) == maxMixes {
		t.problem("more than %d different mixes of codes; how many fat binaries hold code for a GPU is not counted to the end", maxMixes)
		return
	}
	t.mixes[string(key)]++
}

// mixList lists the mixes; place has the index of a code by its id.
func (t *tally) mixList(place []int) []Mix {
	var list []Mix
	for key, n := range t.mixes {
		m := Mix{Containers: n, Codes: make([]int, 0, len(key)/2)}
		for ; key != ""; key = key[2:] {
			m.Codes = append(m.Codes, place[int(key[0])<<8|int(key[1])])
		}
		slices.Sort(m.Codes)
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b Mix) int {
		return cmp.Or(cmp.Compare(b.Containers, a.Containers), slices.Compare(a.Codes, b.Codes))
	})
	return list
}
