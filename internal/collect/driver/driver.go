// Package driver finds NVIDIA's user-space driver on disk: every copy of
// libcuda, NVML and the PTX JIT compiler, and what package managers' logs say
// about when it changed.
package driver

import (
	"context"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Collector fills stack.Driver except Assumed. Libraries is Known and empty
// where every directory was looked at and none holds the driver. History is
// Absent where no package manager's log exists.
var Collector = collect.Collector{Name: "driver", Read: read}

func read(ctx context.Context, m *machine.Machine) (collect.Put, error) {
	libs := readLibraries(ctx, m)
	history := readHistory(m)
	return func(s *stack.Stack) {
		s.Driver.Libraries = libs
		s.Driver.History = history
	}, ctx.Err()
}
