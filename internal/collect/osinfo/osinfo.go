// Package osinfo reads what operating system a machine is: distribution,
// architecture, C and C++ run-time versions, and whether it is a WSL guest or
// a Jetson board.
package osinfo

import (
	"context"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Collector fills stack.OS.
var Collector = collect.Collector{Name: "osinfo", Read: read}

func read(ctx context.Context, m *machine.Machine) (collect.Put, error) {
	var o stack.OS
	o.ID, o.Version, o.Name = readRelease(m)
	c := findLibc(m)
	o.Libc, o.Glibc = c.kind, c.version
	o.Libstdcxx = readLibstdcxx(m)
	o.Arch = readArch(m, c.path)
	o.WSL = readWSL(m)
	o.Jetson = readJetson(m)
	o.L4T = readL4T(m)
	return func(s *stack.Stack) { s.OS = o }, ctx.Err()
}
