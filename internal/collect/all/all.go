// Package all lists the collectors of `strata check`, in the order in which
// their facts are stored.
package all

import (
	"strata/internal/collect"
	"strata/internal/collect/container"
	"strata/internal/collect/cuda"
	"strata/internal/collect/device"
	"strata/internal/collect/driver"
	"strata/internal/collect/environment"
	"strata/internal/collect/hardware"
	"strata/internal/collect/kernel"
	"strata/internal/collect/loader"
	"strata/internal/collect/osinfo"
	"strata/internal/collect/ospackage"
	"strata/internal/collect/program"
	"strata/internal/collect/python"
)

// Options narrow what is collected.
type Options struct {
	// Python reads only the environment of this interpreter; empty finds all.
	Python string
	// Dir is the working directory, whose .venv is looked at too.
	Dir string
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
