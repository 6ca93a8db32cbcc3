package framework

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/stack"
)

// assigned is one value that a Python file sets at top level.
type assigned struct {
	value string // strings without their quotes; None, True, False and numbers as written
	line  int
	text  string
}

// assignments are the simple ones of a Python file, by name; the last wins, as
// it does in Python.
type assignments map[string]assigned

// assignment is NAME = LITERAL, with an annotation or a chained name or not,
// at the start of a line. Anything computed is not matched, and so not known.
var assignment = lazyregexp.New(`^(?:[A-Za-z_]\w*[ \t]*=[ \t]*)?([A-Za-z_]\w*)[ \t]*(?::[^=#]{1,80})?=[ \t]*(?:'([^']*)'|"([^"]*)"|(None|True|False|-?\d[\d.]*))[ \t]*(?:#.*)?$`)

// chained finds the first name of "__version__ = version = '1.0'".
var chained = lazyregexp.New(`^([A-Za-z_]\w*)[ \t]*=[ \t]*[A-Za-z_]\w*[ \t]*(?::[^=#]{1,80})?=`)

// parseAssignments reads a Python file as text.
func parseAssignments(text string) assignments {
	found := assignments{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n \t")
		if len(line) > maxLine || line == "" || line[0] == ' ' || line[0] == '\t' || line[0] == '#' {
			continue
		}
		g := assignment.FindStringSubmatch(line)
		if g == nil {
			continue
		}
		a := assigned{value: g[2] + g[3] + g[4], line: n, text: line}
		found[g[1]] = a
		if c := chained.FindStringSubmatch(line); c != nil {
			found[c[1]] = a
		}
	}
	return found
}

// maxLine: lines that set a version are short.
const maxLine = 500

// python reads the assignments of a Python file inside the site directory.
func (in *install) python(rel string) (assignments, bool) {
	text, ok := in.text(rel)
	return parseAssignments(text), ok
}

// source is where one of the assignments of a file stands.
func (in *install) source(rel string, a assigned) stack.Source {
	return stack.Line(in.path(rel), a.line, a.text)
}

// set returns an assigned value that is not None, empty or False.
func (a assignments) set(name string) (assigned, bool) {
	v, ok := a[name]
	if !ok || v.value == "" || v.value == "None" || v.value == "False" {
		return assigned{}, false
	}
	return v, true
}
