package main

import (
	"encoding/binary"
	"slices"

	"strata/internal/probe"
)

const (
	mostProcesses = 1024 // on one GPU: MPS allows some dozens, and nobody has seen more than a few hundred
	// The sizes of an entry: u32 pid and u64 memory, then two u32 of MIG since driver 450; drivers 535.43 to 535.86 put
	// a u64 of protected memory behind them without another name for the function.
	sizeV1, sizeV2, size535 = 16, 24, 32
	unwritten               = 0xA5 // what the list is filled with, to see how far NVML wrote
	unknownMemory           = ^uint64(0)
)

// processes are who holds a context: first those that compute, by themselves or through MPS, then those that draw.
func (s *sampler) processes(dev uintptr, g *probe.GPUSample) {
	compute, why := s.running("nvmlDeviceGetComputeRunningProcesses", dev, false)
	if why != "" {
		g.Why = why
		return
	}
	g.Processes = compute
	mps, _ := s.running("nvmlDeviceGetMPSComputeRunningProcesses", dev, false)
	graphics, _ := s.running("nvmlDeviceGetGraphicsRunningProcesses", dev, true) // instances of MIG do not draw
	for _, p := range append(mps, graphics...) {
		if !slices.ContainsFunc(g.Processes, func(c probe.ProcessSample) bool { return c.PID == p.PID }) {
			g.Processes = append(g.Processes, p)
		}
	}
	s.busy(dev, g.Processes)
}

// running asks the newest form of a function that this release has.
func (s *sampler) running(name string, dev uintptr, graphics bool) (out []probe.ProcessSample, why string) {
	symbol, size := name, sizeV1
	for _, v := range []string{"_v3", "_v2"} {
		if s.lib.Has(name + v) {
			symbol, size = name+v, sizeV2
			break
		}
	}
	if s.list == nil {
		s.list = make([]byte, mostProcesses*size535)
	}
	for i := range s.list {
		s.list[i] = unwritten
	}
	n := uint32(mostProcesses)
	if why := s.status(symbol, dev, &n, s.list); why != "" {
		return nil, why
	}
	count := min(int(n), mostProcesses)
	if size == sizeV2 && written(s.list[count*sizeV2:count*size535]) {
		size = size535
	}
	out = []probe.ProcessSample{}
	for i := range count {
		entry := s.list[i*size:]
		p := probe.ProcessSample{PID: int(binary.NativeEndian.Uint32(entry)), Graphics: graphics}
		if m := binary.NativeEndian.Uint64(entry[8:]); m != unknownMemory {
			p.Memory = &m
		}
		out = append(out, p)
	}
	return out, ""
}

func written(b []byte) bool {
	return slices.ContainsFunc(b, func(x byte) bool { return x != unwritten })
}

// busy adds what NVML says of each process's share. nvmlProcessUtilizationSample_t: u32 pid, u64 time in microseconds, u32 percent of
// multiprocessors, memory, encoder, decoder.
func (s *sampler) busy(dev uintptr, list []probe.ProcessSample) {
	const symbol, size = "nvmlDeviceGetProcessUtilization", 32
	if len(list) == 0 || !s.lib.Has(symbol) {
		return
	}
	last, n := s.seen[dev], uint32(len(s.list)/size)
	if s.status(symbol, dev, s.list, &n, last) != "" { // not found: none since the last look
		return
	}
	newest := map[int]uint64{}
	for i := range min(int(n), len(s.list)/size) {
		entry := s.list[i*size:]
		pid, at := int(binary.NativeEndian.Uint32(entry)), binary.NativeEndian.Uint64(entry[8:])
		s.seen[dev] = max(s.seen[dev], at)
		j := slices.IndexFunc(list, func(p probe.ProcessSample) bool { return p.PID == pid })
		if j < 0 || at < newest[pid] {
			continue
		}
		newest[pid] = at
		list[j].Busy = percent(binary.NativeEndian.Uint32(entry[16:]))
	}
}
