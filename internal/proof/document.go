// Package proof says what a probe proved: the ladder with how far each GPU
// came, and for what failed the layer at fault, what is known of the reason and
// what is not. It reads what children printed and starts none.
package proof

import (
	"strata/internal/probe"
	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/stack"
)

// Schema names the contract of `strata probe --format json`.
const Schema = "strata.probe/1"

// Document is what strata probe reports.
type Document struct {
	Schema  string         `json:"schema"`
	Tool    report.Tool    `json:"tool"`
	Subject stack.Subject  `json:"subject"`
	Asked   Asked          `json:"asked"`
	Verdict report.Verdict `json:"verdict"`
	// Ladder has a line for each part of each rung, from the ground up.
	Ladder []Line `json:"ladder"`
	// Workloads are the frameworks that were tried, each with a verdict of its own.
	Workloads []Workload `json:"workloads"`
	// Devices are the GPUs as the driver named them.
	Devices  []Device         `json:"devices"`
	Findings []report.Finding `json:"findings"`
	// Environment is what files of the machine say of it, without the driver's help.
	Environment report.Environment `json:"environment"`
	// Runs are the child processes with every step.
	Runs []probe.Run `json:"runs"`
}

// Asked is what was to be proved.
type Asked struct {
	Rungs []probe.Rung `json:"rungs"`
	GPU   string       `json:"gpu,omitempty"`
	// Set are the variables that kept the children to that GPU: CUDA_VISIBLE_DEVICES=1.
	Set []string `json:"set,omitempty"`
	All bool     `json:"all"` // go on behind a rung that failed
	// LimitMillis is how long each child might run.
	LimitMillis int64 `json:"limit_ms"`
	// LeftOut is how many workloads were found and not tried: behind a rung that failed, or too many.
	LeftOut int `json:"left_out,omitempty"`
}

// Line is one line of the ladder.
type Line struct {
	Rung probe.Rung `json:"rung"`
	Part string     `json:"part"`
	// Workload is the framework and its environment on the fourth rung.
	Workload string             `json:"workload,omitempty"`
	Device   *int               `json:"device,omitempty"`
	Name     string             `json:"name"` // as a person says it: driver, GPU 0, cuBLAS
	Status   report.LayerStatus `json:"status"`
	// Summary is one sentence, Source the file of the library.
	Summary string `json:"summary"`
	Source  string `json:"source,omitempty"`
	Finding string `json:"finding,omitempty"`
	Micros  int64  `json:"micros"`
}

// Device is one GPU. Fields that the driver did not tell are left out.
type Device struct {
	// Ordinal is CUDA's number, nil for a GPU that only NVML shows; Index is NVML's.
	Ordinal           *int   `json:"ordinal,omitempty"`
	Index             *int   `json:"index,omitempty"`
	Name              string `json:"name,omitempty"`
	UUID              string `json:"uuid,omitempty"`
	PCI               string `json:"pci,omitempty"`
	ComputeCapability string `json:"compute_capability,omitempty"`
	MemoryMiB         int    `json:"memory_mib,omitempty"`
	UsedMiB           int    `json:"used_mib,omitempty"`
	BusyPercent       *int   `json:"busy_percent,omitempty"`
	Processes         *int   `json:"processes,omitempty"`    // that compute on it
	ComputeMode       string `json:"compute_mode,omitempty"` // default, exclusive-process, prohibited
	Persistence       string `json:"persistence,omitempty"`  // on, off
	MIG               string `json:"mig,omitempty"`          // on, off
	Instances         *int   `json:"instances,omitempty"`    // of MIG
	ECC               string `json:"ecc,omitempty"`          // on, off
	// UncorrectedErrors are the uncorrectable ECC errors since the driver was loaded, LifetimeErrors all that the card had.
	UncorrectedErrors *int `json:"uncorrected_errors,omitempty"`
	LifetimeErrors    *int `json:"lifetime_errors,omitempty"`
	// RowsFailed is "on" where the card could not replace a broken row of its memory.
	RowsFailed string `json:"rows_failed,omitempty"`
}

// Works tells whether everything that was tried worked on at least one GPU.
func (d *Document) Works() bool { return d.Verdict.Status == report.OK }

// Incomplete tells whether the probe came to no answer.
func (d *Document) Incomplete() bool { return d.Verdict.Status == report.Unsure }

// NoGPU tells whether the answer is that there is nothing to probe.
func (d *Document) NoGPU() bool { return d.Verdict.Finding == kindNoGPU.ID }

// Broken tells whether a finding is one that breaks something.
func (d *Document) Broken() bool {
	for _, f := range d.Findings {
		if f.Severity == rule.Broken.String() {
			return true
		}
	}
	return false
}
