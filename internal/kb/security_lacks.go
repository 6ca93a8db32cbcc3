package kb

import (
	"slices"

	"strata/internal/version"
)

// Security is how one release stands to the security bulletins of its product. A release of a line that none of them names has no
// Lacks, which does not say that it has the fixes.
type Security struct {
	// Lacks are the bulletins that name a newer release of the same line as the first with the fixes, oldest first.
	Lacks []Bulletin
	// Fixed is the first release of the line that has the fixes of all of them; zero where Lacks is empty.
	Fixed version.Lib
	// Silent are later bulletins that name newer branches and none of this one, oldest first. NVIDIA says that such branches
	// may be affected, too, and that no update comes for them.
	Silent []Bulletin
}

// DriverSecurity returns what the bulletins say about driver d on platform p. classes are those of the GPUs it drives: in few cases
// the fix of a branch came with another release for data-center GPUs. For a class that is not known only what holds for all is said.
func (b *Base) DriverSecurity(p Platform, d version.Driver, classes ...GPUClass) Answer[Security] {
	t := bulletins.in(b)
	branch := b.driverBranchOf(p, d)
	if !branch.Known {
		return Answer[Security]{Beyond: branch.Beyond, Why: branch.Why, Ref: branch.Ref}
	}
	release, err := version.ParseLib(driverNumbers(d))
	if err != nil {
		return notFound[Security](t, "driver %s has no number to compare", d)
	}
	var line []Bulletin
	newest := map[string]Bulletin{} // by bulletin, the row of the newest branch that it names
	for _, r := range t.Rows {
		if r.Product != DisplayDriver || r.Platform != p {
			continue
		}
		if r.Branch == branch.Value {
			line = append(line, r)
		}
		if n, ok := newest[r.ID]; !ok || n.Branch < r.Branch {
			newest[r.ID] = r
		}
	}
	var s Security
	s.lack(release, oneForEach(line, classes))
	for id, r := range newest {
		named := slices.ContainsFunc(line, func(l Bulletin) bool { return l.ID == id })
		if !named && r.Branch > branch.Value && r.Date > lastDate(line) && b.firstKnown(branch.Value) < r.Date {
			s.Silent = append(s.Silent, r)
		}
	}
	slices.SortFunc(s.Silent, byDate)
	return s.answer(b, t)
}

// ToolkitSecurity returns what the bulletins say about release v of the container toolkit or the GPU operator, which have one line
// of releases. Without a mode only what holds in each is said.
func (b *Base) ToolkitSecurity(p Product, v version.Lib, mode ToolkitMode) Answer[Security] {
	t := bulletins.in(b)
	if v.IsZero() {
		return notFound[Security](t, "no version given")
	}
	var line []Bulletin
	for _, r := range t.Rows {
		if r.Product == p && (r.Mode == "" || r.Mode == mode) {
			line = append(line, r)
		}
	}
	var s Security
	s.lack(v, line)
	return s.answer(b, t)
}

// lack adds the bulletins of line whose fix release does not have.
func (s *Security) lack(release version.Lib, line []Bulletin) {
	for _, r := range line {
		if !release.Less(r.Fixed) || !r.From.IsZero() && release.Less(r.From) {
			continue
		}
		s.Lacks = append(s.Lacks, r)
		if s.Fixed.Less(r.Fixed) {
			s.Fixed = r.Fixed
		}
	}
	slices.SortFunc(s.Lacks, byDate)
}

func (s Security) answer(b *Base, t *Table[Bulletin]) Answer[Security] {
	a := Answer[Security]{Value: s, Known: true, Ref: Ref{Table: t.Name, AsOf: t.AsOf}}
	if n := len(s.Lacks); n > 0 {
		a.Ref = b.CiteBulletin(s.Lacks[n-1])
	} else if n := len(s.Silent); n > 0 {
		a.Ref = b.CiteBulletin(s.Silent[n-1])
	}
	return a
}

// oneForEach keeps one row for each bulletin: of several for different GPUs the latest fix that one of classes needs, or the
// earliest where no row is for them.
func oneForEach(line []Bulletin, classes []GPUClass) []Bulletin {
	concerns := func(r Bulletin) bool {
		return r.GPUs == nil || slices.ContainsFunc(classes, func(c GPUClass) bool { return slices.Contains(r.GPUs, c) })
	}
	var out []Bulletin
	for _, r := range line {
		i := slices.IndexFunc(out, func(o Bulletin) bool { return o.ID == r.ID })
		switch {
		case i < 0:
			out = append(out, r)
		case concerns(r) && (!concerns(out[i]) || out[i].Fixed.Less(r.Fixed)),
			!concerns(r) && !concerns(out[i]) && r.Fixed.Less(out[i].Fixed):
			out[i] = r
		}
	}
	return out
}

// driverBranchOf returns the branch of a driver. On Windows it is not the first number: 553.62 is of branch 550.
func (b *Base) driverBranchOf(p Platform, d version.Driver) Answer[int] {
	t := driverCUDA.in(b)
	switch {
	case d.IsZero():
		return notFound[int](t, "no driver version given")
	case driverBeyond(t, d):
		return beyond[int](t, "driver "+d.String())
	}
	for _, r := range t.Rows {
		if r.Platform == p && (version.Range[version.Driver]{Min: r.From, Max: r.Below}).Contains(d) {
			return found(b, t, r.Row, r.Branch)
		}
	}
	return notFound[int](t, "no %s driver range holds %s", p, d)
}

// firstKnown is when the first release of a branch came, "" where that is not known.
func (b *Base) firstKnown(branch int) string {
	a := b.Branch(branch)
	return a.Value.FirstDate
}

func lastDate(line []Bulletin) (last string) {
	for _, r := range line {
		last = max(last, r.Date)
	}
	return last
}

// driverNumbers is d without the suffix of a packaging.
func driverNumbers(d version.Driver) string {
	text := d.String()
	if s := d.Suffix(); s != "" {
		text = text[:len(text)-len(s)-1]
	}
	return text
}

func byDate(a, b Bulletin) int {
	switch {
	case a.Date < b.Date:
		return -1
	case a.Date > b.Date:
		return 1
	}
	return 0
}
