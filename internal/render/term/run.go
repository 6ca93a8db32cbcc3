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
	if m := missing(d); m != nil {
		var dirs []string
		for i, x := range m.Searched {
			if i == maxShown {
				dirs = append(dirs, fmt.Sprintf("and %d more", len(m.Searched)-i))
				break
			}
			dirs = append(dirs, x)
		}
		label := "  Missing   "
		if len(m.Denied) > 0 {
			label = "  Denied    "
		}
		p.wrap(label, column, clean(fmt.Sprintf("%s, asked for by %s", m.Name, path.Base(m.By))))
		p.wrap("  Searched  ", column, clean(strings.Join(dirs, " ")))
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

// missing is what to show of that: what a library needs; else, where nothing else explains that the GPU was not used, a device that may not be
// opened or the first library that any program opened in vain.
func missing(d *outcome.Document) *outcome.Missing {
	for i := range d.Missing {
		if d.Missing[i].Needed {
			return &d.Missing[i]
		}
	}
	if d.Opens == nil || d.Verdict.Status == report.OK || d.Verdict.Finding != "" {
		return nil
	}
	return d.Sought()
}

func (p *printer) finding(id string) *report.Finding {
	for i := range p.d.Findings {
		if p.d.Findings[i].ID == id {
			return &p.d.Findings[i]
		}
	}
	return nil
}

// RenderCompare writes two runs of one command side by side.
func RenderCompare(w io.Writer, c *outcome.Comparison, opts Options) error {
	p := newPrinter(w, opts)
	p.line("")
	p.line(p.bold("strata: without and with the GPU"))
	row := func(label, cpu, gpu string) {
		p.line(fmt.Sprintf("  %-9s %-24s %s", label, clean(cpu), clean(gpu)))
	}
	row("", "GPU hidden", "with the GPU")
	row("exit", exitText(c.CPU), exitText(c.GPU))
	row("time", fmt.Sprintf("%.1f s", float64(c.CPU.WallMillis)/1000), fmt.Sprintf("%.1f s", float64(c.GPU.WallMillis)/1000))
	row("GPU", used(c.CPU), used(c.GPU))
	if d := c.Differs; d != nil {
		p.line("")
		p.wrap("  First line that only the run with the GPU has, ", "  ", fmt.Sprintf("line %d:", d.Line))
		p.wrap("    ", "    ", clean(d.GPU))
	}
	p.line("")
	p.wrap("  ", "  ", clean(strings.ToUpper(c.Summary[:1])+c.Summary[1:])+".")
	if c.GPU.FellBack || c.GPU.Verdict.Status == report.Broken {
		p.wrap(p.glyph(string(c.GPU.Verdict.Status))+" ", "  ", clean(c.GPU.Verdict.Summary)+".")
	}
	if err := p.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func exitText(d *outcome.Document) string {
	if d.Signal != "" {
		return d.Signal
	}
	return fmt.Sprint(d.Exit)
}

func used(d *outcome.Document) string {
	switch {
	case d.FellBack:
		return "fell back to the CPU"
	case d.UsedGPU():
		return "used"
	}
	return "not touched"
}
