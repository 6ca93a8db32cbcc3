package libs

import (
	"path"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/machine"
	"strata/internal/procmaps"
	"strata/internal/report"
	"strata/internal/stack"
)

// ProcessSchema names the contract of `strata libs --pid --format json`.
const ProcessSchema = "strata.libs.process/1"

// Process is what a running process has mapped, against what the disk says now.
type Process struct {
	Schema  string        `json:"schema"`
	Tool    report.Tool   `json:"tool"`
	Subject stack.Subject `json:"subject"`
	PID     int           `json:"pid"`
	Program string        `json:"program"`
	// Libraries are those of CUDA and of the driver, in the order of their mapping.
	Libraries []Mapped `json:"libraries"`
	// Stale are files of any kind that were replaced or removed since they were mapped: the process still runs the old ones.
	Stale []Mapped `json:"stale"`
	// Duplicates are libraries that are mapped from more than one file.
	Duplicates []Duplicate `json:"duplicates"`
}

// Mapped is one mapped file.
type Mapped struct {
	Name      string         `json:"name"`
	Component string         `json:"component"`
	Path      string         `json:"path"` // in the root of the process
	Now       procmaps.State `json:"now"`
}

// Duplicate is a library with the files that it is mapped from.
type Duplicate struct {
	Name  string   `json:"name"`
	Paths []string `json:"paths"`
}

// Inspect looks at a running process of m.
func Inspect(m *machine.Machine, base *kb.Base, tool report.Tool, subject stack.Subject, pid int) (*Process, error) {
	files, err := procmaps.Read(m, pid)
	if err != nil {
		return nil, err
	}
	p := &Process{Schema: ProcessSchema, Tool: tool, Subject: subject, PID: pid, Libraries: []Mapped{}, Stale: []Mapped{}, Duplicates: []Duplicate{}}
	for _, f := range files {
		if p.Program == "" && f.Code {
			p.Program = f.Path
		}
		name := path.Base(f.Path)
		component := base.Component(name)
		mapped := Mapped{Name: name, Component: component.Value.Name, Path: f.Path, Now: f.Now}
		if component.Known && f.Code {
			p.Libraries = append(p.Libraries, mapped)
		}
		if f.Code && (f.Now == procmaps.Replaced || f.Now == procmaps.Gone) {
			p.Stale = append(p.Stale, mapped)
		}
	}
	for name, list := range procmaps.Duplicates(files) {
		d := Duplicate{Name: name}
		for _, f := range list {
			d.Paths = append(d.Paths, f.Path)
		}
		p.Duplicates = append(p.Duplicates, d)
	}
	slices.SortFunc(p.Duplicates, func(a, b Duplicate) int { return strings.Compare(a.Name, b.Name) })
	return p, nil
}
