package kb

import (
	"encoding/hex"
	"slices"

	"strata/internal/version"
)

// Artefact is one published file that was measured from end to end, and what it says of itself.
type Artefact struct {
	Row
	File     string         `kb:"file,key"`
	Package  string         `kb:"package,required"` // normal name
	Version  version.PEP440 `kb:"version,required"`
	Platform string         `kb:"platform,required"` // linux-x86_64
	Uploaded string         `kb:"uploaded,required"` // YYYY-MM-DD
	Size     int            `kb:"size,required"`     // bytes
	SHA256   string         `kb:"sha256,required"`
	CUDA     version.CUDA   `kb:"cuda"`  // that it was built with; zero: it does not say
	CUDNN    version.Lib    `kb:"cudnn"` // likewise
	// Glibc and GLIBCXX are the newest symbol versions that its libraries want, so that it does not load with older ones.
	Glibc   version.Glibc `kb:"glibc"`
	GLIBCXX version.Lib   `kb:"glibcxx"`
	Needed  []string      `kb:"needed"` // CUDA libraries that it links and does not bring
}

var artefacts = csvFile[Artefact]("measured/artefacts.csv", checkArtefacts)

// Artefacts returns the measured files of release v of pkg, one per platform; those of all releases where v is zero, oldest first.
func (b *Base) Artefacts(pkg string, v version.PEP440) []Artefact {
	var list []Artefact
	pkg = version.NormalName(pkg)
	for _, r := range artefacts.holding(b, pkg).Rows { // ordered by package and version
		if r.Package == pkg && (v.IsZero() || r.Version.Compare(v) == 0) {
			list = append(list, r)
		}
	}
	return list
}

// MeasuredPackages returns the names of all packages that Artefacts knows.
func (b *Base) MeasuredPackages() []string {
	var names []string
	for _, r := range artefacts.in(b).Rows {
		names = append(names, r.Package)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func checkArtefacts(_ *Base, t *Table[Artefact]) (problems []Problem) {
	byHash := map[string]int{}
	for _, r := range t.Rows {
		if sum, err := hex.DecodeString(r.SHA256); err != nil || len(sum) != 32 {
			problems = append(problems, Problem{t.Name, r.Line, "sha256 is not 64 hexadecimal digits"})
		}
		if byHash[r.SHA256] != 0 {
			problems = append(problems, Problem{t.Name, r.Line, "a second row for the same bytes"})
		}
		byHash[r.SHA256] = r.Line
		if r.Package != version.NormalName(r.Package) {
			problems = append(problems, Problem{t.Name, r.Line, "package is not in its normal form"})
		}
	}
	return problems
}
