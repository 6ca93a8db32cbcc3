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
	// Libraries are those of CUDA and of the driver that were loaded, Missing those that were looked for and not found.
	Libraries []Library        `json:"libraries"`
	Missing   []Missing        `json:"missing"`
	Findings  []report.Finding `json:"findings"`
	// Notes are what could not be seen.
	Notes []string `json:"notes,omitempty"`
}

// Library is one that was loaded.
type Library struct {
	Name      string `json:"name"`
	Component string `json:"component"`
	Path      string `json:"path"`
	By        string `json:"by"`
}

// Missing is a name that the linker looked for in vain.
type Missing struct {
	Name      string     `json:"name"`
	Component string     `json:"component"`
	Layer     rule.Layer `json:"layer"`
	By        string     `json:"by"`
	// Needed is true where another library cannot be loaded without it, false where a program tried it by name.
	Needed   bool     `json:"needed"`
	Searched []string `json:"searched"` // directories, in order
}

// Worked tells whether the command succeeded, or had not failed when it was ended.
func (d *Document) Worked() bool { return d.Exit == 0 || d.Limited }

// UsedGPU tells whether a command is known to have run on a GPU and not to have fallen back.
func (d *Document) UsedGPU() bool {
	return !d.FellBack && d.Verdict.Status != report.Broken && slices.ContainsFunc(d.Devices, witness.IsGPU)
}
