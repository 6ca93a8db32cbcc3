package probe

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Sampler is strata-probe looking at the GPUs again and again, beside a command.
type Sampler struct {
	program *Program
	cmd     *exec.Cmd
	exited  chan struct{}
	stdin   *os.File
	tail    excerpt
	saw     func(Sample)
	patient time.Duration

	mu      sync.Mutex
	doing   string
	stopped bool
	why     string        // it ended before it was stopped
	heard   chan struct{} // closed when nothing more comes
	ears    sync.WaitGroup
}

// DefaultEvery is the time between two looks at the GPUs. NVML's own utilisation is a
// mean over a sixth of a second to a second, so that more looks show little more.
const DefaultEvery = time.Second

// silence is how long a look may take, as for a whole probe: the first one starts the driver.
const silence = DefaultLimit

// maxSample bounds a line: sixteen GPUs with some hundred processes each.
const maxSample = 1 << 20

// StartSampler starts it, with arguments such as --libnvml in front. saw is told
// each look, one at a time, and no more once Stop has returned.
func StartSampler(every time.Duration, saw func(Sample), args ...string) (*Sampler, error) {
	program, err := FindProgram()
	if err != nil {
		return nil, err
	}
	s := &Sampler{program: program, saw: saw, patient: silence + every, heard: make(chan struct{})}
	if err := s.start(append(append([]string{ProgramName, "--every", every.String()}, args...), "sample")); err != nil {
		return nil, errors.Join(err, program.Close())
	}
	return s, nil
}

func (s *Sampler) start(argv []string) error {
	in, inW, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("making a pipe for %s: %w", ProgramName, err)
	}
	out, outW, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("making a pipe for %s: %w", ProgramName, errors.Join(err, in.Close(), inW.Close()))
	}
	errs, errW, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("making a pipe for %s: %w", ProgramName, errors.Join(err, in.Close(), inW.Close(), out.Close(), outW.Close()))
	}
	// Unlike a probe it adopts no orphans: those of the command beside it belong to whom they would belong to without us.
	s.cmd = &exec.Cmd{Path: s.program.Path, Args: argv, Env: os.Environ(), Stdin: in, Stdout: outW, Stderr: errW}
	s.exited, err = launch(s.cmd)
	in.Close()
	outW.Close()
	errW.Close()
	if err != nil {
		inW.Close()
		out.Close()
		errs.Close()
		return startError(s.program.Path, ProgramName, err)
	}
	s.stdin = inW
	s.ears.Add(1)
	go func() {
		defer s.ears.Done()
		defer errs.Close()
		(&listener{other: &s.tail}).listenWords(errs)
	}()
	go s.listen(out)
	go func() { // what it left behind may hold the other ends
		<-s.exited
		soon := time.Now().Add(drain / 10)
		_, _ = out.SetReadDeadline(soon), errs.SetReadDeadline(soon)
	}()
	return nil
}

// listen takes lines until there are no more, or until none comes for too long.
func (s *Sampler) listen(out *os.File) {
	defer close(s.heard)
	defer out.Close()
	late := time.AfterFunc(s.patient, func() {
		s.end(fmt.Sprintf("NVML did not answer for %s in %s", s.patient.Round(100*time.Millisecond), s.at()))
		_ = out.SetReadDeadline(time.Now()) // a process that hangs in the kernel keeps its end open
	})
	defer late.Stop()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxSample)
	for lines.Scan() {
		if !bytes.HasPrefix(lines.Bytes(), []byte("{")) {
			continue // a library that talks, perhaps much
		}
		x, err := ParseSample(lines.Bytes())
		if err != nil {
			continue
		}
		late.Reset(s.patient)
		s.take(x)
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		s.end("what " + ProgramName + " printed is no sample")
	}
	s.gone()
}

func (s *Sampler) take(x Sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.stopped:
	case x.Failed != "":
		s.why = cmp.Or(s.why, x.Failed)
	case x.Doing != "":
		s.doing = x.Doing
	default:
		s.doing = "a look at the GPUs"
		s.saw(x)
	}
}

func (s *Sampler) at() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.doing, "its start")
}

// end kills it for a reason.
func (s *Sampler) end(why string) {
	s.mu.Lock()
	if !s.stopped {
		s.why = cmp.Or(s.why, why)
	}
	s.mu.Unlock()
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL) // ESRCH: it is gone already
}

// gone notes how a child ended that nobody had stopped.
func (s *Sampler) gone() {
	select {
	case <-s.exited:
	case <-time.After(grace):
		return
	}
	s.ears.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || s.why != "" {
		return
	}
	how := fmt.Sprintf("with status %d", s.cmd.ProcessState.ExitCode())
	if ws, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		how = "by " + signalName(ws.Signal())
	} else if name := s.tail.fault(); name != "" {
		how = "by " + name
	} else if ws.ExitStatus() == exitUsage {
		s.why = fmt.Sprintf("%s (%s) is of another version than strata and cannot sample", ProgramName, s.program.Found)
		return
	}
	s.why = fmt.Sprintf("%s ended %s in %s", ProgramName, how, cmp.Or(s.doing, "its start"))
}

// Stop ends it and says why it had ended before, "" where it had not. When it returns nothing is left of it,
// unless it hangs in the kernel, which no signal reaches.
func (s *Sampler) Stop() (why string) {
	if s == nil {
		return ""
	}
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.stdin.Close()
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
	for _, done := range []chan struct{}{s.exited, s.heard} {
		select {
		case <-done:
		case <-time.After(grace):
			why = "it hangs in the kernel and was left behind"
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.program.Close(); err != nil && s.why == "" {
		s.why = err.Error()
	}
	return cmp.Or(s.why, why)
}
