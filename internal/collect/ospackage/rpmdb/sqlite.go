package rpmdb

import (
	"bytes"
	"strings"
)

// The table b-trees of https://www.sqlite.org/fileformat2.html, as far as
// "SELECT blob FROM Packages" needs them. An engine for that would be the
// largest dependency of the program, and none is made for hostile files.

const (
	pageInterior = 5
	pageLeaf     = 13
	maxTreeDepth = 20 // SQLite's own limit (BTCURSOR_MAX_DEPTH)
)

func isSQLite(head []byte) bool {
	return len(head) >= 100 && bytes.HasPrefix(head, []byte("SQLite format 3\x00"))
}

type sqlite struct {
	*walk
	usable int64
}

func (w *walk) sqlite(head []byte) error {
	w.pageSize = int64(be.Uint16(head[16:]))
	if w.pageSize == 1 {
		w.pageSize = 1 << 16
	}
	db := sqlite{w, w.pageSize - int64(head[20])}
	if w.pageSize < 512 || w.pageSize&(w.pageSize-1) != 0 || db.usable < 480 {
		return malformed("SQLite pages of %d bytes", w.pageSize)
	}
	root := uint32(0)
	err := db.table(1, 0, func(record []byte) error {
		cols, err := columns(record, 4) // type, name, tbl_name, rootpage
		if err != nil {
			return err
		}
		if string(cols[0].data) == "table" && strings.EqualFold(string(cols[1].data), "Packages") {
			root = uint32(cols[3].integer())
		}
		return nil
	})
	if err != nil {
		return err
	}
	if root == 0 {
		return malformed("an SQLite database without table Packages")
	}
	return db.table(root, 0, func(record []byte) error {
		cols, err := columns(record, 2) // hnum, blob
		if err != nil {
			return err
		}
		return w.header(cols[1].data)
	})
}

// table calls do for every record below a page, in key order.
func (db sqlite) table(number uint32, depth int, do func(record []byte) error) error {
	if depth > maxTreeDepth || number == 0 {
		return malformed("a b-tree of more than %d levels, or a page 0", maxTreeDepth)
	}
	page := make([]byte, db.pageSize)
	if err := db.page(page, (int64(number)-1)*db.pageSize); err != nil {
		return err
	}
	h := page
	if number == 1 {
		h = page[100:] // the database header comes first
	}
	size := map[byte]int{pageInterior: 12, pageLeaf: 8}[h[0]]
	cells := int(be.Uint16(h[3:]))
	if size == 0 || size+2*cells > len(h) {
		return malformed("page %d is of type %d with %d cells", number, h[0], cells)
	}
	for i := range cells {
		at := int64(be.Uint16(h[size+2*i:]))
		if at+4 > db.usable { // the shortest cell, of an interior page, has 5 bytes
			return malformed("page %d: cell %d lies at %d", number, i, at)
		}
		cell := page[at:db.usable]
		if h[0] == pageInterior {
			if err := db.table(be.Uint32(cell), depth+1, do); err != nil {
				return err
			}
			continue
		}
		record, err := db.record(cell)
		if err != nil {
			return err
		}
		if err := do(record); err != nil {
			return err
		}
	}
	if h[0] == pageInterior {
		return db.table(be.Uint32(h[8:]), depth+1, do)
	}
	return nil
}

// record puts together a leaf cell's payload: size, row number, what lies in
// the page, and a list of overflow pages for the rest.
func (db sqlite) record(cell []byte) ([]byte, error) {
	size, n := varint(cell)
	_, k := varint(cell[n:])
	cell = cell[n+k:]
	if n == 0 || k == 0 || size > maxHeader {
		return nil, malformed("a record of %d bytes", size)
	}
	local := int64(size)
	if whole := db.usable - 35; local > whole {
		least := (db.usable-12)*32/255 - 23
		if local = least + (int64(size)-least)%(db.usable-4); local > whole {
			local = least
		}
		if local+4 > int64(len(cell)) {
			return nil, malformed("a record leaves its page")
		}
	} else if local > int64(len(cell)) {
		return nil, malformed("a record leaves its page")
	}
	record := append(db.blob[:0], cell[:local]...)
	if local < int64(size) {
		page := make([]byte, db.pageSize)
		for next := be.Uint32(cell[local:]); int64(len(record)) < int64(size); next = be.Uint32(page) {
			if next == 0 {
				return nil, malformed("a record of %d bytes ends after %d", size, len(record))
			}
			if err := db.page(page, (int64(next)-1)*db.pageSize); err != nil {
				return nil, err
			}
			record = append(record, page[4:min(db.usable, 4+int64(size)-int64(len(record)))]...)
		}
	}
	db.blob = record
	return record, nil
}

// column is one value of a record with SQLite's serial type.
type column struct {
	serial uint64
	data   []byte
}

// columns splits the first n values of a record.
func columns(record []byte, n int) ([]column, error) {
	size, at := varint(record)
	if at == 0 || size > uint64(len(record)) {
		return nil, malformed("a record's header of %d bytes", size)
	}
	head, body := record[at:max(uint64(at), size)], record[size:]
	cols := make([]column, 0, n)
	for range n {
		serial, k := varint(head)
		if k == 0 {
			return nil, malformed("a record of fewer than %d columns", n)
		}
		head = head[k:]
		length := serialSize(serial)
		if length > uint64(len(body)) {
			return nil, malformed("a column of %d bytes leaves its record", length)
		}
		cols = append(cols, column{serial, body[:length]})
		body = body[length:]
	}
	return cols, nil
}

func serialSize(serial uint64) uint64 {
	if serial >= 12 {
		return (serial - 12) / 2 // even: blob, odd: text
	}
	return [12]uint64{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0}[serial]
}

func (c column) integer() (v int64) {
	if c.serial == 9 {
		return 1
	}
	for _, b := range c.data {
		v = v<<8 | int64(b)
	}
	return v
}

// varint reads SQLite's 1 to 9 bytes of big-endian sevens; n is 0 where the
// bytes end too early.
func varint(b []byte) (v uint64, n int) {
	for n < len(b) && n < 9 {
		if n == 8 {
			return v<<8 | uint64(b[n]), 9
		}
		v = v<<7 | uint64(b[n]&0x7f)
		n++
		if b[n-1] < 0x80 {
			return v, n
		}
	}
	return 0, 0
}
