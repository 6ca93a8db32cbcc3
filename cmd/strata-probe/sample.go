package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"strata/internal/nvlib"
	"strata/internal/probe"
)

// sampler looks at the GPUs through NVML alone: libcuda is not loaded, and no context is made.
type sampler struct {
	out  io.Writer
	lib  *nvlib.Library
	seen map[uintptr]uint64 // GPU → time of the newest utilisation of a process that was read
	// buffers are kept: what is looked at every second should leave no garbage.
	list []byte
}

// leastEvery keeps a look from being a load of its own: NVML's own periods are a sixth of a second and more.
const leastEvery = 50 * time.Millisecond

// sample looks until standard input ends, which it does with the process that started this one.
func sample(c *climb) {
	debug.SetGCPercent(25) // little is made, and little is to be held
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0) // also where a call hangs
	}()
	s := &sampler{out: c.out, seen: map[uintptr]uint64{}}
	s.print(probe.Sample{Doing: "loading " + c.libnvml})
	var err error
	if s.lib, err = nvlib.Open(c.libnvml); err != nil {
		s.print(probe.Sample{Failed: err.Error()})
		return
	}
	init := s.either("nvmlInit_v2", "nvmlInit")
	s.print(probe.Sample{Doing: init})
	if why := s.status(init); why != "" {
		s.print(probe.Sample{Failed: why})
		return
	}
	s.print(probe.Sample{Doing: "the first look at the GPUs"})
	first := probe.Sample{Driver: s.driver(), CUDA: s.cuda()}
	for every := time.NewTicker(max(c.every, leastEvery)); ; <-every.C {
		look := first
		look.GPUs, look.Failed = s.look()
		s.print(look)
		if look.Failed != "" {
			return
		}
		first = probe.Sample{}
	}
}

func (s *sampler) print(x probe.Sample) {
	line, err := json.Marshal(x)
	if err == nil {
		_, err = s.out.Write(append(line, '\n'))
	}
	if err != nil {
		os.Exit(0) // nobody reads any more
	}
}

// either is the newest of several functions that this release of NVML has; the oldest where it has none.
func (s *sampler) either(names ...string) string {
	for _, n := range names {
		if s.lib.Has(n) {
			return n
		}
	}
	return names[len(names)-1]
}

// status makes a call and says why it did not succeed.
func (s *sampler) status(symbol string, args ...any) string {
	code, err := s.lib.Status(symbol, args...)
	switch {
	case err != nil:
		return err.Error()
	case code != 0:
		name := nvmlErrors[code]
		if name == "" {
			name = "error"
		}
		return fmt.Sprintf("%s: %s (%d)", symbol, name, code)
	}
	return ""
}

func (s *sampler) driver() string {
	version := nvlib.NewCString(96)
	if s.status("nvmlSystemGetDriverVersion", []byte(version), len(version)) != "" {
		return ""
	}
	return version.String()
}

func (s *sampler) cuda() string {
	var v int32
	if s.status(s.either("nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"), &v) != "" {
		return ""
	}
	return cudaVersion(int(v))
}

// look is one look at all GPUs.
func (s *sampler) look() (out []probe.GPUSample, failed string) {
	var n uint32
	if why := s.status(s.either("nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"), &n); why != "" {
		return nil, why
	}
	out = []probe.GPUSample{}
	handle := s.either("nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex")
	for i := range int(n) {
		var dev uintptr
		if why := s.status(handle, i, &dev); why != "" {
			out = append(out, probe.GPUSample{Index: i, Why: why})
			continue
		}
		if instances := s.instances(dev, i); len(instances) > 0 {
			out = append(out, instances...)
			continue
		}
		out = append(out, s.gpu(dev, i))
	}
	return out, ""
}

// instances are those that MIG divides a GPU into; none where it does not.
func (s *sampler) instances(dev uintptr, index int) []probe.GPUSample {
	var mode, pending, most uint32
	if s.status("nvmlDeviceGetMigMode", dev, &mode, &pending) != "" || mode == 0 || s.status("nvmlDeviceGetMaxMigDeviceCount", dev, &most) != "" {
		return nil
	}
	var out []probe.GPUSample
	for i := range int(min(most, maxInstances)) {
		var instance uintptr
		if s.status("nvmlDeviceGetMigDeviceHandleByIndex", dev, i, &instance) != "" {
			continue // no instance has this number
		}
		g := s.gpu(instance, index)
		g.Instance = &i
		if g.Name == "" {
			g.Name = s.text("nvmlDeviceGetName", dev)
		}
		out = append(out, g)
	}
	return out
}

// maxInstances is above the seven that any GPU has, against a count that is garbage.
const maxInstances = 64

func (s *sampler) gpu(dev uintptr, index int) probe.GPUSample {
	g := probe.GPUSample{Index: index}
	g.Name, g.UUID = s.text("nvmlDeviceGetName", dev), s.text("nvmlDeviceGetUUID", dev)
	memory := make([]uint64, 3) // nvmlMemory_t: total, free, used, in bytes
	if s.status("nvmlDeviceGetMemoryInfo", dev, memory) == "" {
		g.Total, g.Used = &memory[0], &memory[2]
	}
	use := make([]uint32, 2) // nvmlUtilization_t: GPU and memory, in percent
	if s.status("nvmlDeviceGetUtilizationRates", dev, use) == "" {
		g.Busy, g.MemoryBusy = percent(use[0]), percent(use[1])
	}
	s.processes(dev, &g)
	return g
}

// text is what a function writes into a buffer; "" where it does not.
func (s *sampler) text(symbol string, dev uintptr) string {
	text := nvlib.NewCString(96) // NVML's longest are these
	if s.status(symbol, dev, []byte(text), len(text)) != "" {
		return ""
	}
	return text.String()
}

// percent is a share, unless it is none: NVML has answered with garbage where it did not know.
func percent(n uint32) *int {
	if n > 100 {
		return nil
	}
	p := int(n)
	return &p
}
