package term

import (
	"strings"
	"unicode/utf8"

	"strata/internal/redact"
)

// clean makes text from a machine safe for a terminal.
func clean(s string) string { return redact.Line(s) }

var glyphs = map[string]struct{ glyph, color string }{
	"ok": {"✓", "32"}, "broken": {"✗", "31;1"}, "at-risk": {"!", "33"}, "note": {"·", "36"},
	"blocked": {"▸", "2"}, "unknown": {"?", "35"}, "absent": {"·", "2"}, "not-stack": {"○", "36"},
}

// ascii has a plain character for each of those that the texts use.
var ascii = strings.NewReplacer("✓", "+", "✗", "x", "▸", ">", "○", "o", "·", "-", "…", "...", "×", "x", "→", "->")

func (p *printer) glyph(status string) string {
	g, ok := glyphs[status]
	if !ok {
		return " "
	}
	return p.paint(g.color, g.glyph)
}

func (p *printer) bold(s string) string { return p.paint("1", s) }
func (p *printer) dim(s string) string  { return p.paint("2", s) }

func (p *printer) paint(code, s string) string {
	if !p.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// width counts columns, passing over our own colours. Every character counts
// as one: the texts are Latin, and a wide name costs only alignment.
func width(s string) int {
	n, escape := 0, false
	for _, r := range s {
		switch {
		case r == '\x1b':
			escape = true
		case escape:
			escape = r != 'm'
		default:
			n++
		}
	}
	return n
}

// wrap writes text behind a first prefix and folds it under the second.
func (p *printer) wrap(first, next, text string) {
	lines := Fold(text, p.Width-width(first))
	if len(lines) == 0 {
		return
	}
	p.line(first + lines[0])
	rest := strings.TrimSpace(strings.TrimPrefix(strings.Join(strings.Fields(text), " "), lines[0]))
	for _, l := range Fold(rest, p.Width-width(next)) {
		p.line(next + l)
	}
}

// Fold breaks text at spaces into lines of at most room columns. A word longer than the width stands alone and
// is not cut: paths and commands must survive being copied.
func Fold(text string, room int) []string {
	var lines []string
	var line strings.Builder
	for word := range strings.FieldsSeq(text) {
		if line.Len() > 0 && width(line.String())+1+width(word) > room {
			lines = append(lines, line.String())
			line.Reset()
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.WriteString(word)
	}
	if line.Len() > 0 {
		lines = append(lines, line.String())
	}
	return lines
}

// cut shortens text to a number of columns, with an ellipsis.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n || n < 2 {
		return s
	}
	r := []rune(s)
	return strings.TrimRight(string(r[:n-1]), " ,;:") + "…"
}

// tail keeps the end of a path.
func tail(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[len(r)-max(n, 0):])
}
