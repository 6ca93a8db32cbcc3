// Package term writes a report for a person at a terminal: a ladder, one line
// a layer, and the answer last, where the eye rests. It decides nothing; what
// it shows is in the document. Text from the machine is stripped of control
// characters.
package term

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"strata/internal/report"
)

// Options are what the terminal can do.
type Options struct {
	Width   int  // in columns; 0 means 80
	Color   bool // ANSI colours may be used
	Verbose bool // every workload with its whole ladder, every source
	// Title is the first words of the first line: the command that ran.
	Title string
}

// Render writes the document.
func Render(w io.Writer, d *report.Document, opts Options) error {
	if opts.Width < 40 {
		opts.Width = 80
	}
	p := &printer{Writer: bufio.NewWriter(w), Options: opts, d: d}
	p.header()
	p.shared()
	p.workloads()
	p.findings()
	p.unknowns()
	p.answer()
	if err := p.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

type printer struct {
	*bufio.Writer
	Options
	d *report.Document
}

func (p *printer) header() {
	parts := []string{p.Title, p.d.Subject.Name}
	if p.d.Environment.OS != "" {
		parts = append(parts, p.d.Environment.OS)
	}
	parts = append(parts, "knowledge of "+strings.ReplaceAll(p.d.Tool.KB, ".", "-"))
	// Broken only between parts: "knowledge of" alone at an end of line reads badly.
	line := ""
	for i, part := range parts {
		part = clean(part)
		switch {
		case i == 0:
			line = part
		case width(line)+3+width(part) <= p.Width:
			line += " · " + part
		default:
			p.line(line + " ·")
			line = "  " + part
		}
	}
	p.line(line)
	p.line("")
}

// shared is the ladder of the layers that all workloads stand on.
func (p *printer) shared() {
	missing := 0
	for _, l := range p.d.Layers {
		if p.notHere(l) && !p.Verbose {
			missing++
			continue
		}
		if l.Status == report.LayerAbsent && (l.ID == "container_runtime" || l.ID == "toolkit") && !p.Verbose {
			continue // nobody misses what is not needed
		}
		p.rung("  ", l)
	}
	if missing > 0 {
		l := report.Layer{Name: "host", Status: report.LayerUnknown, Summary: "not in this root; vouch for it: --assume gpu=NAME --assume driver=VERSION"}
		if missing < hostLayers {
			l.Name, l.Summary = "rest of the host", "not in this root"
		}
		p.rung("  ", l)
	}
}

// hostLayers are the layers that only a running host can show: GPU, kernel
// module, driver, device access, container.
const hostLayers = 5

// notHere tells whether a layer is unknown only because a root that captured
// no running system cannot hold it: one line says so for all of them.
func (p *printer) notHere(l report.Layer) bool {
	return !p.d.Subject.Live && l.Status == report.LayerUnknown && l.Finding == "" && l.ID != "toolkit"
}

// nameColumn is as wide as the longest layer name and a gap.
const nameColumn = 16

// rung is one layer: glyph, name, fact, finding or source at the right edge.
func (p *printer) rung(indent string, l report.Layer) {
	head := fmt.Sprintf("%s%s %-*s ", indent, p.glyph(string(l.Status)), nameColumn, l.Name)
	right := l.Finding
	if right == "" {
		right = clean(l.Source)
	}
	room := p.Width - width(indent) - 2 - nameColumn - 1
	summary := clean(l.Summary)
	if l.Finding != "" {
		// The whole sentence stands in the answer; here its beginning is enough.
		summary = cut(summary, room-len(l.Finding)-2)
	}
	lines := Fold(summary, room)
	first := ""
	if len(lines) > 0 {
		first = lines[0]
	}
	if gap := room - width(first); len(lines) == 1 && right != "" && (gap >= minSource+2 || l.Finding != "") {
		if width(right) > gap-2 && l.Finding == "" {
			right = "…" + tail(right, gap-3)
		}
		first += strings.Repeat(" ", max(gap-width(right), 1)) + p.dim(right)
	}
	p.line(head + first)
	for _, more := range lines[min(1, len(lines)):] {
		p.line(strings.Repeat(" ", p.Width-room) + more)
	}
}

// minSource is the shortest piece of a path that still tells something.
const minSource = 12

// workloads shows healthy ones in a line and broken ones with their ladder.
func (p *printer) workloads() {
	groups := p.grouped()
	if len(groups) == 0 {
		return
	}
	p.line("")
	shown := 0
	for _, g := range groups {
		w := g[0]
		ladder := p.Verbose || (w.Verdict.Status == report.Broken || w.Verdict.Status == report.AtRisk) && p.own(w) && shown < maxLadders
		if !ladder {
			p.brief(g)
			continue
		}
		shown++
		p.heading(g)
		var waiting []string
		for _, l := range w.Layers {
			switch {
			case l.Status == report.LayerBlocked && !p.Verbose:
				waiting = append(waiting, l.Name)
			case l.Status == report.LayerAbsent && !p.Verbose:
			default:
				p.rung("    ", l)
			}
		}
		if len(waiting) > 0 {
			p.wrap("    "+p.glyph("blocked")+" ", strings.Repeat(" ", 6), "waiting for it: "+strings.Join(waiting, ", "))
		}
	}
}

// maxLadders keeps a host with many broken environments to one screen; the
// others are one line each and -v shows all.
const maxLadders = 3

// own tells whether the workload's deciding finding is not one of the machine.
func (p *printer) own(w report.Workload) bool {
	return slices.ContainsFunc(w.Layers, func(l report.Layer) bool { return l.Finding == w.Verdict.Finding && l.Finding != "" })
}

// grouped puts extensions that share their framework's fate behind it.
func (p *printer) grouped() [][]report.Workload {
	var groups [][]report.Workload
	for _, w := range p.d.Workloads {
		if w.Extends != "" && !p.Verbose {
			i := slices.IndexFunc(groups, func(g []report.Workload) bool {
				return g[0].Name == w.Extends && g[0].Environment == w.Environment
			})
			if i >= 0 && (groups[i][0].Verdict.Finding == w.Verdict.Finding || w.Verdict.Status == report.OK || w.Verdict.Status == report.Unsure) {
				groups[i] = append(groups[i], w)
				continue
			}
		}
		groups = append(groups, []report.Workload{w})
	}
	return groups
}

func title(g []report.Workload) string {
	w := g[0]
	parts := []string{strings.TrimSpace(w.Framework + " " + w.Version)}
	for _, e := range g[1:] {
		parts[0] += fmt.Sprintf(", %s %s", e.Framework, strings.SplitN(e.Version, "+", 2)[0])
	}
	parts = append(parts, w.Environment)
	return clean(strings.Join(parts, " · "))
}

func (p *printer) heading(g []report.Workload) {
	text := title(g)
	if g[0].Python != "" {
		text += " · Python " + g[0].Python
	}
	p.wrap("  ", "    ", text)
}

// brief is a workload in one line.
func (p *printer) brief(g []report.Workload) {
	v := g[0].Verdict
	text := title(g)
	switch v.Status {
	case report.OK:
		text += " · can use the GPU"
	case report.Unsure:
		text += " · nothing broken found"
	default:
		text += " · " + v.Finding
	}
	p.wrap("  "+p.glyph(string(v.Status))+" ", "    ", text)
}

func (p *printer) line(s string) {
	p.WriteString(strings.TrimRight(s, " "))
	p.WriteByte('\n')
}
