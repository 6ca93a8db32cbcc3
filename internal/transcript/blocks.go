package transcript

import (
	"bytes"
	"errors"
	"io"
)

// BlockSize is how much is read at a time. One MiB keeps a block in a core's
// second-level cache beside the automaton and makes the hand-over cheap.
const BlockSize = 1 << 20

// Block is a piece of a text that ends with a line's end, or where a line is
// longer than a block, with a piece of a line.
type Block struct {
	Data  []byte
	Index int
	// Lines is the number of line ends before the block.
	Lines int
	// Continues is true where the block begins inside a line.
	Continues bool
}

// Blocks reads a text in pieces. It keeps one piece and hands out its memory: a
// block is good until it is given back.
type Blocks struct {
	// Eager hands out what there is as soon as it ends a line, for a pipe that someone writes to.
	Eager bool

	r      io.Reader
	rest   []byte // the beginning of a line that the last block did not hold to its end
	lines  int
	index  int
	inside bool
	err    error
	free   chan []byte
}

// NewBlocks reads r with a number of blocks in flight.
func NewBlocks(r io.Reader, flight int) *Blocks {
	b := &Blocks{r: r, free: make(chan []byte, flight)}
	for range flight {
		b.free <- make([]byte, BlockSize)
	}
	return b
}

// Next reads the next block. It returns io.EOF at the end; another error stands
// behind the last good block.
func (b *Blocks) Next() (Block, error) {
	if b.err != nil && len(b.rest) == 0 {
		return Block{}, b.err
	}
	buf := <-b.free
	n := copy(buf, b.rest)
	b.rest = b.rest[:0]
	for n < len(buf) && b.err == nil {
		var m int
		m, b.err = b.r.Read(buf[n:])
		n += m
		if m > 0 && b.err == nil && (b.Eager || n >= len(buf)/2) && bytes.IndexByte(buf[n-m:n], '\n') >= 0 {
			break // a pipe gives little at a time: half a block is enough
		}
	}
	if n == 0 {
		b.free <- buf
		return Block{}, b.err
	}
	end := n
	if b.err == nil || !errors.Is(b.err, io.EOF) {
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			end = i + 1
		}
	}
	b.rest = append(b.rest, buf[end:n]...)
	out := Block{Data: buf[:end], Index: b.index, Lines: b.lines, Continues: b.inside}
	b.index++
	b.lines += bytes.Count(buf[:end], []byte{'\n'})
	b.inside = buf[end-1] != '\n'
	return out, nil
}

// Return gives a block's memory back.
func (b *Blocks) Return(x Block) { b.free <- x.Data[:BlockSize] }
