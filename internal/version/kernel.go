package version

import (
	"cmp"
	"fmt"
	"strings"
)

// Kernel is a Linux kernel release as uname -r gives it: "6.8.0-45-generic",
// "5.14.0-427.13.1.el9_4.x86_64", "6.6.87.2-microsoft-standard-WSL2".
//
// The order is that of the dotted numbers in front, then of the dotted numbers
// after the first "-" (the ABI number or package release). A release candidate
// ("6.12.0-rc3") sorts before its release. The flavour has no order: "-generic"
// and "-aws" with the same numbers compare equal.
type Kernel struct {
	text string
	base dotted // 6.8.0
	rc   dotted // 3 for -rc3
	abi  dotted // 45, 427.13.1
}

// ParseKernel reads two to four dotted numbers and whatever follows them after
// a "-" or "+" ("5.4.0+" is a tree built with local changes).
func ParseKernel(s string) (Kernel, error) {
	s, err := clean("kernel", s)
	if err != nil {
		return Kernel{}, err
	}
	head, rest := leadingDotted(s)
	if rest != "" && (rest[0] != '-' && rest[0] != '+' || strings.Contains(rest, " ")) {
		return Kernel{}, fmt.Errorf("parsing kernel version %q: %q does not follow a kernel release", s, rest)
	}
	v := Kernel{text: s}
	if v.base, err = parseDotted("kernel", head, 2, 4); err != nil {
		return Kernel{}, err
	}
	rest, _ = strings.CutPrefix(rest, "-")
	if after, ok := strings.CutPrefix(rest, "rc"); ok && digits(after) > 0 {
		n := digits(after)
		if v.rc, err = parseDotted("kernel", after[:n], 1, 1); err != nil {
			return Kernel{}, err
		}
		rest, _ = strings.CutPrefix(after[n:], "-")
	}
	if abi, _ := leadingDotted(rest); abi != "" {
		if v.abi, err = parseDotted("kernel", abi, 1, maxLen); err != nil {
			return Kernel{}, err
		}
	}
	return v, nil
}

// leadingDotted splits s after the dotted numbers it starts with.
func leadingDotted(s string) (head, rest string) {
	n := digits(s)
	for n > 0 && n+1 < len(s) && s[n] == '.' && isDigit(s[n+1]) {
		n += 1 + digits(s[n+1:])
	}
	return s[:n], s[n:]
}

// Compare returns -1, 0 or 1.
func (v Kernel) Compare(o Kernel) int {
	if c, done := compareZero(v.IsZero(), o.IsZero()); done {
		return c
	}
	if c := v.base.compare(o.base); c != 0 {
		return c
	}
	if v.rc == "" || o.rc == "" {
		if v.rc != o.rc { // the one that is a candidate is older
			return cmp.Compare(len(o.rc), len(v.rc))
		}
	} else if c := v.rc.compare(o.rc); c != 0 {
		return c
	}
	return v.abi.compare(o.abi)
}

// Less reports whether v is older than o.
func (v Kernel) Less(o Kernel) bool { return v.Compare(o) < 0 }

// IsZero reports whether no version is known.
func (v Kernel) IsZero() bool { return v.text == "" }

// String returns the text that was parsed.
func (v Kernel) String() string { return v.text }

// MarshalText returns the text that was parsed.
func (v Kernel) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// UnmarshalText is [ParseKernel]; empty text is the zero value.
func (v *Kernel) UnmarshalText(text []byte) error { return unmarshal(v, text, ParseKernel) }
