package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// step is one thing to try. want is what must come of it, decided before any GPU was seen: a status, and where something is broken its layer.
type step struct {
	name, want string
	// needs says why it cannot be tried here, "" where it can.
	needs func(*session) string
	do    func(context.Context, *session) (got, problem string)
	most  time.Duration
}

func (s step) limit() time.Duration {
	if s.most > 0 {
		return s.most
	}
	return 90 * time.Second
}

// shared are the layers below the frameworks: on a machine whose GPU works none is broken.
var shared = []string{"hardware", "kernel_module", "driver", "device_exposure", "container_runtime"}

// wrongUUID is one that no GPU has.
const wrongUUID = "GPU-00000000-0000-0000-0000-000000000001"

func steps() []step {
	list := []step{
		{name: "driver", want: "ok", do: probes(nil, "", "--rung", "driver,compute")},
		{name: "check", want: "nothing shared broken", needs: device, do: checks},
		{name: "libraries", want: "ok", do: probes(nil, "", "--rung", "libraries")},
		{name: "one GPU", want: "ok", do: probes(nil, "", "--rung", "driver,compute,libraries", "--gpu", "0")},
		{name: "hidden empty", want: "broken device_exposure", do: probes([]string{"CUDA_VISIBLE_DEVICES="}, "probe-gpu-hidden", "--rung", "driver,compute")},
		{name: "hidden -1", want: "broken device_exposure", do: probes([]string{"CUDA_VISIBLE_DEVICES=-1"}, "probe-gpu-hidden", "--rung", "driver,compute")},
		{name: "hidden wrong UUID", want: "broken device_exposure", do: probes([]string{"CUDA_VISIBLE_DEVICES=" + wrongUUID}, "probe-gpu-hidden", "--rung", "driver,compute")},
		{name: "libcuda empty", want: "broken driver", do: inFront("", "probe-library-damaged")},
		{name: "libcuda a text", want: "broken driver", do: inFront("this is no library, and longer than the header of one is, so that it is read at all\n", "probe-library-damaged")},
		{name: "libcuda a stub", want: "broken driver", needs: stub, do: inFront("stub", "probe-cuda-error")},
		{name: "run", want: "ok", needs: both(device, python), do: runs(nil, "add.py", "2")},
		{name: "run hidden", want: "broken device_exposure", needs: python, do: runs([]string{"CUDA_VISIBLE_DEVICES=-1"}, "add.py", "1")},
		{name: "run stub", want: "broken driver", needs: both(python, stub), do: runs([]string{"STUB"}, "add.py", "1")},
		{name: "run new PTX", want: "broken driver", needs: python, do: runs(nil, "ptx.py")},
		{name: "watch", want: "ok", needs: both(device, python), do: watches},
	}
	for _, of := range []string{"run hidden", "run stub", "run new PTX"} {
		i := slices.IndexFunc(list, func(s step) bool { return s.name == of })
		list = append(list, step{name: "triage " + strings.TrimPrefix(of, "run "), want: list[i].want, needs: said(of), do: triages(of)})
	}
	for _, f := range []string{"torch", "jax", "cupy", "onnxruntime"} {
		list = append(list, step{name: "run " + f, want: "ok", needs: both(device, has(f)), do: uses(f, nil), most: 2 * time.Minute})
	}
	return append(list,
		step{name: "torch hidden", want: "broken device_exposure", needs: has("torch"), do: uses("torch", []string{"CUDA_VISIBLE_DEVICES="})},
		step{name: "torch stub", want: "broken driver", needs: both(has("torch"), stub), do: uses("torch", []string{"STUB"})},
		// Nothing is broken; what must not be said is that the GPU was used.
		step{name: "torch on the CPU", want: "at-risk application", needs: both(device, has("torch")), do: uses("torch", nil, "cpu")},
		step{name: "check --probe", want: "as predicted", needs: device, do: predicts, most: 150 * time.Second},
		step{name: "everything", want: "below frameworks ok", needs: device, do: everything, most: 150 * time.Second},
	)
}

func both(list ...func(*session) string) func(*session) string {
	return func(s *session) string {
		for _, f := range list {
			if why := f(s); why != "" {
				return why
			}
		}
		return ""
	}
}

func device(s *session) string {
	if !s.device {
		return "no /dev/nvidiaN and no /dev/dxg: of a stand-in no use of a GPU can be seen"
	}
	return ""
}

func python(s *session) string {
	if s.python == "" {
		return "there is no Python"
	}
	return ""
}

func stub(s *session) string {
	if _, err := os.Stat(filepath.Join(s.dir, "stub", "libcuda.so.1")); err != nil {
		return "prepare found no C compiler for the stub of libcuda"
	}
	return ""
}

// has tells whether a framework is there that can compute on a GPU.
func has(framework string) func(*session) string {
	return func(s *session) string {
		if s.interpreter(framework) != "" {
			return ""
		}
		return s.absent(framework)
	}
}

func said(of string) func(*session) string {
	return func(s *session) string {
		if s.outputs[of] == "" {
			return "the step " + of + " printed nothing"
		}
		return ""
	}
}

// judge compares a verdict with the wanted one. The finding, where one is given, need not be the verdict's: what the machine's files show comes
// first, and the probe's own then follows from it.
func judge(s *session, d document, err error, wantFinding string) (got, problem string) {
	if err != nil {
		return "", err.Error()
	}
	want := steps()[slices.IndexFunc(steps(), func(x step) bool { return x.name == s.step })].want
	got = d.Verdict.String()
	found := func(f finding) bool { return f.ID == wantFinding }
	if got != want || wantFinding != "" && !slices.ContainsFunc(d.Findings, found) {
		problem = fmt.Sprintf("%s: %s", d.Verdict.Finding, d.Verdict.Summary)
	}
	return got, problem
}

func probes(env []string, finding string, args ...string) func(context.Context, *session) (string, string) {
	return func(ctx context.Context, s *session) (string, string) {
		d, f, err := s.strata(ctx, env, append([]string{"probe", "--format", "json"}, args...)...)
		got, problem := judge(s, d, err, finding)
		if problem == "" && (f.status == 0) != (d.Verdict.Status == "ok" || d.Verdict.Status == "at-risk") {
			problem = fmt.Sprintf("exit status %d", f.status)
		}
		return got, problem
	}
}

// inFront puts a libcuda.so.1 of that content before the machine's own; "stub" is the one that prepare compiled.
func inFront(content, finding string) func(context.Context, *session) (string, string) {
	return func(ctx context.Context, s *session) (string, string) {
		dir := filepath.Join(s.dir, "stub")
		if content != "stub" {
			dir = filepath.Join(s.temp, "front")
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return "", err.Error()
			}
			if err := os.WriteFile(filepath.Join(dir, "libcuda.so.1"), []byte(content), 0o644); err != nil {
				return "", err.Error()
			}
		}
		return probes([]string{first(dir)}, finding, "--rung", "driver,compute")(ctx, s)
	}
}

// first is LD_LIBRARY_PATH with a directory before what it has.
func first(dir string) string {
	path := "LD_LIBRARY_PATH=" + dir
	if have := os.Getenv("LD_LIBRARY_PATH"); have != "" {
		path += ":" + have
	}
	return path
}

// runs watches one of our programs. STUB among the variables stands for the stub's directory.
func runs(env []string, program string, args ...string) func(context.Context, *session) (string, string) {
	return func(ctx context.Context, s *session) (string, string) {
		return s.runs(ctx, s.python, env, program, args...)
	}
}

func (s *session) runs(ctx context.Context, python string, env []string, program string, args ...string) (string, string) {
	env = slices.Clone(env)
	for i := range env {
		if env[i] == "STUB" {
			env[i] = first(filepath.Join(s.dir, "stub"))
		}
	}
	d, f, err := s.watched(ctx, env, append([]string{python, filepath.Join(s.dir, program)}, args...)...)
	got, problem := judge(s, d, err, "")
	if problem == "" && (f.status == 0) == (d.Verdict.Status == "broken") {
		problem = fmt.Sprintf("the program ended with status %d: %s", f.status, lastLine(f.errs))
	}
	return got, problem
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

func uses(framework string, env []string, args ...string) func(context.Context, *session) (string, string) {
	return func(ctx context.Context, s *session) (string, string) {
		if framework == "onnxruntime" {
			args = []string{filepath.Join(s.dir, "model.onnx")}
			if s.site() != "" {
				env = []string{"PYTHONPATH=" + s.site()}
			}
		}
		return s.runs(ctx, s.interpreter(framework), env, "use_"+framework+".py", args...)
	}
}

func checks(ctx context.Context, s *session) (got, problem string) {
	d, _, err := s.strata(ctx, nil, "check", "--format", "json")
	if err != nil {
		return "", err.Error()
	}
	return d.belowFrameworks()
}

// belowFrameworks names the first finding of a shared layer that is broken.
func (d document) belowFrameworks() (got, problem string) {
	for _, f := range d.Findings {
		if f.Severity == "broken" && slices.Contains(shared, f.Layer) {
			return "broken " + f.Layer, f.ID + ": " + f.Summary
		}
	}
	return d.Verdict.String(), ""
}

func predicts(ctx context.Context, s *session) (got, problem string) {
	d, _, err := s.strata(ctx, nil, "check", "--probe", "--format", "json")
	if err != nil {
		return "", err.Error()
	}
	for _, f := range d.Findings {
		if f.ID == "probe-differs" {
			return "not as predicted", f.Summary
		}
	}
	if got, problem = d.belowFrameworks(); problem != "" {
		return got, problem
	}
	return got, ""
}

func everything(ctx context.Context, s *session) (got, problem string) {
	d, _, err := s.strata(ctx, nil, "probe", "--all", "--format", "json")
	if err != nil {
		return "", err.Error()
	}
	below := 0
	for _, l := range d.Ladder {
		if l.Rung != "driver" && l.Rung != "compute" && l.Rung != "libraries" {
			continue
		}
		below++
		if l.Status != "ok" && l.Status != "absent" { // what is not installed is no failure
			return d.Verdict.String(), fmt.Sprintf("%s %s: %s", l.Name, l.Status, l.Summary)
		}
	}
	if below == 0 {
		return d.Verdict.String(), "nothing below the frameworks was tried"
	}
	return d.Verdict.String(), ""
}

// watches looks at a program that computes already.
func watches(ctx context.Context, s *session) (got, problem string) {
	p, err := s.background(ctx, s.python, filepath.Join(s.dir, "add.py"), "20")
	if err != nil {
		return "", err.Error()
	}
	defer p.end()
	d, _, err := s.strata(ctx, nil, "watch", "--limit", "4s", "--format", "json", fmt.Sprint(p.pid()))
	return judge(s, d, err, "")
}

// triages gives what a program said to strata triage, which must come to the same layer from the words alone.
func triages(of string) func(context.Context, *session) (string, string) {
	return func(ctx context.Context, s *session) (string, string) {
		file := filepath.Join(s.temp, "said.log")
		if err := os.WriteFile(file, []byte(ownWords(s.outputs[of])), 0o644); err != nil {
			return "", err.Error()
		}
		d, _, err := s.strata(ctx, nil, "triage", "--format", "json", file)
		return judge(s, d, err, "")
	}
}

// ownWords are a program's, without those of strata run beside them.
func ownWords(text string) string {
	text, _, _ = strings.Cut(text, "✗ strata:")
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "strata:") {
			b.WriteString(line)
		}
	}
	return b.String()
}
