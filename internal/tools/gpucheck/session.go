package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"
)

// session is one run on one machine.
type session struct {
	ctx      context.Context // ends when the time is over
	dir, out string          // of the programs, and for the results
	temp     string
	index    bool
	python   string // the first interpreter of PATH, "" without one
	device   bool   // there is a device file of a GPU
	pythons  map[string]string
	outputs  map[string]string // of the command of each step, for triage
	archive  txtar.Archive
	results  []result
	step     string
	seen     int // commands of the step so far
}

// open begins a run with the programs of a folder that prepare made.
func open(ctx context.Context, dir, out string, index bool) (*session, error) {
	s := &session{ctx: ctx, dir: dir, out: out, index: index, pythons: map[string]string{}, outputs: map[string]string{}}
	for _, name := range []string{"strata", "strata-probe", "add.py"} {
		if _, err := os.Stat(filepath.Join(s.dir, name)); err != nil {
			return nil, fmt.Errorf("%s is not in %s: run prepare, and bring the whole folder", name, dir)
		}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "gpucheck-")
	if err != nil {
		return nil, err
	}
	s.temp = temp
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil && s.python == "" {
			s.python = path
		}
	}
	nodes, _ := filepath.Glob("/dev/nvidia[0-9]*")
	_, wsl := os.Stat("/dev/dxg")
	s.device = len(nodes) > 0 || wsl == nil
	return s, nil
}

func (s *session) close() { os.RemoveAll(s.temp) }

// finished is a command that has ended.
type finished struct {
	status    int
	out, errs string
	took      time.Duration
}

// command runs a program with variables on top of the machine's and keeps what it said.
func (s *session) command(ctx context.Context, env []string, argv ...string) finished {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = 5 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	begin := time.Now()
	err := cmd.Run()
	f := finished{status: -1, out: out.String(), errs: errs.String(), took: time.Since(begin)}
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) {
		f.status = cmd.ProcessState.ExitCode()
	} else {
		f.errs += err.Error()
	}
	s.keep("command", fmt.Sprintf("%s\nstatus %d after %.1f s\n", strings.Join(append(slices.Clone(env), argv...), " "), f.status, f.took.Seconds()))
	s.keep("stdout", f.out)
	s.keep("stderr", f.errs)
	s.seen++
	return f
}

// mostKept bounds one output in the archive: a framework that repeats itself is told by its beginning and its end. A report has some 300 KB.
const mostKept = 2 << 20

func (s *session) keep(what, text string) {
	if text == "" {
		return
	}
	if n := len(text); n > mostKept {
		text = text[:mostKept/2] + "\n… left out …\n" + text[n-mostKept/2:]
	}
	text = strings.NewReplacer(s.dir, "PROGRAMS", s.temp, "TEMP").Replace(text)
	name := fmt.Sprintf("%s/%d-%s", strings.ReplaceAll(s.step, " ", "-"), s.seen, what)
	s.archive.Files = append(s.archive.Files, txtar.File{Name: name, Data: []byte(redacted(text))})
}

// write leaves the results.
func (s *session) write(table string) error {
	s.archive.Comment = []byte(redacted(table))
	if err := os.WriteFile(filepath.Join(s.out, "table.txt"), s.archive.Comment, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.out, "results.txtar"), txtar.Format(&s.archive), 0o644)
}

// document is what the reports of all commands have in common, and what is asked of some.
type document struct {
	Verdict  verdict   `json:"verdict"`
	Findings []finding `json:"findings"`
	Ladder   []struct {
		Rung, Name, Status, Summary string
	} `json:"ladder"`
	Workloads []struct {
		ID        string
		Framework string
	} `json:"workloads"`
	Exit int `json:"exit"`
}

type finding struct{ ID, Layer, Severity, Summary string }

type verdict struct{ Status, Layer, Finding, Summary string }

func (v verdict) String() string { return strings.TrimSpace(v.Status + " " + v.Layer) }

// strata runs a command of strata that prints its report as JSON.
func (s *session) strata(ctx context.Context, env []string, args ...string) (document, finished, error) {
	f := s.command(ctx, env, append([]string{filepath.Join(s.dir, "strata")}, args...)...)
	var d document
	if err := json.Unmarshal([]byte(f.out), &d); err != nil {
		return d, f, fmt.Errorf("no report, status %d: %w %.300s", f.status, err, f.errs)
	}
	return d, f, nil
}

// watched is strata run over a program, whose report goes to a file.
func (s *session) watched(ctx context.Context, env []string, argv ...string) (document, finished, error) {
	record := filepath.Join(s.temp, "record.json")
	defer os.Remove(record)
	f := s.command(ctx, env, append([]string{filepath.Join(s.dir, "strata"), "run", "--record", record, "--"}, argv...)...)
	s.outputs[s.step] = f.out + f.errs
	var d document
	data, err := os.ReadFile(record)
	if err == nil {
		s.seen--
		s.keep("record.json", string(data))
		s.seen++
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		return d, f, fmt.Errorf("strata run left no report, status %d: %w %.300s", f.status, err, f.errs)
	}
	if d.Exit != f.status {
		return d, f, fmt.Errorf("the program ended with %d, strata run with %d", d.Exit, f.status)
	}
	return d, f, nil
}
