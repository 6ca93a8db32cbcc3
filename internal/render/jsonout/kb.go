package jsonout

import (
	"bytes"
	"encoding/json"
	"io"

	"strata/internal/kb"
	"strata/internal/lookup"
	"strata/internal/report"
)

// KBSchema names the contract of what strata kb prints.
const KBSchema = "strata.kb/1"

// head starts every document of strata kb. Kind is the command: tables, subjects, card, problems, diff, export.
type head struct {
	Schema string      `json:"schema"`
	Kind   string      `json:"kind"`
	Tool   report.Tool `json:"tool"`
}

// Tables writes what tables a knowledge base has.
func Tables(w io.Writer, tool report.Tool, tables []kb.TableInfo, sources int) error {
	rows := 0
	for _, t := range tables {
		rows += t.Rows
	}
	return encode(w, struct {
		head
		Version string         `json:"version"`
		Rows    int            `json:"rows"`
		Sources int            `json:"sources"`
		Tables  []kb.TableInfo `json:"tables"`
	}{head{KBSchema, "tables", tool}, tool.KB, rows, sources, tables})
}

// Subjects writes what can be looked up.
func Subjects(w io.Writer, tool report.Tool, list []lookup.Subject) error {
	type subject struct {
		Name     string   `json:"name"`
		About    string   `json:"about"`
		Examples []string `json:"examples"`
	}
	out := []subject{}
	for _, s := range list {
		out = append(out, subject{s.Name, s.About, s.Examples})
	}
	return encode(w, struct {
		head
		Subjects []subject `json:"subjects"`
	}{head{KBSchema, "subjects", tool}, out})
}

// Card writes what is known about one thing.
func Card(w io.Writer, tool report.Tool, c *lookup.Card) error {
	type row struct {
		Table      string        `json:"table"`
		Line       int           `json:"line"`
		AsOf       string        `json:"as_of"`
		Confidence kb.Confidence `json:"confidence"`
	}
	fields, tables, rows := object{}, object{}, []row{}
	for _, f := range c.Fields {
		fields = append(fields, member{f.Name, f.Value})
	}
	for _, t := range c.Tables {
		list := []object{}
		for _, cells := range t.Rows {
			o := object{}
			for i, cell := range cells {
				o = append(o, member{t.Columns[i].Name, cell})
			}
			list = append(list, o)
		}
		tables = append(tables, member{t.Name, list})
	}
	for _, r := range c.Rows {
		rows = append(rows, row{r.Table, r.Line, r.AsOf, r.Confidence})
	}
	return encode(w, struct {
		head
		Subject    string           `json:"subject"`
		Name       string           `json:"name"`
		Status     lookup.Status    `json:"status"`
		Title      string           `json:"title"`
		Summary    string           `json:"summary"`
		Fields     object           `json:"fields"`
		Tables     object           `json:"tables"`
		Commands   []lookup.Command `json:"commands"`
		Notes      []string         `json:"notes"`
		Nearest    []string         `json:"nearest"`
		Confidence kb.Confidence    `json:"confidence"`
		AsOf       string           `json:"as_of"`
		Rows       []row            `json:"rows"`
		Sources    []kb.Source      `json:"sources"`
	}{
		head{KBSchema, "card", tool}, c.Subject, c.Name, c.Status, c.Title, c.Summary, fields, tables, orEmpty(c.Commands), orEmpty(c.Notes), orEmpty(c.Nearest),
		c.Confidence, c.AsOf, rows, orEmpty(c.Sources),
	})
}

// Problems writes what is wrong with a knowledge base.
func Problems(w io.Writer, tool report.Tool, list []kb.Problem) error {
	type problem struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Message string `json:"message"`
	}
	out := []problem{}
	for _, p := range list {
		out = append(out, problem{p.File, p.Line, p.Msg})
	}
	return encode(w, struct {
		head
		Problems []problem `json:"problems"`
	}{head{KBSchema, "problems", tool}, out})
}

// Diff writes the difference of two knowledge bases.
func Diff(w io.Writer, tool report.Tool, d *kb.Difference) error {
	return encode(w, struct {
		head
		*kb.Difference
	}{head{KBSchema, "diff", tool}, d})
}

// Export writes a whole knowledge base.
func Export(w io.Writer, tool report.Tool, x *kb.Export) error {
	return encode(w, struct {
		head
		*kb.Export
	}{head{KBSchema, "export", tool}, x})
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(m.name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
