package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"strata/internal/collect"
	"strata/internal/collect/all"
	"strata/internal/collect/assume"
	"strata/internal/coverage"
	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/libs"
	"strata/internal/machine"
	"strata/internal/render/jsonout"
	"strata/internal/render/term"
	"strata/internal/report"
	"strata/internal/stack"
)

type libsOptions struct {
	root, python, workload, exe, why, kb, format, driver string
	env, gpus                                            []string
	pid                                                  int
	verbose                                              bool
}

func newLibs(s Streams) *cobra.Command {
	var o libsOptions
	cmd := &cobra.Command{
		Use:   "libs",
		Short: "Show which libraries each workload really loads, and from where",
		Long: `Libs follows each framework through this machine's own dynamic linker: what it
opens, which copy of each CUDA library wins and why, which copies that hides,
and what is missing. Nothing is executed and no library is loaded.

For each GPU of the machine it says which of the loaded libraries with GPU code
run on it: native, by JIT from PTX, or not, and why. --gpu and --driver take the
place of the machine's own.

Exit status: 0 nothing needed is missing, or the framework is not followed
further (a build without CUDA), 1 something needed is missing or does not fit,
2 wrong usage or unreadable input. What a GPU makes of the code is for strata
check and strata arch to judge and does not count.`,
		Example: `  strata libs
  strata libs --workload onnxruntime --python /opt/venv/bin/python
  strata libs --exe /usr/local/bin/server
  strata libs --env LD_LIBRARY_PATH=/opt/x --why libcudnn.so.9
  strata libs --root ./image --gpu 'RTX 5090' --driver 570
  strata libs --pid 4711                    what a running process has mapped
  strata libs --root ./image --format json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runLibs(cmd.Context(), s, o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.root, "root", "", "read this `directory`, or .txtar machine, instead of the host")
	f.StringVar(&o.python, "python", "", "only the environment of this `interpreter`")
	f.StringVar(&o.workload, "workload", "", "only this `framework`: pytorch, onnxruntime, tensorflow, jax, cupy, …")
	f.StringVar(&o.exe, "exe", "", "this `program` or library instead of what is found")
	f.StringArrayVar(&o.env, "env", nil, "what if: `NAME=VALUE` for "+strings.Join(libs.Variables, " or "))
	f.IntVar(&o.pid, "pid", 0, "what this running `process` has mapped, against what the disk says now")
	f.StringArrayVar(&o.gpus, "gpu", nil, "judge the loaded GPU code for this `GPU`: a name, sm_120 or 12.0; may be given several times")
	f.StringVar(&o.driver, "driver", "", "judge it for this Linux driver `version`, 570.86.10; a branch, 570, means its newest build")
	f.StringVar(&o.why, "why", "", "the whole search for this `library`, step by step")
	f.StringVar(&o.format, "format", "term", "`form` of the output: term or json")
	kbFlag(f, &o.kb)
	f.BoolVarP(&o.verbose, "verbose", "v", false, "show the system's libraries too, and every hidden copy")
	return cmd
}

func (o libsOptions) variables() (map[string]string, error) {
	env := map[string]string{}
	for _, e := range o.env {
		name, value, ok := strings.Cut(e, "=")
		if !ok || !slices.Contains(libs.Variables, name) {
			return nil, fmt.Errorf("reading --env %q: want NAME=VALUE with a NAME of %s", e, strings.Join(libs.Variables, ", "))
		}
		env[name] = value
	}
	return env, nil
}

func runLibs(ctx context.Context, s Streams, o libsOptions) error {
	if !slices.Contains([]string{"term", "json"}, o.format) {
		return fmt.Errorf("unknown --format %q; use term or json", o.format)
	}
	env, err := o.variables()
	if err != nil {
		return err
	}
	m, assumed, closeMachine, err := openMachine(o.root)
	if err != nil {
		return err
	}
	defer closeMachine()
	if o.exe != "" && !m.Exists(o.exe) {
		return fmt.Errorf("reading --exe %q: no such file", o.exe)
	}
	base, tool, err := openKB(s, o.kb)
	if err != nil {
		return err
	}
	if o.pid != 0 {
		if len(o.gpus) > 0 || o.driver != "" {
			return errors.New("--gpu and --driver judge what a workload would load, and do not go with --pid")
		}
		return runProcess(s, m, base, tool, o)
	}
	put, err := o.vouched(base, assumed)
	if err != nil {
		return err
	}
	st := collect.Run(ctx, m, all.Collectors(all.Options{Python: o.python}))
	put(st)
	view := derive.New(st, base)
	gpus, err := distinct(view.GPUs, len(o.gpus) > 0)
	if err != nil {
		return err
	}
	d, err := libs.Build(m, view, tool, libs.Options{Workload: o.workload, Program: o.exe, Env: env, All: o.verbose, Why: o.why})
	if err != nil {
		return fmt.Errorf("following the dynamic linker of %s: %w", st.Subject.Name, err)
	}
	if o.workload != "" && len(d.Workloads) == 0 {
		return fmt.Errorf("no workload %q found on this machine; leave --workload out to see those that are there", o.workload)
	}
	if err := libs.Judge(ctx, m, base, d, gpus, view.Driver.Value); err != nil {
		return err
	}
	if o.format == "json" {
		err = jsonout.Libs(s.Out, d)
	} else {
		err = term.Libs(s.Out, d, term.Options{Width: s.Width, Color: s.Color, ASCII: s.ASCII, Verbose: o.verbose, Title: "strata libs"})
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(d.Workloads, func(w libs.Workload) bool { return w.Status == libs.Broken }) {
		return &exitError{exitFindings}
	}
	return nil
}

// vouched are the facts that --gpu and --driver put in the place of the machine's, and those that an archive brings.
func (o libsOptions) vouched(base *kb.Base, assumed []string) (collect.Put, error) {
	if len(o.gpus) > 0 {
		assumed = slices.DeleteFunc(slices.Clone(assumed), func(a string) bool { return strings.HasPrefix(a, "gpu=") })
	}
	for _, g := range o.gpus {
		assumed = append(assumed, "gpu="+g)
	}
	if o.driver != "" {
		d, err := coverage.ResolveDriver(base, o.driver)
		if err != nil {
			return nil, fmt.Errorf("reading --driver %q: %w", o.driver, err)
		}
		assumed = append(assumed, "driver="+d.String())
	}
	return assume.Parse(assumed)
}

// runProcess looks at a running process. Nothing else of the machine is read for it.
func runProcess(s Streams, m *machine.Machine, base *kb.Base, tool report.Tool, o libsOptions) error {
	d, err := libs.Inspect(m, base, tool, stack.Subject{Kind: string(m.Kind), Name: m.Name}, o.pid)
	if err != nil {
		return err
	}
	if o.format == "json" {
		err = jsonout.Process(s.Out, d)
	} else {
		err = term.Process(s.Out, d, term.Options{Width: s.Width, Color: s.Color, ASCII: s.ASCII, Verbose: o.verbose, Title: "strata libs"})
	}
	if err == nil && len(d.Stale)+len(d.Duplicates) > 0 {
		return &exitError{exitFindings}
	}
	return err
}
