package lookup

import (
	"strings"

	"strata/internal/kb"
)

var tableSubject = Subject{
	Name: "table", About: "A table as its file has it", Examples: []string{"nvidia/ptx_isa.csv"}, aliases: []string{"tables"}, find: findTable, names: tableNames,
}

func tableNames(base *kb.Base) (names []string) {
	for _, t := range base.Tables() {
		names = append(names, t.Name)
	}
	return names
}

// findTable shows any table, those without a card of their own, too. Its sources are those of its rows, which src names.
func findTable(b *builder, name string) error {
	var found string
	for _, known := range tableNames(b.Base) {
		base := strings.TrimSuffix(strings.TrimSuffix(known, ".csv"), ".yaml")
		if known == name || base == name || strings.HasSuffix(base, "/"+strings.TrimSuffix(name, ".csv")) {
			found = known
		}
	}
	if found == "" {
		return b.missing(tableNames)
	}
	x, err := b.ExportTable(found)
	if err != nil {
		return err
	}
	b.Title = found
	b.field("as_of", "As of", x.AsOf)
	b.field("horizon", "Horizon", x.Horizon)
	b.field("rows", "Rows", len(x.Rows))
	b.field("key", "Key", x.Key)
	var columns []string
	for _, c := range x.Columns {
		columns = append(columns, c, c)
	}
	t := b.table("rows", "", columns...)
	for _, r := range x.Rows[:min(len(x.Rows), maxRows)] {
		cells := make([]any, len(x.Columns))
		for i := range cells {
			cells[i] = r.Text(i)
		}
		t.row(cells...)
	}
	t.Omitted = len(x.Rows) - len(t.Rows)
	b.note("strata kb export has all rows")
	return nil
}
