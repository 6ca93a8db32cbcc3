// Package probe says what a probe is: a ladder of steps that child processes
// climb, each printed as one line of JSON when it begins and when it ends, so
// that the last line names the call that died. It starts such children, bounds
// them in time and memory, reads their lines and clears up after them. It knows
// neither NVIDIA's libraries nor a framework, and judges nothing.
package probe

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Rung is a part of the ladder, from the ground up.
type Rung string

// The rungs.
const (
	Driver    Rung = "driver"    // libcuda and NVML load, cuInit, devices
	Compute   Rung = "compute"   // context, memory, kernels from PTX, results compared
	Libraries Rung = "libraries" // cudart, cuBLAS, cuDNN, NCCL from the loader's path
	Framework Rung = "framework" // a framework in its own interpreter
)

// State is where a step stands.
type State string

// The states. A step that has only Begin is the one that its process died in.
const (
	Begin   State = "begin"
	OK      State = "ok"
	Failed  State = "failed"
	Wrong   State = "wrong"   // it ran, and the result is not that of the CPU
	Skipped State = "skipped" // there was nothing to do; Detail says why
)

// Step is one line of a probe.
type Step struct {
	Rung Rung   `json:"rung"`
	Name string `json:"step"` // the call or the act: cuInit, launch, import, session
	// Subject is what it is about: the path of a library, the name of a framework or of a function of it.
	Subject string `json:"subject,omitempty"`
	// Device is the ordinal of the GPU; nil where the step is about none.
	Device *int  `json:"device,omitempty"`
	State  State `json:"state"`
	// Code is the number that a CUDA or NVML call returned, Error its name: 100, CUDA_ERROR_NO_DEVICE.
	Code  int    `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
	// Detail is the message of a failure, in the words of whoever failed.
	Detail string `json:"detail,omitempty"`
	// Values are what was learned: driver=12040, name=Tesla T4, providers=CPUExecutionProvider.
	Values map[string]string `json:"values,omitempty"`
	Micros int64             `json:"micros,omitempty"` // since the step began
	// Said is what the child wrote to standard error during the step, redacted; only of steps that came there, too.
	Said string `json:"said,omitempty"`
}

// Parse reads one line of a probe. Lines of anything else, such as the words of a
// library that prints to standard output, are no steps.
func Parse(line []byte) (Step, error) {
	var s Step
	if err := json.Unmarshal(line, &s); err != nil {
		return s, fmt.Errorf("reading a probe's line: %w", err)
	}
	switch s.State {
	case Begin, OK, Failed, Wrong, Skipped:
	default:
		return s, fmt.Errorf("reading a probe's line: %q is no state", s.State)
	}
	if s.Rung == "" || s.Name == "" {
		return s, fmt.Errorf("reading a probe's line: it names no step")
	}
	return s, nil
}

// End is how a child ended.
type End struct {
	Exit    int    `json:"exit"`             // status; -1 where a signal ended it
	Signal  string `json:"signal,omitempty"` // SIGSEGV
	Timeout bool   `json:"timeout,omitempty"`
	// Stopped tells that whoever asked for the probe no longer wanted it.
	Stopped bool `json:"stopped,omitempty"`
	// MemoryMiB is what it held for itself when it was ended for that, above its limit.
	MemoryMiB int64 `json:"memory_mib,omitempty"`
	// Stuck tells that it hangs in the kernel and outlives SIGKILL: it could not be cleared away.
	Stuck bool `json:"stuck,omitempty"`
	// Stderr is the end of what it wrote there, redacted.
	Stderr string `json:"stderr,omitempty"`
	Micros int64  `json:"micros"`
}

// Run is one child: its steps and its end.
type Run struct {
	Rung Rung `json:"rung"`
	// Part is what of the rung it climbed: nvml, cuda, compute, cublas, or the name of a framework.
	Part string `json:"part,omitempty"`
	// Workload is the framework and environment that it was about: pytorch in /opt/venv. Empty below the fourth rung.
	Workload string `json:"workload,omitempty"`
	// Device is the ordinal of the GPU that it was about; nil where it was about none or all.
	Device *int     `json:"device,omitempty"`
	Argv   []string `json:"argv"`
	Steps  []Step   `json:"steps"`
	End    End      `json:"end"`
}

// Died is the step that the child was in when it ended: it began and did not
// end. nil where every step has an end, or there is none. A library that calls exit(0) is no end in order either.
func (r *Run) Died() *Step {
	if n := len(r.Steps); n > 0 && r.Steps[n-1].State == Begin {
		return &r.Steps[n-1]
	}
	return nil
}

// InOrder tells whether the child itself came to its end.
func (r *Run) InOrder() bool {
	e := r.End
	return e.Exit == 0 && e.Signal == "" && !e.Timeout && !e.Stopped && !e.Stuck && e.MemoryMiB == 0 && r.Died() == nil
}

// Failed tells whether something went wrong: a step, or the end.
func (r *Run) Failed() bool {
	bad := func(s Step) bool { return s.State == Failed || s.State == Wrong }
	return !r.InOrder() || slices.ContainsFunc(r.Steps, bad)
}
