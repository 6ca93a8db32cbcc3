package term

import (
	"fmt"
	"io"
	"path"

	"strata/internal/libs"
	"strata/internal/procmaps"
)

// Process writes what a running process has mapped.
func Process(w io.Writer, d *libs.Process, opts Options) error {
	p := newPrinter(w, opts)
	p.heading(opts.Title, fmt.Sprintf("process %d", d.PID), d.Program)
	if len(d.Libraries) == 0 {
		p.wrap("  "+p.glyph("absent")+" ", "    ", "No library of CUDA or of the driver is mapped: this process does not use a GPU, or not yet.")
	}
	dir := ""
	for _, l := range d.Libraries {
		if at := path.Dir(l.Path); at != dir {
			dir = at
			p.line("  " + p.dim(clean(dir)))
		}
		note := ""
		switch l.Now {
		case procmaps.Replaced:
			note = "  " + p.glyph("at-risk") + " replaced on disk since"
		case procmaps.Gone:
			note = "  " + p.glyph("at-risk") + " no longer on disk"
		case procmaps.Unknown:
			note = "  " + p.glyph("unknown") + " the file could not be looked at"
		}
		p.line("    " + clean(l.Name) + note)
	}
	for _, dup := range d.Duplicates {
		p.line("")
		p.wrap("  "+p.glyph("at-risk")+" ", "    ", clean(dup.Name)+" is mapped from several files at once:")
		for _, at := range dup.Paths {
			p.line("      " + clean(at))
		}
	}
	if n := len(d.Stale); n > 0 {
		p.line("")
		p.wrap("  "+p.glyph("at-risk")+" ", "    ", fmt.Sprintf("Replaced or removed since they were loaded: %d. The process runs the old ones until it is started anew.", n))
		for i, s := range d.Stale {
			if i == 10 && !p.Verbose {
				p.line(fmt.Sprintf("      and %d more; -v shows them", n-i))
				break
			}
			p.line("      " + clean(s.Path))
		}
	}
	return p.Flush()
}
