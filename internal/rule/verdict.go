package rule

import (
	"strata/internal/kb"
	"strata/internal/stack"
)

// Outcome is what came of asking a rule. The zero value is Unknown.
type Outcome uint8

const (
	Unknown       Outcome = iota // a needed fact is missing or beyond the knowledge base
	NotApplicable                // the question does not arise here
	Pass                         // looked, and it is fine
	Fail                         // looked, and there is a finding
)

func (o Outcome) String() string {
	return [...]string{"unknown", "n/a", "pass", "fail"}[o]
}

// Verdict is a rule's answer.
type Verdict struct {
	Outcome Outcome
	// Why explains Unknown; Allow says what would let Strata know.
	Why, Allow string
	// Finding is set where Outcome is Fail.
	Finding *Finding
}

// Finding is what a rule says about this stack.
type Finding struct {
	// Severity overrides the rule's where not zero.
	Severity Severity
	// Confidence is Certain where zero.
	Confidence Confidence
	// Summary is the finding in one sentence with its numbers: versions, names, paths.
	Summary string
	// Cause explains it: what was read, which rule it breaks, what will be seen.
	Cause string
	// Evidence is where it was read.
	Evidence []stack.Source
	// Refs are the rows of the knowledge base it rests on.
	Refs []kb.Ref
	// Remedies are candidates, smallest change first. The planner tries each.
	Remedies []Remedy
}

// Remedy is one way to mend a finding.
type Remedy struct {
	// Summary says what is changed, in one sentence.
	Summary string
	Layer   Layer
	// Changes are carried out on a copy of the stack to check the remedy. A
	// remedy without changes cannot be checked and is shown as such.
	Changes  []stack.Change
	Commands []Command
}

// Command is what to type. Strata prints it and never runs it.
type Command struct {
	For string `json:"for"` // pip, uv, conda, apt, dnf, shell, docker, dockerfile, podman, kubernetes, singularity, python
	Run string `json:"run"`
}

// Clean is the verdict that all is well.
func Clean() Verdict { return Verdict{Outcome: Pass} }

// NA is the verdict that the question does not arise.
func NA() Verdict { return Verdict{Outcome: NotApplicable} }

// Cannot is the verdict that something needed is not known.
func Cannot(why, allow string) Verdict { return Verdict{Why: why, Allow: allow} }

// Found is the verdict that something is wrong.
func Found(f Finding) Verdict { return Verdict{Outcome: Fail, Finding: &f} }

// FromAnswer is Cannot for an answer of the knowledge base that is not known.
func FromAnswer[T any](a kb.Answer[T]) Verdict {
	allow := ""
	if a.Beyond {
		allow = "use a newer Strata or a newer knowledge base"
	}
	return Cannot(a.Why, allow)
}
