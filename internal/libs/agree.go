package libs

import (
	"fmt"
	"path"
	"slices"

	"strata/internal/derive"
)

// Difference is a CUDA library on which check's view of a workload and the
// linker that was followed do not say the same.
type Difference struct {
	Workload, Name string
	// Explained is why the two may differ; "" where they may not.
	Explained string
}

func (d Difference) String() string {
	if d.Explained == "" {
		return fmt.Sprintf("%s: %s: not the same, and nothing explains it", d.Workload, d.Name)
	}
	return fmt.Sprintf("%s: %s: %s", d.Workload, d.Name, d.Explained)
}

// Differences compares what a document says is missing, and a workload cannot
// start or use its GPU without, with what the same workload of a view wants and
// does not get. A tool and a test ask for it; no command does.
func Differences(d *Document, v *derive.View) (list []Difference) {
	for _, w := range v.Workloads {
		i := slices.IndexFunc(d.Workloads, func(x Workload) bool { return x.ID == w.ID() })
		if i < 0 {
			continue
		}
		ours := map[string]bool{}
		for _, m := range d.Workloads[i].Missing {
			c := v.KB.Component(path.Base(m.Name))
			if (m.Need == "must" || m.Need == "gpu") && m.Name == path.Base(m.Name) && c.Known && c.Value.Layer != "driver" {
				ours[m.Name] = true
			}
		}
		wants, _ := v.Wants(w)
		for _, x := range wants {
			if x.Winner != nil || x.Need == "part" || x.Need == "optional" {
				continue
			}
			if ours[x.Soname] {
				delete(ours, x.Soname)
				continue
			}
			list = append(list, Difference{w.ID(), x.Soname, explain(&d.Workloads[i], w, x)})
		}
		for name := range ours {
			list = append(list, Difference{w.ID(), name, ""})
		}
	}
	return list
}

// explain says why check may miss a library that libs says nothing of.
func explain(d *Workload, w *derive.Workload, x derive.Want) string {
	switch {
	case x.Exact:
		return ""
	case derive.Optional(w, x):
		return "only a part of it asks for it, which is not followed"
	case d.Stopped != "":
		return "check reads it in a header or a table; the linker was not followed that far: " + d.Stopped
	case d.Status == Broken:
		return "check reads it in a header or a table; the linker was followed up to what is missing before"
	case x.By != nil && !slices.ContainsFunc(d.Libraries, func(l Library) bool { return l.Path == x.By.Path || l.Real == x.By.Real }):
		return "check reads it in the header of " + path.Base(x.By.Path) + ", which the framework does not open at its start"
	}
	return ""
}
