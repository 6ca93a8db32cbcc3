package transcript

import "strings"

// Clean takes off a line what tools put around it: colours, carriage returns,
// quote marks of mails and issues, the name that docker compose puts in front,
// and white space at the end. What is left is what the program wrote.
func Clean(line string) string {
	if strings.IndexByte(line, 0x1b) >= 0 {
		line = stripANSI(line)
	}
	if i := strings.LastIndexByte(strings.TrimRight(line, "\r"), '\r'); i >= 0 {
		line = line[i+1:] // a progress bar draws over itself
	}
	line = strings.TrimRight(line, " \t\r")
	for {
		rest := strings.TrimLeft(line, " \t")
		if quoted, ok := strings.CutPrefix(rest, "> "); ok {
			line = quoted
			continue
		}
		if rest == ">" {
			return ""
		}
		break
	}
	if name, rest, ok := strings.Cut(line, " | "); ok && isService(strings.TrimSpace(name)) {
		line = rest
	}
	return line
}

// isService tells whether a word is a container's name as docker compose and
// kubetail print it before each line: webui-1, app_web_1.
func isService(s string) bool {
	digit := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			digit = i == len(s)-1
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case c == '-', c == '_', c == '.', c == '/':
		default:
			return false
		}
	}
	return digit && strings.ContainsAny(s, "-_")
}

// stripANSI takes out the control sequences of ECMA-48: CSI … final byte, OSC …
// BEL or ST, and two-byte escapes. A sequence that does not end takes nothing with it.
func stripANSI(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			i++
			continue
		}
		i += escape(s[i:])
	}
	return b.String()
}

func escape(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch s[1] {
	case '[':
		for j := 2; j < len(s); j++ {
			if 0x40 <= s[j] && s[j] <= 0x7e {
				return j + 1
			}
			if s[j] < 0x20 || s[j] > 0x3f {
				break
			}
		}
		return 2
	case ']':
		for j := 2; j < len(s); j++ {
			if s[j] == 0x07 {
				return j + 1
			}
			if s[j] == 0x1b {
				return j + 2
			}
		}
		return 2
	}
	return 2
}

// Message is a cleaned line without what a logger put before the message: time,
// level, process, file and line. It gives the line itself where there is no such
// thing, and never an empty string for a line that has text.
func Message(line string) string {
	rest := strings.TrimLeft(line, " \t")
	for i := range maxPrefixes {
		n := prefix(rest)
		if n == 0 && i > 0 {
			n = middle(rest)
		}
		if n == 0 || n >= len(rest) {
			break
		}
		rest = strings.TrimLeft(rest[n:], " \t")
	}
	if rest == "" {
		return line
	}
	return rest
}

// maxPrefixes bounds the pieces of one logger's prefix: date, time, host,
// process, level, module.
const maxPrefixes = 8

// prefix is the length of one piece of a logger's prefix at the start of a line; 0 where there is none.
func prefix(s string) int {
	if s == "" {
		return 0
	}
	switch c := s[0]; {
	case c == '[' || c == '(':
		end := strings.IndexAny(s, "])")
		if end > 0 && end <= 48 && isStamp(s[1:end]) {
			if strings.HasPrefix(s[end+1:], ": ") { // [2024:02:28:18:46:13]: Info: …
				end++
			}
			return end + 1
		}
	case '0' <= c && c <= '9':
		end := strings.IndexAny(s, " \t")
		if end < 0 {
			end = len(s)
		}
		if isTime(strings.TrimRight(s[:end], ":,;")) {
			return end
		}
	case 'A' <= c && c <= 'Z':
		end := strings.IndexAny(s, " \t:")
		if end > 1 && levels[s[:end]] || end == 1 && levels[s[:1]] && namesPlace(s[1:]) {
			if s[end] == ':' {
				end++
			}
			return end
		}
		if n := klog(s); n > 0 {
			return n
		}
		if n := syslog(s); n > 0 {
			return n
		}
	case c == '-' || c == '|':
		if strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "| ") {
			// Only behind a prefix that was cut already would this be a separator; alone it is a list.
			return 0
		}
	}
	return 0
}

// middle is the length of what loggers put between a time and the message, and
// what alone could be anything: "- trainer - INFO - ", "| INFO | main:42 - ",
// "[worker] ", "trainer: INFO: "; 0 where there is none.
func middle(s string) int {
	switch s[0] {
	case '[':
		end := strings.IndexByte(s, ']')
		if end < 2 || end > 40 || end+1 >= len(s) || s[end+1] != ' ' {
			return 0
		}
		for i := 1; i < end; i++ {
			if c := s[i] | 0x20; 'a' <= c && c <= 'z' {
				return end + 1
			}
		}
	case 'D', 'I', 'W', 'E', 'F', 'd', 'i', 'w', 'e', 'f':
		if end := strings.IndexByte(s, ':'); end > 1 && end <= len("critical") && levels[strings.ToUpper(s[:end])] {
			return end + 1
		}
	case '-', '|':
		head := s[:min(len(s), 96)]
		end := 0
		for at := 0; ; {
			n := strings.Index(head[at:], " - ")
			if i := strings.Index(head[at:], " | "); i >= 0 && (n < 0 || i < n) {
				n = i
			}
			if n < 0 {
				break
			}
			word := strings.Trim(head[at:at+n], " -|")
			at += n + len(" - ")
			if levels[word] || end > 0 && strings.IndexByte(word, ' ') < 0 && strings.ContainsAny(word, ":.") {
				end = at // behind the level, and behind the place in the source that may follow it
			} else if end > 0 {
				break
			}
		}
		return end
	}
	return 0
}

// namesPlace tells whether a word that names a place in a program follows one
// letter: in "I tensorflow/core/util.cc:12] …" the letter is a level, in "I have" it is not.
func namesPlace(s string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(s, " :"), " ")
	return s[0] == ':' || strings.ContainsAny(word, "/:")
}

var levels = map[string]bool{
	"DEBUG": true, "INFO": true, "WARNING": true, "WARN": true, "ERROR": true, "CRITICAL": true, "FATAL": true, "TRACE": true, "NOTICE": true,
	"W": true, "E": true, "I": true, "F": true,
}

// isStamp tells whether what stands in brackets is a time, an uptime in
// seconds, a level or a place in the source.
func isStamp(s string) bool {
	s = strings.TrimSpace(s)
	return isTime(s) || levels[strings.ToUpper(s)] && s != "" || strings.Contains(s, ".cc:") || strings.Contains(s, ".cpp:") || strings.Contains(s, ".py:")
}

// isTime tells whether a word is a date, a time, or seconds with a fraction:
// digits and the marks between them, at least two of each.
func isTime(s string) bool {
	if isBusAddress(s) {
		return false
	}
	digits, marks, colons := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			digits++
		case c == ':':
			colons++
			marks++
		case c == '-' || c == '/' || c == '.' || c == ',' || c == '+' || c == ' ':
			marks++
		case c == 'T' || c == 'Z':
		default:
			return false
		}
	}
	dates := strings.Count(s, "-") == 2 || strings.Count(s, "/") == 2
	seconds := strings.Count(s, ".") == 1 && len(s)-strings.IndexByte(s, '.') == 7 // [   12.345678] of the kernel
	return digits >= 4 && marks > 0 && (colons >= 2 || dates || seconds)
}

// isBusAddress tells whether a word of digits and marks is the address of a device: 0000:01:00.0, of which no hour
// has as many digits.
func isBusAddress(s string) bool {
	domain, rest, ok := strings.Cut(s, ":")
	return ok && (len(domain) == 4 || len(domain) == 8) && len(rest) == 7 && rest[2] == ':' && rest[5] == '.' && strings.Trim(domain, "0123456789") == ""
}

// klog is the header of glog and klog: I0830 06:50:37.438787 3850 nvc.c:376]
func klog(s string) int {
	if !strings.ContainsRune("IWEF", rune(s[0])) || len(s) < 6 || s[5] != ' ' {
		return 0
	}
	for _, c := range s[1:5] {
		if c < '0' || c > '9' {
			return 0
		}
	}
	end := strings.Index(s, "] ")
	if end < 0 || end > 80 {
		return 0
	}
	return end + 1
}

var months = map[string]bool{"Jan": true, "Feb": true, "Mar": true, "Apr": true, "May": true, "Jun": true, "Jul": true, "Aug": true, "Sep": true, "Oct": true, "Nov": true, "Dec": true}

// syslog is the header of syslog and journalctl: Feb 04 13:15:38 host process[12]:
func syslog(s string) int {
	if len(s) < 16 || !months[s[:3]] || s[3] != ' ' || s[6] != ' ' || s[9] != ':' || s[12] != ':' {
		return 0
	}
	rest := s[15:]
	if i := strings.Index(rest, ": "); i > 0 && i < 80 && len(strings.Fields(rest[:i])) <= 3 {
		return 15 + i + 1
	}
	return 15
}
