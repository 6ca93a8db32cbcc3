package outcome

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/internal/kb"
	"strata/internal/lddebug"
	"strata/internal/opentrace"
	"strata/internal/rule"
	"strata/internal/witness"
)

// Opened is how --trace=full went.
type Opened struct {
	State string `json:"state"` // ok or failed
	Why   string `json:"why,omitempty"`
	// Count is how many opens were seen; of Unread the path could not be read, Late went on before they
	// were looked at, and of Dropped there were too many names to keep.
	Count   uint64 `json:"count"`
	Unread  uint64 `json:"unread"`
	Late    uint64 `json:"late"`
	Dropped uint64 `json:"dropped"`
	// NoNewPrivs is true where set-uid programs got no rights; SetUID are those that were started.
	NoNewPrivs bool     `json:"no_new_privs"`
	SetUID     []string `json:"set_uid,omitempty"`
	// Left is true where processes of the command live on.
	Left bool `json:"left"`
}

// The sources of what is missing.
const (
	fromLinker = "linker"
	fromOpens  = "opens"
)

// What is missing and no library.
const (
	deviceNode = "device-node"
	driverFile = "driver-file"
)

func (m *Missing) library() bool { return m.Component != deviceNode && m.Component != driverFile }

// opened says how the opens were traced; nil where nobody asked.
func opened(rec *witness.Record) *Opened {
	o := &rec.Opens
	switch {
	case !o.Asked:
		return nil
	case o.Why != "":
		return &Opened{State: "failed", Why: o.Why}
	}
	return &Opened{State: "ok", Count: o.Result.Opens, Unread: o.Unread, Late: o.Late, Dropped: o.Dropped, NoNewPrivs: o.NoNewPrivs, SetUID: o.Setuid, Left: o.Alive}
}

// unopened are what was asked for and found nowhere, beyond what the linker said.
func unopened(base *kb.Base, rec *witness.Record, said []Missing) (out []Missing) {
	for _, n := range rec.Opens.Names {
		if !n.Lacks() {
			continue
		}
		m := Missing{Name: n.Name, By: n.By, Searched: searched(append(slices.Clone(n.Missing), n.Denied...)), Denied: n.Denied, Source: fromOpens}
		switch n.Kind {
		case opentrace.Library:
			c := base.Component(n.Name)
			if !c.Known || elsewhere(rec, n.Name) || slices.ContainsFunc(said, func(x Missing) bool { return path.Base(x.Name) == n.Name }) {
				continue
			}
			m.Component, m.Layer = c.Value.Name, rule.Layer(c.Value.Layer)
		case opentrace.Node:
			m.Component, m.Layer = deviceNode, rule.DeviceExposure
		case opentrace.File:
			m.Component, m.Layer = driverFile, rule.Driver
			if strings.HasPrefix(n.Name, "/proc/") {
				m.Layer = rule.KernelModule
			}
		default:
			continue
		}
		out = append(out, m)
	}
	return out
}

// elsewhere tells whether a library was loaded after all.
func elsewhere(rec *witness.Record, name string) bool {
	return slices.ContainsFunc(rec.Loads, func(l lddebug.Load) bool { return path.Base(l.Name) == name }) ||
		slices.ContainsFunc(rec.Mapped, func(m string) bool { return path.Base(m) == name })
}

// silent are the libraries that were found by processes of which the linker said nothing: static ones, and those of another C library.
func silent(rec *witness.Record) (out []opentrace.Name) {
	for _, n := range rec.Opens.Names {
		if n.Found != "" && rec.Opens.Mute[n.PID] && (n.Kind == opentrace.Library || n.Kind == opentrace.Plain) {
			out = append(out, n)
		}
	}
	return out
}

// unseen says what could not be seen of the libraries and opens.
func unseen(rec *witness.Record) (notes []string) {
	o := &rec.Opens
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	traced := o.Asked && o.Why == ""
	const mute = "the dynamic linker said nothing: the program is static, set-uid, or its C library is not glibc; what it had mapped was read all the same"
	switch {
	case rec.Mute && traced:
		add("%s, and what it opened was seen", mute)
	case rec.Mute && !o.Asked:
		add("%s; --trace=full would see each file that it opens", mute)
	case rec.Mute:
		add(mute)
	}
	if o.Why != "" {
		add("--trace=full saw no opens: %s; the command ran as with --trace=libs", o.Why)
	}
	if o.NoNewPrivs && len(o.Setuid) > 0 {
		add("%s ran without the rights of its owner, which --trace=full takes from set-uid programs unless root runs strata; use --trace=libs for it", strings.Join(o.Setuid, ", "))
	}
	if len(o.Brief) > 0 {
		add("%s was asked for, and no process was seen to have it open: it was closed at once, or the driver refused it", strings.Join(o.Brief, ", "))
	}
	if o.Unread > 0 {
		add("of %d of %d opens the path could not be read", o.Unread, o.Result.Opens)
	}
	if o.Late > 0 {
		add("%d of %d opens went on before they were looked at: the look took too long", o.Late, o.Result.Opens)
	}
	if o.Dropped > 0 {
		add("%d opens were of names beyond the number that is kept", o.Dropped)
	}
	if o.Alive {
		add("processes of the command live on; a process of Strata, %s, stays until the last of them ends", opentrace.KeeperName)
	}
	return notes
}

// Sought is what was looked for in vain and says most: a device that may not be opened, else the first library, else the first device; nil for none.
func (d *Document) Sought() *Missing {
	if m := d.barred(); m != nil {
		return m
	}
	for _, want := range []func(*Missing) bool{(*Missing).library, essential} {
		for i := range d.Missing {
			if want(&d.Missing[i]) {
				return &d.Missing[i]
			}
		}
	}
	return nil
}

// sought is the same as the end of a sentence.
func (d *Document) sought() string {
	m := d.Sought()
	if m == nil {
		return ""
	}
	return "; " + m.Name + " was looked for in vain"
}

// essential tells whether it is a device file without which there is no CUDA. Others are there for root alone, as those below
// /dev/nvidia-caps, or for drawing.
func essential(m *Missing) bool {
	return m.Component == deviceNode && (witness.IsGPU(m.Name) || m.Name == "/dev/nvidiactl" || m.Name == "/dev/nvidia-uvm")
}

// barred is a device file of the driver that is there and that the command may not open; nil for none.
func (d *Document) barred() *Missing {
	for i, m := range d.Missing {
		if essential(&m) && len(m.Denied) > 0 {
			return &d.Missing[i]
		}
	}
	return nil
}
