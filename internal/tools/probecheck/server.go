package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"strata/internal/cli"
	"strata/internal/outcome"
	"strata/internal/probe/framework"
	"strata/internal/report"
	"strata/internal/rule"
)

//go:embed testdata/server.py
var serverScript []byte

// served is what a server answered, and what strata run said of it.
type served struct {
	Providers []string           `json:"providers"`
	Sums      map[string]float64 `json:"sums"`
	doc       *outcome.Document
	said      string
}

// server runs a server that prefers the GPU, with each setting of its configuration, and then as one does who looks for the fault: on the CPU alone,
// side by side, with the remedy that Strata gives, and again.
func (c *checker) server(r *furnished) error {
	predicted, err := r.predict()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(predicted, func(p prediction) bool { return p.framework == "onnxruntime" })
	if i < 0 {
		return nil
	}
	p := predicted[i]
	if err := r.layServer(); err != nil {
		return err
	}
	var sums map[string]float64
	for _, setting := range []string{"cpu", "gpu", "auto"} {
		s, err := r.serve(setting, nil)
		if err != nil {
			return fmt.Errorf("server with executionProvider %s: %w", setting, err)
		}
		problems := s.judge(setting, p)
		if slices.Contains(raises, r.Name) && setting != "cpu" {
			problems = s.raised()
		} else if sums != nil && fmt.Sprint(sums) != fmt.Sprint(s.Sums) {
			problems = append(problems, fmt.Sprintf("it answers %v, and %v with another setting", s.Sums, sums))
		}
		if s.Sums != nil {
			sums = s.Sums
		}
		c.report(r.Name, fmt.Sprintf("server %s: %s %s: %s", setting, s.doc.Verdict.Status, s.doc.Verdict.Layer, s.doc.Verdict.Summary), problems)
		if c.verbose {
			fmt.Println(s.said)
		}
	}
	// Side by side takes two limits of time: for CI one root is enough.
	if p.library == "" || p.need == "must" || c.ci && r.Name != "ort-cu12-preload" {
		return nil
	}
	if err := c.sideBySide(r); err != nil {
		return err
	}
	return c.mended(r, p)
}

// layServer puts the server and its model into the root.
func (r *furnished) layServer() error {
	for name, data := range map[string][]byte{"server.py": serverScript, "model.onnx": framework.Model()} {
		if err := os.WriteFile(filepath.Join(r.root, "tmp", name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// judge holds one run of the server against the prediction.
func (s *served) judge(setting string, p prediction) (problems []string) {
	first := need(s.doc)
	switch {
	case p.need == "must": // it does not even start: ONNX Runtime for CUDA 13 needs the CUDA runtime to be imported
		if s.doc.Exit == 0 {
			problems = append(problems, "strata libs says that it does not start, and it does")
		}
		return append(problems, broken(s.doc.Verdict, p)...)
	case s.doc.Exit != 0 || !slices.Equal(s.Providers, []string{"CPUExecutionProvider"}):
		return []string{fmt.Sprintf("the server exited with %d and used %v", s.doc.Exit, s.Providers)}
	case setting == "cpu" || !strings.Contains(s.said, "CUDAExecutionProvider") && setting == "auto":
		if s.doc.FellBack || first != nil {
			problems = append(problems, "it was asked for the CPU, and is said to have fallen back")
		}
		return problems
	case !s.doc.FellBack:
		problems = append(problems, "it fell back, and is not said to")
	}
	if p.library == "" {
		if first != nil {
			problems = append(problems, "strata libs finds all, and the linker missed "+first.Name)
		}
		return problems
	}
	return append(problems, broken(s.doc.Verdict, p)...)
}

// raises are the roots whose ONNX Runtime ends with an exception where CUDA's libraries load and no GPU is there, instead of going on without it.
var raises = []string{"ort-cu11-ok"}

// raised holds such an end against what is expected of it.
func (s *served) raised() (problems []string) {
	if first := need(s.doc); s.doc.Exit == 0 || s.doc.FellBack || first != nil {
		problems = append(problems, fmt.Sprintf("want an exception for want of a GPU, got exit status %d, fell back: %v, missing: %v", s.doc.Exit, s.doc.FellBack, first))
	}
	if s.doc.Verdict.Status != report.Broken || s.doc.Verdict.Layer != rule.DeviceExposure {
		problems = append(problems, "it is not said that no GPU is there")
	}
	return problems
}

var listening = regexp.MustCompile(`listening on (http://127\.0\.0\.1:\d+)`)

// serve starts the server under strata run, asks it twice and has it end.
func (r *furnished) serve(setting string, env []string, flags ...string) (*served, error) {
	const record = "/tmp/record.json"
	file := filepath.Join(r.root, record)
	defer os.Remove(file)
	if err := os.WriteFile(filepath.Join(r.root, "tmp", "server.conf"), []byte("executionProvider: "+setting+"\n"), 0o644); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	args := append([]string{"run", "--record", record}, flags...)
	cmd := exec.CommandContext(ctx, "/tmp/strata", append(args, "--", interpreter, "/tmp/server.py", "/tmp/server.conf", "/tmp/model.onnx")...)
	cmd.Dir, cmd.Env = "/", append(slices.Clone(r.env), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: r.root, Pdeathsig: syscall.SIGKILL}
	in, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	defer in.Close()
	out, outW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer out.Close()
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, outW, &errs
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	outW.Close()
	s := &served{}
	lines := bufio.NewScanner(out)
	var said strings.Builder
	var asked error
	for lines.Scan() {
		fmt.Fprintln(&said, lines.Text())
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			asked = s.ask(ctx, m[1])
		}
	}
	err = cmd.Wait()
	s.said = said.String() + errs.String()
	if asked != nil {
		return s, fmt.Errorf("asking the server: %w\n%s", asked, s.said)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return s, fmt.Errorf("strata run: %w\n%s", err, s.said)
	}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &s.doc)
	}
	return s, err
}

// ask sends a request, and one that ends the server.
func (s *served) ask(ctx context.Context, address string) error {
	for _, p := range []string{"/", "/quit"} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+p, nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
		resp.Body.Close()
		if err == nil {
			err = json.Unmarshal(body, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sideBySide compares the server without and with the GPU, as strata run --compare-cpu does. A server does not end by itself: --limit ends it.
func (c *checker) sideBySide(r *furnished) error {
	if err := os.WriteFile(filepath.Join(r.root, "tmp", "server.conf"), []byte("executionProvider: gpu\n"), 0o644); err != nil {
		return err
	}
	out, errs, _, err := r.run(nil, "/tmp/strata", "run", "--compare-cpu", "--format", "json", "--limit", "20s", "--", interpreter, "/tmp/server.py", "/tmp/server.conf", "/tmp/model.onnx")
	if err != nil {
		return fmt.Errorf("strata run --compare-cpu: %w", err)
	}
	var d outcome.Comparison
	start := bytes.Index(errs, []byte("{\n"))
	if start < 0 {
		return fmt.Errorf("strata run --compare-cpu gave no report: %s %s", out, errs)
	}
	if err := json.NewDecoder(bytes.NewReader(errs[start:])).Decode(&d); err != nil {
		return fmt.Errorf("strata run --compare-cpu: %w", err)
	}
	var problems []string
	if d.CPU == nil || d.GPU == nil || !strings.Contains(d.Summary, "works both times") || !strings.Contains(d.Summary, "fell back") {
		problems = append(problems, "a server that works both times and falls back is not said to")
	}
	c.report(r.Name, "server --compare-cpu: "+d.Summary, problems)
	return nil
}

// mended does what check advises for the search path, and looks whether the library that was missing no longer is.
func (c *checker) mended(r *furnished, p prediction) error {
	set, err := r.remedy(p)
	if err != nil || set == "" {
		return err
	}
	after, err := r.predict(set)
	if err != nil {
		return err
	}
	s, err := r.serve("gpu", []string{set})
	if err != nil {
		return err
	}
	var problems []string
	if first := need(s.doc); first != nil && first.Name == p.library {
		problems = append(problems, "with "+set+" it still misses "+p.library)
	}
	i := slices.IndexFunc(after, func(x prediction) bool { return x.workload == p.workload })
	if after[i].library != "" {
		problems = append(problems, broken(s.doc.Verdict, after[i])...)
	} else if s.doc.Verdict.Layer == p.layer {
		problems = append(problems, fmt.Sprintf("strata libs says that it is mended, and the verdict is still %s: %s", s.doc.Verdict.Layer, s.doc.Verdict.Summary))
	}
	c.report(r.Name, fmt.Sprintf("server mended by %.60s…: %s %s: %s", set, s.doc.Verdict.Status, s.doc.Verdict.Layer, s.doc.Verdict.Summary), problems)
	return nil
}

var export = regexp.MustCompile(`(?m)^export (LD_LIBRARY_PATH=[^$\s]+)`)

// remedy is the LD_LIBRARY_PATH that strata check advises where all that is missing lies in the root already; "" where it must be installed first.
func (r *furnished) remedy(p prediction) (string, error) {
	var out bytes.Buffer
	cli.Main(context.Background(), cli.Streams{In: strings.NewReader(""), Out: &out, Err: io.Discard}, []string{"check", "--root", r.root, "--assume", "gpu=A100", "--format", "json"})
	var d report.Document
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		return "", fmt.Errorf("strata check gave no report: %w", err)
	}
	for _, f := range d.Findings {
		if !slices.Contains(f.Workloads, p.workload) || !strings.Contains(f.Summary+f.Cause, p.library) {
			continue
		}
		for _, rem := range f.Remedies {
			for _, cmd := range rem.Commands {
				if m := export.FindStringSubmatch(cmd.Run); m != nil && r.holds(m[1], p.library) {
					return strings.TrimSuffix(m[1], ":"), nil
				}
			}
		}
	}
	return "", nil
}

// holds tells whether one of the directories has the library.
func (r *furnished) holds(set, library string) bool {
	_, dirs, _ := strings.Cut(set, "=")
	return slices.ContainsFunc(strings.Split(dirs, ":"), func(dir string) bool {
		_, err := os.Stat(filepath.Join(r.root, dir, library))
		return err == nil
	})
}
