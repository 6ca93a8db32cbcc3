package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"strata/internal/collect"
	"strata/internal/collect/all"
	"strata/internal/diagnose"
	"strata/internal/kb"
	"strata/internal/machine"
	"strata/internal/plan"
	"strata/internal/probe"
	"strata/internal/probe/framework"
	"strata/internal/proof"
	"strata/internal/report"
	"strata/internal/rules"
)

// everyRung are all rungs, from the ground up.
func everyRung() []probe.Rung { return append(probe.Rungs(), probe.Framework) }

// climb is a probe that is made, and what is read beside it.
type climb struct {
	ladder probe.Ladder
	o      probeOptions
	base   *kb.Base
	tool   report.Tool
	// check is what check says of this machine, where that is known before.
	check *report.Document
	view  *diagnose.Result
}

// run climbs the rungs that were asked for and judges what happened.
func (c *climb) run(ctx context.Context) (*proof.Document, error) {
	visible, err := c.ladder.Visible()
	if err != nil {
		return nil, err
	}
	frameworks := slices.Contains(c.ladder.Rungs, probe.Framework)
	lower := slices.DeleteFunc(slices.Clone(c.ladder.Rungs), func(r probe.Rung) bool { return r == probe.Framework })
	read := make(chan struct{})
	go func() {
		defer close(read)
		if c.check == nil {
			c.read(ctx, frameworks)
		}
	}()
	var runs []probe.Run
	if len(lower) > 0 {
		program, err := probe.FindProgram()
		if err == nil {
			defer program.Close()
			l := c.ladder
			l.Rungs, l.Program = lower, program
			runs, err = l.Climb(ctx)
		}
		if err != nil {
			<-read
			return nil, err
		}
	}
	<-read
	asked := proof.Asked{Rungs: c.ladder.Rungs, GPU: c.ladder.GPU, Set: visible, All: c.ladder.All, LimitMillis: c.ladder.Limit.Milliseconds()}
	if frameworks {
		list, err := c.workloads()
		if err != nil {
			return nil, err
		}
		if n := len(list) - framework.Most; n > 0 {
			asked.LeftOut, list = n, list[:framework.Most]
		}
		stopped := !c.ladder.All && slices.ContainsFunc(runs, func(r probe.Run) bool { return r.Part != "nvml" && r.Failed() })
		if stopped {
			asked.LeftOut, list = asked.LeftOut+len(list), nil
		}
		opts := framework.Options{Env: append(os.Environ(), visible...), Saw: c.ladder.Saw}
		if c.o.limited {
			opts.Limit = c.ladder.Limit
		}
		runs = append(runs, framework.Climb(ctx, list, opts)...)
	}
	return proof.Build(proof.Input{Tool: c.tool, Base: c.base, Rules: rules.All(), Asked: asked, Runs: runs, Machine: c.check}), nil
}

// read is what check says of this machine. Without frameworks, environments and packages are not read: the probe is not about them then.
func (c *climb) read(ctx context.Context, frameworks bool) {
	opts := all.Options{Python: c.o.python}
	m := machine.OpenHost()
	if frameworks {
		if dir, err := os.Getwd(); err == nil {
			opts.Dir = dir
		}
		c.judge(diagnose.Run(all.Run(ctx, m, opts), c.base, rules.All(), diagnose.Options{Workload: c.o.workload}))
		return
	}
	list := slices.DeleteFunc(all.Collectors(opts), func(c collect.Collector) bool {
		return slices.Contains([]string{"python", "program", "ospackage"}, c.Name)
	})
	c.judge(diagnose.Run(collect.Run(ctx, m, list), c.base, rules.All(), diagnose.Options{}))
}

func (c *climb) judge(res *diagnose.Result) {
	c.view = res
	c.check = report.Build(res, &plan.Planner{Base: c.base, Rules: rules.All(), Opts: diagnose.Options{Workload: c.o.workload}}, c.tool)
}

// workloads are the frameworks of the environments that check finds, those that are tried first in front.
func (c *climb) workloads() ([]framework.Workload, error) {
	var list []framework.Workload
	for _, name := range framework.Names() {
		for _, w := range c.view.View.Workloads {
			if w.Name != name || w.Env == nil || w.Env.Interpreter == "" || c.o.workload != "" && w.Name != c.o.workload {
				continue
			}
			list = append(list, framework.Workload{ID: w.ID(), Framework: name, Python: w.Env.Interpreter, Dir: w.Env.Prefix})
		}
	}
	switch {
	case c.o.python != "" && len(c.view.View.Stack.Python.Value) == 0:
		return nil, fmt.Errorf("no Python environment found for --python %q; give the path of an interpreter, such as /opt/venv/bin/python", c.o.python)
	case len(list) == 0 && c.o.workload != "":
		return nil, fmt.Errorf("no workload %q found on this machine; leave --workload out to see those that are there", c.o.workload)
	case len(list) == 0 && c.o.python != "":
		return nil, errors.New("the environment of --python has no framework that can be tried")
	}
	return list, nil
}
