package witness

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// streams carry what a command prints to where it belongs and, line by line, to
// whoever reads along. Where both streams go to a terminal the command gets one,
// so that it colours and draws as it would alone; its input stays the real one.
type streams struct {
	terminal bool
	master   *os.File // of the terminal that the command writes to
	slave    *os.File
	real     *os.File
	ends     []*os.File // our ends of the pipes
	childs   []*os.File // the command's ends
	lines    *lines
	copies   sync.WaitGroup
	targets  []*os.File
	tracer   *tracer // gets the linker's words where they are in the output; nil where it was not asked to speak
}

func newStreams(cmd *exec.Cmd, o Options) (*streams, error) {
	s := &streams{lines: &lines{to: o.Output}}
	if term.IsTerminal(int(o.Out.Fd())) && term.IsTerminal(int(o.Err.Fd())) {
		master, slave, err := pty.Open()
		if err == nil {
			s.terminal, s.master, s.slave, s.real = true, master, slave, o.Out
			plainOutput(slave)
			s.resize()
			cmd.Stdout, cmd.Stderr = slave, slave
			s.ends, s.childs, s.targets = []*os.File{master}, []*os.File{slave}, []*os.File{o.Out}
			return s, nil
		}
	}
	for _, t := range []struct {
		to  *os.File
		set *io.Writer
	}{{o.Out, &cmd.Stdout}, {o.Err, &cmd.Stderr}} {
		r, w, err := os.Pipe()
		if err != nil {
			s.close()
			return nil, fmt.Errorf("making a pipe for the command's output: %w", err)
		}
		*t.set = w
		s.ends, s.childs, s.targets = append(s.ends, r), append(s.childs, w), append(s.targets, t.to)
	}
	return s, nil
}

// plainOutput keeps the inner terminal from turning line ends into two
// characters: the outer one does that.
func plainOutput(f *os.File) {
	t, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	if err == nil {
		t.Oflag &^= unix.OPOST
		_ = unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, t)
	}
}

func (s *streams) resize() {
	if s.terminal {
		_ = pty.InheritSize(s.real, s.master)
	}
}

// started begins to carry: the command has its ends, ours of them are closed.
func (s *streams) started() {
	for _, f := range s.childs {
		f.Close()
	}
	for i, r := range s.ends {
		s.copies.Add(1)
		go func() {
			defer s.copies.Done()
			s.carry(r, s.targets[i])
		}()
	}
}

// carry copies until the last process that has the other end is gone. What
// cannot be written any more is read on, so that the command never waits for us.
func (s *streams) carry(from, to *os.File) {
	buf := make([]byte, 64<<10)
	var line partial
	words := &spill{to: s.tracer}
	for {
		n, err := from.Read(buf)
		data := buf[:n]
		if s.tracer != nil {
			data = words.take(data, n == len(buf) && err == nil)
		}
		if len(data) > 0 {
			if to != nil {
				if _, werr := to.Write(data); werr != nil {
					to = nil
				}
			}
			line.add(data, s.lines)
		}
		if err != nil { // EIO is a terminal's way to say so
			line.flush(s.lines)
			return
		}
	}
}

// finish waits for the rest of the output. A grandchild that lives on keeps its
// end open; drain bounds how long we wait for it.
func (s *streams) finish() {
	done := make(chan struct{})
	go func() { s.copies.Wait(); close(done) }()
	select {
	case <-done:
	case <-after(drain):
	}
	s.close()
	if s.lines.to != nil {
		s.lines.close()
	}
}

func (s *streams) close() {
	for _, f := range append(s.ends, s.childs...) {
		f.Close()
	}
}

// partial is the beginning of a line whose end has not come yet.
type partial struct{ buf []byte }

// maxPartial is the longest piece that is held back for its line's end.
const maxPartial = 64 << 10

func (p *partial) add(data []byte, to *lines) {
	i := bytes.LastIndexByte(data, '\n')
	if i < 0 {
		p.buf = append(p.buf, data...)
		if len(p.buf) > maxPartial {
			p.flush(to)
		}
		return
	}
	to.write(p.buf, data[:i+1])
	p.buf = append(p.buf[:0], data[i+1:]...)
}

func (p *partial) flush(to *lines) {
	if len(p.buf) > 0 {
		to.write(p.buf, []byte{'\n'})
		p.buf = p.buf[:0]
	}
}

// lines puts whole lines of both streams behind one another.
type lines struct {
	mu     sync.Mutex
	to     io.WriteCloser
	broken bool
}

func (l *lines) write(parts ...[]byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range parts {
		if l.to == nil || l.broken || len(p) == 0 {
			continue
		}
		if _, err := l.to.Write(p); err != nil {
			l.broken = true // the reader is gone; the command goes on
		}
	}
}

func (l *lines) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = true
	l.to.Close()
}
