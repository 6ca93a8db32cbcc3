package elfx

const (
	verFlgBase = 1 // the definition names the file itself
	verFlgWeak = 2
)

// need is a VersionNeed with the indices that symbols refer to.
type need struct {
	VersionNeed
	index []versionIndex
}

type versionIndex struct {
	index uint16
	name  string
}

type versionDef struct {
	versionIndex
	base bool
}

// readNeeds reads the version needs (Elf_Verneed, the same in both classes).
// The lists are chained by relative offsets; those are unsigned and must not
// be zero before the end, so a chain always moves forward and ends.
func (d *dynamic) readNeeds() ([]need, error) {
	if d.verneed == 0 || d.verneednum == 0 {
		return nil, nil
	}
	if d.verneednum > maxVersions {
		return nil, malformed("version needs for %d libraries, more than %d", d.verneednum, maxVersions)
	}
	at, end, err := d.table(d.verneed, "the version needs")
	if err != nil {
		return nil, err
	}
	o, total := d.im.order, 0
	list := make([]need, 0, min(d.verneednum, 64))
	for left := d.verneednum; ; {
		h, err := d.record(at, end, 16, "a version need")
		if err != nil {
			return nil, err
		}
		count, file, aux, next := int(o.Uint16(h[2:])), o.Uint32(h[4:]), int64(o.Uint32(h[8:])), int64(o.Uint32(h[12:]))
		if total += count; total > maxVersions {
			return nil, malformed("more than %d version needs", maxVersions)
		}
		n := need{}
		if n.Library, err = d.str(uint64(file), maxString, "the library of a version need"); err != nil {
			return nil, err
		}
		if err := d.readNeedAux(&n, at+aux, end, count); err != nil {
			return nil, err
		}
		list = append(list, n)
		if left--; left == 0 || next == 0 {
			return list, nil
		}
		at += next
	}
}

func (d *dynamic) readNeedAux(n *need, at, end int64, count int) error {
	o := d.im.order
	for ; count > 0; count-- {
		h, err := d.record(at, end, 16, "a version need's entry")
		if err != nil {
			return err
		}
		flags, other, name, next := o.Uint16(h[4:]), o.Uint16(h[6:]), o.Uint32(h[8:]), int64(o.Uint32(h[12:]))
		s, err := d.str(uint64(name), maxString, "a version name")
		if err != nil {
			return err
		}
		if flags&verFlgWeak != 0 {
			n.Weak = append(n.Weak, s)
		} else {
			n.Versions = append(n.Versions, s)
		}
		n.index = append(n.index, versionIndex{other & 0x7fff, s})
		if next == 0 {
			return nil
		}
		at += next
	}
	return nil
}

// readDefs reads the version definitions (Elf_Verdef). The first auxiliary
// entry of each is its name, the others are the versions it inherits.
func (d *dynamic) readDefs() ([]versionDef, error) {
	if d.verdef == 0 || d.verdefnum == 0 {
		return nil, nil
	}
	if d.verdefnum > maxVersions {
		return nil, malformed("%d version definitions, more than %d", d.verdefnum, maxVersions)
	}
	at, end, err := d.table(d.verdef, "the version definitions")
	if err != nil {
		return nil, err
	}
	o := d.im.order
	list := make([]versionDef, 0, min(d.verdefnum, 64))
	for left := d.verdefnum; ; {
		h, err := d.record(at, end, 20, "a version definition")
		if err != nil {
			return nil, err
		}
		flags, index, count := o.Uint16(h[2:]), o.Uint16(h[4:]), o.Uint16(h[6:])
		aux, next := int64(o.Uint32(h[12:])), int64(o.Uint32(h[16:]))
		if count > 0 {
			a, err := d.record(at+aux, end, 8, "a version definition's entry")
			if err != nil {
				return nil, err
			}
			name, err := d.str(uint64(o.Uint32(a)), maxString, "a version name")
			if err != nil {
				return nil, err
			}
			list = append(list, versionDef{versionIndex{index & 0x7fff, name}, flags&verFlgBase != 0})
		}
		if left--; left == 0 || next == 0 {
			return list, nil
		}
		at += next
	}
}

// table finds an address in the file and the end of its segment.
func (d *dynamic) table(addr uint64, what string) (at, end int64, err error) {
	at, left, ok := d.im.offset(addr)
	if !ok {
		return 0, 0, malformed("%s are in no loaded segment", what)
	}
	return at, at + left, nil
}

// record returns n bytes at, which must lie before end. n is at most 24.
func (d *dynamic) record(at, end int64, n int, what string) ([]byte, error) {
	if at < 0 || at > end-int64(n) {
		return nil, malformed("%s leaves its segment", what)
	}
	b, err := d.im.at(at, n)
	if err == nil && len(b) == n {
		return b, nil
	}
	return d.im.bytes(at, int64(n), what) // it crosses a block
}
