package version

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Deb is the version of a Debian package, [epoch:]upstream[-revision], ordered
// as dpkg --compare-versions orders it (deb-version(7)).
type Deb struct {
	text     string
	epoch    int
	upstream string
	revision string
}

// ParseDeb reads what dpkg reads, and refuses what dpkg calls bad syntax. Like
// dpkg it lets an upstream version start with a letter, which Debian policy
// does not, since installed packages have been seen with it.
func ParseDeb(s string) (Deb, error) {
	s, err := clean("deb", s)
	if err != nil {
		return Deb{}, err
	}
	fail := func(why string) (Deb, error) {
		return Deb{}, fmt.Errorf("parsing deb version %q: %s", s, why)
	}
	v := Deb{text: s, upstream: s}
	if epoch, rest, ok := strings.Cut(s, ":"); ok {
		v.upstream = rest
		v.epoch, err = strconv.Atoi(epoch)
		// dpkg keeps the epoch in a C int.
		if err != nil || digits(epoch) != len(epoch) || v.epoch > 1<<31-1 {
			return fail("the epoch is not a number")
		}
	}
	if i := strings.LastIndexByte(v.upstream, '-'); i >= 0 {
		v.upstream, v.revision = v.upstream[:i], v.upstream[i+1:]
		if v.revision == "" {
			return fail("the revision is empty")
		}
	}
	if v.upstream == "" {
		return fail("the upstream version is empty")
	}
	if !onlyAlnumOr(v.upstream, ".-+~:") {
		return fail("the upstream version has a character outside A-Z a-z 0-9 . - + ~ :")
	}
	if !onlyAlnumOr(v.revision, ".+~") {
		return fail("the revision has a character outside A-Z a-z 0-9 . + ~")
	}
	return v, nil
}

// Compare returns -1, 0 or 1.
func (v Deb) Compare(o Deb) int {
	if c, done := compareZero(v.IsZero(), o.IsZero()); done {
		return c
	}
	if c := cmp.Compare(v.epoch, o.epoch); c != 0 {
		return c
	}
	if c := compareDebPart(v.upstream, o.upstream); c != 0 {
		return c
	}
	return compareDebPart(v.revision, o.revision)
}

// compareDebPart alternates between a run of non-digits and a run of digits.
func compareDebPart(a, b string) int {
	for a != "" || b != "" {
		for a != "" && !isDigit(a[0]) || b != "" && !isDigit(b[0]) {
			if c := cmp.Compare(debWeight(a), debWeight(b)); c != 0 {
				return c
			}
			// Equal weights: the same character, as neither is at a digit or the end.
			a, b = a[1:], b[1:]
		}
		n, m := digits(a), digits(b)
		if c := compareDigits(a[:n], b[:m]); c != 0 {
			return c
		}
		a, b = a[n:], b[m:]
	}
	return 0
}

// debWeight orders the next character: "~" before the end (or a digit, which
// ends the run), then letters, then everything else.
func debWeight(s string) int {
	switch {
	case s == "" || isDigit(s[0]):
		return 0
	case s[0] == '~':
		return -1
	case isLetter(s[0]):
		return int(s[0])
	}
	return int(s[0]) + 256
}

func onlyAlnumOr(s, others string) bool {
	for i := 0; i < len(s); i++ {
		if !isAlnum(s[i]) && strings.IndexByte(others, s[i]) < 0 {
			return false
		}
	}
	return true
}

// Less reports whether v is older than o.
func (v Deb) Less(o Deb) bool { return v.Compare(o) < 0 }

// IsZero reports whether no version is known.
func (v Deb) IsZero() bool { return v.text == "" }

// String returns the text that was parsed.
func (v Deb) String() string { return v.text }

// MarshalText returns the text that was parsed.
func (v Deb) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// UnmarshalText is [ParseDeb]; empty text is the zero value.
func (v *Deb) UnmarshalText(text []byte) error { return unmarshal(v, text, ParseDeb) }
