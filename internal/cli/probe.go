package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"strata/internal/probe"
	"strata/internal/probe/framework"
	"strata/internal/render/jsonout"
	"strata/internal/render/term"
)

type probeOptions struct {
	gpu, format, kb string
	python          string
	workload        string
	rungs           []string
	timeout         time.Duration
	limited         bool // the time was given
	all, verbose    bool
}

func newProbe(s Streams) *cobra.Command {
	var o probeOptions
	cmd := &cobra.Command{
		Use:   "probe",
		Short: "Prove by doing that the driver starts and the GPU computes",
		Long: `Probe climbs the GPU stack by doing: it loads the driver's libraries, starts
CUDA, runs kernels on each GPU and compares their results with the CPU's, then
does the same with cuBLAS, cuDNN and others from the dynamic linker's path, and
with each framework in its own interpreter. Each part is a child process with a
limit of time and memory, so that a library which crashes or hangs ends the
child alone, and the call that it died in is named.

It stops behind the first rung that fails. It installs and changes nothing and
writes only into a temporary folder of its own. Beside it only strata check
--probe climbs; strata run and watch ask NVML alone, when the command itself has
the driver.

Exit status: 0 all that was tried worked, or there is no GPU; 1 findings; 2
wrong usage, or no probe could be started; 3 the probe was cut short.`,
		Example: `  strata probe
  strata probe --gpu 1 --timeout 30s
  strata probe --rung driver,compute --format json
  strata probe --rung framework --python /opt/venv/bin/python --workload jax`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.limited = cmd.Flags().Changed("timeout")
			return runProbe(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.gpu, "gpu", "", "keep to one `GPU`: its number as CUDA counts here, or its UUID; given to the children in CUDA_VISIBLE_DEVICES")
	f.DurationVar(&o.timeout, "timeout", probe.DefaultLimit, "end each child process after this `time`; frameworks have 3m where it is not given")
	f.BoolVar(&o.all, "all", false, "go on behind a rung that failed")
	f.StringSliceVar(&o.rungs, "rung", nil, "climb only these `rungs`: driver,compute,libraries,framework")
	f.StringVar(&o.python, "python", "", "try only the frameworks of this `interpreter`")
	f.StringVar(&o.workload, "workload", "", "try only this `framework`: "+strings.Join(framework.Names(), ", "))
	f.StringVar(&o.format, "format", "term", "`form` of the output: term or json")
	kbFlag(f, &o.kb)
	f.BoolVarP(&o.verbose, "verbose", "v", false, "show every step, and more of each GPU")
	return cmd
}

// ladder turns the options into what to climb.
func (o probeOptions) ladder() (probe.Ladder, error) {
	l := probe.Ladder{GPU: o.gpu, All: o.all, Limit: o.timeout}
	if !slices.Contains([]string{"term", "json"}, o.format) {
		return l, fmt.Errorf("unknown --format %q; use term or json", o.format)
	}
	if o.timeout <= 0 {
		return l, fmt.Errorf("--timeout %s leaves no time; give one such as 10s", o.timeout)
	}
	for _, r := range o.rungs {
		if !slices.Contains(everyRung(), probe.Rung(r)) {
			return l, fmt.Errorf("unknown --rung %q; there are driver, compute, libraries and framework", r)
		}
		l.Rungs = append(l.Rungs, probe.Rung(r))
	}
	if len(l.Rungs) == 0 {
		l.Rungs = everyRung()
	}
	if o.workload != "" && !framework.Known(o.workload) {
		return l, fmt.Errorf("--workload %q cannot be tried; those that can are %s", o.workload, strings.Join(framework.Names(), ", "))
	}
	if strings.ContainsAny(o.gpu, ", \t") {
		return l, fmt.Errorf("--gpu %q is not one GPU; give a number or a UUID", o.gpu)
	}
	return l, nil
}

func runProbe(ctx context.Context, s Streams, o probeOptions) error {
	ladder, err := o.ladder()
	if err != nil {
		return err
	}
	base, tool, err := openKB(s, o.kb)
	if err != nil {
		return err
	}
	// A probe that is interrupted ends its children and clears up before it goes.
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	c := climb{ladder: ladder, o: o, base: base, tool: tool}
	d, err := c.run(ctx)
	if err != nil {
		return err
	}
	if o.format == "json" {
		err = jsonout.Probe(s.Out, d)
	} else {
		err = term.RenderProbe(s.Out, d, term.Options{Width: s.Width, Color: s.Color, ASCII: s.ASCII, Verbose: o.verbose, Title: "strata probe"})
	}
	switch {
	case err != nil:
		return err
	case d.Broken():
		return &exitError{exitFindings}
	case d.Incomplete():
		return &exitError{exitIncomplete}
	}
	return nil
}
