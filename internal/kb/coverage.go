package kb

import (
	"slices"
	"strings"
)

// Coverage says how well a table is founded.
type Coverage struct {
	TableInfo
	Measured int    // rows with a source that is the artefact itself
	High     int    // rows of high confidence
	Low      int    // rows of low confidence
	Sources  int    // distinct ones
	Oldest   string // day on which the oldest of the sources was read
}

// Coverage returns it for all tables, ordered by name.
func (b *Base) Coverage() []Coverage {
	var list []Coverage
	for _, f := range files {
		list = append(list, f.coverage(b))
	}
	slices.SortFunc(list, func(x, y Coverage) int { return strings.Compare(x.Name, y.Name) })
	return list
}

func (f *file[T]) coverage(b *Base) Coverage {
	c := Coverage{TableInfo: f.info(b)}
	byID := sourcesIndex.in(b).byID
	used := map[string]bool{}
	table := f.in(b)
	for i := range table.Rows {
		row := rowOf(&table.Rows[i])
		measured := false
		for _, id := range row.Src {
			s := byID[id]
			used[id] = true
			measured = measured || s.Measured
			if c.Oldest == "" || s.Retrieved < c.Oldest {
				c.Oldest = s.Retrieved
			}
		}
		if measured {
			c.Measured++
		}
		switch row.Confidence {
		case High:
			c.High++
		case Low:
			c.Low++
		}
	}
	c.Sources = len(used)
	return c
}
