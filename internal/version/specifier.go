package version

import (
	"fmt"
	"slices"
	"strings"
)

// Specifier is a set of version clauses from a Requires-Dist field, all of
// which must hold: ">=12.5.82,<13". The zero Specifier has no clause and
// accepts every version.
type Specifier struct {
	text    string
	clauses []clause
}

type clause struct {
	op       string
	version  PEP440 // what follows op; zero for ===
	wildcard bool   // version stands for all that start with its release (==12.4.*)
	verbatim string // what follows ===
}

// ParseSpecifier reads clauses joined by commas, in parentheses or not. Empty
// text accepts everything. Each clause needs an operator, as in Python's
// packaging; "2.1.0" alone is an error.
func ParseSpecifier(text string) (Specifier, error) {
	if len(text) > maxLen {
		return Specifier{}, fmt.Errorf("parsing specifier: %d bytes exceed the limit of %d", len(text), maxLen)
	}
	s := Specifier{text: strings.TrimSpace(text)}
	list := s.text
	if inner, ok := strings.CutPrefix(list, "("); ok {
		if list, ok = strings.CutSuffix(inner, ")"); !ok {
			return Specifier{}, fmt.Errorf("parsing specifier %q: no closing parenthesis", text)
		}
	}
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue // packaging lets a comma trail
		}
		c, err := parseClause(part)
		if err != nil {
			return Specifier{}, fmt.Errorf("parsing specifier %q: %w", text, err)
		}
		s.clauses = append(s.clauses, c)
	}
	return s, nil
}

func parseClause(s string) (clause, error) {
	c := clause{op: s[:len(s)-len(strings.TrimLeft(s, "<>=!~"))]}
	operand := strings.TrimSpace(s[len(c.op):])
	if !slices.Contains([]string{"==", "!=", "<=", ">=", "<", ">", "~=", "==="}, c.op) {
		return c, fmt.Errorf("clause %q: %q is not an operator", s, c.op)
	}
	if c.op == "===" {
		var err error
		if c.verbatim, err = clean("arbitrary", operand); err == nil && strings.ContainsAny(operand, " \t;)") {
			err = fmt.Errorf("clause %q: white space or one of ;) after ===", s)
		}
		return c, err
	}
	operand, c.wildcard = strings.CutSuffix(operand, ".*")
	if c.wildcard && c.op != "==" && c.op != "!=" {
		return c, fmt.Errorf("clause %q: .* goes with == and != only", s)
	}
	var err error
	if c.version, err = ParsePEP440(operand); err != nil {
		return c, fmt.Errorf("clause %q: %w", s, err)
	}
	v := c.version
	switch {
	case c.wildcard && (v.IsPre() || v.isPost() || v.Local() != ""):
		return c, fmt.Errorf("clause %q: .* goes with a plain release only", s)
	case v.Local() != "" && c.op != "==" && c.op != "!=":
		return c, fmt.Errorf("clause %q: a local version goes with == and != only", s)
	case c.op == "~=" && !strings.Contains(v.releaseText(), "."):
		return c, fmt.Errorf("clause %q: ~= needs two release numbers", s)
	}
	return c, nil
}

// Contains reports whether an installed version satisfies every clause. The
// zero version satisfies no Specifier.
//
// Pre-releases count like any other version ("2.1.0rc1" satisfies ">=2.0"):
// the question here is whether what is installed will do, and pip asks it the
// same way. Whoever chooses a version to install has to check IsPre as well.
func (s Specifier) Contains(v PEP440) bool {
	if v.IsZero() {
		return false
	}
	return !slices.ContainsFunc(s.clauses, func(c clause) bool { return !c.contains(v) })
}

// IsZero reports whether s has no clause.
func (s Specifier) IsZero() bool { return len(s.clauses) == 0 }

// String returns the text that was parsed.
func (s Specifier) String() string { return s.text }

func (c clause) contains(v PEP440) bool {
	public := strings.Compare(v.publicKey(), c.version.publicKey())
	switch c.op {
	case "===":
		return strings.EqualFold(v.text, c.verbatim)
	case "==":
		return c.equals(v)
	case "!=":
		return !c.equals(v)
	case "~=": // ~=2.2.1 is >=2.2.1, ==2.2.*
		release := c.version.releaseText()
		return public >= 0 && hasRelease(v, c.version, release[:strings.LastIndexByte(release, '.')])
	case ">=":
		return public >= 0
	case "<=":
		return public <= 0
	case "<":
		return v.Less(c.version) && !v.isPreOf(c.version)
	}
	return public > 0 && !v.isPostOf(c.version) // ">"; 3.1+local is not >3.1
}

// isPreOf reports whether v leads up to the release spec: 3.1rc1 is older than
// 3.1, yet <3.1 must not accept it.
func (v PEP440) isPreOf(spec PEP440) bool {
	switch {
	case spec.IsPre():
		return false
	case spec.isPost():
		return v.isDev() && v.order[:v.ends.post] == spec.order[:spec.ends.post]
	}
	return v.IsPre() && v.order[:v.ends.release] == spec.order[:spec.ends.release]
}

// isPostOf reports whether v is a post-release of spec: 3.1.post1 is newer than
// 3.1, yet >3.1 must not accept it.
func (v PEP440) isPostOf(spec PEP440) bool {
	return v.isPost() && !spec.isPost() && !spec.isDev() &&
		v.order[:v.ends.pre] == spec.order[:spec.ends.pre]
}

// equals ignores the local version of v unless the clause names one: torch
// 2.7.1+cu126 satisfies ==2.7.1.
func (c clause) equals(v PEP440) bool {
	switch {
	case c.wildcard:
		return hasRelease(v, c.version, c.version.releaseText())
	case c.version.Local() != "":
		return v.Compare(c.version) == 0
	}
	return v.publicKey() == c.version.publicKey()
}

// hasRelease reports whether v has the epoch of spec and a release that starts
// with prefix.
func hasRelease(v, spec PEP440, prefix string) bool {
	return compareDigits(v.epochText(), spec.epochText()) == 0 &&
		dotted(v.releaseText()).hasPrefix(dotted(prefix))
}

func (v PEP440) publicKey() string { return v.order[:v.ends.public] }
