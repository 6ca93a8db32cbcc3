// Package rule says what a rule is: one documented value and one small pure
// function. Rules judge; they never read a machine. The engine is in package
// diagnose, the rules themselves are in rules/<layer>.
package rule

import (
	"fmt"
	"regexp"
	"strings"

	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/stack"
	"strata/internal/version"
)

// Rule is one thing that can be wrong with a GPU stack.
type Rule struct {
	// ID is three letters for the layer and three digits. It is the rule's file
	// name, its folder of test machines, its page and its key in every output.
	// It is never reused and never changes.
	ID string
	// Slug is the ID in words; it may improve over time.
	Slug  string
	Layer Layer
	// Severity is what a finding weighs unless Check says otherwise.
	Severity Severity
	// Title is the finding in one line, without details.
	Title string
	// Scope says whether the rule looks at the machine once or at every workload.
	Scope Scope
	// Needs are the facts without which nothing can be said. Where one is not
	// known the engine answers Unknown with its reason, and Check is not called.
	Needs []Need
	// After are rules whose finding explains this one's: where one of them
	// found something for the same workload, this rule stays silent.
	After []string
	// Doc explains the rule to its user: what happens, why, and what to do about it.
	Doc string
	// Cites are the published sources the rule rests on.
	Cites []Cite
	// Since is the first version of Strata with this rule.
	Since string
	// Check judges. It is total and pure.
	Check func(*Input) Verdict
}

// Cite is a published source.
type Cite struct {
	Title string
	URL   string
	// Date is when it was read, YYYY-MM-DD.
	Date string
}

// Scope is what a rule is asked about.
type Scope uint8

const (
	PerMachine  Scope = iota // once for the layers that all workloads share
	PerWorkload              // once for each framework in each environment
)

// Input is all that a rule may look at.
type Input struct {
	*derive.View
	// Workload is nil for a rule that looks at the machine.
	Workload *derive.Workload
}

// Framework is the workload's framework; nil for a rule that looks at the machine.
func (in *Input) Framework() *stack.Framework {
	if in.Workload == nil {
		return nil
	}
	return in.Workload.Framework
}

// BuiltWith is the CUDA that the workload was built with, for a rule that names
// NeedBuildCUDA: from the build's own files, else from what is published for
// the release or what the program links. A major alone where no more is known.
func (in *Input) BuiltWith() stack.Fact[version.CUDA] {
	if f := in.Framework(); f.CUDA.Known() {
		return f.CUDA
	}
	c := in.BuildCUDA(in.Workload)
	if c.IsZero() {
		return stack.Fact[version.CUDA]{}
	}
	if wheel, _, ok := derive.CompilerWheel(in.Workload); ok {
		return stack.Know(c, wheel.From)
	}
	return stack.Know(c, in.Framework().From)
}

// Severity weighs a finding.
//
//	Broken  the workload cannot use the GPU, or computes wrong results
//	AtRisk  it works, but something named will break it: a reboot, an update,
//	        a kernel it has not met yet
//	Note    worth knowing; nothing to do
type Severity uint8

const (
	Note Severity = iota + 1
	AtRisk
	Broken
)

func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case AtRisk:
		return "at-risk"
	case Broken:
		return "broken"
	}
	return "none"
}

// MarshalText writes the word of the output contract.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Confidence is how sure a finding is, apart from how bad it is.
//
//	Certain   follows from facts that were read and a rule that is published
//	Likely    rests on one assumption that the finding names
//	Possible  the facts allow other causes
type Confidence uint8

const (
	Possible Confidence = iota + 1
	Likely
	Certain
)

func (c Confidence) String() string {
	switch c {
	case Possible:
		return "possible"
	case Likely:
		return "likely"
	case Certain:
		return "certain"
	}
	return "none"
}

// MarshalText writes the word of the output contract.
func (c Confidence) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

var idForm = regexp.MustCompile(`^[A-Z]{3}\d{3}$`)

// Validate reports what keeps a rule from being published.
func (r *Rule) Validate() error {
	var missing []string
	for _, f := range []struct {
		ok   bool
		what string
	}{
		{idForm.MatchString(r.ID), "an ID of three letters and three digits"},
		{r.Layer.Prefix() != "" && strings.HasPrefix(r.ID, r.Layer.Prefix()), "an ID that starts with its layer's prefix " + r.Layer.Prefix()},
		{r.Slug != "", "a slug"}, {r.Title != "", "a title"}, {strings.TrimSpace(r.Doc) != "", "a doc"},
		{r.Severity != 0, "a severity"}, {len(r.Cites) > 0, "a source"}, {r.Since != "", "a first version"},
		{r.Check != nil, "a check"},
	} {
		if !f.ok {
			missing = append(missing, f.what)
		}
	}
	for _, c := range r.Cites {
		if c.Title == "" || !strings.HasPrefix(c.URL, "https://") || len(c.Date) != len("2026-11-30") {
			missing = append(missing, fmt.Sprintf("a complete source in place of %+v", c))
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("rule %q lacks %s", r.ID, strings.Join(missing, ", "))
	}
	return nil
}

// Ref is a row of the knowledge base that a verdict used.
type Ref = kb.Ref
