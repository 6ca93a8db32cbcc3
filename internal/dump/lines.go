package dump

import (
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// heading is a line that others lie under: by their indentation, or as the next line.
type heading struct {
	indent int
	name   string
	line   int
}

// maxLine is the longest line in bytes that is taken for keys and values.
const maxLine = 1200

// maxDepth bounds the headings that a line is taken to lie under.
const maxDepth = 12

// readLines goes through the lines with the headings that they lie under.
func readLines(t *transcript.Text, r *reading) {
	var over []heading
	for i, l := range t.Lines {
		if l.Text == "" || len(l.Text) > maxLine {
			continue
		}
		body := transcript.Message(l.Text)
		indent := indentation(l.Text, body)
		title, isTitle := markdownTitle(body)
		for len(over) > 0 && (over[len(over)-1].indent >= indent && !over[len(over)-1].open(l.N, indent) || isTitle) {
			over = over[:len(over)-1]
		}
		p := pair{index: -1, line: l.N, text: l.Text, path: names(over)}
		if isTitle {
			over = append(over, heading{-1, title, l.N + 1})
			continue
		}
		key, value, ok := divide(body)
		switch {
		case ok && value != "":
			p.key, p.value = key, value
			if (key == "name" || key == "model") && strings.HasPrefix(strings.TrimLeft(body, " \t"), "- ") {
				r.bus = true // an item of a list
			}
			r.line(&p, body)
			following := strings.HasSuffix(value, ":") // cuDNN version: Probably one of the following:
			if len(over) < maxDepth && (following || value == "{" || value == "[" || i+1 < len(t.Lines) && deeper(t.Lines[i+1].Text, indent)) {
				over = append(over, heading{indent, key, l.N})
			}
		case ok, strings.HasSuffix(body, ":"):
			if name := trimMarks(strings.TrimRight(unbullet(body), ":= ")); name != "" && len(name) <= maxKey && len(over) < maxDepth {
				over = append(over, heading{indent, name, l.N})
			}
		default:
			r.item(&p, body, len(over) > 0 && over[len(over)-1].near(l.N))
			if busLine.MatchString(body) {
				r.bus = true
			}
			// A line alone, under which the next ones are indented, is a heading too: FB Memory Usage.
			if name := unbullet(body); len(name) <= 40 && len(over) < maxDepth && i+1 < len(t.Lines) && deeper(t.Lines[i+1].Text, indent) {
				over = append(over, heading{indent, trimMarks(name), l.N})
			}
		}
	}
}

var busLine = lazyregexp.New(`^\s*GPU (?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]\s*$`)

// open tells whether a line that is not deeper may still lie under a heading:
// a list without indentation, and the value below a Markdown title.
func (h heading) open(line, indent int) bool {
	return h.indent < 0 && line-h.line <= 3 || h.indent == indent && line-h.line == 1
}

// near tells whether a line can be the value of a heading: what lies deeper
// can, and what follows a title closely.
func (h heading) near(line int) bool { return h.indent >= 0 || line-h.line <= 3 }

func deeper(line string, indent int) bool {
	body := transcript.Message(line)
	return body != "" && indentation(line, body) > indent
}

func names(over []heading) []string {
	if len(over) == 0 {
		return nil
	}
	out := make([]string, len(over))
	for i, h := range over {
		out[i] = h.name
	}
	return out
}

// indentation is how far a line is indented, behind a logger's prefix if it has one.
func indentation(line, body string) int {
	at := len(line) - len(body)
	n := 0
	for i := at - 1; i >= 0 && (line[i] == ' ' || line[i] == '\t'); i-- {
		if n++; line[i] == '\t' {
			n += 7
		}
	}
	if rest := strings.TrimLeft(body, " \t"); len(rest) < len(body) {
		n += len(body) - len(rest)
	}
	return n
}

// markdownTitle is the title of "### CUDA/cuDNN version", "**Python version**"
// and of a line between rulers.
func markdownTitle(body string) (string, bool) {
	s := strings.TrimSpace(body)
	switch {
	case strings.HasPrefix(s, "##"):
		s = strings.TrimLeft(s, "#")
	case strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && len(s) <= 40 && isWords(strings.Trim(s, "[]")): // [gpu] of TOML and INI
		s = strings.Trim(s, "[]")
	case len(s) > 8 && rulers[s[:3]] && rulers[s[len(s)-3:]]: // ----------Python Info----------
		if s = strings.Trim(s, "-=* "); s == "" {
			return "", false
		}
	case strings.HasPrefix(s, "**") && strings.HasSuffix(strings.TrimSuffix(s, ":"), "**") && len(s) > 4:
	default:
		return "", false
	}
	s = strings.TrimRight(trimMarks(s), ":?. ")
	return trimMarks(s), s != "" && len(s) <= maxKey && !strings.Contains(s, ": ")
}

// isWords tells whether a string is letters, with single marks between them.
func isWords(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && (i == 0 || strings.IndexByte("._- ", s[i]) < 0) {
			return false
		}
	}
	return s != ""
}

var rulers = map[string]bool{"---": true, "===": true, "***": true}

// line takes a line that divides into a key and a value, then the other pairs that it may hold.
func (r *reading) line(p *pair, body string) {
	took := r.take(p)
	if strings.Count(body, "=") >= 2 {
		if list := logfmt(body); len(list) >= 2 {
			r.several(p, list)
			return
		}
	}
	if !took || strings.ContainsAny(body, ",;|•/") || strings.Count(body, ": ") > 1 {
		r.pieces(p, body)
	}
}

// several takes the pairs of one line, as those of one device.
func (r *reading) several(at *pair, list []pair) {
	path := at.path
	if aboutGPU(list) {
		path = []string{"gpu log"}
	}
	for pass := range 2 { // the name first, since the rest belongs to it
		for i := range list {
			q := list[i]
			q.path, q.line, q.text = path, at.line, at.text
			if isName := q.key == "name" || q.key == "description" || q.key == "device"; isName == (pass == 0) {
				r.take(&q)
			}
		}
	}
}

// aboutGPU tells whether the pairs of one line are those of a GPU.
func aboutGPU(list []pair) bool {
	for i := range list {
		switch k := list[i].key; {
		case k == "compute", k == "capability", k == "compute_cap", k == "compute_capability":
			return true
		case k == "library" && strings.EqualFold(list[i].value, "cuda"):
			return true
		}
	}
	return false
}

// pieces takes "Python: 3.10, torch 2.1.0+cu121 • CUDA 12.1" apart.
func (r *reading) pieces(at *pair, body string) {
	for _, piece := range split(body) {
		piece = strings.Trim(piece, " \t.")
		if len(piece) < 5 || len(piece) == len(body) {
			continue
		}
		q := *at
		if key, value, ok := divide(piece); ok && value != "" {
			if q.key, q.value = key, value; key != at.key {
				r.take(&q)
			}
			continue
		}
		r.words(&q, piece)
	}
}

// split takes a line apart where people part one thing from the next, but not
// inside brackets, and at a wide gap before another key.
func split(body string) []string {
	if strings.Contains(body, "   ") || strings.IndexByte(body, '\t') >= 0 {
		body = nextKey.ReplaceAllString(body, "; $1")
	}
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		case ',', ';', ' ':
			n := 0
			for _, sep := range breaks {
				if strings.HasPrefix(body[i:], sep) {
					n = len(sep)
				}
			}
			if n > 0 && depth == 0 {
				out = append(out, body[from:i])
				i += n - 1
				from = i + 1
			}
		}
	}
	return append(out, body[from:])
}

var (
	breaks  = [...]string{", ", "; ", " • ", " | ", " / ", " · ", " – "}
	nextKey = lazyregexp.New(`(?:\t| {3,})([A-Za-z][A-Za-z ]{1,24}[:=] )`)
)

// item is a line without a separator: the value of a heading, or a name and a version.
func (r *reading) item(p *pair, body string, near bool) {
	if n := len(p.path); n > 0 && near && len(body) < maxValue && !strings.Contains(body, "==") {
		q := *p
		q.key, q.value, q.path = p.path[n-1], trimMarks(unbullet(body)), p.path[:n-1]
		if r.take(&q) {
			return
		}
	}
	r.words(p, body)
	if strings.ContainsAny(body, ",;|•/") {
		r.pieces(p, body)
	}
}

// words takes "torch 2.1.0+cu121", "NVIDIA driver 535.104.05", "cuDNN version 8902".
func (r *reading) words(p *pair, piece string) {
	piece = unbullet(piece)
	if len(piece) > 80 {
		return
	}
	words := strings.Fields(piece)
	for n := min(len(words)-1, 4); n >= 1; n-- {
		v := strings.Trim(words[n], "()[],;`'\"")
		if v == "" || !isDigit(v[0]) && !(v[0] == 'v' && len(v) > 1 && isDigit(v[1])) || n+3 < len(words) {
			continue
		}
		p.key, p.value = strings.Join(words[:n], " "), strings.TrimPrefix(v, "v")
		if n+1 < len(words) && (words[n+1] == "MB" || words[n+1] == "MiB") {
			p.value += " " + words[n+1]
		}
		if key := keyOf(p.key); wordy(v) && (keys[key] != nil || packageKey(key) != "") && !wanted(p.text, words[n]) && r.takeWords(p, key) {
			return
		}
	}
}

// wordy tells whether a word can be the version of a name that stands before it.
func wordy(v string) bool { return IsVersion(v) && (strings.Contains(v, ".") || len(v) >= 4) }

// takeWords takes a name and a version without a mark between them. Only keys
// that are known as they are count, since any prose has words and numbers.
func (r *reading) takeWords(p *pair, key string) bool {
	return r.known(key, p, Keyed) || r.packaged(key, p, Keyed)
}
