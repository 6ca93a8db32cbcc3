package version

// Glibc is a release of the GNU C library as gnu_get_libc_version gives it:
// "2.36". Symbol version names in ELF files carry it after "GLIBC_".
type Glibc struct {
	text string
	nums dotted
}

// ParseGlibc reads two or three dotted numbers ("2.17", "2.2.5").
func ParseGlibc(s string) (Glibc, error) {
	s, err := clean("glibc", s)
	if err != nil {
		return Glibc{}, err
	}
	nums, err := parseDotted("glibc", s, 2, 3)
	if err != nil {
		return Glibc{}, err
	}
	return Glibc{text: s, nums: nums}, nil
}

// Compare returns -1, 0 or 1; a missing part counts as 0.
func (v Glibc) Compare(o Glibc) int {
	if c, done := compareZero(v.IsZero(), o.IsZero()); done {
		return c
	}
	return v.nums.compare(o.nums)
}

// Less reports whether v is older than o.
func (v Glibc) Less(o Glibc) bool { return v.Compare(o) < 0 }

// IsZero reports whether no version is known.
func (v Glibc) IsZero() bool { return v.text == "" }

// String returns the text that was parsed.
func (v Glibc) String() string { return v.text }

// MarshalText returns the text that was parsed.
func (v Glibc) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// UnmarshalText is [ParseGlibc]; empty text is the zero value.
func (v *Glibc) UnmarshalText(text []byte) error { return unmarshal(v, text, ParseGlibc) }
