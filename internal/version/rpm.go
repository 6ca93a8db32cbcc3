package version

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// RPM is the version of an rpm package, [epoch:]version[-release], ordered as
// rpm orders it (rpm-version(7)). A missing epoch is 0; a missing release sorts
// before any release.
type RPM struct {
	text    string
	epoch   uint32
	version string
	release string
}

// ParseRPM reads an epoch, version and release made of letters, digits and
// ". _ + ~ ^", the characters that rpmbuild allows.
func ParseRPM(s string) (RPM, error) {
	s, err := clean("rpm", s)
	if err != nil {
		return RPM{}, err
	}
	fail := func(why string) (RPM, error) {
		return RPM{}, fmt.Errorf("parsing rpm version %q: %s", s, why)
	}
	v := RPM{text: s, version: s}
	if epoch, rest, ok := strings.Cut(s, ":"); ok {
		v.version = rest
		n, err := strconv.ParseUint(epoch, 10, 32) // rpm keeps it in 32 bits
		if err != nil {
			return fail("the epoch is not a number")
		}
		v.epoch = uint32(n)
	}
	if i := strings.LastIndexByte(v.version, '-'); i >= 0 {
		v.version, v.release = v.version[:i], v.version[i+1:]
		if v.release == "" {
			return fail("the release is empty")
		}
	}
	if v.version == "" {
		return fail("the version is empty")
	}
	if !onlyAlnumOr(v.version, "._+~^") || !onlyAlnumOr(v.release, "._+~^") {
		return fail("has a character outside A-Z a-z 0-9 . _ + ~ ^")
	}
	return v, nil
}

// Compare returns -1, 0 or 1.
func (v RPM) Compare(o RPM) int {
	if c, done := compareZero(v.IsZero(), o.IsZero()); done {
		return c
	}
	if c := cmp.Compare(v.epoch, o.epoch); c != 0 {
		return c
	}
	if c := rpmvercmp(v.version, o.version); c != 0 {
		return c
	}
	if c, done := compareZero(v.release == "", o.release == ""); done {
		return c
	}
	return rpmvercmp(v.release, o.release)
}

// rpmvercmp compares segment by segment; separators only delimit. In the same
// place, "~" sorts before the end, then come the end, "^", letters and digits.
func rpmvercmp(a, b string) int {
	for a != "" || b != "" {
		a, b = skipRPMSeparators(a), skipRPMSeparators(b)
		if c := cmp.Compare(rpmRank(a), rpmRank(b)); c != 0 {
			return c
		}
		switch rpmRank(a) {
		case rankEnd:
			return 0
		case rankTilde, rankCaret:
			a, b = a[1:], b[1:]
		case rankLetter:
			n, m := letters(a), letters(b)
			if c := strings.Compare(a[:n], b[:m]); c != 0 {
				return c
			}
			a, b = a[n:], b[m:]
		case rankDigit:
			n, m := digits(a), digits(b)
			if c := compareDigits(a[:n], b[:m]); c != 0 {
				return c
			}
			a, b = a[n:], b[m:]
		}
	}
	return 0
}

const (
	rankTilde = iota
	rankEnd
	rankCaret
	rankLetter
	rankDigit
)

func rpmRank(s string) int {
	switch {
	case s == "":
		return rankEnd
	case s[0] == '~':
		return rankTilde
	case s[0] == '^':
		return rankCaret
	case isDigit(s[0]):
		return rankDigit
	}
	return rankLetter
}

func skipRPMSeparators(s string) string { return strings.TrimLeft(s, "._+") }

// letters returns the length of the run of letters that s starts with.
func letters(s string) int {
	n := 0
	for n < len(s) && isLetter(s[n]) {
		n++
	}
	return n
}

// Less reports whether v is older than o.
func (v RPM) Less(o RPM) bool { return v.Compare(o) < 0 }

// IsZero reports whether no version is known.
func (v RPM) IsZero() bool { return v.text == "" }

// String returns the text that was parsed.
func (v RPM) String() string { return v.text }

// MarshalText returns the text that was parsed.
func (v RPM) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// UnmarshalText is [ParseRPM]; empty text is the zero value.
func (v *RPM) UnmarshalText(text []byte) error { return unmarshal(v, text, ParseRPM) }
