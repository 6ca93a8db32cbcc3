package kb

import (
	"fmt"
	"strings"

	"strata/internal/version"
)

// limit returns the version that the horizon of t gives for scheme, or "". A table that can be asked by several schemes
// gives one each: "driver 620, cuda 13.5".
func (t *Table[T]) limit(scheme string) string {
	for part := range strings.SplitSeq(t.Horizon, ",") {
		if s, v, _ := strings.Cut(strings.TrimSpace(part), " "); s == scheme {
			return v
		}
	}
	return ""
}

// driverBeyond reports whether the branch of d is newer than t knows. A table without such a horizon knows no driver.
func driverBeyond[T any](t *Table[T], d version.Driver) bool {
	limit, err := version.ParseDriver(t.limit("driver"))
	return err != nil || d.Branch() > limit.Branch()
}

// cudaBeyond reports whether the minor release of v is newer than t knows. An update of a known minor release is not.
func cudaBeyond[T any](t *Table[T], v version.CUDA) bool {
	limit, err := version.ParseCUDA(t.limit("cuda"))
	return err != nil || v.Major() > limit.Major() || v.Major() == limit.Major() && v.Minor() > limit.Minor()
}

// sameMinor reports whether a and b belong to the same minor release: 12.4 and 12.4.1 do.
func sameMinor(a, b version.CUDA) bool { return a.Major() == b.Major() && a.Minor() == b.Minor() }

// reaches checks that the horizon of a table gives a version for each of schemes.
func reaches[T any](schemes ...string) func(*Base, *Table[T]) []Problem {
	return func(_ *Base, t *Table[T]) (problems []Problem) {
		for _, scheme := range schemes {
			if t.limit(scheme) == "" {
				problems = append(problems, Problem{t.Name, 1, fmt.Sprintf("horizon gives no version for %q", scheme)})
			}
		}
		return problems
	}
}
