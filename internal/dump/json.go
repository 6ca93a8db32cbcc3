package dump

import (
	"strings"

	"strata/internal/transcript"
)

// jsonReader reads JSON, and the literals that Python prints for its
// dictionaries, lists and tuples. It forgives what is around it and stops where
// the text is no longer of that form.
type jsonReader struct {
	r     *reading
	lines []transcript.Line
	i     int    // the line
	rest  string // of the line
	stack []container
	left  int // tokens
}

type container struct {
	object bool
	key    string
	hasKey bool
	index  int
	first  string // of a list
	second string
	name   string // the member "name" of an object
	kind   string // the member "type" of an object
	n      int
}

const (
	// maxTokens bounds one value; a Kubernetes node with its labels and images has some thousands.
	maxTokens = 200000
	maxNested = 40
)

func readJSON(t *transcript.Text, r *reading) {
	for i := 0; i < len(t.Lines); i++ {
		line := t.Lines[i].Text
		at := jsonStart(t.Lines[i])
		if at < 0 {
			continue
		}
		j := &jsonReader{r: r, lines: t.Lines, i: i, rest: line[at:], left: maxTokens}
		j.run()
		i = max(i, j.i-1)
	}
}

// jsonStart is where in a line a value begins that may be JSON or Python's; -1 where none does.
func jsonStart(l transcript.Line) int {
	line, body := l.Text, l.Message
	if strings.IndexByte(body, '{') < 0 && strings.IndexByte(body, '[') < 0 {
		return -1
	}
	off := len(line) - len(body)
	trimmed := strings.TrimSpace(body)
	if trimmed == "{" || trimmed == "[" || trimmed == "[{" {
		return off
	}
	first := -1
	for _, mark := range [...]string{`{"`, `{'`, `[{`, `([('`, `{ "`} {
		if k := strings.Index(body, mark); k >= 0 && (first < 0 || k < first) {
			first = k
		}
	}
	if first < 0 {
		return -1
	}
	return off + first
}

// token gives the next token: one of {}[](),: or '"' with the string's text, or 'w' with a bare word; 0 at the end.
func (j *jsonReader) token() (kind byte, text string) {
	for {
		j.rest = strings.TrimLeft(j.rest, " \t")
		if j.rest != "" {
			break
		}
		if j.i++; j.i >= len(j.lines) {
			return 0, ""
		}
		j.rest = j.lines[j.i].Message
	}
	if j.left--; j.left < 0 {
		return 0, ""
	}
	switch c := j.rest[0]; c {
	case '{', '}', '[', ']', '(', ')', ',', ':':
		j.rest = j.rest[1:]
		return c, ""
	case '"', '\'':
		return j.quoted(c)
	}
	n := strings.IndexAny(j.rest, " \t,:{}[]()")
	if n < 0 {
		n = len(j.rest)
	}
	text, j.rest = j.rest[:n], j.rest[n:]
	return 'w', text
}

// quoted reads a string. It ends with its line at the latest: a text that was cut has no other end.
func (j *jsonReader) quoted(q byte) (byte, string) {
	var b strings.Builder
	for i := 1; i < len(j.rest); i++ {
		switch c := j.rest[i]; {
		case c == '\\' && i+1 < len(j.rest):
			i++
			if e := j.rest[i]; e == 'n' || e == 't' {
				b.WriteByte(' ')
			} else {
				b.WriteByte(e)
			}
		case c == q:
			j.rest = j.rest[i+1:]
			return '"', b.String()
		default:
			b.WriteByte(c)
		}
	}
	j.rest = ""
	return 0, ""
}

func (j *jsonReader) run() {
	for {
		kind, text := j.token()
		top := len(j.stack) - 1
		switch kind {
		case 0:
			return
		case '{', '[', '(':
			if len(j.stack) >= maxNested {
				return
			}
			j.stack = append(j.stack, container{object: kind == '{'})
		case '}', ']', ')':
			if top < 0 {
				return
			}
			c := j.stack[top]
			if !c.object && c.n == 2 && hasLetters(c.first) { // ('cuda_version', '12.5')
				j.give(c.first, c.second)
			}
			j.stack = j.stack[:top]
			if top > 0 && !c.object && c.n >= 2 && !hasLetters(c.first) && j.stack[top-1].object { // 'capability': (8, 6)
				j.give(j.stack[top-1].key, "("+c.first+", "+c.second+")")
			}
			if top == 0 {
				return
			}
			j.done()
		case ',':
			if top < 0 {
				return
			}
			if c := &j.stack[top]; c.object {
				c.hasKey = false
			} else {
				c.index++
			}
		case ':':
			if top < 0 || !j.stack[top].object {
				return
			}
			j.stack[top].hasKey = true
		default:
			if top < 0 || !j.scalar(kind, text) {
				return
			}
		}
	}
}

// done notes that the value of the member that is open has ended.
func (j *jsonReader) done() {
	c := &j.stack[len(j.stack)-1]
	c.n++
}

// scalar takes a string, number or word. It gives false where the text cannot be JSON or Python's.
func (j *jsonReader) scalar(kind byte, text string) bool {
	c := &j.stack[len(j.stack)-1]
	switch {
	case c.object && !c.hasKey:
		if kind != '"' {
			return false // prose in braces
		}
		c.key = text
	case c.object:
		j.give(c.key, text)
		switch c.key {
		case "name":
			c.name = text
		case "type":
			c.kind = text
		case "version":
			j.listed(c.name, text)
		}
	default:
		if c.n++; c.n == 1 {
			c.first = text
		} else if c.n == 2 {
			c.second = text
		}
		if key := j.listKey(); key != "" && kind == '"' {
			j.give(key, text)
		}
	}
	return true
}

// listed takes {"name": "torch", "version": "2.4.0"} of pip list and conda list.
func (j *jsonReader) listed(name, version string) {
	if name == "" || j.i >= len(j.lines) || !IsVersion(version) || !hasDot(version) || strings.IndexByte(name, ' ') >= 0 || j.topObject() {
		return
	}
	l := j.lines[j.i]
	j.r.f.Package(Package{Name: name, Version: version, Manager: "pip", From: j.r.f.At(l.N, l.Text)}, Stated)
}

// topObject tells whether the object that is open is no item of a list.
func (j *jsonReader) topObject() bool { n := len(j.stack); return n < 2 || j.stack[n-2].object }

// listKey is the key of the list that is open: its strings are values of the key.
func (j *jsonReader) listKey() string {
	for i := len(j.stack) - 2; i >= 0; i-- {
		if j.stack[i].object {
			return j.stack[i].key
		}
	}
	return ""
}

func (j *jsonReader) give(key, value string) {
	p := pair{key: key, value: strings.TrimSpace(value), index: -1}
	if j.i < len(j.lines) {
		p.line, p.text = j.lines[j.i].N, j.lines[j.i].Text
	}
	for i := range j.stack {
		c := &j.stack[i]
		switch {
		case c.object && i < len(j.stack)-1:
			if c.key == "result" && c.kind != "" { // {"type": "Kernel", "result": {…}} of fastfetch
				p.path = append(p.path, c.kind)
			} else {
				p.path = append(p.path, c.key)
			}
			p.index = -1 // what lies deeper in an object is no item of the list that holds the object
		case !c.object && i+1 < len(j.stack) && j.stack[i+1].object:
			p.index = c.index
		}
	}
	if n := len(j.stack); n >= 2 && j.stack[n-1].object && !j.stack[n-2].object {
		p.index = j.stack[n-2].index
	}
	j.r.take(&p)
}
