package kb

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"
)

// maxFileSize bounds a knowledge base file. The largest embedded one has 200 KB.
const maxFileSize = 8 << 20

// decode reads the CSV file name into rows of T, whose columns are its `kb` struct tags; see columnsOf for what a column may be.
// It is strict and reports all problems at once: the two leading comment lines, a header that is not exactly the set of columns, cells that
// do not parse, are empty though required, or have stray blanks, and rows with the same key. Rows with a problem are left
// out of the table, which is never nil. With want, rows whose lines it does not want are left out, too.
func decode[T any](fsys fs.FS, name string, want func(line string) bool) (*Table[T], []Problem) {
	text, problem := readFile(fsys, name)
	if problem != nil {
		return &Table[T]{Name: name}, []Problem{*problem}
	}
	preamble, problems := parsePreamble(name, text)
	body := text[preamble.size:]
	rows := 0 // what is wanted is few
	if want == nil {
		rows = strings.Count(body, "\n")
	}
	table, found, ok := decodeBody[T](name, preamble, rows, &plainRecords{rest: body, want: want})
	if !ok { // something that only the full grammar of CSV can tell from a mistake
		table, found, _ = decodeBody[T](name, preamble, rows, newFullRecords(body))
	}
	return table, append(problems, found...)
}

// records are the rows of a CSV file, the header first. line counts from 1; the cells are good until the next call. ok is false
// where this reader does not understand the file.
type records interface {
	next() (cells []string, line int, err error, ok bool)
}

func decodeBody[T any](name string, preamble preamble, rows int, r records) (table *Table[T], problems []Problem, ok bool) {
	table = &Table[T]{Name: name, AsOf: preamble.asOf, Horizon: preamble.horizon}
	report := func(line int, format string, args ...any) {
		problems = append(problems, Problem{name, preamble.lines + line, fmt.Sprintf(format, args...)})
	}
	header, _, err, ok := r.next()
	if !ok {
		return table, nil, false
	}
	if err != nil {
		report(1, "reading the header row: %v", csvCause(err))
		return table, problems, true
	}
	columns, ok := matchHeader(columnsOf[T](), header, func(format string, args ...any) { report(1, format, args...) })
	if !ok {
		return table, problems, true
	}
	table.Rows = make([]T, 0, rows)
	seen := make(map[string]int, rows)
	var key []byte
	for {
		record, line, err, ok := r.next()
		switch {
		case !ok:
			return table, nil, false
		case errors.Is(err, io.EOF):
			return table, problems, true
		case err != nil:
			var parse *csv.ParseError
			if !errors.As(err, &parse) {
				return table, append(problems, Problem{name, 0, fmt.Sprintf("reading: %v", err)}), true
			}
			report(parse.Line, "%v", parse.Err)
			continue
		case len(record) != len(columns):
			report(line, "%d cells for %d columns", len(record), len(columns))
			continue
		}
		before := len(problems)
		table.Rows = append(table.Rows, *new(T))
		row := &table.Rows[len(table.Rows)-1]
		if r, ok := any(row).(lined); ok {
			r.setLine(preamble.lines + line)
		}
		v := reflect.ValueOf(row).Elem()
		for i, c := range columns {
			if msg := c.fill(v, record[i]); msg != "" {
				report(line, "column %q: %s", c.name, msg)
			}
		}
		if key = columns.key(key[:0], record); len(key) > 0 {
			if first, ok := seen[string(key)]; ok {
				report(line, "same key %q as line %d", key, first)
			} else {
				seen[string(key)] = preamble.lines + line
			}
		}
		if len(problems) != before {
			table.Rows = table.Rows[:len(table.Rows)-1]
		}
	}
}

// matchHeader orders the columns of the row type as header has them. It reports what is unknown, double or missing.
func matchHeader(want columns, header []string, report func(string, ...any)) (columns, bool) {
	ok := true
	fail := func(format string, args ...any) {
		report(format, args...)
		ok = false
	}
	got := make(columns, 0, len(header))
	used := map[string]bool{}
	for _, name := range header {
		c := want.byName(name)
		switch {
		case c == nil:
			fail("unknown column %q", name)
		case used[name]:
			fail("column %q twice", name)
		}
		used[name] = true
		got = append(got, c)
	}
	for _, c := range want {
		if !used[c.name] {
			fail("missing column %q", c.name)
		}
	}
	return got, ok
}

type preamble struct {
	asOf, horizon string
	size          int // bytes
	lines         int
}

// parsePreamble reads the comment lines at the head of a file. The two named ones are mandatory, others are for readers.
func parsePreamble(name, text string) (preamble, []Problem) {
	var p preamble
	var problems []Problem
	for {
		line, rest, ok := strings.Cut(text[p.size:], "\n")
		if !ok || !strings.HasPrefix(line, "#") {
			break
		}
		p.size = len(text) - len(rest)
		p.lines++
		key, value, _ := strings.Cut(strings.TrimSpace(line[1:]), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "as_of":
			p.asOf = value
			if _, err := time.Parse(time.DateOnly, value); err != nil {
				problems = append(problems, Problem{name, p.lines, fmt.Sprintf("want a day such as %q after as_of, not %q", time.DateOnly, value)})
			}
		case "horizon":
			p.horizon = value
		}
	}
	if p.asOf == "" {
		problems = append(problems, Problem{name, 1, `missing comment line "# as_of: YYYY-MM-DD"`})
	}
	if p.horizon == "" {
		problems = append(problems, Problem{name, 1, `missing comment line "# horizon: ..."`})
	}
	return p, problems
}

// readFile reads the file name, refusing one that is too large or not UTF-8.
func readFile(fsys fs.FS, name string) (string, *Problem) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", &Problem{name, 0, fmt.Sprintf("opening: %v", err)}
	}
	defer f.Close()
	var buf strings.Builder // which gives its text without a copy
	if info, err := f.Stat(); err == nil && info.Size() > 0 && info.Size() <= maxFileSize {
		buf.Grow(int(info.Size()))
	}
	_, err = io.CopyBuffer(&buf, io.LimitReader(f, maxFileSize+1), make([]byte, 4<<10))
	text := buf.String()
	switch {
	case err != nil:
		return "", &Problem{name, 0, fmt.Sprintf("reading: %v", err)}
	case len(text) > maxFileSize:
		return "", &Problem{name, 0, fmt.Sprintf("larger than %d bytes", maxFileSize)}
	case !utf8.ValidString(text):
		return "", &Problem{name, 0, "is not UTF-8"}
	}
	return text, nil
}

func csvCause(err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return parse.Err
	}
	return err
}
