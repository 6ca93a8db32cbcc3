package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
)

// table is a CSV file of the knowledge base as text, to be added to. Package kb reads it strictly; this only has to keep it in order.
type table struct {
	path     string
	comments []string // the lines after as_of and horizon
	header   []string
	horizon  string

	mu   sync.Mutex
	rows map[string][]string // by key
	keys int                 // how many leading columns are the key
	less func(a, b []string) int
}

// openTable reads the file at path, or starts it if there is none.
func openTable(path string, keys int, horizon string, header, comments []string, less func(a, b []string) int) (*table, error) {
	t := &table{path: path, header: header, comments: comments, horizon: horizon, rows: map[string][]string{}, keys: keys, less: less}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comment = '#'
	records, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	if len(records) == 0 || !slices.Equal(records[0], header) {
		return nil, fmt.Errorf("reading %s: its columns are not %s; remove it to start anew", path, strings.Join(header, ","))
	}
	for _, rec := range records[1:] {
		t.rows[t.key(rec)] = rec
	}
	return t, nil
}

func (t *table) key(rec []string) string { return strings.Join(rec[:t.keys], "\x00") }

func (t *table) has(key ...string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.rows[strings.Join(key, "\x00")]
	return ok
}

func (t *table) put(recs ...[]string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, rec := range recs {
		if len(rec) != len(t.header) {
			panic(fmt.Sprintf("kbgen: %d cells for %d columns of %s", len(rec), len(t.header), t.path))
		}
		t.rows[t.key(rec)] = rec
	}
}

// write replaces the file, rows in order.
func (t *table) write(today string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b bytes.Buffer
	fmt.Fprintf(&b, "# as_of: %s\n# horizon: %s\n", today, cmp.Or(t.horizon, "date "+today))
	for _, c := range t.comments {
		fmt.Fprintf(&b, "# %s\n", c)
	}
	w := csv.NewWriter(&b)
	var rows [][]string
	for _, rec := range t.rows {
		rows = append(rows, rec)
	}
	slices.SortFunc(rows, t.less)
	if err := w.WriteAll(append([][]string{t.header}, rows...)); err != nil {
		return err
	}
	part := t.path + ".part"
	if err := os.WriteFile(part, b.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(part, t.path)
}
