package probe

import (
	"encoding/json"
	"fmt"
)

// Sample is one line of strata-probe's part "sample": a look at every GPU
// through NVML. CUDA is not touched for it and no context is made.
type Sample struct {
	// Doing is the act that comes next, before the first look: the last one names what hung or crashed.
	Doing string `json:"doing,omitempty"`
	// Failed is why there will be no look at all.
	Failed string `json:"failed,omitempty"`
	// Driver and CUDA are the driver's version and the newest CUDA that it runs, in the first look alone.
	Driver string `json:"driver,omitempty"`
	CUDA   string `json:"cuda,omitempty"`
	// GPUs are those of the look; a GPU that is divided by MIG is there once for each instance.
	GPUs []GPUSample `json:"gpus,omitempty"`
}

// GPUSample is one GPU, or one instance of one, at one moment. What NVML does not tell is nil.
type GPUSample struct {
	Index    int    `json:"index"`
	Instance *int   `json:"instance,omitempty"` // of MIG: the number by which NVML lists it
	UUID     string `json:"uuid,omitempty"`
	Name     string `json:"name,omitempty"`
	// Busy and MemoryBusy are percent of the time of NVML's last period in which a kernel ran, in which memory was read or written.
	Busy       *int    `json:"busy,omitempty"`
	MemoryBusy *int    `json:"memory_busy,omitempty"`
	Used       *uint64 `json:"used,omitempty"` // bytes
	Total      *uint64 `json:"total,omitempty"`
	// Processes are who holds a context on it; nil where NVML does not tell, for the reason Why.
	Processes []ProcessSample `json:"processes"`
	Why       string          `json:"why,omitempty"`
}

// ProcessSample is a process on a GPU, by the number that the driver gives it.
type ProcessSample struct {
	PID    int     `json:"pid"`
	Memory *uint64 `json:"memory,omitempty"` // bytes
	// Busy is percent of the GPU's multiprocessors, where NVML tells it of each process.
	Busy     *int `json:"busy,omitempty"`
	Graphics bool `json:"graphics,omitempty"` // it draws, and does not compute
}

// ParseSample reads one line of the part. What a library prints between them is no sample.
func ParseSample(line []byte) (Sample, error) {
	var s Sample
	if err := json.Unmarshal(line, &s); err != nil {
		return s, fmt.Errorf("reading a sample: %w", err)
	}
	if s.Doing == "" && s.Failed == "" && s.GPUs == nil {
		return s, fmt.Errorf("reading a sample: it says nothing")
	}
	return s, nil
}
