package kb

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// Base is one knowledge base: the embedded one, or one opened from a directory of the same shape. Tables are decoded on
// the first question that needs them and kept. A Base is safe for concurrent use.
type Base struct {
	fsys fs.FS
	dir  string // see Dir
	// memo holds decoded tables and the indexes built from them, by definition (*file, *index), as func() any.
	memo sync.Map
}

//go:embed data
var embedded embed.FS

var defaultBase = sync.OnceValue(func() *Base {
	fsys, err := fs.Sub(embedded, "data")
	if err != nil { // only for an invalid path, which "data" is not
		fsys = embedded
	}
	return &Base{fsys: fsys}
})

// Default returns the embedded knowledge base. It decodes nothing yet and has no errors to report: a test runs [Base.Lint] over the
// embedded files, so that a broken one cannot be released.
func Default() *Base { return defaultBase() }

// Open returns the knowledge base in fsys, which has the shape of this package's data directory. All of it is checked
// now, since nobody tested it before: the error is a [*BrokenError] with every [Problem].
func Open(fsys fs.FS) (*Base, error) {
	b := &Base{fsys: fsys}
	if problems := b.Lint(); problems != nil {
		return nil, &BrokenError{Problems: problems}
	}
	return b, nil
}

// BrokenError says that a knowledge base cannot be used.
type BrokenError struct {
	Dir      string // "" where it is not a directory
	Problems []Problem
}

// maxShown is how many problems a message names: the rest is most often the same mistake again.
const maxShown = 20

func (e *BrokenError) Error() string {
	var b strings.Builder
	b.WriteString("opening knowledge base")
	if e.Dir != "" {
		fmt.Fprintf(&b, " %q", e.Dir)
	}
	b.WriteByte(':')
	for i, p := range e.Problems {
		if i == maxShown {
			fmt.Fprintf(&b, "\n  and %d more problems, %d in all", len(e.Problems)-i, len(e.Problems))
			break
		}
		b.WriteString("\n  " + p.Error())
	}
	return b.String()
}

const (
	versionFile   = "VERSION"
	versionLayout = "2006.01.02"
)

// Version returns the version of the knowledge base, a date such as "2026.11.30", or "" if it has none.
func (b *Base) Version() string {
	text, err := fs.ReadFile(b.fsys, versionFile)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// Problem is one defect of a knowledge base file. Line is 0 when the problem is the whole file.
type Problem struct {
	File string
	Line int
	Msg  string
}

func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Msg
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Msg)
}

// Lint decodes every file and returns everything that is wrong with them, in order of file and line: what the strict
// decoder found, sources that do not exist, each table's own checks, and files that belong to no table.
func (b *Base) Lint() []Problem {
	var problems []Problem
	if _, err := time.Parse(versionLayout, b.Version()); err != nil {
		problems = append(problems, Problem{versionFile, 0, fmt.Sprintf("want a version such as %q, not %q", versionLayout, b.Version())})
	}
	known := map[string]bool{versionFile: true}
	for _, f := range files {
		known[f.path()] = true
		problems = append(problems, f.lint(b)...)
	}
	sources := sourcesIndex.in(b)
	problems = append(problems, sources.problems...)
	err := fs.WalkDir(b.fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			problems = append(problems, Problem{name, 0, err.Error()})
		case !d.IsDir() && !known[name] && path.Base(name) != sourcesFile:
			problems = append(problems, Problem{name, 0, "belongs to no table"})
		}
		return nil
	})
	if err != nil {
		problems = append(problems, Problem{".", 0, err.Error()})
	}
	slices.SortStableFunc(problems, func(p, q Problem) int {
		if c := strings.Compare(p.File, q.File); c != 0 {
			return c
		}
		return p.Line - q.Line
	})
	return problems
}

// files are all tables of the knowledge base, registered by the variables that csvFile and yamlFile make.
var files []linter

type linter interface {
	path() string
	lint(*Base) []Problem
	info(*Base) TableInfo
	coverage(*Base) Coverage
	rowType() reflect.Type
}

// file defines one table: where it is, how to decode it and what must hold in it beyond its column types.
type file[T any] struct {
	name   string
	decode func(fsys fs.FS, name string, want func(record string) bool) (*Table[T], []Problem)
	checks []func(*Base, *Table[T]) []Problem
}

// csvFile defines and registers the table in the CSV file name, a path below data.
func csvFile[T any](name string, checks ...func(*Base, *Table[T]) []Problem) *file[T] {
	f := &file[T]{name, decode[T], checks}
	files = append(files, f)
	return f
}

// yamlFile defines and registers the table in the YAML file name, a path below data.
func yamlFile[T any](name string, checks ...func(*Base, *Table[T]) []Problem) *file[T] {
	f := &file[T]{name, decodeYAML[T], checks}
	files = append(files, f)
	return f
}

type decoded[T any] struct {
	table    *Table[T]
	problems []Problem
}

func (f *file[T]) load(b *Base) decoded[T] {
	return once(b, f, func() decoded[T] {
		table, problems := f.decode(b.fsys, f.name, nil)
		return decoded[T]{table, problems}
	})
}

// in returns the table of b, decoding it on first use. Rows with problems are left out; see [Base.Lint].
func (f *file[T]) in(b *Base) *Table[T] { return f.load(b).table }

func (f *file[T]) path() string { return f.name }

func (f *file[T]) lint(b *Base) []Problem {
	d := f.load(b)
	problems := slices.Clone(d.problems)
	sources := sourcesIndex.in(b)
	for i := range d.table.Rows {
		row := rowOf(&d.table.Rows[i])
		for _, id := range row.Src {
			if _, ok := sources.byID[id]; !ok {
				problems = append(problems, Problem{f.name, row.Line, fmt.Sprintf("unknown source %q", id)})
			}
		}
	}
	for _, check := range f.checks {
		problems = append(problems, check(b, d.table)...)
	}
	return problems
}

// index defines a lookup structure built from tables on first use.
type index[V any] struct{ build func(*Base) V }

func (i *index[V]) in(b *Base) V { return once(b, i, func() V { return i.build(b) }) }

// once builds the value of key on the first call for b and returns the same one ever after.
func once[V any](b *Base, key any, build func() V) V {
	f, ok := b.memo.Load(key)
	if !ok {
		f, _ = b.memo.LoadOrStore(key, sync.OnceValue(func() any { return build() }))
	}
	return f.(func() any)().(V)
}
