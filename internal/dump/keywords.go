package dump

import (
	"strings"
	"sync"
)

// mayMean tells whether a key has a word of any key that is known, so that it is
// worth looking up under its headings and in its other spellings. Most of what
// logs print as a key has none.
func mayMean(key string) bool {
	words := keywords()
	var word [maxKeyword]byte // in lower case; a longer one is unknown
	n, part := 0, 0           // part is where the last word of one script begins in it: Version in driverVersion
	end := func() bool {
		w := word[:n]
		n = 0
		return known(words, w) || part > 0 && known(words, w[part:])
	}
	lower := false
	for i := range len(key) {
		c := key[i]
		switch {
		case c >= 0x80: // keyOf translates words of other languages
			return true
		case 'A' <= c && c <= 'Z':
			if lower && n < maxKeyword {
				if known(words, word[part:n]) {
					return true
				}
				part = n
			}
			c += 'a' - 'A'
			lower = false
		case 'a' <= c && c <= 'z', isDigit(c):
			lower = !isDigit(c)
		default:
			if end() {
				return true
			}
			part, lower = 0, false
			continue
		}
		if n < maxKeyword {
			word[n] = c
			n++
		}
	}
	return end()
}

// maxKeyword is longer than any word of a known key.
const maxKeyword = 48

// known tells whether a word, or the word without the number behind it, is one of a known key.
func known(words map[string]bool, w []byte) bool {
	if words[string(w)] {
		return true
	}
	n := len(w)
	for n > 0 && isDigit(w[n-1]) {
		n--
	}
	return n > 0 && n < len(w) && words[string(w[:n])]
}

// keywords are the words of all keys that take looks up.
var keywords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	add := func(key string) {
		for w := range strings.FieldsFuncSeq(key, func(c rune) bool { return c == ' ' || c == '-' || c == '.' || c == '>' }) {
			out[w] = true
		}
	}
	for k := range keys {
		add(k)
	}
	for k := range headed {
		add(k)
	}
	for k := range spelled {
		add(k)
	}
	for _, set := range []map[string]bool{plain, frameworks, under, noise} {
		for k := range set {
			add(k)
		}
	}
	return out
})
