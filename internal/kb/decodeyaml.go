package kb

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// decodeYAML reads the YAML file name, a list of records, into rows of T by its `yaml` struct tags. T embeds Row as
//
//	Row `yaml:",inline"`
//
// It is as strict as decode about the leading comment lines, unknown fields, src and confidence. What else is required is for
// the table's checks. With want, records whose text it does not want are left out.
func decodeYAML[T any](fsys fs.FS, name string, want func(record string) bool) (*Table[T], []Problem) {
	table := &Table[T]{Name: name}
	text, problem := readFile(fsys, name)
	if problem != nil {
		return table, []Problem{*problem}
	}
	preamble, problems := parsePreamble(name, text)
	table.AsOf, table.Horizon = preamble.asOf, preamble.horizon

	list, more := unmarshalYAML[T](name, text, want)
	problems = append(problems, more...)
	for _, rec := range list {
		row := rec.value
		if r, ok := any(&row).(rower); ok {
			r := r.embedded()
			r.Line = rec.line
			if len(r.Src) == 0 {
				problems = append(problems, Problem{name, r.Line, `field "src" is empty`})
			}
			if r.Confidence == "" {
				problems = append(problems, Problem{name, r.Line, `field "confidence" is empty`})
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return table, problems
}

type yamlRecord[T any] struct {
	line  int
	value T
}

// unmarshalYAML decodes text, a block list whose records start with "- " in the first column. Each record is decoded by itself, so
// that a mistake in one hides none in the next, and nothing refers from one record to another. Records with a mistake are left out.
func unmarshalYAML[T any](name, text string, want func(record string) bool) (list []yamlRecord[T], problems []Problem) {
	record := ""        // a part of text
	start, line := 0, 0 // line is 0-based; start is that of record
	flush := func() {
		if record == "" || want != nil && !want(record) {
			return
		}
		if record[0] != '-' {
			problems = append(problems, Problem{name, start + 1, `want a list whose records start with "- "`})
		} else if value, err := unmarshalRecord[T](record); err != nil {
			for _, msg := range yamlMessages(err) {
				problems = append(problems, locate(name, start, msg))
			}
		} else {
			list = append(list, yamlRecord[T]{start + 1, value})
		}
	}
	at := 0
	for l := range strings.Lines(text) {
		at += len(l)
		switch {
		case record != "" && !strings.HasPrefix(l, "- "):
			record = text[at-len(l)-len(record) : at]
		case record == "" && (l[0] == '#' || strings.TrimSpace(l) == ""):
			// a comment before the first record
		default:
			flush()
			record, start = l, line
		}
		line++
	}
	flush()
	return list, problems
}

// unmarshalRecord decodes a list of one record.
func unmarshalRecord[T any](text string) (T, error) {
	var list []T
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&list); err != nil {
		return *new(T), err
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return *new(T), errors.New("more than one document")
	}
	if len(list) != 1 {
		return *new(T), fmt.Errorf("%d records where one starts", len(list))
	}
	return list[0], nil
}

func yamlMessages(err error) []string {
	var typeErr *yaml.TypeError
	if errors.As(err, &typeErr) {
		return typeErr.Errors
	}
	return []string{err.Error()}
}

// yamlLine is how the YAML package starts most of its messages.
var yamlLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)

// locate turns a message about a record into a problem of the file in which the record starts after start lines.
func locate(name string, start int, msg string) Problem {
	if m := yamlLine.FindStringSubmatch(msg); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return Problem{name, start + n, msg[len(m[0]):]}
		}
	}
	return Problem{name, start + 1, msg}
}
