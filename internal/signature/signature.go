// Package signature says what a signature is: one thing that logs say, how to
// find it, what it means, and which causes it can have under which conditions.
// The signatures themselves are in package signatures.
package signature

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"strata/internal/lazyregexp"
	"strata/internal/rule"
	"strata/internal/textscan"
)

// Signature is one thing that a log, a traceback or a report says.
type Signature struct {
	// ID is lower-case words joined by "-", the product first:
	// ort-cuda-provider-library. It never changes and is never reused.
	ID string
	// Product is whose words these are: onnxruntime, pytorch, nvidia-driver, docker, …
	Product string
	// Literals are for the fast scan: one of them, case aside, stands on the line
	// where Pattern begins to match. At least five bytes each, and as rare as can be.
	Literals []string
	// Beside are lower-case words of which one must also stand on the line or on those that follow, for a literal that
	// is common by itself: it keeps the pattern from being tried in vain on every such line.
	Beside []string
	// Pattern is the RE2 expression that confirms it. It is matched against the
	// line and the two that follow, joined by single spaces. Its named groups
	// become variables; see Variables for the names with a meaning. "" where the
	// literal is enough.
	Pattern string
	// Layer is where the failure lies unless a cause says otherwise. "" asks the
	// knowledge base for the layer of the library in group "lib".
	Layer rule.Layer
	// Role says whether the message names a failure or what follows from one.
	Role Role
	// Strength says how much the message proves by itself.
	Strength Strength
	// Meaning says in one sentence what the program tells by it.
	Meaning string
	// Where are conditions without which the message means nothing, so that it
	// is no finding. Most signatures have none.
	Where []Condition
	// Causes are tried in order; the first whose conditions all hold is the
	// answer. The last has no conditions.
	Causes []Cause
	// ExplainedBy are rules whose finding, where the facts of the text yield it,
	// is the reason for this message and stands in its place.
	ExplainedBy []string
	// Samples are lines as programs print them; each matches.
	Samples []string
	// Misses look alike and must not match.
	Misses []string
	// Source is where the wording is published: a URL.
	Source string
}

// Role is the place of a message in the chain of events.
type Role uint8

// The roles.
const (
	Failure     Role = iota // something failed
	Consequence             // what a program does after something failed: falls back, retries, gives up
	// Context is no failure by itself: its variables matter, and where all conditions of one of its causes hold, that
	// is a finding: a K80 beside a release of Ollama that has no code for it.
	Context
	// Told is what a person says in words of his own. Where all conditions of one of its causes hold, that is a finding,
	// but one that is heard only where no program's message names a failure.
	Told
)

// Strength orders failures of one text.
type Strength uint8

// The strengths. Weak: the message comes with many causes ("CUDA error: unknown error"). Usual: it names what failed.
// Strong: it names the cause itself, with the versions or the file.
const (
	Usual Strength = iota
	Weak
	Strong
)

// Order puts the strengths in order: the more a message proves, the higher.
func (s Strength) Order() int { return [...]int{Usual: 1, Weak: 0, Strong: 2}[s] }

// Cause is one reason for a signature's message.
type Cause struct {
	// When are the conditions; all must hold.
	When []Condition
	// Layer overrides the signature's.
	Layer rule.Layer
	// Confidence is Likely where zero.
	Confidence rule.Confidence
	// Title is the finding in one line: a template, see Expand.
	Title string
	// Text explains it in a few sentences: a template.
	Text string
	// Remedies are what to do, smallest change first.
	Remedies []Remedy
	// Ask is the one question or command whose answer would decide between
	// causes that the text does not tell apart: a template.
	Ask string
}

// Remedy is one way to mend it. Summary and commands are templates; one whose
// variables are not all known is left out.
type Remedy struct {
	When     []Condition
	Summary  string
	Layer    rule.Layer // the finding's where empty
	Commands []rule.Command
}

// minLiteral is the least length of a signature's literal in bytes: each place
// where one stands costs a match of its pattern.
const minLiteral = 5

var idForm = lazyregexp.New(`^[a-z][a-z0-9]*(-[a-z0-9]+)+$`)

// Validate reports what keeps a signature from being published.
func (s *Signature) Validate() error {
	var errs []error
	fail := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("signature %q: "+format, append([]any{s.ID}, args...)...))
	}
	if !idForm.MatchString(s.ID) {
		fail("the ID is not lower-case words joined by dashes")
	}
	if s.Product == "" || s.Meaning == "" || !strings.HasPrefix(s.Source, "https://") {
		fail("product, meaning and a source with an https URL are needed")
	}
	if len(s.Literals) == 0 || len(s.Samples) == 0 {
		fail("literals and a sample are needed")
	}
	for _, l := range s.Literals {
		if len(l) < minLiteral {
			fail("literal %q is shorter than %d bytes", l, minLiteral)
		}
	}
	if s.Role != Context && s.Role != Told {
		if n := len(s.Causes); n == 0 || len(s.Causes[n-1].When) > 0 {
			fail("the last cause must have no conditions")
		}
	}
	for w := range s.Words {
		if len(w) < textscan.MinLength {
			fail("a condition's word %q is shorter than %d bytes", w, textscan.MinLength)
		}
	}
	if _, err := regexp.Compile(s.Pattern); err != nil {
		fail("pattern: %v", err)
		return errors.Join(errs...)
	}
	for i, c := range s.Causes {
		if s.Layer == "" && c.Layer == "" && !strings.Contains(s.Pattern, "(?P<lib>") {
			fail("cause %d has no layer", i)
		}
		if c.Title == "" || c.Text == "" {
			fail("cause %d lacks title or text", i)
		}
		templates := []string{c.Title, c.Text, c.Ask}
		for _, r := range c.Remedies {
			templates = append(templates, r.Summary)
			for _, cmd := range r.Commands {
				if err := checkCommand(cmd.Run); err != nil {
					fail("cause %d: command %q: %v", i, cmd.Run, err)
				}
			}
		}
		for _, t := range templates {
			if err := CheckTemplate(t); err != nil {
				fail("cause %d: %q: %v", i, t, err)
			}
		}
	}
	for _, sample := range s.Samples {
		first, following, _ := strings.Cut(sample, "\n")
		if _, ok := s.MatchWindow(first, strings.ReplaceAll(following, "\n", " ")); !ok || !s.Worth(strings.ToLower(sample)) {
			fail("sample %q does not match", sample)
		}
		low := strings.ToLower(sample)
		found := false
		for _, l := range s.Literals {
			found = found || strings.Contains(low, strings.ToLower(l))
		}
		if !found {
			fail("sample %q holds none of the literals", sample)
		}
	}
	for _, miss := range s.Misses {
		if _, ok := s.Match(miss); ok && s.hasLiteral(miss) {
			fail("near miss %q matches", miss)
		}
	}
	return errors.Join(errs...)
}

func (s *Signature) hasLiteral(line string) bool {
	low := strings.ToLower(line)
	for _, l := range s.Literals {
		if strings.Contains(low, strings.ToLower(l)) {
			return true
		}
	}
	return false
}

// compiled are the patterns that were needed so far: compiling all of them
// takes longer than reading a report.
var compiled sync.Map // pattern → *regexp.Regexp

func compile(pattern string) *regexp.Regexp {
	if re, ok := compiled.Load(pattern); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(pattern)
	compiled.Store(pattern, re)
	return re
}

// Worth tells whether a text in lower case, a line with those that follow, has a word of Beside.
func (s *Signature) Worth(lower string) bool {
	return len(s.Beside) == 0 || slices.ContainsFunc(s.Beside, func(w string) bool { return strings.Contains(lower, w) })
}

// lacks tells whether a group of a match is not set, more whether one match sets more of them than another.
func lacks(m []int) bool { return slices.Contains(m, -1) }

func more(a, b []int) bool { return unset(a) < unset(b) }

func unset(m []int) (n int) {
	for _, x := range m {
		if x < 0 {
			n++
		}
	}
	return n
}

// Optional tells whether the pattern has named groups that a match did not set.
func (s *Signature) Optional(groups map[string]string) bool {
	for _, name := range compile(s.Pattern).SubexpNames() {
		if name != "" && groups[name] == "" {
			return true
		}
	}
	return false
}

// Match matches the pattern against a text that is one line.
func (s *Signature) Match(line string) (map[string]string, bool) { return s.MatchWindow(line, "") }

// MatchWindow matches the pattern against a line that has one of the literals,
// alone and then with the lines that follow, joined to one: a message that was
// broken still counts where it begins on the line. It gives the named groups
// that are not empty.
func (s *Signature) MatchWindow(line, following string) (map[string]string, bool) {
	if s.Pattern == "" {
		return nil, s.hasLiteral(line)
	}
	re := compile(s.Pattern)
	text := line
	m := re.FindStringSubmatchIndex(text)
	if following != "" && (m == nil || lacks(m)) {
		// A message that goes on may tell more: its optional groups.
		wide := line + " " + following
		if w := re.FindStringSubmatchIndex(wide); w != nil && w[0] < len(line) && (m == nil || more(w, m)) {
			text, m = wide, w
		}
	}
	if m == nil {
		return nil, false
	}
	var groups map[string]string
	for i, name := range re.SubexpNames() {
		if name == "" || m[2*i] < 0 || m[2*i] == m[2*i+1] {
			continue
		}
		if groups == nil {
			groups = map[string]string{}
		}
		if _, ok := groups[name]; !ok { // a name may stand in several alternatives
			groups[name] = text[m[2*i]:m[2*i+1]]
		}
	}
	return groups, true
}
