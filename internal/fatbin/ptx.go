package fatbin

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
)

// PTX text begins with .version and .target, in this order, comments aside (PTX
// ISA, "PTX Module Directives").
var ptxStart = regexp.MustCompile(`^\.version\s+(\d{1,2})\.(\d{1,2})\s`)

var ptxTarget = regexp.MustCompile(`^\.target\s+sm_(\d{2,3})([af]?)\b`)

// startsPTX tells whether text is the beginning of PTX.
func startsPTX(text []byte) bool {
	if len(text) == 0 || text[0] == 0 || text[0] >= 0x80 {
		return false
	}
	return ptxStart.Match(afterComments(text))
}

// ptx is a file of PTX text, of which head is the start.
func (t *tally) ptx(head []byte) error {
	text := afterComments(head)
	v := ptxStart.FindSubmatch(text)
	if v == nil {
		return fmt.Errorf("reading PTX: no .version at its start")
	}
	target := ptxTarget.FindSubmatch(afterComments(text[len(v[0]):]))
	if target == nil {
		return fmt.Errorf("reading PTX: no .target behind .version in the first %d bytes", len(head))
	}
	number := func(digits []byte) int { n, _ := strconv.Atoi(string(digits)); return n } // at most three digits
	t.Containers++
	t.addNamed(codeKey{
		kind: kindPTX, arch: uint32(number(target[1])), suffix: string(target[2]), compression: "none",
		major: uint16(number(v[1])), minor: uint16(number(v[2])),
	})
	t.closeContainer()
	return nil
}

// afterComments cuts white space and comments off the start of text.
func afterComments(text []byte) []byte {
	for {
		text = bytes.TrimLeft(text, " \t\r\n")
		end := -1
		switch {
		case bytes.HasPrefix(text, []byte("//")):
			end = bytes.IndexByte(text, '\n')
		case bytes.HasPrefix(text, []byte("/*")):
			if end = bytes.Index(text, []byte("*/")); end >= 0 {
				end++
			}
		default:
			return text
		}
		if end < 0 {
			return nil
		}
		text = text[end+1:]
	}
}
