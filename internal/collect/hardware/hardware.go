// Package hardware reads NVIDIA's functions on the PCI bus from sysfs and the
// GPUs that the loaded kernel module lists in procfs. The first needs no
// driver, the second tells what the driver made of it.
package hardware

import (
	"context"

	"strata/internal/collect"
	"strata/internal/machine"
	"strata/internal/stack"
)

// Collector fills stack.Hardware except Assumed. A bus without NVIDIA devices
// is Known and empty: somebody looked at every function. A machine without
// sysfs or procfs (an image root) leaves both facts NotCollected.
var Collector = collect.Collector{Name: "hardware", Read: read}

func read(ctx context.Context, m *machine.Machine) (collect.Put, error) {
	pci := readPCI(ctx, m)
	proc := readProc(m)
	return func(s *stack.Stack) {
		s.Hardware.PCI = pci
		s.Hardware.Proc = proc
	}, nil
}
