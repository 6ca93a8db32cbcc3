package term

import (
	"fmt"
	"io"
	"strings"

	"strata/internal/probe"
	"strata/internal/proof"
	"strata/internal/report"
)

// RenderProbe writes what a probe proved: a line for each part of the ladder
// and each GPU, and the answer last.
func RenderProbe(w io.Writer, d *proof.Document, opts Options) error {
	p := newPrinter(w, opts)
	p.d = &report.Document{Tool: d.Tool, Subject: d.Subject, Verdict: d.Verdict, Findings: d.Findings, Environment: d.Environment}
	parts := []string{p.Title, d.Subject.Name}
	if d.Environment.OS != "" {
		parts = append(parts, d.Environment.OS)
	}
	p.heading(append(parts, knowledge(d.Tool)...)...)
	p.gpus(d)
	for _, l := range d.Ladder {
		p.rung("  ", report.Layer{Name: l.Name, Status: l.Status, Summary: l.Summary, Source: l.Source, Finding: l.Finding}, "")
		if p.Verbose {
			p.steps(d, l)
		}
	}
	rest, notes := p.others()
	p.list("Also", append(rest, notes...))
	if d.NoGPU() || d.Incomplete() && p.primary() != nil {
		p.short()
	} else {
		p.line("")
		p.answer()
	}
	if err := p.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// short is the answer where nothing is broken and nothing was proved.
func (p *printer) short() {
	f := p.primary()
	p.line("")
	p.wrap(p.glyph(string(p.d.Verdict.Status))+" ", "  ", p.bold(clean(p.sentence(p.d.Verdict.Summary))))
	p.wrap("  ", "  ", clean(f.Cause))
	if len(f.Remedies) > 0 {
		p.remedies(f)
	}
}

// gpus are the devices, one line each.
func (p *printer) gpus(d *proof.Document) {
	for _, x := range d.Devices {
		number := "GPU"
		if x.Index != nil {
			number = fmt.Sprintf("GPU %d of NVML", *x.Index)
		}
		if x.Ordinal != nil {
			number = fmt.Sprintf("GPU %d", *x.Ordinal)
		}
		facts := []string{x.Name}
		add := func(format string, value any, known bool) {
			if known {
				facts = append(facts, fmt.Sprintf(format, value))
			}
		}
		add("compute capability %s", x.ComputeCapability, x.ComputeCapability != "")
		add("%d MiB", x.MemoryMiB, x.MemoryMiB != 0)
		add("%d MiB in use", x.UsedMiB, x.UsedMiB != 0)
		if x.BusyPercent != nil {
			add("%d %% busy", *x.BusyPercent, *x.BusyPercent > 0)
		}
		add("MIG %s", x.MIG, x.MIG == "on")
		if x.Instances != nil {
			add("%d instances", *x.Instances, true)
		}
		add("ECC %s", x.ECC, p.Verbose && x.ECC != "")
		add("persistence mode %s", x.Persistence, p.Verbose && x.Persistence != "")
		add("compute mode %s", x.ComputeMode, x.ComputeMode != "" && (p.Verbose || x.ComputeMode != "default"))
		add("%s", x.UUID, p.Verbose && x.UUID != "")
		head := fmt.Sprintf("  %s %-*s ", p.glyph("note"), nameColumn, number)
		p.wrap(head, strings.Repeat(" ", width(head)), clean(strings.Join(facts, " · ")))
	}
}

// steps are all steps of a line's run.
func (p *printer) steps(d *proof.Document, l proof.Line) {
	for _, r := range d.Runs {
		if r.Rung != l.Rung || r.Part != l.Part || (r.Device == nil) != (l.Device == nil) || r.Device != nil && *r.Device != *l.Device {
			continue
		}
		for _, s := range r.Steps {
			status := map[probe.State]string{probe.OK: "ok", probe.Failed: "broken", probe.Wrong: "broken", probe.Skipped: "absent", probe.Begin: "broken"}[s.State]
			text := s.Name
			if s.Subject != "" {
				text += " " + s.Subject
			}
			if s.Device != nil && r.Device == nil {
				text += fmt.Sprintf(" of %d", *s.Device)
			}
			text += fmt.Sprintf(" · %s", micros(s.Micros))
			if s.Error != "" {
				text += fmt.Sprintf(" · %s (%d)", s.Error, s.Code)
			}
			if s.Detail != "" {
				text += " · " + s.Detail
			}
			p.wrap("      "+p.glyph(status)+" ", "        ", p.dim(clean(text)))
		}
	}
}

func micros(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d µs", n)
	}
	return fmt.Sprintf("%.1f ms", float64(n)/1000)
}
