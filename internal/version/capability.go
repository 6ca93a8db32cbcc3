package version

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// ComputeCapability is a GPU's compute capability, or the target that code was
// built for.
type ComputeCapability struct {
	Major int
	Minor int // one digit, since targets are written without a dot
	// Suffix is "a" for code tied to exactly this architecture, "f" for code
	// tied to its family, "" for code that runs on later minors too. GPUs have
	// none. (CUDA programming guide, "Feature Set Compiler Targets".)
	Suffix string
}

// ParseComputeCapability reads "8.0", "9.0a", "80", "sm_80", "sm_90a",
// "compute_80" and "sm_120f". Without a dot the last digit is the minor.
func ParseComputeCapability(s string) (ComputeCapability, error) {
	s, err := clean("compute capability", s)
	if err != nil {
		return ComputeCapability{}, err
	}
	fail := func(why string) (ComputeCapability, error) {
		return ComputeCapability{}, fmt.Errorf("parsing compute capability %q: %s", s, why)
	}
	num, target := strings.CutPrefix(s, "sm_")
	if !target {
		num, target = strings.CutPrefix(s, "compute_")
	}
	var suffix string
	if n := len(num); n > 0 && (num[n-1] == 'a' || num[n-1] == 'f') {
		num, suffix = num[:n-1], num[n-1:]
	}
	major, minor, dot := strings.Cut(num, ".")
	switch {
	case dot && target:
		return fail("a target is written without a dot")
	case !dot && len(num) < 2:
		return fail("needs a major and a minor number")
	case !dot:
		major, minor = num[:len(num)-1], num[len(num)-1:]
	}
	// Two digits are enough for the major: the newest is 12.
	if major == "" || len(major) > 2 || digits(major) != len(major) || major[0] == '0' {
		return fail("the major is not a number from 1 to 99")
	}
	if len(minor) != 1 || !isDigit(minor[0]) {
		return fail("the minor is not one digit")
	}
	m, _ := strconv.Atoi(major) // one or two digits
	return ComputeCapability{Major: m, Minor: int(minor[0] - '0'), Suffix: suffix}, nil
}

// Compare returns -1, 0 or 1 by Major, then Minor. The suffix does not make an
// architecture newer.
func (v ComputeCapability) Compare(o ComputeCapability) int {
	if c := cmp.Compare(v.Major, o.Major); c != 0 {
		return c
	}
	return cmp.Compare(v.Minor, o.Minor)
}

// Less reports whether v is an older architecture than o.
func (v ComputeCapability) Less(o ComputeCapability) bool { return v.Compare(o) < 0 }

// IsZero reports whether no capability is known.
func (v ComputeCapability) IsZero() bool { return v == ComputeCapability{} }

// String returns "8.0", or "9.0a" with a suffix, or "" for the zero value.
func (v ComputeCapability) String() string {
	if v.IsZero() {
		return ""
	}
	return fmt.Sprintf("%d.%d%s", v.Major, v.Minor, v.Suffix)
}

// SM returns the name of the cubin target, "sm_90a", or "" for the zero value.
func (v ComputeCapability) SM() string {
	if v.IsZero() {
		return ""
	}
	return fmt.Sprintf("sm_%d%d%s", v.Major, v.Minor, v.Suffix)
}

// MarshalText returns String.
func (v ComputeCapability) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText is [ParseComputeCapability]; empty text is the zero value.
func (v *ComputeCapability) UnmarshalText(text []byte) error {
	return unmarshal(v, text, ParseComputeCapability)
}
