// Package all lists the collectors of `strata check`, in the order in which
// their facts are stored.
package all

import (
	"context"
	"time"

	"strata/internal/collect"
	"strata/internal/collect/container"
	"strata/internal/collect/cuda"
	"strata/internal/collect/device"
	"strata/internal/collect/driver"
	"strata/internal/collect/environment"
	"strata/internal/collect/hardware"
	"strata/internal/collect/kernel"
	"strata/internal/collect/loader"
	"strata/internal/collect/loads"
	"strata/internal/collect/osinfo"
	"strata/internal/collect/ospackage"
	"strata/internal/collect/program"
	"strata/internal/collect/python"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Options narrow what is collected.
type Options struct {
	// Python reads only the environment of this interpreter; empty finds all.
	Python string
	// Dir is the working directory, whose .venv is looked at too.
	Dir string
	// Assume is what a user vouches for; it counts for what the dynamic linker does too. May be nil.
	Assume collect.Put
	// Deadline replaces each collector's own; 0 keeps them.
	Deadline time.Duration
}

// Run reads everything: all collectors beside each other, and with what they
// found and what is assumed, what the dynamic linker loads for each workload.
func Run(ctx context.Context, m *machine.Machine, opts Options) *stack.Stack {
	limit := func(list []collect.Collector) []collect.Collector {
		for i := range list {
			if opts.Deadline != 0 {
				list[i].Deadline = opts.Deadline
			}
		}
		return list
	}
	s := collect.Run(ctx, m, limit(Collectors(opts)))
	if opts.Assume != nil {
		opts.Assume(s)
	}
	collect.Add(ctx, m, s, limit([]collect.Collector{loads.Collector(s)}))
	return s
}

// Collectors are all collectors. Package owners come last: they put names to
// libraries that the others found.
func Collectors(opts Options) []collect.Collector {
	return []collect.Collector{
		osinfo.Collector, hardware.Collector, kernel.Collector, environment.Collector, loader.Collector,
		driver.Collector, device.Collector, container.Collector, cuda.Collector,
		python.New(python.Options{Interpreter: opts.Python, Dir: opts.Dir}), program.Collector,
		ospackage.Collector,
	}
}
