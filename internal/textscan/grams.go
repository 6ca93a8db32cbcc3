package textscan

import (
	"encoding/binary"
	"math"
	"slices"
)

// entry is a hash under which a literal's gram is found.
type entry struct{ hash, literal uint16 }

// choose takes of each literal the gram that the others have least, since they
// are made of the words that texts of their kind are made of; of several, the
// one of the rarest bytes.
func (s *sieve) choose() []entry {
	common := make([]uint16, 1<<bits)
	places := 0
	for _, l := range s.literals {
		places++
		if len(l) < size {
			places += ends
		}
		var g rolling
		for i := range len(l) {
			if g.add(l[i]); i >= size-1 {
				if n := &common[hash(g.bytes)]; *n < math.MaxUint16 {
					*n++
				}
			}
		}
	}
	out := make([]entry, 0, places)
	s.grams = make([]gram, 0, len(s.literals))
	for n, l := range s.literals {
		if len(l) < size {
			out = s.short(out, n)
			continue
		}
		var g rolling
		best, at, cost := uint32(0), 0, uint32(math.MaxUint32)
		for i := range max(len(l)-1, size) { // so that a byte follows, see kind
			if g.add(l[i]); i < size-1 {
				continue
			}
			h := hash(g.bytes)
			if c := uint32(common[h])*uint32(commonest) + g.plainness(); c < cost {
				best, at, cost = h, i-(size-1), c
			}
		}
		s.add(n, at)
		out = append(out, entry{uint16(best), uint16(n)})
	}
	return out
}

// rolling is a gram that moves over a literal a byte at a time.
type rolling struct {
	bytes uint32 // without their case
	plain uint32 // how ordinary each byte is
}

func (g *rolling) add(c byte) {
	g.bytes = g.bytes>>8 | uint32(c|lower&math.MaxUint8)<<24
	g.plain = g.plain>>8 | uint32(plain[c])<<24
}

// plainness is how ordinary the four bytes are together.
func (g *rolling) plainness() uint32 {
	return g.plain>>24 + g.plain>>16&math.MaxUint8 + g.plain>>8&math.MaxUint8 + g.plain&math.MaxUint8
}

// ends are the bytes that differ when their case is taken away.
const ends = 128

// short takes a literal of three bytes with whatever may follow, the end of the block too. Each has a hash of its own: it
// changes the upper bits of the four bytes alone, and their product with an odd number in the same.
func (s *sieve) short(out []entry, n int) []entry {
	var g rolling
	for i := range size - 1 {
		g.add(s.literals[n][i])
	}
	s.add(n, 0)
	before := g
	for c := range ends {
		g = before
		g.add(byte(c&0x1f | c&0x60<<1)) // all but the bit of the case
		out = append(out, entry{uint16(hash(g.bytes)), uint16(n)})
	}
	return out
}

// add makes the gram at a place of the next literal, with what of it is compared at once.
func (s *sieve) add(n, at int) {
	var bytes [8]byte
	k := copy(bytes[:], s.literals[n][at:])
	mask := uint64(math.MaxUint64) >> (64 - 8*k)
	s.grams = append(s.grams, gram{(binary.LittleEndian.Uint64(bytes[:]) | lower) & mask, mask, int32(at)})
}

// frequent are the bytes of English and of logs, the most frequent first.
const frequent = " etaoinsrlhd0cu1m2pf3g-5.4wyb68:97v_/k,xj=q"

// commonest is more than four bytes can cost.
const commonest = size*len(frequent) + 1

// plain is how ordinary a byte is, 0 for what frequent does not have.
var plain = func() (out [256]uint8) {
	for i := range len(frequent) {
		out[frequent[i]] = uint8(len(frequent) - i)
	}
	return out
}()

// fill sorts the grams by their hash, counting.
func (s *sieve) fill(chosen []entry) {
	s.first = make([]uint16, 1<<(bits-fewer)+1)
	for _, e := range chosen {
		s.first[e.hash>>fewer+1]++
		if g := &s.grams[e.literal]; g.mask>>32 == 0 {
			s.known[e.hash] = math.MaxUint8 // whatever follows
		} else {
			s.known[e.hash] |= kind(g.bytes >> 32)
		}
	}
	for i := range len(s.first) - 1 {
		s.first[i+1] += s.first[i]
	}
	s.more = make([]uint16, len(chosen))
	at := slices.Clone(s.first)
	for _, e := range chosen {
		s.more[at[e.hash>>fewer]] = e.literal
		at[e.hash>>fewer]++
	}
}
