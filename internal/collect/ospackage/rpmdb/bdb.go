package rpmdb

import "encoding/binary"

// The hash format of Berkeley DB (src/dbinc/db_page.h of its source). rpm's
// keys are package numbers; a value is a header, which nearly always lies on
// overflow pages of its own.

const (
	bdbHashMagic = 0x00061561

	bdbHashMeta     = 8
	bdbHashUnsorted = 2 // RHEL 5
	bdbHash         = 13
	bdbOverflow     = 7
	bdbPageHeader   = 26

	bdbInline  = 1 // H_KEYDATA
	bdbOffPage = 3 // H_OFFPAGE
)

func isBDB(head []byte) bool {
	return len(head) >= 72 && (le.Uint32(head[12:]) == bdbHashMagic || be.Uint32(head[12:]) == bdbHashMagic)
}

type bdb struct {
	*walk
	order binary.ByteOrder
}

func (w *walk) bdb(head []byte) error {
	db := bdb{w, le}
	if be.Uint32(head[12:]) == bdbHashMagic {
		db.order = be
	}
	w.pageSize = int64(db.order.Uint32(head[20:]))
	if w.pageSize < 512 || w.pageSize > 1<<16 || w.pageSize&(w.pageSize-1) != 0 || head[25] != bdbHashMeta {
		return malformed("Berkeley DB pages of %d bytes, first of type %d", w.pageSize, head[25])
	}
	last := min(int64(db.order.Uint32(head[32:])), w.size/w.pageSize-1)
	page := make([]byte, w.pageSize)
	for n := int64(1); n <= last; n++ {
		if err := w.page(page, n*w.pageSize); err != nil {
			return err
		}
		if page[25] != bdbHash && page[25] != bdbHashUnsorted {
			continue
		}
		if err := db.hashPage(page); err != nil {
			return err
		}
	}
	return nil
}

// hashPage reads the values of one page: key and value take turns in the index
// behind the header. Items fill the page from its end.
func (db bdb) hashPage(page []byte) error {
	entries := int(db.order.Uint16(page[20:]))
	if entries%2 != 0 || bdbPageHeader+2*entries > len(page) {
		return malformed("a hash page with %d entries", entries)
	}
	at := func(i int) int { return int(db.order.Uint16(page[bdbPageHeader+2*i:])) }
	for i := 1; i < entries; i += 2 {
		from, to := at(i), at(i-1)
		if from+1 > to || to > len(page) {
			return malformed("a hash page's item lies at %d to %d", from, to)
		}
		item := page[from:to]
		switch {
		case item[0] == bdbOffPage && len(item) >= 12:
			blob, err := db.overflow(int64(db.order.Uint32(item[4:])), int64(db.order.Uint32(item[8:])))
			if err != nil {
				return err
			}
			if err := db.header(blob); err != nil {
				return err
			}
		case item[0] == bdbInline && len(item) > 1+16:
			// Shorter ones are rpm's counter of packages.
			if err := db.header(item[1:]); err != nil {
				return err
			}
		}
	}
	return nil
}

// overflow puts together a value of size bytes from a chain of pages.
func (db bdb) overflow(number, size int64) ([]byte, error) {
	if size > maxHeader {
		return nil, malformed("a value of %d bytes", size)
	}
	page := make([]byte, db.pageSize)
	blob := db.blob[:0]
	for number != 0 && int64(len(blob)) < size {
		if err := db.page(page, number*db.pageSize); err != nil {
			return nil, err
		}
		// hf_offset is the length of the data on an overflow page.
		used := bdbPageHeader + int64(db.order.Uint16(page[22:]))
		if page[25] != bdbOverflow || used > db.pageSize {
			return nil, malformed("page %d is of type %d with %d bytes, not an overflow page", number, page[25], used)
		}
		blob = append(blob, page[bdbPageHeader:used]...)
		number = int64(db.order.Uint32(page[16:]))
	}
	db.blob = blob
	if int64(len(blob)) < size {
		return nil, malformed("a value of %d bytes ends after %d", size, len(blob))
	}
	return blob[:size], nil
}
