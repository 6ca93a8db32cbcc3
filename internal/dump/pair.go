package dump

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pair is one key and its value, wherever they stood: a line, a cell of a
// table, a member of a JSON object, an element of XML.
type pair struct {
	path  []string // the headings or members that it lies under, outermost first
	key   string
	value string
	index int // in the list that it lies in; -1 where in none
	line  int
	text  string // the line
}

// maxKey is the longest key in bytes. The longest one met is "Execution
// Provider Library Version" with what templates put in brackets behind it.
const maxKey = 80

// bulletRunes start an item of a list; trees and emojis are taken for them too.
const bulletRunes = "-*•+#·├└│─→✓✔☑▸▪◦"

// unbullet takes off what stands before an item: bullets, numbers, boxes, emojis.
func unbullet(s string) string {
	for {
		if s != "" && isLetter(s[0]) { // most lines
			return s
		}
		s = strings.TrimLeft(s, " \t\u00a0")
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case n == 0:
			return s
		case strings.ContainsRune(bulletRunes, r), r > 0x2000 && !unicode.IsLetter(r) && r != '“' && r != utf8.RuneError:
			s = s[n:]
			continue
		case strings.HasPrefix(s, "[x] "), strings.HasPrefix(s, "[X] "), strings.HasPrefix(s, "[ ] "):
			s = s[4:]
			continue
		}
		i := 0
		for i < len(s) && i < 2 && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		if i > 0 && i+1 < len(s) && (s[i] == '.' || s[i] == ')') && s[i+1] == ' ' {
			s = s[i+2:]
			continue
		}
		return s
	}
}

// marks stand around keys and values and mean nothing: quotes, Markdown, ends of cells.
const marks = " \t\"'`*_|\u00a0“”"

func trimMarks(s string) string {
	if n := len(s); n > 0 && isAlphanumeric(s[0]) && isAlphanumeric(s[n-1]) { // most keys and values
		return s
	}
	return strings.Trim(s, marks)
}

// divide takes a line apart into a key and its value. The separators are ":",
// "=", "=>", a row of dots, a tab, two spaces, and "?" behind a question.
func divide(line string) (key, value string, ok bool) {
	s := unbullet(line)
	const wide = "：" // the full-width colon
	if i := strings.Index(s[:min(len(s), maxKey+len(wide))], wide); i > 0 {
		return pairAt(s, i, i+len(wide))
	}
	if s != "" && s[0] == '|' && strings.IndexByte(s[1:], '|') < 0 { // the frame of a box, open on the right
		s = strings.TrimLeft(s[1:], " ")
	}
	if i := quotedKey(s); i > 0 {
		return pairAt(s, i, i+1)
	}
	depth := 0
	for i := 0; i < len(s) && i <= maxKey; i++ {
		end := -1
		switch c := s[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ':', '=':
			end = separator(s, i, depth)
			if end < 0 && c == '=' && strings.HasPrefix(s[i:], "==") {
				return "", "", false // a pin, not a pair
			}
		case '\t':
			end = i + 1
		case '-':
			if i > 0 && s[i-1] == ' ' && strings.HasPrefix(s[i:], "-> ") {
				end = i + 2
			} else if i > 1 && s[i-1] == ' ' && strings.HasPrefix(s[i:], "- ") && keys[keyOf(s[:i])] != nil { // OS - Ubuntu 22.04
				end = i + 1
			}
		case ' ':
			if j := i + blanks(s[i:]); j > i+1 && depth <= 0 {
				if j < len(s) && (s[j] == ':' || s[j] == '=') {
					i = j - 1
					continue
				}
				end = j
			}
		case '.':
			j := i
			for j < len(s) && (s[j] == '.' || s[j] == ' ') {
				j++
			}
			if j-i >= 3 && strings.HasPrefix(s[i:], "..") {
				if j < len(s) && s[j] == ':' {
					j++
				}
				end = j
			}
		case '?':
			if i+2 < len(s) && s[i+1] == ' ' && s[i+2] != ':' {
				end = i + 1
			}
		}
		if end >= 0 {
			return pairAt(s, i, end)
		}
	}
	return "", "", false
}

func pairAt(s string, keyEnd, valueAt int) (key, value string, ok bool) {
	key = trimMarks(s[:keyEnd])
	if key != "" && key[0] == '[' { // the tag of a logger
		if _, rest, ok := strings.Cut(key, "] "); ok {
			key = trimMarks(rest)
		}
	}
	value = s[valueAt:]
	for value != "" && value[0] == ' ' {
		value = value[1:]
	}
	if n := len(value); n > 0 && isAlphanumeric(value[0]) && isAlphanumeric(value[n-1]) { // most values
		return key, value, hasLetters(key)
	}
	value = strings.TrimLeft(trimMarks(value), ":= ")
	value = trimMarks(strings.TrimRight(strings.TrimSuffix(value, "\\"), " ,;\"'"))
	return key, value, hasLetters(key)
}

// quotedKey is where the separator stands behind a key in quotes, which may
// have one itself: "cuda:0" : "…". It is 0 where a line begins with no such key.
func quotedKey(s string) int {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		return 0
	}
	j := strings.IndexByte(s[1:], s[0]) + 2
	if j < 3 || j > maxKey {
		return 0
	}
	j += blanks(s[j:])
	if j < len(s) && (s[j] == ':' || s[j] == '=' && !strings.HasPrefix(s[j:], "==")) {
		return j
	}
	return 0
}

// separator is where the value begins if the mark at i divides key from value; -1 where it does not.
func separator(s string, i, depth int) int {
	next := byte(0)
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch {
	case s[i] == '=' && next == '=', i > 0 && s[i] == '=' && strings.IndexByte("<>!~", s[i-1]) >= 0:
		return -1
	case s[i] == ':' && next == ':' || i > 0 && s[i] == ':' && s[i-1] == ':':
		return -1
	case s[i] == ':' && (next == '/' && strings.HasPrefix(s[i:], "://") || next == '\\'):
		return -1
	case s[i] == ':' && i > 0 && isDigit(s[i-1]) && isDigit(next), s[i] == ':' && inAddress(s, i):
		return -1
	case depth > 0:
		return -1
	case s[i] == '=' && next == '>':
		return i + 2
	}
	return i + 1
}

// inAddress tells whether a colon stands in the address of a device on its bus: 00000000:AF:00.0
func inAddress(s string, i int) bool {
	return i >= 2 && i+3 < len(s) && isHex(s[i-2]) && isHex(s[i-1]) && isHex(s[i+1]) && isHex(s[i+2]) && (s[i+3] == ':' || s[i+3] == '.')
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }

func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isAlphanumeric(c byte) bool { return isDigit(c) || isLetter(c) }

// logfmt takes apart a line of key=value pairs. A value without quotes goes on
// to the next key, since some programs write GPU names that way.
func logfmt(line string) []pair {
	var out []pair
	for i := 0; i < len(line); {
		eq := strings.IndexByte(line[i:], '=')
		if eq < 0 {
			break
		}
		eq += i
		start := eq
		for start > i && isWord(line[start-1]) {
			start--
		}
		if start == eq || eq+1 >= len(line) || line[eq+1] == '=' {
			i = eq + 1
			for i < len(line) && line[i] == '=' {
				i++
			}
			continue
		}
		value, end := logfmtValue(line, eq+1)
		out = append(out, pair{key: line[start:eq], value: value, index: -1})
		i = end
	}
	return out
}

func logfmtValue(line string, at int) (value string, end int) {
	if q := line[at]; q == '"' || q == '\'' {
		if j := strings.IndexByte(line[at+1:], q); j >= 0 {
			return line[at+1 : at+1+j], at + j + 2
		}
		return line[at+1:], len(line)
	}
	end = len(line)
	if eq := strings.IndexByte(line[at:], '='); eq >= 0 {
		end = at + eq
		for end > at && isWord(line[end-1]) {
			end--
		}
		if end == at { // no space between: a=b=c
			end = at + eq
		}
	}
	return strings.Trim(line[at:end], " ,;"), end
}

func isWord(c byte) bool {
	return c == '_' || c == '.' || c == '-' || isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// keyOf makes the ways to write one key the same: lower case, one space for
// every mark between words.
func keyOf(s string) string {
	b := make([]byte, 0, len(s))
	foreign := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x80 && !foreign {
			foreign = true
			if t := translated.Replace(s); t != s {
				return keyOf(t)
			}
		}
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case 'a' <= c && c <= 'z', isDigit(c):
		default:
			if len(b) > 0 && b[len(b)-1] != ' ' {
				b = append(b, ' ')
			}
			continue
		}
		b = append(b, c)
	}
	return strings.TrimRight(string(b), " ")
}

// camelKey is keyOf with "driverVersion" as two words.
func camelKey(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i > 0 && 'A' <= s[i] && s[i] <= 'Z' && ('a' <= s[i-1] && s[i-1] <= 'z') {
			b.WriteByte(' ')
		}
		b.WriteByte(s[i])
	}
	return keyOf(b.String())
}

// hasHump tells whether a capital follows a small letter, so that camelKey is another key than keyOf.
func hasHump(s string) bool {
	for i := 1; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' && 'a' <= s[i-1] && s[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// bare is a key without the words that add nothing: "the installed CUDA driver
// version" is "cuda driver".
func bare(key string) string {
	if !hasNoise(key) {
		return key
	}
	words := strings.Fields(key)
	out := words[:0]
	for _, w := range words {
		if !noise[w] {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

func hasNoise(key string) bool {
	for w := range strings.SplitSeq(key, " ") {
		if noise[w] {
			return true
		}
	}
	return false
}

var noise = map[string]bool{
	"version": true, "versions": true, "ver": true, "vers": true, "the": true, "your": true, "my": true, "our": true, "installed": true, "current": true,
	"currently": true, "detected": true, "used": true, "using": true, "is": true, "are": true, "local": true, "loaded": true, "found": true, "of": true,
	"in": true, "use": true, "info": true, "information": true, "number": true, "string": true, "full": true, "s": true, "and": true, "release": true,
	"platform": true, "package": true, "environment": true, "env": true, "core": true, "host": true, "system": true, "server": true, "applicable": true,
	"if": true, "which": true, "what": true, "running": true, "actual": true, "command": true, "below": true, "exact": true,
}

func hasLetters(s string) bool { return strings.IndexFunc(s, unicode.IsLetter) >= 0 }
