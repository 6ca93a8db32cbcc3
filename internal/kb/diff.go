package kb

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Difference is what two knowledge bases have not in common.
type Difference struct {
	From   string      `json:"from"` // version
	To     string      `json:"to"`
	Tables []TableDiff `json:"tables"` // only those that differ, ordered by name
}

// TableDiff is the difference of one file, a table or a file of sources.
type TableDiff struct {
	Name    string   `json:"name"`
	State   string   `json:"state"` // "changed"; "added" and "removed" for a whole file
	Head    []Cell   `json:"head"`  // as_of and horizon, where they changed
	Added   []RowRef `json:"added"`
	Removed []RowRef `json:"removed"`
	Changed []RowRef `json:"changed"`
}

// RowRef is one row. Key is the text of its key cells, in a table without key that of all.
type RowRef struct {
	Key   []string `json:"key"`
	Line  int      `json:"line"`            // in the base that has it, the second one where both do
	Cells []Cell   `json:"cells,omitempty"` // of a changed row, those that differ
	Row   *Record  `json:"row,omitempty"`   // of a row that is in one base alone
}

// Cell is a value before and after.
type Cell struct {
	Column string `json:"column"`
	From   string `json:"from"`
	To     string `json:"to"`
}

// Same reports whether there is no difference. Versions alone make none: they are the day of the edition.
func (d *Difference) Same() bool { return len(d.Tables) == 0 }

// Diff compares two knowledge bases file by file, rows by their key. It wants files of the right form, not bases that this program could use,
// so that editions with other tables or columns can be compared too.
func Diff(from, to *Base) (*Difference, error) {
	d := &Difference{From: from.Version(), To: to.Version(), Tables: []TableDiff{}}
	old, err := from.tableFiles()
	if err != nil {
		return nil, err
	}
	new, err := to.tableFiles()
	if err != nil {
		return nil, err
	}
	all := slices.Concat(old, new)
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		t, err := diffTable(from, to, name, slices.Contains(old, name), slices.Contains(new, name))
		if err != nil {
			return nil, err
		}
		if t.State != "changed" || t.Head != nil || len(t.Added)+len(t.Removed)+len(t.Changed) > 0 {
			t.Head = append([]Cell{}, t.Head...)
			d.Tables = append(d.Tables, t)
		}
	}
	return d, nil
}

func (b *Base) tableFiles() (names []string, err error) {
	err = fs.WalkDir(b.fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && slices.Contains([]string{".csv", ".yaml"}, path.Ext(name)) {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

func diffTable(from, to *Base, name string, inOld, inNew bool) (TableDiff, error) {
	t := TableDiff{Name: name, State: "changed", Added: []RowRef{}, Removed: []RowRef{}, Changed: []RowRef{}}
	read := func(b *Base, there bool) (*cells, error) {
		if !there {
			return &cells{}, nil
		}
		c, err := readCells(b.fsys, name, rowTypeOf(name))
		if err != nil {
			return nil, fmt.Errorf("reading %s of knowledge base %s: %w", name, cmp.Or(b.dir, "embedded"), err)
		}
		return c, nil
	}
	old, err := read(from, inOld)
	if err != nil {
		return t, err
	}
	new, err := read(to, inNew)
	if err != nil {
		return t, err
	}
	switch {
	case !inOld:
		t.State = "added"
	case !inNew:
		t.State = "removed"
	default:
		for _, c := range []Cell{{"as_of", old.asOf, new.asOf}, {"horizon", old.horizon, new.horizon}} {
			if c.From != c.To {
				t.Head = append(t.Head, c)
			}
		}
	}
	t.compare(old, new)
	return t, nil
}

// compare pairs the rows by key. Rows of one key are paired in their order; there is more than one only in a table that has no key or breaks it.
func (t *TableDiff) compare(old, new *cells) {
	waiting := map[string][]*Record{}
	for i := range old.rows {
		key := strings.Join(old.keyOf(old.rows[i]), "\x00")
		waiting[key] = append(waiting[key], &old.rows[i])
	}
	for i := range new.rows {
		r := &new.rows[i]
		key := new.keyOf(*r)
		pair := waiting[strings.Join(key, "\x00")]
		if len(pair) == 0 {
			t.Added = append(t.Added, RowRef{Key: key, Line: r.Line, Row: r})
			continue
		}
		waiting[strings.Join(key, "\x00")] = pair[1:]
		if changes := changed(*pair[0], *r); changes != nil {
			t.Changed = append(t.Changed, RowRef{Key: key, Line: r.Line, Cells: changes})
		}
	}
	for i := range old.rows { // in the order of the file
		r := &old.rows[i]
		key := old.keyOf(*r)
		if slices.Contains(waiting[strings.Join(key, "\x00")], r) {
			t.Removed = append(t.Removed, RowRef{Key: key, Line: r.Line, Row: r})
		}
	}
}

// keyOf returns the key cells of r, all of them where there is no key.
func (c *cells) keyOf(r Record) []string {
	var key []string
	for i := range r.values {
		if c.key == nil || slices.Contains(c.key, i) {
			key = append(key, r.Text(i))
		}
	}
	return key
}

// changed are the cells in which two rows differ, a column that one of them lacks counting as empty.
func changed(old, new Record) (list []Cell) {
	for i, column := range new.columns {
		before := ""
		if j := slices.Index(old.columns, column); j >= 0 {
			before = old.Text(j)
		}
		if after := new.Text(i); after != before {
			list = append(list, Cell{column, before, after})
		}
	}
	for j, column := range old.columns {
		if before := old.Text(j); before != "" && !slices.Contains(new.columns, column) {
			list = append(list, Cell{column, before, ""})
		}
	}
	return list
}
