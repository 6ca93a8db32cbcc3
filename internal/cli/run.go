package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

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
}

func newRun(s Streams) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [flags] -- COMMAND [ARG…]",
		Short: "Run a command as it is, and say whether it used the GPU or fell back to the CPU",
		Long: `Run starts a command with the same terminal, signals and exit status, and looks
on: at what it prints, at which libraries the dynamic linker loads or misses, and
at which GPU it opens. At the moment it is known, and at the end, it says on
standard error whether the GPU was used, or why not.

Exit status: that of the command; with --require-gpu 1 where the command
succeeded without the GPU; 2 where it could not be started.`,
		Example: `  strata run -- python serve.py
  strata run --require-gpu -- python train.py --epochs 1
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
	f.StringVar(&o.trace, "trace", "libs", "`what` to trace: libs (what the dynamic linker does) or off")
	f.BoolVar(&o.requireGPU, "require-gpu", false, "exit with 1 where the command succeeds without using a GPU")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "say nothing where the GPU was used")
	kbFlag(f, &o.kb)
	return cmd
}

func runRun(cmd *cobra.Command, s Streams, o runOptions, argv []string) error {
	if !slices.Contains([]string{"term", "json"}, o.format) {
		return fmt.Errorf("unknown --format %q; use term or json", o.format)
	}
	if !slices.Contains([]string{"libs", "off"}, o.trace) {
		return fmt.Errorf("unknown --trace %q; use libs or off", o.trace)
	}
	base, tool, err := openKB(s, o.kb)
	if err != nil {
		return err
	}
	in, out, errs, err := files(s)
	if err != nil {
		return err
	}
	say := func(line string) { fmt.Fprintf(errs, "strata: %s\n", redact.Line(line)) }
	if o.format == "json" {
		say = nil
	}
	watch := outcome.NewWatch(triage.Options{Tool: tool, Base: base, Rules: rules.All()}, say)
	r, w := io.Pipe()
	scanned := make(chan error, 1)
	go func() {
		err := watch.Scan.Stream("the command's output", r, true)
		_, _ = io.Copy(io.Discard, r) // the command must never wait for us
		scanned <- err
	}()
	rec, err := witness.Run(cmd.Context(), witness.Options{Argv: argv, In: in, Out: out, Err: errs, Output: w, Trace: o.trace == "libs"})
	w.Close()
	if err != nil {
		return err
	}
	if err := <-scanned; err != nil {
		fmt.Fprintf(errs, "strata: %v\n", err)
	}
	doc := watch.Document(rec)
	if o.record != "" {
		if err := writeRecord(o.record, doc); err != nil {
			return err
		}
	}
	switch {
	case o.format == "json":
		err = jsonout.Run(errs, doc)
	case !o.quiet || !doc.UsedGPU():
		err = term.RenderRun(errs, doc, term.Options{Width: s.Width, Color: s.Color, ASCII: s.ASCII, Title: "strata run"})
	}
	if err != nil {
		return err
	}
	switch {
	case rec.Exit != 0:
		return &exitError{rec.Exit}
	case o.requireGPU && !doc.UsedGPU():
		return &exitError{exitFindings}
	}
	return nil
}

func writeRecord(name string, doc *outcome.Document) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("writing --record %q: %w", name, errors.Unwrap(err))
	}
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = fmt.Errorf("writing --record %q: %w", name, e)
		}
	}()
	return jsonout.Run(f, doc)
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
