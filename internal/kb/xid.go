package kb

import "strconv"

// Xid is one error number that the driver writes to the kernel log ("NVRM: Xid (PCI:0000:3b:00): 79, ...").
type Xid struct {
	Row
	Code     int      `kb:"xid,key"`
	Mnemonic string   `kb:"mnemonic,required"` // NVIDIA's name
	Meaning  string   `kb:"meaning,required"`
	Class    XidClass `kb:"class,required"`
	Cause    string   `kb:"cause"`
	Action   string   `kb:"action,required"`
	// CatalogAction is the immediate action of NVIDIA's Xid catalogue, in its code words (RESET_GPU, RESTART_APP).
	CatalogAction string `kb:"catalog_action"`
	InCatalog     bool   `kb:"in_catalog"`
	Note          string `kb:"note"`
}

// XidClass says where the fault behind an Xid lies. It is a judgement; Cause has the detail.
type XidClass string

// The classes. Unused numbers are defined in the driver and not expected to be seen.
const (
	XidHardware XidClass = "hardware"
	XidSoftware XidClass = "software"
	XidEither   XidClass = "either"
	XidUnused   XidClass = "unused"
)

// UnmarshalText accepts the classes and nothing else.
func (c *XidClass) UnmarshalText(text []byte) error {
	return unmarshalWord(c, text, XidHardware, XidSoftware, XidEither, XidUnused)
}

var xids = csvFile("nvidia/xid.csv", reaches[Xid]("xid"))

// Xid returns what is known about Xid code.
func (b *Base) Xid(code int) Answer[Xid] {
	t := xids.in(b)
	for _, r := range t.Rows {
		if r.Code == code {
			return found(b, t, r.Row, r)
		}
	}
	if limit, err := strconv.Atoi(t.limit("xid")); err != nil || code > limit {
		return beyond[Xid](t, "Xid "+strconv.Itoa(code))
	}
	return notFound[Xid](t, "Xid %d is not known", code)
}
