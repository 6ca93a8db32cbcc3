package kb

import "fmt"

// Answer is what the knowledge base says to one question. It has three shapes:
//
//   - Known: Value is the answer and Ref the row it stands in;
//   - Beyond: the question is about something newer than the table's horizon, so that no row may be applied to it;
//   - neither: the table reaches that far but has no such row.
//
// In the last two shapes Value is the zero value and Why says what was asked for and not found.
type Answer[T any] struct {
	Value  T
	Known  bool
	Beyond bool
	Why    string
	Ref    Ref
}

// Ref cites the row that an answer rests on. For an answer that is not Known, Line is 0 and there are no Sources.
type Ref struct {
	Table      string // path below data
	Line       int
	AsOf       string // YYYY-MM-DD
	Confidence Confidence
	Sources    []Source
}

func (r Ref) String() string {
	if r.Line == 0 {
		return fmt.Sprintf("%s (as of %s)", r.Table, r.AsOf)
	}
	return fmt.Sprintf("%s:%d (as of %s)", r.Table, r.Line, r.AsOf)
}

// found answers with value, citing row of t.
func found[T, R any](b *Base, t *Table[R], row Row, value T) Answer[T] {
	return Answer[T]{Value: value, Known: true, Ref: refTo(b, t, row)}
}

// notFound answers that t has no such row.
func notFound[T, R any](t *Table[R], format string, args ...any) Answer[T] {
	return Answer[T]{Why: fmt.Sprintf(format, args...), Ref: Ref{Table: t.Name, AsOf: t.AsOf}}
}

// beyond answers that the question is about something newer than t knows.
func beyond[T, R any](t *Table[R], asked string) Answer[T] {
	why := fmt.Sprintf("%s is newer than what is known: %s as of %s", asked, t.Horizon, t.AsOf)
	return Answer[T]{Beyond: true, Why: why, Ref: Ref{Table: t.Name, AsOf: t.AsOf}}
}

// refTo cites row of t.
func refTo[R any](b *Base, t *Table[R], row Row) Ref {
	ref := Ref{Table: t.Name, Line: row.Line, AsOf: t.AsOf, Confidence: row.Confidence}
	byID := sourcesIndex.in(b).byID
	for _, id := range row.Src {
		if source, ok := byID[id]; ok {
			ref.Sources = append(ref.Sources, source)
		}
	}
	return ref
}
