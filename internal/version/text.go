package version

import (
	"cmp"
	"fmt"
	"strings"
)

// maxLen bounds the text of one version, specifier or range, in bytes. The longest real ones (rpm
// release strings, local versions with a commit hash) stay below 100.
const maxLen = 256

// clean trims white space and refuses what no scheme allows: nothing at all,
// too much, or bytes outside printable ASCII.
func clean(scheme, s string) (string, error) {
	if len(s) > maxLen {
		return "", fmt.Errorf("parsing %s version: %d bytes exceed the limit of %d", scheme, len(s), maxLen)
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return "", fmt.Errorf("parsing %s version: text is empty", scheme)
	}
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] > '~' {
			return "", fmt.Errorf("parsing %s version %q: byte %d is not printable ASCII", scheme, s, i)
		}
	}
	return s, nil
}

// unmarshal is the UnmarshalText of every scheme: empty text is the zero value.
func unmarshal[V any](dst *V, text []byte, parse func(string) (V, error)) error {
	var v V
	if len(text) > 0 {
		var err error
		if v, err = parse(string(text)); err != nil {
			return err
		}
	}
	*dst = v
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func isAlnum(c byte) bool { return isDigit(c) || isLetter(c) }

// digits returns the length of the run of digits that s starts with.
func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// compareDigits orders two runs of digits by value, whatever their length.
func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	if len(a) != len(b) {
		return cmp.Compare(len(a), len(b))
	}
	return strings.Compare(a, b)
}
