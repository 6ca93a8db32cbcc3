package term

import (
	"fmt"
	"io"
	"path"
	"strings"

	"strata/internal/outcome"
	"strata/internal/report"
)

// RenderRun writes what came of a command: the answer first, since the
// command's own output stands above it.
func RenderRun(w io.Writer, d *outcome.Document, opts Options) error {
	p := newPrinter(w, opts)
	p.d = &report.Document{Verdict: d.Verdict, Findings: d.Findings}
	p.line("")
	p.wrap(p.glyph(string(d.Verdict.Status))+" ", "  ", p.bold("strata: ")+clean(d.Verdict.Summary)+".")
	for _, m := range d.Missing {
		if !m.Needed {
			continue
		}
		var dirs []string
		for i, x := range m.Searched {
			if i == maxShown {
				dirs = append(dirs, fmt.Sprintf("and %d more", len(m.Searched)-i))
				break
			}
			dirs = append(dirs, x)
		}
		p.wrap("  Missing   ", column, clean(fmt.Sprintf("%s, asked for by %s", m.Name, path.Base(m.By))))
		p.wrap("  Searched  ", column, clean(strings.Join(dirs, " ")))
		break
	}
	if f := p.finding(d.Verdict.Finding); f != nil {
		for _, r := range f.Remedies[:min(1, len(f.Remedies))] {
			p.wrap("  Remedy    ", column, clean(r.Summary))
			for _, c := range r.Commands[:min(1, len(r.Commands))] {
				p.line(column + p.bold(clean(c.Run)))
			}
		}
		p.wrap("  Why       ", column, "strata explain "+f.ID)
	}
	for _, n := range d.Notes {
		p.wrap("  ? ", "    ", clean(n))
	}
	if err := p.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func (p *printer) finding(id string) *report.Finding {
	for i := range p.d.Findings {
		if p.d.Findings[i].ID == id {
			return &p.d.Findings[i]
		}
	}
	return nil
}
