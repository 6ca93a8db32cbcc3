package probe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Child is a program to run as a probe.
type Child struct {
	Rung   Rung
	Part   string // as in Run
	Device *int   // as in Run
	// Path is the file to run, Argv its arguments with its name first.
	Path string
	Argv []string
	// Env is the whole environment; nil means this process's.
	Env []string
	// Limit is how long it may run, Memory how much it may hold for itself, in bytes; 0 means DefaultLimit and DefaultMemory.
	Limit  time.Duration
	Memory int64
	// Saw is told each step as it comes; it may be nil.
	Saw func(Step)
}

const (
	// DefaultLimit is far above what initialising a driver takes on a host with many GPUs (some seconds without persistence mode).
	DefaultLimit = 10 * time.Second
	// DefaultMemory is above what cuDNN or a framework takes for a small operation, and far below what hurts a host.
	DefaultMemory = 8 << 30
)

// grace is how long a killed process may take to disappear. One that hangs in
// the kernel does not; it is left behind and said to be stuck.
const grace = 2 * time.Second

// Exec runs the child to its end. An error means that it could not be started;
// whatever it does afterwards is in the Run. When Exec returns, the child and
// all that it started are gone, unless the Run says Stuck.
func (c Child) Exec(ctx context.Context) (Run, error) {
	if c.Limit == 0 {
		c.Limit = DefaultLimit
	}
	if c.Memory == 0 {
		c.Memory = DefaultMemory
	}
	begin := time.Now()
	run := Run{Rung: c.Rung, Part: c.Part, Device: c.Device, Argv: c.Argv, Steps: []Step{}}
	dir, err := os.MkdirTemp("", "strata-probe-")
	if err != nil {
		return run, fmt.Errorf("making a folder for the probe's temporary files: %w", err)
	}
	defer os.RemoveAll(dir)
	mark := "STRATA_PROBE=" + dir
	p, err := c.start(append(environment(c.Env, dir), mark))
	if err != nil {
		return run, err
	}
	ended := p.watch(ctx, c, &run.End)
	p.end()
	if !ended {
		select {
		case <-p.exited:
		case <-time.After(grace):
			run.End.Stuck = true
		}
	}
	p.sweep(mark, run.End.Stuck)
	run.Steps, run.End.Stderr = p.heard()
	p.status(&run.End)
	run.End.Micros = time.Since(begin).Microseconds()
	return run, nil
}

// environment is that of a child: what writes outside of dir otherwise is
// turned off or sent there.
func environment(env []string, dir string) []string {
	if env == nil {
		env = os.Environ()
	}
	// The cache of compiled PTX is in the user's home; without it the compiler is really asked, too.
	return append(env[:len(env):len(env)], "TMPDIR="+dir, "CUDA_CACHE_DISABLE=1", "CUDA_ENABLE_COREDUMP_ON_EXCEPTION=0")
}

// process is a child that runs.
type process struct {
	cmd    *exec.Cmd
	exited chan struct{} // closed when it is reaped
	pid    int
	stdin  *os.File
	pipes  []*os.File // our ends of its output
	steps  listener
	tail   excerpt
	ears   sync.WaitGroup
}

// start starts it in a process group of its own. Its input is a pipe that never
// says anything: /dev/null need not exist in a container.
func (c Child) start(env []string) (*process, error) {
	adopt()
	p := &process{}
	p.steps.saw, p.steps.other = c.Saw, &p.tail
	in, inW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe for the probe: %w", err)
	}
	p.stdin = inW
	out, outW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe for the probe: %w", errors.Join(err, in.Close(), inW.Close()))
	}
	errs, errW, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe for the probe: %w", errors.Join(err, in.Close(), inW.Close(), out.Close(), outW.Close()))
	}
	p.pipes = []*os.File{out, errs}
	p.cmd = &exec.Cmd{Path: c.Path, Args: c.Argv, Env: env, Stdin: in, Stdout: outW, Stderr: errW}
	p.exited, err = launch(p.cmd)
	in.Close()
	outW.Close()
	errW.Close()
	if err != nil {
		inW.Close()
		out.Close()
		errs.Close()
		return nil, startError(c.Path, c.Argv[0], err)
	}
	p.pid = p.cmd.Process.Pid
	p.ears.Add(2)
	go func() { defer p.ears.Done(); p.steps.listen(out) }()
	go func() { defer p.ears.Done(); p.steps.listenWords(errs) }()
	return p, nil
}

// launch starts a program in a process group of its own. What it gives is closed when the program has ended and is reaped.
func launch(cmd *exec.Cmd) (exited chan struct{}, err error) {
	exited = make(chan struct{})
	// The kernel ends the child when the thread that started it ends; that thread waits for it below.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		started <- nil
		_ = cmd.Wait() // its status says how it ended
		close(exited)
	}()
	return exited, <-started
}

// startError says why a program could not be started. The kernel answers "no
// such file" also where the program's loader is what is missing.
func startError(file, name string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if errors.Is(err, syscall.ENOENT) {
		if _, e := os.Stat(file); e == nil {
			return fmt.Errorf("starting %s: the dynamic linker that it names is not here, so that no library of NVIDIA can be loaded either: %w", name, err)
		}
	}
	return fmt.Errorf("starting %s: %w", name, err)
}

// status notes how a process that is gone ended. Go reports a fault within a
// library by a line on standard error and status 2.
func (p *process) status(e *End) {
	if e.Stuck {
		e.Exit = -1
		return
	}
	state := p.cmd.ProcessState
	e.Exit = state.ExitCode()
	if s, ok := state.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		e.Signal = signalName(s.Signal())
	}
	if name := p.tail.fault(); e.Exit == crashed && name != "" {
		e.Exit, e.Signal = -1, name
	}
}

// crashed is the status with which Go's runtime ends a process after a fatal signal.
const crashed = 2
