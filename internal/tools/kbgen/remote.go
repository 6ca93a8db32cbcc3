package main

import (
	"context"
	"fmt"
	"io"
	"sync"
)

// blockSize of a remote file is what one request reads. The directory of most wheels and their METADATA lie in the last block.
const blockSize = 256 << 10

// remote is a file of the index as an io.ReaderAt, read by ranges and kept in blocks, so that METADATA is read without the wheel.
type remote struct {
	ctx  context.Context
	ix   *index
	file file

	mu     sync.Mutex
	blocks map[int64][]byte
}

func (r *remote) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for n < len(p) && off < r.file.Size {
		block, err := r.block(off / blockSize)
		if err != nil {
			return n, err
		}
		c := copy(p[n:], block[off%blockSize:])
		n, off = n+c, off+int64(c)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (r *remote) block(i int64) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if b, ok := r.blocks[i]; ok {
		return b, nil
	}
	first := i * blockSize
	last := min(first+blockSize, r.file.Size) - 1
	b, err := r.ix.get(r.ctx, r.file.URL, fmt.Sprintf("bytes=%d-%d", first, last))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) != last-first+1 {
		return nil, fmt.Errorf("bytes %d-%d of %s: got %d bytes", first, last, r.file.Name, len(b))
	}
	if r.blocks == nil {
		r.blocks = map[int64][]byte{}
	}
	r.blocks[i] = b
	return b, nil
}
