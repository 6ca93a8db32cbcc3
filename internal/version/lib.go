package version

import "fmt"

// Lib is the dotted numeric version of a library: cuBLAS "12.4.5.8", cuDNN
// "9.1.0.70", NCCL "2.21.5", a soname's "12". A missing part counts as 0.
type Lib struct {
	text string
	nums dotted
}

// ParseLib reads any number of dotted numbers.
func ParseLib(s string) (Lib, error) {
	s, err := clean("library", s)
	if err != nil {
		return Lib{}, err
	}
	nums, err := parseDotted("library", s, 1, maxLen)
	if err != nil {
		return Lib{}, err
	}
	return Lib{text: s, nums: nums}, nil
}

// CUDNNFromInt reads CUDNN_VERSION, which cudnnGetVersion returns. By
// cudnn_version.h it is major*1000 + minor*100 + patch up to cuDNN 8 (8907 is
// 8.9.7) and major*10000 + minor*100 + patch from cuDNN 9 (90100 is 9.1.0).
func CUDNNFromInt(n int) (Lib, error) {
	return libFromInt("cuDNN", n, n < 9_000, n >= 90_000)
}

// NCCLFromInt reads NCCL_VERSION_CODE, which ncclGetVersion returns. By nccl.h
// it is X*1000 + Y*100 + Z up to NCCL 2.8 (2708 is 2.7.8) and
// X*10000 + Y*100 + Z from NCCL 2.9 (21805 is 2.18.5).
func NCCLFromInt(n int) (Lib, error) {
	return libFromInt("NCCL", n, n < 2_900, n >= 20_900)
}

// TensorRTFromInt reads NV_TENSORRT_VERSION, which getInferLibVersion returns.
// By NvInferRuntimeBase.h it is major*1000 + minor*100 + patch up to TensorRT 8
// (8601 is 8.6.1) and major*10000 + minor*100 + patch from TensorRT 10
// (100300 is 10.3.0).
func TensorRTFromInt(n int) (Lib, error) {
	return libFromInt("TensorRT", n, n < 10_000, n >= 100_000)
}

// libFromInt undoes the two encodings. What is in neither, because the product
// has no such release, is an error and not a guess.
func libFromInt(product string, n int, old, recent bool) (Lib, error) {
	// The smallest number of the old form is version 1.0.0; majors have two
	// digits at most.
	switch {
	case old && n >= 1_000:
		return ParseLib(fmt.Sprintf("%d.%d.%d", n/1_000, n%1_000/100, n%100))
	case recent && n < 1_000_000:
		return ParseLib(fmt.Sprintf("%d.%d.%d", n/10_000, n%10_000/100, n%100))
	}
	return Lib{}, fmt.Errorf("reading %s version number %d: no release is encoded like this", product, n)
}

// Major returns 9 for "9.1.0.70".
func (v Lib) Major() int { return v.nums.part(0) }

// Minor returns 1 for "9.1.0.70", and 0 when only the major is known.
func (v Lib) Minor() int { return v.nums.part(1) }

// HasPrefix reports whether v starts with the numbers of p: "9.1.0.70" has the
// prefix "9.1", "9.10" has not. A zero p is a prefix of every version; a zero v
// has no prefix.
func (v Lib) HasPrefix(p Lib) bool { return !v.IsZero() && v.nums.hasPrefix(p.nums) }

// Compare returns -1, 0 or 1.
func (v Lib) Compare(o Lib) int {
	if c, done := compareZero(v.IsZero(), o.IsZero()); done {
		return c
	}
	return v.nums.compare(o.nums)
}

// Less reports whether v is older than o.
func (v Lib) Less(o Lib) bool { return v.Compare(o) < 0 }

// IsZero reports whether no version is known.
func (v Lib) IsZero() bool { return v.text == "" }

// String returns the text that was parsed.
func (v Lib) String() string { return v.text }

// MarshalText returns the text that was parsed.
func (v Lib) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// UnmarshalText is [ParseLib]; empty text is the zero value.
func (v *Lib) UnmarshalText(text []byte) error { return unmarshal(v, text, ParseLib) }
