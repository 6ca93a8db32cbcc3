package rpmdb

import "fmt"

// The format of rpm's lib/backend/ndb/rpmpkg.c: a header of two slots, slots
// of 16 bytes that say where each package lies, then the packages.

const (
	ndbMagic      = 'R' | 'p'<<8 | 'm'<<16 | 'P'<<24
	ndbSlotMagic  = 'S' | 'l'<<8 | 'o'<<16 | 't'<<24
	ndbBlobMagic  = 'B' | 'l'<<8 | 'b'<<16 | 'S'<<24
	ndbSlotPage   = 4096
	ndbBlock      = 16   // unit of offsets
	maxNDBSlotPgs = 2048 // half a million packages
)

func isNDB(head []byte) bool { return len(head) >= 32 && le.Uint32(head) == ndbMagic }

func (w *walk) ndb(head []byte) error {
	if v := le.Uint32(head[4:]); v != 0 {
		return malformed("ndb version %d", v)
	}
	pages := int64(le.Uint32(head[12:]))
	if pages == 0 || pages > maxNDBSlotPgs {
		return malformed("ndb with %d slot pages", pages)
	}
	w.pageSize = ndbSlotPage
	slots := make([]byte, ndbSlotPage)
	for p := range pages {
		if err := w.page(slots, p*ndbSlotPage); err != nil {
			return err
		}
		list := slots
		if p == 0 {
			list = slots[32:]
		}
		for ; len(list) >= 16; list = list[16:] {
			if le.Uint32(list) != ndbSlotMagic {
				return malformed("ndb slot without its mark")
			}
			if index := le.Uint32(list[4:]); index != 0 {
				if err := w.ndbPackage(index, int64(le.Uint32(list[8:]))*ndbBlock); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (w *walk) ndbPackage(index uint32, off int64) error {
	var head [16]byte
	if off > w.size-int64(len(head)) {
		return malformed("package %d lies at %d, outside the file", index, off)
	}
	if _, err := w.r.ReadAt(head[:], off); err != nil {
		return fmt.Errorf("reading the rpm database at %d: %w", off, err)
	}
	size := int64(le.Uint32(head[12:]))
	if le.Uint32(head[:]) != ndbBlobMagic || le.Uint32(head[4:]) != index || size > maxHeader || size > w.size-off {
		return malformed("package %d at %d is not what its slot says", index, off)
	}
	if int64(cap(w.blob)) < size {
		w.blob = make([]byte, size)
	}
	blob := w.blob[:size]
	if n, err := w.r.ReadAt(blob, off+int64(len(head))); int64(n) < size {
		return fmt.Errorf("reading the rpm database at %d: %w", off, err)
	}
	return w.header(blob)
}
