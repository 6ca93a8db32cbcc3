package textscan

// List collects literals, each once whatever its case, before a Set is made of them. It is made for a catalogue of
// thousands, of which a short-lived command sees each but once: all are kept in one piece of memory, beside a table of their hashes.
// The zero value is empty.
type List struct {
	folded []byte   // all literals, one behind the other
	ends   []uint32 // where each ends in folded
	places []uint32 // numbers of literals from 1 at the place of their hash or behind it; 0 is free
}

// Add gives a literal's number, a new one where the list does not have it; fresh tells which.
func (l *List) Add(literal string) (n int, fresh bool) {
	if 2*len(l.ends) >= len(l.places) {
		l.grow()
	}
	start := len(l.folded)
	h := uint32(fnvOffset)
	for i := range len(literal) {
		c := fold(literal[i])
		l.folded = append(l.folded, c)
		h = (h ^ uint32(c)) * fnvPrime
	}
	at := l.place(h, l.folded[start:])
	if n := l.places[at]; n != 0 {
		l.folded = l.folded[:start]
		return int(n - 1), false
	}
	l.ends = append(l.ends, uint32(len(l.folded)))
	l.places[at] = uint32(len(l.ends))
	return len(l.ends) - 1, true
}

// place is where a literal is, or would be.
func (l *List) place(h uint32, folded []byte) uint32 {
	mask := uint32(len(l.places) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		if n := l.places[at]; n == 0 || string(l.at(int(n-1))) == string(folded) {
			return at
		}
	}
}

func (l *List) at(n int) []byte {
	start := uint32(0)
	if n > 0 {
		start = l.ends[n-1]
	}
	return l.folded[start:l.ends[n]]
}

// firstPlaces is more than twice what the catalogue has: a table that is half full is made anew.
const firstPlaces = 1 << 14

// grow makes room for twice as many, a power of two.
func (l *List) grow() {
	l.places = make([]uint32, max(firstPlaces, 2*len(l.places)))
	if l.folded == nil {
		l.folded = make([]byte, 0, 8*firstPlaces) // 16 bytes a literal
		l.ends = make([]uint32, 0, firstPlaces/2)
	}
	for n := range l.ends {
		h := uint32(fnvOffset)
		for _, c := range l.at(n) {
			h = (h ^ uint32(c)) * fnvPrime
		}
		l.places[l.place(h, l.at(n))] = uint32(n + 1)
	}
}

// The hash is FNV-1a (Fowler, Noll, Vo), of 32 bits.
const fnvOffset, fnvPrime = 2166136261, 16777619

// Literals are all of them, folded, by their numbers.
func (l *List) Literals() []string {
	all := string(l.folded)
	out := make([]string, len(l.ends))
	start := uint32(0)
	for n, end := range l.ends {
		out[n] = all[start:end]
		start = end
	}
	return out
}
