package kb

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// cells is a table as its file has it, without a row type: what can be said of a table that this program does not know.
type cells struct {
	preamble
	columns []string
	key     []int // indexes of columns; nil: the whole row
	rows    []Record
}

// Record is one row of a table by its columns, in the order of the file.
type Record struct {
	Line    int
	columns []string
	values  []any
}

// MarshalJSON returns an object with the columns in order.
func (r Record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range r.columns {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := appendJSON(&b, name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := appendJSON(&b, r.values[i]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// appendJSON writes v without the escapes that only a web page needs.
func appendJSON(b *bytes.Buffer, v any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the final newline
	return nil
}

// Text is the value of column i for a person: what the cell of a CSV file holds.
func (r Record) Text(i int) string {
	switch v := r.values[i].(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case int:
		return strconv.Itoa(v)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = Record{values: []any{v[i]}}.Text(0)
		}
		if len(v) > 0 {
			if _, nested := v[0].(Record); nested {
				return strings.Join(parts, "; ")
			}
		}
		return strings.Join(parts, ";")
	}
	return fmt.Sprint(r.values[i])
}

// String is a record within a record: "package: cudnn, versions: <9.10.1".
func (r Record) String() string {
	parts := make([]string, len(r.values))
	for i := range parts {
		parts[i] = r.columns[i] + ": " + r.Text(i)
	}
	return strings.Join(parts, ", ")
}

// readCells reads the file name of any table. t is the row type where the table is known, else nil: then every value is a text, and
// the whole row its key.
func readCells(fsys fs.FS, name string, t reflect.Type) (*cells, error) {
	text, problem := readFile(fsys, name)
	if problem != nil {
		return nil, problem
	}
	p, problems := parsePreamble(name, text)
	if problems != nil {
		return nil, problems[0]
	}
	c := &cells{preamble: p}
	if path.Ext(name) == ".csv" {
		return c, c.readCSV(name, text[p.size:], t)
	}
	return c, c.readYAML(name, text, t)
}

func (c *cells) readCSV(name, text string, t reflect.Type) error {
	r := csv.NewReader(strings.NewReader(text))
	var err error
	if c.columns, err = r.Read(); err != nil {
		return fmt.Errorf("reading the header row of %s: %w", name, err)
	}
	types := make([]reflect.Type, len(c.columns))
	if t != nil {
		known := appendColumns(nil, t, nil)
		for i, name := range c.columns {
			if column := known.byName(name); column != nil {
				types[i] = t.FieldByIndex(column.index).Type
				if column.key {
					c.key = append(c.key, i)
				}
			}
		}
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		line, _ := r.FieldPos(0)
		row := Record{Line: c.lines + line, columns: c.columns, values: make([]any, len(record))}
		for i, cell := range record {
			row.values[i] = cellValue(cell, types[i])
		}
		c.rows = append(c.rows, row)
	}
}

// cellValue is a cell as JSON has it: nil for an empty one; whole numbers, yes or no, and lists in their own form, everything else,
// versions too, as text. The targets of a build are a list that may be known to be empty.
func cellValue(cell string, t reflect.Type) any {
	switch {
	case cell == "":
		return nil
	case t == nil:
		return cell
	case t == reflect.TypeFor[Targets]() && cell == "none":
		return []any{}
	case t == reflect.TypeFor[Targets]():
		return cellValue(cell, reflect.TypeFor[[]string]())
	case t == reflect.TypeFor[MeasuredCodes](), t == reflect.TypeFor[Pins](): // lists that are read late
		return cellValue(cell, reflect.TypeFor[[]string]())
	case t.Kind() == reflect.Slice:
		list := []any{}
		for part := range strings.SplitSeq(cell, ";") {
			list = append(list, cellValue(strings.TrimSpace(part), t.Elem()))
		}
		return list
	case isText(t):
		return cell
	case t.Kind() == reflect.Int:
		if n, err := strconv.Atoi(cell); err == nil {
			return n
		}
	case t.Kind() == reflect.Bool:
		return cell == "yes"
	}
	return cell
}

func isText(t reflect.Type) bool {
	return t.Kind() == reflect.String || reflect.PointerTo(t).Implements(textUnmarshaler)
}

// readYAML reads a list of records. Columns are the fields of the row type in its order, or all that some record has.
func (c *cells) readYAML(name, text string, t reflect.Type) error {
	list, problems := unmarshalYAML[yaml.Node](name, text, nil)
	if problems != nil {
		return problems[0]
	}
	if t != nil {
		c.columns = yamlFields(t)
	}
	for _, record := range list {
		for i := 0; i+1 < len(record.value.Content); i += 2 {
			if name := record.value.Content[i].Value; !slices.Contains(c.columns, name) {
				c.columns = append(c.columns, name)
			}
		}
	}
	if i := slices.Index(c.columns, "id"); i >= 0 {
		c.key = []int{i}
	}
	for _, record := range list {
		row := Record{Line: record.line, columns: c.columns, values: make([]any, len(c.columns))}
		for i := 0; i+1 < len(record.value.Content); i += 2 {
			at := slices.Index(c.columns, record.value.Content[i].Value)
			row.values[at] = nodeValue(record.value.Content[i+1], yamlField(t, c.columns[at]), 0)
		}
		c.rows = append(c.rows, row)
	}
	return nil
}

// maxDepth bounds how deep records are nested. The deepest field is when.with[].package.
const maxDepth = 8

// nodeValue is cellValue for a field of a record.
func nodeValue(n *yaml.Node, t reflect.Type, depth int) any {
	if depth > maxDepth {
		return nil
	}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch n.Kind {
	case yaml.SequenceNode:
		list := []any{}
		var elem reflect.Type
		if t != nil && t.Kind() == reflect.Slice {
			elem = t.Elem()
		}
		for _, e := range n.Content {
			list = append(list, nodeValue(e, elem, depth+1))
		}
		return list
	case yaml.MappingNode:
		var r Record
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			r.columns = append(r.columns, name)
			r.values = append(r.values, nodeValue(n.Content[i+1], yamlField(t, name), depth+1))
		}
		return r
	case yaml.ScalarNode:
		if t != nil && t.Kind() == reflect.Bool {
			return n.Value == "true"
		}
		return cellValue(n.Value, t)
	}
	return nil // an alias
}

// yamlFields are the names of the fields of t. Those of an inlined struct, src and confidence, come last, as in a CSV file.
func yamlFields(t reflect.Type) []string {
	var names, inlined []string
	for i := range t.NumField() {
		f := t.Field(i)
		switch name, option, _ := strings.Cut(f.Tag.Get("yaml"), ","); {
		case option == "inline":
			inlined = append(inlined, yamlFields(f.Type)...)
		case name != "" && name != "-":
			names = append(names, name)
		}
	}
	return append(names, inlined...)
}

// yamlField is the type of the field name of t, nil where that is not known.
func yamlField(t reflect.Type, name string) reflect.Type {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		switch tag, option, _ := strings.Cut(f.Tag.Get("yaml"), ","); {
		case option == "inline":
			if inner := yamlField(f.Type, name); inner != nil {
				return inner
			}
		case tag == name:
			return f.Type
		}
	}
	return nil
}
