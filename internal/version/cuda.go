package version

import (
	"fmt"
	"strings"
)

// CUDA is a release of CUDA: "12.4", "12.4.1". A missing part counts as 0.
// The build number of one toolkit component ("12.4.131") is a [Lib].
type CUDA struct {
	text string
	nums dotted
}

// ParseCUDA reads one to three dotted numbers; "12" alone serves as a bound.
func ParseCUDA(s string) (CUDA, error) {
	s, err := clean("CUDA", s)
	if err != nil {
		return CUDA{}, err
	}
	nums, err := parseDotted("CUDA", s, 1, 3)
	if err != nil {
		return CUDA{}, err
	}
	return CUDA{text: s, nums: nums}, nil
}

// CUDAFromInt reads the number that CUDA_VERSION, cuDriverGetVersion and
// cudaRuntimeGetVersion give, 1000*major + 10*minor: 12040 is "12.4"
// (https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VERSION.html).
// The last digit carries nothing and is ignored.
func CUDAFromInt(n int) (CUDA, error) {
	// CUDA 1.0 is the first release, and majors have two digits at most.
	if n < 1000 || n > 99_999 {
		return CUDA{}, fmt.Errorf("reading CUDA version number %d: not of the form 1000*major + 10*minor", n)
	}
	return ParseCUDA(fmt.Sprintf("%d.%d", n/1000, n%1000/10))
}

// ParseCUDATag reads the tag that frameworks put into a local version or an
// index name: "cu121" is 12.1, "cu92" is 9.2; the last digit is the minor.
//
// It answers false for anything else. That includes "cu12" and "cu13" as in
// nvidia-cublas-cu12, which name a major alone, and four digits, where it is
// not settled which of them are the minor.
func ParseCUDATag(tag string) (CUDA, bool) {
	num, ok := strings.CutPrefix(tag, "cu")
	if !ok || digits(num) != len(num) {
		return CUDA{}, false
	}
	switch {
	case len(num) == 2 && num[0] >= '7': // PyTorch's oldest tags are cu75 and cu80
	case len(num) == 3 && num[0] != '0':
	default:
		return CUDA{}, false
	}
	last := len(num) - 1
	v, err := ParseCUDA(num[:last] + "." + num[last:])
	return v, err == nil
}

// Major returns 12 for "12.4.1".
func (v CUDA) Major() int { return v.nums.part(0) }

// Minor returns 4 for "12.4.1", and 0 when only the major is known.
func (v CUDA) Minor() int { return v.nums.part(1) }

// Compare returns -1, 0 or 1.
func (v CUDA) Compare(o CUDA) int {
	if c, done := compareZero(v.IsZero(), o.IsZero()); done {
		return c
	}
	return v.nums.compare(o.nums)
}

// Less reports whether v is older than o.
func (v CUDA) Less(o CUDA) bool { return v.Compare(o) < 0 }

// IsZero reports whether no version is known.
func (v CUDA) IsZero() bool { return v.text == "" }

// String returns the text that was parsed.
func (v CUDA) String() string { return v.text }

// MarshalText returns the text that was parsed.
func (v CUDA) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// UnmarshalText is [ParseCUDA]; empty text is the zero value.
func (v *CUDA) UnmarshalText(text []byte) error { return unmarshal(v, text, ParseCUDA) }
