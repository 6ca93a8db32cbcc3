package lookup

import (
	"cmp"
	"slices"
	"strings"

	"strata/internal/version"
)

// nearest returns up to n of candidates that somebody who wrote name may have meant, best first: for a version its neighbours in the order of
// versions, for a word those that start with it, hold it, or differ in few letters.
func nearest(name string, candidates []string, n int) []string {
	if v, err := version.ParseLib(name); err == nil {
		if list := neighbours(v, candidates, n); list != nil {
			return list
		}
	}
	type match struct {
		name string
		cost int
	}
	var list []match
	asked := strings.ToLower(name)
	for _, c := range candidates {
		cost, ok := distance(asked, strings.ToLower(c))
		if ok && !slices.ContainsFunc(list, func(m match) bool { return m.name == c }) {
			list = append(list, match{c, cost})
		}
	}
	slices.SortStableFunc(list, func(a, b match) int { return cmp.Compare(a.cost, b.cost) })
	var names []string
	for _, m := range list[:min(n, len(list))] {
		names = append(names, m.name)
	}
	return names
}

// neighbours are the versions among candidates around v: those below first, the last of them nearest. Nil where few are versions.
func neighbours(v version.Lib, candidates []string, n int) []string {
	type entry struct {
		v    version.Lib
		name string
	}
	var list []entry
	for _, c := range candidates {
		if w, err := version.ParseLib(c); err == nil {
			list = append(list, entry{w, c})
		}
	}
	if len(list) == 0 || len(list) < len(candidates)/2 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b entry) int { return a.v.Compare(b.v) })
	list = slices.CompactFunc(list, func(a, b entry) bool { return a.name == b.name })
	at, _ := slices.BinarySearchFunc(list, v, func(e entry, v version.Lib) int { return e.v.Compare(v) })
	from := max(0, min(at-(n+1)/2, len(list)-n))
	var names []string
	for _, e := range list[from:min(from+n, len(list))] {
		names = append(names, e.name)
	}
	return names
}

// distance is how far b is from what was asked, in letters, and whether that is near enough to be meant.
func distance(asked, b string) (cost int, near bool) {
	switch {
	case asked == b:
		return 0, true
	case len(asked) >= 3 && strings.HasPrefix(b, asked):
		return 1, true
	case len(asked) >= 3 && strings.Contains(b, asked):
		return 2, true
	}
	d := edits(asked, b)
	return d + 1, d <= max(1, len(asked)/3)
}

// edits is the optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			differ := 1
			if x[i-1] == y[j-1] {
				differ = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+differ)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(x)][len(y)]
}
