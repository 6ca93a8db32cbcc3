// Package libs says what each workload of a machine really loads: which copy of
// each CUDA library, from where and why there, what it hides, and what is
// missing. It follows the frameworks' own ways (package recipe) through the
// machine's own dynamic linker (package loader), and executes nothing.
package libs

import (
	"strata/internal/coverage"
	"strata/internal/loader"
	"strata/internal/report"
	"strata/internal/stack"
)

// Schema names the contract of `strata libs --format json`.
const Schema = "strata.libs/1"

// Document is what strata libs prints.
type Document struct {
	Schema  string        `json:"schema"`
	Tool    report.Tool   `json:"tool"`
	Subject stack.Subject `json:"subject"`
	Linker  Linker        `json:"linker"`
	// Environment are the variables that the linker was given.
	Environment map[string]string `json:"environment"`
	Workloads   []Workload        `json:"workloads"`
	// GPUs are those that the loaded GPU code was judged for, none where none is known; see Judge.
	GPUs []coverage.GPU `json:"gpus"`
	// Driver is the Linux driver that was judged by, "" where none is known.
	Driver string `json:"driver"`
}

// Linker is the dynamic linker whose rules were followed.
type Linker struct {
	Libc     string   `json:"libc"` // glibc, musl
	Version  string   `json:"version"`
	Path     string   `json:"path"`
	Defaults []string `json:"defaults"`
	// NoLibc is true for a root without a C library, whose system libraries are taken as present.
	NoLibc bool `json:"no_libc"`
	// CacheProblem is why ld.so.cache could not be used.
	CacheProblem string `json:"cache_problem"`
}

// Workload is one framework or program as far as its libraries go.
type Workload struct {
	ID        string `json:"id"` // as in strata check: "pytorch in /opt/venv"
	Framework string `json:"framework"`
	Version   string `json:"version"`
	Status    Status `json:"status"`
	// Summary is the answer in one sentence.
	Summary string `json:"summary"`
	// Stopped says why the recipe could not be followed to its end.
	Stopped   string    `json:"stopped"`
	Libraries []Library `json:"libraries"`
	Missing   []Missing `json:"missing"`
	// Mismatches are symbol versions that a library wants and the copy it gets does not have.
	Mismatches []Mismatch `json:"mismatches"`
	// Searches are the whole searches for the one name that was asked about.
	Searches []Search `json:"searches"`
	// Code are the loaded files that hold GPU code, in the order of loading, as in strata.arch/1: each with one verdict for each of the
	// document's GPUs; empty where there are none.
	Code []coverage.File `json:"code"`

	loaded []string // the path of every loaded file
}

// Search is where the linker looks for one name that one object asks for.
type Search struct {
	Name string `json:"name"`
	By   string `json:"by"`
	// Loaded is the file that the name stands for already when it is asked for, so that nothing is searched; "" where it is searched.
	Loaded string `json:"loaded"`
	Steps  []Step `json:"steps"`
}

// Step is one place of a search. The first without a Why is taken, further ones are hidden.
type Step struct {
	Via  loader.Via `json:"via"`
	From string     `json:"from"` // whose RPATH or RUNPATH it is
	Path string     `json:"path"`
	Why  string     `json:"why"` // it is not taken
}

// Status is the worst of what was found.
type Status string

// The statuses. Partial: something is missing without which only some functions fail.
const (
	Complete Status = "complete"
	Partial  Status = "partial"
	Broken   Status = "broken"
	Unknown  Status = "unknown"
)

// Library is one library that is loaded.
type Library struct {
	Name      string     `json:"name"` // as asked for
	Component string     `json:"component"`
	Path      string     `json:"path"` // where it was found
	Real      string     `json:"real"` // links resolved
	Version   string     `json:"version"`
	Owner     string     `json:"owner"` // the package that ships it
	Via       loader.Via `json:"via"`   // the part of the search
	By        string     `json:"by"`    // path of what asked first; "" for the interpreter
	Depth     int        `json:"depth"` // in the tree of who asked first
	Hidden    []Copy     `json:"hidden"`
	// Code are the targets of the GPU code inside; empty where there is none.
	Code []stack.DeviceCode `json:"code"`
}

// Copy is another file of the same name.
type Copy struct {
	Path    string     `json:"path"`
	Version string     `json:"version"`
	Via     loader.Via `json:"via"` // the part of the search that would have led to it; "" where none does
}

// Missing is a library that is asked for and not found, or found and not usable.
type Missing struct {
	Name   string `json:"name"`
	By     string `json:"by"`
	Need   string `json:"need"`   // must, gpu, part, optional
	Reason string `json:"reason"` // in the linker's words
	// Why is what asks and where that is written; "" where an ELF header does.
	Why      string `json:"why"`
	Searched int    `json:"searched"` // directories
	// Elsewhere are copies on this machine that the search does not reach.
	Elsewhere []Copy `json:"elsewhere"`
}

// Mismatch is a symbol version or symbol that is wanted from a copy that does not have it.
type Mismatch struct {
	By      string `json:"by"`
	From    string `json:"from"`
	Version string `json:"version"`
	Symbol  string `json:"symbol"`
	Need    string `json:"need"` // what hangs on it, as of Missing
}
