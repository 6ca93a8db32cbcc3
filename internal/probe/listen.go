package probe

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"

	"strata/internal/redact"
)

// What a child may say. A ladder has some hundred steps; a library that prints
// without end is read on, so that it does not wait for us, and not kept.
const (
	maxSteps = 5000
	maxLine  = 64 << 10
	maxHead  = 2 << 10 // of the excerpt: its first words tell the fault,
	maxTail  = 6 << 10 // its last ones the end
)

// drain is how long the output of a child that is gone may still come: another
// process may have its end of the pipe.
const drain = 2 * time.Second

// listener takes the steps out of what a child prints; the rest goes to other.
type listener struct {
	mu    sync.Mutex
	steps []Step
	saw   func(Step)
	other *excerpt
	// during is what came on standard error since a step began there; nil where none goes on.
	during *excerpt
}

func (l *listener) listen(r io.Reader) {
	in := bufio.NewReaderSize(r, maxLine)
	for {
		line, err := in.ReadSlice('\n')
		if len(line) > 0 {
			l.line(bytes.TrimSpace(line))
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

func (l *listener) line(line []byte) {
	if len(line) == 0 {
		return
	}
	s, err := Parse(line)
	if err != nil {
		l.other.add(line)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.take(s)
}

// stepMark begins a line of standard error that is a step. A child whose libraries
// print much sends its steps there, so that what is printed belongs to one.
const stepMark = 0x1e

// words takes steps and what is printed between them out of standard error.
func (l *listener) words(line []byte) {
	s, err := Step{}, error(nil)
	isStep := len(line) > 0 && line[0] == stepMark
	if isStep {
		s, err = Parse(line[1:])
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !isStep || err != nil {
		line = colours.ReplaceAll(line, nil)
		l.other.add(line)
		if l.during != nil {
			l.during.add(line)
		}
		return
	}
	if s.State == Begin {
		l.during = &excerpt{}
	} else if l.during != nil {
		s.Said, l.during = l.during.text(), nil
	}
	l.take(s)
}

// colours are what ONNX Runtime paints its messages with, terminal or not.
var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// take keeps a step; l.mu is held.
func (l *listener) take(s Step) {
	if n := len(l.steps); n > 0 && l.steps[n-1].ends(s) {
		l.steps[n-1] = s // it ended: one entry is enough
	} else if n < maxSteps {
		l.steps = append(l.steps, s)
	}
	if l.saw != nil {
		l.saw(s)
	}
}

// ends tells whether a line is the end of a step that s began. Steps do not lie
// within each other; which file a name led to is known only at the end.
func (s Step) ends(o Step) bool {
	return s.State == Begin && o.State != Begin && s.Rung == o.Rung && s.Name == o.Name
}

// excerpt keeps the beginning and the end of a text.
type excerpt struct {
	mu         sync.Mutex
	head, tail []byte
	cut        bool
}

func (l *listener) listenWords(r io.Reader) {
	in := bufio.NewReaderSize(r, maxLine)
	for {
		line, err := in.ReadSlice('\n')
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 {
			l.words(line)
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return
		}
	}
}

func (e *excerpt) add(line []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.tail) == 0 && len(e.head)+len(line) < maxHead {
		e.head = append(append(e.head, line...), '\n')
		return
	}
	e.tail = append(append(e.tail, line...), '\n')
	if n := len(e.tail) - maxTail; n > 0 {
		e.cut = true
		e.tail = append(e.tail[:0], e.tail[n:]...)
	}
}

// fault is the signal that Go's runtime says it died of: "SIGSEGV: segmentation
// violation" in a line of its own. The library may have said something before.
func (e *excerpt) fault() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for line := range strings.Lines(string(e.head) + string(e.tail)) {
		if name, _, ok := strings.Cut(line, ": "); ok && strings.HasPrefix(name, "SIG") && !strings.ContainsAny(name, " \t") {
			return name
		}
	}
	return ""
}

// text is what was kept, redacted line by line.
func (e *excerpt) text() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var b strings.Builder
	part := func(text []byte) {
		for line := range strings.Lines(string(text)) {
			b.WriteString(redact.Line(strings.TrimRight(line, "\n")))
			b.WriteByte('\n')
		}
	}
	part(e.head)
	if e.cut {
		b.WriteString("…\n")
	}
	part(e.tail)
	return strings.TrimRight(b.String(), "\n")
}

// heard waits for the rest of the output and returns all of it.
func (p *process) heard() ([]Step, string) {
	done := make(chan struct{})
	go func() { p.ears.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(drain):
	}
	for _, f := range p.pipes {
		f.Close()
	}
	p.steps.mu.Lock()
	defer p.steps.mu.Unlock()
	steps := append([]Step{}, p.steps.steps...)
	if n := len(steps); n > 0 && steps[n-1].State == Begin && p.steps.during != nil {
		steps[n-1].Said = p.steps.during.text() // its last words
	}
	return steps, p.tail.text()
}
