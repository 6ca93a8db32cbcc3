package term

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"strata/internal/lookup"
	"strata/internal/report"
)

// Card writes what the knowledge base says about one thing.
func Card(w io.Writer, c *lookup.Card, tool report.Tool, opts Options) error {
	p := newPrinter(w, opts)
	p.heading(append([]string{c.Title}, knowledge(tool)...)...)
	blank := false
	gap := func() { // between parts, not before the first
		if blank {
			p.line("")
		}
		blank = true
	}
	if c.Summary != "" {
		gap()
		glyph := ""
		if c.Status == lookup.Beyond {
			glyph = p.glyph("unknown") + " "
		}
		p.wrap("  "+glyph, "  "+strings.Repeat(" ", width(glyph)), clean(c.Summary))
	}
	if len(c.Nearest) > 0 {
		p.wrap("  ", "  ", "Newest that is known: "+clean(strings.Join(c.Nearest, ", ")))
	}
	if len(c.Fields) > 0 {
		gap()
		p.fields("  ", c.Fields)
	}
	for _, t := range c.Tables {
		gap()
		indent := "  "
		if t.Title != "" {
			p.line("  " + p.bold(clean(t.Title)))
			indent = "    "
		}
		p.table(indent, t)
	}
	if len(c.Commands) > 0 {
		gap()
		p.install(c.Commands)
	}
	if len(c.Notes) > 0 {
		gap()
	}
	for _, n := range c.Notes {
		p.wrap("  "+p.glyph("note")+" ", "    ", clean(n))
	}
	p.basis(c, gap)
	if err := p.Flush(); err != nil {
		return fmt.Errorf("writing the card: %w", err)
	}
	return nil
}

// fields are a label and a value each, the values in one column.
func (p *printer) fields(indent string, fields []lookup.Field) {
	labels := 0
	for _, f := range fields {
		labels = max(labels, width(f.Label))
	}
	next := indent + strings.Repeat(" ", labels+2)
	for _, f := range fields {
		if f.Label == "" {
			continue // for programs
		}
		pad := strings.Repeat(" ", labels-width(f.Label)+2)
		p.wrap(indent+p.dim(clean(f.Label))+pad, next, clean(cmp.Or(f.Text, lookup.Text(f.Value))))
	}
}

// install writes commands, which are not folded, to be copied.
func (p *printer) install(list []lookup.Command) {
	p.line("  " + p.bold("Install"))
	for i, c := range list {
		parts := []string{c.For}
		for _, part := range []string{c.Variant, strings.Join(c.OS, ", "), c.Note} {
			if part != "" {
				parts = append(parts, part)
			}
		}
		p.wrap("    ", "      ", clean(strings.Join(parts, " · ")))
		p.line("      " + clean(c.Run))
		if last := i == len(list)-1 || list[i+1].Check != c.Check; last && c.Check != "" {
			p.line("      " + p.dim("then") + " " + clean(c.Check))
		}
	}
}

// basis says what a card rests on.
func (p *printer) basis(c *lookup.Card, gap func()) {
	const most = 5 // sources; who needs all of them reads JSON
	if len(c.Sources) > 0 {
		gap()
		p.line("  " + p.bold("Sources"))
		for i, s := range c.Sources {
			if i == most && len(c.Sources) > most+1 {
				p.line(fmt.Sprintf("    and %d more, all in --format json", len(c.Sources)-most))
				break
			}
			text := clean(s.Title)
			if !strings.Contains(s.Title, s.Publisher) {
				text += ", " + clean(s.Publisher)
			}
			p.wrap("    ", "    ", text+", read "+clean(s.Retrieved))
			if s.URL != "" {
				p.line("      " + clean(s.URL))
			}
		}
	}
	var tables []string
	for _, r := range c.Rows {
		if !slices.Contains(tables, r.Table) {
			tables = append(tables, r.Table)
		}
	}
	if len(tables) > 0 {
		rows := "1 row"
		if len(c.Rows) > 1 {
			rows = fmt.Sprintf("the lowest of %d rows", len(c.Rows))
		}
		p.wrap("  "+p.bold("Confidence")+" ", "    ", fmt.Sprintf("%s, %s of %s, as of %s", c.Confidence, rows, strings.Join(tables, ", "), c.AsOf))
	}
}

// table draws columns as wide as they must be and the page allows, cells folded at spaces. Where even the longest words do not fit beside each
// other, each row becomes a list of its cells.
func (p *printer) table(indent string, t *lookup.Table) {
	cells := make([][]string, 0, len(t.Rows)+1)
	head := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		head[i] = clean(c.Label)
	}
	cells = append(cells, head)
	for _, row := range t.Rows {
		line := make([]string, len(row))
		for i, cell := range row {
			line[i] = clean(lookup.Text(cell))
		}
		cells = append(cells, line)
	}
	widths, fits := columnWidths(cells, p.Width-width(indent))
	if !fits {
		p.records(indent, t, cells[1:])
	} else {
		for n, row := range cells {
			p.row(indent, row, widths, n == 0, t)
		}
	}
	if t.Omitted > 0 {
		p.line(fmt.Sprintf("%sand %d more: say more of the name", indent, t.Omitted))
	}
}

// columnWidths shares room out: every column its widest cell, and where that is too much, the widest columns give way, down to their
// longest word.
func columnWidths(cells [][]string, room int) (widths []int, fits bool) {
	n := len(cells[0])
	widths, least := make([]int, n), make([]int, n)
	for _, row := range cells {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
			for word := range strings.FieldsSeq(cell) {
				least[i] = max(least[i], width(word))
			}
		}
	}
	total := 2 * (n - 1)
	for _, w := range widths {
		total += w
	}
	for total > room {
		widest := -1
		for i, w := range widths {
			if w > least[i] && (widest < 0 || w > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return widths, false
		}
		widths[widest]--
		total--
	}
	return widths, true
}

func (p *printer) row(indent string, row []string, widths []int, head bool, t *lookup.Table) {
	folded := make([][]string, len(row))
	height := 1
	for i, cell := range row {
		folded[i] = Fold(cell, widths[i])
		height = max(height, len(folded[i]))
	}
	for n := range height {
		line := indent
		for i := range row {
			text := ""
			if n < len(folded[i]) {
				text = folded[i][n]
			}
			pad := strings.Repeat(" ", max(widths[i]-width(text), 0))
			if head {
				text = p.dim(text)
			}
			if numbers(t, i) {
				line += pad + text + "  "
			} else {
				line += text + pad + "  "
			}
		}
		p.line(line)
	}
}

// numbers tells whether a column holds nothing but counts, which stand at the right.
func numbers(t *lookup.Table, column int) bool {
	for _, row := range t.Rows {
		if _, ok := row[column].(int); !ok && row[column] != nil {
			return false
		}
	}
	return true
}

func (p *printer) records(indent string, t *lookup.Table, rows [][]string) {
	for n, row := range rows {
		if n > 0 {
			p.line("")
		}
		var fields []lookup.Field
		for i, cell := range row {
			if cell != "" {
				fields = append(fields, lookup.Field{Label: t.Columns[i].Label, Value: cell})
			}
		}
		p.fields(indent, fields)
	}
}
