package kb

import (
	"strings"
	"sync/atomic"
)

// holding is a table of b with the rows alone whose text in the file has a word, whatever the case of its ASCII letters. A word of the
// value that is asked for leaves a few of thousands of rows to decode, which is most of what a question costs a short-lived command.
func (f *file[T]) holding(b *Base, word string) *Table[T] {
	word = strings.ToLower(word)
	return f.part(b, word, func(record string) bool { return containsFold(record, word) })
}

// beginning is holding for a word that is the first cell of a row, in exactly these letters.
func (f *file[T]) beginning(b *Base, word string) *Table[T] {
	return f.part(b, word, func(record string) bool {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(record, `"`), word)
		return ok && rest != "" && (rest[0] == ',' || rest[0] == '"')
	})
}

// part is a table of b with the rows alone that are wanted for a word.
func (f *file[T]) part(b *Base, word string, want func(record string) bool) *Table[T] {
	if _, ok := b.memo.Load(f); ok { // decoded already
		return f.in(b)
	}
	if parts := once(b, partsOf[T]{f}, func() *atomic.Int32 { return new(atomic.Int32) }); parts.Load() >= maxParts {
		return f.in(b)
	} else if _, ok := b.memo.Load(partOf[T]{f, word}); !ok {
		parts.Add(1)
	}
	return once(b, partOf[T]{f, word}, func() *Table[T] {
		table, _ := f.decode(b.fsys, f.name, want)
		return table
	})
}

// maxParts is from where on the whole table costs less than one more part of it.
const maxParts = 12

// partOf and partsOf are what a base remembers of a file by: a part, and how many there are.
type (
	partOf[T any] struct {
		file *file[T]
		word string
	}
	partsOf[T any] struct{ file *file[T] }
)
