package cli

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"strata/internal/codefile"
	"strata/internal/collect"
	"strata/internal/collect/assume"
	"strata/internal/collect/driver"
	"strata/internal/collect/environment"
	"strata/internal/collect/hardware"
	"strata/internal/collect/kernel"
	"strata/internal/collect/loader"
	"strata/internal/collect/osinfo"
	"strata/internal/coverage"
	"strata/internal/derive"
	"strata/internal/kb"
	"strata/internal/machine"
	"strata/internal/render/jsonout"
	"strata/internal/render/term"
	"strata/internal/stack"
	"strata/internal/version"
)

type archOptions struct {
	root, driver, format, kb string
	gpus                     []string
	verbose                  bool
}

func newArch(s Streams) *cobra.Command {
	var o archOptions
	cmd := &cobra.Command{
		Use:   "arch FILE…",
		Short: "Show which GPUs a file's machine code is for, and whether it runs",
		Long: `Arch reads the GPU code in files: cubins and PTX in Linux and Windows libraries
and programs, static libraries, fat binaries, single cubins and PTX text.
Directories, wheels and jars are searched. Only headers are read.

For each GPU it says whether the code runs: native, by JIT from PTX, or not, and
why. Without --gpu it asks for the GPUs of this machine, else for all
architectures. --driver takes the number of a Linux driver; without it the
oldest driver that would do is named.

Exit status: 0 every file runs on every GPU, or no GPU was named and there is
none here; 1 a file has GPU code and does not run on a GPU; 2 wrong usage or
unreadable input.`,
		Example: `  strata arch /opt/venv/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so
  strata arch libkernels.so --gpu 'RTX 5090' --gpu sm_90 --driver 570
  strata arch wheels/ onnxruntime_gpu.whl --gpu L4 --format json
  strata arch --root ./image /usr/local/bin/server --gpu 'H100 PCIe'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runArch(cmd.Context(), s, o, args) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.gpus, "gpu", nil, "judge for this `GPU`: a name, sm_120 or 12.0; may be given several times")
	f.StringVar(&o.driver, "driver", "", "judge for this Linux driver `version`, 570.86.10; a branch, 570, means its newest build")
	f.StringVar(&o.root, "root", "", "files lie in this `directory`, or .txtar machine, instead of the host")
	f.StringVar(&o.format, "format", "term", "`form` of the output: term or json")
	kbFlag(f, &o.kb)
	f.BoolVarP(&o.verbose, "verbose", "v", false, "show every target of every file, and every architecture")
	return cmd
}

func runArch(ctx context.Context, s Streams, o archOptions, args []string) error {
	if !slices.Contains([]string{"term", "json"}, o.format) {
		return fmt.Errorf("unknown --format %q; use term or json", o.format)
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
	gpus, drv, err := o.subjects(ctx, m, base, assumed)
	if err != nil {
		return err
	}
	paths := slices.Clone(args)
	for i, p := range paths {
		if m.Kind != machine.Host {
			paths[i] = path.Clean("/" + p)
		} else if paths[i], err = filepath.Abs(p); err != nil {
			return fmt.Errorf("finding %q: %w", p, err)
		}
	}
	found, err := codefile.Find(ctx, m, paths)
	if err != nil {
		return err
	}
	named(found, paths, args)
	doc := coverage.Report(base, tool, found, gpus, drv)
	if o.format == "json" {
		err = jsonout.Arch(s.Out, doc)
	} else {
		opts := s.term("strata arch")
		opts.Verbose = o.verbose
		err = term.Arch(s.Out, doc, opts)
	}
	if err != nil {
		return err
	}
	return archStatus(doc)
}

// named gives files that were named the name that was given.
func named(found *codefile.Found, paths, args []string) {
	for i := range found.Files {
		f := &found.Files[i]
		for n, p := range paths {
			if f.Path == p {
				f.Path = args[n]
				break
			}
			if rel, err := filepath.Rel(p, f.Path); err == nil && filepath.IsLocal(rel) {
				f.Path = filepath.Join(args[n], rel)
				break
			}
		}
	}
}

// archStatus turns the verdicts into the exit status.
func archStatus(doc *coverage.Document) error {
	status := exitOK
	for _, f := range doc.Files {
		if f.Error != "" {
			return &exitError{exitUsage}
		}
		if doc.Asked && slices.ContainsFunc(f.Verdicts, coverage.GPUResult.Fails) {
			status = exitFindings
		}
	}
	if status != exitOK {
		return &exitError{status}
	}
	return nil
}

// subjects are the GPUs and the driver to judge for: those that were named, else
// those of the machine. Naming either leaves the machine out, since the answer is
// about another one then.
func (o archOptions) subjects(ctx context.Context, m *machine.Machine, base *kb.Base, assumed []string) ([]derive.GPU, version.Driver, error) {
	st := &stack.Stack{}
	if len(o.gpus) == 0 && o.driver == "" {
		st = collect.Run(ctx, m, []collect.Collector{
			osinfo.Collector, hardware.Collector, kernel.Collector, environment.Collector, loader.Collector, driver.Collector,
		})
	} else {
		assumed = nil
	}
	for _, g := range o.gpus {
		assumed = append(assumed, "gpu="+g)
	}
	var drv version.Driver
	if o.driver != "" {
		var err error
		if drv, err = coverage.ResolveDriver(base, o.driver); err != nil {
			return nil, drv, fmt.Errorf("reading --driver %q: %w", o.driver, err)
		}
	}
	put, err := assume.Parse(assumed)
	if err != nil {
		return nil, drv, err
	}
	put(st)
	view := derive.New(st, base)
	if drv.IsZero() {
		drv = view.Driver.Value
	}
	gpus, err := distinct(view.GPUs, len(o.gpus) > 0)
	return gpus, drv, err
}

// distinct are the different ones of a machine's GPUs. One that was named and is not known is an error, since no verdict comes of it.
func distinct(list []derive.GPU, named bool) (gpus []derive.GPU, err error) {
	for _, g := range list {
		if g.Capability.IsZero() && named {
			return nil, fmt.Errorf("reading --gpu %q: %s; give its compute capability instead, such as --gpu sm_90", g.Name, g.Unknown)
		}
		if !slices.ContainsFunc(gpus, func(o derive.GPU) bool { return o.Name == g.Name && o.Capability == g.Capability }) {
			gpus = append(gpus, g)
		}
	}
	return gpus, nil
}
