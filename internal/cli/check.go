package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"strata/internal/collect/all"
	"strata/internal/collect/assume"
	"strata/internal/diagnose"
	"strata/internal/machine"
	"strata/internal/outcome"
	"strata/internal/plan"
	"strata/internal/probe"
	"strata/internal/proof"
	"strata/internal/render/jsonout"
	"strata/internal/render/term"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/rules"
	"strata/internal/stack"
)

type checkOptions struct {
	root     string
	assume   []string
	python   string
	workload string
	format   string
	failOn   string
	strict   bool
	only     []string
	ignore   []string
	kb       string
	verbose  bool
	probe    bool
	run      string
}

func newCheck(s Streams) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Read a machine and name the first broken layer of its GPU stack",
		Long: `Check reads a machine and names, for each workload (a framework in an
environment), the first broken layer of its GPU stack, with what proves it, what
waits for it, and a remedy that was tried on a copy of what was read.

Exit status: 0 nothing at or above --fail-on, 1 findings, 2 wrong usage or
unreadable input, 3 with --strict where something needed was unknown.`,
		Example: `  strata check
  strata check --root image --assume gpu='2xNVIDIA L4' --assume driver=550.144
  strata check --root broken.txtar                 a machine in a text file
  strata check --python /opt/venv/bin/python --workload pytorch
  strata check --format json --fail-on at-risk --only CUD,DRV0*
  strata check --probe                             predict, try, and compare
  strata check --run run.json            hold it against a record of strata run`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runCheck(cmd.Context(), s, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.root, "root", "", "read this `directory`, or .txtar machine, instead of the host")
	f.StringArrayVar(&o.assume, "assume", nil, "vouch for `fact`s that files cannot tell: "+assume.Usage)
	f.StringVar(&o.python, "python", "", "read only the environment of this `interpreter`")
	f.StringVar(&o.workload, "workload", "", "judge only this `framework`: pytorch, onnxruntime, tensorflow, jax, cupy, …")
	f.StringVar(&o.format, "format", "term", "`form` of the output: term or json")
	f.StringVar(&o.failOn, "fail-on", "broken", "exit with 1 from this `severity` on: broken, at-risk or note")
	f.BoolVar(&o.strict, "strict", false, "exit with 3 where something needed was unknown")
	f.StringSliceVar(&o.only, "only", nil, "ask only these `rules`, by ID or its beginning: CUD,DRV0*")
	f.StringSliceVar(&o.ignore, "ignore", nil, "leave these `rules` out")
	f.BoolVar(&o.probe, "probe", false, "then try it, as strata probe does, and say where what happens is not what was predicted")
	f.StringVar(&o.run, "run", "", "hold it against what happened: a record `file` of strata run --record")
	kbFlag(f, &o.kb)
	f.BoolVarP(&o.verbose, "verbose", "v", false, "show every workload's ladder and every source")
	return cmd
}

var severities = []string{"note", "at-risk", "broken"}

func (o checkOptions) validate() error {
	if !slices.Contains([]string{"term", "json"}, o.format) {
		return fmt.Errorf("unknown --format %q; use term or json", o.format)
	}
	if !slices.Contains(severities, o.failOn) {
		return fmt.Errorf("unknown --fail-on %q; use %s", o.failOn, strings.Join(severities, ", "))
	}
	known := func(p string) bool {
		return slices.ContainsFunc(rules.All(), func(r *rule.Rule) bool { return diagnose.Options{Only: []string{p}}.Selects(r.ID) })
	}
	for _, p := range slices.Concat(o.only, o.ignore) {
		if !known(p) {
			return fmt.Errorf("no rule matches %q; strata explain lists them all", p)
		}
	}
	return nil
}

func runCheck(ctx context.Context, s Streams, o checkOptions) error {
	if err := o.validate(); err != nil {
		return err
	}
	if o.probe && (o.root != "" || len(o.assume) > 0) {
		return errors.New("--probe tries what is on this host, and does not go with --root or --assume")
	}
	var ran *outcome.Document
	if o.run != "" {
		var err error
		if ran, err = openRecord(o.run); err != nil {
			return err
		}
	}
	base, tool, err := openKB(s, o.kb)
	if err != nil {
		return err
	}
	m, assumed, closeMachine, err := openMachine(o.root)
	if err != nil {
		return err
	}
	defer closeMachine()
	put, err := assume.Parse(append(assumed, o.assume...))
	if err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil || m.Kind != machine.Host {
		dir = ""
	}
	st := all.Run(ctx, m, all.Options{Python: o.python, Dir: dir, Assume: put})
	if o.python != "" && len(st.Python.Value) == 0 {
		return fmt.Errorf("no Python environment found for --python %q; give the path of an interpreter, such as /opt/venv/bin/python", o.python)
	}

	opts := diagnose.Options{Only: o.only, Ignore: o.ignore, Workload: o.workload}
	res := diagnose.Run(st, base, rules.All(), opts)
	if o.workload != "" && len(res.View.Workloads) == 0 {
		return fmt.Errorf("no workload %q found on this machine; leave --workload out to see those that are there", o.workload)
	}
	if st.Hardware.Assumed.Known() {
		for _, g := range res.View.GPUs {
			if g.Unknown != "" {
				return fmt.Errorf("reading --assume gpu=%s: %s; give its compute capability instead, such as --assume gpu=sm_90", g.Name, g.Unknown)
			}
		}
	}
	planner := &plan.Planner{Base: base, Rules: rules.All(), Opts: opts}
	doc := report.Build(res, planner, tool)
	if o.probe {
		c := climb{ladder: probe.Ladder{Rungs: everyRung(), Limit: probe.DefaultLimit}, o: probeOptions{workload: o.workload}, base: base, tool: tool, check: doc, view: res}
		happened, err := c.run(ctx)
		if err != nil {
			return err
		}
		proof.Merge(doc, happened)
	}
	if ran != nil {
		ran.Against(doc, o.run)
	}

	if o.format == "json" {
		err = jsonout.Render(s.Out, doc)
	} else {
		err = term.Render(s.Out, doc, term.Options{Width: s.Width, Color: s.Color, ASCII: s.ASCII, Verbose: o.verbose, Title: "strata check"})
	}
	if err != nil {
		return err
	}
	return status(doc, o)
}

// status turns a report into the exit status.
func status(doc *report.Document, o checkOptions) error {
	from := slices.Index(severities, o.failOn)
	for _, f := range doc.Findings {
		if slices.Index(severities, f.Severity) >= from {
			return &exitError{exitFindings}
		}
	}
	if o.strict && incomplete(doc) {
		return &exitError{exitIncomplete}
	}
	return nil
}

// incomplete tells whether something that a verdict needs was unknown: the
// verdict itself, that of a workload, or a collector that did not finish.
// A kernel log that only root may read is not needed.
func incomplete(doc *report.Document) bool {
	unsure := func(v report.Verdict) bool { return v.Status == report.Unsure }
	return unsure(doc.Verdict) ||
		slices.ContainsFunc(doc.Workloads, func(w report.Workload) bool { return unsure(w.Verdict) }) ||
		slices.ContainsFunc(doc.Stack.Collection, func(c stack.Collection) bool { return c.State != stack.Known })
}

// openMachine opens the host, a root directory or a txtar machine, with the
// assumptions that the latter carries.
func openMachine(root string) (m *machine.Machine, assumed []string, close func(), err error) {
	if root == "" {
		return machine.OpenHost(), nil, func() {}, nil
	}
	if strings.HasSuffix(root, ".txtar") {
		a, err := machine.OpenArchive(os.DirFS(filepath.Dir(root)), filepath.Base(root))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, nil, fmt.Errorf("opening --root %q: no such file", root)
		}
		if err != nil {
			return nil, nil, nil, err
		}
		return a.Machine, a.Assumptions(), func() { a.Close() }, nil
	}
	m, c, err := machine.OpenRoot(root)
	if err != nil {
		return nil, nil, nil, err
	}
	return m, nil, func() { c.Close() }, nil
}
