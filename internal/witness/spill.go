package witness

import (
	"bytes"
	"slices"
)

// spill takes the linker's words out of a command's output. They are there where
// the folder that they belong in is not: under another root, on another machine
// that got the variables. The linker then writes to standard error (ld.so(8)).
type spill struct {
	to    *tracer
	held  []byte // the beginning of a line that may be the linker's
	words []byte // a line of the linker, without its end so far
	in    within
}

// within is the kind of line that was begun.
type within uint8

const (
	lineStart within = iota
	theirs
	linkers
)

// tag is how each of the linker's lines begins: ten places for the process's number, filled up with blanks, and ":\t" (glibc: _dl_debug_vdprintf).
const tag = 12

// tagged tells whether a line may begin with a tag, as far as it goes.
func tagged(line []byte) bool {
	number := false
	for i, b := range line {
		switch {
		case i == tag-1:
			return b == '\t'
		case i == tag-2:
			if b != ':' || !number {
				return false
			}
		case b >= '0' && b <= '9':
			number = true
		case b != ' ' || number:
			return false
		}
	}
	return true
}

// take gives what is the command's own of some output. more tells that the rest is there already: then a beginning is held back.
func (s *spill) take(data []byte, more bool) (own []byte) {
	for len(data) > 0 {
		i := bytes.IndexByte(data, '\n')
		part := data
		if i >= 0 {
			part = data[:i+1]
		}
		if s.in == lineStart {
			need := min(tag-len(s.held), len(part))
			s.held = append(s.held, part[:need]...)
			part, data = part[need:], data[need:]
			switch {
			case !tagged(s.held):
				s.in = theirs
				own, s.held = append(own, s.held...), s.held[:0]
			case len(s.held) == tag:
				s.in = linkers
				s.words, s.held = append(s.words, s.held...), s.held[:0]
			default:
				continue // all of the data is held
			}
		}
		if s.in == theirs {
			own = append(own, part...)
		} else if len(s.words) < maxWord {
			s.words = append(s.words, part...)
		}
		data = data[len(part):]
		if i >= 0 {
			s.end()
		}
	}
	if !more && len(s.held) > 0 { // the linker writes its lines whole: this is a prompt, or a counter
		own = append(own, s.held...)
		s.held, s.in = s.held[:0], theirs
	}
	return own
}

// end is the end of a line.
func (s *spill) end() {
	if s.in == linkers {
		s.to.spilled(slices.Clone(s.words))
	}
	s.words, s.in = s.words[:0], lineStart
}

// spilled takes a line that a linker wrote to the command's output.
func (t *tracer) spilled(line []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	name := "ld." + string(bytes.TrimSpace(line[:tag-2]))
	x := t.files[name]
	if x == nil {
		if len(t.files) >= maxProcesses {
			return
		}
		x = newTraced()
		t.files[name] = x
	}
	x.take(line)
}
