package kb

import (
	"fmt"
	"path"
	"reflect"
	"slices"
)

// Export is a whole knowledge base as data: every table with its rows under the names of their columns, and every source.
type Export struct {
	Version string        `json:"version"`
	Tables  []ExportTable `json:"tables"` // ordered by name
	Sources []Source      `json:"sources"`
}

// ExportTable is one table. Key are the columns that tell its rows apart; it is empty where only whole rows do.
type ExportTable struct {
	TableInfo
	Columns []string `json:"columns"`
	Key     []string `json:"key"`
	Rows    []Record `json:"rows"` // in place of the count
}

// Export returns all of b. The same files give the same value, in the same order.
func (b *Base) Export() (*Export, error) {
	x := &Export{Version: b.Version(), Tables: []ExportTable{}, Sources: b.Sources()}
	for _, info := range b.Tables() {
		t, err := b.ExportTable(info.Name)
		if err != nil {
			return nil, err
		}
		x.Tables = append(x.Tables, *t)
	}
	return x, nil
}

// ExportTable returns one table by its name.
func (b *Base) ExportTable(name string) (*ExportTable, error) {
	i := slices.IndexFunc(files, func(l linter) bool { return l.path() == name })
	if i < 0 {
		return nil, fmt.Errorf("exporting %q: there is no such table", name)
	}
	c, err := readCells(b.fsys, name, files[i].rowType())
	if err != nil {
		return nil, fmt.Errorf("exporting %s: %w", name, err)
	}
	t := &ExportTable{TableInfo: files[i].info(b), Columns: c.columns, Key: []string{}, Rows: c.rows}
	for _, i := range c.key {
		t.Key = append(t.Key, c.columns[i])
	}
	if t.Rows == nil {
		t.Rows = []Record{}
	}
	return t, nil
}

// rowTypeOf is the row type of the table name, nil for a file that this program does not know.
func rowTypeOf(name string) reflect.Type {
	if i := slices.IndexFunc(files, func(l linter) bool { return l.path() == name }); i >= 0 {
		return files[i].rowType()
	}
	if path.Base(name) == sourcesFile {
		return reflect.TypeFor[Source]()
	}
	return nil
}
