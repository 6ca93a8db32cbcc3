package kb

import (
	"fmt"
	"strings"

	"strata/internal/version"
)

// MinDriver is the oldest driver that programs built with a CUDA toolkit start on.
type MinDriver struct {
	Linux   version.Driver
	Windows version.Driver // zero: not known
	Basis   Basis
	// FeatureBranch is the driver branch that features and platforms introduced in this toolkit need, although its other
	// code starts on an older one. 0: no such exception is known.
	FeatureBranch int
	Note          string
}

// Basis is the rule that a minimum driver follows from.
type Basis string

const (
	// MinorVersion is minor-version compatibility: since CUDA 11 the floor of the major release holds for all its minors. It does
	// not cover PTX that must be compiled by the driver, nor GPUs that the driver does not know.
	MinorVersion Basis = "minor-version"
	// Toolkit is the toolkit's own row of the release notes, which binds CUDA 10.2 and older.
	Toolkit Basis = "toolkit"
)

// MinorCompat is the floor of minor-version compatibility for a range of toolkits of one CUDA major release.
type MinorCompat struct {
	Row
	Major         int            `kb:"major,required"`
	From          version.CUDA   `kb:"from,key"`
	Below         version.CUDA   `kb:"below,required"` // the first toolkit after the range
	Linux         version.Driver `kb:"min_linux,required"`
	Windows       version.Driver `kb:"min_windows"`
	FeatureBranch int            `kb:"feature_branch"`
	Note          string         `kb:"note"`
}

var minorCompat = csvFile("nvidia/minor_compat.csv", reaches[MinorCompat]("cuda"), checkMinorCompat)

// MinDriverFor returns the oldest driver for programs built with toolkit v. Where v is a major alone it is one for each of its minors.
func (b *Base) MinDriverFor(v version.CUDA) Answer[MinDriver] {
	t := minorCompat.in(b)
	switch {
	case v.IsZero():
		return notFound[MinDriver](t, "no CUDA version given")
	case cudaBeyond(t, v):
		return beyond[MinDriver](t, "CUDA "+v.String())
	case v.Major() <= 10:
		return b.minDriverOfToolkit(v)
	case !strings.Contains(v.String(), "."): // "11" is no 11.0, which alone has a lower floor
		return b.MinDriverForMajor(v.Major())
	}
	for _, r := range t.Rows {
		if (version.Range[version.CUDA]{Min: r.From, Max: r.Below}).Contains(v) {
			return found(b, t, r.Row, MinDriver{r.Linux, r.Windows, MinorVersion, r.FeatureBranch, r.Note})
		}
	}
	return notFound[MinDriver](t, "no driver floor is known for CUDA %s", v)
}

// MinDriverForMajor returns the floor of CUDA major, which is the one of its newest minors (11.0 alone has a lower one). Before CUDA
// 11 a major release has no floor; ask [Base.MinDriverFor].
func (b *Base) MinDriverForMajor(major int) Answer[MinDriver] {
	t := minorCompat.in(b)
	for i := len(t.Rows) - 1; i >= 0; i-- {
		if r := t.Rows[i]; r.Major == major {
			return found(b, t, r.Row, MinDriver{r.Linux, r.Windows, MinorVersion, r.FeatureBranch, r.Note})
		}
	}
	if limit, err := version.ParseCUDA(t.limit("cuda")); err == nil && major > limit.Major() {
		return beyond[MinDriver](t, fmt.Sprintf("CUDA %d", major))
	}
	return notFound[MinDriver](t, "CUDA %d has no floor for all its minor releases", major)
}

// minDriverOfToolkit answers from the release table: of all releases of the same minor the first, unless v names one.
func (b *Base) minDriverOfToolkit(v version.CUDA) Answer[MinDriver] {
	release := b.CUDARelease(v)
	if !release.Known {
		return Answer[MinDriver]{Why: release.Why, Ref: release.Ref}
	}
	return Answer[MinDriver]{
		Known: true,
		Value: MinDriver{Linux: release.Value.TableLinux, Windows: release.Value.TableWindows, Basis: Toolkit, Note: release.Value.Note},
		Ref:   release.Ref,
	}
}

func checkMinorCompat(_ *Base, t *Table[MinorCompat]) (problems []Problem) {
	for i, r := range t.Rows {
		if r.From.Major() != r.Major || !r.From.Less(r.Below) {
			problems = append(problems, Problem{t.Name, r.Line, "from and below do not enclose toolkits of this major release"})
		}
		if i > 0 && r.From.Compare(t.Rows[i-1].Below) != 0 {
			problems = append(problems, Problem{t.Name, r.Line, "does not start where the row before ends"})
		}
	}
	return problems
}
