package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"strata/internal/collect/environment"
	"strata/internal/machine"
	"strata/internal/outcome"
	"strata/internal/redact"
	"strata/internal/render/jsonout"
	"strata/internal/render/term"
	"strata/internal/rules"
	"strata/internal/triage"
	"strata/internal/witness"
)

type runOptions struct {
	format, record, trace, kb string
	requireGPU, quiet         bool
	compare                   bool
	limit, sample             time.Duration
	unsampled                 string // why GPUs are not looked at
}

func newRun(s Streams) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [flags] -- COMMAND [ARG…]",
		Short: "Run a command as it is, and say whether it used the GPU",
		Long: `Run starts a command with the same terminal, signals and exit status, and looks
on: at what it prints, at which libraries the dynamic linker loads or misses,
and at which GPU it opens. At the moment it is known, and at the end, it says on
standard error whether the GPU was used, or why not.

Exit status: that of the command; with --require-gpu 1 where the command
succeeded without the GPU; 2 where it could not be started.`,
		Example: `  strata run -- python serve.py
  strata run --require-gpu -- python train.py --epochs 1
  strata run --trace=full -- ./static-server
  strata run --compare-cpu --limit 60s -- python serve.py
  strata run --record run.json -- ./server --config server.yaml`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no command to run; say strata run -- COMMAND")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runRun(cmd, s, o, args) },
	}
	f := cmd.Flags()
	f.SetInterspersed(false) // flags behind the command's name are the command's
	f.StringVar(&o.format, "format", "term", "`form` of the report on standard error: term or json")
	f.StringVar(&o.record, "record", "", "also write the report as JSON to this `file`")
	f.StringVar(&o.trace, "trace", "libs", "`what` to trace: libs (what the dynamic linker does), full (each open of a file as well, of static programs and musl, too) or off")
	f.BoolVar(&o.requireGPU, "require-gpu", false, "exit with 1 where the command succeeds without using a GPU")
	f.BoolVar(&o.compare, "compare-cpu", false, "run the command twice, first with the GPU hidden, and compare")
	f.DurationVar(&o.limit, "limit", 0, "end the command after this `time`, such as 30s: for a server, which does not end by itself")
	sampleFlag(f, &o.sample)
	f.BoolVarP(&o.quiet, "quiet", "q", false, "say nothing where the GPU was used")
	kbFlag(f, &o.kb)
	return cmd
}

func runRun(cmd *cobra.Command, s Streams, o runOptions, argv []string) error {
	if !slices.Contains([]string{"term", "json"}, o.format) {
		return fmt.Errorf("unknown --format %q; use term or json", o.format)
	}
	if !slices.Contains([]string{"libs", "full", "off"}, o.trace) {
		return fmt.Errorf("unknown --trace %q; use libs, full or off", o.trace)
	}
	if err := validSample(o.sample); err != nil {
		return err
	}
	if o.trace == "off" && !cmd.Flags().Changed("sample") {
		o.unsampled = "--trace=off leaves it out"
	}
	base, tool, err := openKB(s, o.kb)
	if err != nil {
		return err
	}
	in, out, errs, err := files(s)
	if err != nil {
		return err
	}
	w := &watched{s: s, o: o, argv: argv, in: in, out: out, errs: errs, opts: triage.Options{Tool: tool, Base: base, Rules: rules.All()}}
	if o.compare {
		return w.compare(cmd.Context())
	}
	doc, _, err := w.once(cmd.Context(), nil)
	if err != nil {
		return err
	}
	if err := w.write(func(to io.Writer) error { return jsonout.Run(to, doc) }); err != nil {
		return err
	}
	doc.Record = nil // the report itself goes without
	switch {
	case o.format == "json":
		err = jsonout.Run(errs, doc)
	case !o.quiet || !doc.UsedGPU():
		err = term.RenderRun(errs, doc, w.look())
	}
	if err != nil {
		return err
	}
	switch {
	case doc.Exit != 0:
		return &exitError{doc.Exit}
	case o.requireGPU && !doc.UsedGPU():
		return &exitError{exitFindings}
	}
	return nil
}

// watched is a command to run, once or twice.
type watched struct {
	s             Streams
	o             runOptions
	argv          []string
	in, out, errs *os.File
	opts          triage.Options
}

func (w *watched) look() term.Options {
	return term.Options{Width: w.s.Width, Color: w.s.Color, ASCII: w.s.ASCII, Title: "strata run"}
}

// maxOutput is how many lines of a command's output are kept to compare them.
const maxOutput = 100_000

// once runs the command with variables on top of ours, and gives what came of it and what it printed.
func (w *watched) once(ctx context.Context, env []string) (*outcome.Document, []string, error) {
	say := func(line string) { fmt.Fprintf(w.errs, "strata: %s\n", redact.Line(line)) }
	if w.o.format == "json" || w.o.compare {
		say = nil
	}
	if w.o.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.o.limit)
		defer cancel()
	}
	watch := outcome.NewWatch(w.opts, say)
	gpus := newSampling(watch, w.o.sample, w.o.unsampled)
	r, pipe := io.Pipe()
	var kept lineKeeper
	scanned := make(chan error, 1)
	go func() {
		err := watch.Scan.Stream("the command's output", io.TeeReader(r, &kept), true)
		_, _ = io.Copy(io.Discard, r) // the command must never wait for us
		scanned <- err
	}()
	var all []string
	if env != nil {
		all = append(os.Environ(), env...)
	}
	w.opts.Base.Component("libcuda.so.1") // reads the table now: an open that is held up cannot wait for it
	rec, err := witness.Run(ctx, witness.Options{Argv: w.argv, Env: all, In: w.in, Out: w.out, Err: w.errs, Output: pipe, Trace: w.o.trace != "off",
		Opens: w.o.trace == "full", Known: func(name string) bool { return w.opts.Base.Component(name).Known },
		Started: gpus.started, Saw: gpus.saw})
	gpus.stop()
	pipe.Close()
	if err != nil {
		return nil, nil, err
	}
	if err := <-scanned; err != nil {
		fmt.Fprintf(w.errs, "strata: %v\n", err)
	}
	watch.Limited = w.o.limit > 0 && errors.Is(ctx.Err(), context.DeadlineExceeded)
	doc := watch.Document(rec)
	if w.o.record != "" {
		doc.Record = watch.Record(rec, w.variables(env))
	}
	return doc, kept.lines, nil
}

// lineKeeper keeps the beginning of an output, line by line; what comes to it are whole lines.
type lineKeeper struct{ lines []string }

func (k *lineKeeper) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if len(k.lines) < maxOutput {
			k.lines = append(k.lines, strings.TrimRight(line, "\r\n"))
		}
	}
	return len(p), nil
}

// compare runs the command without and with the GPU.
func (w *watched) compare(ctx context.Context) error {
	// An empty list hides every GPU from the CUDA runtime (CUDA C++ programming guide, environment variables).
	cpu, cpuOutput, err := w.once(ctx, []string{"CUDA_VISIBLE_DEVICES="})
	if err != nil {
		return err
	}
	gpu, gpuOutput, err := w.once(ctx, nil)
	if err != nil {
		return err
	}
	c := outcome.Compare(cpu, gpu, cpuOutput, gpuOutput)
	if err := w.write(func(to io.Writer) error { return jsonout.Compare(to, c) }); err != nil {
		return err
	}
	cpu.Record, gpu.Record = nil, nil
	if w.o.format == "json" {
		err = jsonout.Compare(w.errs, c)
	} else {
		err = term.RenderCompare(w.errs, c, w.look())
	}
	if err != nil {
		return err
	}
	if gpu.Exit != 0 {
		return &exitError{gpu.Exit}
	}
	if w.o.requireGPU && !gpu.UsedGPU() {
		return &exitError{exitFindings}
	}
	return nil
}

// write writes the record, where one is wanted.
func (w *watched) write(to func(io.Writer) error) (err error) {
	if w.o.record == "" {
		return nil
	}
	f, err := os.Create(w.o.record)
	if err != nil {
		return fmt.Errorf("writing --record %q: %w", w.o.record, errors.Unwrap(err))
	}
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = fmt.Errorf("writing --record %q: %w", w.o.record, e)
		}
	}()
	return to(f)
}

// variables are those of the command that decide what the GPU stack does, with those set for it.
func (w *watched) variables(set []string) []outcome.Variable {
	var out []outcome.Variable
	for _, v := range environment.Variables(machine.OpenHost()).Value {
		if !slices.ContainsFunc(set, func(s string) bool { return strings.HasPrefix(s, v.Name+"=") }) {
			out = append(out, outcome.Variable{Name: v.Name, Value: v.Value})
		}
	}
	for _, s := range set {
		name, value, _ := strings.Cut(s, "=")
		out = append(out, outcome.Variable{Name: name, Value: value})
	}
	return out
}

// files are the streams as the files that a command can be given.
func files(s Streams) (in, out, errs *os.File, err error) {
	in, ok1 := s.In.(*os.File)
	out, ok2 := s.Out.(*os.File)
	errs, ok3 := s.Err.(*os.File)
	if !ok1 || !ok2 || !ok3 {
		return nil, nil, nil, errors.New("a command needs real files as its standard streams")
	}
	return in, out, errs, nil
}
