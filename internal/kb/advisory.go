package kb

import (
	"fmt"
	"slices"
	"strings"

	"strata/internal/version"
)

// Advisory is a known-bad combination: releases of one component that fail under conditions, although no requirement of theirs is
// violated.
type Advisory struct {
	Row `yaml:",inline"`
	ID  string `yaml:"id"` // onnxruntime-ptx-90a
	// Title says what is wrong, in one sentence.
	Title string `yaml:"title"`
	// Package is a distribution ("onnxruntime-gpu") or a component ("cublas", "cudnn", "nccl", "driver", "container-toolkit"), whose versions
	// Versions bounds.
	Package  string        `yaml:"package"`
	Versions VersionRange  `yaml:"versions"`
	When     AdvisoryWhen  `yaml:"when"`
	Layer    Layer         `yaml:"layer"`
	Severity AdvisoryLevel `yaml:"severity"`
	// Effect says what happens, Fix what to do about it, in sentences.
	Effect string `yaml:"effect"`
	Fix    string `yaml:"fix"`
	// FixedIn is the first release of Package without the defect; zero: none, or not known.
	FixedIn version.PEP440 `yaml:"fixed_in"`
	// Date is the month the defect was made public, YYYY-MM; "" where that is not known.
	Date string `yaml:"date"`
}

// AdvisoryLevel is the severity of what follows from an advisory, in the words of a finding.
type AdvisoryLevel string

// The severities of advisories. A note is worth knowing of a release and no fault of the stack, so that no finding follows from it.
const (
	AdvisoryBroken AdvisoryLevel = "broken"
	AdvisoryAtRisk AdvisoryLevel = "at-risk"
	AdvisoryNote   AdvisoryLevel = "note"
)

// UnmarshalText accepts the three and nothing else.
func (l *AdvisoryLevel) UnmarshalText(text []byte) error {
	return unmarshalWord(l, text, AdvisoryBroken, AdvisoryAtRisk, AdvisoryNote)
}

// AdvisoryWhen are the conditions of an advisory besides the version. All that are given must hold; a zero field is no condition.
type AdvisoryWhen struct {
	CCFrom  version.ComputeCapability `yaml:"cc_from"`  // some GPU is at least this
	CCBelow version.ComputeCapability `yaml:"cc_below"` // and, the same GPU, older than this
	// CUDAMajors are the CUDA majors that Package was built for.
	CUDAMajors []int `yaml:"cuda_majors"`
	// Variants are local versions of Package: cu128. One of them is enough.
	Variants []string `yaml:"variants"`
	// MinGPUs is how many GPUs the workload sees at least.
	MinGPUs int `yaml:"min_gpus"`
	// With are other packages or components in the same environment. One of them is enough.
	With []AdvisoryWith `yaml:"with"`
	// Also is a second list like With, for what must be there besides.
	Also []AdvisoryWith `yaml:"also"`
	// SecondCopy is another copy of a component on the loader's path, besides the one of Package.
	SecondCopy *AdvisoryWith `yaml:"second_copy"`
}

// AdvisoryWith is another package or component, in any version when Versions is zero.
type AdvisoryWith struct {
	Package  string       `yaml:"package"`
	Versions VersionRange `yaml:"versions"`
}

// VersionRange is a range of versions as a YAML field: ">=1.23.0,<1.23.1". Versions of libraries are written in the same scheme.
type VersionRange struct{ version.Range[version.PEP440] }

// UnmarshalText reads what [version.ParseRange] reads.
func (r *VersionRange) UnmarshalText(text []byte) (err error) {
	r.Range, err = version.ParseRange(string(text), version.ParsePEP440)
	return err
}

var advisories = yamlFile("advisories.yaml", checkAdvisories)

// Advisories returns the advisories about pkg, a distribution or a component, whatever their versions and conditions.
func (b *Base) Advisories(pkg string) []Advisory {
	var list []Advisory
	if pkg = version.NormalName(pkg); pkg == "" {
		return nil
	}
	for _, a := range advisoriesAbout(b, pkg).Rows {
		if a.Package == pkg {
			list = append(list, a)
		}
	}
	return list
}

// advisoriesAbout returns a part of the table that has all advisories about pkg.
func advisoriesAbout(b *Base, pkg string) *Table[Advisory] {
	return advisories.part(b, pkg, func(record string) bool {
		for line := range strings.Lines(record) {
			if _, value, ok := strings.Cut(line, "package"); ok && (strings.Contains(value, pkg) || strings.Trim(value, `"': `+"\n") == "") {
				return true
			}
		}
		return false
	})
}

// AdvisoriesFor returns the advisories about pkg that hold, or may hold, for release v in circumstances c.
func (b *Base) AdvisoriesFor(pkg string, v version.PEP440, c Circumstances) []Match {
	var list []Match
	for _, a := range b.Advisories(pkg) {
		if applies := a.Applies(v, c); applies != DoesNotApply {
			list = append(list, Match{a, applies})
		}
	}
	return list
}

// Cite returns the source of a.
func (b *Base) Cite(a Advisory) Ref { return refTo(b, advisoriesAbout(b, a.Package), a.Row) }

// Match is an advisory that concerns a stack.
type Match struct {
	Advisory
	Applies Applicability
}

func checkAdvisories(_ *Base, t *Table[Advisory]) (problems []Problem) {
	var ids []string
	for _, a := range t.Rows {
		report := func(format string, args ...any) {
			problems = append(problems, Problem{t.Name, a.Line, fmt.Sprintf(format, args...)})
		}
		for name, text := range map[string]string{
			"id": a.ID, "title": a.Title, "package": a.Package, "layer": string(a.Layer),
			"severity": string(a.Severity), "effect": a.Effect, "fix": a.Fix,
		} {
			if text == "" {
				report("field %q is empty", name)
			}
		}
		if a.Package != version.NormalName(a.Package) {
			report("package %q is not in its normal form", a.Package)
		}
		if slices.Contains(ids, a.ID) {
			report("id %q is given twice", a.ID)
		}
		ids = append(ids, a.ID)
		if !a.FixedIn.IsZero() && a.Versions.Contains(a.FixedIn) {
			report("fixed_in is among the versions that are affected")
		}
		if a.Versions.IsZero() && a.When.isZero() {
			report("holds for every version under no condition")
		}
	}
	return problems
}

func (w AdvisoryWhen) isZero() bool {
	return w.CCFrom.IsZero() && w.CCBelow.IsZero() && w.CUDAMajors == nil && w.Variants == nil && w.MinGPUs == 0 && w.With == nil && w.Also == nil && w.SecondCopy == nil
}
