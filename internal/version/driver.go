package version

import (
	"fmt"
	"strings"
)

// Driver is the version of an NVIDIA driver as /proc/driver/nvidia/version,
// nvidia-smi and NVML give it: "535.129.03", "340.108".
//
// Only the numbers have an order: "545.23.08" equals "545.23.8", "570" equals
// "570.0", and the suffix of a repackaged driver ("535.161.05-grid") is kept
// but not compared, since it names a packaging of the same release.
type Driver struct {
	text string
	nums dotted
}

// oldestBranch is the lowest branch number in NVIDIA's archive of Unix drivers
// (legacy 71.86.xx, https://www.nvidia.com/en-us/drivers/unix/). Lower numbers
// are of another scheme: vGPU software releases ("17.4") and Windows display
// driver model forms ("31.0.15.3713"). Taken for drivers, both would look
// older than any driver.
const oldestBranch = 71

// ParseDriver reads one to three dotted numbers, then optionally "-" and a
// suffix. A branch alone ("570") is accepted, for use as a bound.
func ParseDriver(s string) (Driver, error) {
	s, err := clean("driver", s)
	if err != nil {
		return Driver{}, err
	}
	head, suffix, cut := strings.Cut(s, "-")
	if cut && !isSuffix(suffix) {
		return Driver{}, fmt.Errorf("parsing driver version %q: %q is not a suffix of letters, digits and .+~_-", s, suffix)
	}
	nums, err := parseDotted("driver", head, 1, 4)
	switch {
	case err != nil:
		return Driver{}, err
	case nums.len() == 4:
		return Driver{}, fmt.Errorf("parsing driver version %q: four numbers are a Windows driver package; "+
			"give the NVIDIA version that nvidia-smi prints", s)
	case nums.part(0) < oldestBranch:
		return Driver{}, fmt.Errorf("parsing driver version %q: no driver branch is below %d; "+
			"a vGPU software release is not a driver version", s, oldestBranch)
	}
	return Driver{text: s, nums: nums}, nil
}

// Branch returns the first number, 535 for "535.129.03".
func (v Driver) Branch() int { return v.nums.part(0) }

// Suffix returns what follows the first "-", or "".
func (v Driver) Suffix() string {
	_, suffix, _ := strings.Cut(v.text, "-")
	return suffix
}

// Compare returns -1, 0 or 1, by the numbers alone.
func (v Driver) Compare(o Driver) int {
	if c, done := compareZero(v.IsZero(), o.IsZero()); done {
		return c
	}
	return v.nums.compare(o.nums)
}

// Less reports whether v is older than o.
func (v Driver) Less(o Driver) bool { return v.Compare(o) < 0 }

// IsZero reports whether no version is known.
func (v Driver) IsZero() bool { return v.text == "" }

// String returns the text that was parsed.
func (v Driver) String() string { return v.text }

// MarshalText returns the text that was parsed.
func (v Driver) MarshalText() ([]byte, error) { return []byte(v.text), nil }

// UnmarshalText is [ParseDriver]; empty text is the zero value.
func (v *Driver) UnmarshalText(text []byte) error { return unmarshal(v, text, ParseDriver) }

func isSuffix(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isAlnum(s[i]) && !strings.ContainsRune(".+~_-", rune(s[i])) {
			return false
		}
	}
	return s != ""
}
