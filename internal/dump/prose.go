package dump

import (
	"slices"
	"strings"

	"strata/internal/lazyregexp"
	"strata/internal/transcript"
)

// prose reads what people say in sentences and titles: "RTX 4090, driver
// 535.104.05, CUDA 11.8 on Ubuntu 22.04". It is the last to be believed. Where
// a text says two things of one kind none of them is taken, except that what
// somebody says of himself ("I have …", "my …") goes before the rest.
var prose = reader{name: "prose", read: readProse, messages: true, words: proseWords()}

// proseWords are those without one of which a line says nothing here.
func proseWords() []string {
	out := slices.Concat(gpuHints, bareNumbers, []string{"nvidia ", " gpu"})
	for _, k := range kinds {
		out = append(out, k.hint)
	}
	return out
}

var (
	firstPerson = lazyregexp.New(`(?i)\b(?:i have|i've|i am|i'm|i use|my|we are|we're|we use|we have|our|running|i run|i installed|i got|i tried|environment|system)\b`)
	joined      = lazyregexp.New(`(?i)\b(?:and|with|on|my|the|i|we|using) `)
	// Commands, tracebacks and source text are no sentences.
	noSentence = lazyregexp.New(`^\s*(?:[$>+]\s|\S+@\S+[:~]|File "|import |from \w+ import|RUN |\$ |sudo |pip3? (?:install|uninstall|show|list|freeze|download|wheel|-)|conda (?:install|create|list|env|update|activate|run|-)|apt|docker |wget |curl |export |at 0x|#\d+ 0x|\[|CC |LD |/)`)
	notSaid    = []string{"pip install", "pip3 install", "conda install", "mamba install", "apt install", "apt-get install", "dnf install", "yum install", "brew install", ".py:", ".cc:", ".go:", ".cpp:", ".o ", "FAILED:"}
)

// listPlus joins the names of a list, each with its release.
var listPlus = lazyregexp.New(`(\p{L}|\.\d+)[ ]?\+[ ]?((?i:python|cuda|cudnn|pytorch|torch|tensorflow|ubuntu|nvidia|centos|windows|win)[ -]?\d)`)

// ofDriver stands before a CUDA that is the driver's: "driver 460.91.03 (CUDA 11.2)".
var ofDriver = lazyregexp.New(`(?i)\bdrivers? [^()]{0,30}\((?:max\.? |supports |runs |up to )?$`)

// mention is one thing said.
type mention struct {
	text   string
	strong bool // said of the speaker's own machine
	line   transcript.Line
}

// maxProse is the longest line in bytes that is read as prose; a paragraph of a report may be one line.
const maxProse = 4000

// maxMentions bounds what is compared of one kind.
const maxMentions = 16

func readProse(t *transcript.Text, f *Facts) {
	mentions := make([][]mention, len(kinds))
	var gpus []GPU
	mine := false
	for _, l := range t.Lines {
		l.Text = strings.ReplaceAll(beforeError(l.Text), "**", "") // of Markdown
		if strings.Count(l.Text, "+") > 1 {
			l.Text = listPlus.ReplaceAllString(l.Text, "$1, $2") // ubuntu20.04+cuda12.1+torch2.1
		}
		line := l.Text
		if len(line) < 8 || len(line) > maxProse || !strings.Contains(line, " ") && !hasHan(line) || !hasDigit(line) || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "+--") {
			continue
		}
		lower := lowerASCII(line)
		var ask []int
		for i := range kinds {
			if strings.Contains(lower, kinds[i].hint) && len(mentions[i]) < maxMentions {
				ask = append(ask, i)
			}
		}
		named := gpuHinted(lower)
		if len(ask) == 0 && !named || noSentence.MatchString(line) {
			continue
		}
		strong := firstPerson.MatchString(line)
		systems := 0
		for _, i := range ask {
			found := kinds[i].find(l, strong)
			if len(found) > 0 && systemHints[kinds[i].hint] {
				if systems++; systems > 1 && strings.Contains(line, "(") { // OS (Ubuntu 22.04, CentOS 7, Windows 10)
					for k := range kinds {
						if n := len(mentions[k]); n > 0 && systemHints[kinds[k].hint] && mentions[k][n-1].line.N == l.N {
							mentions[k] = mentions[k][:n-1]
						}
					}
					continue
				}
			}
			mentions[i] = append(mentions[i], found...)
		}
		if named && (gpus == nil || strong && !mine) {
			if list := gpusOf(f, l); len(list) > 0 {
				gpus, mine = list, strong
			}
		}
	}
	for i, list := range mentions {
		if m, ok := agreed(list); ok {
			// Of a line that was read as a form nothing is left to be said, unless it is a sentence with a form in it.
			f.sentences = !joined.MatchString(m.line.Text)
			kinds[i].take(f, m.text, f.At(m.line.N, m.line.Text))
		}
	}
	f.GPUs(gpus, Prose)
}

// beforeError is a line without the program's message, or the command, that somebody put behind his sentences.
func beforeError(line string) string {
	for _, w := range []string{"Error: ", "Warning: "} {
		if i := strings.Index(line, w); i >= 0 {
			line = strings.TrimRightFunc(line[:i], inErrorName)
		}
	}
	for _, w := range notSaid {
		if i := strings.Index(line, w); i >= 0 {
			line = line[:strings.LastIndex(line[:i], ". ")+1] // the sentences before it
		}
	}
	return line
}

// inErrorName holds for what the name of an error is made of: torch.cuda.OutOfMemory.
func inErrorName(r rune) bool {
	return r == '.' || r == '_' || r < 0x80 && (isDigit(byte(r)) || isWord(byte(r)))
}

// find gives what a line says of one kind.
func (k *said) find(l transcript.Line, strong bool) (out []mention) {
	line := l.Text
	for _, m := range k.form.FindAllStringSubmatchIndex(line, 4) {
		end := m[1]
		if end < len(line) && (isDigit(line[end]) || line[end] == '_' || line[end] == '.' && end+1 < len(line) && isDigit(line[end+1])) {
			continue // the number goes on
		}
		if m[0] > 0 && strings.IndexByte("/_=-.+", line[m[0]-1]) >= 0 || k.hint != "cuda/" && !changedFirst.MatchString(line[m[0]:end]) && wantedAt(line, m[0], end) || k.hint == "cuda" && ofDriver.MatchString(line[:m[0]]) {
			continue
		}
		out = append(out, mention{line[m[2]:m[3]], strong, l})
	}
	return out
}

func hasAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// hasDigit is asked first, since a line without a number says nothing here.
func hasDigit(s string) bool {
	for i := range len(s) {
		if isDigit(s[i]) {
			return true
		}
	}
	return false
}

// agreed is what the mentions of one kind say alike, the longest form of it;
// of those that differ, what people say of themselves.
func agreed(list []mention) (best mention, ok bool) {
	for _, own := range []bool{true, false} {
		best, ok = mention{}, false
		differ := false
		for _, m := range list {
			switch {
			case own && !m.strong:
			case !ok, longer(m.text, best.text), strings.HasPrefix(m.text, best.text+" "):
				best, ok = m, true
			case !longer(best.text, m.text) && !strings.HasPrefix(best.text, m.text+" ") && !strings.EqualFold(best.text, m.text):
				differ = true
			}
		}
		if ok && !differ {
			return best, true
		}
		if ok && own {
			break // somebody says two things of himself
		}
	}
	return mention{}, false
}

// hasHan tells whether a line has a letter that is no ASCII: Chinese and Japanese sentences have no spaces.
func hasHan(s string) bool { return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x3000 }) }
