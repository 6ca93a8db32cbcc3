package lookup

import (
	"strconv"
	"strings"

	"strata/internal/kb"
)

var xidSubject = Subject{
	Name: "xid", About: "Xid errors in the kernel log", Examples: []string{"79"}, find: findXid, names: xidNames,
}

func xidNames(base *kb.Base) (names []string) {
	for _, r := range kb.Rows[kb.Xid](base) {
		names = append(names, strconv.Itoa(r.Code))
	}
	return names
}

func findXid(b *builder, name string) error {
	code, err := strconv.Atoi(strings.TrimPrefix(strings.ToLower(name), "xid "))
	if err != nil || code < 0 {
		return b.missing(xidNames)
	}
	b.Title = "Xid " + strconv.Itoa(code)
	a := b.Xid(code)
	switch {
	case a.Beyond:
		return b.beyond(b.Title, a.Why, a.Ref, xidNames)
	case !a.Known:
		return b.missing(xidNames)
	}
	r := a.Value
	b.cite(a.Ref)
	b.field("mnemonic", "NVIDIA's name", r.Mnemonic)
	b.field("meaning", "Meaning", r.Meaning)
	b.field("xid", "", r.Code)
	b.say("class", "Points to", r.Class, map[kb.XidClass]string{
		kb.XidHardware: "the hardware", kb.XidSoftware: "software", kb.XidEither: "hardware or software", kb.XidUnused: "nothing: not in use",
	}[r.Class])
	b.field("cause", "Causes", r.Cause)
	b.field("action", "What to do", r.Action)
	b.field("catalog_action", "NVIDIA's catalogue", r.CatalogAction)
	b.field("in_catalog", "In the catalogue", r.InCatalog)
	b.note("%s", sentence(r.Note))
	return nil
}
