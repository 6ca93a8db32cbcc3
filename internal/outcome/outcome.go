// Package outcome says what came of a command that strata run watched: whether
// it used the GPU, or fell back to the CPU, when, and for want of which library.
package outcome

import (
	"slices"

	"strata/internal/report"
	"strata/internal/rule"
	"strata/internal/witness"
)

// Schema names the contract of `strata run --format json` and of --record.
const Schema = "strata.run/1"

// Document is what strata run reports.
type Document struct {
	Schema  string      `json:"schema"`
	Tool    report.Tool `json:"tool"`
	Command []string    `json:"command"`
	Exit    int         `json:"exit"`
	Signal  string      `json:"signal,omitempty"`
	// Limited is true where --limit ended it: a server, which does not end by itself, had not failed until then.
	Limited bool `json:"limited,omitempty"`
	// WallMillis is how long the command ran, in milliseconds.
	WallMillis int64          `json:"wall_ms"`
	Verdict    report.Verdict `json:"verdict"`
	// FellBack is true where it went on without the GPU that it wanted; FellBackMillis is when, since the start.
	FellBack       bool  `json:"fell_back"`
	FellBackMillis int64 `json:"fell_back_ms,omitempty"`
	// Devices are the device files of GPUs that it opened.
	Devices []string `json:"devices"`
	// GPUs are what NVML showed while it ran, Sampling is how that was looked at.
	GPUs     []GPU    `json:"gpus"`
	Sampling Sampling `json:"sampling"`
	// Libraries are those of CUDA and of the driver that were loaded, Missing those that were looked for and not found.
	Libraries []Library `json:"libraries"`
	Missing   []Missing `json:"missing"`
	// Opens is how the opens of files were seen, with --trace=full.
	Opens    *Opened          `json:"opens,omitempty"`
	Findings []report.Finding `json:"findings"`
	// Notes are what could not be seen.
	Notes []string `json:"notes,omitempty"`
	// Record is what a second person needs beside it; only in files of --record.
	Record *Record `json:"record,omitempty"`
}

// Library is one that was loaded.
type Library struct {
	Name      string `json:"name"`
	Component string `json:"component"`
	Path      string `json:"path"`
	By        string `json:"by"`
}

// Missing is a name that the linker looked for in vain, or, with --trace=full, a file that any program tried to open.
type Missing struct {
	Name      string     `json:"name"`
	Component string     `json:"component"`
	Layer     rule.Layer `json:"layer"`
	By        string     `json:"by"`
	// Needed is true where another library cannot be loaded without it, false where a program tried it by name.
	Needed   bool     `json:"needed"`
	Searched []string `json:"searched"` // directories, in order
	// Denied are places where it is, or may be, and may not be read.
	Denied []string `json:"denied,omitempty"`
	Source string   `json:"source,omitempty"` // linker or opens
}

// Worked tells whether the command succeeded, or had not failed when it was ended.
func (d *Document) Worked() bool { return d.Exit == 0 || d.Limited }

// UsedGPU tells whether a command is known to have run on a GPU and not to have fallen back.
func (d *Document) UsedGPU() bool {
	if d.FellBack || d.Verdict.Status == report.Broken {
		return false
	}
	return len(d.on()) > 0 || slices.ContainsFunc(d.Devices, witness.IsGPU) && !d.idle()
}
