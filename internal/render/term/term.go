// Package term writes a report for a person at a terminal: a ladder, one line
// a layer, and the answer last, where the eye rests. It decides nothing; what
// it shows is in the document. Text from the machine is stripped of control
// characters.
package term

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"strata/internal/report"
)

// Options are what the terminal can do.
type Options struct {
	Width   int  // in columns; 0 means 80
	Color   bool // ANSI colours may be used
	ASCII   bool // the terminal's character set has no ✓
	Verbose bool // every workload with its whole ladder, every source
	// Title is the first words of the first line: the command that ran.
	Title string
}

// Lines shorter than minWidth cannot hold a layer and its fact; on lines longer
// than maxWidth the eye does not find the way back.
const minWidth, maxWidth = 40, 100

// Render writes the document.
func Render(w io.Writer, d *report.Document, opts Options) error {
	p := newPrinter(w, opts)
	p.d = d
	p.header()
	p.shared()
	p.workloads()
	p.findings()
	p.unknowns()
	p.probed()
	p.line("")
	p.answer()
	if err := p.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func newPrinter(w io.Writer, opts Options) *printer {
	if opts.Width < minWidth {
		opts.Width = 80
	}
	opts.Width = min(opts.Width, maxWidth)
	return &printer{Writer: bufio.NewWriter(w), Options: opts}
}

type printer struct {
	*bufio.Writer
	Options
	d *report.Document
	// allShown is true where no finding is kept for -v.
	allShown bool
	// blank is true where something stands above that a heading keeps apart from.
	blank bool
}

func (p *printer) header() {
	parts := []string{p.Title, p.d.Subject.Name}
	if p.d.Environment.OS != "" {
		parts = append(parts, p.d.Environment.OS)
	}
	p.heading(append(parts, knowledge(p.d.Tool)...)...)
}

// Knowledge names the knowledge base of a report in one line.
func Knowledge(t report.Tool) string { return clean(strings.Join(knowledge(t), " · ")) }

// knowledge names the knowledge base, and says where one is from that is not built in.
func knowledge(t report.Tool) []string {
	day := func(version string) string { return strings.ReplaceAll(version, ".", "-") }
	parts := []string{"knowledge of " + day(t.KB)}
	if t.KBDir != "" {
		parts = append(parts, "not built in, from "+t.KBDir)
	}
	if t.KBOlderThan != "" {
		parts = append(parts, "older than the built-in one of "+day(t.KBOlderThan))
	}
	return parts
}

// heading is the first line. It is broken only between parts: "knowledge of" alone at an end of line reads badly.
func (p *printer) heading(parts ...string) {
	line := ""
	for i, part := range parts {
		part = clean(part)
		switch {
		case i == 0:
			line = part
		case width(line)+3+width(part) <= p.Width:
			line += " · " + part
		default:
			p.line(line)
			line = "  " + part
		}
	}
	p.line(line)
	p.line("")
}

func (p *printer) line(s string) {
	if p.ASCII {
		s = ascii.Replace(s)
	}
	p.WriteString(strings.TrimRight(s, " "))
	p.WriteByte('\n')
}
