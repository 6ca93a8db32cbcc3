package kb

import (
	"fmt"
	"strconv"
	"strings"

	"strata/internal/version"
)

// releases are the versions that a row holds for, From <= v < Below. Both bounds are always given: where the newest row of a table ends,
// the knowledge ends, and a later version is Beyond.
type releases[V version.Ordered[V]] struct {
	From  V `kb:"from,key"`
	Below V `kb:"below,required"`
}

func (r releases[V]) span() version.Range[V] { return version.Range[V]{Min: r.From, Max: r.Below} }

// ranged is a row type that embeds releases.
type ranged[V version.Ordered[V]] interface {
	span() version.Range[V]
}

// lookup answers with the row of t that holds for v among those that keep accepts. asked names the question in Why.
func lookup[V version.Ordered[V], R ranged[V]](b *Base, t *Table[R], asked string, v V, keep func(R) bool) Answer[R] {
	all := lookupAll(b, t, asked, v, keep)
	if !all.Known {
		return Answer[R]{Beyond: all.Beyond, Why: all.Why, Ref: all.Ref}
	}
	return Answer[R]{Value: all.Value[0], Known: true, Ref: all.Ref}
}

// lookupAll is lookup for a table that has several rows for one version. Ref cites the first of them.
func lookupAll[V version.Ordered[V], R ranged[V]](b *Base, t *Table[R], asked string, v V, keep func(R) bool) Answer[[]R] {
	if v.IsZero() {
		return notFound[[]R](t, "%s: no version given", asked)
	}
	var rows []R
	later := len(t.Rows) > 0
	for _, r := range t.Rows {
		later = later && v.Compare(r.span().Max) >= 0
		if keep(r) && r.span().Contains(v) {
			rows = append(rows, r)
		}
	}
	switch {
	case rows != nil:
		return found(b, t, rowOf(&rows[0]), rows)
	case later:
		return beyond[[]R](t, asked)
	}
	return notFound[[]R](t, "%s is not in the table", asked)
}

// released returns the release that v belongs to: a pre-release, a post-release and a build with a local version count as the release
// that they precede, follow or vary, since tables name releases only.
func released(v version.PEP440) version.PEP440 {
	if text := v.String(); text == v.Public() && strings.Trim(text, "0123456789.") == "" { // it is one
		return v
	}
	var parts []string
	for _, n := range v.Release() {
		parts = append(parts, strconv.Itoa(n))
	}
	release, err := version.ParsePEP440(strings.Join(parts, "."))
	if err != nil {
		return version.PEP440{}
	}
	return release
}

// noOverlap checks that at most one row with the same key holds for a version, and that bounds are in order.
func noOverlap[V version.Ordered[V], R ranged[V]](key func(R) string) func(*Base, *Table[R]) []Problem {
	return func(_ *Base, t *Table[R]) (problems []Problem) {
		for i := range t.Rows {
			r := t.Rows[i]
			line := rowOf(&r).Line
			if r.span().Min.Compare(r.span().Max) >= 0 {
				problems = append(problems, Problem{t.Name, line, "from is not below below"})
			}
			for j := range i {
				if o := t.Rows[j]; key(o) == key(r) && o.span().Overlaps(r.span()) {
					problems = append(problems, Problem{t.Name, line, fmt.Sprintf("overlaps line %d", rowOf(&o).Line)})
				}
			}
		}
		return problems
	}
}
