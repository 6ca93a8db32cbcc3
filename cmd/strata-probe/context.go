package main

import (
	"fmt"

	"strata/internal/probe"
)

// context is the primary context of a device, which the CUDA runtime and every
// library and framework on it use, and the memory that was taken in it.
type context struct {
	*climb
	device  int32
	current uintptr
	driver  int32 // cuDriverGetVersion: 12040
	memory  []uint64
}

// openContext initialises CUDA and makes the context of the device the current one.
func (c *climb) openContext() (*context, bool) {
	if !c.openCUDA() {
		return nil, false
	}
	return c.openDevice()
}

// openDevice makes the context of the device the current one.
func (c *climb) openDevice() (*context, bool) {
	x := &context{climb: c}
	_, _ = c.lib.Status("cuDriverGetVersion", &x.driver) // 0 where it fails: not known
	if !c.call("cuDeviceGet", "", nil, &x.device, c.ordinal) || !c.call("cuDevicePrimaryCtxRetain", "", nil, &x.current, x.device) {
		return nil, false
	}
	if !c.call("cuCtxSetCurrent", "", nil, x.current) {
		x.close()
		return nil, false
	}
	free, total := make([]uint64, 1), make([]uint64, 1)
	c.call("cuMemGetInfo_v2", "", func(s *probe.Step) {
		set(s, "free_mib", free[0]>>20)
		set(s, "total_mib", total[0]>>20)
	}, free, total)
	return x, true
}

// close gives back what was taken, also after a failure: after one that is
// "sticky" each of these calls fails, too, and says no more, so that they are no steps.
func (x *context) close() {
	ok := true
	for _, m := range x.memory {
		code, err := x.lib.Status("cuMemFree_v2", m)
		ok = ok && err == nil && code == 0
	}
	release := "cuDevicePrimaryCtxRelease_v2" // since CUDA 11.0
	if !x.lib.Has(release) {
		release = "cuDevicePrimaryCtxRelease"
	}
	x.step("release", "", func(s *probe.Step) {
		code, err := x.lib.Status(release, x.device)
		if !ok || err != nil || code != 0 {
			s.State, s.Detail = probe.Skipped, "after a failure the driver does not take memory and context back; the end of the process does"
		}
	})
}

// alloc takes memory of the device.
func (x *context) alloc(what string, n int) (uint64, bool) {
	var at uint64
	ok := x.call("cuMemAlloc_v2", fmt.Sprintf("%s, %d bytes", what, n), nil, &at, n)
	if ok {
		x.memory = append(x.memory, at)
	}
	return at, ok
}

func (x *context) toDevice(what string, to uint64, from []byte) bool {
	return x.call("cuMemcpyHtoD_v2", what, nil, to, from, len(from))
}

func (x *context) fromDevice(what string, to []byte, from uint64) bool {
	for i := range to {
		to[i] = poison
	}
	return x.call("cuMemcpyDtoH_v2", what, nil, to, from, len(to))
}
