package textscan

import (
	"encoding/binary"
	"math"
	"slices"
)

// entry is a gram with its hash.
type entry struct {
	hash uint32
	gram
}

// choose takes of each literal the gram that the others have least, since they
// are made of the words that texts of their kind are made of; of several, the
// one of the rarest bytes.
func (s *sieve) choose() []entry {
	common := make([]uint16, 1<<bits)
	for _, l := range s.literals {
		for i := range len(l) - size + 1 {
			if h := hash(four(l, i)); common[h] < math.MaxUint16 {
				common[h]++
			}
		}
	}
	out := make([]entry, 0, len(s.literals))
	for n, l := range s.literals {
		if len(l) < size {
			out = s.short(out, n)
			continue
		}
		best, cost := 0, math.MaxInt
		for i := range max(len(l)-size, 1) { // so that a byte follows, see kind
			if c := int(common[hash(four(l, i))])*commonest + plainness(l[i:i+size]); c < cost {
				best, cost = i, c
			}
		}
		out = append(out, s.entry(n, best, hash(four(l, best))))
	}
	return out
}

// short takes a literal of three bytes with whatever may follow, the end of the block too.
func (s *sieve) short(out []entry, n int) []entry {
	l := s.literals[n]
	taken := map[uint32]bool{}
	for c := range 256 {
		h := hash((uint32(l[0]) | uint32(l[1])<<8 | uint32(l[2])<<16 | uint32(c)<<24) | lower&math.MaxUint32)
		if !taken[h] {
			taken[h] = true
			out = append(out, s.entry(n, 0, h))
		}
	}
	return out
}

// entry is the gram at a place of a literal, with what of it is compared at once.
func (s *sieve) entry(n, at int, h uint32) entry {
	var bytes [8]byte
	k := copy(bytes[:], s.literals[n][at:])
	mask := uint64(math.MaxUint64) >> (64 - 8*k)
	return entry{h, gram{(binary.LittleEndian.Uint64(bytes[:]) | lower) & mask, mask, int32(n), int32(at)}}
}

// four is what hash takes, of a literal.
func four(l string, i int) uint32 {
	return (uint32(l[i]) | uint32(l[i+1])<<8 | uint32(l[i+2])<<16 | uint32(l[i+3])<<24) | lower&math.MaxUint32
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

func plainness(s string) (n int) {
	for i := range len(s) {
		n += int(plain[s[i]])
	}
	return n
}

// fill sorts the grams by their hash, counting.
func (s *sieve) fill(chosen []entry) {
	s.first = make([]uint16, 1<<(bits-fewer)+1)
	for _, e := range chosen {
		s.first[e.hash>>fewer+1]++
		if e.mask>>32 == 0 {
			s.known[e.hash] = math.MaxUint8 // whatever follows
		} else {
			s.known[e.hash] |= kind(e.bytes >> 32)
		}
	}
	for i := range len(s.first) - 1 {
		s.first[i+1] += s.first[i]
	}
	s.more = make([]gram, len(chosen))
	at := slices.Clone(s.first)
	for _, e := range chosen {
		s.more[at[e.hash>>fewer]] = e.gram
		at[e.hash>>fewer]++
	}
}
