package kb

import (
	"fmt"
	"strings"

	"strata/internal/version"
)

// Code is the GPU code that every kernel of a build comes with, by target.
type Code struct {
	Archs Targets `kb:"archs"` // cubins: sm_80
	PTX   Targets `kb:"ptx"`   // what a driver can compile for GPUs newer than the build: compute_90
}

// Targets is a list of compilation targets. The list of a build that has none is Known and empty; the zero value says that nobody
// looked.
type Targets struct {
	Known bool
	List  []version.ComputeCapability
}

// UnmarshalText reads "sm_80;sm_90a" or "none".
func (t *Targets) UnmarshalText(text []byte) error {
	if string(text) == "none" {
		*t = Targets{Known: true}
		return nil
	}
	var list []version.ComputeCapability
	for part := range strings.SplitSeq(string(text), ";") {
		cc, err := version.ParseComputeCapability(part)
		if err != nil {
			return err
		}
		if n := len(list); n > 0 && list[n-1].Compare(cc) >= 0 {
			return fmt.Errorf("%q does not follow %s in order", part, list[n-1])
		}
		list = append(list, cc)
	}
	*t = Targets{Known: true, List: list}
	return nil
}

// Has reports whether target, such as 9.0 or 9.0a, is in the list, suffix included.
func (t Targets) Has(target version.ComputeCapability) bool {
	for _, cc := range t.List {
		if cc == target {
			return true
		}
	}
	return false
}

// Need says how much a package depends on a library.
type Need string

// The degrees of need; "" is not known.
const (
	NeedNone     Need = "none"
	NeedOptional Need = "optional" // some operations fail without it
	NeedRequired Need = "required" // no GPU without it
)

// UnmarshalText accepts the three and nothing else.
func (n *Need) UnmarshalText(text []byte) error {
	return unmarshalWord(n, text, NeedNone, NeedOptional, NeedRequired)
}
