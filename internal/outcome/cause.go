package outcome

import (
	"path"
	"slices"
	"strings"

	"strata/internal/report"
)

// cause is the library for want of which a command did without the GPU or failed, in the order of events; nil where none is known to be. said
// is what the command's output tells.
func cause(d *Document, said *report.Document) *Missing {
	for i, m := range d.Missing {
		if m.Needed && !caught(m, d.Worked(), said.Findings) {
			return &d.Missing[i]
		}
	}
	// A framework that opens its libraries by name tries some that it can do without. Only where it says that it misses one, and not
	// which, is the first of them the cause.
	if !slices.ContainsFunc(said.Findings, func(f report.Finding) bool { return slices.Contains(unnamed, f.ID) }) {
		return nil
	}
	for i, m := range d.Missing {
		if !m.Needed && m.library() && !extra[m.Component] && !d.otherwise(m) {
			return &d.Missing[i]
		}
	}
	return nil
}

// unnamed are the messages by which a framework says that libraries are missing, but not which.
var unnamed = []string{"jax-library-not-loaded", "tf-cuda-drivers-not-found", "tf-gpu-libraries-missing"}

// extra are what the frameworks of these messages open by name and do without.
var extra = map[string]bool{"tensorrt": true, "cutensor": true, "cusparselt": true, "cupti": true, "cufile": true}

// caught tells whether a program did without a library that one of its modules needs. An extension module of Python that does not load raises an
// exception. Where the program worked it was caught, as for what a package can do without (cuTENSOR of CuPy); where it failed and its last
// words are about something else, too: they would name the library.
func caught(m Missing, worked bool, findings []report.Finding) bool {
	if !strings.Contains(path.Base(m.By), ".cpython-") && !strings.HasSuffix(m.By, ".abi3.so") {
		return false
	}
	name := path.Base(m.Name)
	return worked || len(findings) > 0 && !slices.ContainsFunc(findings, func(f report.Finding) bool {
		return strings.Contains(f.Summary, name) || strings.Contains(f.Cause, name) ||
			slices.ContainsFunc(f.Evidence, func(e report.Evidence) bool { return strings.Contains(e.Text, name) })
	})
}

// otherwise tells whether a library was loaded under another name than the one that was missed: cuDNN 9 asks for its parts by their full
// versions first.
func (d *Document) otherwise(m Missing) bool {
	stem, _, _ := strings.Cut(path.Base(m.Name), ".so")
	return slices.ContainsFunc(d.Libraries, func(l Library) bool {
		s, _, _ := strings.Cut(path.Base(l.Path), ".so")
		return s == stem
	})
}
