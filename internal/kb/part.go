package kb

import (
	"strings"
	"sync/atomic"
)

// part is a table of b with the rows alone whose text in the file has a word, whatever the case of its ASCII letters. A word of the
// value that is asked for leaves a few of thousands of rows to decode, which is most of what a question costs a short-lived command.
func (f *file[T]) part(b *Base, word string) *Table[T] {
	if _, ok := b.memo.Load(f); ok { // decoded already
		return f.in(b)
	}
	word = strings.ToLower(word)
	if parts := once(b, partsOf[T]{f}, func() *atomic.Int32 { return new(atomic.Int32) }); parts.Load() >= maxParts {
		return f.in(b)
	} else if _, ok := b.memo.Load(partOf[T]{f, word}); !ok {
		parts.Add(1)
	}
	return once(b, partOf[T]{f, word}, func() *Table[T] {
		table, _ := f.decode(b.fsys, f.name, func(record string) bool { return containsFold(record, word) })
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
