package kb

// part is a table of b with the rows alone whose text in the file has a word, whatever the case of its ASCII letters. A word of the
// value that is asked for leaves a few of thousands of rows to decode, which is most of what a question costs a short-lived command.
func (f *file[T]) part(b *Base, word string) *Table[T] {
	if _, ok := b.memo.Load(f); ok { // decoded already
		return f.in(b)
	}
	return once(b, partOf[T]{f, word}, func() *Table[T] {
		table, _ := f.decode(b.fsys, f.name, func(record string) bool { return containsFold(record, word) })
		return table
	})
}

type partOf[T any] struct {
	file *file[T]
	word string
}
