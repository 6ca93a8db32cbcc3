package version

// PTX is a version of the PTX instruction set, as in the .version directive of
// a PTX file: "8.4". It is not the CUDA version that introduced it.
type PTX struct {
	text string
	nums dotted
}

// ParsePTX reads two dotted numbers.
func ParsePTX(s string) (PTX, error) {
	s, err := clean("PTX ISA", s)
	if err != nil {
		return PTX{}, err
	}
	nums, err := parseDotted("PTX ISA", s, 2, 2)
	if err != nil {
		return PTX{}, err
	}
	return PTX{text: s, nums: nums}, nil
}

// Major returns 8 for "8.4".
func (v PTX) Major() int { return v.nums.part(0) }

// Minor returns 4 for "8.4".
func (v PTX) Minor() int { return v.nums.part(1) }

// Compare returns -1, 0 or 1.
func (v PTX) Compare(o PTX) int {
	if c, done := compareZero(v.IsZero(), o.IsZero()); done {
		return c
	}
	return v.nums.compare(o.nums)
}

// Less reports whether v is older than o.
func (v PTX) Less(o PTX) bool { return v.Compare(o) < 0 }

// IsZero reports whether no version is known.
func (v PTX) IsZero() bool { return v.text == "" }

// String returns the text that was parsed.
func (v PTX) String() string { return v.text }

// MarshalText returns the text that was parsed.
func (v PTX) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// UnmarshalText is [ParsePTX]; empty text is the zero value.
func (v *PTX) UnmarshalText(text []byte) error { return unmarshal(v, text, ParsePTX) }
