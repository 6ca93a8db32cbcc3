package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// built asks an interpreter whether it has a framework that is built for CUDA. A build for the CPU is no fault of what is tried here.
var built = map[string]string{
	"torch":       "import torch; sys.exit(torch.version.cuda is None)",
	"jax":         "from importlib.util import find_spec as f; sys.exit(not f('jax') or not f('jax_plugins'))",
	"cupy":        "from importlib.util import find_spec as f; sys.exit(not f('cupy'))",
	"onnxruntime": "import onnxruntime; sys.exit('CUDAExecutionProvider' not in onnxruntime.get_available_providers())",
}

// interpreter is one that has the framework, "" where none has. The PATH's own comes first, then those of the environments that strata check
// finds.
func (s *session) interpreter(framework string) string {
	if p, ok := s.pythons[framework]; ok {
		return p
	}
	ask, found := "import sys; "+built[framework], ""
	for _, p := range s.candidates() {
		if s.asks(p, nil, ask) {
			found = p
			break
		}
	}
	if found == "" && framework == "onnxruntime" && s.index && s.python != "" {
		if s.fetch("onnxruntime-gpu") && s.asks(s.python, []string{"PYTHONPATH=" + filepath.Join(s.temp, "site")}, ask) {
			found = s.python
		}
	}
	s.pythons[framework] = found
	return found
}

func (s *session) asks(python string, env []string, ask string) bool {
	ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, "-c", ask)
	cmd.Env = append(os.Environ(), env...)
	return cmd.Run() == nil
}

// absent says why a framework cannot be tried.
func (s *session) absent(framework string) string {
	switch {
	case s.python == "":
		return "there is no Python"
	case framework == "onnxruntime" && s.index:
		return "no ONNX Runtime with CUDA is here, and the package index gave none"
	case framework == "onnxruntime":
		return "no ONNX Runtime with CUDA is here"
	}
	return "no interpreter here has " + framework + " built for CUDA"
}

// candidates are the interpreters to ask.
func (s *session) candidates() (list []string) {
	if s.python != "" {
		list = append(list, s.python)
	}
	out, err := exec.CommandContext(s.ctx, filepath.Join(s.dir, "strata"), "check", "--format", "json").Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return list
	}
	var d document
	if json.Unmarshal(out, &d) != nil {
		return list
	}
	seen := map[string]bool{s.python: true}
	for _, w := range d.Workloads {
		_, dir, ok := strings.Cut(w.ID, " in /")
		for _, name := range []string{"python3", "python"} {
			if p := filepath.Join("/"+dir, "bin", name); ok && !seen[p] {
				if _, err := os.Stat(p); err == nil {
					seen[p] = true
					list = append(list, p)
				}
				break
			}
		}
	}
	return list
}

// mostFetched is how long the index may take: the check has minutes.
const mostFetched = 100 * time.Second

// fetch asks the package index, by pip as the machine has it set up, into a folder that is removed at the end.
func (s *session) fetch(name string) bool {
	ctx, cancel := context.WithTimeout(s.ctx, mostFetched)
	defer cancel()
	return exec.CommandContext(ctx, s.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:",
		"--retries", "0", "--timeout", "5", "--target", filepath.Join(s.temp, "site"), name).Run() == nil
}

// site is the folder of what was fetched, "" where nothing was.
func (s *session) site() string {
	dir := filepath.Join(s.temp, "site")
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	return dir
}

// working is a program in the background.
type working struct{ cmd *exec.Cmd }

func (w *working) pid() int { return w.cmd.Process.Pid }

func (w *working) end() {
	_ = w.cmd.Process.Kill()
	_ = w.cmd.Wait()
}

// background starts a program and waits until it says that it works.
func (s *session) background(ctx context.Context, argv ...string) (*working, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := &working{cmd}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "working" {
		w.end()
		return nil, fmt.Errorf("the program did not begin to work: %q %w", line, err)
	}
	return w, nil
}
