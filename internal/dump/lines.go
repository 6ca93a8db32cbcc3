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
	// block is the last line of those that follow without a gap and deeper indentation, where the heading
	// says that information comes: System Information.
	block int
}

// maxLine is the longest line in bytes that is taken for keys and values.
const maxLine = 1200

// maxDepth bounds the headings that a line is taken to lie under.
const maxDepth = 12

// readLines goes through the lines with the headings that they lie under.
func readLines(t *transcript.Text, r *reading) {
	var over []heading
	var path []string // their names
	var p pair
	for i, l := range t.Lines {
		if l.Text == "" || len(l.Text) > maxLine {
			continue
		}
		if n := len(over); n > 0 && over[n-1].block == l.N-1 {
			over[n-1].block = l.N
		}
		body := l.Message
		if strings.TrimSpace(body) == "" || body[0] != '[' && loggedNothing(l.Text) { // [gpu] may be a title
			continue
		}
		if strings.HasPrefix(body, "<") && strings.IndexByte(body, '>') > 0 {
			body = inlineTags.ReplaceAllString(body, "")
		}
		indent := indentation(l.Text, body)
		title, isTitle := markdownTitle(body)
		for len(over) > 0 && (over[len(over)-1].indent >= indent && !over[len(over)-1].open(l.N, indent) || isTitle) {
			over = over[:len(over)-1]
		}
		path = path[:min(len(path), len(over))]
		for _, h := range over[len(path):] {
			path = append(path, h.name)
		}
		p = pair{index: -1, line: l.N, text: l.Text, path: path}
		if isTitle {
			r.bus = r.bus || strings.HasPrefix(body, "[[") // another one, in TOML
			over = append(over, heading{indent: -1, name: title, line: l.N + 1})
			continue
		}
		key, value, ok := divide(body)
		switch {
		case ok && unfilled(value): // a template that nobody filled in
		case ok && value != "" && gluedVersion(key) && gluedVersion(value): // cuda11.8  cudnn8.7
			r.words(&p, key)
			r.words(&p, value)
		case ok && value != "":
			p.key, p.value = key, value
			if (key == "name" || key == "model") && strings.HasPrefix(strings.TrimLeft(body, " \t"), "- ") {
				r.bus = true // an item of a list
			}
			r.line(&p, body)
			following := strings.HasSuffix(value, ":") // cuDNN version: Probably one of the following:
			if len(over) < maxDepth && (following || value == "{" || value == "[" || i+1 < len(t.Lines) && deeper(t.Lines[i+1], indent)) {
				over = append(over, heading{indent: indent, name: key, line: l.N})
			}
		case ok, strings.HasSuffix(body, ":"):
			if name := trimMarks(strings.TrimRight(unbullet(body), ":= ")); name != "" && len(name) <= maxKey && len(over) < maxDepth {
				h := heading{indent: indent, name: name, line: l.N}
				if low := lowerASCII(name); strings.HasSuffix(low, " information") || strings.HasSuffix(low, " info") {
					h.block = l.N
				}
				over = append(over, h)
			}
		default:
			r.item(&p, body, len(over) > 0 && over[len(over)-1].near(l.N))
			bus := strings.HasPrefix(unindented(body), "GPU ") && busLine.MatchString(body)
			r.bus = r.bus || bus
			// A line alone, under which the next ones are indented, is a heading too: FB Memory Usage.
			if name := unbullet(body); len(name) <= 40 && len(over) < maxDepth && i+1 < len(t.Lines) && deeper(t.Lines[i+1], indent) && (bus || firstVersion(name) == "") {
				over = append(over, heading{indent: indent, name: trimMarks(name), line: l.N})
			}
		}
	}
}

// loggedNothing tells whether a line is nothing but a logger's words, as its empty lines are: whatever came behind
// them would be the whole message.
func loggedNothing(line string) bool {
	line = strings.TrimSpace(line)
	if line == "" || len(line) > maxLogger || 'a' <= line[len(line)-1] && line[len(line)-1] <= 'z' { // a level is in capitals, or has a colon behind it
		return false
	}
	if name, ok := strings.CutSuffix(line, "|"); ok {
		return strings.IndexByte(strings.TrimSpace(name), ' ') < 0
	}
	if c := line[0]; !isDigit(c) && c != '[' && (c < 'A' || c > 'Z') {
		return false
	}
	return transcript.Message(line+" x") == "x"
}

// maxLogger is longer than what the loggers that were met put before an empty message.
const maxLogger = 64

// inlineTags are the tags of HTML that stand around a key: <li><b>Kernel</b>: 6.9.3
var inlineTags = lazyregexp.New(`</?(?:li|b|strong|code|em|i|p)>`)

// unfilled tells whether a value is a template's own example: [e.g. Ubuntu 20.04].
func unfilled(value string) bool {
	if value == "" || isAlphanumeric(value[0]) && strings.IndexByte("eEf", value[0]) < 0 { // most values
		return false
	}
	s := strings.TrimLeft(value, "[(<`*_ ")
	return len(s) > 4 && (strings.HasPrefix(s, "e.g") || strings.HasPrefix(s, "E.g") || strings.HasPrefix(s, "for example") || strings.HasPrefix(s, "!--") || strings.HasPrefix(s, "fill in"))
}

var busLine = lazyregexp.New(`^\s*GPU (?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]\s*$`)

// open tells whether a line that is not deeper may still lie under a heading:
// a list without indentation, and the value below a Markdown title.
func (h heading) open(line, indent int) bool {
	return h.indent < 0 && line-h.line <= 3 || h.indent == indent && (line-h.line == 1 || h.block == line)
}

// near tells whether a line can be the value of a heading: what lies deeper
// can, and what follows a title closely.
func (h heading) near(line int) bool { return h.indent >= 0 || line-h.line <= 3 }

func deeper(l transcript.Line, indent int) bool {
	return l.Message != "" && indentation(l.Text, l.Message) > indent
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
	for i := 0; i < len(body) && (body[i] == ' ' || body[i] == '\t'); i++ {
		n++
	}
	return n
}

// markdownTitle is the title of "### CUDA/cuDNN version", "**Python version**"
// and of a line between rulers.
func markdownTitle(body string) (string, bool) {
	if body != "" && isAlphanumeric(body[0]) { // most lines
		return "", false
	}
	s := strings.TrimSpace(body)
	switch {
	case strings.HasPrefix(s, "##"):
		s = strings.TrimLeft(s, "#")
	case strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && len(s) <= 40 && isWords(strings.Trim(s, "[]")): // [gpu] of TOML and INI
		s = strings.Trim(s, "[]")
	case len(s) > 8 && strings.IndexByte("-=*", s[0]) >= 0 && rulers[s[:3]] && rulers[s[len(s)-3:]]: // ----------Python Info----------
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
	if strings.Contains(p.value, "：") {
		for _, m := range wideColon.FindAllStringSubmatch(p.value, 8) {
			q := *p
			q.key, q.value = m[1], m[2]
			r.take(&q)
		}
	}
	if strings.Count(body, "=") >= 2 {
		if list := logfmt(body); len(list) >= 2 {
			r.several(p, list)
			return
		}
	}
	if !took || strings.ContainsAny(body, ",;|•/，、") || strings.Count(body, ": ") > 1 {
		r.pieces(p, body, took)
	}
}

// several takes the pairs of one line, as those of one device.
func (r *reading) several(at *pair, list []pair) {
	path := at.path
	if aboutGPU(list) {
		path = []string{"gpu log"}
	}
	index := -1
	for i := range list {
		if k := list[i].key; (k == "gpu" || k == "index") && len(list[i].value) <= 2 && isDigits(list[i].value) {
			index = atoi(list[i].value)
		}
	}
	for pass := range 2 { // the name first, since the rest belongs to it
		for i := range list {
			q := list[i]
			q.path, q.line, q.text, q.index = path, at.line, at.text, index
			if isName := q.key == "name" || q.key == "description" || q.key == "device" || q.key == "modelName"; isName == (pass == 0) {
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

// pieces takes "Python: 3.10, torch 2.1.0+cu121 • CUDA 12.1" apart. took says that the line's first key was taken.
func (r *reading) pieces(at *pair, body string, took bool) {
	if !inPieces(body) {
		return
	}
	for _, piece := range split(body) {
		piece = strings.Trim(piece, " \t.")
		if len(piece) < 5 || len(piece) == len(body) {
			continue
		}
		q := *at
		if key, value, ok := divide(piece); ok && value != "" {
			if q.key, q.value = key, value; took && key == at.key || !r.take(&q) {
				r.words(&q, value) // Driver / CUDA: NVIDIA driver 550.90.07, …
			}
			continue
		}
		if strings.HasPrefix(piece, "Windows-1") || strings.HasPrefix(piece, "Linux-") { // python 3.11.9 | Windows-10-10.0.26100-SP0
			q.key, q.value = "platform", piece
			r.take(&q)
			continue
		}
		r.words(&q, piece)
	}
}

// inPieces tells whether split can part a line at all, or what pieces takes off its ends leaves another text.
func inPieces(body string) bool {
	if body == "" || strings.IndexByte(" \t.", body[0]) >= 0 || strings.IndexByte(" \t.", body[len(body)-1]) >= 0 {
		return true
	}
	for i := range len(body) {
		if !parting[body[i]] {
			continue
		}
		switch blank := i+1 < len(body) && body[i+1] == ' '; body[i] {
		case ',', ';':
			if blank {
				return true
			}
		case '|', '/':
			if blank && i > 0 && body[i-1] == ' ' {
				return true
			}
		case ' ': // three of them
			if blank && i+2 < len(body) && body[i+2] == ' ' {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// parting are the bytes that may stand where split parts a line; bullets and dashes are not ASCII.
var parting = func() (out [256]bool) {
	for c := range out {
		out[c] = c >= 0x80 || strings.IndexByte(" ,;|/\t", byte(c)) >= 0
	}
	return out
}()

// split takes a line apart where people part one thing from the next, but not
// inside brackets, and at a wide gap before another key.
func split(body string) []string {
	if hasColumns(body) {
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
		case ',', ';', ' ', "，"[0], "、"[0]:
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

// wideColon is a pair with the full-width colon, of several in a line.
var wideColon = lazyregexp.New(`([A-Za-z][\w.-]*) ?： ?([^\s：，,;；]+)`)

// hasColumns tells whether a line may have a key behind a wide gap, as nextKey has it.
func hasColumns(body string) bool {
	last := max(strings.LastIndex(body, ": "), strings.LastIndex(body, "= "))
	gap := 0
	for i := 0; i < last; i++ {
		switch c := body[i]; {
		case c == ' ':
			gap++
		case c == '\t':
			gap = 3
		default:
			if c |= 0x20; gap >= 3 && 'a' <= c && c <= 'z' {
				return true
			}
			gap = 0
		}
	}
	return false
}

var (
	breaks  = [...]string{", ", "; ", " • ", " | ", " / ", " · ", " – ", "，", "；", "、"}
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
	if at, end := strings.IndexByte(body, '{'), strings.LastIndexByte(body, '}'); at >= 0 && end > at && strings.Contains(body, `="`) {
		labels := body[at:end] // of a metric, which the next ones have as well
		if r.labels[labels] {
			return
		}
		if list := logfmt(labels); len(list) >= 3 {
			if len(r.labels) < maxLabels {
				r.labels[labels] = true
			}
			r.several(p, list)
			return
		}
	}
	r.words(p, body)
	if strings.ContainsAny(body, ",;|/") || strings.Contains(body, "•") {
		r.pieces(p, body, false)
	}
}

// maxLabels bounds what is kept of metrics: a host's GPUs, with what each of their parts is labelled.
const maxLabels = 512

// words takes "torch 2.1.0+cu121", "NVIDIA driver 535.104.05", "cuDNN version 8902".
func (r *reading) words(p *pair, piece string) {
	piece = unbullet(piece)
	if i := strings.Index(piece, " ("); len(piece) > 80 && i > 0 && i <= 80 { // Python version is 3.10.9 (tags/…)
		piece = piece[:i]
	}
	if len(piece) > 80 {
		return
	}
	if !ascii(piece) {
		piece = translated.Replace(piece) // cudnn版本7.6.4
	}
	if open, end := strings.IndexByte(piece, '('), strings.Index(piece, ") "); open > 2 && end > open { // Hardware Platform (Jetson / GPU) Jetson AGX Orin
		if key := keyOf(piece[:open]); keys[key] != nil || packageKey(key) != "" {
			p.key, p.value = piece[:open], trimMarks(piece[end+2:])
			if r.takeWords(p, key) {
				return
			}
		}
	}
	if mayBeGlued(piece) {
		if m := glued.FindStringSubmatch(piece); m != nil {
			p.key, p.value = m[1], m[2]
			r.known(keyOf(m[1]), p, Prose)
			return
		}
	}
	if !hasDigit(piece) {
		return
	}
	main, inside, _ := strings.Cut(piece, " (") // torch 2.3.1 (CUDA 12.1, cuDNN 8902)
	inside, bracket := strings.CutSuffix(inside, ")")
	if !bracket {
		main = piece
	}
	words := strings.Fields(main)
	for n := min(len(words)-1, 4); n >= 1; n-- {
		v := strings.Trim(words[n], "()[],;`'\"")
		if v == "" || !isDigit(v[0]) && !(v[0] == 'v' && len(v) > 1 && isDigit(v[1])) || n+3 < len(words) {
			continue
		}
		p.key, p.value = strings.Join(words[:n], " "), strings.TrimPrefix(v, "v")
		if n+1 < len(words) && (words[n+1] == "MB" || words[n+1] == "MiB") {
			p.value += " " + words[n+1]
		}
		if key := strings.TrimSuffix(keyOf(p.key), " is"); wordy(v) && (keys[key] != nil || packageKey(key) != "") && !wanted(p.text, words[n]) && r.takeWords(p, key) {
			for part := range strings.SplitSeq(inside, ", ") {
				q := *p
				if bracket {
					r.words(&q, part)
				}
			}
			return
		}
	}
}

// glued is a name and its version without anything between them, as somebody writes them in a list.
var glued = lazyregexp.New(`^(?i:(cuda|cudnn|tensorrt|nccl)_?(\d{1,2}\.\d{1,2}(?:\.\d{1,3})?)(?:[ (（].*)?)$`)

func gluedVersion(s string) bool { return mayBeGlued(s) && glued.MatchString(s) }

// mayBeGlued is a quick look before glued.
func mayBeGlued(s string) bool {
	return s != "" && strings.IndexByte("cCtTnN", s[0]) >= 0 && hasDigit(s)
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// wordy tells whether a word can be the version of a name that stands before it.
func wordy(v string) bool { return IsVersion(v) && (strings.Contains(v, ".") || len(v) >= 4) }

// takeWords takes a name and a version without a mark between them. Only keys
// that are known as they are count, since any prose has words and numbers.
func (r *reading) takeWords(p *pair, key string) bool {
	return r.known(key, p, Keyed) || r.packaged(key, p, Keyed)
}
