// Package witness runs a command as it is and looks on: at what it prints, at
// what the dynamic linker says of its libraries, at the files and devices that
// it and its children have open, on request at each that they ask for. It changes nothing that the command could
// notice beyond two variables of the linker, and judges nothing.
package witness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"strata/internal/opentrace"
)

// Options say what to run.
type Options struct {
	Argv []string
	Env  []string // of the command; nil for this process's
	In   *os.File
	Out  *os.File
	Err  *os.File
	// Output gets what the command prints, in whole lines of both streams as
	// they end; nil throws it away. It is closed at the end.
	Output io.WriteCloser
	// Trace asks the dynamic linker to tell what it does; Opens has each open of
	// a file seen as well, where the machine allows that.
	Trace, Opens bool
	// Known tells which libraries matter, by their names; the opens of others are kept as far as there is room. May be nil.
	Known func(name string) bool
	// Started is told the command's process as soon as there is one, Saw each new
	// thing that it or a child of it has mapped or opened; both may be nil.
	Started func(pid int)
	Saw     func(Seen)
	// Interval is the time between two looks at /proc; DefaultInterval where zero.
	Interval time.Duration
}

// DefaultInterval is the time between two looks at the processes. A look takes
// some milliseconds with a framework's mappings, so that one a second stays far below 1 %.
const DefaultInterval = time.Second

// Record is what was seen of one command.
type Record struct {
	Argv  []string      `json:"argv"`
	Start time.Time     `json:"start"`
	Wall  time.Duration `json:"-"`
	// Exit is the status as a shell has it: 128 and the signal's number where a signal ended it.
	Exit   int    `json:"exit"`
	Signal string `json:"signal,omitempty"`
	Processes
	Linker
	Opens Opens `json:"-"`
}

// Run runs the command to its end. A command that cannot be started is an
// error; one that fails is not. The caller's signals are passed on.
func Run(ctx context.Context, o Options) (*Record, error) {
	w, err := start(ctx, o)
	if err != nil {
		return nil, err
	}
	return w.finish()
}

// run is a command under way.
type run struct {
	o       Options
	cmd     *exec.Cmd
	rec     *Record
	streams *streams
	tracer  *tracer
	watcher *watcher
	opens   *opentrace.Trace
	// confirming are the looks at processes that may just have opened a device.
	confirming chan struct{}
	confirms   sync.WaitGroup
	stop       chan struct{}
	done       sync.WaitGroup
	signals    chan os.Signal
}

func start(ctx context.Context, o Options) (*run, error) {
	if len(o.Argv) == 0 {
		return nil, errors.New("no command to run; say strata run -- COMMAND")
	}
	w := &run{o: o, stop: make(chan struct{}), signals: make(chan os.Signal, 16), rec: &Record{Argv: o.Argv}}
	w.cmd = exec.CommandContext(ctx, o.Argv[0], o.Argv[1:]...)
	w.cmd.Env = o.Env
	if w.cmd.Env == nil {
		w.cmd.Env = os.Environ()
	}
	w.cmd.Stdin = o.In
	w.cmd.Cancel = func() error { return w.cmd.Process.Signal(syscall.SIGTERM) }
	w.cmd.WaitDelay = 10 * time.Second
	if o.Trace {
		var err error
		if w.tracer, err = newTracer(); err != nil {
			return nil, err
		}
		w.cmd.Env = append(w.cmd.Env, w.tracer.env()...)
	}
	var err error
	if w.streams, err = newStreams(w.cmd, o); err != nil {
		w.tracer.close()
		return nil, err
	}
	w.streams.tracer = w.tracer
	signal.Notify(w.signals, forwarded...)
	w.rec.Start = time.Now()
	w.watcher, w.confirming = newWatcher(0, w.rec.Start, o.Saw), make(chan struct{}, maxConfirms)
	if err := w.launch(); err != nil {
		signal.Stop(w.signals)
		w.streams.close()
		w.tracer.close()
		return nil, fmt.Errorf("starting %q: %w", o.Argv[0], unwrapExec(err))
	}
	w.streams.started()
	w.watcher.root = w.cmd.Process.Pid
	if o.Started != nil {
		o.Started(w.cmd.Process.Pid)
	}
	w.done.Add(2)
	go w.forward()
	go w.look()
	return w, nil
}

// unwrapExec takes "exec: " and the name, which the message has already, off an error.
func unwrapExec(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		return e.Err
	}
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// forwarded are the signals that the command gets from us. What the terminal
// sends (SIGINT, SIGQUIT, SIGTSTP) reaches the command by itself, see forward.
var forwarded = []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGWINCH, syscall.SIGCONT}

func (w *run) forward() {
	defer w.done.Done()
	for {
		select {
		case s := <-w.signals:
			switch s {
			case syscall.SIGWINCH:
				w.streams.resize()
				continue
			case syscall.SIGINT, syscall.SIGQUIT:
				if w.streams.terminal {
					continue // the terminal has told the whole group
				}
			}
			_ = w.cmd.Process.Signal(s)
		case <-w.stop:
			return
		}
	}
}

// look samples until the command has ended.
func (w *run) look() {
	defer w.done.Done()
	every := w.o.Interval
	if every == 0 {
		every = DefaultInterval
	}
	// The first looks come sooner: a program that fails at once would else be over.
	for _, wait := range []time.Duration{every / 20, every / 5, every / 2} {
		if !w.pause(wait) {
			return
		}
	}
	for w.pause(every) {
	}
}

// pause waits and looks; false at the end.
func (w *run) pause(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-w.stop:
		return false
	}
	w.watcher.look()
	w.tracer.read()
	return true
}

func (w *run) finish() (*Record, error) {
	err := w.cmd.Wait()
	w.rec.Wall = time.Since(w.rec.Start)
	close(w.stop)
	w.done.Wait()
	signal.Stop(w.signals)
	w.streams.finish()
	w.tracer.read()
	w.seen()
	w.rec.Processes, w.rec.Linker = w.watcher.result(), w.tracer.result()
	w.rec.Opens.brief(w.rec.Devices)
	w.tracer.close()
	state := w.cmd.ProcessState
	if state == nil {
		return nil, fmt.Errorf("running %q: %w", w.o.Argv[0], err)
	}
	w.rec.Exit = state.ExitCode()
	if s, ok := state.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		w.rec.Exit, w.rec.Signal = 128+int(s.Signal()), s.Signal().String()
	}
	return w.rec, nil
}
