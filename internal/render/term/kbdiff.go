package term

import (
	"fmt"
	"io"
	"strings"

	"strata/internal/kb"
)

// Diff writes the difference of two knowledge bases: + for a row of the second, - for one of the first, ~ for one that changed. a and b say which
// bases they are.
func Diff(w io.Writer, d *kb.Difference, a, b string, opts Options) error {
	p := newPrinter(w, opts)
	p.heading("strata kb diff", fmt.Sprintf("%s of %s", a, d.From), fmt.Sprintf("%s of %s", b, d.To))
	if d.Same() {
		p.line("  No difference")
	}
	added, removed, changed := 0, 0, 0
	for i, t := range d.Tables {
		if i > 0 {
			p.line("")
		}
		name := p.bold(clean(t.Name))
		if t.State != "changed" {
			name += "  " + t.State
		}
		p.line(name)
		for _, c := range t.Head {
			p.wrap("  ", "    ", clean(fmt.Sprintf("%s: %s → %s", c.Column, empty(c.From), empty(c.To))))
		}
		for _, r := range t.Removed {
			p.wrap("  "+p.paint("31", "-")+" ", "    ", key(r))
		}
		for _, r := range t.Added {
			p.wrap("  "+p.paint("32", "+")+" ", "    ", key(r))
		}
		for _, r := range t.Changed {
			p.wrap("  "+p.paint("33", "~")+" ", "    ", key(r))
			for _, c := range r.Cells {
				p.wrap("      ", "        ", clean(fmt.Sprintf("%s: %s → %s", c.Column, empty(c.From), empty(c.To))))
			}
		}
		added, removed, changed = added+len(t.Added), removed+len(t.Removed), changed+len(t.Changed)
	}
	if !d.Same() {
		p.line("")
		p.line(fmt.Sprintf("%s %s added, %d removed, %d changed", plural(len(d.Tables), "file differs:", "files differ:"), plural(added, "row", "rows"), removed, changed))
	}
	if err := p.Flush(); err != nil {
		return fmt.Errorf("writing the difference: %w", err)
	}
	return nil
}

// key names a row on a line.
func key(r kb.RowRef) string {
	var parts []string
	for _, k := range r.Key {
		if k != "" {
			parts = append(parts, k)
		}
	}
	return clean(strings.Join(parts, ", "))
}

func empty(s string) string {
	if s == "" {
		return "(empty)"
	}
	return s
}
