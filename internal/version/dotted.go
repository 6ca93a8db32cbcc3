package version

import (
	"fmt"
	"strconv"
	"strings"
)

// dotted is a validated run of decimal numbers joined by dots. It stays a
// string so that the types built on it are comparable and copy cheaply.
type dotted string

// parseDotted accepts between lo and hi parts, each of which fits an int.
func parseDotted(scheme, s string, lo, hi int) (dotted, error) {
	n := 0
	for part := range strings.SplitSeq(s, ".") {
		n++
		if part == "" || digits(part) != len(part) {
			return "", fmt.Errorf("parsing %s version %q: part %d (%q) is not a number", scheme, s, n, part)
		}
		if _, err := strconv.Atoi(part); err != nil {
			return "", fmt.Errorf("parsing %s version %q: part %d is too large", scheme, s, n)
		}
	}
	switch {
	case n < lo:
		return "", fmt.Errorf("parsing %s version %q: needs at least %d dotted numbers, has %d", scheme, s, lo, n)
	case n > hi:
		return "", fmt.Errorf("parsing %s version %q: allows at most %d dotted numbers, has %d", scheme, s, hi, n)
	}
	return dotted(s), nil
}

// compare orders part by part; a missing part counts as 0.
func (d dotted) compare(o dotted) int {
	a, b := string(d), string(o)
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if c := compareDigits(x, y); c != 0 {
			return c
		}
	}
	return 0
}

// hasPrefix reports whether d starts with the numbers of p. Like compare, it
// counts a missing part of d as 0, so equal versions have the same prefixes.
func (d dotted) hasPrefix(p dotted) bool {
	a, b := string(d), string(p)
	for b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if compareDigits(x, y) != 0 {
			return false
		}
	}
	return true
}

// part returns the number at index i, 0 when there is none.
func (d dotted) part(i int) int {
	rest := string(d)
	for ; i > 0 && rest != ""; i-- {
		_, rest, _ = strings.Cut(rest, ".")
	}
	first, _, _ := strings.Cut(rest, ".")
	n, _ := strconv.Atoi(first) // parseDotted checked it; "" is 0
	return n
}

// len returns the number of parts.
func (d dotted) len() int {
	if d == "" {
		return 0
	}
	return strings.Count(string(d), ".") + 1
}

// compareZero orders the zero value of a scheme before all its versions. It
// answers done when one side is zero, because then nothing else counts.
func compareZero(a, b bool) (c int, done bool) {
	switch {
	case a && b:
		return 0, true
	case a:
		return -1, true
	case b:
		return 1, true
	}
	return 0, false
}
