package version

import (
	"fmt"
	"strconv"
	"strings"

	pep440 "github.com/aquasecurity/go-pep440-version"
)

// PEP440 is the version of a Python distribution: "2.7.1+cu126", "2.1.0rc1".
// (https://packaging.python.org/en/latest/specifications/version-specifiers/)
type PEP440 struct {
	text  string
	norm  string // normal form, with the local version
	order string // sorts as the version does; see orderKey
	ends  keyEnds
}

// ParsePEP440 reads a version in any spelling that PEP 440 normalises.
//
// Grammar and normal form come from go-pep440-version. Its Compare is not used:
// it writes to shared memory (the padding of the release) and so may not be
// called from two goroutines, and it does not treat "1+a-1" as "1+a.1".
//
// Tables and rules read the same few hundred versions again and again, and the
// grammar is a regular expression of some 10 µs, so answers are remembered.
func ParsePEP440(s string) (PEP440, error) {
	s, err := clean("PEP 440", s)
	if err != nil {
		return PEP440{}, err
	}
	if v, ok := parsedPEP440.get(s); ok {
		return v, nil
	}
	v, err := parsePEP440(s)
	if err == nil {
		parsedPEP440.put(s, v)
	}
	return v, err
}

func parsePEP440(s string) (PEP440, error) {
	if isPlainRelease(s) {
		v := PEP440{text: s, norm: s}
		v.order, v.ends = orderKey(v)
		return v, nil
	}
	parsed, err := pep440.Parse(s)
	if err != nil {
		return PEP440{}, fmt.Errorf("parsing PEP 440 version %q: %w", s, err)
	}
	v := PEP440{text: s, norm: parsed.Public()}
	for part := range strings.SplitSeq(v.releaseText(), ".") {
		if _, err := strconv.Atoi(part); err != nil {
			return PEP440{}, fmt.Errorf("parsing PEP 440 version %q: release number %s is too large", s, part)
		}
	}
	if local := parsed.Local(); local != "" {
		v.norm += "+" + strings.NewReplacer("-", ".", "_", ".").Replace(local)
	}
	v.order, v.ends = orderKey(v)
	return v, nil
}

// isPlainRelease tells whether s is a release in its normal form and nothing else: 2.7.1. Most versions are, and need no pattern.
func isPlainRelease(s string) bool {
	digits := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.' && digits > 0:
			digits = 0
		case '0' <= c && c <= '9' && (digits == 0 || s[i-digits] != '0') && digits < maxPlainDigits:
			digits++
		default:
			return false
		}
	}
	return digits > 0
}

// maxPlainDigits fit into an int of 64 bits.
const maxPlainDigits = 18

// Public returns the normal form without the local version: "2.7.1".
func (v PEP440) Public() string {
	public, _, _ := strings.Cut(v.norm, "+")
	return public
}

// Local returns the local version in normal form, "cu126", or "".
func (v PEP440) Local() string {
	_, local, _ := strings.Cut(v.norm, "+")
	return local
}

// Release returns the numbers of the release segment: 2, 7, 1. It is nil for
// the zero value.
func (v PEP440) Release() []int {
	if v.IsZero() {
		return nil
	}
	var nums []int
	for part := range strings.SplitSeq(v.releaseText(), ".") {
		n, _ := strconv.Atoi(part) // ParsePEP440 checked it
		nums = append(nums, n)
	}
	return nums
}

// IsPre reports whether v is a pre-release or a development release.
func (v PEP440) IsPre() bool {
	return v.preText() != "" || v.isDev()
}

// Compare returns -1, 0 or 1. A local version sorts after its public version.
func (v PEP440) Compare(o PEP440) int { return strings.Compare(v.order, o.order) }

// Less reports whether v is older than o.
func (v PEP440) Less(o PEP440) bool { return v.Compare(o) < 0 }

// IsZero reports whether no version is known.
func (v PEP440) IsZero() bool { return v.text == "" }

// String returns the text that was parsed.
func (v PEP440) String() string { return v.text }

// MarshalText returns the text that was parsed.
func (v PEP440) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// UnmarshalText is [ParsePEP440]; empty text is the zero value.
func (v *PEP440) UnmarshalText(text []byte) error { return unmarshal(v, text, ParsePEP440) }

// epochText returns "1" for 1!2.3, and "" without an epoch.
func (v PEP440) epochText() string {
	epoch, _, ok := strings.Cut(v.norm, "!")
	if !ok {
		return ""
	}
	return epoch
}

// releaseText returns "2.7.1" for 1!2.7.1rc1.post2.
func (v PEP440) releaseText() string {
	head, _ := leadingDotted(v.withoutEpoch())
	return head
}

// preText returns "rc1" for 1!2.7.1rc1.post2.
func (v PEP440) preText() string {
	_, rest := leadingDotted(v.withoutEpoch())
	rest, _, _ = strings.Cut(rest, "+")
	pre, _, _ := strings.Cut(rest, ".")
	return pre
}

func (v PEP440) isDev() bool { return strings.Contains(v.Public(), ".dev") }

func (v PEP440) isPost() bool { return strings.Contains(v.Public(), ".post") }

func (v PEP440) withoutEpoch() string {
	if _, rest, ok := strings.Cut(v.norm, "!"); ok {
		return rest
	}
	return v.norm
}
