package main

import (
	"fmt"

	"strata/internal/probe"
)

// nccl sums an array over all devices.
func nccl(c *climb) {
	c.rung = probe.Libraries
	l := c.library()
	if !l.find("nccl", "ncclGetVersion") {
		return
	}
	l.describe = words(&l.lib, "", "ncclGetErrorString")
	var v int32
	l.call("ncclGetVersion", "", func(s *probe.Step) { set(s, "version", ncclVersion(int(v))) }, &v)
	var n int32
	if !c.openCUDA() || !c.call("cuDeviceGetCount", "", func(s *probe.Step) { set(s, "devices", n) }, &n) {
		return
	}
	if n < 2 {
		l.step("ncclAllReduce", "", func(s *probe.Step) {
			s.State, s.Detail = probe.Skipped, fmt.Sprintf("an all-reduce needs two devices; CUDA shows %d", n)
		})
		return
	}
	n = min(n, mostRanks)
	ranks := make([]*context, 0, n)
	defer func() {
		for _, x := range ranks {
			if _, err := x.lib.Status("cuCtxSetCurrent", x.current); err == nil {
				x.close()
			}
		}
	}()
	const size = 1 << 12
	in, out := make([]uint64, n), make([]uint64, n)
	for i := range int(n) {
		rank := *c
		rank.device, rank.ordinal = &i, i
		x, ok := rank.openDevice()
		if !ok {
			return
		}
		ranks = append(ranks, x)
		data := make([]byte, 4*size)
		for j := range size {
			put(data, j, float32((i+1)*(j%100)))
		}
		if in[i], out[i], ok = x.inAndOut(data, 4*size); !ok {
			return
		}
	}
	comms := make([]uintptr, n)
	if !l.call("ncclCommInitAll", fmt.Sprintf("%d devices", n), nil, comms, n, nil) || !l.reduce(ranks, comms, in, out, size) {
		return
	}
	all := float32(n * (n + 1) / 2)
	for i, x := range ranks {
		x.call("cuCtxSetCurrent", "", nil, x.current)
		x.result("all-reduce", size, 0, out[i], func(j int) float32 { return all * float32(j%100) })
	}
	for _, comm := range comms {
		l.call("ncclCommDestroy", "", nil, comm)
	}
}

// mostRanks bounds the devices that take part: those of the largest single host.
const mostRanks = 16

// reduce begins the sum on all devices as one group.
func (c *climb) reduce(ranks []*context, comms []uintptr, in, out []uint64, size int) bool {
	const float, sum = 7, 0
	if !c.call("ncclGroupStart", "", nil) {
		return false
	}
	ok := true
	for i, x := range ranks {
		ok = ok && x.call("cuCtxSetCurrent", "", nil, x.current) && c.call("ncclAllReduce", fmt.Sprintf("device %d", i), nil, in[i], out[i], size, float, sum, comms[i], 0)
	}
	return c.call("ncclGroupEnd", "", nil) && ok
}

// ncclVersion writes 21805 as 2.18.5, and 2804, as it was before 2.9, as 2.8.4.
func ncclVersion(v int) string {
	if v >= 10000 {
		return fmt.Sprintf("%d.%d.%d", v/10000, v%10000/100, v%100)
	}
	return fmt.Sprintf("%d.%d.%d", v/1000, v%1000/100, v%100)
}
