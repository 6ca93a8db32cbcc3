package lookup

import (
	"fmt"
	"reflect"
	"slices"

	"strata/internal/kb"
)

// Card is what the knowledge base says about one thing: one driver, one GPU, one release of a framework. Renderers draw it and decide nothing.
type Card struct {
	Subject string // "driver"
	Name    string // as asked for: "535"
	Status  Status
	Title   string
	Summary string // one sentence, or ""
	Fields  []Field
	Tables  []*Table
	// Commands install it, as its makers say.
	Commands []Command
	Notes    []string
	// Nearest are names that are known, where this one is beyond the horizon.
	Nearest []string
	// Rows are those that the card rests on, each once. Confidence is the lowest of theirs, AsOf the oldest day of their tables.
	Rows       []kb.Ref
	Confidence kb.Confidence
	AsOf       string
	Sources    []kb.Source // each once
}

// Status says whether there is an answer.
type Status string

// Beyond is the status of what is newer than the horizon of the table that would know it.
const (
	Known  Status = "known"
	Beyond Status = "beyond"
)

// Field is one fact. Name and Value are for programs and stay, Label and Text are for people. Value is a string, an int, a bool or a []string; nil
// where Text says that there is none. Without Text people read the value, without Label nothing.
type Field struct {
	Name, Label string
	Value       any
	Text        string
}

// Table is a small table. A cell is a string, an int, a bool, a []string, or nil where nothing is known.
type Table struct {
	Name    string // for programs
	Title   string
	Columns []Column
	Rows    [][]any
	// Omitted is how many rows were left out, because there are too many to be read.
	Omitted int
}

// Column is a column of a table.
type Column struct{ Name, Label string }

// Command is a command line to be copied.
type Command struct {
	For     string   `json:"for"`     // pip, conda, docker, …
	Variant string   `json:"variant"` // cu126, or ""
	OS      []string `json:"os"`
	Run     string   `json:"run"`
	Check   string   `json:"check"` // tells afterwards whether the GPU is used; "" where there is no such command
	Note    string   `json:"note"`
}

// Text is a value for a person; "" for nil.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []string:
		text := ""
		for i, s := range v {
			if i > 0 {
				text += " "
			}
			text += s
		}
		if text == "" {
			return "none"
		}
		return text
	}
	return fmt.Sprint(v)
}

// plain turns a value of the tables into one of a card: versions and words into text, lists of them into lists of text, nothing into nil.
func plain(v any) any {
	switch v := v.(type) {
	case nil, bool, int:
		return v
	case kb.Targets:
		return targets(v)
	case []string:
		if v == nil {
			return nil
		}
		return v
	case fmt.Stringer:
		return textOrNil(v.String())
	}
	rv := reflect.ValueOf(v)
	switch rv.Kind() {
	case reflect.String:
		return textOrNil(rv.String())
	case reflect.Slice:
		if rv.Len() == 0 {
			return nil
		}
		list := make([]string, rv.Len())
		for i := range list {
			list[i] = Text(plain(rv.Index(i).Interface()))
		}
		return list
	}
	return fmt.Sprint(v)
}

// number is a count of the tables, in which 0 means that nothing is known.
func number(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func textOrNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// targets are the names of compilation targets; nil where nobody looked, and an empty list where there are none.
func targets(t kb.Targets) any {
	if !t.Known {
		return nil
	}
	list := []string{}
	for _, cc := range t.List {
		list = append(list, cc.SM())
	}
	return list
}

// ptx are the names of virtual architectures, as targets.
func ptx(t kb.Targets) any {
	if !t.Known {
		return nil
	}
	list := []string{}
	for _, cc := range t.List {
		list = append(list, "compute_"+cc.SM()[len("sm_"):])
	}
	return list
}

// field adds a fact, unless it is empty.
func (b *builder) field(name, label string, value any) {
	if value = plain(value); value != nil {
		b.Fields = append(b.Fields, Field{Name: name, Label: label, Value: value})
	}
}

// say adds a fact that people read in other words than programs. Text alone is a fact, too: that there is none.
func (b *builder) say(name, label string, value any, text string) {
	if value = plain(value); value != nil || text != "" {
		b.Fields = append(b.Fields, Field{name, label, value, text})
	}
}

// dated adds a version and the day it came.
func (b *builder) dated(name, label string, v fmt.Stringer, day string) {
	if v.String() == "" {
		return
	}
	text := v.String()
	if day != "" {
		text += " (" + day + ")"
	}
	b.say(name, label, v, text)
	b.field(name+"_date", "", day)
}

// branch adds a driver branch by its number; text is for one that there is not.
func (b *builder) branch(name, label string, n int, none string) {
	if n == 0 {
		b.say(name, label, nil, none)
		return
	}
	b.say(name, label, n, branchName(n))
}

// note adds a sentence, once.
func (b *builder) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if text != "" && !slices.Contains(b.Notes, text) {
		b.Notes = append(b.Notes, text)
	}
}

// table starts a table; columns are pairs of name and label.
func (b *builder) table(name, title string, columns ...string) *Table {
	t := &Table{Name: name, Title: title, Rows: [][]any{}}
	for i := 0; i+1 < len(columns); i += 2 {
		t.Columns = append(t.Columns, Column{columns[i], columns[i+1]})
	}
	b.Card.Tables = append(b.Card.Tables, t)
	return t
}

func (t *Table) row(cells ...any) {
	for i := range cells {
		cells[i] = plain(cells[i])
	}
	t.Rows = append(t.Rows, cells)
}

// maxRows is how many rows a table of matches shows. Somebody who searches for "RTX" wants to be told to say more.
const maxRows = 40

// crop leaves out what is too much.
func (t *Table) crop() {
	if len(t.Rows) > maxRows {
		t.Omitted = len(t.Rows) - maxRows
		t.Rows = t.Rows[:maxRows]
	}
}

// dropEmpty takes columns away that no row has anything in, and the table where nothing is left.
func (b *builder) dropEmpty() {
	for _, t := range b.Card.Tables {
		for c := len(t.Columns) - 1; c >= 0; c-- {
			if slices.ContainsFunc(t.Rows, func(r []any) bool { return r[c] != nil }) {
				continue
			}
			t.Columns = slices.Delete(t.Columns, c, c+1)
			for r := range t.Rows {
				t.Rows[r] = slices.Delete(t.Rows[r], c, c+1)
			}
		}
	}
	b.Card.Tables = slices.DeleteFunc(b.Card.Tables, func(t *Table) bool { return len(t.Rows) == 0 || len(t.Columns) == 0 })
}

// cite makes the card rest on rows.
func (b *builder) cite(refs ...kb.Ref) {
	for _, ref := range refs {
		if ref.Line == 0 || slices.ContainsFunc(b.Rows, func(o kb.Ref) bool { return o.Table == ref.Table && o.Line == ref.Line }) {
			continue
		}
		b.Rows = append(b.Rows, ref)
		if b.AsOf == "" || ref.AsOf < b.AsOf {
			b.AsOf = ref.AsOf
		}
		if rank(ref.Confidence) < rank(b.Confidence) || b.Confidence == "" {
			b.Confidence = ref.Confidence
		}
		for _, s := range ref.Sources {
			if !slices.ContainsFunc(b.Card.Sources, func(o kb.Source) bool { return o.ID == s.ID }) {
				b.Card.Sources = append(b.Card.Sources, s)
			}
		}
	}
}

func rank(c kb.Confidence) int { return slices.Index([]kb.Confidence{kb.Low, kb.Medium, kb.High}, c) }

// take cites the row of an answer and returns its value. What is beyond the horizon becomes a note, so that a missing fact is not taken for
// "there is none".
func take[T any](b *builder, what string, a kb.Answer[T]) (T, bool) {
	if a.Known {
		b.cite(a.Ref)
	} else if a.Beyond {
		b.note("%s: not known, since %s", what, a.Why)
	}
	return a.Value, a.Known
}
