package kb

import (
	"fmt"
	"strings"

	"strata/internal/version"
)

// Disagreement is something that a published text says of a build and its file does not bear out.
type Disagreement struct {
	Row
	Package  string  `kb:"package,key"`
	Releases string  `kb:"releases,key"` // in words: "2.12.0 to 2.14.1"
	What     Measure `kb:"what,key"`
	Read     string  `kb:"read,required"` // what the text says, in the form of the measurement
	File     string  `kb:"file,required"` // an artefact that shows it
}

// Measure is what was measured.
type Measure string

// The measures that texts get wrong.
const (
	MeasuredCubins Measure = "cubins"
	MeasuredPTX    Measure = "ptx"
	MeasuredCUDA   Measure = "cuda"
	MeasuredCUDNN  Measure = "cudnn" // the release that the metadata pins
)

// UnmarshalText accepts these and nothing else.
func (m *Measure) UnmarshalText(text []byte) error {
	return unmarshalWord(m, text, MeasuredCubins, MeasuredPTX, MeasuredCUDA, MeasuredCUDNN)
}

var disagreements = csvFile("measured/disagreements.csv", checkDisagreements)

// Disagreements returns all that are known, in the order of the file.
func (b *Base) Disagreements() []Disagreement { return disagreements.in(b).Rows }

// Measured returns what the file of a disagreement says, in the words of the tables; false where it was not measured.
func (b *Base) Measured(d Disagreement) (string, bool) {
	for _, a := range b.Artefacts(d.Package, version.PEP440{}) {
		if a.File != d.File {
			continue
		}
		code, ok := b.MeasuredCode(a)
		switch d.What {
		case MeasuredCubins:
			return code.Archs.String(), ok
		case MeasuredPTX:
			return code.PTX.String(), ok
		case MeasuredCUDA:
			return a.CUDA.String(), !a.CUDA.IsZero()
		case MeasuredCUDNN:
			return b.pinned(a, "nvidia-cudnn-cu")
		}
	}
	return "", false
}

// pinned is the one version that a release asks for of the package whose name starts with prefix.
func (b *Base) pinned(a Artefact, prefix string) (string, bool) {
	for _, p := range b.Release(a.Package, a.Version).Value.Requires.List() {
		if v, exact := strings.CutPrefix(p.Clauses, "=="); exact && p.Extra == "" && strings.HasPrefix(p.Package, prefix) {
			return v, true
		}
	}
	return "", false
}

func checkDisagreements(b *Base, t *Table[Disagreement]) (problems []Problem) {
	for _, d := range t.Rows {
		got, ok := b.Measured(d)
		switch {
		case !ok:
			problems = append(problems, Problem{t.Name, d.Line, fmt.Sprintf("%q was not measured, or says nothing of it", d.File)})
		case got == d.Read:
			problems = append(problems, Problem{t.Name, d.Line, "the file says the same; this is no disagreement"})
		}
	}
	return problems
}
