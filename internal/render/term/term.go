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
	if opts.Width < minWidth {
		opts.Width = 80
	}
	opts.Width = min(opts.Width, maxWidth)
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
