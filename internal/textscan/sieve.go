package textscan

import (
	"encoding/binary"
	"fmt"
	"math"
)

// sieve chooses of each literal four bytes that are rare, its gram. A block is
// looked at four bytes at a time, from every place; only where a table knows
// those four, literals are compared (Karp and Rabin, 1987; Wu and Manber, 1994).
type sieve struct {
	// known has, by the hash of a gram, a bit for each kind of byte that may follow it, see kind; 0 where no gram has it.
	known [1 << bits]uint8
	// first and more list the grams, by their numbers, by the upper bits of their hash: more[first[h>>fewer]:first[h>>fewer+1]].
	first    []uint16
	more     []uint16
	grams    []gram // one for each literal
	literals []string
}

// gram is where in a literal a choice of bytes is, with up to eight bytes from there on as fours sees them.
type gram struct {
	bytes, mask uint64
	at          int32
}

const (
	// bits is the length of a hash: all places are 64 KiB, which a core keeps near.
	bits = 16
	// fewer is how much shorter the index of the grams is.
	fewer = 2
)

// size is the number of bytes of a gram.
const size = 4

// lower sets the bit by which letters of both cases differ. Some marks become the same, too; comparing tells them apart.
const lower = 0x2020202020202020

// kind sorts the byte behind a gram into one of eight, as a bit.
func kind(fifth uint64) uint8 { return 1 << (fifth & 7) }

// hash is that of four bytes whose case was taken away.
func hash(four uint32) uint32 {
	return four * 0x9E3779B1 >> (32 - bits) // 2^32 over the golden ratio spreads what differs little (Knuth, vol. 3, 6.4)
}

// newSieve makes a sieve for folded literals.
func newSieve(literals []string) (*sieve, error) {
	s := &sieve{literals: literals}
	if len(literals) > math.MaxUint16 {
		return nil, fmt.Errorf("%d literals, and %d fit; look for fewer", len(literals), math.MaxUint16)
	}
	chosen := s.choose()
	if len(chosen) > math.MaxUint16 {
		return nil, fmt.Errorf("%d literals need %d grams, and %d fit; look for fewer", len(literals), len(chosen), math.MaxUint16)
	}
	s.fill(chosen)
	return s, nil
}

// scan appends the hits of a block in order of their ends.
func (s *sieve) scan(block []byte, hits []Hit) []Hit {
	from := len(hits)
	i := 0
	for ; i+16 <= len(block); i += 4 {
		// Four places in one load: what begins at i to i+3.
		eight := binary.LittleEndian.Uint64(block[i:]) | lower
		a, b, c, d := hash(uint32(eight)), hash(uint32(eight>>8)), hash(uint32(eight>>16)), hash(uint32(eight>>24))
		x, y, z, w := s.known[a], s.known[b], s.known[c], s.known[d]
		if x|y|z|w == 0 {
			continue
		}
		if x&kind(eight>>32) != 0 {
			hits = s.compare(block, i, a, hits)
		}
		if y&kind(eight>>40) != 0 {
			hits = s.compare(block, i+1, b, hits)
		}
		if z&kind(eight>>48) != 0 {
			hits = s.compare(block, i+2, c, hits)
		}
		if w&kind(eight>>56) != 0 {
			hits = s.compare(block, i+3, d, hits)
		}
	}
	for ; i+MinLength <= len(block); i++ {
		if h := hash(uint32(eightAt(block, i))); s.known[h] != 0 {
			hits = s.compare(block, i, h, hits)
		}
	}
	sort(hits[from:])
	return hits
}

// eightAt are the eight bytes at a place, without their case; behind the end of the block stands nothing.
func eightAt(block []byte, at int) uint64 {
	if at+8 <= len(block) {
		return binary.LittleEndian.Uint64(block[at:]) | lower
	}
	var rest [8]byte
	copy(rest[:], block[at:])
	return binary.LittleEndian.Uint64(rest[:]) | lower
}

// compare appends the literals with a gram of this hash at this place of a block.
func (s *sieve) compare(block []byte, at int, h uint32, hits []Hit) []Hit {
	eight := eightAt(block, at)
	h >>= fewer
	for _, n := range s.more[s.first[h]:s.first[h+1]] {
		g := &s.grams[n]
		if eight&g.mask != g.bytes {
			continue
		}
		l := s.literals[n]
		start := at - int(g.at)
		if start < 0 || start+len(l) > len(block) {
			continue
		}
		if equal(block[start:start+len(l)], l) {
			hits = append(hits, Hit{int(n), start + len(l)})
		}
	}
	return hits
}

// sort puts hits in the order of their ends. They come in the order of their
// grams, which differs by less than the longest literal: few places to move.
func sort(hits []Hit) {
	for i := 1; i < len(hits); i++ {
		for j := i; j > 0 && (hits[j-1].End > hits[j].End || hits[j-1].End == hits[j].End && hits[j-1].Literal > hits[j].Literal); j-- {
			hits[j-1], hits[j] = hits[j], hits[j-1]
		}
	}
}
