package fatbin

// group counts the members of a group: the codes that "fatbinary --concat"
// packs into one compressed payload. Their headers follow the group's own:
// u32 count, u32 size of all of this, then one header per member as in an
// entry, except that the word at +4 is the member's offset in the unpacked
// payload.
//
// A member does not say how long its header is, but the offset of the next
// one is known: offset plus size of this one. The next header is therefore
// the next place, in steps of eight, with that offset in it.
func (w *walk) group(pos int64, e entry) error {
	if e.header < entrySize+8 {
		w.problem("the group at %d has no list of members", pos)
		return nil
	}
	b, err := w.at(pos+entrySize, int(e.header)-entrySize)
	if err != nil {
		return err
	}
	count := le.Uint32(b)
	b = b[8:]
	offset := uint64(0)
	for i := range count {
		m, rest, ok := member(b, offset)
		if !ok {
			w.problem("the group at %d lists %d of its %d members", pos, i, count)
			return nil
		}
		if !m.plausible() {
			w.problem("a member of the group at %d (kind %d) is for sm_%d: not plausible", pos, m.kind, m.arch)
			return nil
		}
		w.Grouped++
		w.add(m, e.compression()) // the group is compressed, its members are not
		offset += m.payload
		b = rest
	}
	return nil
}

func member(b []byte, offset uint64) (m entry, rest []byte, ok bool) {
	for ; len(b) >= entrySize; b = b[8:] {
		m := parseEntry(b)
		if m.version == entryVersion && uint64(m.header) == offset {
			return m, b[entrySize:], true
		}
	}
	return m, nil, false
}
