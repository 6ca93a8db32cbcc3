package dump

import (
	"strings"
	"sync"
)

// mayMean tells whether a key has a word of any key that is known, so that it is
// worth looking up under its headings and in its other spellings. Most of what
// logs print as a key has none. Words that add nothing do not count, since what
// they are taken off has another.
func mayMean(key string) bool {
	words := keywords()
	word, part := newSpelling(), newSpelling() // part is the last word of one script: Version in driverVersion
	lower := false
	for i := range len(key) {
		c := key[i]
		switch {
		case c >= 0x80: // keyOf translates words of other languages
			return true
		case 'A' <= c && c <= 'Z':
			if lower {
				if words.has(part) {
					return true
				}
				part = newSpelling()
			}
			c += 'a' - 'A'
			lower = false
		case 'a' <= c && c <= 'z', isDigit(c):
			lower = !isDigit(c)
		default:
			if words.has(word) || words.has(part) {
				return true
			}
			word, part, lower = newSpelling(), newSpelling(), false
			continue
		}
		word.add(c)
		part.add(c)
	}
	return words.has(word) || words.has(part)
}

// spelling is the hash of a word (FNV-1a), and that of the word without the number behind it.
type spelling struct {
	whole, stem uint32
	number      bool // stands at the end
}

func newSpelling() spelling { return spelling{whole: 2166136261} }

func (s *spelling) add(c byte) {
	s.whole = (s.whole ^ uint32(c)) * 16777619
	if s.number = isDigit(c); !s.number {
		s.stem = s.whole
	}
}

// wordTable has a bit for each hash of a word. It is made in a tenth of the time of a map, which a short log would
// wait for; that it takes a word in a hundred for another costs a few lookups in vain.
type wordTable [1 << tableBits / 64]uint64

// tableBits makes a table of 8 KiB.
const tableBits = 16

func place(hash uint32) (at uint32, bit uint64) {
	hash = (hash ^ hash>>tableBits) & (1<<tableBits - 1)
	return hash / 64, 1 << (hash % 64)
}

// has tells whether a word, or the word without the number behind it, is one of a known key.
func (t *wordTable) has(s spelling) bool {
	at, bit := place(s.whole)
	if t[at]&bit != 0 {
		return true
	}
	if !s.number || s.stem == 0 {
		return false
	}
	at, bit = place(s.stem)
	return t[at]&bit != 0
}

func (t *wordTable) add(s spelling) {
	at, bit := place(s.whole)
	t[at] |= bit
}

func spellingOf(word string) spelling {
	s := newSpelling()
	for i := range len(word) {
		s.add(word[i])
	}
	return s
}

// keywords are the words of all keys that take looks up. Of a known key that goes on from a heading to the key under
// it, the end alone may be written: "version" of "cuda version", which is nothing but noise and counts there.
var keywords = sync.OnceValue(func() *wordTable {
	out, nothing := &wordTable{}, &wordTable{}
	for w := range noise {
		nothing.add(spellingOf(w))
	}
	add := func(key string) {
		end := true // what follows is nothing but noise
		for last, i := len(key), len(key)-1; i >= -1; i-- {
			if i >= 0 && key[i] != ' ' && key[i] != '-' && key[i] != '.' && key[i] != '>' {
				continue
			}
			if w := key[i+1 : last]; w != "" {
				s := spellingOf(w)
				n := nothing.has(s) && noise[w]
				if end = end && n; end || !n {
					out.add(s)
				}
			}
			last = i
		}
	}
	for _, v := range vocabulary { // a list is gone through several times as fast as a map
		for k := range strings.SplitSeq(v.keys, "; ") {
			add(k)
		}
	}
	for k := range headed {
		add(k)
	}
	for k := range spelled {
		add(k)
	}
	for _, set := range []map[string]bool{plain, frameworks, under} {
		for k := range set {
			add(k)
		}
	}
	return out
})
